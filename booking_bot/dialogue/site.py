"""An office as data: its rooms, buildings and house rules. Reading the folder is an adapter's job."""

from __future__ import annotations

import datetime as dt
from functools import cached_property
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, model_validator

Equipment = Literal["phone", "projector", "screen", "video", "whiteboard"]


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Localized(_Closed):
    """A name in both languages."""

    zh: str
    en: str

    def in_(self, language: str) -> str:
        """Give the name in `language` (``zh`` or ``en``)."""
        return self.zh if language == "zh" else self.en


class Building(_Closed):
    """A building of the site; coordinates in degrees (WGS 84)."""

    code: str = Field(min_length=1, max_length=16)
    name: Localized
    latitude: float | None = Field(default=None, ge=-90, le=90)
    longitude: float | None = Field(default=None, ge=-180, le=180)


class Room(_Closed):
    """A room of the site."""

    id: str = Field(min_length=1, max_length=32)
    name: Localized
    building: str
    floor: int
    seats: int = Field(gt=0)
    equipment: tuple[Equipment, ...] = ()


class Window(_Closed):
    """Which dates can be booked, in days from today, both ends included."""

    from_days: int = Field(ge=0)
    to_days: int = Field(ge=0)


class Steps(_Closed):
    """Lengths from `min` to `max` in steps of `step`, all in minutes, both ends included."""

    min: int = Field(gt=0)
    max: int = Field(gt=0)
    step: int = Field(gt=0)


class Policy(_Closed):
    """The house rules of a site (`policy.toml`).

    Attributes:
        opens: first minute a booking may start.
        closes: last minute a booking may end; 24:00 is written ``00:00``.
        usual_hours_from: start of the twelve hours in which a bare hour is read.
        start_grid_minutes: starts are multiples of this many minutes past the hour.
        offers: how many rooms are offered at once.
        durations_minutes: the legal lengths.
    """

    timezone: str
    opens: dt.time
    closes: dt.time
    usual_hours_from: dt.time = dt.time(8, 0)
    start_grid_minutes: int = Field(default=5, gt=0, le=60)
    offers: int = Field(default=3, gt=0, le=20)
    window: Window
    durations_minutes: tuple[int, ...] | Steps

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
        return self.closes.hour * 60 + self.closes.minute or 1440


class Site(_Closed):
    """Rooms, buildings and policy of one office."""

    name: str
    buildings: tuple[Building, ...]
    rooms: tuple[Room, ...] = Field(min_length=1)
    policy: Policy

    @model_validator(mode="after")
    def _references_hold(self) -> Site:
        codes = {b.code for b in self.buildings}
        if len(codes) != len(self.buildings):
            raise ValueError("building codes must be unique")
        if len({r.id for r in self.rooms}) != len(self.rooms):
            raise ValueError("room ids must be unique")
        for room in self.rooms:
            if room.building not in codes:
                raise ValueError(f"room {room.id}: building {room.building!r} is not among {sorted(codes)}")
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
