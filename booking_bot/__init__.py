"""A meeting-room booking bot on an explicit state machine, in Chinese and English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from booking_bot.app import BookingBot
    from booking_bot.reply import Reply

__all__ = ["BookingBot", "Reply"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the facade when it is asked for: the command line starts without the database's libraries."""
    if name == "BookingBot":
        from booking_bot.app import BookingBot  # noqa: PLC0415  # on first use, for a quick import of the package

        return BookingBot
    if name == "Reply":
        from booking_bot.reply import Reply  # noqa: PLC0415  # on first use, for a quick import of the package

        return Reply
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
