"""A number before 座: so many seats (要10座的), or a building by its number (在3座). The words around it decide."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import ReadingContext
from booking_bot.language.rule import Mention
from booking_bot.language.values import Count
from booking_bot.language.zh.numerals import number

SEATS_OR_BUILDING: Final = "building or seats"
"""Names the rule of a mention that may be either; the user is asked."""
_NUMBERED: Final = re.compile(r"(?P<n>\d{1,2}|[一二三四五六七八九十]{1,3}) ?座")
_AT_A_PLACE: Final = re.compile(r"(?:在|去|到|换至|改至|搬至|[大号]楼|位于|不要|不是|不去|除了|别选|别要|排除|避开) ?$")
_INSIDE_IT: Final = re.compile(
    r" ?(?:那边|这边|里面?|楼下|的?第? ?(?:\d{1,3}|[一二三四五六七八九十]{1,3}) ?[楼层f]|的?\d{3,4}"
    r"|[那这][栋座幢]|都?不[要行去])"
)
_COUNTED_BEFORE: Final = re.compile(r"(?:坐|容纳|至少|最少|最多|不少于|够|[个间]) ?$")
_COUNTED_AFTER: Final = re.compile(r" ?(?:以上|以内|左右|上下|起)")
_DESCRIBES: Final = re.compile(r" ?(?:的|会议室|房间|[那这][间种])")


def seats_of_buildings(mentions: list[Mention], text: str, context: ReadingContext) -> None:
    """Read the numbers before 座 that count seats as head counts, and mark those that may be either.

    Args:
        text: the folded text.
    """
    if "座" not in text or context.asks == "building":
        return
    buildings = {building.code for building in context.site.buildings}
    for mention in mentions:
        match = _NUMBERED.fullmatch(text, mention.start, mention.end) if mention.kind == "building" else None
        seats = number(match["n"]) if match is not None else None
        if not seats or _AT_A_PLACE.search(text[: mention.start]) or _INSIDE_IT.match(text, mention.end):
            continue
        counted = _COUNTED_BEFORE.search(text[: mention.start]) or _COUNTED_AFTER.match(text, mention.end)
        if str(seats) not in buildings or counted or context.asks == "capacity":
            mention.kind, mention.value, mention.rule = "count", Count(seats), "seats"
        elif _DESCRIBES.match(text, mention.end):
            mention.rule = SEATS_OR_BUILDING
