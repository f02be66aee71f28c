"""A reply tells what a yes to its read-back does, with words for the buttons."""

from __future__ import annotations

from typing import Any

import pytest

from booking_bot import BookingBot
from booking_bot.reply import ReadBackShown, Reply

NOW = "2026-11-30T09:00:00+08:00"
WISH = {"zh": "明天下午2点，8人，1小时", "en": "tomorrow 2 pm, 8 people, 1 hour"}
PICK = {"zh": "选1", "en": "number 1"}
YES = {"zh": "确认", "en": "yes"}


@pytest.fixture
async def bot() -> Any:
    async with await BookingBot.open(db="sqlite://", now=NOW) as opened:
        yield opened


async def _talk(bot: BookingBot, *texts: str) -> Reply:
    for text in texts:
        reply = await bot.handle("s", text, user_id="alice")
    return reply


def _shown(reply: Reply) -> ReadBackShown:
    assert reply.read_back is not None
    return reply.read_back


@pytest.mark.parametrize(
    ("language", "yes", "no"),
    [
        ("zh", "预订会议室A，12月1日 周二 14:00–15:00", "不要，重选"),
        ("en", "Book Room A, Tue 1 Dec, 14:00–15:00", "No, choose again"),
    ],
    ids=["zh", "en"],
)
async def test_a_booking(bot: BookingBot, language: str, yes: str, no: str) -> None:
    shown = _shown(await _talk(bot, WISH[language], PICK[language]))
    assert (shown.kind, shown.yes, shown.no) == ("book", yes, no)
    assert (shown.room, shown.date, shown.start, shown.minutes) == ("R1001", "2026-12-01", "14:00", 60)
    assert shown.booking is None


@pytest.mark.parametrize(
    ("language", "words", "yes", "no"),
    [
        ("zh", "改到4点", "改到12月1日 周二 16:00–17:00，会议室A", "保持原样"),
        ("en", "move it to 4 pm", "Move to Tue 1 Dec, 16:00–17:00, Room A", "Leave it as it is"),
    ],
    ids=["zh", "en"],
)
async def test_a_move(bot: BookingBot, language: str, words: str, yes: str, no: str) -> None:
    booked = await _talk(bot, WISH[language], PICK[language], YES[language])
    shown = _shown(await _talk(bot, words))
    assert (shown.kind, shown.yes, shown.no) == ("move", yes, no)
    assert booked.booking is not None
    assert (shown.booking, shown.start) == (booked.booking.id, "16:00")


@pytest.mark.parametrize(
    ("language", "words", "yes", "no"),
    [
        ("zh", "取消", "取消会议室A，12月1日 周二 14:00–15:00", "保留预订"),
        ("en", "cancel", "Cancel Room A, Tue 1 Dec, 14:00–15:00", "Keep the booking"),
    ],
    ids=["zh", "en"],
)
async def test_a_cancellation(bot: BookingBot, language: str, words: str, yes: str, no: str) -> None:
    await _talk(bot, WISH[language], PICK[language], YES[language])
    shown = _shown(await _talk(bot, words))
    assert (shown.kind, shown.yes, shown.no) == ("cancel", yes, no)
    assert (shown.room, shown.date, shown.start) == ("R1001", "2026-12-01", "14:00")


async def test_nothing_is_there_when_nothing_is_read_back(bot: BookingBot) -> None:
    for text in (WISH["zh"], PICK["zh"], YES["zh"]):
        reply = await _talk(bot, text)
        assert (reply.read_back is not None) is (reply.phase == "CONFIRMING")
