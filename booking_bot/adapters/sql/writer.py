"""Group commit: one thread writes, and whatever queued up while it committed goes into the next transaction together.

No timers: a batch is what arrived during the last COMMIT. Nothing is answered before its COMMIT is through.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Engine, select
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import faults, schema
from booking_bot.adapters.sql.buffers import FlushStatements, Tx
from booking_bot.adapters.sql.records import DuplicateMessage, StoreError
from booking_bot.errors import StaleSession

T = TypeVar("T")
Unit = Callable[[Tx], T]
"""A piece of work inside a transaction. It may be run more than once, so it must start from scratch each time: what it
needs it gets from its closure unchanged, and what it makes it returns. It must not wait for anything but the database.
"""

MAX_BATCH: Final = 512
"""Most units in one transaction: bounds how long the first of them waits."""
MAX_TRIES: Final = 8
"""Tries of a transaction that met a deadlock, a busy database or a lost connection: about two seconds in all."""
FIRST_PAUSE_S: Final = 0.01
CHECKPOINT_UNITS: Final = 256
"""Units after which an idle writer copies SQLite's log into the file: about a thousand pages."""
OVERDUE_UNITS: Final = 16 * CHECKPOINT_UNITS
"""Units after which the copy is made even though the writer is not idle: bounds the log."""
IDLE_S: Final = 0.02

_TURN: Final = schema.METADATA.tables["turn"].c


class _Job(NamedTuple):
    unit: Unit[Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


class _Outcome(NamedTuple):
    value: Any
    error: BaseException | None


class GroupWriter:
    """The one writer of a store in this process.

    A unit that raises, a row that a constraint refuses and a session that was moved on take the whole batch back; then
    each unit runs alone in its own transaction, and only the one at fault gets its error.
    """

    def __init__(self, engine: Engine, *, checkpoints: bool) -> None:
        self._engine = engine
        self._statements = FlushStatements(engine.dialect)
        self._checkpoints = checkpoints
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._connection: Connection | None = None
        self._uncopied = 0
        self._thread = threading.Thread(target=self._run, name="booking-bot-writer", daemon=True)
        self._thread.start()

    async def run(self, unit: Unit[T]) -> T:
        """Run a unit in the next transaction and give its result after the COMMIT.

        Giving up waiting does not take the write back.

        Raises:
            DuplicateMessage: the session has answered this message id before.
            StaleSession: the session was moved on since it was loaded.
            StoreError: the database failed, after the tries that made sense.
            BaseException: whatever the unit itself raised.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed")
            self._queue.put(_Job(unit, loop, future))
        return await future

    def close(self) -> None:
        """Write what is queued, then stop. Blocks; a second call waits for the first."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        open_ = True
        while open_:
            batch, open_ = self._next_batch()
            if batch:
                _settle(batch, self._outcomes(batch))
                self._uncopied += len(batch)
            if self._uncopied >= OVERDUE_UNITS:
                self._copy_log()
        self._disconnect()

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """Wait for work and take what is there; the flag is False once the writer is to stop."""
        first = self._first_job()
        batch: list[_Job] = []
        while first is not None:
            batch.append(first)
            if len(batch) >= MAX_BATCH:
                return batch, True
            try:
                first = self._queue.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False

    def _first_job(self) -> _Job | None:
        if self._checkpoints and self._uncopied >= CHECKPOINT_UNITS:
            try:
                return self._queue.get(timeout=IDLE_S)
            except queue.Empty:
                self._copy_log()
        return self._queue.get()

    def _outcomes(self, batch: Sequence[_Job]) -> list[_Outcome]:
        try:
            return [_Outcome(value, None) for value in self._transact_patiently(batch)]
        except BaseException as exc:
            if len(batch) == 1:
                return [_Outcome(None, exc)]
        return [outcome for job in batch for outcome in self._outcomes([job])]

    def _transact_patiently(self, batch: Sequence[_Job]) -> list[Any]:
        pause = FIRST_PAUSE_S
        for left in range(MAX_TRIES - 1, -1, -1):
            try:
                return self._transact(batch)
            except BaseException as exc:
                if not faults.is_database_error(exc, self._engine.dialect):
                    raise
                if not left or not faults.is_transient(exc, self._engine.dialect):
                    raise StoreError(f"the database failed: {faults.reason(exc)}") from exc
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - jitter is no secret
            pause *= 2
        raise AssertionError("unreachable")

    def _transact(self, batch: Sequence[_Job]) -> list[Any]:
        connection = self._connected()
        tx = Tx(connection)
        try:
            connection.begin()
            values = [job.unit(tx) for job in batch]
            tx.flush(self._statements)
            connection.commit()
        except BaseException as exc:
            self._roll_back(connection, exc)
            refused = isinstance(exc, StaleSession) or faults.is_constraint(exc, self._engine.dialect)
            if refused and len(batch) == 1 and tx.wrote_turn:
                raise self._explain(*tx.wrote_turn) from exc
            raise
        return values

    def _roll_back(self, connection: Connection, exc: BaseException) -> None:
        try:
            connection.rollback()
        except Exception:  # whatever stops a rollback, this connection is of no more use
            self._disconnect(broken=True)
        else:
            if faults.is_lost(exc, self._engine.dialect):
                self._disconnect(broken=True)

    def _explain(self, session_id: str, message_id: str | None) -> StaleSession:
        """Tell why a turn was refused: its message has been answered, or the session was moved on."""
        query = select(_TURN.turn_id).where(_TURN.session_id == session_id, _TURN.message_id == message_id)
        connection = self._connected()
        with connection.begin():
            answered = connection.execute(query).first() is not None
        if answered and message_id is not None:
            return DuplicateMessage(f"message {message_id!r} has been answered")
        return StaleSession("the session was moved on by somebody else")

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _disconnect(self, *, broken: bool = False) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                if broken:
                    connection.invalidate()
                connection.close()

    def _copy_log(self) -> None:
        """Copy SQLite's write-ahead log into the database file, as far as readers allow."""
        self._uncopied = 0
        if self._checkpoints:
            cursor = self._connected().connection.cursor()
            with contextlib.suppress(Exception), contextlib.closing(cursor):
                cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _settle(batch: Sequence[_Job], outcomes: Sequence[_Outcome]) -> None:
    """Hand the outcomes to the loops that wait for them, one wake-up a loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], _Outcome]]] = {}
    for job, outcome in zip(batch, outcomes, strict=True):
        by_loop.setdefault(job.loop, []).append((job.future, outcome))
    for loop, settled in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_resolve, settled)


def _resolve(settled: Sequence[tuple[asyncio.Future[Any], _Outcome]]) -> None:
    for future, outcome in settled:
        if future.done():
            continue  # the waiter gave up; the write stands
        if outcome.error is None:
            future.set_result(outcome.value)
        else:
            future.set_exception(outcome.error)
