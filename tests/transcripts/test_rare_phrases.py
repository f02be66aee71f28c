"""Phrases that no transcript can bring about: broken turns, lost sessions, stale answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text as sql

from booking_bot import engine
from booking_bot.app import BookingBot, session_key
from booking_bot.engine import Said

NOW = "2026-11-30T09:00:00+08:00"
TALK = {"zh": "明天下午2点8人", "en": "tomorrow 2pm for 8"}


async def _bot(folder: Path) -> BookingBot:
    return await BookingBot.open(site="demo", db=f"sqlite:///{folder / 'b.db'}", now=NOW, user="tester")


@pytest.mark.parametrize(("language", "words"), [("zh", "内部错误"), ("en", "went wrong")])
async def test_a_broken_turn_is_said_and_the_talk_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    def break_down(*_: object) -> None:
        raise RuntimeError("planted")

    async with await _bot(tmp_path) as bot:
        before = await bot.handle("s", TALK[language])
        with monkeypatch.context() as patched:
            patched.setattr(engine, "read", break_down)
            broken = await bot.handle("s", "1小时")
        assert words in broken.text
        assert (broken.phase, broken.slots, broken.asks) == (before.phase, before.slots, before.asks)
        assert (await bot.handle("s", "1小时")).phase == "AWAITING_SELECTION"


@pytest.mark.parametrize(("language", "words"), [("zh", "重新开始"), ("en", "start")])
async def test_a_session_nobody_can_read_starts_anew_and_says_so(tmp_path: Path, language: str, words: str) -> None:
    async with await _bot(tmp_path) as bot:
        await bot.handle("s", TALK[language])
        await bot.engine.store.run(lambda tx: tx.connection.execute(sql("UPDATE session SET context = '{}'")))
    async with await _bot(tmp_path) as bot:
        reply = await bot.handle("s", TALK[language])
        assert words in reply.text.splitlines()[0]
        assert reply.slots["capacity"] == 8


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_an_answer_to_an_older_question_shows_the_current_one(tmp_path: Path, language: str) -> None:
    async with await _bot(tmp_path) as bot:
        await bot.handle("s", TALK[language])
        stale = await bot.engine.handle(Said(session_key("tester", "s"), "tester", "60", interrupt_id="0"))
        assert "duration_minutes" not in stale.reply.slots
        assert stale.reply.asks == "duration_minutes"
