"""Rooms that are not wanted: places that were said become ids of rooms, and ids the places they fill."""

from __future__ import annotations

from booking_bot.dialogue.policy import Issue, check_building, check_floor
from booking_bot.dialogue.reading import Places
from booking_bot.dialogue.site import Site


def rooms_in(site: Site, places: Places) -> tuple[str, ...]:
    """Give the ids of the rooms that some places are or hold, in the site's order."""
    rooms = {room.casefold() for room in places.rooms}
    buildings = {code.casefold() for code in places.buildings}
    return tuple(
        room.id
        for room in site.rooms
        if room.id.casefold() in rooms or room.building.casefold() in buildings or room.floor in places.floors
    )


def unknown_places(site: Site, places: Places) -> tuple[Issue, ...]:
    """Name the places that the site does not have; they leave every slot as it is."""
    known = {room.id.casefold() for room in site.rooms}
    issues = [
        Issue("room_unknown", None, room, blocking=False) for room in places.rooms if room.casefold() not in known
    ]
    checked = [check_building(site, code)[1] for code in places.buildings]
    checked += [check_floor(site, floor) for floor in places.floors]
    issues += [Issue(i.kind, None, i.said, (), i.limits, blocking=False) for i in checked if i is not None]
    return tuple(issues)


def as_places(site: Site, room_ids: tuple[str, ...]) -> Places:
    """Give rooms as the buildings they fill and the rooms besides."""
    left = dict.fromkeys(room_ids)
    buildings = []
    for building in site.buildings:
        inside = [room.id for room in site.rooms if room.building == building.code]
        if len(inside) > 1 and all(room_id in left for room_id in inside):
            buildings.append(building.code)
            left = {room_id: None for room_id in left if room_id not in inside}
    return Places(rooms=tuple(left), buildings=tuple(buildings))
