"""The loop around the pure core: order, repetition, crashes, faults, and what a turn costs."""

from __future__ import annotations

import asyncio
import datetime as dt
import gc
import sqlite3
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine as SqlEngine
from sqlalchemy import event

from booking_bot import BookingBot
from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import LedgerService, SqlStore, StoreError, Tx, faults
from booking_bot.app import clock_at, session_key
from booking_bot.dialogue.model import NoArguments
from booking_bot.engine import Said
from booking_bot.tools import Tool
from booking_bot.turns.contexts import MAX_TEXT

NOW = "2026-11-30T09:00:00+08:00"
TALK = ("明天下午2点8人会议室", "1小时", "选1", "确认")


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'bookings.db'}"


async def opened(db: str, **settings: Any) -> BookingBot:
    return await BookingBot.open(db=db, now=NOW, user="alice", **settings)


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Every statement that SQLite really runs, by any way."""
    heard: list[str] = []

    def listen(connection: Any, _record: object) -> None:
        connection.set_trace_callback(heard.append)

    event.listen(SqlEngine, "connect", listen)
    yield heard
    event.remove(SqlEngine, "connect", listen)


def verbs(statements: list[str]) -> list[str]:
    """Give the first word of each statement, with the table written to."""
    words = [statement.split() for statement in statements]
    return [f"{w[0]} {w[2] if w[0] == 'INSERT' else w[1]}" if w[0] in ("INSERT", "UPDATE") else w[0] for w in words]


async def test_a_hot_turn_is_one_commit_no_select_and_one_rewritten_row(db: str, statements: list[str]) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", "你好")
        for text in ("明天下午2点", "8人", "你好", "帮助"):
            statements.clear()
            await bot.handle("s", text)
            ran = [verb for verb in verbs(statements) if verb != "PRAGMA"]
            assert ran == ["BEGIN", "UPDATE session", "INSERT turn", "INSERT action", "COMMIT"], text


async def test_a_search_reads_availability_with_one_select(db: str, statements: list[str]) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", TALK[0])
        statements.clear()
        await bot.handle("s", TALK[1])
    assert verbs(statements).count("COMMIT") == 1
    assert verbs(statements).count("SELECT") == 1


async def test_a_booking_is_one_commit_with_its_turn(db: str, statements: list[str]) -> None:
    async with await opened(db) as bot:
        for text in TALK[:3]:
            await bot.handle("s", text)
        statements.clear()
        await bot.handle("s", TALK[3])
        ran = verbs(statements)
    assert ran.count("COMMIT") == 1
    assert {"INSERT booking", "INSERT room_claim", "INSERT turn", "INSERT audit", "UPDATE session"} <= set(ran)


async def test_turns_of_many_sessions_share_commits(db: str, statements: list[str]) -> None:
    async with await opened(db) as bot:
        statements.clear()
        await asyncio.gather(*(bot.handle(f"s{n}", TALK[0]) for n in range(64)))
        assert verbs(statements).count("COMMIT") < 32


async def test_a_cold_resume_reads_twice_however_long_the_talk(db: str, statements: list[str]) -> None:
    reads = []
    for turns in (2, 60):
        async with await opened(db, sqlite_synchronous="NORMAL") as bot:
            for _ in range(turns):
                await bot.handle("s", "你好")
        async with await opened(db) as bot:
            statements.clear()
            await bot.handle("s", "你好")
            reads.append(verbs(statements).count("SELECT"))
    assert reads == [2, 2]


async def test_a_live_session_costs_few_objects_and_little_memory(db: str) -> None:
    sessions = 400
    async with await opened(db, sqlite_synchronous="NORMAL") as bot:

        async def talk(name: str) -> None:
            for text in TALK[:2]:
                await bot.handle(name, text)

        await asyncio.gather(*(talk(f"warm{n}") for n in range(50)))
        gc.collect()
        tracemalloc.start()
        objects, (size, _) = len(gc.get_objects()), tracemalloc.get_traced_memory()
        for n in range(0, sessions, 50):
            await asyncio.gather(*(talk(f"s{n + k}") for k in range(50)))
        await talk("last")  # lets go of the batch before it
        gc.collect()
        grown, more = tracemalloc.get_traced_memory()[0] - size, len(gc.get_objects()) - objects
        tracemalloc.stop()
    assert more / sessions <= 10
    assert grown / sessions <= 4096


async def test_messages_of_one_session_are_answered_one_at_a_time_in_order(db: str) -> None:
    async with await opened(db) as bot:
        replies = await asyncio.gather(*(bot.handle("s", text) for text in TALK))
    assert [r.turn_id for r in replies] == [1, 2, 3, 4]
    assert [r.phase for r in replies] == ["COLLECTING_SLOTS", "AWAITING_SELECTION", "CONFIRMING", "BOOKED"]


async def test_the_same_message_id_has_one_effect_and_the_same_answer(db: str) -> None:
    async with await opened(db) as bot:
        first = [await bot.handle("s", text, message_id=f"m{n}") for n, text in enumerate(TALK)]
        again = [await bot.handle("s", text, message_id=f"m{n}") for n, text in enumerate(TALK)]
        bookings = await bot.engine.store.read(lambda r: bot.engine.store.ledger.all_bookings(r, everything=True))
    assert first == again
    assert len(bookings) == 1


async def test_a_repeated_message_is_known_after_a_restart_and_beyond_the_window(db: str) -> None:
    async with await opened(db) as bot:
        first = await bot.handle("s", TALK[0], message_id="old")
        for n in range(40):
            await bot.handle("s", "你好", message_id=f"m{n}")
        assert await bot.handle("s", TALK[0], message_id="old") == first
    async with await opened(db) as bot:
        assert await bot.handle("s", TALK[0], message_id="old") == first


async def test_ten_at_once_for_one_room_give_one_booking_and_nine_told(db: str) -> None:
    async with await opened(db) as bot:
        for n in range(10):
            for text in ("明天下午2点，8人，1小时", "R1001"):
                reply = await bot.handle("s", text, user_id=f"user{n}")
            assert reply.phase == "CONFIRMING"
        replies = await asyncio.gather(*(bot.handle("s", "确认", user_id=f"user{n}") for n in range(10)))
    assert sorted(r.phase for r in replies) == ["AWAITING_SELECTION"] * 9 + ["BOOKED"]
    assert all("R1001" in r.text for r in replies)


async def test_two_processes_on_one_session_take_turns(db: str) -> None:
    async with await opened(db) as one, await opened(db) as other:
        assert (await one.handle("s", TALK[0])).asks == "duration_minutes"
        assert (await other.handle("s", TALK[1])).phase == "AWAITING_SELECTION"
        assert (await one.handle("s", TALK[2])).phase == "CONFIRMING"
        assert (await other.handle("s", TALK[3])).phase == "BOOKED"
        assert (await one.handle("s", "确认")).phase == "BOOKED"


async def test_a_caller_that_gives_up_does_not_stop_the_turn(db: str) -> None:
    async with await opened(db) as bot:
        for text in TALK[:3]:
            await bot.handle("s", text)
        waiting = asyncio.ensure_future(bot.handle("s", TALK[3]))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await bot.engine.close()
        standing = await bot.engine.current(session_key("alice", "s"))
    assert standing is not None
    assert standing.reply.phase == "BOOKED"


async def test_an_answer_to_an_older_question_changes_nothing(db: str) -> None:
    async with await opened(db) as bot:
        for text in TALK[:3]:
            reply = await bot.handle("s", text)
        assert reply.interrupt is not None
        key = session_key("alice", "s")
        stale = await bot.engine.handle(Said(key, "alice", "确认", interrupt_id="1"))
        assert (stale.reply.phase, stale.reply.pending) == ("CONFIRMING", "confirm")
        assert stale.reply.interrupt is not None
        current = await bot.engine.handle(Said(key, "alice", "确认", interrupt_id=stale.reply.interrupt.id))
        assert current.reply.phase == "BOOKED"


async def test_a_tool_that_raises_is_an_answer_to_the_user_not_an_exception(db: str) -> None:
    async def broken(_arguments: Any, _context: Any) -> Any:
        raise RuntimeError("boom")

    tool = Tool("search_rooms", "breaks", NoArguments, "safe", outside=broken)
    async with await opened(db, tools=(tool,)) as bot:
        await bot.handle("s", TALK[0])
        reply = await bot.handle("s", TALK[1])
    assert (reply.phase, reply.pending) == ("COLLECTING_SLOTS", "clarify")
    assert "boom" not in reply.text


async def test_a_broken_turn_leaves_the_session_as_it_was(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", TALK[0])
        with monkeypatch.context() as patch:
            patch.setattr("booking_bot.engine.read", lambda *_: 1 / 0)
            reply = await bot.handle("s", TALK[1])
        assert reply.slots["capacity"] == 8
        assert (await bot.handle("s", TALK[1])).phase == "AWAITING_SELECTION"


async def test_a_database_that_is_gone_is_an_answer_too(db: str) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", TALK[0])
        await bot.engine.store.run(lambda tx: tx.connection.exec_driver_sql("DROP TABLE turn"))
        known = await bot.handle("s", TALK[1])
        await bot.engine.store.run(lambda tx: tx.connection.exec_driver_sql("DROP TABLE session"))
        unknown = await bot.handle("other", "2pm tomorrow")
    assert known.slots["capacity"] == 8
    assert "went wrong" in unknown.text


@pytest.mark.parametrize("restarted", [False, True], ids=["goes on", "restarted"])
@pytest.mark.parametrize("then", ["算了", "不要这间", "确认"])
async def test_a_remote_write_whose_turn_was_not_saved_is_looked_up_first(
    db: str, restarted: bool, then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = await SqlStore.open("sqlite://", load_site("demo"), clock_at(NOW))
    rooms = LedgerService(service)

    def full(_tx: object, _record: object) -> None:
        raise StoreError("the disk is full")

    bot = await opened(db, rooms=rooms)
    for text in ("明天下午2点，8人，1小时", "选1"):
        await bot.handle("s", text)
    with monkeypatch.context() as broken:
        broken.setattr(bot.engine.store, "save_turn", full)
        doubted = await bot.handle("s", "确认")
    assert "不能确定" in doubted.text
    if restarted:
        await bot.close()
        bot = await opened(db, rooms=rooms)
    reply = await bot.handle("s", then)
    (booking,) = await service.read(service.ledger.all_bookings)
    assert (reply.phase, reply.booking and reply.booking.id) == ("BOOKED", booking.id)
    again = await bot.handle("s", "谢谢")
    assert "find_booking" not in again.actions
    await bot.close()
    await service.close()


async def test_a_turn_whose_commit_is_not_answered_is_known_again(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection breaks after COMMIT: the turn is run again, refused, and what it said the first time is given."""
    commit = Tx.commit
    losses = iter((True,))

    def lose_the_answer(tx: Tx) -> None:
        commit(tx)
        if next(losses, False):
            raise sqlite3.OperationalError("the connection was lost")

    async with await opened(db) as bot:
        for text in TALK[:3]:
            await bot.handle("s", text)
        monkeypatch.setattr(faults, "is_transient", lambda error: "lost" in str(error))
        monkeypatch.setattr(Tx, "commit", lose_the_answer)
        reply = await bot.handle("s", TALK[3])
        assert (reply.phase, reply.booking is not None) == ("BOOKED", True)
        assert reply.text.startswith("预定成功")
        assert next(losses, None) is None
        assert len(await bot.engine.store.read(bot.engine.store.ledger.all_bookings)) == 1


