"""Bodies, queries and answers that are the HTTP API's own; the rest are the service's values."""

from __future__ import annotations

from typing import Annotated

from pydantic import AliasChoices, Field, StringConstraints

from booking_bot.dialogue.model import Frozen
from booking_bot.dialogue.site import Room
from booking_bot.service.values import (
    AlternativeOffer,
    BookingWish,
    ConfirmToken,
    IssueShown,
    Label,
    MoveWish,
    RoomOffer,
)

MAX_TEXT_CHARS = 8_000
"""More than is ever read of one message; longer ones are refused."""


class MessageIn(Frozen):
    """One message of the user."""

    session_id: Label
    text: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_TEXT_CHARS),
        Field(validation_alias=AliasChoices("text", "message"), description="What the user says, as said."),
    ]


class BookingIn(BookingWish):
    """A booking, or with the token its confirmation."""

    confirm_token: ConfirmToken | None = None

    def wish(self) -> BookingWish:
        """Give the booking without the token."""
        return BookingWish.model_construct(**{name: getattr(self, name) for name in BookingWish.model_fields})


class MoveIn(MoveWish):
    """A move, or with the token its confirmation."""

    confirm_token: ConfirmToken | None = None

    def wish(self) -> MoveWish:
        """Give the move without the token."""
        return MoveWish.model_construct(**{name: getattr(self, name) for name in MoveWish.model_fields})


class RoomList(Frozen):
    """All rooms of the office."""

    rooms: tuple[Room, ...]


class Health(Frozen):
    """A sign of life."""

    status: str = "ok"


class Problem(Frozen):
    """What went wrong (RFC 9457), sent as `application/problem+json`.

    Attributes:
        code: the reason's short name; `type` is the same as a URN.
        issues: the values at fault.
        rooms: with ``taken``, other rooms free at that time.
        alternatives: with ``taken``, what comes near.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    issues: tuple[IssueShown, ...] = ()
    rooms: tuple[RoomOffer, ...] = ()
    alternatives: tuple[AlternativeOffer, ...] = ()
