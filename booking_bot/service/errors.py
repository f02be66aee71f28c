"""Why an operation was not done: one exception with a code that every channel maps to its own kind of error."""

from __future__ import annotations

from typing import Literal

from booking_bot.errors import BookingBotError
from booking_bot.service.values import IssueShown

RefusalCode = Literal[
    "rule_broken",
    "not_found",
    "nothing_to_change",
    "key_reused",
    "confirmation_invalid",
    "place_unknown",
    "refused",
    "unavailable",
    "not_certain",
]


class OperationRefused(BookingBotError):
    """The operation was not done; nothing was written, except perhaps with ``not_certain``.

    Args:
        code: ``rule_broken``: the house rules, see `issues`. ``not_found``: no such booking of this user.
            ``key_reused``: the idempotency key stands for another write. ``confirmation_invalid``: the token is not
            of these arguments, this user, or this hour, or was used. ``refused``: the rooms service said no for good.
            ``unavailable``: it did not answer. ``not_certain``: it did not answer a write; the same call again with
            the same key tells.
        message: for the user.
        issues: the values at fault.
    """

    def __init__(self, code: RefusalCode, message: str, issues: tuple[IssueShown, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.issues = issues
