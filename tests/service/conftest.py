"""A service over a bot whose clock the test moves."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator

import pytest

from booking_bot import BookingBot
from booking_bot.dialogue.model import Booking
from booking_bot.service import BookingService, BookingWish, Caller

NOW = dt.datetime.fromisoformat("2026-11-30T09:00:00+08:00")
ALICE = Caller(user_id="alice")
BOB = Caller(user_id="bob")


class MovableClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> dt.datetime:
        return self.now

    def wait(self, seconds: int) -> None:
        self.now += dt.timedelta(seconds=seconds)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
async def bot(clock: MovableClock) -> AsyncIterator[BookingBot]:
    async with await BookingBot.open(site="demo", db="sqlite://", clock=clock) as opened:
        yield opened


@pytest.fixture
def service(bot: BookingBot) -> BookingService:
    return BookingService(bot.engine)


def wish(**changes: object) -> BookingWish:
    """Give a legal wish, changed."""
    plain: dict[str, object] = {
        "date": "2026-12-01",
        "start_time": "14:00",
        "duration_minutes": 60,
        "capacity": 8,
        "room_id": "R1001",
    }
    return BookingWish.model_validate(plain | changes)


async def rows(bot: BookingBot) -> tuple[Booking, ...]:
    """Give every booking of the database."""
    store = bot.engine.store
    return await store.read(lambda reader: store.ledger.all_bookings(reader, everything=True))
