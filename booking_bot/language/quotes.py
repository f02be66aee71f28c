"""Titles and quotes: what stands in them is the user's own words and never a command or a value."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.rule import Mention

_LABEL: Final = (
    r"(?:(?:会议)?(?:主题|标题|题目|名称|议题)|会议名|(?<![地姓])名字)(?: ?(?:是|叫做?|为|写|用|就叫"
    r"|改成|改为|[::])){1,2}|(?:会议)?(?:主题|标题|题目|名称|议题|会议名)(?= ?\")"
    r"|(?:会议|会|名字|就|它|标题)叫做?(?= ?\")|(?<![a-z])(?:titled?|subject|called|named|topic|meeting name"
    r"|name it|call it)(?: is| to| as|:)? ?(?:is |to |as |: ?)?"
)
_TITLE: Final = re.compile(rf"(?:{_LABEL}) ?(?:\"(?P<quoted>[^\"]{{1,100}})\"|(?P<plain>[^\",。;!?]{{1,60}}))")
_PLAIN_NEEDS: Final = re.compile(r"(?:[:]|是|为|叫做?|titled?|subject|called|named|改成|改为|写|用)(?: is| to| as)? ?$")
_QUOTED: Final = re.compile(r"\"(?P<words>[^\"]{1,200})\"|(?<![a-z\d])'(?P<single>[^']{2,100})'(?![a-z\d])")


def titles(text: str) -> list[Mention]:
    """Find a labelled title, and every quote, in a folded text.

    Returns:
        Mentions of kind "title"; the value is the place of the words themselves as a pair of digits strings.
    """
    found: list[Mention] = []
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for match in _TITLE.finditer(text):
        if any(start < match.start() < end for start, end in quoted):
            continue  # a quote is the user's own words, even where it begins with "title"
        group = "quoted" if match["quoted"] else "plain"
        head = text[match.start() : match.start(group)].rstrip('" ')
        if group == "plain" and _PLAIN_NEEDS.search(head) is None:
            continue
        start, end = match.span(group)
        found.append(Mention("title", (str(start), str(end)), match.start(), match.end(), "labelled title"))
    taken = [(m.start, m.end) for m in found]
    for match in _QUOTED.finditer(text):
        if any(s < match.end() and match.start() < e for s, e in taken):
            continue
        group = "words" if match["words"] else "single"
        if match.start() == 0 and not text[match.end() :].strip(" .。!"):
            continue  # the whole message in quotes is a message
        start, end = match.span(group)
        found.append(Mention("title", (str(start), str(end)), match.start(), match.end(), "quoted title"))
    found.sort(key=lambda m: m.start)
    return found
