"""The bot inside a program of your own: its event loop, its database, its users. Run: python examples/embed.py"""

from __future__ import annotations

import asyncio
import sys

from booking_bot import BookingBot


async def main(db: str = "sqlite://", now: str | None = None) -> None:
    """Hold two talks at once, in two languages, and show what was booked."""
    async with await BookingBot.open(site="demo", db=db, now=now) as bot:
        await asyncio.gather(
            talk(bot, "alice", ["明天下午2点，8个人，1小时", "选1", "确认"]),
            talk(bot, "bob", ["a room tomorrow at 2pm for 8 people, 1 hour", "the last one", "yes"]),
        )


async def talk(bot: BookingBot, user: str, messages: list[str]) -> None:
    """Say a user's messages one after the other; the session's label is the user's own."""
    for message in messages:
        reply = await bot.handle("main", message, user_id=user)
        print(f"{user}: {message}\n  bot: {reply.text}")
    if reply.booking is not None:
        print(
            f"-> {reply.booking.organizer} has {reply.booking.room} at {reply.booking.start}, number {reply.booking.id}"
        )


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
