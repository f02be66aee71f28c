"""Group commit: who commits together, who fails alone, and that nothing is answered before its COMMIT."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError

from booking_bot.adapters.sql import SqlStore, StoreError, Tx
from booking_bot.dialogue.site import Site
from tests.adapters.room_service_contract import order
from tests.adapters.sql.conftest import HandClock, save, turn


async def versions(store: SqlStore, *sessions: str) -> list[int | None]:
    found = [await store.load_session(session) for session in sessions]
    return [session.version if session else None for session in found]


async def test_units_that_queue_up_during_a_commit_commit_together(
    statements: list[str], tmp_path: Path, site: Site, clock: HandClock
) -> None:
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'x.db'}", site, clock)
    gate, entered = threading.Event(), threading.Event()

    def first(tx: Tx) -> None:
        store.save_turn(tx, turn("first", 1))
        entered.set()
        gate.wait(10)

    slow = asyncio.gather(store.run(first), save(store, turn("beside", 1)))
    await asyncio.to_thread(entered.wait, 10)
    statements.clear()
    rest = asyncio.gather(*(save(store, turn(f"s{i}", 1)) for i in range(20)))
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(slow, rest)
    assert statements.count("COMMIT") == 2
    assert set(await versions(store, "first", "beside", *(f"s{i}" for i in range(20)))) == {1}
    await store.close()


async def test_who_fails_fails_alone(store: SqlStore) -> None:
    await save(store, turn("s0", 1))

    def raises(tx: Tx) -> None:
        store.save_turn(tx, turn("wrong", 1))
        raise LookupError("mine")

    answers = await asyncio.gather(
        save(store, turn("s1", 1)),
        store.run(raises),
        save(store, turn("s0", 1)),
        store.run(lambda tx: store.ledger.book_room(tx, order("1"), "alice")),
        store.run(lambda tx: tx.connection.execute(text("SELECT nothing FROM nowhere"))),
        save(store, turn("s2", 1)),
        return_exceptions=True,
    )
    assert [type(a).__name__ for a in answers] == [
        "NoneType",
        "LookupError",
        "DuplicateMessage",
        "Booked",
        "StoreError",
        "NoneType",
    ]
    assert await versions(store, "s1", "s2", "wrong") == [1, 1, None]


async def test_a_constraint_that_has_nothing_to_do_with_the_session_is_no_stale_session(store: SqlStore) -> None:
    def unit(tx: Tx) -> None:
        store.save_turn(tx, turn("s", 1))
        for _ in range(2):
            tx.connection.execute(text("INSERT INTO app_user (id) VALUES ('alice')"))

    with pytest.raises(StoreError, match=r"IntegrityError|UniqueViolation"):
        await store.run(unit)
    assert await versions(store, "s") == [None]


async def test_a_unit_that_is_run_again_counts_once(store: SqlStore) -> None:
    await save(store, turn("s", 1))
    answers = await asyncio.gather(
        *(
            store.run(lambda tx, i=i: store.ledger.book_room(tx, order(str(i), f"{8 + i:02d}:00"), "a"))
            for i in range(5)
        ),
        save(store, turn("s", 1)),
        return_exceptions=True,
    )
    assert [getattr(a, "kind", "refused") for a in answers] == ["booked"] * 5 + ["refused"]
    listed = await store.read(lambda r: store.ledger.list_bookings(r, "a"))
    assert len(listed.bookings) == 5
    assert await store.findings() == ()


async def test_giving_up_waiting_does_not_take_the_write_back(store: SqlStore) -> None:
    tasks = [asyncio.create_task(save(store, turn(f"s{i}", 1))) for i in range(3)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await save(store, turn("last", 1))
    assert await versions(store, "s0", "s1", "s2") == [1, 1, 1]


async def test_an_answer_comes_only_after_the_commit(tmp_path: Path, site: Site, clock: HandClock) -> None:
    """Whoever has been answered finds the row from outside, each time."""
    path = tmp_path / "x.db"
    store = await SqlStore.open(f"sqlite:///{path}", site, clock)
    outside = sqlite3.connect(path)

    async def talk(session: str) -> None:
        for number in range(1, 6):
            await save(store, turn(session, number))
            query = "SELECT version FROM session WHERE id = ?"
            assert outside.execute(query, (session,)).fetchone() == (number,)

    await asyncio.gather(*(talk(f"s{i}") for i in range(8)))
    outside.close()
    await store.close()


async def test_a_commit_that_fails_is_no_success(file_store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_tx: Tx) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(Tx, "commit", refuse)
    unit = asyncio.gather(
        *(file_store.run(lambda tx, i=i: file_store.ledger.book_room(tx, order(str(i)), "a")) for i in range(2)),
        return_exceptions=True,
    )
    assert [type(a) for a in await unit] == [StoreError, StoreError]
    monkeypatch.undo()
    listed = await file_store.read(lambda r: file_store.ledger.list_bookings(r, "a"))
    assert listed.bookings == ()
    await save(file_store, turn("s", 1))


async def test_loops_of_several_threads_may_share_a_store(file_store: SqlStore) -> None:
    def elsewhere(name: str) -> None:
        async def talk() -> None:
            await asyncio.gather(*(save(file_store, turn(f"{name}{i}", 1)) for i in range(10)))
            await save(file_store, turn(f"{name}0", 2))

        asyncio.run(talk())

    await asyncio.gather(*(asyncio.to_thread(elsewhere, name) for name in "abc"))
    assert await versions(file_store, "a0", "b0", "c0", "c9") == [2, 2, 2, 1]


async def test_a_loop_that_ends_early_harms_nobody(file_store: SqlStore) -> None:
    gate = threading.Event()

    def leave() -> None:
        async def talk() -> None:
            held = [asyncio.create_task(file_store.run(lambda _: gate.wait(10))) for _ in range(2)]
            await asyncio.sleep(0.05)
            for task in held:
                task.cancel()

        asyncio.run(talk())

    await asyncio.to_thread(leave)
    gate.set()
    await save(file_store, turn("s", 1))
    assert await versions(file_store, "s") == [1]


async def test_closing_writes_what_is_queued_and_then_refuses(tmp_path: Path, site: Site, clock: HandClock) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    store = await SqlStore.open(url, site, clock)
    tasks = [asyncio.create_task(save(store, turn(f"s{i}", 1))) for i in range(50)]
    await asyncio.sleep(0)
    await store.close()
    await store.close()
    await asyncio.gather(*tasks)
    with pytest.raises(StoreError, match="closed"):
        await save(store, turn("late", 1))
    again = await SqlStore.open(url, site, clock)
    assert await versions(again, "s0", "s49", "late") == [1, 1, None]
    await again.close()


async def test_a_write_lock_of_another_process_is_waited_for_beside_the_loop(
    tmp_path: Path, site: Site, clock: HandClock
) -> None:
    path = tmp_path / "x.db"
    store = await SqlStore.open(f"sqlite:///{path}", site, clock)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(save(store, turn("s", 1)))
    rounds = 0
    for _ in range(20):
        await asyncio.sleep(0.005)
        rounds += not waiting.done()
    assert rounds == 20
    other.execute("COMMIT")
    await waiting
    other.close()
    assert await versions(store, "s") == [1]
    await store.close()


async def test_the_log_is_copied_while_nobody_writes(
    statements: list[str], tmp_path: Path, site: Site, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("booking_bot.adapters.sql.writer.CHECKPOINT_UNITS", 5)
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'x.db'}", site, clock)
    for number in range(1, 6):
        await save(store, turn("s", number))
    for _ in range(200):
        if any("wal_checkpoint(PASSIVE)" in each for each in statements):
            break
        await asyncio.sleep(0.01)
    copied = [i for i, each in enumerate(statements) if "wal_checkpoint(PASSIVE)" in each]
    assert len(copied) == 1
    assert statements[copied[0] - 1] == "COMMIT"
    await store.close()


async def test_the_log_is_bounded_though_the_writer_never_rests(
    statements: list[str], tmp_path: Path, site: Site, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("booking_bot.adapters.sql.writer.OVERDUE_UNITS", 20)
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'x.db'}", site, clock)
    for number in range(1, 11):
        await asyncio.gather(*(save(store, turn(f"s{i}", number)) for i in range(10)))
    await store.close()
    assert sum("wal_checkpoint" in each for each in statements) >= 3


@pytest.mark.parametrize("shared_url", ["postgresql", "mariadb"], indirect=True)
async def test_a_lost_connection_is_made_again(store: SqlStore) -> None:
    is_postgresql = store.engine.dialect.name == "postgresql"
    who_am_i = "SELECT pg_backend_pid()" if is_postgresql else "SELECT connection_id()"
    me = await store.run(lambda tx: tx.connection.execute(text(who_am_i)).scalar_one())
    end = f"SELECT pg_terminate_backend({me})" if is_postgresql else f"KILL {me}"
    await store.read(lambda r: r.connection.execute(text(end)))
    await save(store, turn("s", 1))
    assert await versions(store, "s") == [1]


DEADLOCKS = {
    "postgresql": "DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$",
    "mariadb": "SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213",
}


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("booking_bot.adapters.sql.transactor.FIRST_PAUSE_S", 0)


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize("shared_url", DEADLOCKS, indirect=True)
async def test_a_deadlock_is_tried_again(store: SqlStore) -> None:
    tries: list[int] = []

    def unit(tx: Tx) -> int:
        store.save_turn(tx, turn("s", 1))
        tries.append(1)
        if len(tries) < 3:
            with tx.connection.begin_nested():
                tx.connection.exec_driver_sql(DEADLOCKS[store.engine.dialect.name])
        return len(tries)

    assert await store.run(unit) == 3
    assert await versions(store, "s") == [1]


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize("shared_url", DEADLOCKS, indirect=True)
async def test_a_database_that_never_lets_in_fails_all_who_wait_after_some_tries(store: SqlStore) -> None:
    tries: list[int] = []

    def unit(tx: Tx) -> None:
        tries.append(1)
        tx.connection.exec_driver_sql(DEADLOCKS[store.engine.dialect.name])

    answers = await asyncio.gather(store.run(unit), save(store, turn("s", 1)), return_exceptions=True)
    assert [isinstance(a, StoreError) for a in answers] == [True, True]
    assert len(tries) == 8
    await save(store, turn("s", 1))


@pytest.mark.usefixtures("no_pauses")
async def test_a_server_that_went_away_fails_who_waits_and_serves_who_comes_later(
    file_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save(file_store, turn("s", 1))
    real = file_store.engine.connect

    def refuse() -> Connection:
        raise OperationalError("connect", {}, sqlite3.OperationalError("connection refused"))

    monkeypatch.setattr(file_store.engine, "connect", refuse)
    file_store._writer._transactor.close()
    with pytest.raises(StoreError, match="connection refused"):
        await save(file_store, turn("s", 2))
    together = await asyncio.gather(*(save(file_store, turn(x, 1)) for x in "ab"), return_exceptions=True)
    assert [type(a).__mro__[1] for a in together] == [StoreError, StoreError]
    monkeypatch.setattr(file_store.engine, "connect", real)
    await save(file_store, turn("s", 2))
    assert await versions(file_store, "s") == [2]
