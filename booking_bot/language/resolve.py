"""All arithmetic on days and hours, in one place and free of any language."""

from __future__ import annotations

import calendar
import datetime as dt
from typing import Final

from booking_bot.dialogue.reading import Part
from booking_bot.language.holidays import festival_date
from booking_bot.language.values import (
    Day,
    DayOfMonth,
    Festival,
    Hour,
    MonthDay,
    RelativeDay,
    RelativeMonths,
    Weekday,
)

DAY: Final = 1440
_HALF: Final = 720
_PART_ENDS: Final[dict[Part, int]] = {"dawn": 360, "morning": 720, "noon": 840, "afternoon": 1080, "evening": 1440}
"""Minute of the day at which a part of the day is over."""


def date_of(day: Day, now: dt.datetime, start: int | None, part: Part | None) -> dt.date | None:
    """Turn a day as said into a date.

    Args:
        now: the wall clock at reading time.
        start: minute of the day that was said with it, if any; decides whether "Monday" on a Monday is today.
        part: part of the day that was said with it, used when there is no `start`.

    Returns:
        The date, or None when there is no such day (31 June) or it is not known (a lunar festival years ahead).
    """
    today = now.date()
    try:
        match day:
            case RelativeDay():
                return today + dt.timedelta(days=day.days)
            case RelativeMonths():
                return _months_later(today, day.months, today.day, clip=True)
            case Weekday():
                return _weekday(day, now, start, part)
            case DayOfMonth():
                return _day_of_month(day, today)
            case MonthDay():
                return _month_day(day, today)
            case Festival():
                return _festival(day, today)
    except (ValueError, OverflowError):
        return None


def is_open(hour: Hour) -> bool:
    """Tell whether an hour still has two readings on the clock face."""
    return not hour.exact and hour.half_of_day is None and 1 <= hour.hour <= 12


def readings(hour: Hour) -> tuple[int, ...]:
    """Give the minutes of the day that an hour can mean, the likelier first when its part of the day is odd."""
    h, m = hour.hour, hour.minute
    if hour.exact or h > 12 or h == 0:
        return (h % 24 * 60 + m,)
    early, late = h % 12 * 60 + m, h % 12 * 60 + m + _HALF
    match hour.half_of_day:
        case None:
            return early, late
        case "dawn":
            return (early,)
        case "morning":
            return (late,) if h == 12 else (early,)
        case "noon":
            return (late,) if h == 12 or h <= 3 else (early,)
        case "afternoon":
            return (late,)
        case "evening":
            return (early, late) if h == 12 or h <= 4 else (late,)


def minute_of(hour: Hour, usual_from: int, *, ending: bool = False) -> int | None:
    """Settle an hour by the twelve usual hours; None when its words say two things ("晚上12点").

    Args:
        usual_from: minute of the day at which the usual hours begin; half-open for a start, for an end the other way.
        ending: the hour is an end.
    """
    possible = readings(hour)
    if len(possible) == 1:
        return possible[0]
    if hour.half_of_day is not None:
        return None
    return next((p for p in possible if _is_usual(p, usual_from, ending=ending)), possible[0])


def first_after(hour: Hour, start: int) -> int:
    """Give the first minute after `start` that the hour can mean; past midnight it counts on over 1440."""
    return start + min((p - start) % DAY or DAY for p in readings(hour))


def pair(start: Hour, end: Hour, usual_from: int) -> tuple[int, int]:
    """Resolve a range as a pair.

    A mark on either side is shared unless that puts the end before the start; an unmarked end is the first reading
    after the start.

    Returns:
        The start in minutes after midnight and the length in minutes, 1 … 1440.
    """
    if is_open(start) and not is_open(end):
        begin = _shared_start(start, end, usual_from)
    else:
        settled = minute_of(start, usual_from)
        begin = readings(start)[0] if settled is None else settled
    finish = first_after(end, begin)
    if finish > DAY and is_open(end) and start.half_of_day == "afternoon" and begin < _PART_ENDS["afternoon"]:
        finish = max(readings(end)) + DAY  # "下午三点到两点" is a slip, not a night; the house rules will object
    return begin, (finish - begin) % DAY or DAY


def _shared_start(start: Hour, end: Hour, usual_from: int) -> int:
    finish = readings(end)[0]
    early, late = readings(start)
    if end.exact or end.hour > 12:
        usual = minute_of(start, usual_from)
        if usual is not None and usual < (finish or DAY):
            return usual
    elif end.half_of_day is not None:
        shared = late if finish >= _HALF else early
        if shared < finish:
            return shared
    before = [p for p in (early, late) if p < (finish or DAY)]
    return max(before) if before else late


def _is_usual(minute: int, usual_from: int, *, ending: bool) -> bool:
    since = (minute - usual_from) % DAY
    return 0 < since <= _HALF if ending else since < _HALF


def _weekday(day: Weekday, now: dt.datetime, start: int | None, part: Part | None) -> dt.date:
    today = now.date()
    if day.weeks is not None:
        monday = today - dt.timedelta(days=today.weekday())
        return monday + dt.timedelta(days=7 * day.weeks + day.day - 1)
    ahead = (day.day - today.isoweekday()) % 7
    if ahead == 0:
        minute = now.hour * 60 + now.minute
        over = start if start is not None else _PART_ENDS[part] if part is not None else DAY
        if over <= minute:
            ahead = 7
    return today + dt.timedelta(days=ahead)


def _day_of_month(day: DayOfMonth, today: dt.date) -> dt.date | None:
    if day.months is not None:
        return _months_later(today, day.months, day.day)
    for months in range(4):
        date = _months_later(today, months, day.day)
        if date is not None and date >= today:
            return date
    return None


def _month_day(day: MonthDay, today: dt.date) -> dt.date | None:
    if day.year is not None:
        return dt.date(day.year, day.month, day.day)
    if day.years is not None:
        return dt.date(today.year + day.years, day.month, day.day)
    for year in range(today.year, today.year + 5):
        try:
            date = dt.date(year, day.month, day.day)
        except ValueError:
            continue
        if date >= today:
            return date
    return None


def _festival(day: Festival, today: dt.date) -> dt.date | None:
    if day.years is not None:
        return festival_date(day.key, today.year + day.years)
    this_year = festival_date(day.key, today.year)
    if this_year is not None and this_year >= today:
        return this_year
    return festival_date(day.key, today.year + 1)


def _months_later(today: dt.date, months: int, day: int, *, clip: bool = False) -> dt.date | None:
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    if day > last and not clip:
        return None
    return dt.date(year, month + 1, min(day, last))
