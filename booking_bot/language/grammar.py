"""The rules of all languages by stage, and the pass that finds what they find.

Numbers that mean something else (phones, rooms, buildings, head counts) are claimed before dates and times, so that a
later rule never sees their digits.
"""

from __future__ import annotations

from typing import Final

from booking_bot.language import shared
from booking_bot.language.answers import SIGNS, AnswerWords
from booking_bot.language.en import answers as en_answers
from booking_bot.language.en import commands as en_commands
from booking_bot.language.en import dates as en_dates
from booking_bot.language.en import lengths as en_lengths
from booking_bot.language.en import people as en_people
from booking_bot.language.en import times as en_times
from booking_bot.language.picks import PICKS
from booking_bot.language.rule import Mention, Rule, gather, mask
from booking_bot.language.script import Script
from booking_bot.language.selection import Selection
from booking_bot.language.signals import Signal
from booking_bot.language.zh import answers as zh_answers
from booking_bot.language.zh import commands as zh_commands
from booking_bot.language.zh import dates as zh_dates
from booking_bot.language.zh import people as zh_people
from booking_bot.language.zh import times as zh_times

_SHARED: Final = (shared.CLAIMS, shared.LENGTHS, shared.WHEN)
_ZH: Final = (
    zh_people.CLAIMS + zh_dates.WEEKDAYS,
    zh_people.PEOPLE + zh_people.EQUIPMENT + zh_times.LENGTHS,
    zh_dates.DATES + zh_times.TIMES + zh_dates.VAGUE,
)
_EN: Final = (
    en_people.CLAIMS,
    en_people.PEOPLE + en_people.EQUIPMENT + en_lengths.LENGTHS,
    en_dates.DATES + en_times.TIMES + en_dates.VAGUE,
)
ANSWERS: Final = AnswerWords(zh_answers.WORDS, en_answers.WORDS, SIGNS)


def signals_of(script: Script) -> list[Signal]:
    """Give the signals that a text can hold, by its languages and its words."""
    return _SIGNALS[script.chinese, script.latin].of(script.tokens)[0]


def _stages(chinese: bool, latin: bool) -> tuple[tuple[Rule, ...], ...]:
    return tuple(_SHARED[i] + (_ZH[i] if chinese else ()) + (_EN[i] if latin else ()) for i in range(len(_SHARED)))


def _signals(chinese: bool, latin: bool) -> tuple[Signal, ...]:
    return (zh_commands.SIGNALS if chinese else ()) + (en_commands.SIGNALS if latin else ())


_BOTH: Final = (False, True)
_STAGES: Final = {(zh, en): Selection(*_stages(zh, en)) for zh in _BOTH for en in _BOTH}
_SIGNALS: Final = {(zh, en): Selection(_signals(zh, en)) for zh in _BOTH for en in _BOTH}
ALL_SIGNALS: Final[tuple[Signal, ...]] = _signals(True, True)
ALL_RULES: Final[tuple[Rule, ...]] = tuple(r for stage in _stages(True, True) for r in stage) + PICKS


def mentions_of(text: str, script: Script) -> tuple[list[Mention], str]:
    """Find the mentions of a folded text whose names and quotes are masked already.

    Returns:
        The mentions in order of place, and the text with their characters used up.
    """
    found: list[Mention] = []
    for rules in _STAGES[script.chinese, script.latin].of(script.tokens):
        here = gather(rules, text, script.places)
        if here:
            found += here
            text = mask(text, here)
    found.sort(key=_place)
    return found, text


def _place(mention: Mention) -> int:
    return mention.start
