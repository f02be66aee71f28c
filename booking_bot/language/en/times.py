"""English words for hours and lengths: half past two, quarter to four, at ten, an hour and a half, in two hours."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.en.numerals import COUNT, HOUR_WORD, WORD, WORD_TOKENS, number
from booking_bot.language.rule import Rule, always, group_of, rule, spread
from booking_bot.language.shared import AM_PM, clock
from booking_bot.language.values import FromNow, Hour, Length, Part, Value

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


def _minutes(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    total = 0.0
    if groups.get("fixed"):
        fixed = groups["fixed"]
        return 45 if "three" in fixed or "3" in fixed else 15 if "quarter" in fixed else 30
    if groups.get("hours"):
        hours = _quantity(groups["hours"])
        if hours is None:
            return None
        total = hours * 60 + (30 if groups.get("and_half") else 0) + (15 if groups.get("and_quarter") else 0)
    if groups.get("minutes"):
        minutes = _quantity(groups["minutes"])
        if minutes is None:
            return None
        total += minutes
    return int(total) if 1 <= total <= 100_000 else None


def _quantity(said: str) -> float | None:
    said = said.strip()
    if said in ("a", "an", "one") or said.endswith(("full", "the next", "the whole")):
        return 1
    if "couple" in said:
        return 2
    try:
        return float(said)
    except ValueError:
        return number(said)


def _length(match: re.Match[str]) -> Value:
    minutes = _minutes(match)
    return Length(minutes) if minutes is not None else None


def _from_now(match: re.Match[str]) -> Value:
    minutes = _minutes(match)
    return FromNow(minutes) if minutes is not None and minutes <= 7 * 1440 else None


def _two_lengths(match: re.Match[str]) -> Value:
    first, second = number(match["first"]), number(match["second"])
    if first is None or second is None or not 0 < first < second <= 600:
        return None
    unit = 60 if match["unit"][0] == "h" else 1
    return Length(first * unit, or_else=second * unit)


_HOURS: Final = (
    rf"(?P<hours>(?:(?<![\d.])(?<!\d:)\d{{1,3}}(?:\.\d{{1,2}})?|(?<![a-z]){WORD}|(?<![a-z])an?(?: full)?|"
    r"(?<![a-z])the (?:next|whole)|(?<![a-z])(?:a )?couple(?: of)?))"
)
_LENGTH: Final = (
    r"(?:(?P<fixed>(?<![a-z])(?:half (?:an |a )?h(?:ou)?r|half-hour|half-an-hour|a half(?: an)? hour|"
    r"(?:a )?quarter(?: of)? an hour|three[- ]quarters of an hour|3/4 (?:of an )?hour)(?![a-z]))"
    rf"|{_HOURS}(?: (?:more|extra|additional))?[ -]?(?:(?P<and_half>and a half|and half|1/2)[ -])?"
    r"(?:hours?|hrs?|hour's)(?![a-z])"
    r"(?:(?P<and_half_after> and a half(?: hours?)?| and half)|(?P<and_quarter> and a quarter)|"
    rf"(?:,? and | |, )?(?P<minutes>(?<!\d)\d{{1,3}}|(?<=[a-z] ){WORD})[ -]?(?:minutes?|mins?|m)"
    r"(?![a-z]))?)"
).replace("and_half_after", "and_half2")
_MINUTES: Final = (
    rf"(?P<minutes>(?:(?<![\d.])(?<!\d:)\d{{1,4}}(?:\.\d{{1,2}})?|(?<![a-z]){WORD}))(?: (?:more|extra"
    r"|additional))?[ -]?(?:minutes?|mins?|mintues|minuts)(?![a-z])"
)
_UNITS: Final = ("hour", "hours", "hr", "hrs", "h", "minute", "minutes", "min", "mins", "mintues", "minuts")


def _with_half(match: re.Match[str]) -> int | None:
    minutes = _minutes(match)
    return minutes + 30 if minutes is not None and match["and_half2"] else minutes


def _hours_length(match: re.Match[str]) -> Value:
    minutes = _with_half(match)
    return Length(minutes) if minutes is not None else None


def _hours_from_now(match: re.Match[str]) -> Value:
    minutes = _with_half(match)
    return FromNow(minutes) if minutes is not None and minutes <= 7 * 1440 else None


LENGTHS: Final[tuple[Rule, ...]] = (
    rule("length in hours", "length", _LENGTH, _hours_length, _UNITS),
    rule("length in minutes", "length", _MINUTES, _length, _UNITS),
    rule(
        "hour and a half",
        "length",
        r"(?<![a-z\d-])(?:hour|hr) and a half(?![a-z])",
        always(Length(90)),
        ("hour", "hr"),
    ),
    rule(
        "hour long",
        "length",
        r"(?<![a-z\d-])(?:hour|hr)[- ]long(?![a-z])",
        always(Length(60)),
        ("hour", "hr"),
    ),
    rule(
        "an hour or two",
        "length",
        r"(?<![a-z])(?:an|one|1) (?:hour|hr) or (?:two|2)(?![a-z\d])",
        always(Length(60, or_else=120)),
        ("hour", "hr"),
    ),
    rule(
        "clock length",
        "length",
        r"(?<![\d.])(?P<hours>\d):(?P<minutes>[0-5]\d) ?(?:hours?|hrs?|h)(?![a-z])",
        _length,
        _UNITS,
    ),
    rule(
        "two lengths",
        "length",
        rf"(?P<first>{COUNT})(?: ?- ?| to | or )(?P<second>(?:\d{{1,3}}|{WORD})) ?(?P<unit>hours?|hrs?"
        r"|minutes?|mins?)(?![a-z])",
        _two_lengths,
        _UNITS,
    ),
    rule(
        "hours from now",
        "time",
        rf"(?<![a-z])in (?:about )?{_LENGTH}(?:'s?)?(?: time)?(?! meeting| slot| room)",
        _hours_from_now,
        _UNITS,
    ),
    rule("minutes from now", "time", rf"(?<![a-z])in (?:about )?{_MINUTES}(?:'s?)?(?: time)?", _from_now, _UNITS),
    rule(
        "hours from this moment",
        "time",
        rf"{_LENGTH} (?:from now|later|hence)(?![a-z])",
        _hours_from_now,
        ("now", "later", "hence"),
    ),
    rule(
        "minutes from this moment",
        "time",
        rf"{_MINUTES} (?:from now|later|hence)(?![a-z])",
        _from_now,
        ("now", "later", "hence"),
    ),
    rule(
        "half a day",
        "length",
        r"(?<![a-z])(?:(?P<half>half (?:a |the )?day|half-day)|all day|(?:the )?(?:whole|entire|full) day)(?![a-z])",
        lambda m: Length(240 if m["half"] else 480),
        ("day",),
    ),
)

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
    if match["way"] in ("after", "before", "of", "til", "till") and "min" not in said:
        return None
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
    if match["way"] == "past":
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
        rf"(?<![a-z\d:])(?P<minutes>half|a quarter|quarter|(?:\d{{1,2}}|{WORD})(?: minutes?| mins?)?) ?"
        rf"(?P<way>past|after|to|before|til|till|of) {_H}(?: ?o'? ?clock)?{AM_PM}?",
        _past_checked,
        spread("past after to before til till of"),
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
    ),
    rule(
        "spelled hour with am or pm",
        "time",
        rf"(?<![a-z])(?P<hour>{HOUR_WORD}){AM_PM}",
        _spelled,
        ("am", "pm", "a", "p"),
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
        rf"(?<!\d)\d{{1,4}}(?![\d:/%a-z-]|\.\d|[.:]\d)|{HOUR_WORD}))"
        r"(?! ?(?:[ap]\.?m?(?![a-z])|people|ppl|persons?|pax|of us|seats|guests|attendees|folks|hours?"
        r"|hrs?|min|minutes?|days?|weeks?|months?|rooms?|-? ?(?:person|seater)|jan|feb|mar|apr|may|jun|jul"
        r"|aug|sep|oct|nov|dec|%|[楼座号月年人个位]))",
        _bare,
        _PREPOSITIONS,
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
    ),
    rule(
        "hour in a part of the day",
        "time",
        rf"{_H}(?= ?(?:o'?clock )?(?:in the (?:early |late )?(?:morning|afternoon|evening)"
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
