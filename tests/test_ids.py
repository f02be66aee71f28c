"""Ids that a host gives: each is checked once, by name, and every legal one works."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from booking_bot import BookingBot
from booking_bot.app import session_key


@pytest.fixture
async def bot() -> AsyncIterator[BookingBot]:
    async with await BookingBot.open(site="demo", db="sqlite://", now="2026-11-30T09:00:00+08:00") as opened:
        yield opened


@pytest.mark.parametrize("user", ["%" * 100, "/" * 80, "x" * 128, "小明" * 64], ids=["%", "/", "long", "zh"])
async def test_every_legal_user_books(bot: BookingBot, user: str) -> None:
    label = "s" * 128
    for text in ("明天下午2点8人会议室，1小时", "选1", "确认"):
        reply = await bot.handle(label, text, user_id=user)
    assert reply.booking is not None and reply.booking.organizer == user


def test_no_two_users_share_a_session() -> None:
    users = ["%" * 100, "%" * 101, "/" * 100, "%25" * 33, "a/b", "a%2Fb", "a"]
    assert len({session_key(user, label) for user in users for label in ("s", "b/s")}) == 2 * len(users)


@pytest.mark.parametrize("value", ["", "x" * 129, "a\x00", "\ud800"], ids=["empty", "long", "NUL", "half"])
@pytest.mark.parametrize("name", ["user_id", "session_id", "message_id"])
async def test_an_id_that_will_not_do_is_refused_by_name(bot: BookingBot, name: str, value: str) -> None:
    ids = {"session_id": "s", "user_id": "u", "message_id": "m"} | {name: value}
    with pytest.raises(ValueError, match=f"^{name} must"):
        await bot.handle(ids["session_id"], "hello", user_id=ids["user_id"], message_id=ids["message_id"])
    if name != "message_id":
        with pytest.raises(ValueError, match=f"^{name} must"):
            await bot.wants("hello", ids["session_id"], ids["user_id"])


async def test_a_channel_that_will_not_do_is_refused_by_name(bot: BookingBot) -> None:
    with pytest.raises(ValueError, match=r"^channel must have 1 to 16"):
        await bot.answer("s", "hello", channel="x" * 17)
