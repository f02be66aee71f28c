"""The application in process over httpx, and as a server on a loopback port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from booking_bot import BookingBot
from booking_bot.channels.http_api import create_app, serve
from booking_bot.dialogue.model import Booking
from booking_bot.tokens import make_token
from booking_bot.wire import count_events

NOW = "2026-11-30T09:00:00+08:00"
SECRET = "a secret of thirty-two characters"  # noqa: S105  # only here
WISH: dict[str, Any] = {"date": "2026-12-01", "start_time": "14:00", "duration_minutes": 60, "capacity": 8}
ORDER: dict[str, Any] = WISH | {"room_id": "R1001"}


@pytest.fixture
async def bot() -> AsyncIterator[BookingBot]:
    async with await BookingBot.open(site="demo", db="sqlite://", now=NOW, count_events=count_events) as opened:
        yield opened


@asynccontextmanager
async def client_of(bot: BookingBot, **options: Any) -> AsyncIterator[httpx2.AsyncClient]:
    """Give a client of an application in this process, its lifespan running."""
    app = create_app(bot, **options)
    begun, over = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with app.router.lifespan_context(app):
            begun.set()
            await over.wait()

    living = asyncio.ensure_future(live())  # a task of its own: fixtures begin and end in different ones
    await begun.wait()
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    try:
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8766") as client:
            yield client
    finally:
        over.set()
        await living


@pytest.fixture
async def client(bot: BookingBot) -> AsyncIterator[httpx2.AsyncClient]:
    async with client_of(bot) as opened:
        yield opened


def bearer(user: str, secret: str = SECRET) -> dict[str, str]:
    """Give the header that speaks for a user."""
    return {"Authorization": f"Bearer {make_token(user, secret)}"}


@asynccontextmanager
async def served(db: str, **settings: Any) -> AsyncIterator[str]:
    """Run the server on a free loopback port and give its address."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.ensure_future(
        serve("127.0.0.1", 0, site="demo", db=db, now=NOW, ready=ready.set_result, **settings)
    )
    await asyncio.wait((ready, serving), return_when=asyncio.FIRST_COMPLETED)
    try:
        yield ready.result() if ready.done() else await serving  # type: ignore[misc]  # raises what went wrong
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'bookings.db'}"


async def rows(bot: BookingBot) -> tuple[Booking, ...]:
    """Give every booking of the database."""
    store = bot.engine.store
    return await store.read(lambda reader: store.ledger.all_bookings(reader, everything=True))
