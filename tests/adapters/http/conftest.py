"""A mock service on a real socket, and clients that wait for nothing."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import AsyncIterator, Callable

import pytest

from booking_bot.adapters.http import HttpLimits, HttpRooms
from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import LedgerService, SqlStore
from booking_bot.adapters.weather_file import load_weather
from booking_bot.channels.mock_apis import MockApis
from booking_bot.dialogue.site import Site

NOW = dt.datetime(2026, 11, 30, 1, 0, tzinfo=dt.UTC)
"""09:00 in the office."""
PATIENT = HttpLimits(attempt_s=20, total_s=60, lookup_s=20)
"""Never runs out on a busy machine: for faults that end by themselves."""
HASTY = HttpLimits(attempt_s=0.15, total_s=0.3, lookup_s=20, attempts=2)
"""Runs out at once: for services that say nothing."""


class Pauses:
    """Stands in for sleep: notes how long, and does not."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def site() -> Site:
    return load_site("demo")


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
async def apis(site: Site) -> AsyncIterator[MockApis]:
    store = await SqlStore.open("sqlite://", site, lambda: NOW)
    mock = MockApis(site, rooms=LedgerService(store), weather=load_weather("demo"), clock=lambda: NOW)
    async with await mock.start():
        yield mock
    await store.close()


@pytest.fixture
async def rooms_client(apis: MockApis, site: Site, pauses: Pauses) -> AsyncIterator[Callable[..., HttpRooms]]:
    """Makes clients of the mock service; all are closed at the end."""
    made: list[HttpRooms] = []

    def make(limits: HttpLimits = PATIENT, url: str | None = None) -> HttpRooms:
        client = HttpRooms(url or apis.url, site, limits=limits, sleep=pauses, rng=random.Random(7))
        made.append(client)
        return client

    yield make
    for client in made:
        await client.aclose()
