"""Writes down every direct write: what was wanted, that it was confirmed, what came of it; in the write's transaction.

A conversation's writes are written down with its turn; here there is none, so the rows stand under the user's name.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

from sqlalchemy import Table, insert

from booking_bot.adapters.sql import schema
from booking_bot.dialogue.actions import Call
from booking_bot.dialogue.observations import ToolObservation
from booking_bot.ports import Transaction
from booking_bot.service.values import Caller

_AUDIT: Final[Table] = schema.METADATA.tables["audit"]
_INSERT: Final = insert(_AUDIT)
DECISION: Final = "confirmed by the user"


def write_down(tx: Transaction, caller: Caller, call: Call, answer: ToolObservation, now: dt.datetime) -> None:
    """Add the three rows of one write.

    Args:
        now: aware instant.
    """
    wanted = call.arguments.model_dump_json()
    came_of_it = f"{answer.kind} {answer.model_dump_json()}"[:2000]
    steps = (("intent", None), ("decision", DECISION), ("outcome", came_of_it))
    common = {
        "session_id": f"{caller.user_id}/",
        "turn_id": 0,
        "user_id": caller.user_id,
        "channel": caller.channel,
        "at_s": int(now.timestamp()),
        "tool": call.tool,
        "before": wanted,
    }
    tx.connection.execute(_INSERT, [common | {"step": step, "after": after} for step, after in steps])
