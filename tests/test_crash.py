"""kill -9 in the middle of turns: nothing that was answered is lost, nothing is doubled, every session goes on."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from booking_bot import BookingBot

KILLS = 50
VICTIM = Path(__file__).with_name("crash_victim.py")


def promised(answered: Path) -> tuple[set[str], int]:
    """Give the ids of bookings that were told, and the number of the talk to begin with next."""
    rows = [line.split(" ") for line in answered.read_text("utf-8").splitlines()]
    told = {row[3] for row in rows if row[2] == "BOOKED" and row[3]}
    return told, max((int(row[0]) for row in rows), default=-1) + 1


def killed_after_an_answer(db: str, answered: Path, first: int, delay_s: float) -> None:
    """Start the talker and kill it a moment after it has answered something new."""
    size = answered.stat().st_size
    victim = subprocess.Popen([sys.executable, str(VICTIM), db, str(answered), str(first)])
    try:
        deadline = time.monotonic() + 30
        while answered.stat().st_size == size and victim.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(delay_s)
    finally:
        if victim.poll() is None:
            os.kill(victim.pid, signal.SIGKILL)
        victim.wait()


def test_kill_9_at_fifty_points_loses_and_doubles_nothing(tmp_path: Path) -> None:
    db, answered = f"sqlite:///{tmp_path / 'bookings.db'}", tmp_path / "answered"
    answered.touch()
    seed = random.Random(20261130)
    for _ in range(KILLS):
        _, first = promised(answered)
        killed_after_an_answer(db, answered, first % 110, seed.uniform(0, 0.02))
    asyncio.run(check(db, answered))


async def check(db: str, answered: Path) -> None:
    told, _ = promised(answered)
    async with await BookingBot.open(db=db, now="2026-11-30T09:00:00+08:00", user="alice") as bot:
        store = bot.engine.store
        bookings = await store.read(lambda r: store.ledger.all_bookings(r, everything=True))
        assert told <= {b.id for b in bookings}
        assert await store.findings() == ()
        slots = [(b.room_id, b.date, b.start_time) for b in bookings]
        assert len(slots) == len(set(slots))
        _, talks = promised(answered)
        for number in range(min(talks, 110)):
            standing = await bot.handle(f"s{number}", "我有哪些预订")
            assert "内部错误" not in standing.text
            if standing.phase == "CONFIRMING":
                assert (await bot.handle(f"s{number}", "确认")).phase in ("BOOKED", "AWAITING_SELECTION")
