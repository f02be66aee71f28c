"""Talks until it is killed: writes down what was answered after each turn, so that the killer knows what was promised.

Not a test: `test_crash.py` runs it as a process of its own.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from booking_bot import BookingBot

TALK = ("明天{hour}点，8人，半小时", "选1", "确认")


async def main(db: str, answered: Path, first: int) -> None:
    """Book room after room, one session a talk, from the half hour numbered `first` on."""
    async with await BookingBot.open(db=db, now="2026-11-30T09:00:00+08:00", user="alice") as bot:
        with answered.open("a", encoding="utf-8") as book:
            for number in range(first, 120):
                hour = 8 + number % 14
                for step, text in enumerate(TALK):
                    reply = await bot.handle(f"s{number}", text.format(hour=hour), message_id=f"{number}-{step}")
                    booked = reply.booking.id if reply.booking else ""
                    book.write(f"{number} {step} {reply.phase} {booked}\n")
                    book.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
