"""More than one room at once (A和B, both of them, 再加一间), and one more like the one just booked (再来一间一样的)."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import ReadingContext
from booking_bot.language.en import commands as en
from booking_bot.language.names import names_of
from booking_bot.language.picks import LEAD, TAIL
from booking_bot.language.rule import MASK, Mention
from booking_bot.language.zh import commands as zh

_ONE: Final = r"(?:会议室|room |number )?(?:[a-z]|\d|第?[一二三四五六七八九](?:个|间)?)(?![a-z\d])(?:[那这]?间|号)?"
_LISTED: Final = re.compile(
    rf"{LEAD}(?<![a-z\d'])(?P<rooms>{_ONE}(?: ?(?:和|跟|与|、|加|,|\+|&|(?:,? ?and)) ?{_ONE}){{1,4}})"
    rf" ?(?:都|各一间|too)?(?:要|订|选)?{TAIL}"
)
_ALL: Final = re.compile(rf"{LEAD}(?P<rooms>{zh.SEVERAL_OFFERED}|{en.SEVERAL_OFFERED}){TAIL}")
_LETTER: Final = re.compile(r"(?<![a-z])[a-z](?![a-z])")
_SAME_AGAIN: Final = re.compile(f"{zh.SAME_AGAIN}|{en.SAME_AGAIN}")
_SAME_AGAIN_CUES: Final = frozenset(("样", "同", "旧", "like", "same"))
"""Without one of them in the text the pattern cannot fit."""


def several_offered(text: str, tokens: frozenset[str], context: ReadingContext) -> tuple[int, int] | None:
    """Give the [start, end) of the words, where a whole message asks for more than one of the rooms offered.

    Args:
        text: the folded text.
    """
    if not context.offered:
        return None
    match = _ALL.fullmatch(text)
    if match is None:
        match = _LISTED.fullmatch(text)
        letters = _LETTER.findall(match["rooms"]) if match is not None else []
        if any(letter not in names_of(context.site).letters for letter in letters):
            return None
    if match is None:
        same = _same_again_in(text, tokens)
        return same.span() if same is not None else None
    return match.span("rooms")


def _same_again_in(text: str, tokens: frozenset[str]) -> re.Match[str] | None:
    return None if tokens.isdisjoint(_SAME_AGAIN_CUES) else _SAME_AGAIN.search(text)


def same_again(
    text: str, masked: str, mentions: list[Mention], tokens: frozenset[str]
) -> tuple[tuple[int, int] | None, list[Mention], str]:
    """Find the words that ask for one more like the last booking.

    Returns:
        Their [start, end), None where there are none, and the mentions and the masked text without them.
    """
    match = _same_again_in(text, tokens)
    if match is None:
        return None, mentions, masked
    start, end = match.span()
    kept = [m for m in mentions if m.kind != "vague" or m.end <= start or m.start >= end]
    return (start, end), kept, masked[:start] + MASK * (end - start) + masked[end:]


def follows_a_booking(context: ReadingContext) -> bool:
    """Tell whether a booking was just made: all is known, and nothing waits."""
    return context.pending is None and not context.slots.missing()
