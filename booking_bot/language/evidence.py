"""Evidence of a reading: where each value stood, and which words were not understood."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import ReadingContext, Span
from booking_bot.language.intent import Wish
from booking_bot.language.normalise import Folded
from booking_bot.language.picks import Chosen
from booking_bot.language.rule import Mention, mask
from booking_bot.language.settle import Settled
from booking_bot.language.unread import unread_places
from booking_bot.language.values import Floor

_LOOKS_LIKE_DATE: Final = re.compile(r"\d{1,4}[/.-]\d{1,2}(?:[/.-]\d{1,4})?")
_FOR_THE_DRAFT: Final = frozenset(("book", "change", "reschedule", "none"))


def loose_parts(mentions: list[Mention], wish: Wish, context: ReadingContext) -> list[Mention]:
    """Give the parts of the day that say no start: without a day, or while the hour is asked or set."""
    if wish.intent not in _FOR_THE_DRAFT or any(m.kind in ("time", "end") for m in mentions):
        return []
    at_stake = context.asks == "start_time" or context.slots.start_time is not None
    if not at_stake and any(m.kind == "day" for m in mentions):
        return []
    return [m for m in mentions if m.kind == "part" and not m.negated]


def unread_of(
    shown: str, folded: Folded, mentions: list[Mention], masked: str, settled: Settled, chosen: Chosen
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the words that were not understood, as typed, and those of them that look like a date or time.

    Args:
        shown: the user's own text.
        masked: the folded text with the mentions used up.
    """
    when = [m for m in mentions if m.kind == "vague"] + settled.unresolved
    rest = mask(masked, [m for m in sorted(when, key=_start) if m.kind == "vague"])
    looks_like_when = {id(m) for m in when if m.kind in ("vague", "day", "part")}
    places = [(m.start, m.end, id(m) in looks_like_when) for m in when] + [
        (s, e, False) for s, e in unread_places(rest, chosen.unclear)
    ]
    places.sort()
    words: list[str] = []
    words_when: list[str] = []
    for start, end, is_when in places:
        at, until = folded.place(start, end)
        words.append(shown[at:until])
        if is_when or _LOOKS_LIKE_DATE.fullmatch(shown[at:until]):
            words_when.append(shown[at:until])
    return tuple(words), tuple(words_when)


def unheeded_of(shown: str, folded: Folded, mentions: list[Mention], wish: Wish) -> tuple[str, ...]:
    """Give what was read but is no wish the bot can heed: a floor without a number, or one that names a booking."""
    names_a_booking = wish.intent in ("cancel", "extend", "list")
    places = (
        folded.place(m.start, m.end)
        for m in mentions
        if isinstance(m.value, Floor) and (m.value.number is None or names_a_booking)
    )
    return tuple(shown[start:end] for start, end in places)


def spans_of(
    shown: str,
    folded: Folded,
    used: list[tuple[str, int, int, str]],
    mentions: list[Mention],
    chosen: Chosen,
) -> tuple[Span, ...]:
    """Give where each value was read, in the user's own text.

    Args:
        used: slot, [start, end) in the folded text, and rule.
    """
    places = list(used)
    places += [("title", m.start, m.end, m.rule) for m in mentions if m.kind == "title"][:1]
    places += [("choice", m.start, m.end, m.rule) for m in chosen.said]
    places.sort(key=lambda p: (p[1], p[2]))
    spans: list[Span] = []
    for slot, start, end, rule in places:
        at, until = folded.place(start, end)
        spans.append(Span(slot, shown[at:until], at, until, rule))
    return tuple(spans)


def _start(mention: Mention) -> int:
    return mention.start
