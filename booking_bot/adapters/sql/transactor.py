"""One writing connection and what happens on it: run units, flush, commit; roll back, explain, reconnect.

Knows nothing of threads and queues; whoever calls sees to it that only one does at a time.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Engine, bindparam, select
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from booking_bot.adapters.sql import faults, schema
from booking_bot.adapters.sql.buffers import MOVED_ON, Tx
from booking_bot.adapters.sql.engine import BEGIN_WRITING, BUSY_TIMEOUT_MS
from booking_bot.adapters.sql.message_ids import stored_id
from booking_bot.adapters.sql.records import DuplicateMessage, StoreError, TurnRecord
from booking_bot.errors import StaleSession

MAX_TRIES: Final = 8
"""Tries of a transaction that met a deadlock, a busy database or a lost connection: about two seconds of pauses."""
GIVE_UP_S: Final = 15.0
"""No new try after so long: each may have waited for a lock, and people wait for the answer."""
FIRST_PAUSE_S: Final = 0.01

_TURN: Final = schema.METADATA.tables["turn"].c
_SESSION: Final = schema.METADATA.tables["session"].c
_ANSWERED: Final = select(_TURN.turn_id).where(
    _TURN.session_id == bindparam("session"), _TURN.message_id == bindparam("message")
)
_VERSION: Final = select(_SESSION.version).where(_SESSION.id == bindparam("session"))

AnyUnit = Callable[[Tx], Any]


class Outcome(NamedTuple):
    """What became of a unit: its value, or the error for whoever waits for it."""

    value: Any
    error: BaseException | None


class _LostConnection(Exception):
    """The connection broke or could not be made; the driver's error is the cause."""


class _GaveUp(StoreError):
    """The database was not to be had for anybody: running the units one by one would only take longer."""


class Transactor:
    """The writing connection of a store."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._dialect = engine.dialect
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._connection: Connection | None = None
        self._driver: Any = None
        self._busy_timeout_ms = BUSY_TIMEOUT_MS

    def outcomes(self, units: Sequence[AnyUnit]) -> list[Outcome]:
        """Run units in one transaction; when it cannot commit, each alone, so that only those at fault fail."""
        try:
            return [Outcome(value, None) for value in self._transact_patiently(units)]
        except BaseException as exc:
            if len(units) == 1 or isinstance(exc, _GaveUp):
                return [Outcome(None, exc)] * len(units)
        return [outcome for unit in units for outcome in self.outcomes([unit])]

    def outcome_now(self, unit: AnyUnit) -> Outcome | None:
        """Run one unit without waiting for anybody; None when that was not possible and nothing was written."""
        try:
            return Outcome(self._transact([unit], busy_timeout_ms=0)[0], None)
        except BaseException as exc:
            if self._may_pass(exc):
                return None
            if faults.is_database_error(exc, self._dialect):
                return Outcome(None, _failed(exc, StoreError))
            return Outcome(None, exc)

    def copy_log(self) -> None:
        """Copy SQLite's write-ahead log into the database file, as far as readers allow."""
        with contextlib.suppress(Exception):  # it is made up for the next time
            self._connected()
            self._driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Give the connection back."""
        self._disconnect()

    def _transact_patiently(self, units: Sequence[AnyUnit]) -> list[Any]:
        pause = FIRST_PAUSE_S
        latest = time.monotonic() + GIVE_UP_S
        for left in range(MAX_TRIES - 1, -1, -1):
            try:
                return self._transact(units)
            except BaseException as exc:
                if not self._may_pass(exc):
                    if faults.is_database_error(exc, self._dialect):
                        raise _failed(exc, StoreError) from exc
                    raise
                if not left or time.monotonic() > latest:
                    raise _failed(exc.__cause__ or exc, _GaveUp) from exc
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - jitter is no secret
            pause *= 2
        raise AssertionError("unreachable")

    def _may_pass(self, exc: BaseException) -> bool:
        return isinstance(exc, _LostConnection) or faults.is_transient(exc)

    def _transact(self, units: Sequence[AnyUnit], busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> list[Any]:
        connection = self._connected()
        tx = Tx(connection, self._driver, BEGIN_WRITING if self._is_sqlite else None)
        try:
            self._wait_when_busy(busy_timeout_ms)
            values = [unit(tx) for unit in units]
            tx.flush()
            tx.commit()
        except BaseException as exc:
            if self._rolled_back_lost(connection, exc):
                raise _LostConnection from exc
            refused = isinstance(exc, StaleSession) or faults.is_constraint(exc, self._dialect)
            if refused and len(units) == 1 and tx.first:
                reason = self._refusal(tx.first)
                if reason is not None:
                    raise reason from exc
            raise
        return values

    def _rolled_back_lost(self, connection: Connection, exc: BaseException) -> bool:
        """Roll back; tell whether the connection is gone."""
        lost = faults.is_lost(exc, self._dialect, self._driver)
        try:
            connection.rollback()
            self._driver.rollback()
        except Exception:  # whatever stops a rollback, this connection is of no more use
            self._disconnect(broken=True)
            return lost
        if lost:
            self._disconnect(broken=True)
        return lost

    def _refusal(self, turn: TurnRecord) -> StaleSession | None:
        """Tell why a turn was refused: its message has been answered, its session was moved on, or neither."""
        connection = self._connected()
        with connection.begin():
            message_id = stored_id(turn.message_id, turn.attempt)
            if message_id is not None:
                names = {"session": turn.session_id, "message": message_id}
                if connection.execute(_ANSWERED, names).first() is not None:
                    return DuplicateMessage(f"message {message_id!r} has been answered")
            version = connection.execute(_VERSION, {"session": turn.session_id}).scalar()
        return None if (version or 0) == turn.version else StaleSession(MOVED_ON)

    def _wait_when_busy(self, timeout_ms: int) -> None:
        """Set how long SQLite waits for another process's write lock."""
        if self._is_sqlite and timeout_ms != self._busy_timeout_ms:
            self._driver.execute(f"PRAGMA busy_timeout={timeout_ms}")
            self._busy_timeout_ms = timeout_ms

    def _connected(self) -> Connection:
        if self._connection is None:
            try:
                self._connection = self._engine.connect()
            except SQLAlchemyError as exc:
                raise _LostConnection from exc
            self._driver = self._connection.connection.driver_connection
            self._busy_timeout_ms = BUSY_TIMEOUT_MS
        return self._connection

    def _disconnect(self, *, broken: bool = False) -> None:
        connection, self._connection = self._connection, None
        self._driver = None
        if connection is not None:
            with contextlib.suppress(Exception):
                if broken:
                    connection.invalidate()
                connection.close()


def _failed(exc: BaseException, kind: type[StoreError]) -> StoreError:
    error = kind(f"the database failed: {faults.reason(exc)}")
    error.__cause__ = exc
    return error
