"""Values of the dialogue: phases, slots with provenance, bookings and the session's context.

Everything is frozen and survives a JSON round trip. Wall times are the office's local times; intervals are
half-open. Nothing in here reads a clock, a file or a socket.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from booking_bot.dialogue.site import Equipment

CONTEXT_SCHEMA: Final = 1
"""Version of `BookingContext` as JSON; stored contexts of another version are refused by name."""

Language = Literal["zh", "en"]
SlotName = Literal[
    "date", "start_time", "duration_minutes", "capacity", "building", "floor", "equipment", "excluded", "title"
]
"""`excluded`: ids of the rooms that are not wanted."""
REQUIRED_SLOTS: Final[tuple[SlotName, ...]] = ("date", "start_time", "duration_minutes", "capacity")
"""In the order in which they are asked for."""
SLOT_NAMES: Final[tuple[SlotName, ...]] = (*REQUIRED_SLOTS, "building", "floor", "equipment", "excluded", "title")


class Frozen(BaseModel):
    """A value: immutable, closed against unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Phase(StrEnum):
    """Where the conversation stands."""

    COLLECTING_SLOTS = "COLLECTING_SLOTS"
    SEARCHING = "SEARCHING"
    AWAITING_SELECTION = "AWAITING_SELECTION"
    CONFIRMING = "CONFIRMING"
    BOOKED = "BOOKED"


class Pending(StrEnum):
    """What the bot waits for."""

    CLARIFY = "clarify"
    SELECT_ROOM = "select_room"
    CONFIRM = "confirm"


class Status(StrEnum):
    """How the session is, beside its phase."""

    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


Source = Literal["rule", "llm", "user", "default"]
"""Who gave a slot its value: the grammar, a model with the user's words as evidence, a button, the site."""

T = TypeVar("T")


class Filled(Frozen, Generic[T]):
    """A slot's value with where it came from.

    Attributes:
        value: the value itself.
        words: the user's words it was read from, as typed.
        turn: number of the turn it was said in, from 1.
        source: who gave it.
    """

    value: T
    words: str = ""
    turn: int = 0
    source: Source = "rule"


FILLED: Final[dict[SlotName, type[Filled[Any]]]] = {
    "date": Filled[dt.date],
    "start_time": Filled[dt.time],
    "duration_minutes": Filled[int],
    "capacity": Filled[int],
    "building": Filled[str],
    "floor": Filled[int],
    "equipment": Filled[tuple[Equipment, ...]],
    "excluded": Filled[tuple[str, ...]],
    "title": Filled[str],
}
"""The exact type of each slot: a value built as another parametrisation would not serialise."""


class Slots(Frozen):
    """What the user wants, each value with its provenance. Only `fold` makes new ones."""

    date: Filled[dt.date] | None = None
    start_time: Filled[dt.time] | None = None
    duration_minutes: Filled[int] | None = None
    capacity: Filled[int] | None = None
    building: Filled[str] | None = None
    floor: Filled[int] | None = None
    equipment: Filled[tuple[Equipment, ...]] | None = None
    excluded: Filled[tuple[str, ...]] | None = None
    title: Filled[str] | None = None

    def plain(self) -> dict[str, object]:
        """Give the values alone, as JSON types; slots without a value are absent."""
        out: dict[str, object] = {}
        if self.date:
            out["date"] = self.date.value.isoformat()
        if self.start_time:
            out["start_time"] = f"{self.start_time.value:%H:%M}"
        if self.duration_minutes:
            out["duration_minutes"] = self.duration_minutes.value
        if self.capacity:
            out["capacity"] = self.capacity.value
        if self.building:
            out["building"] = self.building.value
        if self.floor:
            out["floor"] = self.floor.value
        if self.equipment:
            out["equipment"] = list(self.equipment.value)
        if self.excluded:
            out["excluded"] = list(self.excluded.value)
        if self.title:
            out["title"] = self.title.value
        return out

    def missing(self) -> tuple[SlotName, ...]:
        """Name the required slots without a value, in the order of asking."""
        return tuple(name for name in REQUIRED_SLOTS if getattr(self, name) is None)


