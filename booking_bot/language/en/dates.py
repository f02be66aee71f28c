"""English words for days: tomorrow, next Friday, Dec 8, the 8th, in three days, Christmas; and parts of the day."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.dialogue.reading import Part
from booking_bot.language.en.numerals import COUNT, ORDINALS, number
from booking_bot.language.rule import NUMBER, Rule, always, group_of, rule, spread
from booking_bot.language.values import (
    DayOfMonth,
    Festival,
    MonthDay,
    RelativeDay,
    RelativeMonths,
    SameTime,
    Value,
    Weekday,
)

_WEEKDAY_NAMES: Final = (
    ("monday", "mon", "mondy", "munday", "moday"),
    ("tuesday", "tues", "tue", "tuseday", "teusday", "tusday", "tuesady"),
    ("wednesday", "weds", "wed", "wendesday", "wensday", "wednsday", "wedensday", "wednesdy", "wendsday"),
    ("thursday", "thurs", "thur", "thu", "thrusday", "thurday", "thursdy", "thurdsay", "thirsday"),
    ("friday", "fri", "firday", "fridy", "frday", "friady"),
    ("saturday", "sat", "saterday", "satruday", "saturdy"),
    ("sunday", "sun", "sundy", "sunady"),
)
_WEEKDAYS: Final = {name: i for i, names in enumerate(_WEEKDAY_NAMES, 1) for name in names}
_MONTH_NAMES: Final = (
    ("january", "jan"),
    ("february", "feb", "febuary"),
    ("march", "mar"),
    ("april", "apr"),
    ("may",),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sept", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec", "decmber", "decembre"),
)
_MONTHS: Final = {name: i for i, names in enumerate(_MONTH_NAMES, 1) for name in names}
_TOMORROW: Final = (
    "tomorrow",
    "tommorow",
    "tommorrow",
    "tomorow",
    "tomorrw",
    "tomoro",
    "tommorrw",
    "tomrrow",
    "tomarrow",
    "tmrw",
    "tmrrw",
    "tmr",
    "tmw",
    "tmo",
    "tomoz",
    "tmoro",
    "2moro",
    "2morrow",
    "2mrw",
    "2mro",
)
_PARTS: Final[dict[str, Part]] = {
    "morning": "morning",
    "morn": "morning",
    "am": "morning",
    "afternoon": "afternoon",
    "arvo": "afternoon",
    "pm": "afternoon",
    "evening": "evening",
    "night": "evening",
    "lunchtime": "noon",
}
_FESTIVALS: Final = {
    "new year's day": "new year",
    "new years day": "new year",
    "new year day": "new year",
    "christmas eve": "christmas eve",
    "christmas day": "christmas",
    "christmas": "christmas",
    "xmas": "christmas",
    "boxing day": "boxing day",
    "new year's eve": "december 31",
    "new years eve": "december 31",
    "national day": "national day",
    "labour day": "labour day",
    "labor day": "labour day",
    "spring festival": "spring festival",
    "chinese new year": "spring festival",
    "lunar new year": "spring festival",
    "mid-autumn festival": "mid-autumn",
    "mid autumn festival": "mid-autumn",
    "dragon boat festival": "dragon boat",
    "valentine's day": "valentine",
    "valentines day": "valentine",
}

_W: Final = "|".join(sorted(_WEEKDAYS, key=len, reverse=True))
_PLURALS: Final = "|".join(f"{names[0]}s" for names in _WEEKDAY_NAMES)
_M: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_T: Final = "|".join(sorted(_TOMORROW, key=len, reverse=True))
_ORD: Final = "|".join(sorted(ORDINALS, key=len, reverse=True))
_DAY: Final = rf"(?:(?P<day>(?<![\d:.])\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|\.\d)|(?P<word>{_ORD})(?![a-z]))"
_MONTH_TOKENS: Final = frozenset(_MONTHS)
_ALSO_WORDS: Final = ("sun", "sat", "wed")
_BEFORE_WORDS: Final = ("the ", "i ", "we ", "he ", "she ", "they ", "just ")
_WEEKDAY_TOKENS: Final = frozenset(_WEEKDAYS)


def _day_number(match: re.Match[str]) -> int | None:
    digits, word = group_of(match, "day"), group_of(match, "word") or group_of(match, "word2")
    day = int(digits) if digits else ORDINALS[word or ""]
    return day if 1 <= day <= 31 else None


def _month_day(match: re.Match[str]) -> Value:
    day = _day_number(match)
    if day is None:
        return None
    return MonthDay(_MONTHS[match["month"]], day, year=int(match["year"]) if match["year"] else None)


_HOUR_CUE: Final = re.compile(r"(?:(?<![a-z])(?:to|till?|until|at|for|from|by)|[@-]) ?$")
_DAY_AFTER_MONTH: Final = re.compile(r" \d{1,2}(?:st|nd|rd|th)?(?![\d:]|\.\d|-\d| ?(?:am|pm|a\.m|p\.m|o'?clock))")


def _day_and_month(match: re.Match[str]) -> Value:
    """Take "until 4 Dec 8" as Dec 8: the number before the month is an hour or a head count."""
    text, start = match.string, match.start()
    cue = _HOUR_CUE.search(text, max(0, start - 6), start)
    if cue is not None and _DAY_AFTER_MONTH.match(text, match.end()) is not None:
        return None
    return _month_day(match)


def _day_of_month(match: re.Match[str]) -> Value:
    day = _day_number(match)
    if day is None:
        return None
    return DayOfMonth(day, 1 if match["next"] else (0 if match["this"] else None))


def _weekday(match: re.Match[str]) -> Value:
    day = _WEEKDAYS[match["name"]]
    if match["name"] in _ALSO_WORDS and match.string[max(0, match.start() - 5) : match.start()].endswith(_BEFORE_WORDS):
        return None  # "the sun", "I sat"
    if match["name"] in _ALSO_WORDS and match.string.startswith("-", match.end("name")):
        return None  # "sun-dried"
    said = match["week"] or ""
    if match["after"]:
        said = match["after"]
    if "after next" in said:
        return Weekday(day, 2)
    if "next" in said or "nxt" in said or "following" in said or "下" in said:
        return Weekday(day, 1)
    if "this" in said or said[:1] in ("这", "本"):
        return Weekday(day, 0)
    if "last" in said:
        return Weekday(day, -1)
    return Weekday(day)


def _weekday_of_week(match: re.Match[str]) -> Value:
    return Weekday(_WEEKDAYS[match["name"]], 1 if match["week"] == "next" else 0)


def _week_from(match: re.Match[str]) -> Value:
    weeks = 2 if group_of(match, "two") else 1
    name = match["name"]
    if name in _TOMORROW:
        return RelativeDay(1 + 7 * weeks)
    if name in ("today", "now"):
        return RelativeDay(7 * weeks)
    return Weekday(_WEEKDAYS[name], weeks)


def _days_later(match: re.Match[str]) -> Value:
    said = match["n"] or match["m"]
    count = 1 if said in ("a", "an", "one") else 2 if "couple" in said else number(said)
    if count is None or not 0 < count <= 600:
        return None
    unit = match["unit"] or match["u"]
    if unit == "month":
        return RelativeMonths(count) if count <= 24 else None
    days = count * (1 if unit == "day" else 14 if unit == "fortnight" else 7)
    return RelativeDay(days) if days <= 3660 else None


DATES: Final[tuple[Rule, ...]] = (
    rule(
        "relative day",
        "day",
        rf"(?<![a-z])(?:(?P<two>(?:the )?day after (?:{_T})|overmorrow)|(?P<before>"
        rf"(?:the )?day before yesterday)|(?P<tomorrow>{_T})|(?P<yesterday>yesterday|yday)|today|2day)"
        r"(?:'s)?(?![a-z])(?! week)",
        lambda m: RelativeDay(
            2 if m["two"] else -2 if m["before"] else 1 if m["tomorrow"] else -1 if m["yesterday"] else 0
        ),
        (*_TOMORROW, "today", "yesterday", "yday", "overmorrow", "moro", "morrow", "mrw", "mro", "day"),
        starts=(*_TOMORROW, NUMBER, "the", "day", "today", "yesterday", "yday", "overmorrow"),
    ),
    rule(
        "the day after",
        "day",
        rf"(?<![a-z])(?:{_T})(?![a-z])[^.!?]{{0,20}}(?<![a-z])(?P<body>the (?:day after|next day|following day))"
        r"(?! tomorrow|'| [a-z]{3,} (?:meeting|call))(?![a-z])",
        always(RelativeDay(2)),
        ("day",),
    ),
    rule(
        "relative day with part of day",
        "day",
        r"(?<![a-z])(?:tonight|tonite|this (?P<part>morning|afternoon|evening))(?![a-z])",
        lambda m: RelativeDay(0, _PARTS[m["part"]] if m["part"] else "evening"),
        ("tonight", "tonite", "this"),
    ),
    rule(
        "weekday of a week",
        "day",
        rf"(?<![a-z])(?P<week>next|this) week(?:'s|,)? (?:on )?(?P<name>{_W})(?![a-z])",
        _weekday_of_week,
        ("week",),
    ),
    rule(
        "weekday",
        "day",
        r"(?<![a-z])(?:(?P<week>(?:this coming|this|next|nxt|coming|upcoming|last|past|following) "
        r"|[下这本]个?周? ?|(?:the )"
        rf"(?:coming|following|next) )?(?P<name>{_W})\.?(?![a-z'])(?P<after> (?:of "
        rf"|in )?(?:the )?"
        r"(?:next week|this week|week after next|following week)| after next(?! week))?)",
        _weekday,
        _WEEKDAY_TOKENS,
    ),
    rule(
        "a week from a day",
        "day",
        rf"(?<![a-z])(?:(?P<two>two|2) weeks|a week|one week|1 week) (?:from|after|on) (?P<name>{_W}|{_T}"
        r"|today|now)(?![a-z])",
        _week_from,
        ("week", "weeks"),
    ),
    rule(
        "a day week",
        "day",
        rf"(?<![a-z])(?P<name>{_W}|{_T}|today) week(?![a-z])",
        _week_from,
        ("week",),
    ),
    rule(
        "days or weeks from now",
        "day",
        rf"(?<![a-z])(?:in (?:about )?(?P<n>{COUNT}|an?|a couple of) (?P<unit>day|week|month|fortnight)s?"
        rf"(?:'s? time)?(?![a-z])|(?P<m>{COUNT}|an?) (?P<u>day|week|month|fortnight)s? (?:from (?:now"
        r"|today)|later|hence)(?![a-z]))",
        _days_later,
        spread("day days week weeks month months fortnight"),
        starts=(NUMBER, "in", "a", "an"),
    ),
    rule(
        "month and day",
        "day",
        rf"(?<![a-z])(?P<month>{_M})\.? ?(?:the )?{_DAY}(?! ?(?:pm|am|p\.m|a\.m|people|ppl|persons|pax"
        r"|hours?|mins?|o'?clock))(?:(?:,| |, )(?P<year>20\d\d)(?!\d))?",
        _month_day,
        _MONTH_TOKENS,
    ),
    rule(
        "day and month",
        "day",
        rf"(?<![a-z\d])(?:the )?{_DAY} ?(?:of )?(?P<month>{_M})\.?(?![a-z])(?:(?:,| |, )(?P<year>20\d\d)(?!\d))?",
        _day_and_month,
        _MONTH_TOKENS,
    ),
    rule(
        "day of the month",
        "day",
        r"(?<![a-z\d])(?:(?:on )?the )?(?P<day>(?<!\d)\d{1,2})(?:st|nd|rd|th)(?! ?"
        r"(?:floor|one|room|option|choice|street|avenue|quarter(?! (?:to|past|after))|anniversary|edition|grade"
        r"|time))(?:,? "
        r"(?:of )?(?:(?P<next>next month)|(?P<this>this month|the month)))?(?![a-z])",
        _day_of_month,
        ("st", "nd", "rd", "th"),
    ),
    rule(
        "spelled day of the month",
        "day",
        rf"(?<![a-z])(?:on the (?P<word>{_ORD})(?= (?:at|from|of (?:this|next) month)|\W*$)"
        rf"|the (?P<word2>{_ORD})(?= of (?:this|next) month))(?: of (?:(?P<next>next month)|"
        r"(?P<this>this month)))?",
        _day_of_month,
        spread(
            "first second third fourth fifth sixth seventh eighth ninth tenth twelfth eleventh twentieth "
            "thirtieth fifteenth"
        ),
    ),
    rule(
        "festival",
        "day",
        rf"(?<![a-z])(?:{'|'.join(sorted(_FESTIVALS, key=len, reverse=True))})(?![a-z])(?! (?:party|lunch"
        r"|dinner|break|holidays?|card))",
        lambda m: Festival(_FESTIVALS[m[0]]),
        spread("day christmas xmas eve festival year"),
    ),
    rule(
        "part of the day",
        "part",
        r"(?<![a-z])(?:in the (?:early |late )?(?:morning|afternoon|evening)|at night(?! ?\d)"
        r"|early morning|(?<!good )(?:morning|morn|afternoon|arvo|evening|night))(?![a-z])",
        lambda m: _PARTS[m[0].rsplit(" ", 1)[-1]],
        spread("morning morn afternoon arvo evening night"),
    ),
)


VAGUE: Final[tuple[Rule, ...]] = (
    rule("before a window", "claim", r"(?<![a-z])some ?time(?= between)", always(""), ("sometime", "some")),
    rule(
        "same time",
        "vague",
        r"(?<![a-z])(?<!not )(?<!not the )(?:at )?(?:the )?same (?:time(?: slot)?|hour|slot)(?! (?:we|i|you|they)\b)"
        r"(?: as (?:before|(?P<last>last time|(?:my |the )?(?:last|previous) (?:one|time|booking|meeting))))?(?![a-z])",
        lambda match: SameTime(of_a_booking=match["last"] is not None),
        ("same",),
    ),
    rule(
        "vague day or time",
        "vague",
        r"(?<![a-z])(?:(?:the )?(?:end|start|beginning|middle) of (?:the |next |this )?(?:day|week|month"
        r"|year|quarter)|eod|eow|eom|cob|(?:this|next|on the|the)? ?weekend|next (?:week|month|year"
        r"|quarter)|this (?:week|month|quarter|year)"
        r"|(?<!not )(?<!say )later(?: (?:this week|on))?(?! today| tomorrow| than)"
        r"|sometime(?: (?:soon|next week|this week))?(?! (?:today|tomorrow|on |between))|some time(?! between)|soon"
        r"|asap"
        rf"|as soon as possible|after lunch|before lunch|over lunch|lunch ?time|first thing"
        rf"|(?:every|each)(?: other| second| single)? ?(?:day|{_W}|week|month|weekday|work ?day|morning|afternoon"
        r"|evening)s?|(?:the )?same (?:time|day|date|hour|slot)(?: as (?:last time|before|last week|yesterday))?"
        rf"|(?:{_PLURALS})(?:(?:,| and|,? or) (?:{_PLURALS})){{0,4}}"
        r"|bi-?weekly|fortnightly"
        rf"|(?:daily|weekly|monthly) on (?:{_W})s?|(?:daily|weekly|monthly)(?! (?:\w+ )?(?:sync|meeting|review"
        rf"|stand|team|call|report|catch"
        r"|update|planning|1|one))|(?:a )?few days|in a (?:bit|while|moment|few minutes)|for a while"
        r"|a while|one of these days|workday|weekday|thanksgiving|any ?time|whenever|after (?:work|hours)|dawn"
        r"|dusk|sunset|sunrise|tea ?time|dinner ?time|brunch"
        r"|(?:around|at|before|after|over|during) (?:lunch|dinner|breakfast|tea|brunch)|some ?day|one day|the other day"
        r"|(?:over |during )?the holidays?|(?:in )?the new year(?!'?s)|(?:at )?(?:the |my |our )?usual time"
        r"|close of business"
        rf"|(?:the )?week after next|(?:the|an?|one|two|three|\d{{1,2}}) (?:working |business )?(?:day"
        rf"|week)s? (?:before|after)"
        rf" (?!{_T}|today|now)(?:next |this )?[a-z']{{2,15}}"
        rf"|(?:the )?(?:first|second|third|fourth|last) (?:{_W}|week|half) (?:of|in) (?:the |this "
        rf"|next )?(?:month|week|year|{_M})"
        r"|easter|halloween|ramadan|diwali|(?:in"
        rf"|for|during|early|late|mid) (?:{_M})(?! ?\d|[a-z])|after (?:the )?(?:meeting|standup|stand-up"
        r"|call)|when(?:ever)? (?:he|she|they|it|you|everyone)[a-z ']{1,20}|winter|summer|spring"
        r"(?! fest)|autumn)(?![a-z])",
        lambda m: m[0],
        spread(
            "end start beginning middle eod eow eom cob weekend next this later sometime some soon asap "
            "lunch lunchtime first every each everyday same bi biweekly fortnightly daily weekly monthly few in "
            "while days workday weekday "
            "mondays tuesdays wednesdays thursdays fridays saturdays sundays thanksgiving any anytime whenever "
            "dawn dusk sunset sunrise tea teatime dinner brunch breakfast "
            "someday one other holiday "
            "holidays usual close the a an two three second third fourth last easter halloween ramadan diwali "
            "for during early late mid after when whenever "
            "winter summer spring autumn"
        ),
    ),
)
