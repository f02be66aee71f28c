"""What the bot says in English about the site itself, one phrase an id; every fact comes from the site's data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, Final

from booking_bot.dialogue.policy import closing
from booking_bot.dialogue.reading import SiteQuestion
from booking_bot.dialogue.site import Room, Site
from booking_bot.language.en import wording as w

Args = Mapping[str, Any]
SITE_PHRASES: Final[dict[str, Callable[[Args, Site, dt.date], str]]] = {}
MOST: Final = 40
"""Rooms listed at once: a whole office of usual size."""


def _phrase(function: Callable[[Args, Site, dt.date], str]) -> Callable[[Args, Site, dt.date], str]:
    SITE_PHRASES[function.__name__] = function
    return function


@_phrase
def site_rooms(a: Args, site: Site, _t: dt.date) -> str:
    """The rooms there are, or those like that."""
    rooms: tuple[Room, ...] = a["rooms"]
    question: SiteQuestion = a["question"]
    extreme = f"{question.extreme} " if question.extreme else ""
    what = f"{extreme}{'room' if len(rooms) == 1 else 'rooms'}{_like(question, site)}"
    if not rooms:
        return f"There are no {what}."
    lines = [w.room_line(room.id, site) for room in rooms[:MOST]]
    more = [f"… the first {MOST} are shown."] if len(rooms) > MOST else []
    return "\n".join((f"There {'is' if len(rooms) == 1 else 'are'} {len(rooms)} {what}:", *lines, *more))


def _like(question: SiteQuestion, site: Site) -> str:
    parts = []
    if question.equipment:
        parts.append(f" with {w.equipment(question.equipment)}")
    if question.seats is not None:
        parts.append(f" for {w.people(question.seats)}")
    if question.building is not None:
        parts.append(f" in {w.building(question.building, site)}")
    if question.floor is not None:
        parts.append(f" on floor {question.floor}")
    return "".join(parts)


@_phrase
def site_room(a: Args, site: Site, _t: dt.date) -> str:
    """What one room has."""
    question, room = a["question"], a["room"]
    named = w.room(room.id, site)
    match question.aspect:
        case "equipment" if question.equipment:
            return _has(named, question, room, a["others"], site)
        case "equipment":
            return f"In {named} there is: {w.equipment(room.equipment) or 'no equipment'}."
        case "seats" if question.seats is not None:
            enough = "enough" if room.seats >= question.seats else "not enough"
            return f"{named} has {room.seats} seats, {enough} for {w.people(question.seats)}."
        case "seats":
            return f"{named} seats {w.people(room.seats)}."
        case "place":
            return f"{named} is in {w.building(room.building, site)}, floor {room.floor}."
        case _:
            return f"{w.room_line(room.id, site)}."


def _has(named: str, question: SiteQuestion, room: Room, others: tuple[Room, ...], site: Site) -> str:
    has = [item for item in question.equipment if item in room.equipment]
    lacks = [item for item in question.equipment if item not in room.equipment]
    if not lacks:
        return f"Yes, {named} has: {w.equipment(has)}."
    too = f", but has: {w.equipment(has)}" if has else ""
    elsewhere = ", ".join(w.room(other.id, site) for other in others)
    hint = f" With {w.equipment(question.equipment)}: {elsewhere}." if others else ""
    return f"{named} has no {w.equipment(lacks)}{too}.{hint}"


@_phrase
def site_hours(_a: Args, site: Site, _t: dt.date) -> str:
    """When the rooms are open."""
    return f"The rooms open at {site.policy.opens:%H:%M} and close at {closing(site.policy)}."


@_phrase
def site_lengths(_a: Args, site: Site, _t: dt.date) -> str:
    """How long a booking can be."""
    durations = site.policy.durations
    longest, shortest = w.length(durations[-1]), w.length(durations[0])
    return f"A booking takes {shortest} at least and {longest} at most. {w.lengths(site.policy)}."


@_phrase
def site_window(a: Args, _s: Site, today: dt.date) -> str:
    """Which days can be booked."""
    return f"You can book from {w.day(a['first'], today)} to {w.day(a['last'], today)}."


@_phrase
def site_buildings(_a: Args, site: Site, _t: dt.date) -> str:
    """Which buildings there are."""
    names = ", ".join(building.name.en for building in site.buildings)
    return f"There {'is' if len(site.buildings) == 1 else 'are'} {len(site.buildings)}: {names}."
