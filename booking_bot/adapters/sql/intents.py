"""Notes that a confirmed call is about to leave the house, before it does: after a crash nobody runs it twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Table, bindparam, insert, select
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import schema

_AUDIT: Final[Table] = schema.METADATA.tables["audit"]
_NOTED: Final = (
    select(_AUDIT.c.id)
    .where(
        _AUDIT.c.session_id == bindparam("session"),
        _AUDIT.c.step == "intent",
        _AUDIT.c.tool == bindparam("which"),
        _AUDIT.c.before == bindparam("text"),
    )
    .limit(1)
)
_NOTE: Final = insert(_AUDIT)


@dataclass(frozen=True, slots=True)
class Intent:
    """A call about to be made; `before` holds its key and exact arguments as JSON."""

    session_id: str
    turn_id: int
    user_id: str
    channel: str
    at_s: int
    tool: str
    before: str


def note_intent(connection: Connection, intent: Intent) -> bool:
    """Note an intent; tell whether it is the first time, which is the only time it may be carried out."""
    wanted = {"session": intent.session_id, "which": intent.tool, "text": intent.before}
    if connection.execute(_NOTED, wanted).first() is not None:
        return False
    connection.execute(
        _NOTE,
        {
            "session_id": intent.session_id,
            "turn_id": intent.turn_id,
            "user_id": intent.user_id,
            "channel": intent.channel,
            "at_s": intent.at_s,
            "step": "intent",
            "tool": intent.tool,
            "before": intent.before,
            "after": None,
        },
    )
    return True
