"""Numbers without a unit: they mean something only for the slot asked, with a list on the table, or in a correction."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from booking_bot.dialogue.model import Pending
from booking_bot.dialogue.reading import ReadingContext
from booking_bot.language.en.numerals import number as number_en
from booking_bot.language.rule import Kind, Mention, gather
from booking_bot.language.syntax import (
    BARE_AFTER_CORRECTION,
    CHANGES_FROM,
    COUNT_TO,
    EITHER_NUMBER,
    LOOK_BACK,
    MOVED_TO,
    NEGATED_NUMBER,
    OR_NUMBER,
)
from booking_bot.language.values import Count, DayOfMonth, Floor, Hour, Length, MonthDay, Pick, Stretch, Value
from booking_bot.language.zh.numerals import SIGNS
from booking_bot.language.zh.numerals import number as number_zh
from booking_bot.language.zh.people import PEOPLE

_NUMBER: Final = (
    r"(?P<n>\d{1,6}|[零一二两三四五六七八九十百]{1,5}"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|sixty|ninety|a dozen|dozen)"
)
_ALONE: Final = re.compile(
    r"[\s,。.!~(#]{0,4}(?:就|那就|那|我们|一共|总共|共|有|we are|there are|大概|大约|约|差不多|要|嗯|好"
    r"|好的|应该是|还是|其实|算了|是|actually|ok(?:ay)?|let's go with|about|around"
    rf"|just|say|maybe|only|it's|at|for|the|i'd say|um|ok|,| ){{0,4}}\s?{_NUMBER}"
    r"\s?(?P<unit>个人|个|位|名|人|间|号)?\s?(?:吧|啊|呀|的|了|左右|就行|就好|please|pls|thanks|谢谢|[)、:]"
    r"|thank you|ish|or so|then|,"
    r"| ){0,4}[\s,。.!?~]{0,4}"
)
_HOUR_SAID: Final = re.compile(r"[\s,。.!~(]{0,4}at\s")
_HALF: Final = re.compile(r"[\s,。.]{0,2}(?:(?P<n>[一两三四1-4])个半|(?P<d>\d{1,2}\.5))(?:吧|的)?[\s,。.]{0,2}")
_TWO: Final = re.compile(
    r"[\s,。.]{0,2}(?P<low>\d{1,4})\s?(?:-|~|到|至|to|or|或)\s?(?P<high>\d{1,4})(?:个)?[\s,。.]{0,2}"
)
_ABOUT: Final = re.compile(
    rf"\s?(?:我们|大概|大约|有|一共|共)?(?P<n>[{SIGNS}\d]{{1,5}}[来几多]?)个?(?:左右)?(?:吧)?[。.]?"
)
_NTH: Final = re.compile(r"\s?(?:the )?(?P<n>\d{1,2})(?:st|nd|rd|th)(?:,? please|,? thanks)?[\s.!]{0,2}")
_MONTH_DAY: Final = re.compile(r"[\s]{0,2}(?P<month>\d{1,2})[.-](?P<day>\d{1,2})[\s。.]{0,2}")
_CLOCK: Final = re.compile(r"[\s]{0,2}(?P<hour>\d{1,2})[. ](?P<minute>[0-5]\d)[\s。]{0,2}")
_PEOPLE: Final = ("个人", "位", "名", "人")
_IN_HOURS: Final = 8
"""A bare number of up to this many, said when the length is asked, is hours; from ten on it is minutes."""

_COUNTED_HOURS: Final = 4
"""Up to "四个" it is hours when the length is asked; "八个" is likelier people."""


def answer_to_the_question(text: str, context: ReadingContext) -> Mention | None:
    """Read a message that is nothing but a number in the light of what was asked.

    Args:
        text: the folded text.
    """
    asks = context.asks if context.pending is not Pending.CONFIRM else None
    if asks is None and not context.choices:
        return None
    if context.choices:
        nth = _NTH.fullmatch(text)
        if nth is not None:
            return Mention("pick", Pick(int(nth["n"])), 0, len(text), "number of what is offered")
    special = _special(text, asks)
    if special is not None:
        return special
    match = _ALONE.fullmatch(text)
    if match is None:
        return None
    number = _value(match["n"])
    if number is None:
        return None
    if context.choices and (match["unit"] == "间" or match["n"] == "两") and number > 1:
        return None  # so many rooms, not the second one
    if match["unit"] in _PEOPLE:
        return _at(match, "count", Count(number), "number of people")
    if _HOUR_SAID.match(text) and asks != "start_time":
        return None  # "at 3" is an hour, whatever is on the table
    if context.choices and (number <= context.choices or asks is None) and number < 100:
        return _at(match, "pick", Pick(number), "number of what is offered")
    counts_hours = asks == "duration_minutes" and number <= _COUNTED_HOURS
    if match["unit"] == "个" and asks != "capacity" and not counts_hours:
        return None  # "8个" of what?
    return _asked(match, number, asks)


def _special(text: str, asks: str | None) -> Mention | None:
    if asks == "duration_minutes":
        match = _HALF.fullmatch(text)
        if match is not None:
            hours = float(match["d"]) if match["d"] else (_value(match["n"]) or 0) + 0.5
            return Mention("length", Length(int(hours * 60)), match.start(), match.end(), "number of hours asked for")
    if asks == "capacity":
        match = _TWO.fullmatch(text)
        if match is not None:
            people = max(int(match["low"]), int(match["high"]))
            return Mention("count", Count(people, approximate=True), 0, len(text), "number of people asked for")
        match = _ABOUT.fullmatch(text)
        if match is not None:
            said = gather(PEOPLE, f"{match['n']}个人")
            if said:
                return Mention("count", said[0].value, match.start("n"), match.end("n"), "number of people asked for")
    if asks == "date":
        match = _MONTH_DAY.fullmatch(text)
        if match is not None and 1 <= int(match["month"]) <= 12 and 1 <= int(match["day"]) <= 31:
            return Mention("day", MonthDay(int(match["month"]), int(match["day"])), 0, len(text), "day asked for")
    if asks == "start_time":
        match = _CLOCK.fullmatch(text)
        if match is not None and int(match["hour"]) <= 23:
            hour = int(match["hour"])
            value = Hour(hour, int(match["minute"]), exact=hour > 12 or hour == 0 or match["hour"][0] == "0")
            return Mention("time", value, match.start("hour"), match.end("minute"), "hour asked for")
    return None


def _asked(match: re.Match[str], number: int, asks: str | None) -> Mention | None:
    match asks:
        case "capacity":
            return _at(match, "count", Count(number), "number of people asked for")
        case "duration_minutes" if number <= _IN_HOURS:
            return _at(match, "length", Length(number * 60), "number of hours asked for") if number else None
        case "duration_minutes" if number >= 10:
            return _at(match, "length", Length(min(number, 100_000)), "number of minutes asked for")
        case "start_time":
            hour = _hour(match["n"], number)
            return _at(match, "time", hour, "hour asked for") if hour is not None else None
        case "floor" if number < 100:
            return _at(match, "floor", Floor(number), "floor asked for")
        case "date" if 1 <= number <= 31:
            return _at(match, "day", DayOfMonth(number), "day asked for")
    return None


def _hour(said: str, number: int) -> Value:
    if said.isdigit() and len(said) in (3, 4):
        hour, minute = divmod(number, 100)
        return Hour(hour, minute, exact=hour > 12 or said[0] == "0") if hour < 24 and minute < 60 else None
    return Hour(number, 0, exact=number > 12 or said[0] == "0") if number <= 24 else None


def _at(match: re.Match[str], kind: Kind, value: Value, rule: str) -> Mention:
    return Mention(kind, value, match.start("n"), match.end("n"), rule)


def _value(said: str) -> int | None:
    return number_en(said) if said.isascii() else number_zh(said)


def _or_and_to(mention: Mention, masked: str) -> list[Mention]:
    """Find the bare number after "at 3 or 4", and the one a head count is changed to ("change 8 people to 10")."""
    other = OR_NUMBER.match(masked, mention.end) if mention.kind == "time" else None
    if other is not None and isinstance(mention.value, Hour):
        number = _value(other["n"])
        if number is not None and number <= 24:
            hour = replace(mention.value, hour=number, minute=0)
            return [Mention("time", hour, other.start("n"), other.end("n"), "one hour or another")]
    new = COUNT_TO.match(masked, mention.end) if mention.kind == "count" else None
    if new is not None and CHANGES_FROM.search(masked, max(0, mention.start - LOOK_BACK), mention.start):
        number = _value(new["n"])
        if number is not None:
            mention.kind = "claim"
            return [Mention("count", Count(number), new.start("n"), new.end("n"), "number in a correction")]
    return []


def numbers_in_corrections(mentions: list[Mention], masked: str) -> list[Mention]:
    """Find bare numbers that correct what stands before them ("at 2, sorry, 3"), and those taken back ("not 3")."""
    found = [
        Mention("claim", "", match.start("n"), match.end("n"), "number taken back")
        for match in NEGATED_NUMBER.finditer(masked)
    ]
    for mention in mentions:
        either = EITHER_NUMBER.search(masked, max(0, mention.start - LOOK_BACK), mention.start)
        if either is not None and mention.kind == "time" and isinstance(mention.value, Hour):
            number = _value(either["n"])
            if number is not None and number <= 24:
                hour = replace(mention.value, hour=number, minute=0)
                found.append(Mention("time", hour, either.start("n"), either.end("n"), "one hour or another"))
        found += _or_and_to(mention, masked)
    for match in MOVED_TO.finditer(masked):
        number = _value(match["n"])
        if number is not None and number <= 24:
            hour = Hour(number, 0, exact=number > 12)
            found.append(Mention("time", hour, match.start("n"), match.end("n"), "number that is moved to"))
    for match in BARE_AFTER_CORRECTION.finditer(masked):
        if any(f.start == match.start("n") for f in found):
            continue
        before = [m for m in mentions if m.end <= match.start() + 1 and m.kind in ("time", "count", "end")]
        number = _value(match["n"])
        if not before or number is None:
            continue
        last = before[-1]
        value: Value = None
        if last.kind == "count":
            value = Count(number)
        elif number <= 24 and not isinstance(last.value, Stretch):
            half = last.value.half_of_day if isinstance(last.value, Hour) else None
            value = Hour(number, 0, half_of_day=half, exact=number > 12)
        if value is not None:
            found.append(Mention(last.kind, value, match.start("n"), match.end("n"), "number in a correction"))
    return found
