"""Errors by whose fault they are. A user never causes one: user mistakes are `Issue` values."""


class BookingBotError(Exception):
    """The root of everything this package raises on purpose."""


class ConfigurationError(BookingBotError):
    """The operator's fault, found at start: names the file, key or flag and the legal values."""


class InvalidTransition(BookingBotError):
    """A programmer's fault: an observation arrived in a phase that has no row for it."""


class UnsettledDialogue(BookingBotError):
    """A programmer's fault: a turn ran past its bound of steps without anything to say."""


class MessageError(BookingBotError):
    """The peer's fault: a frame or argument that is not of the protocol.

    Args:
        code: a short machine-readable name, e.g. ``bad_json``.
        message: one line for the person who wrote the peer.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ModelError(BookingBotError):
    """The language model failed or answered outside the protocol: the rules take over."""


class StaleSession(BookingBotError):
    """Another process moved the session on since it was read: the turn is run again."""
