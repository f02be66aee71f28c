"""The names of a site's rooms and buildings as people type them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from booking_bot.dialogue.site import Room, Site
from booking_bot.language.normalise import fold
from booking_bot.language.rule import Kind, Mention
from booking_bot.language.values import RoomNamed

_ROOM_WORDS: Final = re.compile(
    r"^(?:(?:meeting |conference )?room|会议室) ?(?P<short>[a-z]|\d{1,2}|[\u4e00-\u9fff]{1,6})$"
)
_BARE_BUILDING: Final = re.compile(r"^(?:[a-z\d]{1,2} ?(?:[座栋楼]|号楼)|building [a-z\d]{1,2})$")
_PLAIN_ID: Final = re.compile(r"(?:[a-z]{1,2}-?)?\d{3,5}")
_SHORTER: Final = re.compile(
    r"^(?P<stem>[\u4e00-\u9fff]{2,8})(?:厅|会议室|室)$|^(?P<en>[a-z][a-z ]{3,30}) (?:hall|room)$"
)
_PIECES: Final = re.compile(r"[a-z]+|[^a-z ]")
_FORMS: Final = ("会议室{}", "{}会议室", "room {}", "meeting room {}", "{}号会议室")
_UNKNOWN: Final = re.compile(
    r"会议室 ?[a-z](?![a-z\d'])(?! ?[座栋幢楼区])|(?<![a-z\d])[a-z] ?会议室"
    r"|(?<![a-z])(?:(?:meeting|conference) )?room (?P<en>[a-hj-z])(?![a-z\d'/])(?! ?[座栋幢楼区])"
)
"""A room by a letter, in the forms in which a site's own names are known."""
_TOO_SHORT: Final = 2


class SiteNames:
    """Rooms and buildings of one site by their folded names.

    Attributes:
        ids: room id by its folded form.
        letters: room id for a name's last letter ("a" of 会议室A), understood while rooms are offered.
    """

    def __init__(self, site: Site) -> None:
        """Collect the names; plain ids and building codes are read by rules of their own."""
        self._meant: dict[str, tuple[Kind, RoomNamed | str]] = {}
        self.letters: dict[str, str] = {}
        self.ids = {fold(room.id).text: room.id for room in site.rooms}
        for room in site.rooms:
            self._add_room(room)
        for building in site.buildings:
            for name in (fold(building.name.zh).text, fold(building.name.en).text):
                if len(name) >= _TOO_SHORT and _BARE_BUILDING.match(name) is None:
                    self._meant.setdefault(name.replace(" ", ""), ("building", building.code))
        self._groups = self._grouped()

    def _add_room(self, room: Room) -> None:
        named = RoomNamed(room.id)
        names = [fold(room.name.zh).text, fold(room.name.en).text]
        if _PLAIN_ID.fullmatch(fold(room.id).text) is None:
            names.append(fold(room.id).text)
        for name in names[:2]:
            shorter = _SHORTER.match(name)
            if shorter is not None:
                names.append(shorter["stem"] or shorter["en"])
            short = _ROOM_WORDS.match(name)
            if short is not None:
                code = short["short"]
                self.letters.setdefault(code, room.id)
                names += [form.format(code) for form in _FORMS]
        for name in names:
            self._meant.setdefault(name, ("room", named))

    def _grouped(self) -> tuple[tuple[frozenset[str], re.Pattern[str]], ...]:
        """Group the names by the characters and words that a text must have to hold them."""
        groups: dict[frozenset[str], list[str]] = {}
        for name in self._meant:
            needs = frozenset(_PIECES.findall(name))
            groups.setdefault(needs, []).append(name)
        self._meant = {name.replace(" ", ""): meant for name, meant in self._meant.items()}
        return tuple(
            (needs, re.compile("|".join(_spaced(n) for n in sorted(names, key=len, reverse=True))))
            for needs, names in groups.items()
        )

    def find(self, text: str, original: str, tokens: frozenset[str]) -> list[Mention]:
        """Find rooms and buildings by name in a folded text.

        Args:
            original: the same text before folding; it tells "Room A" from "a room a day".
            tokens: the characters and Latin words of the text.
        """
        found: list[Mention] = []
        for needs, pattern in self._groups:
            if needs <= tokens:
                for match in pattern.finditer(text):
                    if not _is_article(match, original):
                        kind, meant = self._meant[match[0].replace(" ", "")]
                        found.append(Mention(kind, meant, match.start(), match.end(), f"{kind} name"))
        known = _apart(found)
        if "室" not in tokens and "room" not in tokens:
            return known
        return sorted(known + _unknown(text, original, known), key=lambda m: m.start)


def _unknown(text: str, original: str, known: list[Mention]) -> list[Mention]:
    """Find rooms by a letter that the site does not have: "会议室Z" is not to be passed over in silence."""
    out: list[Mention] = []
    for match in _UNKNOWN.finditer(text):
        at = match.start("en")
        is_name = at < 0 or original[at : at + 1].isupper()  # "room b4 noon", "room u like"
        if is_name and all(match.end() <= m.start or m.end <= match.start() for m in known):
            out.append(Mention("room", RoomNamed(match[0]), match.start(), match.end(), "unknown room name"))
    return out


def _apart(found: list[Mention]) -> list[Mention]:
    """Leave out names that lie within a longer one, and give the rest in order of place."""
    if len(found) < 2:
        return found
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if all(mention.end <= k.start or k.end <= mention.start for k in kept):
            kept.append(mention)
    return sorted(kept, key=lambda m: m.start)


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
