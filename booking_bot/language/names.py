"""The names of a site's rooms and buildings as people type them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from booking_bot.dialogue.site import Site
from booking_bot.language.normalise import fold
from booking_bot.language.rule import Mention
from booking_bot.language.values import RoomNamed

_ROOM_WORDS: Final = re.compile(
    r"^(?:(?:meeting |conference )?room|会议室) ?(?P<short>[a-z]|\d{1,2}|[\u4e00-\u9fff]{1,6})$"
)
_BARE_BUILDING: Final = re.compile(r"^(?:[a-z\d]{1,2} ?[座栋楼]|building [a-z\d]{1,2})$")
_TOO_SHORT: Final = 2


class SiteNames:
    """Rooms and buildings of one site by their folded names.

    Attributes:
        letters: room id for a name's last letter ("a" of 会议室A), understood while rooms are offered.
    """

    def __init__(self, site: Site) -> None:
        """Collect the names; ids and plain building codes are read by rules of their own."""
        self._rooms: dict[str, str] = {}
        self._buildings: dict[str, str] = {}
        self.letters: dict[str, str] = {}
        self.ids = {fold(room.id).text: room.id for room in site.rooms}
        for room in site.rooms:
            for name in (fold(room.name.zh).text, fold(room.name.en).text):
                self._rooms.setdefault(name, room.id)
                short = _ROOM_WORDS.match(name)
                if short is not None:
                    code = short["short"]
                    self.letters.setdefault(code, room.id)
                    for form in (
                        f"会议室{code}",
                        f"{code}会议室",
                        f"room {code}",
                        f"meeting room {code}",
                        f"{code}号会议室",
                    ):
                        self._rooms.setdefault(form, room.id)
        for building in site.buildings:
            for name in (fold(building.name.zh).text, fold(building.name.en).text):
                if len(name) >= _TOO_SHORT and _BARE_BUILDING.match(name) is None:
                    self._buildings.setdefault(name, building.code)
        names = sorted({*self._rooms, *self._buildings, *self.ids}, key=len, reverse=True)
        self._pattern = re.compile("|".join(_spaced(n) for n in names))

    def find(self, text: str, original: str) -> list[Mention]:
        """Find rooms and buildings by name in a folded text; `original` tells "Room A" from "a room a day"."""
        found: list[Mention] = []
        for match in self._pattern.finditer(text):
            said = match[0].replace(" ", "")
            if _is_article(match, original):
                continue
            for name, code in self._rooms.items():
                if name.replace(" ", "") == said:
                    found.append(Mention("room", RoomNamed(code), match.start(), match.end(), "room name"))
                    break
            else:
                found.append(self._id_or_building(said, match))
        return found

    def _id_or_building(self, said: str, match: re.Match[str]) -> Mention:
        if said in self.ids:
            return Mention("room", RoomNamed(self.ids[said]), match.start(), match.end(), "room id")
        code = next(code for name, code in self._buildings.items() if name.replace(" ", "") == said)
        return Mention("building", code, match.start(), match.end(), "building name")


def _spaced(name: str) -> str:
    """Give a pattern for a name: spaces are free, and no letter or digit may go on at its Latin ends."""
    body = " ?".join(re.escape(piece) for piece in re.findall(r"[a-z]+|\d+|[^a-z\d ]", name))
    before = r"(?<![a-z\d])" if name[0].isascii() else ""
    after = r"(?![a-z\d])(?! ?[座栋幢楼区])" if name[-1].isascii() else ""
    return f"{before}{body}{after}"


def _is_article(match: re.Match[str], original: str) -> bool:
    """Tell the "a" of "a room a bit bigger" from room A: it is a small letter with a word after it."""
    end = match.end()
    return (
        match[0].endswith(" a") and original[end - 1 : end] == "a" and match.string[end : end + 2].strip(" ").isalpha()
    )


class _Same:
    """A site as a key by identity: hashing every room of it would take longer than reading a message."""

    __slots__ = ("site",)

    def __init__(self, site: Site) -> None:
        self.site = site

    def __hash__(self) -> int:
        return id(self.site)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.site is self.site


@lru_cache(maxsize=16)
def _names(key: _Same) -> SiteNames:
    return SiteNames(key.site)


def names_of(site: Site) -> SiteNames:
    """Give the names of a site; they are made once a site."""
    return _names(_Same(site))
