"""`booking-bot memory`: shows what is remembered of a user, or deletes it."""

from __future__ import annotations

import argparse
import json
import sys

from booking_bot.app import BookingBot
from booking_bot.printable import printable


async def memory(arguments: argparse.Namespace) -> int:
    """Show one thing remembered a line, key and value; with ``--forget`` delete all of it."""
    async with await BookingBot.open(site=arguments.site, db=arguments.db, planner="rules") as bot:
        store = bot.engine.store
        if arguments.forget:
            count = await store.forget(arguments.user, int(bot.engine.now().timestamp()))
            sys.stdout.write(f"forgot {count} of {arguments.user}\n")
            return 0
        items = await store.memory_of(arguments.user)
    for item in items:
        sys.stdout.write(f"{printable(item.key)}\t{printable(_plain(item.value))}\n")
    if not items:
        sys.stdout.write(f"nothing is remembered of {arguments.user}\n")
    return 0


def _plain(value: str) -> str:
    """Give a summary's text alone, anything else as it is."""
    try:
        given = json.loads(value)
    except ValueError:
        return value
    return str(given["text"]) if isinstance(given, dict) and "text" in given else value
