"""Finds which rooms or buildings some words may name. Pure; the grammar reads exact names by itself."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Final

from pydantic import Field

from booking_bot.dialogue.model import Frozen
from booking_bot.dialogue.observations import Resolved
from booking_bot.dialogue.site import Localized, Site

MOST: Final = 9
"""Matches given at most: as many as a person picks from."""


class ResolveRoom(Frozen):
    """Find out which room the user means; nothing asks for it."""

    room: Annotated[str, Field(max_length=80)] = ""


class ResolveBuilding(Frozen):
    """Find out which building the user means; nothing asks for it."""

    building: Annotated[str, Field(max_length=80)] = ""


def resolve_room(site: Site, said: str) -> Resolved:
    """Give the rooms whose id or name is what was said; where none is, those that have it in their name."""
    named = {room.id: _names(room.id, room.name) for room in site.rooms}
    return Resolved(about="room", said=said, matches=_matching(named, said))


def resolve_building(site: Site, said: str) -> Resolved:
    """Give the buildings whose code or name is what was said; where none is, those that have it in their name."""
    named = {building.code: _names(building.code, building.name) for building in site.buildings}
    return Resolved(about="building", said=said, matches=_matching(named, said))


def _names(code: str, name: Localized) -> tuple[str, ...]:
    return tuple(_plain(text) for text in (code, name.zh, name.en))


def _matching(named: dict[str, tuple[str, ...]], said: str) -> tuple[str, ...]:
    wanted = _plain(said)
    if not wanted:
        return ()
    exact = [key for key, names in named.items() if wanted in names]
    partly = [key for key, names in named.items() if any(wanted in name for name in names)]
    return tuple((exact or partly)[:MOST])


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "", unicodedata.normalize("NFKC", text).casefold())
