"""Choices: 选2, 第二间, the last one, R1001, room A, and a room's letter while rooms are offered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from booking_bot.dialogue.reading import Choice, ReadingContext
from booking_bot.language.corrections import taken_back
from booking_bot.language.en import commands as en_commands
from booking_bot.language.en.numerals import ORDINALS
from booking_bot.language.en.numerals import number as number_en
from booking_bot.language.names import names_of
from booking_bot.language.rule import MASK, Mention, Rule, always, gather, mask, rule, spread
from booking_bot.language.selection import Selection
from booking_bot.language.values import Pick, RoomNamed, Value
from booking_bot.language.zh import commands as zh_commands
from booking_bot.language.zh.numerals import number as number_zh

_ZH: Final = r"(?:(?<!\d)\d{1,3}|[一二三四五六七八九十]{1,3})"
_ORD: Final = "|".join(sorted((w for w in ORDINALS if " " not in w), key=len, reverse=True))
_EN_N: Final = "one|two|three|four|five|six|seven|eight|nine|ten"
_WEAK: Final = "number of a list"


def _zh_number(match: re.Match[str]) -> Value:
    number = number_zh(match["n"])
    return Pick(number) if number is not None else None


def _en_number(match: re.Match[str]) -> Value:
    number = number_en(match["n"])
    return Pick(number) if number is not None else None


def _ordinal(match: re.Match[str]) -> Value:
    word: str = match["n"]
    return Pick(ORDINALS[word] if word in ORDINALS else int(word[:-2]))


_ZH_AFTER: Final = (
    r"(?:个|号|间|项)?(?:会议室|房间)?(?![\d批点人位名分小天月年周刻楼座栋钟日半:.]|个(?:人|小|半|钟|月))"
)
_ORDINAL_TOKENS: Final = frozenset([*ORDINALS, "st", "nd", "rd", "th"])

PICKS: Final[tuple[Rule, ...]] = (
    rule(
        "last one",
        "pick",
        r"(?:倒数第一|最后)(?:面的?)?(?:那|这)?一?[个间项条]|最后的?那[个间]",
        always(Pick(-1)),
        "最倒",
    ),
    rule(
        "last one",
        "pick",
        r"(?<![a-z])(?:(?:the )?(?:very )?last (?:one|room|option|of (?:them|these))(?![a-z])|the last$"
        r"|last one(?![a-z]))|^last[.! ]*$",
        always(Pick(-1)),
        ("last",),
    ),
    rule("chosen number", "pick", rf"(?:选择?|挑) ?(?:第)?(?P<n>{_ZH}){_ZH_AFTER}", _zh_number, "选挑"),
    rule(_WEAK, "pick", rf"(?:就|我)?(?:要|订|定|取)(?P<n>{_ZH})(?![个间]){_ZH_AFTER}", _zh_number, "要订定取"),
    rule(
        "ordinal",
        "pick",
        rf"第 ?(?P<n>{_ZH}) ?(?!个人)(?:个(?![人月小星])|间|项|条|家|号)?(?:会议室|房间)?"
        r"(?![天时反周季次期届楼层月年批名位章版轮])",
        _zh_number,
        "第",
    ),
    rule(
        "number of the list",
        "pick",
        rf"(?<![a-z])(?:(?:number|nr|num|option|choice|item|no)\.? ?|#|№ ?)(?P<n>\d{{1,3}}|{_EN_N})"
        r"(?![\d:a-z])(?! ?(?:people|ppl|pm|am))",
        _en_number,
        spread("number nr num option choice item no # №"),
    ),
    rule(
        _WEAK,
        "pick",
        rf"(?<![a-z])room (?P<n>\d{{1,2}}|{_EN_N})(?![\d:a-z/])(?! ?(?:people|ppl|pm|am|at|for|tomorrow))",
        _en_number,
        ("room",),
    ),
    rule(
        "taken number",
        "pick",
        r"(?<![a-z])(?:take|pick|choose|select|go with|go for|i want|give me)(?: the)?(?: room| option| number)? ?#?"
        rf"(?P<n>\d{{1,2}}|one|two|three|four|five|six)(?![\d:a-z]|\.\d|(?<=one) {MASK})"
        r"(?! ?(?:people|ppl|persons?|pax|pm|am|hours?|hrs?|min|seats?|rooms?|of|/|-|o'?clock|days?|h"
        r"|that|which|with|bigger|larger|smaller|more|less))",
        _en_number,
        spread("take pick choose select go want give"),
    ),
    rule(
        "ordinal",
        "pick",
        rf"(?<![a-z])(?:the )?(?P<n>{_ORD}|\d{{1,2}}(?:st|nd|rd|th)) (?:one|room|option|choice|on the list"
        r"|item)(?![a-z])",
        _ordinal,
        _ORDINAL_TOKENS,
    ),
    rule(
        "ordinal alone",
        "pick",
        rf"(?:^(?:(?:(?:let's |i'?ll )?(?:take|pick|choose|go with) )?the )?"
        rf"|, (?:but )?the )(?P<n>{_ORD})(?: please| one"
        r"|,? thanks)?[.! ]*$",
        _ordinal,
        _ORDINAL_TOKENS,
    ),
)


_SELECTED: Final = Selection(PICKS)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice as said.

    Attributes:
        choice: the number or room; of several the first number or the last room.
        mention: where it stands; None when several are said and the user must be asked, or nothing is said.
        said: all places where something is chosen.
        unclear: [start, end) of words that describe a room ("the big one"), while rooms are offered.
        whole: the message does nothing but choose; no word of it means anything else.
    """

    choice: Choice | None
    mention: Mention | None
    said: list[Mention]
    unclear: tuple[tuple[int, int], ...] = ()
    whole: bool = False


