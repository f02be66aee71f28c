"""The tables, the same on SQLite, PostgreSQL and MariaDB/MySQL. Statements live elsewhere; so do domain values.

Instants are whole epoch seconds UTC, intervals are half-open. Rooms come from the site's files, so no table holds them.
The primary key of `room_claim` is what keeps two bookings apart: one row per room and 300-second bucket.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.dialects import mysql
from sqlalchemy.orm import registry
from sqlalchemy.types import TypeEngine
from sqlmodel import Field, SQLModel

SCHEMA_VERSION: Final = 1
"""Version of these tables; a database of another version is refused by name."""
BUCKET_S: Final = 300
"""Length of a claim's bucket: the finest start grid of any site is five minutes."""

SESSION_ID_LENGTH: Final = 520
"""Longest session id in characters: a user id, a separator and the label the user chose."""
MESSAGE_ID_LENGTH: Final = 200
"""Longest message id in characters; with the session id it stays below InnoDB's 3,072 bytes an index key."""
USER_ID_LENGTH: Final = 128
TITLE_LENGTH: Final = 300
KEY_LENGTH: Final = 64

METADATA: Final = MetaData()

_MYSQL: Final = ("mysql", "mariadb")
_BINARY: Final[dict[str, Any]] = {"charset": "utf8mb4", "collation": "utf8mb4_bin"}
"""MySQL compares text without case or accents unless told otherwise: ids R1 and r1 would be one."""
_BIG_PK: Final = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only for a column that is called INTEGER."""


def _string(length: int) -> TypeEngine[str]:
    return String(length).with_variant(mysql.VARCHAR(length, **_BINARY), *_MYSQL)


def _text() -> TypeEngine[str]:
    return Text().with_variant(mysql.MEDIUMTEXT(**_BINARY), *_MYSQL)


def _column(kind: TypeEngine[Any] | type[TypeEngine[Any]], *, key: bool = False, nullable: bool = False) -> Any:
    return Field(sa_column=Column(kind, primary_key=key, nullable=nullable, autoincrement=False))


def _numbered() -> Any:
    return Field(default=None, sa_column=Column(_BIG_PK, primary_key=True, autoincrement=True))


class _Table(SQLModel, registry=registry(metadata=METADATA)):
    """The base of this schema's tables, apart from anybody else's SQLModel metadata."""


class SchemaVersionTable(_Table, table=True):
    """Which schema the database holds: one row."""

    __tablename__ = "schema_version"

    id: int = _column(Integer, key=True)
    version: int = _column(Integer)


class BookingTable(_Table, table=True):
    """Bookings, cancelled ones too. [start_s, end_s) is the meeting, [block_from_s, block_to_s) with its buffers."""

    __tablename__ = "booking"
    __table_args__ = (
        UniqueConstraint("public_id", name="booking_public_id"),
        UniqueConstraint("organizer", "idem_key", name="booking_idem_key"),
        UniqueConstraint("id", "room_id", name="booking_id_room"),
        CheckConstraint("end_s > start_s", name="booking_has_length"),
        CheckConstraint("block_from_s <= start_s AND block_to_s >= end_s", name="booking_inside_block"),
        CheckConstraint(
            "start_s % 300 = 0 AND end_s % 300 = 0 AND block_from_s % 300 = 0 AND block_to_s % 300 = 0",
            name="booking_on_grid",
        ),
        CheckConstraint("status IN ('booked', 'cancelled')", name="booking_status"),
        # Ends first: what is over falls out of a search's range, so the past costs nothing.
        Index("booking_by_block", "block_to_s", "block_from_s", "room_id"),
        Index("booking_by_organizer", "organizer", "end_s"),
    )

    id: int | None = _numbered()
    public_id: str = _column(_string(32))
    room_id: str = _column(_string(32))
    organizer: str = _column(_string(USER_ID_LENGTH))
    title: str = _column(_string(TITLE_LENGTH))
    people: int = _column(Integer)
    start_s: int = _column(BigInteger)
    end_s: int = _column(BigInteger)
    block_from_s: int = _column(BigInteger)
    block_to_s: int = _column(BigInteger)
    tz: str = _column(_string(64))
    status: str = _column(_string(16))
    series_id: str | None = _column(_string(32), nullable=True)
    version: int = _column(Integer)
    ical_uid: str = _column(_string(128))
    ical_seq: int = _column(Integer)
    idem_key: str = _column(_string(KEY_LENGTH))
    idem_hash: str = _column(_string(64))


class RoomClaimTable(_Table, table=True):
    """The guarantee: a room's bucket belongs to one booking. `bucket` is epoch seconds // 300."""

    __tablename__ = "room_claim"
    __table_args__ = (
        ForeignKeyConstraint(
            ["booking_id", "room_id"], ["booking.id", "booking.room_id"], name="claim_of_booking", ondelete="CASCADE"
        ),
        Index("claim_by_booking", "booking_id", "room_id"),
        {"sqlite_with_rowid": False},
    )

    room_id: str = _column(_string(32), key=True)
    bucket: int = _column(BigInteger, key=True)
    booking_id: int = _column(BigInteger)


