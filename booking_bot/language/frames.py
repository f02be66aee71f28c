"""Frames: whole clauses that ask something the site's data answers, with places for rooms and equipment.

A frame is matched against a clause in which what was found already (a room, a piece of equipment, a building, a floor)
is one run of a mark each, so that no frame knows a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count
from typing import Final

from booking_bot.dialogue.reading import Aspect, QuestionAbout

ROOM, EQUIPMENT, BUILDING, FLOOR = "\x05", "\x06", "\x07", "\x08"
"""Stand for each character of what a mention of that kind takes up: no letter, digit or space of any pattern."""
MARKS: Final = {"room": ROOM, "equipment": EQUIPMENT, "building": BUILDING, "floor": FLOOR}
ITEMS: Final = rf"(?:{EQUIPMENT}+(?: ?(?:和|跟|与|、|及|或者?|and|or|&|\+)? ?(?:an? |the )?{EQUIPMENT}+){{0,4}})"
"""A list of equipment."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a clause asks about when the whole of it fits the pattern.

    Its groups are named `room`, `n` (a number of people), `largest` and `smallest`, with a number behind, since each
    may stand in more than one alternative.
    """

    about: QuestionAbout
    aspect: Aspect
    pattern: re.Pattern[str]


def framing(lead: str, tail: str) -> _Framing:
    """Give a maker of frames that may have words of courtesy before and after them."""
    return _Framing(lead, tail)


@dataclass(frozen=True, slots=True)
class _Framing:
    lead: str
    tail: str

    def __call__(self, about: QuestionAbout, pattern: str, aspect: Aspect = "everything") -> Frame:
        numbers = count()
        numbered = _GROUP.sub(lambda group: f"(?P<{group[1]}{next(numbers)}>", pattern)
        return Frame(about, aspect, re.compile(rf"{self.lead}(?:{numbered}){self.tail}"))


_GROUP: Final = re.compile(r"\(\?P<([a-z]+)>")


def place_of(match: re.Match[str], name: str) -> tuple[int, int] | None:
    """Give where the group of that name stands, whichever alternative matched; None when it is not there."""
    groups = (group for group, said in match.groupdict().items() if said is not None and group.startswith(name))
    found = next(groups, None)
    return None if found is None else match.span(found)
