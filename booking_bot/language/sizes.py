"""Sizes in words: a larger or smaller room than the one under discussion, and the largest or smallest of the list."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import ReadingContext, SizeWish
from booking_bot.language.en import sizes as en
from booking_bot.language.names import names_of
from booking_bot.language.normalise import Folded
from booking_bot.language.rule import MASK, Mention
from booking_bot.language.values import Pick, RoomNamed
from booking_bot.language.zh import sizes as zh

BY_SIZE: Final = "size among those offered"
"""Names the rule of a choice by size; of rooms with the same number of seats it is asked which."""
_CUES: Final = zh.CUES | en.CUES
_LARGER: Final = re.compile(f"{zh.LARGER}|{en.LARGER}")
_SMALLER: Final = re.compile(f"{zh.SMALLER}|{en.SMALLER}")
_EXTREME: Final = re.compile(f"{zh.EXTREME}|{en.EXTREME}")
_COMPARED: Final = re.compile(r"(?:比|(?<![a-z])than(?: the)?) ?(?:会议室|(?:meeting )?room)? ?$")
_BETWEEN_TWO: Final = re.compile(rf"(?:(?<![a-z\d])[a-z]|{MASK})(?:那间|这间|会议室)? ?$")
_COMPARES: Final = re.compile(r"^比|(?<![a-z])than$")
_COMPARED_LETTER: Final = re.compile(r"(?:比|(?<![a-z])than(?: room)?) ?(?P<letter>[a-z])(?![a-z\d'])")


def picked_by_size(masked: str, tokens: frozenset[str], context: ReadingContext) -> tuple[list[Mention], str]:
    """Find the largest or smallest of the rooms offered, where one is asked for.

    Returns:
        A mention for each room of that size, and the text with their words used up.
    """
    match = _EXTREME.search(masked) if context.offered and not tokens.isdisjoint(_CUES) else None
    if match is None:
        return [], masked
    by_id = context.site.rooms_by_id
    if any(room_id not in by_id for room_id in context.offered):
        return [], masked  # a room that has left the site since: nobody knows how large it was
    seats = [by_id[room_id].seats for room_id in context.offered]
    wanted = max(seats) if match.lastgroup in ("largest_zh", "largest_en") else min(seats)
    start, end = match.span()
    picks = [Mention("pick", Pick(i + 1), start, end, BY_SIZE) for i, n in enumerate(seats) if n == wanted]
    return picks, masked[:start] + MASK * (end - start) + masked[end:]


def size_of(
    masked: str, mentions: list[Mention], shown: str, folded: Folded, tokens: frozenset[str], context: ReadingContext
) -> tuple[SizeWish | None, str]:
    """Find a wish for a larger or smaller room; a room it is compared with is no choice any more.

    Returns:
        The wish, None where there is none or both are said, and the text with its words used up.
    """
    if tokens.isdisjoint(_CUES):
        return None, masked
    equipment = [m.start for m in mentions if m.kind == "equipment"]
    found = [(larger, _said_of_rooms(pattern, masked, equipment)) for larger, pattern in _BOTH]
    said = [(larger, match) for larger, match in found if match is not None]
    if len(said) != 1:
        return None, masked
    larger, match = said[0]
    if _BETWEEN_TWO.search(masked[: match.start()]) and _COMPARES.search(masked[match.start() : match.end() + 5]):
        return None, masked  # a question about two rooms, not a wish
    than, start, end = _compared(mentions, folded.text, context), *match.span()
    at, until = folded.place(start, end)
    return SizeWish(larger, shown[at:until].strip(), than), masked[:start] + MASK * (end - start) + masked[end:]


_BOTH: Final = ((True, _LARGER), (False, _SMALLER))


def _said_of_rooms(pattern: re.Pattern[str], masked: str, equipment: list[int]) -> re.Match[str] | None:
    """Find the first match that is not about equipment ("a bigger screen", "大一点的白板")."""
    for match in pattern.finditer(masked):
        if not any(match.end() <= at <= match.end() + 1 for at in equipment):
            return match
    return None


def _compared(mentions: list[Mention], text: str, context: ReadingContext) -> str | None:
    """Give the room that is compared with ("比会议室D大的", "bigger than D"), and take it out of the choices."""
    names = names_of(context.site)
    for mention in mentions:
        if isinstance(mention.value, RoomNamed) and _COMPARED.search(text[: mention.start]):
            mention.kind = "claim"
            return names.ids.get(mention.value.room, mention.value.room)
    letter = _COMPARED_LETTER.search(text)
    return names.letters.get(letter["letter"]) if letter is not None else None
