"""`bot.wants`: what is booking talk and what is for another skill, with and without a pending question."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from booking_bot import BookingBot

OURS = [
    "明天下午2点8人会议室，1小时",
    "帮我订个明天3点的会议室",
    "订会议室",
    "I need a room tomorrow at 2pm for 8 people",
    "book a meeting room",
    "取消明天的会",
    "我有哪些预订",
    "move my booking to 4pm",
    "R1001",
]
NOT_OURS = [
    "play some music",
    "讲个笑话",
    "what's the weather in Shanghai tomorrow?",
    "book me a flight to Paris tomorrow at 2pm",
    "remind me tomorrow at 2pm to call Bob",
    "turn off the lights in room A",
    "我还有几天年假",
    "hello",
    "yes",
    "1",
    "",
    "\x00\ud800",
]


@pytest.fixture
async def bot() -> AsyncIterator[BookingBot]:
    async with await BookingBot.open(site="demo", db="sqlite://", now="2026-11-30T09:00:00+08:00") as opened:
        yield opened


async def test_booking_talk_scores_high_and_other_talk_low(bot: BookingBot) -> None:
    assert {text: await bot.wants(text, "s") >= 0.7 for text in OURS} == dict.fromkeys(OURS, True)
    assert {text: await bot.wants(text, "s") < 0.5 for text in NOT_OURS} == dict.fromkeys(NOT_OURS, True)


async def test_an_answer_to_the_pending_question_is_ours(bot: BookingBot) -> None:
    await bot.handle("s", "明天下午2点8人会议室，1小时")
    for text in ("1", "第二间", "都不要", "改成3点", "算了"):
        assert await bot.wants(text, "s") == 1.0, text
    for text in ("play some music", "what's the weather in Shanghai tomorrow?"):
        assert 0 < await bot.wants(text, "s") < 0.5, text


async def test_the_question_is_its_users_and_its_sessions(bot: BookingBot) -> None:
    await bot.handle("s", "明天下午2点8人会议室，1小时", user_id="alice")
    assert await bot.wants("1", "s", "alice") == 1.0
    assert await bot.wants("1", "s", "bob") == 0.0
    assert await bot.wants("1", "t", "alice") == 0.0


async def test_asking_says_and_stores_nothing(bot: BookingBot) -> None:
    await bot.wants("明天下午2点8人会议室，1小时", "s", "alice")
    assert await bot.engine.store.load_session("alice/s") is None
    assert (await bot.handle("s", "1", user_id="alice")).slots == {}


async def test_a_question_of_before_a_restart_counts(tmp_path: object) -> None:
    url = f"sqlite:///{tmp_path}/bookings.db"
    now = "2026-11-30T09:00:00+08:00"
    async with await BookingBot.open(site="demo", db=url, now=now) as bot:
        await bot.handle("s", "明天下午2点8人会议室，1小时")
    async with await BookingBot.open(site="demo", db=url, now=now) as bot:
        assert await bot.wants("1", "s") == 1.0
