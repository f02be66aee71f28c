"""What rules find, free of any language: days, hours, lengths and counts before any arithmetic is done on them.

Nothing in here knows a clock or a word of any language; `resolve` turns these into dates and times.
"""

from __future__ import annotations

from dataclasses import dataclass

from booking_bot.dialogue.reading import Part


@dataclass(frozen=True, slots=True)
class RelativeDay:
    """So many days from today; "tonight" and 明早 bring a part of the day along."""

    days: int
    part: Part | None = None


@dataclass(frozen=True, slots=True)
class RelativeMonths:
    """The same day, so many months from today."""

    months: int


@dataclass(frozen=True, slots=True)
class Weekday:
    """A day of the week, 1 = Monday.

    Attributes:
        weeks: 0 this week, 1 the next ISO week and so on; None when no week is said.
    """

    day: int
    weeks: int | None = None


@dataclass(frozen=True, slots=True)
class DayOfMonth:
    """A day without its month; `months` counts from this month, None when no month is said."""

    day: int
    months: int | None = None


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A month and day, with a year when one was said (`years` counts from this year)."""

    month: int
    day: int
    year: int | None = None
    years: int | None = None


@dataclass(frozen=True, slots=True)
class Festival:
    """A festival by its key in `holidays`; `years` counts from this year, None for the next to come."""

    key: str
    years: int | None = None


@dataclass(frozen=True, slots=True)
class Hour:
    """A time on the clock face as said.

    Attributes:
        half_of_day: the part of the day said with it; None leaves two readings open for 1–12 o'clock.
        exact: written in 24-hour form ("03:30", "15:00", "0点"), so that nothing is open.
        approximate: "三四点", "around 4".
    """

    hour: int
    minute: int = 0
    half_of_day: Part | None = None
    exact: bool = False
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """From an hour to an hour; `turn` is the place in the text where the second one's words begin."""

    start: Hour
    end: Hour
    turn: int


@dataclass(frozen=True, slots=True)
class IllegalHour:
    """An hour that no clock has, as written."""

    written: str


@dataclass(frozen=True, slots=True)
class FromNow:
    """A moment so many minutes from now."""

    minutes: int


@dataclass(frozen=True, slots=True)
class Length:
    """A length in minutes; `or_else` is set when two were said ("一两个小时")."""

    minutes: int
    or_else: int | None = None


@dataclass(frozen=True, slots=True)
class Days:
    """So many days by which something is moved."""

    days: int


@dataclass(frozen=True, slots=True)
class Count:
    """A number of people; `more` is added to those known; `or_else` is the other end when it must be asked."""

    people: int
    approximate: bool = False
    more: bool = False
    or_else: int | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """A choice by its number, -1 for the last."""

    number: int


@dataclass(frozen=True, slots=True)
class RoomNamed:
    """A room by its id or name, as written."""

    room: str


@dataclass(frozen=True, slots=True)
class Floor:
    """A floor by its number, 0 or below for those under the ground; None when it has none ("高楼层")."""

    number: int | None


@dataclass(frozen=True, slots=True)
class SameTime:
    """The time of what is under way or was booked before; `of_a_booking` where only the latter can be meant."""

    of_a_booking: bool


Day = RelativeDay | RelativeMonths | Weekday | DayOfMonth | MonthDay | Festival
Value = (
    Day
    | Hour
    | Stretch
    | IllegalHour
    | FromNow
    | Length
    | Days
    | Count
    | Pick
    | RoomNamed
    | Floor
    | SameTime
    | str
    | tuple[str, ...]
    | None
)
