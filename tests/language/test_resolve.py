"""The arithmetic of days and hours, where a mistake would be silent."""

from __future__ import annotations

import datetime as dt

import pytest

from booking_bot.language.resolve import date_of, first_after, minute_of, pair
from booking_bot.language.values import Day, DayOfMonth, Festival, Hour, MonthDay, RelativeDay, RelativeMonths, Weekday

EIGHT = 8 * 60
MONDAY = "2026-11-30T09:10"


@pytest.mark.parametrize(
    ("day", "now", "date"),
    [
        (RelativeDay(3), MONDAY, "2026-12-03"),
        (RelativeDay(10**9), MONDAY, None),
        (RelativeMonths(3), MONDAY, "2027-02-28"),
        (Weekday(1), MONDAY, "2026-11-30"),
        (Weekday(1, 1), MONDAY, "2026-12-07"),
        (Weekday(7, 0), "2026-12-06T20:00", "2026-12-06"),
        (Weekday(3), "2026-12-06T20:00", "2026-12-09"),
        (DayOfMonth(31), MONDAY, "2026-12-31"),
        (DayOfMonth(30), MONDAY, "2026-11-30"),
        (DayOfMonth(29), MONDAY, "2026-12-29"),
        (DayOfMonth(31, 0), MONDAY, None),
        (MonthDay(2, 29), MONDAY, "2028-02-29"),
        (MonthDay(2, 30), MONDAY, None),
        (MonthDay(1, 1, year=2027), MONDAY, "2027-01-01"),
        (MonthDay(1, 1), "2026-12-30T10:00", "2027-01-01"),
        (Festival("new year"), MONDAY, "2027-01-01"),
        (Festival("spring festival"), "2026-01-10T09:00", "2026-02-17"),
        (Festival("new year's eve"), "2026-01-10T09:00", "2026-02-16"),
        (Festival("mid-autumn"), "2026-01-10T09:00", "2026-09-25"),
        (Festival("spring festival"), "2039-01-10T09:00", None),
    ],
)
def test_a_day_is_its_date_or_none(day: Day, now: str, date: str | None) -> None:
    found = date_of(day, dt.datetime.fromisoformat(f"{now}+08:00"), None, None)
    assert (found.isoformat() if found else None) == date


@pytest.mark.parametrize(("start", "date"), [(9 * 60, "2026-12-07"), (9 * 60 + 30, "2026-11-30"), (550, "2026-12-07")])
def test_monday_on_a_monday_is_today_only_while_its_hour_is_ahead(start: int, date: str) -> None:
    now = dt.datetime.fromisoformat(f"{MONDAY}+08:00")
    assert date_of(Weekday(1), now, start, None) == dt.date.fromisoformat(date)


@pytest.mark.parametrize(("hour", "minute"), [(8, 480), (7, 1140), (12, 720), (3, 900), (1, 780), (10, 600)])
def test_a_bare_hour_is_read_within_the_usual_hours(hour: int, minute: int) -> None:
    assert minute_of(Hour(hour), EIGHT) == minute


def test_an_end_at_eight_is_in_the_evening() -> None:
    assert minute_of(Hour(8), EIGHT, ending=True) == 1200


def test_twelve_at_night_is_asked() -> None:
    assert minute_of(Hour(12, half_of_day="evening"), EIGHT) is None


PM, AM = "afternoon", "morning"


@pytest.mark.parametrize(
    ("start", "end", "begins", "minutes"),
    [
        (Hour(2), Hour(3, 30, PM), 840, 90),
        (Hour(11), Hour(1, 0, PM), 660, 120),
        (Hour(9), Hour(11, 0, AM), 540, 120),
        (Hour(3, 0, PM), Hour(5), 900, 120),
        (Hour(11, 0, AM), Hour(1), 660, 120),
        (Hour(9), Hour(5), 540, 480),
        (Hour(9), Hour(17, exact=True), 540, 480),
        (Hour(8), Hour(21, exact=True), 480, 780),
        (Hour(11, 0, "evening"), Hour(1), 1380, 120),
        (Hour(10, 0, "evening"), Hour(12), 1320, 120),
        (Hour(22, exact=True), Hour(0, exact=True), 1320, 120),
        (Hour(3), Hour(3), 900, 720),
        (Hour(14, exact=True), Hour(14, exact=True), 840, 1440),
    ],
)
def test_a_range_is_resolved_as_a_pair(start: Hour, end: Hour, begins: int, minutes: int) -> None:
    assert pair(start, end, EIGHT) == (begins, minutes)


def test_the_first_reading_after_a_start_counts_on_past_midnight() -> None:
    assert first_after(Hour(1), 23 * 60) == 25 * 60
