"""Several bots in one process, each with its own site, database and clock."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from booking_bot import BookingBot
from booking_bot.adapters.site_folder import site_folder
from booking_bot.dialogue.model import Booking


async def rows(bot: BookingBot) -> tuple[Booking, ...]:
    store = bot.engine.store
    return await store.read(store.ledger.all_bookings)


async def test_two_bots_share_nothing(tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(site_folder("demo"), other)
    rooms = (other / "rooms.toml").read_text("utf-8")
    (other / "rooms.toml").write_text(rooms.replace("R1001", "A1001"), "utf-8")
    one = await BookingBot.open(site="demo", db="sqlite://", now="2026-11-30T09:00:00+08:00")
    two = await BookingBot.open(site=other, db="sqlite://", now="2027-03-01T09:00:00+08:00")
    async with one, two:

        async def book(bot: BookingBot) -> str:
            for text in ("明天下午2点8人会议室，1小时", "选1", "确认"):
                reply = await bot.handle("s", text, user_id="alice")
            assert reply.booking is not None
            return f"{reply.booking.room} {reply.booking.date}"

        assert await asyncio.gather(book(one), book(two)) == ["R1001 2026-12-01", "A1001 2027-03-02"]
        assert [row.room_id for row in await rows(one)] == ["R1001"]
        assert [row.room_id for row in await rows(two)] == ["A1001"]


def test_a_bot_runs_in_the_loop_of_whoever_opens_it() -> None:
    async def ask() -> str:
        async with await BookingBot.open(site="demo", db="sqlite://", now="2026-11-30T09:00:00+08:00") as bot:
            return (await bot.handle("s", "hello", user_id="alice")).text

    assert asyncio.run(ask()) == asyncio.run(ask())


def test_the_package_says_that_it_is_typed() -> None:
    import booking_bot

    assert (Path(booking_bot.__file__).parent / "py.typed").is_file()
