"""Fixtures of the store's tests: databases, a clock that is turned by hand, stores, and the statements they send."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import ActionRow, SqlStore, TurnRecord
from booking_bot.dialogue.site import Site
from tests.adapters.room_service_contract import NOW
from tests.adapters.sql.databases import ENGINES, database, emptied


class HandClock:
    """A clock that stands until it is turned."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> dt.datetime:
        return self.now


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def site() -> Site:
    return load_site("demo")


@pytest.fixture(params=ENGINES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A new database of each kind."""
    with database(request.param, tmp_path) as found:
        yield found


@pytest.fixture(scope="session", params=ENGINES)
def shared_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A database of each kind for all tests; making the tables takes longer than most of them."""
    with database(request.param, tmp_path_factory.mktemp("shared")) as found:
        yield found


@pytest.fixture
async def store(shared_url: str, site: Site, clock: HandClock) -> AsyncIterator[SqlStore]:
    """A store on each of the databases, empty."""
    opened = await SqlStore.open(shared_url, site, clock)
    yield opened
    await opened.close()
    emptied(shared_url)


@pytest.fixture
async def file_store(tmp_path: Path, site: Site, clock: HandClock) -> AsyncIterator[SqlStore]:
    """A store on an SQLite file."""
    opened = await SqlStore.open(f"sqlite:///{tmp_path / 'file.db'}", site, clock)
    yield opened
    await opened.close()


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Every statement that SQLite really runs, by any way, from here on; clear it before what is counted."""
    heard: list[str] = []

    def listen(connection: Any, _record: object) -> None:
        connection.set_trace_callback(heard.append)

    event.listen(Engine, "connect", listen)
    yield heard
    event.remove(Engine, "connect", listen)


def turn(session: str, number: int, *, message: str | None = "", version: int | None = None) -> TurnRecord:
    """Make the record of turn `number` of a session."""
    return TurnRecord(
        session_id=session,
        user_id="alice",
        site="demo",
        phase="COLLECTING_SLOTS",
        status="idle",
        stop_reason=None,
        context='{"schema": 1}',
        version=number - 1 if version is None else version,
        next_seq=3 * number + 1,
        turn_id=number,
        message_id=f"m{number}" if message == "" else message,
        channel="cli",
        said_at_s=int(NOW.timestamp()),
        text="明天下午2点8人会议室",
        reply=f'{{"text": "reply {number:06d}"}}',
        first_seq=3 * number - 2,
        actions=(ActionRow(number, 0, "complete", "search_rooms", "{}", "{}", "rule"),),
    )


async def save(store: SqlStore, record: TurnRecord) -> None:
    await store.run(lambda tx: store.save_turn(tx, record))
