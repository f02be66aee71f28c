"""Questions about the site in a message: a clause that asks one is read as that and as nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from booking_bot.dialogue.reading import ReadingContext, SiteQuestion
from booking_bot.dialogue.site import Equipment
from booking_bot.language.en import people as en_people
from booking_bot.language.en import questions as en
from booking_bot.language.en.numerals import ORDINALS
from booking_bot.language.en.numerals import number as number_en
from booking_bot.language.frames import MARKS, Frame, place_of
from booking_bot.language.names import names_of
from booking_bot.language.normalise import Folded
from booking_bot.language.rule import Mention, Rule, gather
from booking_bot.language.script import Script
from booking_bot.language.shared import CLAIMS as SHARED_CLAIMS
from booking_bot.language.values import Floor, RoomNamed
from booking_bot.language.zh import people as zh_people
from booking_bot.language.zh import questions as zh
from booking_bot.language.zh.numerals import number as number_zh

_CLAUSE: Final = re.compile(r"[^,。;!?\n]{2,160}[?。]?")
"""Longer clauses ask for more than the site's data; the bound keeps the frames cheap."""
_RULES: Final[tuple[Rule, ...]] = tuple(
    rule
    for rule in SHARED_CLAIMS + zh_people.CLAIMS + en_people.CLAIMS + zh_people.EQUIPMENT + en_people.EQUIPMENT
    if rule.kind in MARKS
)
_BETWEEN: Final = re.compile(r" ?(?:和|跟|与|、|还是|,|&)+ ?| and | or ")
"""Parts the rooms of a list."""
_POINTER: Final = re.compile(r"它|[这那]一?[间个](?:会议室|房间)?|it|th(?:is|at|e) (?:one|room)")
_NTH: Final = re.compile(
    r"第(?P<zh>[一二三四五六七八九\d])[间个]"
    rf"|(?:the )?(?P<en>{'|'.join(w for w in ORDINALS if ' ' not in w)}|last) (?:one|room)"
    r"|(?:room |number |option )(?P<n>\d)"
)
_LETTER: Final = re.compile(
    r"(?:会议室|房间|(?:meeting |conference )?room )? ?(?P<letter>[a-z]) ?(?:[这那]?间|会议室|房间)?"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a message asks of the site, and the folded text with the characters of those clauses blanked out."""

    questions: tuple[SiteQuestion, ...]
    rest: Folded


def questions_of(folded: Folded, shown: str, script: Script, context: ReadingContext) -> Asked | None:
    """Find the clauses of a message that ask about the site; None when there are none.

    Args:
        shown: the user's own text.
    """
    frames = _frames(script)
    if not frames:
        return None
    text = folded.text
    mentions = _mentions(text, shown if folded.origin is None else text, script, context)
    clauses = _Clauses(folded, shown, mentions, frames, context)
    questions: list[SiteQuestion] = []
    rest = text
    for clause in _CLAUSE.finditer(_marked(text, mentions)):
        question = clauses.question(clause[0], clause.start())
        if question is not None:
            questions.append(question)
            rest = rest[: clause.start()] + "," * (clause.end() - clause.start()) + rest[clause.end() :]
    if not questions:
        return None
    return Asked(tuple(dict.fromkeys(questions)), Folded(rest, folded.origin, folded.length))


def _frames(script: Script) -> tuple[Frame, ...]:
    tokens = script.tokens
    chinese = script.chinese and not tokens.isdisjoint(zh.CUES)
    english = script.latin and (
        not tokens.isdisjoint(en.CUES) or not (tokens.isdisjoint(en.ASKS) or tokens.isdisjoint(en.FITS))
    )
    return (zh.FRAMES if chinese else ()) + (en.FRAMES if english else ())


def _mentions(text: str, original: str, script: Script, context: ReadingContext) -> list[Mention]:
    found = names_of(context.site).find(text, original, script.tokens)
    rules = [rule for rule in _RULES if not rule.triggers.isdisjoint(script.tokens)]
    for mention in gather(rules, text):
        if not any(m.start < mention.end and mention.start < m.end for m in found):
            found.append(mention)
    return found


def _marked(text: str, mentions: list[Mention]) -> str:
    for mention in mentions:
        text = text[: mention.start] + MARKS[mention.kind] * (mention.end - mention.start) + text[mention.end :]
    return text


@dataclass(frozen=True, slots=True)
class _Clauses:
    """The clauses of one message, read against the frames of its languages."""

    folded: Folded
    shown: str
    mentions: list[Mention]
    frames: tuple[Frame, ...]
    context: ReadingContext

    def question(self, clause: str, start: int) -> SiteQuestion | None:
        """Give what a clause asks, None when it asks nothing of the site; `start` is its place in the text."""
        said = clause.strip()
        offset = start + len(clause) - len(clause.lstrip())
        for frame in self.frames:
            match = frame.pattern.fullmatch(said)
            if match is not None:
                return self._asked(frame, match, offset)
        return None

    def _asked(self, frame: Frame, match: re.Match[str], offset: int) -> SiteQuestion:
        inside = [m for m in self.mentions if offset <= m.start and m.end <= offset + match.end()]
        question = SiteQuestion(
            about=frame.about,
            aspect=frame.aspect,
            equipment=_equipment(inside),
            seats=_number(_words(match, "n")),
            building=next((str(m.value) for m in inside if m.kind == "building"), None),
            floor=next((m.value.number for m in inside if isinstance(m.value, Floor)), None),
            extreme="largest" if place_of(match, "largest") else "smallest" if place_of(match, "smallest") else None,
        )
        rooms = place_of(match, "room")
        if rooms is None:
            return question
        return self._of_rooms(question, offset + rooms[0], match.string[rooms[0] : rooms[1]])

    def _of_rooms(self, question: SiteQuestion, start: int, listed: str) -> SiteQuestion:
        """Give the question with the rooms it names, or with the first that the site does not have."""
        room_ids: list[str] = []
        for words, at in _parts(listed, start):
            named = next((m for m in self.mentions if m.kind == "room" and at <= m.start < at + len(words)), None)
            if named is None and _POINTER.fullmatch(words):
                return replace(question, the_chosen=True)
            room_id = self._named(named) if named is not None else self._pointed_at(words)
            if room_id is None:
                first, last = self.folded.place(at, at + len(words))
                return replace(question, unknown=self.shown[first:last])
            room_ids.append(room_id)
        return replace(question, room_ids=tuple(dict.fromkeys(room_ids)))

    def _named(self, named: Mention) -> str | None:
        written = named.value.room if isinstance(named.value, RoomNamed) else ""
        room_id = names_of(self.context.site).ids.get(written, written)
        return room_id if room_id in self.context.site.rooms_by_id else None

    def _pointed_at(self, words: str) -> str | None:
        """Resolve a bare letter, and the number of a room on the table."""
        offered = self.context.offered
        nth = _NTH.fullmatch(words)
        if nth is not None and offered:
            at = -1 if nth["en"] == "last" else (_number(nth["zh"] or nth["n"]) or ORDINALS.get(nth["en"] or "", 0)) - 1
            return offered[at] if at < len(offered) else None
        letter = _LETTER.fullmatch(words)
        return names_of(self.context.site).letters.get(letter["letter"]) if letter is not None else None


def _parts(listed: str, start: int) -> list[tuple[str, int]]:
    """Part a list of rooms: the words of each and where they stand."""
    parts: list[tuple[str, int]] = []
    at = 0
    for between in _BETWEEN.finditer(listed):
        parts.append((listed[at : between.start()], start + at))
        at = between.end()
    parts.append((listed[at:], start + at))
    return [(words, place) for words, place in parts if words.strip()]


def _words(match: re.Match[str], group: str) -> str | None:
    place = place_of(match, group)
    return None if place is None else match.string[place[0] : place[1]]


def _number(said: str | None) -> int | None:
    if not said:
        return None
    return number_en(said) if said.isascii() else number_zh(said)


def _equipment(mentions: list[Mention]) -> tuple[Equipment, ...]:
    named = {item for m in mentions if m.kind == "equipment" and isinstance(m.value, tuple) for item in m.value}
    kinds: tuple[Equipment, ...] = ("phone", "projector", "screen", "video", "whiteboard")
    return tuple(kind for kind in kinds if kind in named)
