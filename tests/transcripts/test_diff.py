"""A transcript that expects something else fails, on each key, with the type of what differs."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from booking_bot.transcripts.diff import Difference
from booking_bot.transcripts.replay import replay, replay_one
from tests.transcripts.writing import BOOKING, file_of, source_of

FIRST = 'steps:\n- user: "明天下午2点，8人，1小时"\n  expect: {%s}\n'
READ_BACK = 'steps:\n- user: "明天下午2点，8人，1小时"\n- user: "选1"\n  expect: {%s}\n'

WRONG = {
    "phase": (FIRST % "phase: BOOKED", "PHASE", "phase"),
    "slots": (FIRST % 'slots: {start_time: "15:00"}', "SLOTS", "slots.start_time"),
    "slots of another type": (FIRST % "slots: {capacity: 10}", "SLOTS", "slots.capacity"),
    "a slot without a value": (FIRST % "slots: {building: A}", "SLOTS", "slots.building"),
    "slots_absent": (FIRST % "slots_absent: [date]", "SLOTS", "slots_absent.date"),
    "pending": (FIRST % "pending: confirm", "PENDING", "pending"),
    "pending none": (FIRST % "pending: null", "PENDING", "pending"),
    "asks": (FIRST % "asks: date", "PENDING", "asks"),
    "options": (FIRST % "options: 2", "OPTIONS", "options"),
    "room": (READ_BACK % "room: R1002", "OPTIONS", "room"),
    "room none": (READ_BACK % "room: null", "OPTIONS", "room"),
    "actions": (FIRST % "actions: []", "ACTIONS", "actions"),
    "actions in order": (FIRST % "actions: [search_rooms, search_rooms]", "ACTIONS", "actions"),
    "llm_calls": (FIRST % "llm_calls: 1", "ACTIONS", "llm_calls"),
    "bookings": (FIRST % "bookings: 1", "BOOKINGS", "bookings"),
    "reply.has": (FIRST % "reply: {has: [预定成功]}", "REPLY", "reply.has"),
    "reply.lacks": (FIRST % "reply: {lacks: [R1001]}", "REPLY", "reply.lacks"),
}
BOOKED = {"room": "R1001", "date": "2026-12-01", "start": '"14:00"', "minutes": "60", "organizer": "tester"}
WRONG_END = {
    "room": "R1002",
    "date": "2026-12-02",
    "start": '"14:30"',
    "minutes": "90",
    "organizer": "alice",
    "status": "cancelled",
}


@pytest.mark.parametrize(("text", "kind", "key"), WRONG.values(), ids=WRONG)
async def test_a_wrong_expectation_is_one_difference_of_its_type(text: str, kind: str, key: str) -> None:
    result = await replay_one(source_of(text))
    assert [(d.type, d.key) for d in result.differences] == [(kind, key)]


@pytest.mark.parametrize("key", WRONG_END)
async def test_a_booking_that_ends_otherwise_is_missing_and_one_too_many(key: str) -> None:
    wanted = ", ".join(f"{name}: {value}" for name, value in (BOOKED | {key: WRONG_END[key]}).items())
    result = await replay_one(source_of(f"{BOOKING}end: {{bookings: [{{{wanted}}}]}}\n"))
    assert [(d.type, d.key, d.step) for d in result.differences] == [("BOOKINGS", "end.bookings", 0)] * 2
    assert result.differences[0].got is None
    assert result.differences[1].expected is None


async def test_a_booking_nobody_expects_at_the_end_is_a_difference() -> None:
    result = await replay_one(source_of(f"{BOOKING}end: {{bookings: []}}\n"))
    assert [d.type for d in result.differences] == ["BOOKINGS"]


async def test_without_an_end_the_bookings_are_not_compared() -> None:
    assert (await replay_one(source_of(BOOKING))).ok


async def test_a_loose_description_does_not_take_the_only_fit_of_a_tight_one() -> None:
    second = '- user: "后天下午2点，8人，1小时"\n- user: "选2"\n- user: "确认"\n'
    end = "end: {bookings: [{minutes: 60}, {room: R1001}]}\n"
    assert (await replay_one(source_of(BOOKING + second + end))).ok


async def test_seeded_bookings_are_no_bookings_of_the_talk() -> None:
    world = 'world: {bookings: [{room: R1004, date: 2026-12-01, start: "06:00", minutes: 1440, organizer: bob}]}\n'
    text = world + 'steps:\n- user: "你好"\n  expect: {bookings: 1}\nend: {bookings: []}\n'
    assert (await replay_one(source_of(text))).ok


@pytest.mark.parametrize(
    ("difference", "line"),
    [
        (
            Difference("PHASE", 1, "phase", "BOOKED", "CONFIRMING"),
            "PHASE    phase: expected BOOKED, got CONFIRMING",
        ),
        (Difference("PENDING", 1, "asks", None, "date"), "PENDING  asks: expected none, got date"),
        (
            Difference("BOOKINGS", 0, "end.bookings", {"room": "R1", "start": "14:00"}, None),
            "BOOKINGS end.bookings: expected {room: R1, start: “14:00”}, got none",
        ),
        (
            Difference("ACTIONS", 2, "actions", [], ["search_rooms"]),
            "ACTIONS  actions: expected [], got [search_rooms]",
        ),
    ],
    ids=["words", "none", "a booking", "a list"],
)
def test_a_difference_reads_as_one_line(difference: Difference, line: str) -> None:
    assert difference.line() == line
    assert difference.line(coloured=True).endswith(line[8:])
    assert "\x1b[" in difference.line(coloured=True)


async def test_the_report_names_file_step_line_and_message(tmp_path: Path) -> None:
    out = io.StringIO()
    path = file_of(tmp_path, FIRST % "phase: BOOKED")
    assert await replay([path], out=out) == 1
    assert out.getvalue().splitlines() == [
        f"FAIL {path}",
        "  step 1, line 8: 明天下午2点，8人，1小时",
        "    PHASE    phase: expected BOOKED, got AWAITING_SELECTION",
        "0 passed, 1 differ",
    ]


async def test_json_has_the_same_and_no_colour(tmp_path: Path) -> None:
    out = io.StringIO()
    file_of(tmp_path, FIRST % "phase: BOOKED", "bad.yaml")
    file_of(tmp_path, FIRST % "phase: AWAITING_SELECTION", "good.yaml")
    assert await replay([tmp_path], out=out, as_json=True) == 1
    told = json.loads(out.getvalue())
    assert (told["passed"], told["failed"]) == (1, 1)
    assert [each["ok"] for each in told["transcripts"]] == [False, True]
    assert told["transcripts"][0]["differences"] == [
        {
            "type": "PHASE",
            "step": 1,
            "line": 8,
            "key": "phase",
            "expected": "BOOKED",
            "got": "AWAITING_SELECTION",
        }
    ]
