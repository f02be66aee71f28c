"""What the bot remembers after the turn: habits and summaries, by way of the outbox; to be seen and deleted."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime as dt
import itertools
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from booking_bot import BookingBot
from booking_bot.adapters.scripted_model import ScriptedModel
from booking_bot.adapters.sql import OutboxEvent, SqlStore, TurnRecord
from booking_bot.adapters.sql.memory import SUMMARIES, BookedFact
from booking_bot.afterwards.remembering import MAX_SUMMARY, Remembering, habits
from booking_bot.afterwards.worker import START_S, OutboxWorker
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.reading import Reading
from booking_bot.language.memory_words import with_memory_command
from booking_bot.reply import Reply

NOW = "2026-11-30T09:00:00+08:00"


async def opened(db: str, **more: object) -> BookingBot:
    return await BookingBot.open(db=db, now=NOW, user="alice", sqlite_synchronous="NORMAL", **more)


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'b.db'}"


async def leave(store: SqlStore, events: Sequence[OutboxEvent]) -> None:
    """Write a turn that leaves these events in the outbox."""
    record = TurnRecord(
        session_id="alice/x",
        user_id="alice",
        site="demo",
        phase="COLLECTING_SLOTS",
        status="idle",
        stop_reason=None,
        context="{}",
        version=0,
        next_seq=2,
        turn_id=1,
        message_id=None,
        channel="python",
        said_at_s=0,
        text="",
        reply="{}",
        first_seq=1,
        outbox=tuple(events),
    )
    await store.run(lambda tx: store.save_turn(tx, record))


async def book(bot: BookingBot, session: str, start: str) -> Reply:
    for text in (f"明天{start}，8人，1小时，B座", "选1", "确认"):
        reply = await bot.handle(session, text)
    assert reply.phase == "BOOKED"
    return reply


async def test_habits_are_learned_from_bookings_and_shown_on_asking(db: str) -> None:
    async with await opened(db) as bot:
        await book(bot, "a", "下午2点")
        await book(bot, "b", "下午4点")
    async with await opened(db) as bot:
        reply = await bot.handle("c", "你记得我什么？")
        assert [piece in reply.text for piece in ("B座", "8人", "60分钟", "忘掉这些")] == [True] * 4


async def test_what_is_remembered_is_forgotten_on_asking_and_not_learned_again(db: str) -> None:
    async with await opened(db) as bot:
        await book(bot, "a", "下午2点")
        await book(bot, "b", "下午4点")
    async with await opened(db) as bot:
        await bot.handle("c", "你记得我什么")
        assert (await bot.handle("c", "忘掉这些")).text.startswith("好的，都忘掉了")
        assert await bot.engine.store.memory_of("alice") == ()
        await Remembering(bot.engine.store, bot.site, lambda: 0).learn_habits('{"user": "alice"}')
        assert await bot.engine.store.memory_of("alice") == ()


async def test_what_was_said_before_forgetting_is_not_summarised_after_it(db: str) -> None:
    begun = dt.datetime.fromisoformat(NOW)
    seconds = itertools.count(0, 10)
    async with await BookingBot.open(
        db=db, clock=lambda: begun + dt.timedelta(seconds=next(seconds)), user="alice", sqlite_synchronous="NORMAL"
    ) as bot:
        for text in ("主题“裁员讨论”", *["你好"] * 15, "你记得我什么", "忘掉这些"):
            reply = await bot.handle("s", text)
        assert reply.actions == ("forget_memory",)
        remembering = Remembering(bot.engine.store, bot.site, lambda: 0)
        for turn in (18, 24, 32):
            await remembering.summarise(json.dumps({"user": "alice", "session": "alice/s", "turn": turn}))
        assert "裁员" not in "".join(item.value for item in await bot.engine.store.memory_of("alice"))


async def test_what_is_forgotten_while_it_is_being_learned_stays_forgotten(db: str) -> None:
    async with await opened(db) as bot:
        store = bot.engine.store
        before, _, _ = dataclasses.astuple(await store.experience_of("alice"))
        await store.forget("alice", 1)
        await store.remember("alice", {"usual_seats": "8"}, 2, forgotten_s=before)
        assert await store.memory_of("alice") == ()
        await store.remember(
            "alice", {"usual_seats": "8"}, 2, forgotten_s=(await store.experience_of("alice")).forgotten_s
        )
        assert await store.memory_of("alice") != ()


async def test_the_worker_outlives_whatever_breaks(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await opened(db) as bot:
        store, done = bot.engine.store, asyncio.Event()

        async def note(_payload: str) -> None:
            done.set()

        worker = OutboxWorker(store, {"learn": note}, lambda: 10)
        await leave(store, [OutboxEvent("learn", "a")])
        claim, broken = store.claim_events, asyncio.Event()

        async def break_once(*_: object, **__: object) -> tuple[()]:
            monkeypatch.setattr(store, "claim_events", claim)
            broken.set()
            raise OSError("no such luck")

        monkeypatch.setattr(store, "claim_events", break_once)
        worker.wake()
        await asyncio.wait_for(broken.wait(), 10)
        worker.wake()
        await asyncio.wait_for(done.wait(), 10)
        await worker.close()


async def test_the_two_commands_keep_phase_draft_and_prompt(db: str) -> None:
    async with await opened(db) as bot:
        before = await bot.handle("s", "明天下午2点，8人，1小时")
        for text in ("你记得我什么", "忘掉这些"):
            reply = await bot.handle("s", text)
            assert (reply.phase, reply.slots, reply.options) == (before.phase, before.slots, before.options)
            assert "R1001" in reply.text


async def test_forget_it_means_the_memory_only_right_after_it_was_shown(db: str) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", "a room tomorrow at 2pm, 8 people, 1 hour")
        await bot.handle("s", "what do you remember?")
        kept = await bot.handle("s", "forget it")
        assert (kept.phase, kept.actions) == ("AWAITING_SELECTION", ("forget_memory",))
        dropped = await bot.handle("s", "forget it")
        assert (dropped.phase, dropped.slots) == ("COLLECTING_SLOTS", {})


async def test_one_users_memory_is_not_anothers(db: str) -> None:
    async with await opened(db) as bot:
        await bot.engine.store.remember("bob", {"usual_building": "A"}, 0)
        assert "没有记住" in (await bot.handle("s", "你记得我什么")).text
        await bot.handle("s", "忘掉这些")
        assert len(await bot.engine.store.memory_of("bob")) == 1


async def test_the_planner_is_shown_what_is_remembered(db: str) -> None:
    model = ScriptedModel()
    async with await opened(db, model=model, planner="llm") as bot:
        await bot.engine.store.remember("alice", {"usual_building": "B"}, 0)
        reply = await bot.handle("s", "明天下午2点8人会议室")
    assert "usual building: B" in model.prompts[0].messages[0]["content"]
    assert "building" not in reply.slots, "offered, never used silently"


async def test_a_long_talk_is_summarised_by_rules_and_the_planner_sees_it(db: str) -> None:
    async with await opened(db) as bot:
        await bot.handle("s", "明天下午2点8人会议室")
        for _ in range(15):
            await bot.handle("s", "你好")
    async with await opened(db) as bot:
        (item,) = await bot.engine.store.memory_of("alice")
        summary = json.loads(item.value)
        assert item.key.startswith(SUMMARIES)
        assert (summary["turn"], "明天下午2点8人会议室" in summary["text"]) == (8, True)
        assert len(summary["text"]) <= MAX_SUMMARY
        assert "1 段长对话" in (await bot.handle("s", "你记得我什么")).text
    model = ScriptedModel()
    async with await opened(db, model=model, planner="llm") as bot:
        await bot.handle("s", "嗯那个")
    assert "明天下午2点8人会议室" in model.prompts[0].messages[0]["content"]


async def test_a_model_writes_the_summary_where_there_is_one(db: str) -> None:
    async with await opened(db) as bot:
        for _ in range(16):
            await bot.handle("s", "你好")
        model = ScriptedModel(["<think>hm</think>用户只是打了招呼。"])
        remembering = Remembering(bot.engine.store, bot.site, lambda: 0, model)
        await remembering.summarise('{"user": "alice", "session": "alice/s", "turn": 16}')
        (item,) = await bot.engine.store.memory_of("alice")
    assert json.loads(item.value)["text"] == "用户只是打了招呼。"


async def test_no_reply_waits_for_the_outbox(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held = asyncio.Event()

    async def slow(_self: Remembering, _payload: str) -> None:
        await held.wait()

    monkeypatch.setattr(Remembering, "learn_habits", slow)
    async with await opened(db) as bot:
        await book(bot, "a", "下午2点")
        async with asyncio.timeout(5):
            assert (await bot.handle("b", "你好")).text
        held.set()


async def test_what_is_to_be_done_twice_is_done_once(db: str) -> None:
    async with await opened(db) as bot:
        done: list[str] = []

        async def note(payload: str) -> None:
            done.append(payload)

        record = [OutboxEvent("learn", payload) for payload in ("a", "b", "a")]
        await leave(bot.engine.store, record)
        worker = OutboxWorker(bot.engine.store, {"learn": note}, lambda: 10)
        worker.wake()
        await worker.close()
        assert sorted(done) == ["a", "b"]
        assert await bot.engine.store.claim_events(10**6, names=("learn",)) == ()


async def test_habits_that_stay_the_same_are_not_written_again(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with await opened(db) as bot:
        await book(bot, "a", "下午2点")
        await book(bot, "b", "下午4点")
    async with await opened(db) as bot:
        learned = await bot.engine.store.memory_of("alice")
        remembering = Remembering(bot.engine.store, bot.site, lambda: 0)
        monkeypatch.setattr(SqlStore, "remember", None)
        await remembering.learn_habits('{"user": "alice"}')
        assert await bot.engine.store.memory_of("alice") == learned != ()


async def test_what_a_crash_left_is_done_by_the_next_process(db: str) -> None:
    script = (
        "import asyncio, os, sys\n"
        "from booking_bot import BookingBot\n"
        "async def main():\n"
        "    bot = await BookingBot.open(db=sys.argv[1], now=sys.argv[2], user='alice')\n"
        "    for session, start in (('a', '2点'), ('b', '4点')):\n"
        "        for text in (f'明天下午{start}，8人，1小时', '选1', '确认'):\n"
        "            await bot.handle(session, text)\n"
        "    os._exit(9)\n"
        "asyncio.run(main())\n"
    )
    ran = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script, db, NOW], check=False)
    assert ran.returncode == 9
    async with await opened(db) as bot:
        await asyncio.sleep(START_S + 0.5)
        assert {item.key for item in await bot.engine.store.memory_of("alice")} >= {"usual_seats", "usual_minutes"}


def test_a_habit_is_what_was_done_twice_and_half_the_time() -> None:
    from booking_bot.adapters.site_folder import load_site

    site = load_site("demo")
    facts = [BookedFact("R2001", 8, 60), BookedFact("R2002", 8, 30), BookedFact("R1001", 10, 90)]
    assert habits(facts, site) == {"usual_building": "B", "usual_seats": "8"}
    assert habits(facts[:1], site) == {}
    assert habits([], site) == {}


@pytest.mark.parametrize(
    ("text", "just_shown", "meant"),
    [
        ("你记得我什么", False, "show"),
        ("您还记得我吗？", False, "show"),
        ("What do you remember about me?", False, "show"),
        ("忘掉这些", False, "forget"),
        ("把我的习惯删掉", False, None),
        ("删掉我的习惯", False, "forget"),
        ("forget me", False, "forget"),
        ("forget it", False, None),
        ("forget it.", True, "forget"),
        ("都忘掉吧", True, "forget"),
        ("都忘掉吧", False, None),
        ("会议叫“你记得我什么”", False, None),
        ("取消", True, None),
        ("", True, None),
    ],
)
def test_only_whole_messages_are_commands(text: str, just_shown: bool, meant: str | None) -> None:
    context = BookingContext(session_id="s", user_id="u", turn_id=3, memory_shown=3 if just_shown else 1)
    assert with_memory_command(Reading(text), context).memory == meant
