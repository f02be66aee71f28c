"""English words for values: dates, times, lengths, rooms, equipment, bookings, weather."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from booking_bot.dialogue.availability import Unsuitable
from booking_bot.dialogue.claims import CLAIMS
from booking_bot.dialogue.context import (
    Proposal,
    ProposedAlternative,
    ProposedBooking,
    ProposedValue,
)
from booking_bot.dialogue.exclusion import as_places
from booking_bot.dialogue.model import Booking, SlotName, Slots
from booking_bot.dialogue.observations import Alternative
from booking_bot.dialogue.site import Policy, Site

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_RELATIVE = {0: "today", 1: "tomorrow", 2: "the day after tomorrow"}
EQUIPMENT = {
    "phone": "conference phone",
    "projector": "projector",
    "screen": "screen",
    "video": "video conferencing",
    "whiteboard": "whiteboard",
}
SLOTS = {
    "date": "date",
    "start_time": "start",
    "duration_minutes": "length",
    "capacity": "number of people",
    "building": "building",
    "floor": "floor",
    "equipment": "equipment",
    "excluded": "rooms left out",
    "title": "title",
}


PARTS = {
    "dawn": "in the early morning",
    "morning": "in the morning",
    "noon": "around noon",
    "afternoon": "in the afternoon",
    "evening": "in the evening",
}


def day(date: dt.date, today: dt.date) -> str:
    """Name a date with its weekday: Tue 1 Dec (tomorrow)."""
    year = "" if date.year == today.year else f" {date.year}"
    relative = _RELATIVE.get((date - today).days)
    tail = f" ({relative})" if relative else ""
    return f"{_WEEKDAYS[date.weekday()]} {date.day} {_MONTHS[date.month - 1]}{year}{tail}"


def short_day(date: dt.date) -> str:
    """Name a date on a button: Tue 1 Dec."""
    return f"{_WEEKDAYS[date.weekday()]} {date.day} {_MONTHS[date.month - 1]}"


def clock(time: dt.time) -> str:
    """Name a time in 24 hours and as it is spoken: 14:30 (2:30 pm)."""
    if time == dt.time(12):
        return "12:00 (noon)"
    half = "am" if time.hour < 12 else "pm"
    hour = time.hour % 12 or 12
    spoken = f"{hour}:{time.minute:02d} {half}" if time.minute else f"{hour} {half}"
    return f"{time:%H:%M} ({spoken})"


def length(minutes: int) -> str:
    """Name a length: 90 minutes."""
    return f"{minutes} minutes" if minutes % 60 or minutes == 0 else f"{minutes} minutes ({_hours(minutes // 60)})"


def _hours(hours: int) -> str:
    return "1 hour" if hours == 1 else f"{hours} hours"


def people(count: int) -> str:
    """Name a head count."""
    return "1 person" if count == 1 else f"{count} people"


def lengths(policy: Policy) -> str:
    """Name the lengths that can be booked."""
    legal = policy.durations
    if len(legal) <= 6:
        return "Possible are " + ", ".join(str(minutes) for minutes in legal) + " minutes"
    return f"Possible are {legal[0]} to {legal[-1]} minutes in steps of {legal[1] - legal[0]}"


def until(start: dt.time, minutes: int) -> str:
    """Name the interval: 14:00–15:00."""
    total = start.hour * 60 + start.minute + minutes
    end = "24:00" if total == 1440 else f"{total // 60 % 24:02d}:{total % 60:02d}"
    return f"{start:%H:%M}–{end}"


def equipment(items: Iterable[str]) -> str:
    """Name equipment: projector, whiteboard."""
    return ", ".join(EQUIPMENT[item] for item in items)


def building(code: str, site: Site) -> str:
    """Name a building."""
    known = site.buildings_by_code.get(code)
    return known.name.en if known else code


def room(room_id: str, site: Site) -> str:
    """Name a room with its id: Room A (R1001)."""
    known = site.rooms_by_id.get(room_id)
    return f"{known.name.en} ({room_id})" if known else room_id


def why_not(why: Unsuitable, site: Site) -> str:
    """Say why a room will not do: it is taken 13:30–15:30, has only 8 seats and has no projector."""
    times = " and ".join(until(time.start_time, time.minutes) for time in why.times)
    reasons = [f"is taken {times or 'then'}"] if why.taken else []
    if why.seats is not None:
        reasons.append(f"has only {why.seats} seats")
    if why.lacks:
        reasons.append(f"has no {' or '.join(EQUIPMENT[item] for item in why.lacks)}")
    if why.building is not None:
        reasons.append(f"is in {building(why.building, site)}")
    if why.floor is not None:
        reasons.append(f"is on floor {why.floor}")
    *others, last = reasons
    return f"it {', '.join(others)} and {last}" if others else f"it {last}"


def room_name(room_id: str, site: Site) -> str:
    """Name a room on a button, where there is no space for its id: Room A."""
    known = site.rooms_by_id.get(room_id)
    return known.name.en if known else room_id


def choice(text: str, site: Site) -> str:
    """Name what may have been chosen: a room by its name, anything else as it was said."""
    return room(text, site) if text in site.rooms_by_id else text


def excluded(room_ids: tuple[str, ...], site: Site) -> str:
    """Name rooms that are not wanted, whole buildings as such: Building B or Room A (R1001)."""
    places = as_places(site, room_ids)
    return " or ".join([building(code, site) for code in places.buildings] + [room(r, site) for r in places.rooms])


def wish_for_a_place(values: Slots, site: Site) -> str:
    """Say which floor was wished for and which rooms were not; empty when neither."""
    return slots(Slots(floor=values.floor, excluded=values.excluded), site, dt.date.min)


def room_line(room_id: str, site: Site, wanted: Iterable[str] = ()) -> str:
    """Say why a room fits: name, building, floor, seats, equipment."""
    known = site.rooms_by_id.get(room_id)
    if known is None:
        return room_id
    asked = set(wanted)
    has = ", ".join(EQUIPMENT[item] + (" ✓" if item in asked else "") for item in known.equipment)
    where = f"{building(known.building, site)}, floor {known.floor}"
    return f"{room(room_id, site)} · {where} · {known.seats} seats · {has or 'no equipment'}"


def title(text: str) -> str:
    """Quote a title as the user gave it; a claim of ours inside it is broken up so that it is none."""
    for claim in CLAIMS:
        text = text.replace(claim, f"{claim[0]}\u200b{claim[1:]}")
    return f"“{text}”"


def slots(values: Slots, site: Site, today: dt.date) -> str:
    """Say the draft back."""
    parts = []
    if values.date:
        parts.append(day(values.date.value, today))
    if values.start_time:
        parts.append(clock(values.start_time.value))
    if values.duration_minutes:
        parts.append(length(values.duration_minutes.value))
    if values.capacity:
        parts.append(people(values.capacity.value))
    if values.building:
        parts.append(building(values.building.value, site))
    if values.floor:
        parts.append(f"floor {values.floor.value}")
    if values.equipment:
        parts.append("with " + equipment(values.equipment.value))
    if values.excluded:
        parts.append(f"not {excluded(values.excluded.value, site)}")
    if values.title:
        parts.append(f"title {title(values.title.value)}")
    return ", ".join(parts)


def booking(item: Booking, site: Site, today: dt.date) -> str:
    """Name a booking: day, interval, room, title."""
    named = f", {title(item.title)}" if item.title else ""
    return f"{day(item.date, today)} {until(item.start_time, item.minutes)} {room(item.room_id, site)}{named}"


def value(slot: SlotName, text: str, site: Site, today: dt.date) -> str:
    """Name a legal value of a slot."""
    match slot:
        case "date":
            return day(dt.date.fromisoformat(text), today)
        case "start_time":
            return clock(dt.time.fromisoformat(text))
        case "duration_minutes":
            return length(int(text))
        case "capacity":
            return people(int(text))
        case "building":
            return building(text, site)
        case "floor":
            return f"floor {text}"
        case "excluded":
            return room(text, site)
        case "equipment" | "title":
            return text


def alternative(item: Alternative, site: Site) -> str:
    """Name a change under which rooms are free."""
    rooms = ", ".join(room(room_id, site) for room_id in item.room_ids[:2])
    more = f" and {len(item.room_ids) - 2} more" if len(item.room_ids) > 2 else ""
    match item.kind:
        case "time":
            return f"at {clock(item.start_time)} instead: {rooms}{more}"
        case "building":
            return f"still {item.start_time:%H:%M}, in another building: {rooms}{more}"
        case "floor":
            return f"still {item.start_time:%H:%M}, on another floor: {rooms}{more}"
        case "equipment":
            return f"still {item.start_time:%H:%M}, whatever the equipment: {rooms}{more}"
        case "excluded":
            return f"still {item.start_time:%H:%M}, with those you did not want: {rooms}{more}"


def proposals(items: Iterable[Proposal], site: Site, today: dt.date) -> str:
    """Number what can be chosen, a line each."""
    lines = []
    for number, item in enumerate(items, 1):
        match item:
            case ProposedValue():
                text = value(item.slot, item.value, site, today)
            case ProposedAlternative():
                text = alternative(item.alternative, site)
            case ProposedBooking():
                text = booking(item.booking, site, today)
            case _:
                text = "try again"
        lines.append(f"{number}. {text}")
    return "\n".join(lines)


def weather(code: int) -> str:
    """Name a WMO weather code."""
    groups = (
        ((0,), "clear"),
        ((1, 2, 3), "cloudy"),
        ((45, 48), "foggy"),
        (range(51, 58), "drizzle"),
        (range(61, 68), "rain"),
        (range(71, 78), "snow"),
        (range(80, 83), "rain showers"),
        (range(85, 87), "snow showers"),
        (range(95, 100), "thunderstorms"),
    )
    return next((name for codes, name in groups if code in codes), "weather unknown")
