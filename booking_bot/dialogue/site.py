"""An office as data: its rooms, buildings and house rules. Reading the folder is an adapter's job."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Final, Literal, TypeVar
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Strict,
    Tag,
    model_validator,
)

Equipment = Literal["phone", "projector", "screen", "video", "whiteboard"]

GRID_MINUTES: Final = 5
"""The store keeps times in buckets of this length: what lies between two of them can never be booked."""
START_GRIDS: Final = (5, 10, 15, 20, 30, 60)
"""Multiples of the store's grid that divide the hour, so that every hour has the same starts."""
DAY_MINUTES: Final = 1440
LONGEST_WINDOW_DAYS: Final = 400_000
"""A thousand years and then some: no office plans further, and dates end with the year 9999."""
_WALL_TIME: Final = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?::00)?")


_Item = TypeVar("_Item", int, Equipment)


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(
            f"{name!r} is no time zone; use an IANA name such as Asia/Shanghai or Europe/Berlin"
        ) from error
    return name


def _wall_time(value: object) -> object:
    plain = isinstance(value, dt.time) and value.tzinfo is None and not (value.second or value.microsecond)
    if plain or (isinstance(value, str) and _WALL_TIME.fullmatch(value)):
        return value
    raise ValueError(f"{_told(value)} is no time of day; use one from 00:00 to 23:55, as in 08:00")


def _closing_time(value: object) -> object:
    return "00:00" if value == "24:00" else value


def _kept_by_the_store(value: dt.time) -> dt.time:
    if value.minute % GRID_MINUTES:
        raise ValueError(f"{value:%H:%M} will not do: times are kept in steps of {GRID_MINUTES} minutes")
    return value


def _start_grid(value: int) -> int:
    if value not in START_GRIDS:
        legal = ", ".join(map(str, START_GRIDS))
        raise ValueError(
            f"{value} will not do: times are kept in steps of {GRID_MINUTES} minutes and starts repeat every hour;"
            f" use one of {legal}"
        )
    return value


def _length(value: int) -> int:
    if not 0 < value <= DAY_MINUTES or value % GRID_MINUTES:
        raise ValueError(
            f"{value} will not do: times are kept in steps of {GRID_MINUTES} minutes;"
            f" use multiples of {GRID_MINUTES} from {GRID_MINUTES} to {DAY_MINUTES}"
        )
    return value


def _lengths(values: tuple[int, ...]) -> tuple[int, ...]:
    if not values:
        raise ValueError("the list is empty; use at least one length in minutes, as in [30, 60]")
    return _each_once(values)


def _each_once(values: tuple[_Item, ...]) -> tuple[_Item, ...]:
    twice = next((value for place, value in enumerate(values) if value in values[:place]), None)
    if twice is not None:
        raise ValueError(f"{_told(twice)} stands here twice; name each once")
    return values


def _own_each(key: str, values: Sequence[str]) -> None:
    for value, count in Counter(values).items():
        if count > 1:
            raise ValueError(f"{key}: {value!r} stands there {count} times; each needs one of its own")


def _some_text(value: str) -> str:
    if not value.strip():
        raise ValueError("the text is empty; write at least one character that can be seen")
    return value


def _told(value: object) -> str:
    return repr(f"{value:%H:%M:%S}") if isinstance(value, dt.time) else repr(value)[:40]


# Strict: TOML has numbers and truth values of its own, so "8" and true are mistakes.
Number = Annotated[int, Strict()]
Text = Annotated[str, AfterValidator(_some_text)]
WallTime = Annotated[dt.time, AfterValidator(_kept_by_the_store), BeforeValidator(_wall_time)]
ClosingTime = Annotated[WallTime, BeforeValidator(_closing_time)]
Length = Annotated[Number, AfterValidator(_length)]
Lengths = Annotated[tuple[Length, ...], AfterValidator(_lengths)]


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Localized(_Closed):
    """A name in both languages."""

    zh: Text
    en: Text

    def in_(self, language: str) -> str:
        """Give the name in `language` (``zh`` or ``en``)."""
        return self.zh if language == "zh" else self.en


class Building(_Closed):
    """A building of the site; coordinates in degrees (WGS 84)."""

    code: Text = Field(max_length=16)
    name: Localized
    latitude: float | None = Field(default=None, ge=-90, le=90)
    longitude: float | None = Field(default=None, ge=-180, le=180)


class Room(_Closed):
    """A room of the site."""

    id: Text = Field(max_length=32)
    name: Localized
    building: str
    floor: Number
    seats: Number = Field(gt=0, le=100_000)
    equipment: Annotated[tuple[Equipment, ...], AfterValidator(_each_once)] = ()