class RoomRequest(Frozen):
    """What a room must be: the arguments of a search.

    Attributes:
        capacity: seats wanted at least.
        excluded: ids of rooms that are not wanted.
        room_id: only this room, when given.
        running: the meeting has begun: its start may lie in the past.
        ignoring_booking: public id of an own booking that does not count as taken (it is about to move).
        wanted_room: the room the user would like: the answer tells when it is taken, whether it fits or not.
    """

    date: dt.date
    start_time: dt.time
    duration_minutes: int = Field(gt=0)
    capacity: int = Field(gt=0)
    building: str | None = None
    floor: int | None = None
    equipment: tuple[Equipment, ...] = ()
    excluded: tuple[str, ...] = ()
    room_id: str | None = None
    ignoring_booking: str | None = None
    running: bool = False
    wanted_room: str | None = None


class BookingOrder(Frozen):
    """One exact booking, as read back to the user.

    Attributes:
        key: the idempotency key of the read-back; one key, at most one booking.
        people: seats asked for.
    """

    room_id: str
    date: dt.date
    start_time: dt.time
    duration_minutes: int = Field(gt=0)
    people: int = Field(gt=0)
    title: str = ""
    key: str = Field(min_length=8, max_length=64)


class Booking(Frozen):
    """A committed booking.

    Attributes:
        id: the random public id.
        minutes: length; the interval [start, start + minutes) is half-open, office wall time.
    """

    id: str
    room_id: str
    date: dt.date
    start_time: dt.time
    minutes: int
    people: int
    organizer: str
    title: str = ""
    status: Literal["booked", "cancelled"] = "booked"
    version: int = 1


class BookingChange(Frozen):
    """Where an existing booking moves to: the whole new place and time, and the version it was read at.

    Attributes:
        people: the new head count; None keeps it.
    """

    booking_id: str
    version: int
    room_id: str
    date: dt.date
    start_time: dt.time
    duration_minutes: int = Field(gt=0)
    people: int | None = Field(default=None, gt=0)
    key: str = Field(min_length=8, max_length=64)


class Cancellation(Frozen):
    """Which existing booking is to be cancelled, and the version it was read at."""

    booking_id: str
    version: int
    key: str = Field(min_length=8, max_length=64)


class Cancellations(Frozen):
    """Which existing bookings are to be cancelled together, each as it was read and under a key of its own."""

    items: tuple[Cancellation, ...] = Field(min_length=1)


class WeatherQuestion(Frozen):
    """Whose weather is asked: a place as typed and a day."""

    place: str = Field(min_length=1, max_length=80)
    date: dt.date


class NoArguments(Frozen):
    """Nothing to say: the user is known from the login."""


class BookingKey(Frozen):
    """The idempotency key of a write whose outcome is not known."""

    key: str = Field(min_length=8, max_length=64)


class ReadBackBook(Frozen):
    """The read-back of a new booking."""

    kind: Literal["book"] = "book"
    order: BookingOrder


class ReadBackMove(Frozen):
    """The read-back of a move: the booking as it is, and the change."""

    kind: Literal["move"] = "move"
    booking: Booking
    change: BookingChange
    came_from: Phase


class ReadBackCancel(Frozen):
    """The read-back of a cancellation."""

    kind: Literal["cancel"] = "cancel"
    booking: Booking
    cancellation: Cancellation
    came_from: Phase


class ReadBackCancelSeveral(Frozen):
    """The read-back of the cancellation of several bookings: exactly these."""

    kind: Literal["cancel_several"] = "cancel_several"
    bookings: tuple[Booking, ...] = Field(min_length=1)
    cancellations: Cancellations
    came_from: Phase


ReadBackChange = ReadBackMove | ReadBackCancel | ReadBackCancelSeveral
"""The read-backs about bookings that exist."""


class ForeignArguments(Frozen):
    """Exact arguments for a tool of somebody else's, as JSON; its own model judges them when it runs."""

    text: str = Field(max_length=4_000)


class ReadBackTool(Frozen):
    """The read-back of a call to somebody else's tool: exactly these arguments, once.

    Attributes:
        key: stands for this one call; a call with a key that was used does not run again.
    """

    kind: Literal["tool"] = "tool"
    tool: str
    arguments: ForeignArguments
    came_from: Phase
    key: str = Field(min_length=8, max_length=64)


ReadBack = Annotated[
    ReadBackBook | ReadBackMove | ReadBackCancel | ReadBackCancelSeveral | ReadBackTool, Field(discriminator="kind")
]
