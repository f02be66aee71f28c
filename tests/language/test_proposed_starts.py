"""A bare hour is read as the start that was proposed, where one of those proposed has it."""

from __future__ import annotations

import datetime as dt

import pytest

from booking_bot.language.reader import read
from tests.language.office import context


@pytest.mark.parametrize(
    ("text", "proposed", "start"),
    [
        ("那就7点半", ("07:30",), "07:30"),
        ("那8点", ("20:00",), "20:00"),
        ("八点也行", ("20:00",), "20:00"),
        ("9点吧", ("08:00", "21:00"), "21:00"),
        ("7:30 then", ("07:30",), "07:30"),
        ("ok, 8 o'clock", ("20:00",), "20:00"),
        ("at 8 then", ("20:00",), "20:00"),
        ("早上8点", ("20:00",), "08:00"),
        ("8 am please", ("20:00",), "08:00"),
        ("19:30", ("07:30",), "19:30"),
        ("2点半", ("20:00",), "14:30"),
        ("3点", ("03:00", "15:00"), "15:00"),
        ("那8点", (), "08:00"),
    ],
)
def test_a_bare_hour_means_the_start_proposed(text: str, proposed: tuple[str, ...], start: str) -> None:
    starts = tuple(map(dt.time.fromisoformat, proposed))
    reading = read(text, context(while_="start_time", proposed_starts=starts))
    assert reading.values.start_time == dt.time.fromisoformat(start)
