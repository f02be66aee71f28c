"""Rooms by a bare letter where a booking is spoken of: 把D的会改到4点, move D to 4pm, move my booking to D."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.rule import Mention
from booking_bot.language.values import RoomNamed

_LETTER: Final = r"(?P<body>(?<![a-z\d'])[a-z](?![a-z\d'])(?! ?[座栋幢楼区]))"
_PATTERNS: Final = (
    re.compile(
        rf"{_LETTER} ?(?:那间|这间)?(?:里)?的?(?:那个|那场|这个)?"
        r"(?:例会|周会|会议(?!室)|会(?!议|员)|预订|预定|预约|订单)"
    ),
    re.compile(
        rf"(?:把|将|取消|退掉|延长|改|挪)(?:我)?(?:在|订的)? ?{_LETTER}"
        r"(?= ?(?:改|挪|移|推|提前|提早|延|换|往|取消|退|调|$|[,。]))"
    ),
    re.compile(
        r"(?<![a-z])(?:move|push|shift|reschedule|postpone|extend|cancel|change|delay|bring|shorten) "
        rf"(?:my |the )?(?:(?:booking|meeting|reservation) )?(?:in |of |for )?(?:room )?{_LETTER}"
        r"(?=(?:'s)? (?:to|by|back|forward|until|booking|meeting|reservation|for|from|up)(?![a-z])| ?[,.!]| ?$)"
    ),
    re.compile(rf"(?<![a-z])(?:booking|meeting|reservation) (?:in|of|for) (?:room )?{_LETTER}"),
    re.compile(rf"(?:换|改|挪|移|调|搬)[到去成] ?(?:会议室)?{_LETTER}(?=(?:那间|这间|会议室|吧|去)?(?:[,。.!]|$))"),
    re.compile(
        rf"(?<![a-z])(?:move|switch|change|put|shift)(?:(?! to )[^,。.]){{0,40}} to (?:room )?{_LETTER}(?= ?[,.!]| ?$)"
    ),
    re.compile(rf"(?<![a-z])(?:my|the) {_LETTER} (?:booking|meeting|reservation)(?![a-z])"),
)


def rooms_of_bookings(masked: str, original: str, letters: dict[str, str]) -> list[Mention]:
    """Find the letters that name the room of a booking, or the one it shall move to.

    Args:
        masked: the folded text with what was found so far used up.
        original: the text with its capital letters; it tells "cancel A" from "cancel a meeting".
        letters: the rooms of the site by the letter in their names.
    """
    found: dict[int, Mention] = {}
    for pattern in _PATTERNS:
        for match in pattern.finditer(masked):
            at, room = match.start("body"), letters.get(match["body"])
            if room is not None and not _is_article(match["body"], at, original):
                found[at] = Mention("room", RoomNamed(room), at, at + 1, "room letter")
    return list(found.values())


def _is_article(letter: str, at: int, original: str) -> bool:
    """Tell the "a" of "cancel a meeting" from room A: it is a small letter with a Latin word after it."""
    return letter in "ai" and original[at : at + 1] == letter and bool(re.match(r" ?[a-z]", original[at + 1 : at + 3]))