class WriteKeyTable(_Table, table=True):
    """What each idempotency key did (`book`, `move`, `cancel`), so that an uncertain write can be found again."""

    __tablename__ = "write_key"
    __table_args__ = (
        CheckConstraint("kind IN ('book', 'move', 'cancel')", name="write_key_kind"),
        {"sqlite_with_rowid": False},
    )

    organizer: str = _column(_string(USER_ID_LENGTH), key=True)
    idem_key: str = _column(_string(KEY_LENGTH), key=True)
    idem_hash: str = _column(_string(64))
    kind: str = _column(_string(16))
    booking_id: int = _column(BigInteger)
    at_s: int = _column(BigInteger)


class SessionTable(_Table, table=True):
    """The one bounded row of a conversation's state."""

    __tablename__ = "session"
    __table_args__ = ({"sqlite_with_rowid": False},)

    id: str = _column(_string(SESSION_ID_LENGTH), key=True)
    user_id: str = _column(_string(USER_ID_LENGTH))
    site: str = _column(_string(64))
    phase: str = _column(_string(32))
    status: str = _column(_string(16))
    stop_reason: str | None = _column(_string(64), nullable=True)
    context: str = _column(_text())
    version: int = _column(Integer)
    next_seq: int = _column(BigInteger)
    updated_s: int = _column(BigInteger)


class TurnTable(_Table, table=True):
    """One row a turn, never changed: what was said and what was answered."""

    __tablename__ = "turn"
    __table_args__ = (
        UniqueConstraint("session_id", "message_id", name="turn_message"),
        {"sqlite_with_rowid": False},
    )

    session_id: str = _column(_string(SESSION_ID_LENGTH), key=True)
    turn_id: int = _column(Integer, key=True)
    message_id: str | None = _column(_string(MESSAGE_ID_LENGTH), nullable=True)
    user_id: str = _column(_string(USER_ID_LENGTH))
    channel: str = _column(_string(16))
    said_at_s: int = _column(BigInteger)
    text: str = _column(_text())
    reply: str = _column(_text())
    first_seq: int = _column(BigInteger)


class ActionTable(_Table, table=True):
    """What the planner did in a turn, in order; never changed."""

    __tablename__ = "action"
    __table_args__ = ({"sqlite_with_rowid": False},)

    session_id: str = _column(_string(SESSION_ID_LENGTH), key=True)
    turn_id: int = _column(Integer, key=True)
    seq: int = _column(Integer, key=True)
    thought: str = _column(_text())
    action: str = _column(_string(64))
    input: str = _column(_text())
    observation: str = _column(_text())
    source: str = _column(_string(16))
    parse_level: int | None = _column(Integer, nullable=True)
    tokens: int = _column(Integer)


class AuditTable(_Table, table=True):
    """Who did what to which booking: intent, decision, outcome; never changed."""

    __tablename__ = "audit"
    __table_args__ = (Index("audit_by_session", "session_id", "turn_id"),)

    id: int | None = _numbered()
    session_id: str = _column(_string(SESSION_ID_LENGTH))
    turn_id: int = _column(Integer)
    user_id: str = _column(_string(USER_ID_LENGTH))
    channel: str = _column(_string(16))
    at_s: int = _column(BigInteger)
    step: str = _column(_string(16))
    tool: str = _column(_string(64))
    before: str | None = _column(_text(), nullable=True)
    after: str | None = _column(_text(), nullable=True)


class IntentTable(_Table, table=True):
    """Calls with consequences that left the house: one row a read-back's key, gone once a turn says what came of it."""

    __tablename__ = "intent"
    __table_args__ = ({"sqlite_with_rowid": False},)

    user_id: str = _column(_string(USER_ID_LENGTH), key=True)
    idem_key: str = _column(_string(KEY_LENGTH), key=True)
    tool: str = _column(_string(64))
    session_id: str = _column(_string(SESSION_ID_LENGTH))
    at_s: int = _column(BigInteger)


class OutboxTable(_Table, table=True):
    """What is to be told to the world after the commit; a row goes when it is delivered."""

    __tablename__ = "outbox"
    __table_args__ = (Index("outbox_by_due", "next_try_s"),)

    id: int | None = _numbered()
    event: str = _column(_string(64))
    payload: str = _column(_text())
    attempts: int = _column(Integer)
    next_try_s: int = _column(BigInteger)


class MemoryTable(_Table, table=True):
    """What a user wants remembered between conversations."""

    __tablename__ = "memory"

    user_id: str = _column(_string(USER_ID_LENGTH), key=True)
    key: str = _column(_string(64), key=True)
    value: str = _column(_text())
    last_used_s: int = _column(BigInteger)


class AppUserTable(_Table, table=True):
    """One row a user, locked while a quota is counted."""

    __tablename__ = "app_user"

    id: str = _column(_string(USER_ID_LENGTH), key=True)
