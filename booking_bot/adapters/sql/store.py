"""The store as the engine sees it: units of work that commit together, and short reads beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Engine
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import faults, integrity, intents, memory, reading
from booking_bot.adapters.sql.buffers import Tx
from booking_bot.adapters.sql.creation import create_tables
from booking_bot.adapters.sql.engine import (
    READERS,
    Synchronous,
    database_url,
    in_memory,
    open_readers,
    open_writer,
)
from booking_bot.adapters.sql.ledger import SqlLedger
from booking_bot.adapters.sql.message_ids import stored_id
from booking_bot.adapters.sql.prepared import DriverCursor
from booking_bot.adapters.sql.records import ActionRow, ClaimedEvent, StoredSession, StoredTurn, StoreError, TurnRecord
from booking_bot.adapters.sql.writer import GroupWriter, Unit
from booking_bot.dialogue.site import Site
from booking_bot.ports import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reader:
    """A read-only transaction: what `Tx` is for writing."""

    connection: Connection

    @property
    def cursor(self) -> DriverCursor:
        """A cursor of the driver's, for what is on a turn's path."""
        return DriverCursor(self.connection.connection.driver_connection, self.connection.dialect)


@dataclass(frozen=True, slots=True)
class Unsummarised:
    """A talk to be summarised, all of one moment.

    Attributes:
        forgotten_s: the epoch second at which the user last had everything forgotten, -1 for never.
        before: the summary so far as it is remembered, None for none.
        turns: those after it up to where it shall reach, oldest first.
    """

    forgotten_s: int
    before: str | None
    turns: tuple[StoredTurn, ...]


class SqlStore:
    """Conversations and bookings in one database. Open it with `SqlStore.open`; all methods may be used from any loop.

    Attributes:
        ledger: the site's rooms, for use inside units and reads.
    """

    def __init__(self, writer: Engine, readers: Engine | None, ledger: SqlLedger) -> None:
        self.ledger = ledger
        self.engine = writer
        self._readers = readers
        self._closed = False
        self._inline = writer.dialect.name == "sqlite"
        self._writer = GroupWriter(writer, checkpoints=self._inline and readers is not None)
        self._threads = None if self._inline else ThreadPoolExecutor(READERS, thread_name_prefix="booking-bot-reader")

    @classmethod
    async def open(cls, url: str, site: Site, clock: Clock, synchronous: Synchronous = "FULL") -> SqlStore:
        """Open a database and make its tables where there are none.

        Args:
            url: an SQLAlchemy URL; `sqlite://` keeps everything in memory.
            synchronous: SQLite's setting of that name.

        Raises:
            ConfigurationError: the URL, the driver, the database or its schema version will not do.
        """
        parsed = database_url(url)
        writer = open_writer(parsed, synchronous)
        readers = None if in_memory(parsed) else open_readers(parsed)
        try:
            await asyncio.to_thread(create_tables, writer)
        except BaseException:
            writer.dispose()
            raise
        return cls(writer, readers, SqlLedger(site, clock))

    async def run(self, unit: Unit[T]) -> T:
        """Run a unit of work in a transaction and give its result once it is committed.

        A unit may be run again from the start, so it must be written as a function of unchanging inputs.

        Raises:
            DuplicateMessage: the session has answered this message id before.
            StaleSession: the session was moved on since it was loaded.
            StoreError: the database failed.
        """
        return await self._writer.run(unit)

    async def read(self, function: Callable[[Reader], T]) -> T:
        """Run a function over a read-only view of what is committed.

        Raises:
            StoreError: the database failed.
        """
        if self._closed:
            raise StoreError("the store is closed")
        if self._readers is None:
            return await self.run(lambda tx: function(Reader(tx.connection)))
        if self._threads is None:
            return self._read(self._readers, function)
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, self._readers, function)

    def save_turn(self, tx: Tx, record: TurnRecord) -> None:
        """Write a turn with the transaction; a refused one shows when the unit is awaited."""
        tx.save(record)

    async def load_session(self, session_id: str) -> StoredSession | None:
        """Load a conversation's state: two SELECTs, however long it is."""
        return await self.read(lambda reader: reading.session(reader.cursor, session_id))

    async def session_ids(self) -> list[str]:
        """Give the ids of all sessions, the one spoken in last first."""
        return await self.read(lambda reader: reading.session_ids(reader.connection))

    async def find_reply(self, session_id: str, message_id: str | None, attempt: str = "") -> StoredTurn | None:
        """Find the turn that answered a message, by the client's id or else by the attempt's."""
        stored = stored_id(message_id, attempt)
        if stored is None:
            return None
        return await self.read(lambda reader: reading.turn_of_message(reader.connection, session_id, stored))

    async def turns_since(self, session_id: str, seq: int) -> tuple[StoredTurn, ...]:
        """Give the turns that hold events from number `seq` on, oldest first; the first may begin before it."""
        return await self.read(lambda reader: reading.turns_since(reader.connection, session_id, seq))

    async def all_turns(self, session_id: str) -> tuple[StoredTurn, ...]:
        """Give every turn of a session, oldest first, however many there are."""
        return await self.read(lambda reader: reading.all_turns(reader.connection, session_id))

    async def actions_of(self, session_id: str) -> tuple[ActionRow, ...]:
        """Give all actions of a session in order."""
        return await self.read(lambda reader: reading.actions(reader.connection, session_id))

    async def window(self, session_id: str, most: int) -> tuple[tuple[StoredTurn, ...], tuple[ActionRow, ...]]:
        """Give the last `most` turns of a session and their actions, oldest first."""
        return await self.read(lambda reader: reading.window(reader.connection, session_id, most))

    async def claim_events(
        self, now_s: int, lease_s: int = 60, most: int = 32, names: Sequence[str] | None = None
    ) -> tuple[ClaimedEvent, ...]:
        """Take due outbox events for `lease_s` seconds; after that they are due again unless completed.

        Args:
            names: only events of these names; None takes any.
        """
        return await self.run(lambda tx: reading.claim_events(tx, now_s, lease_s, most, names))

    async def memory_of(self, user_id: str) -> tuple[memory.MemoryItem, ...]:
        """Give what is remembered of a user."""
        return await self.read(lambda reader: memory.memory_of(reader.cursor, user_id))

    async def experience_of(self, user_id: str) -> memory.Experience:
        """Give what a user's habits are learned from."""
        return await self.read(lambda reader: memory.experience_of(reader.cursor, user_id))

    async def to_summarise(
        self, user_id: str, key: str, session_id: str, until: int, reached: Callable[[str | None], int]
    ) -> Unsummarised:
        """Give a session's summary so far and the turns after it, with one read.

        Args:
            key: under which the summary is remembered.
            until: number of the last turn that is wanted.
            reached: gives the number of the last turn that is in a summary as it is remembered.
        """

        def fetch(reader: Reader) -> Unsummarised:
            cursor = reader.cursor
            before = memory.remembered(cursor, user_id, key)
            turns = reading.turns_between(cursor, session_id, reached(before), until)
            return Unsummarised(memory.forgotten_s(cursor, user_id), before, turns)

        return await self.read(fetch)

    async def remember(
        self,
        user_id: str,
        items: Mapping[str, str],
        now_s: int,
        *,
        instead_of: Iterable[str] = (),
        forgotten_s: int | None = None,
    ) -> None:
        """Remember these of a user, in place of those of the same keys and of others.

        Args:
            instead_of: the keys of the others.
            forgotten_s: the mark of forgetting the items were learned after: when the user has had everything
                forgotten since, nothing is remembered. None remembers in any case.
        """
        await self.run(lambda tx: memory.remember(tx.cursor, user_id, items, now_s, instead_of, forgotten_s))

    async def forget(self, user_id: str, now_s: int) -> int:
        """Forget everything of a user; give how many things that were."""
        return await self.run(lambda tx: memory.forget(tx.cursor, user_id, now_s))

    async def note_call(self, intent: intents.Intent) -> bool:
        """Commit that a confirmed call of somebody else's tool is about to be made; False when it was noted before."""
        return await self.run(lambda tx: intents.note_call(tx, intent))

    async def note_write(self, intent: intents.Intent) -> None:
        """Commit that a confirmed write of the rooms' own service is about to be made."""
        await self.run(lambda tx: intents.note_write(tx, intent))

    async def is_write_open(self, user_id: str, key: str) -> bool:
        """Tell whether a write was noted and no turn says what came of it."""
        return await self.read(lambda reader: intents.is_open(reader.cursor, user_id, key))

    async def complete_events(self, ids: Sequence[int]) -> None:
        """Drop delivered outbox events."""
        await self.run(lambda tx: reading.complete_events(tx, ids))

    async def findings(self) -> tuple[str, ...]:
        """Check bookings against their claims; one line for each thing that is wrong, none when all is well."""
        return await self.read(lambda reader: integrity.findings(reader.connection))

    async def close(self) -> None:
        """Write what is queued and close every connection. May be called twice."""
        self._closed = True
        await asyncio.to_thread(self._writer.close)
        if self._threads is not None:
            self._threads.shutdown()
        if self._readers is not None:
            self._readers.dispose()
        self.engine.dispose()

    def _read(self, readers: Engine, function: Callable[[Reader], T]) -> T:
        try:
            with readers.connect() as connection:
                return function(Reader(connection))
        except Exception as exc:
            if faults.is_database_error(exc, readers.dialect):
                raise StoreError(f"the database failed: {faults.reason(exc)}") from exc
            raise
