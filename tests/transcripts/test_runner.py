"""The runner: its clock, its restarts, its faults, and what it holds of every talk."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from booking_bot import engine
from booking_bot.adapters.sql.ledger import SqlLedger
from booking_bot.dialogue.model import Booking, Phase
from booking_bot.dialogue.observations import Booked
from booking_bot.dialogue.reading import Reading, ReadingContext
from booking_bot.engine import Answered
from booking_bot.language.reader import read
from booking_bot.reply import BookedRoom, Reply
from booking_bot.transcripts.invariants import Moment, check, false_claims, overlapping
from booking_bot.transcripts.replay import replay_one
from booking_bot.transcripts.runner import Run
from booking_bot.turns import work
from tests.transcripts.writing import BOOKING, source_of

TALK = 'steps:\n- user: "明天下午2点，8人，1小时"\n- user: "选1"\n- user: "确认"\n'


async def _run(text: str, *, disturb: int | None = None) -> Run:
    return await replay_one(source_of(text), disturb=disturb)


def _kinds(result: Run) -> list[tuple[str, str]]:
    return [(d.type, d.key) for d in result.differences]


# --- the world -------------------------------------------------------------------------------------------------------


async def test_the_clock_moves_by_waiting_only() -> None:
    result = await _run('steps:\n- user: "明天下午2点8人"\n- wait: 15h30m\n- user: "后天"\n')
    days = [seen.answered.reply.slots["date"] for seen in result.seen]
    assert days == ["2026-12-01", "2026-12-03"]


@pytest.mark.parametrize(
    ("kind", "actions", "bookings"),
    [
        ("error", ["book_room"], 0),
        ("down", ["book_room"], 0),
        ("refused", ["book_room", "search_rooms"], 0),
        ("conflict", ["book_room", "search_rooms"], 0),
        ("timeout", ["book_room", "find_booking"], 0),
        ("timeout_after_commit", ["book_room", "find_booking"], 1),
    ],
)
async def test_each_fault_does_what_its_name_says(kind: str, actions: list[str], bookings: int) -> None:
    result = await _run(f"world: {{faults: [{{tool: book_room, call: 1, kind: {kind}}}]}}\n{BOOKING}")
    assert result.ok
    assert list(result.seen[-1].answered.reply.actions) == actions
    assert len(result.bookings) == bookings


async def test_calls_are_counted_over_restarts() -> None:
    talk = TALK.replace('- user: "确认"', '- user: "确认"\n- restart: true\n- user: "确认"\n- user: "确认"')
    result = await _run(
        "world: {faults: [{tool: book_room, call: 2, kind: error}, {tool: book_room, kind: error}]}\n" + talk
    )
    assert [seen.answered.reply.phase for seen in result.seen[2:]] == [Phase.CONFIRMING, Phase.CONFIRMING, Phase.BOOKED]


async def test_a_service_that_is_down_stays_down() -> None:
    talk = TALK + '- user: "确认"\n' * 3
    result = await _run(f"world: {{faults: [{{tool: book_room, call: 2, kind: down}}]}}\n{talk}")
    assert len(result.bookings) == 1
    result = await _run(f"world: {{faults: [{{tool: book_room, call: 1, kind: down}}]}}\n{talk}")
    assert result.bookings == ()


async def test_a_read_that_times_out_is_not_uncertain() -> None:
    faults = "world: {faults: [{tool: search_rooms, call: 1, kind: timeout_after_commit}]}\n"
    result = await _run(faults + TALK)
    assert result.seen[0].answered.reply.actions == ("search_rooms",)


async def test_the_speaker_scopes_the_session() -> None:
    result = await _run('steps:\n- user: "明天下午2点8人"\n- user: "1小时"\n  as: bob\n')
    assert result.seen[1].answered.reply.slots == {"duration_minutes": 60}


# --- disturbances ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
async def test_disturbed_talks_end_the_same(seed: int) -> None:
    end = 'end: {bookings: [{room: R1001, date: 2026-12-01, start: "14:00", minutes: 60}]}\n'
    assert _kinds(await _run(TALK + end, disturb=seed)) == []


async def test_a_disturbed_talk_notices_a_repeated_message_with_an_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    async def forgetful(self: engine.Engine, said: engine.Said, *rest: Any) -> Answered:
        return await _answer(self, replace(said, message_id=None), *rest)

    _answer = engine.Engine._answer  # the planted fault
    monkeypatch.setattr(engine.Engine, "_answer", forgetful)
    found = [kind for seed in range(6) for kind in _kinds(await _run(TALK, disturb=seed))]
    assert ("REPLY", "invariant") in found


# --- invariants ------------------------------------------------------------------------------------------------------


async def test_a_promise_without_a_row_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "write", lambda *_: "已为您预订 R1001！")
    result = await _run('steps:\n- user: "明天下午2点，8人，1小时"\n')
    assert _kinds(result) == [("REPLY", "invariant")]


async def test_a_booking_that_is_said_but_not_written_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(_self: SqlLedger, _tx: object, order: object, organizer: str) -> Booked:
        return Booked(booking=_booking(organizer=organizer))

    monkeypatch.setattr(SqlLedger, "book_room", lie)
    assert ("REPLY", "invariant") in _kinds(await _run(TALK))


async def test_a_booking_nobody_confirmed_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def credulous(text: str, context: ReadingContext) -> Reading:
        reading = read(text, context)
        return replace(reading, confirm="yes", intent="confirm") if "大象" in text else reading

    monkeypatch.setattr(engine, "read", credulous)
    result = await _run('steps:\n- user: "明天下午2点，8人，1小时"\n- user: "选1"\n- user: "蓝色的大象"\n')
    assert len(result.bookings) == 1
    assert _kinds(result) == [("BOOKINGS", "invariant")]


async def test_a_broken_turn_is_caught(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def break_down(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(engine, "read", break_down)
    result = await _run('steps:\n- user: "你好"\n')
    assert _kinds(result) == [("REPLY", "invariant")]


def _booking(
    room: str = "R1001", start: str = "14:00", *, organizer: str = "tester", status: str = "booked"
) -> Booking:
    return Booking(
        id=f"{room}-{start}",
        room_id=room,
        date=dt.date(2026, 12, 1),
        start_time=dt.time.fromisoformat(start),
        minutes=60,
        people=8,
        organizer=organizer,
        status="booked" if status == "booked" else "cancelled",
    )


def _reply(text: str, booking: Booking | None = None, phase: Phase = Phase.BOOKED) -> Reply:
    return Reply(text=text, phase=phase, booking=BookedRoom.of(booking) if booking else None)


@pytest.mark.parametrize("claim", ["预订成功", "预定成功", "已为您预订", "Room A is booked", "Booked: R1001"])
def test_words_that_promise_need_their_committed_row(claim: str) -> None:
    stands = _booking()
    moved = stands.model_copy(update={"start_time": dt.time(15, 0)})
    assert false_claims(_reply(claim, stands), [stands]) == ()
    assert false_claims(_reply(claim), [stands])
    assert false_claims(_reply(claim, stands), [])
    assert false_claims(_reply(claim, stands), [moved])
    assert false_claims(_reply(claim, stands), [stands.model_copy(update={"status": "cancelled"})])
    assert false_claims(_reply(claim, stands), [moved], repeated=True) == ()
    assert false_claims(_reply("没有订成"), []) == ()


def test_bookings_that_share_a_minute_overlap_and_those_that_touch_do_not() -> None:
    first = _booking()
    assert overlapping([first, _booking(start="14:55")])
    assert not overlapping([first, _booking(start="15:00")])
    assert not overlapping([first, _booking(start="13:00")])
    assert not overlapping([first, _booking("R1002")])
    assert not overlapping([first, _booking(start="14:55", status="cancelled")])


async def test_a_phase_that_the_table_does_not_lead_to_and_a_prompt_that_does_not_fit_are_caught() -> None:
    seen = (await _run(TALK)).seen[1]

    def kinds(before: Phase, answered: Answered) -> set[str]:
        found = check(Moment(2, before, answered, (), made=0, confirmations=0))
        return {difference.type for difference in found}

    right, outcome, reply = seen.answered, seen.answered.outcome, seen.answered.reply
    assert outcome is not None
    assert kinds(Phase.AWAITING_SELECTION, right) == set()
    assert kinds(Phase.BOOKED, right) == {"PHASE"}
    booked = replace(right, reply=reply.model_copy(update={"phase": Phase.BOOKED, "pending": None}))
    assert kinds(Phase.AWAITING_SELECTION, booked) == {"PHASE"}
    silent = replace(right, outcome=replace(outcome, says=()))
    assert kinds(Phase.AWAITING_SELECTION, silent) == {"PENDING"}
    twice = replace(right, outcome=replace(outcome, says=(*outcome.says, *outcome.says)))
    assert kinds(Phase.AWAITING_SELECTION, twice) == {"PENDING"}
    other = replace(right, reply=reply.model_copy(update={"pending": "select_room"}))
    assert kinds(Phase.AWAITING_SELECTION, other) == {"PENDING"}
