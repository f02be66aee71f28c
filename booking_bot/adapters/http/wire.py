"""What goes over the wire of the rooms API: paths, headers, bodies and the codes of its problems.

Shared by the client in this package and by the mock server, so that the two cannot drift apart. Observations and
bookings travel as their own JSON; bodies of writes are the dialogue's values without what the headers carry.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Final, Literal
from urllib.parse import quote, unquote

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder
from booking_bot.dialogue.observations import Booked, Cancelled, Found, Moved, NoneFree
from booking_bot.dialogue.site import Building, Room

USER_HEADER: Final = "X-User"
"""Whose booking it is, percent-encoded UTF-8."""
KEY_HEADER: Final = "Idempotency-Key"
"""The key of a write, percent-encoded UTF-8; the same key again has the effect of the first time only."""
VERSION_HEADER: Final = "If-Match"
"""The version a booking was read at, in double quotes."""

ProblemCode = Literal[
    "taken",  # 409: somebody else has the room then
    "gone",  # 404: no such booking of this user, or another version of it
    "unknown_key",  # 404: no write with this key took effect
    "refused",  # 422: a rule of the service; `detail` is for the user
    "bad_arguments",  # 422: not of the schema
    "bad_request",  # 400, 401, 403, 404, 405, 411, 413, 415: not of the protocol
    "unavailable",  # 5xx, 429: try again later
]


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Problem(_Wire):
    """An error (RFC 9457, ``application/problem+json``). `code` is what a program looks at."""

    type: str = "about:blank"
    title: str
    status: int
    code: ProblemCode
    detail: str = ""


class OrderBody(_Wire):
    """Body of ``POST /bookings``. The bounds keep absurd values out of the service's arithmetic."""

    room_id: str = Field(min_length=1, max_length=64)
    date: dt.date
    start_time: dt.time
    duration_minutes: int = Field(gt=0, le=1440)
    people: int = Field(gt=0, le=100_000)
    title: str = Field(default="", max_length=500)

    def order(self, key: str) -> BookingOrder:
        """Make the order with its key."""
        return BookingOrder(key=key, **dict(self))


class ChangeBody(_Wire):
    """Body of ``PATCH /bookings/{id}``: the whole new place and time."""

    room_id: str = Field(min_length=1, max_length=64)
    date: dt.date
    start_time: dt.time
    duration_minutes: int = Field(gt=0, le=1440)
    people: int | None = Field(default=None, gt=0, le=100_000)

    def change(self, booking_id: str, version: int, key: str) -> BookingChange:
        """Make the change of a booking with its key."""
        return BookingChange(booking_id=booking_id, version=version, key=key, **dict(self))


class RoomList(_Wire):
    """Answer of ``GET /rooms``."""

    buildings: tuple[Building, ...]
    rooms: tuple[Room, ...]


class BookingList(_Wire):
    """Answer of ``GET /bookings``."""

    bookings: tuple[Booking, ...]


Availability = Annotated[Found | NoneFree, Field(discriminator="kind")]
AVAILABILITY: Final[TypeAdapter[Found | NoneFree]] = TypeAdapter(Availability)
"""Answer of ``POST /availability``."""
Written = Annotated[Booked | Moved | Cancelled, Field(discriminator="kind")]
WRITTEN: Final[TypeAdapter[Booked | Moved | Cancelled]] = TypeAdapter(Written)
"""Answer of ``GET /writes/{key}``."""


def encoded(value: str) -> str:
    """Make any text fit for a header or one segment of a path."""
    return quote(value, safe="", errors="replace")


def decoded(value: str) -> str:
    """Give the text back; bytes that are no UTF-8 become replacement characters."""
    return unquote(value, errors="replace")
