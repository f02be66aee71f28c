"""English words for lengths, and for moments so long from now: an hour and a half, 90 min, in two hours."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.en.numerals import COUNT, HOUR_WORD, WORD, number
from booking_bot.language.rule import FROM_NUMBER, NUMBER, Rule, always, rule
from booking_bot.language.values import FromNow, Length, Value


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
    r"(?:(?P<fixed>(?<![a-z])(?:half ?(?:an |a )?h(?:ou)?r|half-hour|half-an-hour|a half(?: an)? hour|"
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
    rf"(?! (?:past|to|after|before) (?:\d{{1,2}}(?![\d:])|{HOUR_WORD})(?! ?(?:min|h)))"
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
    rule(
        "length in hours",
        "length",
        _LENGTH,
        _hours_length,
        _UNITS,
        starts=(NUMBER, "a", "an", "half", "halfan", "quarter", "the", "couple"),
    ),
    rule(
        "length in minutes",
        "length",
        _MINUTES,
        _length,
        _UNITS,
        starts=(NUMBER, "a"),
    ),
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
        starts=FROM_NUMBER,
    ),
    rule(
        "two lengths",
        "length",
        rf"(?P<first>{COUNT})(?: ?- ?| to | or )(?P<second>(?:\d{{1,3}}|{WORD})) ?(?P<unit>hours?|hrs?"
        r"|minutes?|mins?)(?![a-z])",
        _two_lengths,
        _UNITS,
        starts=(NUMBER, "a"),
    ),
    rule(
        "hours from now",
        "time",
        rf"(?<![a-z])in (?:about )?{_LENGTH}(?:'s?)?(?: time)?(?! meeting| slot| room)",
        _hours_from_now,
        _UNITS,
        starts=("in",),
    ),
    rule(
        "minutes from now",
        "time",
        rf"(?<![a-z])in (?:about )?{_MINUTES}(?:'s?)?(?: time)?",
        _from_now,
        _UNITS,
        starts=("in",),
    ),
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
