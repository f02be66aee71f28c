"""Notes that a call with consequences is about to leave the house, before it does.

Somebody else's tool: after a crash nobody runs it twice. A write of the rooms' own service: a turn that could not be
committed leaves its note, and the write is looked up before anything else is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Table, bindparam, insert, select

from booking_bot.adapters.sql import schema
from booking_bot.adapters.sql.buffers import SETTLE_INTENT, Tx
from booking_bot.adapters.sql.prepared import ConstraintRefused, DriverCursor, Prepared, insert_into

_AUDIT: Final[Table] = schema.METADATA.tables["audit"]
_INTENT: Final[Table] = schema.METADATA.tables["intent"]
_NOTE: Final = insert_into(_INTENT)
_FIND: Final = Prepared(
    select(_INTENT.c.tool).where(_INTENT.c.user_id == bindparam("who"), _INTENT.c.idem_key == bindparam("which")),
    "who",
    "which",
)


@dataclass(frozen=True, slots=True)
class Intent:
    """A call about to be made.

    Attributes:
        key: of the read-back that was confirmed.
        before: its exact arguments as JSON.
    """

    session_id: str
    turn_id: int
    user_id: str
    channel: str
    at_s: int
    tool: str
    key: str
    before: str


def note_call(tx: Tx, intent: Intent) -> bool:
    """Note a call of somebody else's tool; tell whether it is the first time, the only one it may be carried out."""
    try:
        with tx.cursor.savepoint():
            tx.cursor.run(_NOTE, (intent.user_id, intent.key, intent.tool, intent.session_id, intent.at_s))
    except ConstraintRefused:
        return False
    row = {
        "session_id": intent.session_id,
        "turn_id": intent.turn_id,
        "user_id": intent.user_id,
        "channel": intent.channel,
        "at_s": intent.at_s,
        "step": "intent",
        "tool": intent.tool,
        "before": intent.before,
        "after": None,
    }
    tx.connection.execute(insert(_AUDIT), row)
    return True


def note_write(tx: Tx, intent: Intent) -> None:
    """Note a write of the rooms' own service, which its key keeps from taking effect twice; the turn settles it."""
    tx.cursor.run(SETTLE_INTENT, (intent.user_id, intent.key))
    tx.cursor.run(_NOTE, (intent.user_id, intent.key, intent.tool, intent.session_id, intent.at_s))


def is_open(cursor: DriverCursor, user_id: str, key: str) -> bool:
    """Tell whether a write was noted and no turn says what came of it."""
    return cursor.first(_FIND, (user_id, key)) is not None
