"""What the booking operations take and give: plain values with the names that every programmatic channel shows.

The field descriptions are what assistants and API clients read; house rules stand in the site's policy, not here.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, StringConstraints, WithJsonSchema

from booking_bot.dialogue.model import Frozen, Language
from booking_bot.dialogue.observations import AlternativeKind
from booking_bot.dialogue.site import Equipment, Localized, Room
from booking_bot.reply import BookedRoom

MAX_KEY_CHARS: Final = 128
MAX_TITLE_CHARS: Final = 200
"""What the database's column holds."""
MAX_TOKEN_CHARS: Final = 256
MAX_NUMBER: Final = 100_000
"""Above every legal length and seat count; policy says what is legal, this only bounds the arithmetic."""

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
_PRINTABLE: Final = r"^[^\x00-\x1f\x7f]+$"


def _calendar_date(value: object) -> dt.date:
    if type(value) is dt.date:
        return value
    if isinstance(value, str) and _DATE.fullmatch(value):
        return dt.date.fromisoformat(value)
    raise ValueError("use YYYY-MM-DD")


def _wall_time(value: object) -> dt.time:
    if isinstance(value, dt.time):
        return value
    if isinstance(value, str) and re.fullmatch(_TIME, value, re.ASCII) and len(value) == 5:
        return dt.time.fromisoformat(value)
    raise ValueError("use HH:MM, 24 hours")


def _storable(text: str) -> str:
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        raise ValueError("the text is not valid Unicode")
    return text


CalendarDate = Annotated[dt.date, BeforeValidator(_calendar_date)]
WallTime = Annotated[
    dt.time,
    BeforeValidator(_wall_time),
    PlainSerializer(lambda time: f"{time:%H:%M}", return_type=str),
    WithJsonSchema({"type": "string", "pattern": _TIME}),
]
Date = Annotated[CalendarDate, Field(description="Day, YYYY-MM-DD, as on the office's calendar.")]
Start = Annotated[WallTime, Field(description="Start, HH:MM, 24 hours, office wall time.")]
Minutes = Annotated[int, Field(ge=1, le=MAX_NUMBER, description="Length in minutes.")]
Capacity = Annotated[int, Field(ge=1, le=MAX_NUMBER, description="How many people need a seat.")]
BuildingCode = Annotated[
    str, StringConstraints(min_length=1, max_length=16), Field(description="Code of the building, such as A.")
]
Equipped = Annotated[
    tuple[Equipment, ...], Field(max_length=5, description="What the room must have; empty for nothing special.")
]
RoomId = Annotated[str, StringConstraints(min_length=1, max_length=32), Field(description="Id of the room.")]
BookingId = Annotated[
    str, StringConstraints(min_length=1, max_length=32), Field(description="Id of one of the user's own bookings.")
]
Title = Annotated[
    str,
    StringConstraints(max_length=MAX_TITLE_CHARS, pattern=r"^[^\x00-\x1f\x7f]*$"),
    AfterValidator(_storable),
    Field(description="Title of the meeting."),
]
Key = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_KEY_CHARS, pattern=_PRINTABLE),
    AfterValidator(_storable),
    Field(description="Chosen by the caller, one for each wish; the same key again never writes twice."),
]
ConfirmToken = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_TOKEN_CHARS),
    Field(
        description="From the first answer to exactly these arguments; send it only after the user said yes to its "
        "read_back."
    ),
]
Label = Annotated[
    str,
    StringConstraints(min_length=1, max_length=128, pattern=_PRINTABLE),
    AfterValidator(_storable),
    Field(description="A label of the caller's for one conversation; it belongs to the user."),
]
Place = Annotated[
    str, StringConstraints(min_length=1, max_length=80), AfterValidator(_storable), Field(description="City or place.")
]


# --- what the operations take ------------------------------------------------------------------------------------


class RoomWish(Frozen):
    """What a room must be, and when."""

    date: Date
    start_time: Start
    duration_minutes: Minutes
    capacity: Capacity
    building: BuildingCode | None = None
    equipment: Equipped = ()


