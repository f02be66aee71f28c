"""Group commit: one thread writes, and whatever queued up while it committed goes into the next transaction together.

No timers: a batch is what arrived during the last COMMIT. Nothing is answered before its COMMIT is through. A unit
that comes alone to an idle SQLite file is committed on the spot, since handing it to the thread and back costs more
than the commit; on a disk where it would hold up the event loop it is not.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Engine

from booking_bot.adapters.sql.buffers import Tx
from booking_bot.adapters.sql.records import StoreError
from booking_bot.adapters.sql.transactor import Outcome, Transactor

T = TypeVar("T")
Unit = Callable[[Tx], T]
"""A piece of work inside a transaction. It may be run more than once, so it must start from scratch each time: what it
needs it gets from its closure unchanged, and what it makes it returns. It must not wait for anything but the database.
"""

MAX_BATCH: Final = 512
"""Most units in one transaction: bounds how long the first of them waits."""
ON_THE_SPOT_S: Final = 0.002
"""A commit that takes longer belongs in the thread: the event loop has sockets to serve."""
CHECKPOINT_UNITS: Final = 256
"""Units after which an idle writer copies SQLite's log into the file: about a thousand pages."""
OVERDUE_UNITS: Final = 8 * CHECKPOINT_UNITS
"""Units after which the copy is made between two batches though the writer is not idle: bounds the log."""
IDLE_S: Final = 0.02
"""Nothing written for so long counts as idle."""
_LAST_CALL_S: Final = 1.0
"""How long closing waits for units whose event loop has not handed them over yet."""


class _Signal(Enum):
    """What the thread is told beside work: to stop, and that the log has grown meanwhile."""

    STOP = auto()
    LOOK = auto()


class _Job(NamedTuple):
    unit: Unit[Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]


class GroupWriter:
    """The one writer of a store in this process.

    A unit that raises, a row that a constraint refuses and a session that was moved on take the whole batch back; then
    each unit runs alone in its own transaction, and only the one at fault gets its error.
    """

    def __init__(self, engine: Engine, *, checkpoints: bool) -> None:
        self._transactor = Transactor(engine)
        self._checkpoints = checkpoints
        self._quick = engine.dialect.name == "sqlite"  # a server is always a network away
        self._may_be_quick = self._quick
        self._queue: queue.SimpleQueue[_Job | _Signal] = queue.SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        self._counts = threading.Lock()  # guards the next two
        self._unsettled = 0
        self._closed = False
        self._writing = threading.Lock()  # held by whoever uses the connection; guards the next one
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
        with self._counts:
            if self._closed:
                raise StoreError("the store is closed")
            self._unsettled += 1
        job = _Job(unit, loop, future)
        gathered = self._gathered.get(loop)
        if gathered is None:
            self._gathered[loop] = [job]
            loop.call_soon(self._hand_over, loop)
        else:
            gathered.append(job)
        return await future

    def close(self) -> None:
        """Write what has been given to `run`, then stop. Blocks; a second call waits for the first."""
        with self._counts:
            if not self._closed:
                self._closed = True
                self._queue.put(_Signal.STOP)
        self._thread.join()

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass on what came within one round of a loop: a lone unit may be written here and now."""
        jobs = self._gathered.pop(loop)
        if len(jobs) == 1 and self._written_on_the_spot(jobs[0]):
            return
        for job in jobs:
            self._queue.put(job)

    def _written_on_the_spot(self, job: _Job) -> bool:
        if not self._quick or not self._writing.acquire(blocking=False):
            return False
        try:
            if not self._queue.empty():
                return False
            started = time.perf_counter()
            outcome = self._transactor.outcome_now(job.unit)
            self._quick = time.perf_counter() - started < ON_THE_SPOT_S
            self._uncopied += 1
            due = self._uncopied == CHECKPOINT_UNITS
        finally:
            self._writing.release()
        if outcome is None:
            return False
        self._settle(1)
        _resolve([(job.future, outcome)])
        if due and self._checkpoints:
            self._queue.put(_Signal.LOOK)
        return True

    def _run(self) -> None:
        stopping = False
        while not (stopping and not self._unsettled):
            signals = self._round(stopping)
            if signals is None:
                break
            stopping = stopping or _Signal.STOP in signals
        self._transactor.close()

    def _round(self, stopping: bool) -> list[_Signal] | None:
        """Take what is there and write it; nothing of a batch is held while waiting for the next one.

        Returns:
            The signals that came with it; None when it is stopping and nothing came.
        """
        items = self._take(stopping)
        if stopping and not items:
            return None
        jobs = [item for item in items if isinstance(item, _Job)]
        if jobs:
            self._write(jobs)
        if self._uncopied >= OVERDUE_UNITS:
            self._copy_log()
        return [item for item in items if isinstance(item, _Signal)]

    def _take(self, stopping: bool) -> list[_Job | _Signal]:
        """Wait for work and take what is there. Nothing came when stopping: all is written, or nobody will come."""
        due = self._checkpoints and self._uncopied >= CHECKPOINT_UNITS
        before = self._uncopied
        try:
            items = [self._queue.get(timeout=_LAST_CALL_S if stopping else IDLE_S if due else None)]
        except queue.Empty:
            if due and self._uncopied == before:
                self._copy_log()
            return []
        while len(items) < MAX_BATCH:
            try:
                items.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return items

    def _write(self, jobs: Sequence[_Job]) -> None:
        with self._writing:
            started = time.perf_counter()
            outcomes = self._transactor.outcomes([job.unit for job in jobs])
            self._quick = self._may_be_quick and time.perf_counter() - started < ON_THE_SPOT_S * len(jobs)
            self._uncopied += len(jobs)
        self._settle(len(jobs))
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Outcome]]] = {}
        for job, outcome in zip(jobs, outcomes, strict=True):
            by_loop.setdefault(job.loop, []).append((job.future, outcome))
        for loop, settled in by_loop.items():
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_resolve, settled)

    def _settle(self, units: int) -> None:
        with self._counts:
            self._unsettled -= units

    def _copy_log(self) -> None:
        with self._writing:
            self._uncopied = 0
            if self._checkpoints:
                self._transactor.copy_log()


def _resolve(settled: Sequence[tuple[asyncio.Future[Any], Outcome]]) -> None:
    for future, outcome in settled:
        if future.done():
            continue  # the waiter gave up; the write stands
        if outcome.error is None:
            future.set_result(outcome.value)
        else:
            future.set_exception(outcome.error)
