"""English words for hours: half past two, quarter to four, ten to five, at ten, fiveish, noon."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import Part
from booking_bot.language.en.numerals import HOUR_WORD, WORD, WORD_TOKENS, number
from booking_bot.language.rule import FROM_NUMBER, NUMBER, Rule, always, group_of, rule, spread
from booking_bot.language.shared import AM_PM, clock
from booking_bot.language.values import Hour, Value

_HALVES: Final[dict[str, Part]] = {"a": "morning", "p": "afternoon"}
_FRACTIONS: Final = {"half": 30, "quarter": 15, "a quarter": 15, "three quarters": 45, "three-quarters": 45}
_PREPOSITIONS: Final = (
    "at",
    "@",
    "by",
    "until",
    "till",
    "til",
    "from",
    "starting",
    "start",
    "starts",
    "beginning",
    "before",
    "than",
    "after",
    "around",
    "about",
    "approx",
    "circa",
)
_AFTER: Final = (
    r"(?:(?<![a-z])(?:at|by|until|till?|from|starting|starts?|beginning|before|after|than|around|about"
    r"|approx\.?|circa)|@) ?"
)
_H: Final = rf"(?P<hour>(?<![\d.])(?<!\d:)\d{{1,2}}(?![\d:])|(?<![a-z]){HOUR_WORD})"


def _past(match: re.Match[str]) -> Value:
    hour = number(match["hour"])
    said = match["minutes"].strip().removeprefix("a ")
    minutes = _FRACTIONS.get(said)
    if minutes is None:
        minutes = number(said)
    if hour is None or minutes is None or not 0 < minutes < 60 or not 1 <= hour <= 24:
        return None
    half = _HALVES[match["half"]] if match["half"] else None
    if match["way"] in ("to", "before", "til", "till", "of"):
        hour, minutes = (hour - 1 or 12 if hour <= 12 else hour - 1), 60 - minutes
    return Hour(hour % 24, minutes, half_of_day=half, exact=hour > 12)


def _spelled(match: re.Match[str]) -> Value:
    hour = number(match["hour"])
    said = group_of(match, "minutes")
    minutes = 0 if not said else number(said.removeprefix("oh ").removeprefix("o ")) if said != "o'clock" else 0
    if hour is None or minutes is None or not 1 <= hour <= 12 or minutes > 59:
        return None
    return Hour(hour, minutes, half_of_day=_HALVES[match["half"]] if match["half"] else None)


def _half_hour(match: re.Match[str]) -> Value:
    hour = number(match["hour"])
    if hour is None or not 1 <= hour <= 12:
        return None
    return Hour(hour, 30, half_of_day=_HALVES[match["half"]] if match["half"] else None)


def _bare(match: re.Match[str]) -> Value:
    said = match["hour"]
    if not said.isdigit():
        hour = number(said)
        return (
            Hour(hour, 0, approximate=bool(group_of(match, "about"))) if hour is not None and 1 <= hour <= 12 else None
        )
    if len(said) >= 3:
        hour, minute = int(said[:-2]), int(said[-2:])
        if hour > 23 or minute > 59:
            return None
        return Hour(hour, minute, exact=len(said) == 4 and (hour > 12 or said[0] == "0"))
    hour = int(said)
    if hour > 24:
        return None
    return Hour(hour, 0, exact=hour > 12 or hour == 0 or said[0] == "0", approximate=bool(group_of(match, "about")))


_HOUR_BEFORE: Final = re.compile(rf"(?<![a-z]){HOUR_WORD}[ -]$")


def _past_checked(match: re.Match[str]) -> Value:
    """Take "5 to 6" as a range, not as 5:55; with a fraction, or minutes that no hour has, it is a time."""
    said = match["minutes"].strip()
    if _HOUR_BEFORE.search(match.string, max(0, match.start() - 8), match.start()):
        return None  # "two thirty to four"
    plain = said.removeprefix("a ")
    if plain in _FRACTIONS:
        return _past(match)
    if _minutes_in_words(match):
        return _past_minutes(match, number(said) or 0)
    if match["way"] in ("before", "of", "til", "till") and "min" not in said:
        return None
    if match["way"] == "after" and "min" not in said and (said.isdigit() or match["hour"].isdigit()):
        return None  # "10 after 3" may be ten people
    minutes = number(said.split(" min")[0])
    if minutes is None or ("min" not in said and match["way"] == "to" and (minutes <= 12 or minutes % 5)):
        return None
    return _past_minutes(match, minutes)


_RANGE_BEGINS: Final = re.compile(r"(?<![a-z])(?:from|between|starting) $")
_AT_BEFORE: Final = re.compile(r"(?:(?<![a-z])at|@) ?$")


def _minutes_in_words(match: re.Match[str]) -> bool:
    """Tell "ten to five" from "ten to eleven": five or ten minutes, and no later hour after them, or "at" before."""
    said, hour = match["minutes"], number(match["hour"])
    if match["way"] != "to" or said not in ("five", "ten") or hour is None:
        return False
    text, start = match.string, match.start()
    if _RANGE_BEGINS.search(text, max(0, start - 9), start) is not None:
        return False
    return hour < (number(said) or 0) or _AT_BEFORE.search(text, max(0, start - 4), start) is not None


def _past_minutes(match: re.Match[str], minutes: int) -> Value:
    hour = number(match["hour"])
    if hour is None or not 0 < minutes < 60 or not 1 <= hour <= 12:
        return None
    half = _HALVES[match["half"]] if match["half"] else None
    if match["way"] in ("past", "after"):
        return Hour(hour, minutes, half_of_day=half)
    return Hour(hour - 1 or 12, 60 - minutes, half_of_day=half)


def _about(match: re.Match[str]) -> Value:
    hour = number(match["hour"])
    if hour is None or hour > 24:
        return None
    return Hour(hour, int(match["minutes"] or 0), exact=hour > 12, approximate=True)


TIMES: Final[tuple[Rule, ...]] = (
    rule(
        "minutes past or to the hour",
        "time",
        rf"(?<![a-z\d:.])(?P<minutes>half|a quarter|quarter|(?:\d{{1,2}}|{WORD})(?: minutes?| mins?)?) ?"
        rf"(?P<way>past|after|to|before|til|till|of) {_H}(?: ?o'? ?clock)?{AM_PM}?",
        _past_checked,
        spread("past after to before til till of"),
        starts=(NUMBER, "half", "a", "quarter"),
    ),
    rule(
        "half hour", "time", rf"(?<![a-z])half[ -]{_H}(?! ?h|-| (?:hours?|people|min)){AM_PM}?", _half_hour, ("half",)
    ),
    rule(
        "spelled hour and minutes",
        "time",
        rf"(?<![a-z])(?P<hour>{HOUR_WORD})[ -](?P<minutes>(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two"
        r"|three|four|five|six|seven|eight|nine))?(?![a-z])|ten(?![a-z])|fifteen|(?:oh|o) (?:five|nine|one"
        rf"|two|three|four|six|seven|eight))(?! ?-? ?(?:people|persons|ppl|min|hour)){AM_PM}?",
        _spelled,
        WORD_TOKENS,
        starts=FROM_NUMBER,
    ),
    rule(
        "spelled hour with am or pm",
        "time",
        rf"(?<![a-z])(?P<hour>{HOUR_WORD}){AM_PM}",
        _spelled,
        ("am", "pm", "a", "p"),
        starts=FROM_NUMBER,
    ),
    rule(
        "o'clock",
        "time",
        rf"{_H} ?o'? ?c?lock(?![a-z]){AM_PM}?",
        _spelled,
        ("clock", "oclock", "o"),
    ),
    rule(
        "about the hour",
        "time",
        rf"{_H}(?::(?P<minutes>[0-5]\d))?[- ]?ish(?![a-z])",
        _about,
        spread("ish oneish twoish threeish fourish fiveish tenish"),
    ),
    rule(
        "hour after a preposition",
        "time",
        rf"{_AFTER}(?P<about>(?:(?:around|about|approximately|roughly) )?)(?P<body>(?P<hour>"
        rf"(?<!\d)\d{{1,4}}(?![\d:/%a-z]|-\d|\.\d|[.:]\d)|{HOUR_WORD}))"
        r"(?! ?(?:[ap]\.?m?(?![a-z])|people|ppl|persons?|pax|of us|seats|guests|attendees|folks|hours?"
        r"|hrs?|min|minutes?|days?|weeks?|months?|rooms?|-? ?(?:person|seater)|(?:jan|feb|mar|apr|may|jun|jul"
        r"|aug|sep|oct|nov|dec)(?![a-z]{0,6} \d)|%|[楼座号月年人个位]))",
        _bare,
        _PREPOSITIONS,
        starts=_PREPOSITIONS,
    ),
    rule(
        "hour after a part of the day",
        "time",
        r"(?<![a-z])(?:morning|afternoon|evening|tonight|night),? (?P<body>(?P<hour>(?<!\d)\d{1,2}))"
        r"(?![\d:/%a-z-]|[.,]\d| ?(?:[ap]\.?m?(?![a-z])|to(?![a-z])|till?|until|through|and|or|-|~|[\u4e00-\u9fff]))",
        _bare,
        ("morning", "afternoon", "evening", "tonight", "night"),
    ),
    rule(
        "hour with a dot",
        "time",
        rf"{_AFTER}(?P<body>(?P<hour>\d{{1,2}})\.(?P<minute>[0-5]\d))(?!\d| ?(?:hours?|hrs?|h|km|k|%))",
        clock,
        _PREPOSITIONS,
        starts=_PREPOSITIONS,
    ),
    rule(
        "hour in a part of the day",
        "time",
        rf"(?<!room ){_H}(?= ?(?:o'?clock )?(?:(?:tomorrow|tmrw?|this) (?:morning|afternoon|evening)(?![a-z])"
        rf"|in the (?:early |late )?(?:morning|afternoon|evening)"
        r"|at night)(?![a-z]))",
        _bare,
        ("morning", "afternoon", "evening", "night"),
    ),
    rule(
        "military time",
        "time",
        r"(?<![\d.a-z-])(?<!\d:)(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d) ?(?:hrs|hours|h)(?![a-z])",
        clock,
        ("hrs", "hours", "h"),
        starts=FROM_NUMBER,
    ),
    rule("midnight", "time", r"(?<![a-z])midnight(?![a-z])", always(Hour(0, 0, exact=True)), ("midnight",)),
    rule(
        "noon",
        "time",
        r"(?<![a-z])(?:(?:12|twelve) )?(?:noon(?:ish)?|midday|mid-day)(?![a-z])",
        always(Hour(12, 0, exact=True)),
        ("noon", "noonish", "midday", "mid"),
    ),
)
