"""Choices: 选2, 第二间, the last one, R1001, room A, and a room's letter while rooms are offered."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import Choice, ReadingContext
from booking_bot.language.en.numerals import ORDINALS
from booking_bot.language.en.numerals import number as number_en
from booking_bot.language.names import names_of
from booking_bot.language.rule import Mention
from booking_bot.language.values import Pick, RoomNamed
from booking_bot.language.zh.numerals import number as number_zh

_ZH: Final = r"(?:(?<!\d)\d{1,3}|[一二两三四五六七八九十]{1,3})"
_ORD: Final = "|".join(sorted((w for w in ORDINALS if " " not in w), key=len, reverse=True))
_PICK: Final = re.compile(
    rf"(?P<last>(?:倒数第一|最后)(?:面的?)?(?:那|这)?一?[个间项条]|最后的?那[个间]|(?<![a-z])(?:the )?(?:very )?last (?:one|room|option|of (?:them|these))|(?<![a-z])the last$|(?<![a-z])last one(?![a-z]))"
    rf"|(?:就|我)?(?:选择?|挑|要|订|定|取|来|换|用)(?:第)?(?P<chosen>{_ZH})(?:个|号|间|项)?(?:会议室|房间)?(?![\d点人位名分小天月年周刻楼座栋钟日半:.]|个(?:人|小|半|钟|月))"
    rf"|(?:第)(?P<nth>{_ZH})(?:个(?![人月小星])|间|项|条|家|号)?(?:会议室|房间)?(?![天周季次期届楼层月年批名位章版轮])"
    rf"|(?<![a-z])(?:(?:number|nr|num|option|choice|item|no)\.? ?|#|№ ?)(?P<number>\d{{1,3}}|one|two|three|four|five|six|seven|eight|nine|ten)(?![\d:a-z])(?! ?(?:people|ppl|pm|am))"
    rf"|(?<![a-z])(?:(?:i'?ll |i will |let'?s |we'?ll )?(?:take|pick|choose|select|go with|go for|i want|want|give me))(?: the)?(?: room| option| number)? ?#?(?P<taken>\d{{1,2}}|one|two|three|four|five|six)(?![\d:a-z]|\.\d)(?! ?(?:people|ppl|persons?|pax|pm|am|hours?|hrs?|min|seats?|rooms?|of|/|-|o'?clock|days?|h))"
    rf"|(?<![a-z])(?:the )?(?P<ordinal>{_ORD}|\d{{1,2}}(?:st|nd|rd|th)) (?:one|room|option|choice|on the list|item)(?![a-z])"
    rf"|^(?:(?:let'?s |i'?ll )?(?:take|pick|choose|go with) )?the (?P<bare>{_ORD})(?: please| one|,? thanks)?[.! ]*$"
    rf"|^(?P<only>{_ORD})[.! ]*$"
)
_LETTER: Final = re.compile(
    r"[\s,。]{0,2}(?:就|那就|那|要|选|我要|我选|订|定|来|room|take|pick|i'll take|choose|go with|the|option)?\s?(?P<letter>[a-z])\s?(?:吧|那间|这间|会议室|间|的|please|pls|one)?[\s,。.!]{0,2}"
)
_BARE_ID: Final = re.compile(
    r"[\s,。]{0,2}(?:就|那就|要|选|我要|我选|订|定|take|pick|room|i'll take)?\s?(?P<id>\d{3,4})\s?(?:吧|那间|please)?[\s,。.!]{0,2}"
)
_WEAK: Final = frozenset("要订定取来换用")


def pick_of(
    mentions: list[Mention], masked: str, context: ReadingContext
) -> tuple[tuple[Choice, Mention] | None, list[Mention], str]:
    """Find the choice of a message.

    Returns:
        The choice with its mention, the other mentions, and the text with the choice's characters used up.
    """
    rooms = [m for m in mentions if m.kind == "room" and not m.negated]
    if rooms and isinstance(rooms[-1].value, RoomNamed):
        return (rooms[-1].value.room, rooms[-1]), mentions, masked
    for mention in mentions:
        if mention.kind == "pick" and isinstance(mention.value, Pick):
            return (mention.value.number, mention), mentions, masked
    found = _said(masked, context) or _by_letter(masked, context)
    if found is None:
        return None, mentions, masked
    choice, mention = found
    used = masked[: mention.start] + "\x02" * (mention.end - mention.start) + masked[mention.end :]
    return (choice, mention), mentions, used


def _said(text: str, context: ReadingContext) -> tuple[Choice, Mention] | None:
    for match in _PICK.finditer(text):
        if match["last"]:
            return -1, Mention("pick", Pick(-1), match.start(), match.end(), "last one")
        if match["chosen"] and match[0][match[0].find(match["chosen"]) - 1] in _WEAK and not context.choices:
            continue  # "要3间" or "订2个" choose only from a list
        number = _number(match)
        if number is not None and number >= 0:
            return number, Mention("pick", Pick(number), match.start(), match.end(), "numbered choice")
    return None


def _number(match: re.Match[str]) -> int | None:
    for group in ("chosen", "nth"):
        if match[group]:
            return number_zh(match[group])
    for group in ("number", "taken"):
        if match[group]:
            return number_en(match[group])
    ordinal: str = match["ordinal"] or match["bare"] or match["only"]
    return ORDINALS[ordinal] if ordinal in ORDINALS else int(ordinal[:-2])


def _by_letter(text: str, context: ReadingContext) -> tuple[Choice, Mention] | None:
    if not context.offered:
        return None
    match = _LETTER.fullmatch(text)
    if match is not None:
        room = names_of(context.site).letters.get(match["letter"])
        if room is not None:
            return room, Mention("room", RoomNamed(room), match.start("letter"), match.end("letter"), "room letter")
    match = _BARE_ID.fullmatch(text)
    if match is not None:
        return match["id"], Mention("room", RoomNamed(match["id"]), match.start("id"), match.end("id"), "room id")
    return None