class Window(_Closed):
    """Which dates can be booked, in days from today, both ends included."""

    from_days: Number = Field(ge=0, le=LONGEST_WINDOW_DAYS)
    to_days: Number = Field(ge=0, le=LONGEST_WINDOW_DAYS)

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Window:
        if self.from_days > self.to_days:
            raise ValueError(
                f"to_days {self.to_days} is before from_days {self.from_days}; use {self.from_days} or more"
            )
        return self


class Steps(_Closed):
    """Lengths from `min` to at most `max` in steps of `step`, all in minutes."""

    min: Length
    max: Length
    step: Length

    @model_validator(mode="after")
    def _has_steps(self) -> Steps:
        if self.max < self.min:
            raise ValueError(f"max {self.max} is below min {self.min}; use {self.min} or more")
        if self.step > self.max:
            raise ValueError(f"step {self.step} is above max {self.max}; use {self.max} or less")
        if 0 < self.max - self.min < self.step:
            raise ValueError(
                f"step {self.step} leads from min {self.min} past max {self.max}; use {self.max - self.min} or less"
            )
        return self


def _list_or_steps(value: object) -> str:
    return "list" if isinstance(value, list | tuple) else "steps"


class Policy(_Closed):
    """The house rules of a site (`policy.toml`).

    Attributes:
        opens: first minute a booking may start.
        closes: last minute a booking may end; ``24:00`` may be written ``00:00`` and is kept so.
        usual_hours_from: start of the twelve hours in which a bare hour is read.
        start_grid_minutes: starts are multiples of this many minutes past the hour.
        offers: how many rooms are offered at once.
        durations_minutes: the legal lengths.
    """

    timezone: Annotated[str, AfterValidator(_known_zone)]
    opens: WallTime
    closes: ClosingTime
    usual_hours_from: WallTime = dt.time(8, 0)
    start_grid_minutes: Annotated[Number, AfterValidator(_start_grid)] = GRID_MINUTES
    offers: Number = Field(default=3, gt=0, le=20)
    window: Window
    durations_minutes: Annotated[
        Annotated[Lengths, Tag("list")] | Annotated[Steps, Tag("steps")], Discriminator(_list_or_steps)
    ]

    @model_validator(mode="after")
    def _day_is_long_enough(self) -> Policy:
        opens, closes = self.opens_minute, self.closes_minute
        if closes <= opens:
            raise ValueError(
                f"closes: {self.closes:%H:%M} is not after opens {self.opens:%H:%M}; use a later time, 24:00 at most"
            )
        if self.durations[0] > closes - opens:
            raise ValueError(
                f"durations_minutes: the shortest, {self.durations[0]}, does not fit between opens and closes;"
                f" use {closes - opens} minutes or less"
            )
        return self

    @cached_property
    def zone(self) -> ZoneInfo:
        """The site's time zone."""
        return ZoneInfo(self.timezone)

    @cached_property
    def durations(self) -> tuple[int, ...]:
        """The legal lengths in minutes, ascending."""
        if isinstance(self.durations_minutes, Steps):
            steps = self.durations_minutes
            return tuple(range(steps.min, steps.max + 1, steps.step))
        return tuple(sorted(self.durations_minutes))

    @property
    def opens_minute(self) -> int:
        """Opening time in minutes after midnight."""
        return self.opens.hour * 60 + self.opens.minute

    @property
    def closes_minute(self) -> int:
        """Closing time in minutes after midnight, 1440 for midnight."""
        return self.closes.hour * 60 + self.closes.minute or DAY_MINUTES


class Site(_Closed):
    """Rooms, buildings and policy of one office."""

    name: str
    buildings: tuple[Building, ...]
    rooms: tuple[Room, ...] = Field(min_length=1)
    policy: Policy

    @model_validator(mode="after")
    def _references_hold(self) -> Site:
        codes = [building.code for building in self.buildings]
        _own_each("building.code", codes)
        _own_each("room.id", [room.id for room in self.rooms])
        for number, room in enumerate(self.rooms, 1):
            if room.building not in codes:
                raise ValueError(
                    f"room.{number}.building: {room.building!r} is no building's code; use one of {', '.join(codes)}"
                )
        return self

    @cached_property
    def seat_counts(self) -> tuple[int, ...]:
        """The seat counts that exist, ascending."""
        return tuple(sorted({r.seats for r in self.rooms}))

    @cached_property
    def rooms_by_id(self) -> dict[str, Room]:
        """Rooms keyed by id."""
        return {r.id: r for r in self.rooms}

    @cached_property
    def buildings_by_code(self) -> dict[str, Building]:
        """Buildings keyed by code."""
        return {b.code: b for b in self.buildings}
