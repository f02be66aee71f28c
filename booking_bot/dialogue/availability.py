"""Which rooms fit and are free, in which order they are offered, and what comes near when none is.

Pure arithmetic over the site and busy intervals. The in-process search and the mock rooms service share it, so the
list a user sees and the check at booking time never disagree.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from booking_bot.dialogue.model import RoomRequest
from booking_bot.dialogue.observations import Alternative, AlternativeKind, Found, NoneFree, TakenTime
from booking_bot.dialogue.site import DAY_MINUTES, Equipment, Room, Site

Busy = Mapping[str, Iterable[tuple[int, int]]]
"""Room id → taken intervals [start, end) in minutes after midnight of the wanted day; they may reach past its ends."""

MAX_TIME_ALTERNATIVES: Final = 3
"""Nearby starts offered when nothing is free: enough to choose from, few enough to read."""
ALTERNATIVE_STEP_MINUTES: Final = 30
"""Nearby starts are tried every half hour around the wish: people name half hours."""


def minute_of(time: dt.time) -> int:
    """Give minutes after midnight."""
    return time.hour * 60 + time.minute


def time_of(minute: int) -> dt.time:
    """Give the wall time of minutes after midnight, 0 … 1439."""
    return dt.time(minute // 60, minute % 60)


def fits(room: Room, request: RoomRequest) -> bool:
    """Tell whether the room is like the wish, free or not."""
    return (
        room.seats >= request.capacity
        and (request.building is None or room.building == request.building)
        and (request.floor is None or room.floor == request.floor)
        and room.id not in request.excluded
        and (request.room_id is None or room.id == request.room_id)
        and set(request.equipment) <= set(room.equipment)
    )


def search(site: Site, request: RoomRequest, busy: Busy, *, not_before: int = 0) -> Found | NoneFree:
    """Find the rooms that fit and are free, or what comes near.

    Args:
        busy: taken intervals of the wanted day.
        not_before: first minute of the day that may still be booked (past today's now).
    """
    start = minute_of(request.start_time)
    at_all = _can_start(site, request, start, not_before)
    free = _free(site, request, busy, start) if at_all else ()
    taken = () if request.wanted_room is None else _taken(request, busy.get(request.wanted_room, ()))
    if free:
        return Found(room_ids=free, wanted_taken=taken)
    fitting = sum(fits(room, request) for room in site.rooms)
    alternatives = _other_times(site, request, busy, not_before)
    if at_all:
        alternatives += _other_rooms(site, request, busy)
    return NoneFree(fitting=fitting, alternatives=alternatives, wanted_taken=taken)


def _taken(request: RoomRequest, intervals: Iterable[tuple[int, int]]) -> tuple[TakenTime, ...]:
    """Give when a room is taken at the time wished for; bookings that follow on each other are one."""
    merged: list[tuple[int, int]] = []
    for begins, ends in sorted((max(0, begins), min(DAY_MINUTES, ends)) for begins, ends in intervals):
        if merged and begins <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(ends, merged[-1][1]))
        elif begins < ends:
            merged.append((begins, ends))
    start = minute_of(request.start_time)
    over = [(b, e) for b, e in merged if b < start + request.duration_minutes and start < e]
    return tuple(TakenTime(start_time=time_of(b), minutes=e - b) for b, e in over)


@dataclass(frozen=True, slots=True)
class Unsuitable:
    """Why a room is not among those found; what the site does not know and nobody told is not in here.

    Attributes:
        taken: it is taken then; `times` tell when, where that is known.
        seats: how many it has, when they are too few.
        lacks: the equipment wished for that it does not have.
        building, floor: where it is, when that is not where it was wished for.
    """

    taken: bool
    times: tuple[TakenTime, ...]
    seats: int | None
    lacks: tuple[Equipment, ...]
    building: str | None
    floor: int | None


def why_not(site: Site, request: RoomRequest, room_id: str, times: tuple[TakenTime, ...]) -> Unsuitable:
    """Tell why a room of the site was not found for a wish.

    Args:
        times: when it is taken then, as the search told.
    """
    room = site.rooms_by_id[room_id]
    return Unsuitable(
        taken=bool(times) or fits(room, request),  # what fits and is not among those found is taken
        times=times,
        seats=room.seats if room.seats < request.capacity else None,
        lacks=tuple(item for item in request.equipment if item not in room.equipment),
        building=room.building if request.building not in (None, room.building) else None,
        floor=room.floor if request.floor not in (None, room.floor) else None,
    )


def _can_start(site: Site, request: RoomRequest, start: int, not_before: int) -> bool:
    """Tell whether any meeting of this length may start then: what cannot be booked is not shown as free."""
    first = max(site.policy.opens_minute, not_before)
    return first <= start <= site.policy.closes_minute - request.duration_minutes


def _free(site: Site, request: RoomRequest, busy: Busy, start: int) -> tuple[str, ...]:
    end = start + request.duration_minutes
    rooms = [
        room
        for room in site.rooms
        if fits(room, request) and all(e <= start or end <= s for s, e in busy.get(room.id, ()))
    ]
    rooms.sort(key=lambda room: (room.seats, room.id))
    return tuple(room.id for room in rooms)


def _other_times(site: Site, request: RoomRequest, busy: Busy, not_before: int) -> tuple[Alternative, ...]:
    out: list[Alternative] = []
    for other in _nearby_starts(site, request, not_before):
        rooms = _free(site, request, busy, other)
        if rooms:
            out.append(Alternative(kind="time", start_time=time_of(other), building=request.building, room_ids=rooms))
        if len(out) == MAX_TIME_ALTERNATIVES:
            break
    return tuple(out)


def _other_rooms(site: Site, request: RoomRequest, busy: Busy) -> tuple[Alternative, ...]:
    """Try the wish without one of the things that narrow it down."""
    start = minute_of(request.start_time)
    wider: tuple[tuple[AlternativeKind, bool, dict[str, object]], ...] = (
        ("building", request.building is not None, {"building": None}),
        ("floor", request.floor is not None, {"floor": None}),
        ("equipment", bool(request.equipment), {"equipment": ()}),
        ("excluded", bool(request.excluded), {"excluded": ()}),
    )
    out: list[Alternative] = []
    for kind, is_wished, without in wider:
        tried = request.model_copy(update=without)
        rooms = _free(site, tried, busy, start) if is_wished else ()
        if rooms:
            found = Alternative(kind=kind, start_time=request.start_time, building=tried.building, room_ids=rooms)
            out.append(found)
    return tuple(out)


def _nearby_starts(site: Site, request: RoomRequest, not_before: int) -> list[int]:
    wanted = minute_of(request.start_time)
    step = max(ALTERNATIVE_STEP_MINUTES, site.policy.start_grid_minutes)
    tried = (s for s in range(wanted % step, 1440, step) if s != wanted)
    starts = [s for s in tried if _can_start(site, request, s, not_before)]
    return sorted(starts, key=lambda s: (abs(s - wanted), s))
