"""What comes in: the user's message as read, and what each tool came back with. Past tense, a closed union."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from booking_bot.dialogue.inquiry import Inquiry
from booking_bot.dialogue.model import Booking, ForeignArguments, Frozen
from booking_bot.dialogue.reading import Reading

AlternativeKind = Literal["time", "building", "floor", "equipment", "excluded"]


class Alternative(Frozen):
    """A change of the wish under which rooms are free.

    Attributes:
        kind: ``time`` another start on the same day, ``building`` another building, ``floor`` another floor,
            ``equipment`` without equipment, ``excluded`` with the rooms that were not wanted.
        start_time: the start under this alternative.
        building: the building to ask for instead, None for any.
        room_ids: the rooms free then, best first, never empty.
    """

    kind: AlternativeKind
    start_time: dt.time
    building: str | None = None
    room_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """The user said something, read by the grammar."""

    reading: Reading


class TakenTime(Frozen):
    """When a room is taken on the day asked about: from `start_time` on for so many minutes."""

    start_time: dt.time
    minutes: int = Field(gt=0)


class Found(Frozen):
    """Rooms that fit and are free, in the order of offers; never empty.

    Attributes:
        wanted_taken: when the room the user would like is taken then; empty when it is not, or nobody knows.
    """

    kind: Literal["found"] = "found"
    room_ids: tuple[str, ...]
    wanted_taken: tuple[TakenTime, ...] = ()


class NoneFree(Frozen):
    """No room fits and is free.

    Attributes:
        fitting: how many rooms fit the wish when they are not taken; 0 means no room of the site is like that.
        alternatives: ranked, best first, possibly empty.
        wanted_taken: when the room the user would like is taken then; empty when it is not, or nobody knows.
    """

    kind: Literal["none_free"] = "none_free"
    fitting: int = 0
    alternatives: tuple[Alternative, ...] = ()
    wanted_taken: tuple[TakenTime, ...] = ()


class Booked(Frozen):
    """The booking is committed (now or earlier under the same key)."""

    kind: Literal["booked"] = "booked"
    booking: Booking


class Taken(Frozen):
    """Somebody else has the room at that time, or it no longer may be booked: nothing was written."""

    kind: Literal["taken"] = "taken"
    room_id: str


class Moved(Frozen):
    """The booking stands at its new place and time."""

    kind: Literal["moved"] = "moved"
    booking: Booking


class Cancelled(Frozen):
    """The booking is cancelled."""

    kind: Literal["cancelled"] = "cancelled"
    booking: Booking


class CancelledSeveral(Frozen):
    """What became of bookings that were to be cancelled together.

    Attributes:
        cancelled: those that are cancelled now.
        left: public ids of the others: gone, changed meanwhile, or not answered for.
    """

    kind: Literal["cancelled_several"] = "cancelled_several"
    cancelled: tuple[Booking, ...]
    left: tuple[str, ...] = ()


class Gone(Frozen):
    """The booking to change is not there (any more), is not the user's, or was changed meanwhile."""

    kind: Literal["gone"] = "gone"
    booking_id: str


class Listed(Frozen):
    """The user's bookings that are not over, by start."""

    kind: Literal["listed"] = "listed"
    bookings: tuple[Booking, ...]


class WeatherTold(Frozen):
    """A day's weather at a place. Temperatures in °C, `rain_chance` in per cent, `code` a WMO weather code."""

    kind: Literal["weather_told"] = "weather_told"
    place: str
    date: dt.date
    code: int
    low: float | None = None
    high: float | None = None
    rain_chance: int | None = None


class PlaceUnknown(Frozen):
    """The weather service knows no such place, or no forecast for that day."""

    kind: Literal["place_unknown"] = "place_unknown"
    place: str
    date: dt.date | None = None


class Failed(Frozen):
    """A tool did not do it.

    Attributes:
        tool: the tool's name.
        reason: for logs and the planner; never shown to the user as it is.
        retryable: the same call may work later.
        uncertain: a write whose answer was lost: it may have taken effect and is looked up by its key.
    """

    kind: Literal["failed"] = "failed"
    tool: str
    reason: str
    retryable: bool = True
    uncertain: bool = False


class Refused(Frozen):
    """The service refused a write for good (a rule of its own); nothing was written. `reason` is text to show."""

    kind: Literal["refused"] = "refused"
    tool: str
    reason: str = ""


class ToolAnswered(Frozen):
    """A tool of someone else's answered with text."""

    kind: Literal["tool_answered"] = "tool_answered"
    tool: str
    text: str


class Resolved(Frozen):
    """What the user's words may name: ids of rooms or codes of buildings, best first; empty `said` named nothing."""

    kind: Literal["resolved"] = "resolved"
    about: Literal["room", "building"]
    said: str
    matches: tuple[str, ...] = ()


class Remembered(Frozen):
    """What is remembered of the user: habits by key, and how many talks are summarised."""

    kind: Literal["remembered"] = "remembered"
    habits: tuple[tuple[str, str], ...] = ()
    summaries: int = 0


class Forgotten(Frozen):
    """Everything remembered of the user was deleted: so many things."""

    kind: Literal["forgotten"] = "forgotten"
    count: int


class Asked(Frozen):
    """The planner asks the user something besides the draft's own questions."""

    kind: Literal["asked"] = "asked"
    inquiry: Inquiry


class ToolProposed(Frozen):
    """The planner wants somebody else's tool to run that must not without the user's yes."""

    kind: Literal["tool_proposed"] = "tool_proposed"
    tool: str
    arguments: ForeignArguments


class ToolDeclined(Frozen):
    """The user said no to a call that was read back."""

    kind: Literal["tool_declined"] = "tool_declined"
    tool: str


ToolObservation = (
    Found
    | NoneFree
    | Booked
    | Taken
    | Moved
    | Cancelled
    | CancelledSeveral
    | Gone
    | Listed
    | WeatherTold
    | PlaceUnknown
    | Failed
    | Refused
    | ToolAnswered
    | Resolved
    | Remembered
    | Forgotten
)
Signal = Asked | ToolProposed | ToolDeclined
"""What the turn itself observes: a planner's wish, or the user's no to one."""
Observation = Heard | ToolObservation | Signal
