"""What the bot says in Chinese about the site itself, one phrase an id; every fact comes from the site's data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, Final

from booking_bot.dialogue.policy import closing
from booking_bot.dialogue.reading import SiteQuestion
from booking_bot.dialogue.site import Room, Site
from booking_bot.language.zh import wording as w

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
    like = _like(a["question"], site)
    if not rooms:
        return f"没有{like}会议室。"
    lines = [w.room_line(room.id, site) for room in rooms[:MOST]]
    more = [f"……只列出前{MOST}间。"] if len(rooms) > MOST else []
    return "\n".join((f"{like}会议室有{len(rooms)}间：", *lines, *more))


def _like(question: SiteQuestion, site: Site) -> str:
    parts = []
    if question.building is not None:
        parts.append(w.building(question.building, site))
    if question.floor is not None:
        parts.append(f"{question.floor}层")
    if question.equipment:
        parts.append(f"带{w.equipment(question.equipment)}的")
    if question.seats is not None:
        parts.append(f"能坐{question.seats}人的")
    if question.extreme is not None:
        parts.append("最大的" if question.extreme == "largest" else "最小的")
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
            return f"{named}里有：{w.equipment(room.equipment) or '没有设备'}。"
        case "seats" if question.seats is not None:
            enough = "坐得下" if room.seats >= question.seats else "坐不下"
            return f"{named}有{room.seats}个座位，{enough}{question.seats}人。"
        case "seats":
            return f"{named}能坐{room.seats}人。"
        case "place":
            return f"{named}在{w.building(room.building, site)}{room.floor}层。"
        case _:
            return f"{w.room_line(room.id, site)}。"


def _has(named: str, question: SiteQuestion, room: Room, others: tuple[Room, ...], site: Site) -> str:
    has = [item for item in question.equipment if item in room.equipment]
    lacks = [item for item in question.equipment if item not in room.equipment]
    said = "，".join(text for text in (has and f"有{w.equipment(has)}", lacks and f"没有{w.equipment(lacks)}") if text)
    if not lacks:
        return f"有的，{named}{said}。"
    elsewhere = "、".join(w.room(other.id, site) for other in others)
    hint = f"带{w.equipment(question.equipment)}的是：{elsewhere}。" if others else ""
    return f"{named}{said}。{hint}"


@_phrase
def site_hours(_a: Args, site: Site, _t: dt.date) -> str:
    """When the rooms are open."""
    return f"会议室{site.policy.opens:%H:%M}开门，{closing(site.policy)}关门。"


@_phrase
def site_lengths(_a: Args, site: Site, _t: dt.date) -> str:
    """How long a booking can be."""
    durations = site.policy.durations
    return f"一次最短{w.length(durations[0])}，最长{w.length(durations[-1])}，可选{w.lengths(site.policy)}。"


@_phrase
def site_window(a: Args, _s: Site, today: dt.date) -> str:
    """Which days can be booked."""
    return f"可以订{w.day(a['first'], today)}到{w.day(a['last'], today)}。"


@_phrase
def site_buildings(_a: Args, site: Site, _t: dt.date) -> str:
    """Which buildings there are."""
    names = "、".join(building.name.zh for building in site.buildings)
    return f"有{len(site.buildings)}栋楼：{names}。"
