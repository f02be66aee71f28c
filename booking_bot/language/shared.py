"""Rules of no language: clock digits, ISO dates, slashes, room ids, phone numbers, addresses."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import Part
from booking_bot.language.rule import FROM_NUMBER, MANY_DIGITS, RUN_OF_3, RUN_OF_5, Rule, always, rule, spread
from booking_bot.language.values import Hour, IllegalHour, Length, MonthDay, RoomNamed, Value

_HALVES: Final[dict[str, Part]] = {"a": "morning", "p": "afternoon"}
AM_PM: Final = r"(?: ?(?P<half>[ap])(?:\.? ?m(?![a-z](?![座栋]))\.?|\b(?!\.?[a-z])))"
"""The mark of half a day after an hour: pm, p.m., p."""


_LONGEST_H: Final = 8
"""Up to "8h" it is a length, from "9h" on a time, as "15h30" is."""
_AT: Final = re.compile(r"(?:(?<![a-z])(?:at|from|by|till?|until|before|after)|@) ?$")
_TO_AN_H: Final = re.compile(r" ?(?:-|~|to|till?|until|到|至) ?\d{1,2}h")


def clock(match: re.Match[str]) -> Value:
    """Read an hour with its minutes; two digits with a leading zero, or above 12, are of a 24-hour clock."""
    groups = match.groupdict()
    written = match["hour"]
    hour, minute = int(written), int(groups.get("minute") or (30 if groups.get("half_past") else 0))
    half = groups.get("half")
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return IllegalHour(match[0].strip())
    if half == "a" and hour == 12:
        return Hour(0, minute, exact=True)
    if half:
        return Hour(hour, minute, half_of_day=_HALVES[half])
    return Hour(hour, minute, exact=hour > 12 or hour == 0 or written.startswith("0"))


def _full_date(match: re.Match[str]) -> Value:
    month, day = int(match["month"]), int(match["day"])
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    return MonthDay(month, day, year=int(match["year"]))


def _month_day_year(match: re.Match[str]) -> Value:
    day = _month_day(match)
    return MonthDay(day.month, day.day, year=int(match["year"])) if isinstance(day, MonthDay) else None


def _month_day(match: re.Match[str]) -> Value:
    month, day = int(match["month"]), int(match["day"])
    if 12 < month <= 31 and 1 <= day <= 12:
        month, day = day, month  # "31/12" can only be the day first
    return MonthDay(month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _clock_with_h(match: re.Match[str]) -> Value:
    return clock(match) if int(match["hour"]) > _LONGEST_H or _stands_as_time(match) else None


def _stands_as_time(match: re.Match[str]) -> bool:
    """Tell whether words around say that "8h" or "3h30" is a time: "at 8h30", "8h to 10h"."""
    text, start = match.string, match.start()
    return _AT.search(text, max(0, start - 8), start) is not None or _TO_AN_H.match(text, match.end()) is not None


def _length(match: re.Match[str]) -> Value:
    if match["short"]:
        return Length(int(match["short"])) if int(match["short"]) else None
    hours = float(match["hours"])
    if match["unit"] == "h" and not match["minutes"] and (hours > _LONGEST_H or _stands_as_time(match)):
        return None  # "15h30" and "14h" are times
    minutes = int(hours * 60) + int(match["minutes"] or match["bare_minutes"] or 0)
    return Length(minutes) if 1 <= minutes <= 100_000 else None


CLAIMS: Final[tuple[Rule, ...]] = (
    rule(
        "address",
        "claim",
        r"https?://[^\s，。]{1,200}|(?<![\w.])[\w.+-]{1,40}@[a-z\d-]{1,40}\.[a-z\d.-]{1,40}",
        always(""),
        "@/",
    ),
    rule(
        "telephone number",
        "claim",
        r"(?<![\d-])(?:\+?\d{1,3}[ -])?(?:1[3-9]\d[ -]?\d{4}[ -]?\d{4}|0\d{2,3}[ -]\d{7,8}"
        r"|\d{3,4}-\d{3,4}-\d{4})(?![\d-])",
        always(""),
        (MANY_DIGITS,),
    ),
    rule(
        "full date",
        "day",
        r"(?<!\d)(?P<year>(?:19|20)\d\d)[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)日?",
        _full_date,
        "-/.",
    ),
    rule(
        "month/day/year",
        "day",
        r"(?<![\d/])(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>20\d\d)(?![\d/])",
        _month_day_year,
        "/",
    ),
    rule(
        "compact date",
        "day",
        r"(?<!\d)(?P<year>20\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d)",
        _full_date,
        (RUN_OF_5,),
    ),
    rule("long number", "claim", r"(?<![\d.])\d{5,4096}", always(""), (RUN_OF_5,)),
    rule(
        "decimal",
        "claim",
        r"(?<![\d.])(?<!\d:)\d{1,9}\.\d{1,9}%(?!\d)|(?<![a-z])v\d{1,3}\.\d{1,3}(?:\.\d{1,3})?(?![\d])|"
        r"(?<![a-z\d])q[1-4](?![a-z\d])",
        always(""),
        (".", "v", "q", "%"),
    ),
    rule(
        "room id",
        "room",
        r"(?<![a-z\d])(?!(?:at|by|to|in|on|of|am|pm|h)-?\d)[a-z]{1,2}-?\d{3,5}(?![a-z\d:])",
        lambda m: RoomNamed(m[0]),
        (RUN_OF_3,),
    ),
)

WHEN: Final[tuple[Rule, ...]] = (
    rule(
        "clock time",
        "time",
        rf"(?<![\d.])(?<!\d:)(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?::\d{{2}})?(?![\d:]){AM_PM}?",
        clock,
        ":",
        starts=FROM_NUMBER,
    ),
    rule(
        "clock time with h",
        "time",
        r"(?<![\d.a-z])(?<!\d:)(?P<hour>[01]?\d|2\d)h(?P<minute>[0-5]\d)?(?![\da-z])",
        _clock_with_h,
        "h",
        starts=FROM_NUMBER,
    ),
    rule(
        "hour with am or pm",
        "time",
        rf"(?<![\d.])(?<!\d:)(?P<hour>\d{{1,2}})(?:[.:](?P<minute>\d{{2}}))?{AM_PM}(?P<half_past>半(?![个天小]))?",
        clock,
        ("am", "pm", "a", "p"),
        starts=FROM_NUMBER,
    ),
    rule(
        "compact time with am or pm",
        "time",
        rf"(?<![\d.])(?<!\d:)(?P<hour>\d{{1,2}}?)(?P<minute>[0-5]\d){AM_PM}",
        clock,
        ("am", "pm", "a", "p"),
        starts=FROM_NUMBER,
    ),
    rule(
        "month/day",
        "day",
        r"(?<![\d/.])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/])",
        _month_day,
        "/",
        starts=FROM_NUMBER,
    ),
    rule(
        "month-day",
        "day",
        r"(?<![\d/.:-])(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9])(?![\d/:-])",
        _month_day,
        "-",
        starts=FROM_NUMBER,
    ),
)

LENGTHS: Final[tuple[Rule, ...]] = (
    rule(
        "length with unit letters",
        "length",
        r"(?<![\d.])(?:(?<![a-z])|(?<=[ap]m))(?<!\d:)(?:(?P<hours>\d{1,3}(?:\.\d{1,2})?) ?(?P<unit>h|hr"
        r"|hrs)(?![a-z](?![座栋]))"
        r"(?: ?(?P<minutes>\d{1,2}) ?(?:m|mins?)(?![a-z\d])| ?(?P<bare_minutes>[0-5]\d)(?![\d:/.月点时号-])"
        r"(?! ?(?:[个位名人]|ppl|pax|people|persons?|guys|seats|of us|[ap]\.?m)))?"
        r"|(?P<short>\d{1,4}) ?(?:m|min|mins)(?![a-z\d]))",
        _length,
        spread("h hr hrs m min mins"),
        starts=FROM_NUMBER,
    ),
)