async def test_where_a_session_stands_is_what_another_process_made_of_it(db: str) -> None:
    async with await opened(db) as one, await opened(db) as other:
        await one.handle("s", "明天下午2点，8人，1小时")
        await other.handle("s", "选1")
        seen = await one.engine.current("alice/s")
        assert seen is not None
        assert (seen.reply.phase, seen.first_seq) == ("CONFIRMING", 3)
        assert await one.wants("确认", "s") == await other.wants("确认", "s")


async def test_a_session_that_cannot_be_read_still_shows_where_it_stands(db: str) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", TALK[0])
        await bot.engine.store.run(lambda tx: tx.connection.exec_driver_sql("UPDATE session SET context = '{}'"))
        seen = await bot.engine.current("alice/s")
        assert seen is not None
        assert seen.reply.phase == "COLLECTING_SLOTS"
        assert 0 <= await bot.wants("确认", "s") <= 1


async def test_a_talk_about_one_site_does_not_go_on_about_another(db: str) -> None:
    async with await opened(db, site="demo") as bot:
        for text in TALK[:2]:
            await bot.handle("s", text)
    async with await opened(db, site="office") as bot:
        reply = await bot.handle("s", "选1")
        assert (reply.phase, reply.slots, reply.turn_id) == ("COLLECTING_SLOTS", {}, 3)
        assert (await bot.handle("s", TALK[0])).slots["capacity"] == 8


