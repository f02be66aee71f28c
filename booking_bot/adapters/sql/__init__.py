"""Bookings and conversations in SQLite, PostgreSQL or MariaDB. Everything outside imports from here."""

from booking_bot.adapters.sql.buffers import Tx
from booking_bot.adapters.sql.ledger import SqlLedger
from booking_bot.adapters.sql.prepared import ConstraintRefused
from booking_bot.adapters.sql.records import (
    ActionRow,
    AuditRow,
    ClaimedEvent,
    DuplicateMessage,
    OutboxEvent,
    StoredSession,
    StoredTurn,
    StoreError,
    TurnRecord,
)
from booking_bot.adapters.sql.service import LedgerService
from booking_bot.adapters.sql.store import Reader, SqlStore

__all__ = [
    "ActionRow",
    "AuditRow",
    "ClaimedEvent",
    "ConstraintRefused",
    "DuplicateMessage",
    "LedgerService",
    "OutboxEvent",
    "Reader",
    "SqlLedger",
    "SqlStore",
    "StoreError",
    "StoredSession",
    "StoredTurn",
    "TurnRecord",
    "Tx",
]
