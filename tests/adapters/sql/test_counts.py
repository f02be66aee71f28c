"""What a turn costs, counted in statements and bytes as SQLite really gets them. Nothing here is timed."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import text

from booking_bot.adapters.sql import SqlStore
from booking_bot.dialogue.site import Site
from tests.adapters.room_service_contract import order, wish
from tests.adapters.sql.conftest import HandClock, save, turn


def verbs(statements: list[str]) -> list[str]:
    """Give the first words of the statements, with the table written to."""
    out = []
    for each in statements:
        words = each.replace("\n", " ").split()
        verb = words[0].upper()
        if verb == "PRAGMA":
            continue  # how long to wait for a lock is set when a slow commit has moved the next one to the thread
        out.append(f"{verb} {words[2 if verb == 'INSERT' else 1]}" if verb in ("INSERT", "UPDATE") else verb)
    return out


@pytest.fixture
async def counted(statements: list[str], tmp_path: Path, site: Site, clock: HandClock) -> SqlStore:
    return await SqlStore.open(f"sqlite:///{tmp_path / 'x.db'}", site, clock)


async def test_a_hot_turn_is_one_commit_one_update_and_its_rows(statements: list[str], counted: SqlStore) -> None:
    await save(counted, turn("s", 1))
    for number in range(2, 50):
        statements.clear()
        await save(counted, turn("s", number))
        assert verbs(statements) == ["BEGIN", "UPDATE session", "INSERT turn", "INSERT action", "COMMIT"]
    await counted.close()


async def test_a_turn_that_searches_reads_once(statements: list[str], counted: SqlStore) -> None:
    def unit(tx: object) -> None:
        counted.ledger.search_rooms(tx, wish())
        counted.save_turn(tx, turn("s", 1))

    await save(counted, turn("other", 1))
    statements.clear()
    await counted.run(unit)
    assert verbs(statements) == ["BEGIN", "SELECT", "INSERT session", "INSERT turn", "INSERT action", "COMMIT"]
    await counted.close()


async def test_a_turn_that_books_is_one_commit(statements: list[str], counted: SqlStore) -> None:
    def unit(tx: object) -> None:
        counted.ledger.book_room(tx, order("1"), "alice")
        counted.save_turn(tx, turn("s", 1))

    await save(counted, turn("other", 1))
    statements.clear()
    await counted.run(unit)
    assert verbs(statements).count("COMMIT") == 1
    assert verbs(statements).count("SELECT") == 1
    await counted.close()


@pytest.mark.parametrize("turns", [10, 10_000])
async def test_a_cold_resume_is_two_selects_however_long_the_talk(
    turns: int, statements: list[str], counted: SqlStore
) -> None:
    def all_turns(tx: object) -> None:
        for number in range(1, turns + 1):
            counted.save_turn(tx, turn("s", number))

    await counted.run(all_turns)
    statements.clear()
    session = await counted.load_session("s")
    assert verbs(statements).count("SELECT") == 2
    assert session is not None
    assert len(session.recent) == min(turns, 32)
    statements.clear()
    assert (await counted.find_reply("s", "m1")) is not None
    assert len(await counted.turns_since("s", session.next_seq - 1)) == 1
    assert verbs(statements).count("SELECT") == 2
    await counted.close()


async def test_cold_queries_use_an_index(counted: SqlStore) -> None:
    """A plan that scans a table would make long talks and old offices slow."""
    queries = (
        "SELECT turn_id, message_id FROM turn WHERE session_id = 's' ORDER BY turn_id DESC LIMIT 32",
        "SELECT turn_id FROM turn WHERE session_id = 's' AND message_id = 'm'",
        "SELECT room_id FROM booking WHERE status = 'booked' AND block_to_s > 5 AND block_from_s < 9",
        "SELECT id FROM booking WHERE organizer = 'a' AND status = 'booked' AND end_s > 5",
        "SELECT seq FROM action WHERE session_id = 's' ORDER BY turn_id, seq",
        "SELECT id FROM outbox WHERE next_try_s <= 5 ORDER BY next_try_s, id",
    )
    for query in queries:
        plan = await counted.read(
            lambda r, query=query: [row[-1] for row in r.connection.execute(text(f"EXPLAIN QUERY PLAN {query}"))]
        )
        assert all(step.startswith("SEARCH") for step in plan), (query, plan)
    await counted.close()


async def test_the_file_grows_as_little_at_the_end_of_a_long_talk_as_at_its_beginning(
    tmp_path: Path, site: Site, clock: HandClock
) -> None:
    url, sizes = f"sqlite:///{tmp_path / 'x.db'}", [0]
    for part in range(4):
        store = await SqlStore.open(url, site, clock)
        for number in range(500 * part + 1, 500 * part + 501):
            await save(store, turn("s", number))
        await store.close()  # copies the whole log into the file
        sizes.append((tmp_path / "x.db").stat().st_size)
    growth = [later - earlier for earlier, later in pairwise(sizes[1:])]
    assert max(growth) < 500 * 600
    assert max(growth) < 1.1 * min(growth)


async def test_turns_of_many_sessions_share_commits(statements: list[str], counted: SqlStore) -> None:
    async def talk(session: str) -> None:
        for number in range(1, 11):
            await save(counted, turn(session, number))

    statements.clear()
    await asyncio.gather(*(talk(f"s{i}") for i in range(32)))
    assert statements.count("COMMIT") <= 320 / 4
    assert verbs(statements).count("INSERT turn") == 320
    await counted.close()
