"""`--update` writes what was seen into the file, each value in its own place."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from booking_bot.transcripts.replay import replay
from booking_bot.turns import work
from tests.transcripts.writing import HEAD, file_of

WRONG = """\
steps:
# what is said first
- user: "明天下午2点，8人，1小时"   # with a note
  expect: {phase: BOOKED, slots: {start_time: "15:00", building: A}, slots_absent: [date, building],
           options: 1, pending: null, reply: {has: ["R1001", "预定成功"], lacks: ["R1002", "R9"]}}
- user: "选1"
  expect:
    room: R1002
    actions: [search_rooms]
    bookings: 7   # far too many
- user: "确认"
end: {bookings: [{room: R1002, minutes: 60}]}
"""
RIGHT = """\
steps:
# what is said first
- user: "明天下午2点，8人，1小时"   # with a note
  expect: {phase: "AWAITING_SELECTION", slots: {"start_time": "14:00"}, slots_absent: ["building"],
           options: 3, pending: "select_room", reply: {"has": ["R1001"], "lacks": ["R9"]}}
- user: "选1"
  expect:
    room: "R1001"
    actions: []
    bookings: 0   # far too many
- user: "确认"
end: {bookings: [{"room": "R1001", "minutes": 60}]}
"""


async def test_values_that_differ_are_replaced_and_the_layout_stays(tmp_path: Path) -> None:
    path = file_of(tmp_path, WRONG)
    out = io.StringIO()
    assert await replay([path], out=out, update=True) == 0
    assert path.read_text("utf-8") == HEAD + RIGHT
    assert out.getvalue().splitlines()[0] == f"UPDATED {path}"
    assert await replay([path], out=io.StringIO()) == 0


async def test_what_is_right_is_not_touched(tmp_path: Path) -> None:
    path = file_of(tmp_path, RIGHT)
    before = path.stat().st_mtime_ns
    assert await replay([path], out=io.StringIO(), update=True) == 0
    assert path.stat().st_mtime_ns == before


async def test_a_broken_invariant_is_never_written_down_as_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "write", lambda *_: "预定成功！")
    path = file_of(tmp_path, 'steps:\n- user: "你好"\n  expect: {phase: COLLECTING_SLOTS}\n')
    before = path.read_text("utf-8")
    assert await replay([path], out=io.StringIO(), update=True) == 1
    assert path.read_text("utf-8") == before
