"""The time of the draft or of the last booking, pointed at: 同样的时间, 跟上次一样的时间, same time as last time.

Only where it is plain whose time is meant; else the words stay a time that was not understood, and are asked about.
"""

from __future__ import annotations

import datetime as dt

from booking_bot.dialogue.reading import ReadingContext
from booking_bot.language.intent import Wish
from booking_bot.language.rule import Mention, mask
from booking_bot.language.values import Hour, Length, SameTime


def read_same_times(mentions: list[Mention], masked: str, wish: Wish, context: ReadingContext) -> str:
    """Turn a pointer at a known time into that time, and the length where it is a booking's and no other is known.

    A booking that moves keeps its time by itself: there the words say nothing new.

    Returns:
        The masked text with the words that were understood used up.
    """
    said = [m for m in mentions if isinstance(m.value, SameTime)]
    others = any(m.kind in ("time", "end") and not m.negated for m in mentions)
    if len(said) != 1 or others:
        return masked
    mention, value = said[0], said[0].value
    assert isinstance(value, SameTime)  # noqa: S101  # chosen by it in the line above
    if context.moving or wish.intent in ("reschedule", "extend"):
        mentions.remove(mention)
        return mask(masked, [mention])
    meant = _meant(value, context)
    if meant is None:
        return masked
    start, minutes = meant
    mention.kind, mention.value = "time", Hour(start.hour, start.minute, exact=True)
    has_length = context.pending is not None and context.slots.duration_minutes is not None
    if minutes is not None and not has_length and all(m.kind != "length" for m in mentions):
        at = mentions.index(mention) + 1
        mentions.insert(at, Mention("length", Length(minutes), mention.start, mention.end, mention.rule))
    return mask(masked, [mention])


def _meant(said: SameTime, context: ReadingContext) -> tuple[dt.time, int | None] | None:
    """Give start and length that are pointed at: those of a draft under way, else of the last booking."""
    drafted = context.slots.start_time if context.pending is not None else None
    if drafted is not None and not said.of_a_booking:
        return drafted.value, None
    last = context.last_booking
    return None if last is None else (last.start_time, last.minutes)
