"""Places that are not wanted, or are again: 不要A, 除了A和B都行, anything but Room A, B也可以.

A bare letter names a room only where nothing else can stand there; that is decided here.
"""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.exclusion import rooms_in
from booking_bot.dialogue.reading import Places, ReadingContext
from booking_bot.dialogue.site import Site
from booking_bot.language.names import names_of
from booking_bot.language.rule import ONLY_ONE, Mention, spread
from booking_bot.language.values import Floor, RoomNamed

_PLACE: Final = "\x05"
"""Stands for each character of a room, building or floor that was found already."""
_KINDS: Final = ("room", "building", "floor")
_LETTER: Final = r"(?<![a-z\d'])[a-z](?![a-z\d'])(?! ?[座栋幢楼区])"
_ONE: Final = rf"(?:{_PLACE}{{1,40}}|(?:会议室 ?|(?:the )?(?:meeting )?room )?{_LETTER})(?:会议室|这间|那间)?"
_LIST: Final = rf"(?P<places>{_ONE}(?: ?(?:和|跟|与|、|及|以及|或者?|,? ?(?:and|or|nor)|&|/) ?{_ONE}){{0,6}})"
_NOT_WANTED: Final = re.compile(
    r"(?:(?<!要)不要|不是|不想要|不用|不选|不订|别选|别用|别订|别要|别给我|除了|除(?!了|非)|排除|避开|去掉|不考虑|不去"
    r"|(?<![a-z])(?:not|no|except(?: for)?|but(?: not)?|other than|besides|apart from|excluding|exclude|avoid|skip"
    r"|nothing|without|rule out|leave out|neither"
    r"|don'?t (?:want|like|need|give me|use)|do not (?:want|like)|never)(?: in| on)?) ?"
    rf"{_LIST}"
)
_BUT: Final = re.compile(
    r" ?,? ?(?:而?是|我?就?要|换成?|选|用|订|but|take|i want|give me|rather|i'll take)? ?"
    rf"(?P<wanted>{_ONE}) ?(?:[,。.!吧]|please|instead|$)"
)
"""Right after what is not wanted, the one that is: 不要A，要B."""
_ONLY_BEFORE: Final = re.compile(r"(?<![a-z])(?:nothing|none|no (?:other )?rooms?|only) ?$")
_ONLY_AFTER: Final = re.compile(r" ?(?:以外|之外)?(?:的|其[他它]的?|别的?)?,? ?(?:都|全|一律|谁|哪[间个]都)(?:不|没)")
"""Before or after "but A": 除了A都不行, nothing but A. It is the only one that is wanted."""
_BOOKED_BY_LETTER: Final = re.compile(
    r"(?:(?:订|选|要|用|换成?|改成?|约)|(?<![a-z])(?:book|take|choose|pick|get|reserve|want|use)(?: me)? )"
    rf"(?P<booked>{_LETTER})(?=[\s,。.!?;]|吧|$)"
)
"""A bare letter right after a verb of booking: 订D, book D tomorrow."""
_MORE, _FINE, _BACK, _ADDED = (_LIST.replace("places", name) for name in ("more", "fine", "back", "added"))
_REFUSED: Final = re.compile(
    rf"{_LIST} ?(?:就|都|也|可)?(?:不要|不行|不合适|不喜欢|不好|不考虑|除外|太[大小吵远近旧热冷挤闷])"
    rf"(?!了?[吗么?])(?! ?{_ONE})"
    rf"|(?<![a-z]){_MORE} (?:won'?t do|doesn'?t work|does not work|is (?:too [a-z]{{1,12}}|no good|not good|out))"
    r"(?![a-z])"
)
_WANTED_AGAIN: Final = re.compile(
    rf"{_LIST} ?(?:也|又|还是|其实|就|都){{1,2}}(?:可以|行|成|能|好|可|没问题|无所谓|算上|考虑|要)(?![吗么?不])"
    rf"|(?:可以|也|把|还是){{1,2}}(?:考虑|算上|包括|加上|带上) ?{_MORE}|{_BACK} ?也?(?:加回来|放回来|加上|算上)"
    rf"|(?<![a-z])(?:include|allow|consider|bring back|add back|add) {_ADDED}(?: again| too| back| as well)?(?![a-z])"
    rf"|(?<![a-z]){_FINE} (?:is|are|would be|will be|works?|will do|can)(?: also| too| actually)?"
    r"(?: (?:fine|ok|okay|good|possible|all right|alright|do|included))?(?: too| as well| again| after all)?"
    r"(?: ?[,.!]| ?$)"
)
_CUES: Final = frozenset("不别除排避去太也又还都算加放把订选要用换改约") | spread(
    "not no except but other besides apart excluding exclude avoid skip nothing "
    "without rule leave never don dont do include "
    "allow consider bring add is are would works work will too out neither book take choose pick get reserve want use"
)