_BY_QUALITY: Final = re.compile(
    r"(?<![a-z])(?:the )?(?:big(?:ger|gest)?|small(?:er|est)?|large[rst]{0,2}|near(?:er|est)?|close[rst]{0,2}"
    r"|quiet(?:er|est)?|cheap(?:er|est)?|nice[rst]{0,2}|better|best) (?:one|room)(?![a-z])"
    r"|(?<![a-z])the (?:middle|left|right|other) (?:one|room)(?![a-z])"
    r"|(?:最?(?:大|小|近|远|好|便宜|安静)一?[点些]?|中间|左边|右边)的?[那这]?一?[个间](?!人)"
)
LEAD: Final = rf"(?:[\s,。.!]|{zh_commands.BEFORE_A_PICK}|{en_commands.BEFORE_A_PICK}){{0,16}}"
TAIL: Final = rf"(?:[\s,。.!]|{zh_commands.AFTER_A_PICK}|{en_commands.AFTER_A_PICK}){{0,8}}"
_LETTER: Final = re.compile(rf"{LEAD}(?<![a-z\d'])(?P<letter>[a-z])(?![a-z\d']){TAIL}")
_BARE_ID: Final = re.compile(rf"{LEAD}(?<![a-z\d])(?P<id>\d{{3,4}})(?!\d){TAIL}")


def pick_of(
    mentions: list[Mention], text: str, masked: str, tokens: frozenset[str], context: ReadingContext
) -> tuple[Chosen, str]:
    """Find the choice of a message.

    Args:
        text: the folded text.
        masked: the same with the mentions used up.

    Returns:
        What is chosen, and the text with the choice's characters used up.
    """
    rooms = [m for m in mentions if m.kind == "room" and not m.negated]
    if rooms:
        meant = {room for m in rooms if (room := _room(m, context)) is not None}
        last = rooms[-1] if len(meant) == 1 or "改" in masked or "换" in masked else None
        return Chosen(_room(rooms[-1], context), last, rooms), masked
    said = [m for m in mentions if m.kind == "pick"]
    said += [m for m in gather(_SELECTED.of(tokens)[0], masked) if m.rule != _WEAK or context.choices]
    vague = [m for m in mentions if m.kind == "vague"]
    said = [m for m in said if not taken_back(m, text) and not any(v.start <= m.start < v.end for v in vague)]
    numbers = {m.value.number for m in said if isinstance(m.value, Pick)}
    if said and isinstance(said[0].value, Pick):
        return Chosen(said[0].value.number, said[0] if len(numbers) == 1 else None, said), mask(masked, said)
    by_letter = _by_letter(masked, context)
    if by_letter is None:
        described = [m.span() for m in _BY_QUALITY.finditer(masked)] if context.offered else []
        return Chosen(None, None, [], tuple(described)), masked
    return Chosen(_room(by_letter, context), by_letter, [by_letter], whole=True), MASK * len(masked)


def _room(mention: Mention, context: ReadingContext) -> str | None:
    if not isinstance(mention.value, RoomNamed):
        return None
    return names_of(context.site).ids.get(mention.value.room, mention.value.room)


def _by_letter(text: str, context: ReadingContext) -> Mention | None:
    match = _LETTER.fullmatch(text) if context.offered else None
    if match is not None:
        room = names_of(context.site).letters.get(match["letter"])
        if room is not None:
            return Mention("room", RoomNamed(room), match.start("letter"), match.end("letter"), "room letter")
    match = _BARE_ID.fullmatch(text)
    if match is not None and (context.offered or match["id"] in names_of(context.site).ids):
        return Mention("room", RoomNamed(match["id"]), match.start("id"), match.end("id"), "room id")
    return None
