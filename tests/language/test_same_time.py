"""A time that is pointed at is read where it is plain whose it is, with the user's words as evidence."""

from __future__ import annotations

import datetime as dt

import pytest

from booking_bot.dialogue.model import Booking, Filled, Pending, Slots
from booking_bot.language.reader import read
from tests.language.office import context

BOOKED = Booking(
    id="b1",
    room_id="R1001",
    date=dt.date(2026, 12, 1),
    start_time=dt.time(15),
    minutes=90,
    people=8,
    organizer="alice",
)
DRAFT = Slots(start_time=Filled[dt.time](value=dt.time(10)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("后天同样的时间", "同样的时间"),
        ("后天，跟上次一样的时间", "跟上次一样的时间"),
        ("和上次同样的时间，后天", "和上次同样的时间"),
        ("后天同一时间段", "同一时间段"),
        ("后天老时间", "老时间"),
        ("后天，时间不变", "时间不变"),
        ("后天，时间跟上次一样", "时间跟上次一样"),
        ("same time the day after tomorrow", "same time"),
        ("the day after tomorrow at the same time", "at the same time"),
        ("the day after tomorrow, same time as last time", "same time as last time"),
        ("the same slot as before, the day after tomorrow", "the same slot as before"),
        ("the day after tomorrow, same time as my last meeting", "same time as my last meeting"),
        ("same time slot, the day after tomorrow", "same time slot"),
    ],
)
def test_the_time_of_the_last_booking_is_taken_with_its_length(text: str, words: str) -> None:
    reading = read(text, context(last_booking=BOOKED))
    assert (reading.values.start_time, reading.values.duration_minutes) == (dt.time(15), 90)
    assert reading.values.date == dt.date(2026, 12, 2)
    assert (reading.words_of("start_time"), reading.words_of("duration_minutes")) == (words, words)


@pytest.mark.parametrize("text", ["后天同样的时间", "same time the day after tomorrow"])
def test_the_time_of_the_draft_comes_before_that_of_a_booking(text: str) -> None:
    reading = read(text, context(last_booking=BOOKED, pending=Pending.SELECT_ROOM, slots=DRAFT))
    assert (reading.values.start_time, reading.values.duration_minutes) == (dt.time(10), None)
    assert reading.unread == ()


@pytest.mark.parametrize("text", ["后天跟上次一样的时间", "the day after tomorrow, same time as last time"])
def test_last_time_is_the_booking_and_not_the_draft(text: str) -> None:
    reading = read(text, context(last_booking=BOOKED, pending=Pending.SELECT_ROOM, slots=DRAFT))
    assert reading.values.start_time == dt.time(15)


@pytest.mark.parametrize(
    "text", ["后天同样的时间", "后天跟上次一样的时间", "same time tomorrow", "tomorrow, same time as last time"]
)
def test_with_nothing_to_point_at_the_words_are_a_time_not_understood(text: str) -> None:
    reading = read(text, context())
    assert reading.values.start_time is None
    assert len(reading.unread_when) == 1


@pytest.mark.parametrize(
    "text",
    [
        "后天不一样的时间",
        "后天同样的时间，下午4点",
        "not the same time, the day after tomorrow",
        "the day after tomorrow, same time, 4pm",
        "the day after tomorrow, at the same time we need a projector",
    ],
)
def test_another_time_is_not_taken_for_the_same(text: str) -> None:
    reading = read(text, context(last_booking=BOOKED))
    assert reading.values.start_time in (None, dt.time(16))
    assert reading.values.duration_minutes is None


@pytest.mark.parametrize(
    "text", ["把明天的会改到后天同样的时间", "move tomorrow's meeting to the day after tomorrow, same time"]
)
def test_a_booking_that_moves_keeps_its_own_time(text: str) -> None:
    reading = read(text, context(last_booking=BOOKED))
    assert (reading.values.date, reading.values.start_time) == (dt.date(2026, 12, 2), None)
    assert reading.unread == ()