class BookingWish(RoomWish):
    """One exact booking."""

    room_id: RoomId
    title: Title = ""


class MoveWish(Frozen):
    """Where an existing booking moves to; what is not said stays as it is."""

    date: Date | None = None
    start_time: Start | None = None
    duration_minutes: Minutes | None = None
    room_id: RoomId | None = None


# --- what they give ------------------------------------------------------------------------------------------------


class RoomOffer(Frozen):
    """A room that fits and is free."""

    room_id: str
    name: Localized
    building: str
    floor: int
    seats: int
    equipment: tuple[str, ...]

    @classmethod
    def of(cls, room: Room) -> RoomOffer:
        """Describe a room."""
        return cls(
            room_id=room.id,
            name=room.name,
            building=room.building,
            floor=room.floor,
            seats=room.seats,
            equipment=room.equipment,
        )


class AlternativeOffer(Frozen):
    """A change of the wish under which rooms are free.

    Attributes:
        kind: ``time`` another start that day, ``building`` any building, ``floor`` any floor, ``equipment`` without the
            equipment, ``excluded`` with the rooms that were left out.
        rooms: the rooms free then, best first.
    """

    kind: AlternativeKind
    date: CalendarDate
    start_time: WallTime
    building: str | None
    rooms: tuple[RoomOffer, ...]


class IssueShown(Frozen):
    """A value that the house rules reject, or one that was rounded.

    Attributes:
        code: the rule's name.
        field: the argument it is about, None for none.
        legal: the nearest legal values as text; may be empty.
        message: the rule in words.
    """

    code: str
    field: str | None
    said: str
    legal: tuple[str, ...]
    message: str


class RoomsFound(Frozen):
    """What a search came to.

    Attributes:
        rooms: free rooms that fit, best first; empty when there are none.
        alternatives: what comes near when no room is free.
        notes: what was changed or must be known, such as seats rounded up.
    """

    rooms: tuple[RoomOffer, ...]
    alternatives: tuple[AlternativeOffer, ...] = ()
    notes: tuple[IssueShown, ...] = ()
    message: str = ""


WriteStatus = Literal["confirmation_required", "booked", "moved", "cancelled", "not_confirmed", "taken"]


class WriteResult(Frozen):
    """What a write came to. Something was written only when `booking` is not null.

    Attributes:
        status: ``confirmation_required``: show `read_back` to the user, then call again with `confirm_token`.
            ``taken``: not free (any more); ``not_confirmed``: the user said no.
        message: what to tell the user.
        expires_in_s: seconds for which the token holds.
        replayed: the same key did this before; nothing was written now.
        rooms: with ``taken``, other rooms free at that time.
    """

    status: WriteStatus
    message: str
    read_back: str | None = None
    confirm_token: str | None = None
    expires_in_s: int | None = None
    booking: BookedRoom | None = None
    replayed: bool = False
    rooms: tuple[RoomOffer, ...] = ()
    alternatives: tuple[AlternativeOffer, ...] = ()


class OwnBookings(Frozen):
    """The user's bookings that are not over, by start."""

    bookings: tuple[BookedRoom, ...]


class WeatherReport(Frozen):
    """A day's weather; °C and per cent."""

    location: str
    date: CalendarDate
    text: str
    code: int
    low: float | None
    high: float | None
    rain_chance: int | None


class ScheduledMeeting(Frozen):
    """A taken stretch of a room today. What is not the user's own shows neither title nor organizer."""

    room_id: str
    start_time: WallTime
    minutes: int
    own: bool
    booking_id: str | None = None
    title: str | None = None


class Schedule(Frozen):
    """Today's taken stretches, by start."""

    date: CalendarDate
    meetings: tuple[ScheduledMeeting, ...]


class Caller(Frozen):
    """On whose behalf an operation runs, as known from a login or the settings; never from an argument."""

    user_id: str = Field(min_length=1, max_length=128)
    channel: str = "python"
    language: Language = "en"
