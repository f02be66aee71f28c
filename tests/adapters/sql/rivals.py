"""What the racing and the dying processes of `test_processes` do. Nothing in here is a test."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import SqlLedger, SqlStore
from booking_bot.dialogue.model import Booking
from booking_bot.dialogue.observations import Booked, Moved
from tests.adapters.room_service_contract import NOW, cancellation, change, order
from tests.adapters.sql.conftest import turn

SLOTS = tuple((room, f"{hour:02d}:00") for room in ("R1001", "R1002") for hour in range(8, 16))
"""Each wanted by every process at once."""


class BlindLedger(SqlLedger):
    """Does not look whether a room is free before it writes: only the claims can refuse."""

    def _clashes(self, *_: Any, **__: Any) -> bool:
        return False


@dataclass
class Score:
    """What a process was told."""

    won: list[tuple[str, str]] = field(default_factory=list)
    live: dict[str, Booking] = field(default_factory=dict)


def _now() -> dt.datetime:
    return NOW


async def _open(url: str) -> SqlStore:
    return await SqlStore.open(url, load_site("demo"), _now)


def fight(url: str, number: int, meet: Callable[[], object], tell: Callable[[Score], None]) -> None:
    """Want every slot, then book, move and cancel at random in a third room."""
    asyncio.run(_fight(url, number, meet, tell))


async def _fight(url: str, number: int, meet: Callable[[], object], tell: Callable[[Score], None]) -> None:
    store = await _open(url)
    ledger = BlindLedger(load_site("demo"), _now) if number % 2 else store.ledger
    score, who = Score(), f"user{number}"
    meet()
    for each, (room, start) in enumerate(SLOTS):
        wanted = order(f"{number}-{each}", start, room=room)
        answer = await store.run(lambda tx, wanted=wanted: ledger.book_room(tx, wanted, who))
        if isinstance(answer, Booked):
            score.won.append((room, start))
    dice = random.Random(number)
    for each in range(20):
        await _one_move(store, ledger, score, who, dice, f"{number}-r{each}")
    tell(score)
    await store.close()


async def _one_move(store: SqlStore, ledger: SqlLedger, score: Score, who: str, dice: random.Random, key: str) -> None:
    minute = dice.randrange(8 * 60, 20 * 60, 5)
    start, minutes = f"{minute // 60:02d}:{minute % 60:02d}", dice.choice((30, 60, 90))
    held = dice.choice(list(score.live.values())) if score.live else None
    roll = dice.random()
    if held is None or roll < 0.6:
        wanted = order(key, start, minutes, room="R2002")
        made = await store.run(lambda tx: ledger.book_room(tx, wanted, who))
        if isinstance(made, Booked):
            score.live[made.booking.id] = made.booking
    elif roll < 0.85:
        moved = await store.run(lambda tx: ledger.move_booking(tx, change(held, key, start, minutes), who))
        if isinstance(moved, Moved):
            score.live[held.id] = moved.booking
    else:
        await store.run(lambda tx: ledger.cancel_booking(tx, cancellation(held, key), who))
        del score.live[held.id]


def write_for_ever(url: str, number: int, tell: Callable[[tuple[str, object]], None]) -> None:
    """Save turns and bookings of several sessions until killed, and tell of each that was acknowledged."""

    async def talk(store: SqlStore, session: str) -> None:
        for each in range(1, 10_000):
            minute = 8 * 60 + (each * 30) % (14 * 60)
            wanted = order(f"{session}-{each}", f"{minute // 60:02d}:{minute % 60:02d}", 30, room=f"R100{1 + each % 5}")

            def unit(tx: Any, wanted: Any = wanted, each: int = each) -> object:
                store.save_turn(tx, turn(session, each))
                return store.ledger.book_room(tx, wanted, session)

            answer = await store.run(unit)
            tell(("turn", (session, each)))
            if isinstance(answer, Booked):
                tell(("booking", answer.booking))

    async def all_talks() -> None:
        store = await _open(url)
        await asyncio.gather(*(talk(store, f"kill{number}-{i}") for i in range(3)))

    asyncio.run(all_talks())


async def _turns(url: str, turns: int) -> None:
    store = await _open(url)
    for number in range(1, turns + 1):
        await store.run(lambda tx, number=number: store.save_turn(tx, turn("s", number)))
    await store.close()


if __name__ == "__main__":
    work: Coroutine[Any, Any, None] = _turns(sys.argv[1], int(sys.argv[2]))
    asyncio.run(work)
