"""A length that is to lie between two hours is no range: the length stays and the start is asked about."""

from __future__ import annotations

import datetime as dt

import pytest

from booking_bot.language.reader import read
from tests.language.office import context


@pytest.mark.parametrize(
    ("text", "minutes", "starts"),
    [
        ("明天下午2点到4点之间找个一小时的空档", 60, ("14:00", "14:30", "15:00")),
        ("明天2点到4点之间，半小时", 30, ("14:00", "14:30", "15:00", "15:30")),
        ("明天下午2点到6点中间开90分钟的会", 90, ("14:00", "15:00", "16:00")),
        ("明天上午9点到12点期间，1小时", 60, ("09:00", "09:30", "10:00", "10:30", "11:00")),
        ("明天找个两小时，9点到18点之间", 120, ("09:00", "11:00", "13:00", "15:00")),
        ("an hour sometime between 2 and 4 tomorrow", 60, ("14:00", "14:30", "15:00")),
        ("tomorrow between 2pm and 4pm for 30 minutes", 30, ("14:00", "14:30", "15:00", "15:30")),
        ("a 90 minute gap between 2pm and 6pm tomorrow", 90, ("14:00", "15:00", "16:00")),
        ("tomorrow between 9am and noon, 1 hour", 60, ("09:00", "09:30", "10:00", "10:30", "11:00")),
        ("2 hours between 9am and 6pm tomorrow", 120, ("09:00", "11:00", "13:00", "15:00")),
    ],
)
def test_the_starts_in_a_window_are_asked_about(text: str, minutes: int, starts: tuple[str, ...]) -> None:
    reading = read(text, context())
    assert (reading.values.start_time, reading.values.duration_minutes) == (None, minutes)
    assert reading.values.date == dt.date(2026, 12, 1)
    assert [(a.slot, a.readings) for a in reading.ambiguous] == [("start_time", starts)]
    assert reading.unread == ()


@pytest.mark.parametrize(
    "text",
    ["明天下午2点到4点之间", "明天下午2点到4点之间，两小时", "between 2pm and 4pm", "between 2pm and 4pm, 2 hours"],
)
def test_two_hours_without_a_shorter_length_are_a_range(text: str) -> None:
    reading = read(text, context())
    assert (reading.values.start_time, reading.values.duration_minutes) == (dt.time(14), 120)
    assert reading.ambiguous == ()