async def test_a_message_of_any_length_is_kept_bounded(db: str) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", "明天" + "好" * 3_000_000)
        (turn,) = await bot.engine.store.turns_since("alice/s", 0)
        assert len(turn.text) == MAX_TEXT


async def test_a_stored_context_that_cannot_be_read_starts_afresh_and_says_so(db: str) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", TALK[0])
        await bot.engine.store.run(
            lambda tx: tx.connection.exec_driver_sql("UPDATE session SET context = '{\"schema_version\": 99}'")
        )
    async with await opened(db) as bot:
        reply = await bot.handle("s", TALK[1])
    assert reply.slots == {"duration_minutes": 60}
    assert "重新开始" in reply.text


@pytest.mark.parametrize("session", ["", "x" * 300])
async def test_an_id_that_will_not_do_is_the_callers_fault(db: str, session: str) -> None:
    async with await opened(db) as bot:
        with pytest.raises(ValueError, match="session_id"):
            await bot.engine.handle(Said(session, "alice", "你好"))


async def test_a_session_belongs_to_its_user(db: str) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", TALK[0], user_id="alice")
        reply = await bot.handle("s", TALK[1], user_id="bob")
    assert "date" not in reply.slots


async def test_the_clock_is_the_sites_whatever_the_zone_of_the_instant(db: str) -> None:
    late = dt.datetime(2026, 11, 30, 17, 30, tzinfo=dt.UTC)  # already 1 December in Shanghai
    async with await BookingBot.open(db=db, clock=lambda: late) as bot:
        reply = await bot.handle("s", "明天下午2点8人会议室")
    assert reply.slots["date"] == "2026-12-02"