def refusals_of(
    mentions: list[Mention],
    text: str,
    original: str,
    tokens: frozenset[str],
    letters: dict[str, str],
    context: ReadingContext,
) -> list[Mention]:
    """Mark the places that are not wanted as negated, and those that are wanted again as allowed.

    Args:
        text: the folded text.
        original: the same with its capital letters; it tells "not A" from "not a room".
        letters: the rooms of the site by the letter in their names; empty when the text has none of them.

    Returns:
        New mentions for bare letters that name rooms, and for words that refuse one.
    """
    if tokens.isdisjoint(_CUES):
        return []
    places = [m for m in mentions if m.kind in _KINDS]
    if not places and not letters:
        return []
    marked = text
    for mention in places:
        marked = marked[: mention.start] + _PLACE * (mention.end - mention.start) + marked[mention.end :]
    known = len(places)
    wanted: list[Mention] = []
    words: list[Mention] = []
    for pattern in (_NOT_WANTED, _REFUSED):
        for match in pattern.finditer(marked):
            listed = _listed(match, places, letters, original)
            if listed and pattern is _NOT_WANTED and _is_the_only_one(match, marked):
                wanted += listed
                for mention in listed:
                    mention.rule = ONLY_ONE
            listed = [mention for mention in listed if mention not in wanted]
            for mention in listed:
                mention.negated = True
            if listed and pattern is _REFUSED:
                words.append(Mention("claim", "", max(m.end for m in listed), match.end(), "not wanted"))
            but = _BUT.match(marked, match.end()) if listed else None
            wanted += _listed(but, places, letters, original) if but is not None else []
    for match in _BOOKED_BY_LETTER.finditer(marked) if letters else ():
        wanted += _listed(match, places, letters, original)
    excluded = frozenset(context.slots.excluded.value) if context.slots.excluded is not None else frozenset()
    for match in _WANTED_AGAIN.finditer(marked) if excluded else ():
        for mention in _listed(match, places, letters, original):
            if not mention.negated and not excluded.isdisjoint(_rooms(mention, context.site)):
                mention.kind = "allowed"
    return [m for m in places[known:] if m.negated or m.kind == "allowed" or m in wanted] + words


def _is_the_only_one(match: re.Match[str], text: str) -> bool:
    said = match[0]
    if said.startswith("除") and _ONLY_AFTER.match(text, match.end()):
        return True
    return said.startswith(("but", "except", "other than")) and _ONLY_BEFORE.search(text[: match.start()]) is not None


def _listed(match: re.Match[str], places: list[Mention], letters: dict[str, str], original: str) -> list[Mention]:
    """Give the places of a list; a letter becomes the mention of a room and is added to them."""
    group = next(name for name, said in match.groupdict().items() if said is not None)
    start, end = match.span(group)
    for letter in re.finditer(_LETTER, match.string[start:end]):
        at = start + letter.start()
        room = letters.get(letter[0])
        known = any(m.start <= at < m.end for m in places)
        if room is not None and not known and not _is_article(letter[0], at, original):
            places.append(Mention("room", RoomNamed(room), at, at + 1, "room letter"))
    return [m for m in places if start <= m.start and m.end <= end]


def _is_article(letter: str, at: int, original: str) -> bool:
    """Tell the "a" of "not a big one" from room A: it is a small letter with a word after it."""
    return letter in "ai" and original[at : at + 1] == letter and original[at + 1 : at + 3].strip(" ").isalpha()


def _rooms(mention: Mention, site: Site) -> tuple[str, ...]:
    return rooms_in(site, places_of([mention], site))


def places_of(mentions: list[Mention], site: Site) -> Places:
    """Give what the mentions name, rooms of the site by their ids."""
    ids = names_of(site).ids
    rooms = [ids.get(m.value.room, m.value.room) for m in mentions if isinstance(m.value, RoomNamed)]
    buildings = [m.value for m in mentions if isinstance(m.value, str)]
    floors = [m.value.number for m in mentions if isinstance(m.value, Floor) and m.value.number is not None]
    return Places(tuple(dict.fromkeys(rooms)), tuple(dict.fromkeys(buildings)), tuple(dict.fromkeys(floors)))
