"""A transaction of the store: what its units wrote about conversations, gathered and flushed just before COMMIT."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Table, bindparam, delete, update
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import schema
from booking_bot.adapters.sql.message_ids import stored_id
from booking_bot.adapters.sql.prepared import DriverCursor, Prepared, insert_into
from booking_bot.adapters.sql.records import TurnRecord
from booking_bot.errors import StaleSession

MOVED_ON: Final = "the session was moved on by somebody else"

_TABLES: Final = schema.METADATA.tables
_SESSION: Final[Table] = _TABLES["session"]

_ADVANCED: Final = ("phase", "status", "stop_reason", "context", "version", "next_seq", "updated_s")
"""What a turn changes in the session's row, in the order of the statement's parameters."""


_CREATE: Final = insert_into(_SESSION)
_ADVANCE: Final = Prepared(
    update(_SESSION)
    .where(_SESSION.c.id == bindparam("of"), _SESSION.c.version == bindparam("read_at"))
    .values({name: bindparam(f"new_{name}") for name in _ADVANCED}),
    *(f"new_{name}" for name in _ADVANCED),
    "of",
    "read_at",
)
_TURN: Final = insert_into(_TABLES["turn"])
_ACTION: Final = insert_into(_TABLES["action"])
_AUDIT: Final = insert_into(_TABLES["audit"])
_OUTBOX: Final = insert_into(_TABLES["outbox"])
SETTLE_INTENT: Final = Prepared(
    delete(_TABLES["intent"]).where(
        _TABLES["intent"].c.user_id == bindparam("who"), _TABLES["intent"].c.idem_key == bindparam("which")
    ),
    "who",
    "which",
)


class Tx:
    """One transaction, shared by all units of a batch.

    Attributes:
        opened: whether the database knows of it.
        joined: whether SQLAlchemy knows of it.
        first: the first turn saved, if any.
    """

    __slots__ = (
        "_actions",
        "_advanced",
        "_audits",
        "_begin",
        "_connection",
        "_created",
        "_cursor",
        "_driver",
        "_outbox",
        "_settled",
        "_turns",
        "first",
        "joined",
        "opened",
    )

    def __init__(self, connection: Connection, driver: Any, begin: str | None) -> None:
        """Prepare a transaction; nothing is sent before somebody asks for something.

        Args:
            driver: the driver's own connection under `connection`.
            begin: the statement that opens a transaction, None where the driver opens it by itself.
        """
        self._connection = connection
        self._driver = driver
        self._begin = begin
        self._cursor: DriverCursor | None = None
        self.opened = False
        self.joined = False
        self.first: TurnRecord | None = None
        self._created: list[tuple[Any, ...]] = []
        self._advanced: list[tuple[Any, ...]] = []
        self._turns: list[tuple[Any, ...]] = []
        self._actions: list[tuple[Any, ...]] = []
        self._audits: list[tuple[Any, ...]] = []
        self._outbox: list[tuple[Any, ...]] = []
        self._settled: list[tuple[str, str]] = []

    @property
    def cursor(self) -> DriverCursor:
        """A cursor of the driver's, with the transaction open; its statements run at once."""
        if self._cursor is None:
            if not self.opened:
                if self._begin is not None:
                    self._driver.execute(self._begin)
                self.opened = True
            self._cursor = DriverCursor(self._driver, self._connection.dialect)
        return self._cursor

    @property
    def connection(self) -> Connection:
        """The connection, for all that is not on a turn's path; its statements run at once."""
        if not self.joined:
            self._connection.begin()  # where the cursor has opened the transaction, this joins it
            self.opened = self.joined = True
        return self._connection

    def save(self, record: TurnRecord) -> None:
        """Take down a turn; it is written at the end of the transaction."""
        if self.first is None:
            self.first = record
        session_id, turn_id, at_s = record.session_id, record.turn_id, record.said_at_s
        state = (record.phase, record.status, record.stop_reason, record.context)
        moved_on = (record.version + 1, record.next_seq, at_s)
        if record.version == 0:
            self._created.append((session_id, record.user_id, record.site, *state, *moved_on))
        else:
            self._advanced.append((*state, *moved_on, session_id, record.version))
        self._turns.append(
            (
                session_id,
                turn_id,
                stored_id(record.message_id, record.attempt),
                record.user_id,
                record.channel,
                at_s,
                storable(record.text),
                record.reply,
                record.first_seq,
            )
        )
        for a in record.actions:
            self._actions.append(
                (
                    session_id,
                    turn_id,
                    a.seq,
                    a.thought,
                    a.action,
                    a.input,
                    a.observation,
                    a.source,
                    a.parse_level,
                    a.tokens,
                )
            )
        for row in record.audit:
            self._audits.append(
                (session_id, turn_id, record.user_id, record.channel, at_s, row.step, row.tool, row.before, row.after)
            )
        for key in record.settled:
            self._settled.append((record.user_id, key))
        for event in record.outbox:
            self._outbox.append((event.event, event.payload, 0, event.due_s or at_s))

    def flush(self) -> None:
        """Write what was taken down.

        Raises:
            StaleSession: a session is not at the version it was loaded at.
        """
        if self.first is None:
            return
        cursor = self.cursor
        if self._created:
            cursor.run_each(_CREATE, self._created)
        if self._advanced and cursor.run_each(_ADVANCE, self._advanced) != len(self._advanced):
            raise StaleSession(MOVED_ON)
        for statement, rows in (
            (_TURN, self._turns),
            (_ACTION, self._actions),
            (_AUDIT, self._audits),
            (_OUTBOX, self._outbox),
            (SETTLE_INTENT, self._settled),
        ):
            if rows:
                cursor.run_each(statement, rows)

    def commit(self) -> None:
        """Make everything last."""
        if self.joined:
            self._connection.commit()
        elif self.opened:
            self._driver.commit()


def storable(text: str) -> str:
    """Give text that every database takes: without NUL characters and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
