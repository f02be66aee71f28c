"""A transaction of the store: what its units wrote about conversations, gathered and flushed just before COMMIT.

The flush goes past SQLAlchemy straight to the driver with statements compiled once: it runs in every turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlalchemy import Dialect, Table, bindparam, insert, update
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import schema
from booking_bot.adapters.sql.records import TurnRecord
from booking_bot.errors import StaleSession

MOVED_ON: Final = "the session was moved on by somebody else"

_SESSION: Final[Table] = schema.METADATA.tables["session"]
_TABLES: Final = schema.METADATA.tables

_TURN_COLUMNS: Final = tuple(_TABLES["turn"].columns.keys())
_ACTION_COLUMNS: Final = tuple(_TABLES["action"].columns.keys())
_SESSION_COLUMNS: Final = tuple(_SESSION.columns.keys())
_AUDIT_COLUMNS: Final = tuple(_TABLES["audit"].columns.keys())[1:]
_OUTBOX_COLUMNS: Final = tuple(_TABLES["outbox"].columns.keys())[1:]
_ADVANCED: Final = ("phase", "status", "stop_reason", "context", "version", "next_seq", "updated_s")
"""What a turn changes in the session's row, in the order of the statement's parameters."""


class FlushStatements:
    """The SQL of a flush for one kind of database, with positional parameters in the order of the columns."""

    def __init__(self, dialect: Dialect) -> None:
        style = "qmark" if dialect.name == "sqlite" else "format"
        same_kind: Callable[..., Dialect] = type(dialect)
        self._dialect = same_kind(paramstyle=style)
        self.create = self._insert("session", _SESSION_COLUMNS)
        self.turn = self._insert("turn", _TURN_COLUMNS)
        self.action = self._insert("action", _ACTION_COLUMNS)
        self.audit = self._insert("audit", _AUDIT_COLUMNS)
        self.outbox = self._insert("outbox", _OUTBOX_COLUMNS)
        change = (
            update(_SESSION)
            .where(_SESSION.c.id == bindparam("of"), _SESSION.c.version == bindparam("read_at"))
            .values({name: bindparam(f"new_{name}") for name in _ADVANCED})
        )
        self.advance = self._sql(change, (*(f"new_{name}" for name in _ADVANCED), "of", "read_at"))

    def _insert(self, table: str, columns: tuple[str, ...]) -> str:
        return self._sql(insert(_TABLES[table]).values({name: bindparam(name) for name in columns}), columns)

    def _sql(self, statement: Any, order: tuple[str, ...]) -> str:
        compiled = statement.compile(dialect=self._dialect)
        if tuple(compiled.positiontup) != order:
            raise AssertionError(f"parameters {compiled.positiontup} are not in the order {order}")
        return str(compiled)


class Tx:
    """One transaction, shared by all units of a batch.

    Attributes:
        opened: whether anybody asked for the connection.
        first: the first turn saved, if any.
    """

    __slots__ = ("_actions", "_advanced", "_audits", "_connection", "_created", "_outbox", "_turns", "first", "opened")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.opened = False
        self.first: TurnRecord | None = None
        self._created: list[tuple[Any, ...]] = []
        self._advanced: list[tuple[Any, ...]] = []
        self._turns: list[tuple[Any, ...]] = []
        self._actions: list[tuple[Any, ...]] = []
        self._audits: list[tuple[Any, ...]] = []
        self._outbox: list[tuple[Any, ...]] = []

    @property
    def connection(self) -> Connection:
        """The connection, for the ledger and for reading; its statements run at once."""
        if not self.opened:
            self._connection.begin()
            self.opened = True
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
                record.message_id,
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
        for event in record.outbox:
            self._outbox.append((event.event, event.payload, 0, event.due_s or at_s))

    def flush(self, driver: Any, statements: FlushStatements) -> None:
        """Write what was taken down.

        Args:
            driver: the driver's own connection, with the transaction open.

        Raises:
            StaleSession: a session is not at the version it was loaded at.
        """
        if self.first is None:
            return
        cursor = driver.cursor()
        try:
            _write(cursor, statements.create, self._created)
            if self._advanced:
                cursor.executemany(statements.advance, self._advanced)
                if cursor.rowcount != len(self._advanced):
                    raise StaleSession(MOVED_ON)
            _write(cursor, statements.turn, self._turns)
            _write(cursor, statements.action, self._actions)
            _write(cursor, statements.audit, self._audits)
            _write(cursor, statements.outbox, self._outbox)
        finally:
            cursor.close()


def storable(text: str) -> str:
    """Give text that every database takes: without NUL characters and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _write(cursor: Any, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        cursor.executemany(statement, rows)
