"""What is read back of conversations: sessions, turns, actions, and the outbox. SELECTs bounded whatever the length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Table, bindparam, delete, select, update
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import schema
from booking_bot.adapters.sql.buffers import Tx
from booking_bot.adapters.sql.message_ids import client_id
from booking_bot.adapters.sql.prepared import DriverCursor, Prepared
from booking_bot.adapters.sql.records import ActionRow, ClaimedEvent, StoredSession, StoredTurn

RECENT_MESSAGES: Final = 32
"""Message ids kept in memory with a live session; older ones are found by the UNIQUE constraint."""
REPLAY_TURNS: Final = 256
"""Most turns replayed to a client that comes back; who missed more starts from the current state."""

_SESSION: Final[Table] = schema.METADATA.tables["session"]
_TURN: Final[Table] = schema.METADATA.tables["turn"]
_ACTION: Final[Table] = schema.METADATA.tables["action"]
_OUTBOX: Final[Table] = schema.METADATA.tables["outbox"]

_STATE: Final = Prepared(select(_SESSION).where(_SESSION.c.id == bindparam("session")), "session")
_OF_SESSION: Final = _TURN.c.session_id == bindparam("session")
_RECENT: Final = Prepared(
    select(_TURN.c.message_id, _TURN.c.turn_id)
    .where(_OF_SESSION)
    .order_by(_TURN.c.turn_id.desc())
    .suffix_with(f"LIMIT {RECENT_MESSAGES}"),  # limit() would add a parameter for the offset on SQLite
    "session",
)
_STORED_TURN: Final = select(
    _TURN.c.turn_id,
    _TURN.c.message_id,
    _TURN.c.user_id,
    _TURN.c.channel,
    _TURN.c.said_at_s,
    _TURN.c.text,
    _TURN.c.reply,
    _TURN.c.first_seq,
).where(_OF_SESSION)
_BY_MESSAGE: Final = _STORED_TURN.where(_TURN.c.message_id == bindparam("message"))
_EVERY: Final = _STORED_TURN.order_by(_TURN.c.turn_id)
_LATEST: Final = _STORED_TURN.order_by(_TURN.c.turn_id.desc()).limit(bindparam("most"))
_BETWEEN: Final = Prepared(
    _STORED_TURN.where(_TURN.c.turn_id > bindparam("after"), _TURN.c.turn_id <= bindparam("until"))
    .order_by(_TURN.c.turn_id.desc())
    .suffix_with(f"LIMIT {REPLAY_TURNS}"),
    "session",
    "after",
    "until",
)
_ACTIONS: Final = (
    select(*(column for column in _ACTION.c if column.name != "session_id"))
    .where(_ACTION.c.session_id == bindparam("session"))
    .order_by(_ACTION.c.turn_id, _ACTION.c.seq)
)
_ACTIONS_SINCE: Final = _ACTIONS.where(_ACTION.c.turn_id >= bindparam("turn"))
_SESSION_IDS: Final = select(_SESSION.c.id).order_by(_SESSION.c.updated_s.desc(), _SESSION.c.id)
_DUE: Final = (
    select(_OUTBOX)
    .where(_OUTBOX.c.next_try_s <= bindparam("now_s"))
    .order_by(_OUTBOX.c.next_try_s, _OUTBOX.c.id)
    .limit(bindparam("most"))
)
_DUE_NAMED: Final = (
    select(_OUTBOX)
    .where(_OUTBOX.c.next_try_s <= bindparam("now_s"), _OUTBOX.c.event.in_(bindparam("names", expanding=True)))
    .order_by(_OUTBOX.c.next_try_s, _OUTBOX.c.id)
    .limit(bindparam("most"))
)
_LEASE: Final = Prepared(
    update(_OUTBOX)
    .where(_OUTBOX.c.id == bindparam("of"), _OUTBOX.c.attempts == bindparam("seen"))
    .values(attempts=bindparam("tries"), next_try_s=bindparam("until_s")),
    "tries",
    "until_s",
    "of",
    "seen",
)
_DELIVERED: Final = Prepared(delete(_OUTBOX).where(_OUTBOX.c.id == bindparam("of")), "of")


def session(cursor: DriverCursor, session_id: str) -> StoredSession | None:
    """Load a conversation's state with two SELECTs, one when there is none."""
    row = cursor.first(_STATE, (session_id,))
    if row is None:
        return None
    latest = cursor.rows(_RECENT, (session_id,))
    recent = {name: turn_id for stored, turn_id in latest if (name := client_id(stored)) is not None}
    return StoredSession(*(*row, recent))


def session_ids(connection: Connection) -> list[str]:
    """Give the ids of all conversations, the latest first."""
    return list(connection.scalars(_SESSION_IDS))


def turn_of_message(connection: Connection, session_id: str, message_id: str) -> StoredTurn | None:
    """Find the turn that answered the message stored under this id."""
    row = connection.execute(_BY_MESSAGE, {"session": session_id, "message": message_id}).first()
    return _turn(row) if row else None


def _turn(row: Sequence[Any]) -> StoredTurn:
    turn_id, message_id, *rest = row
    return StoredTurn(turn_id, client_id(message_id), *rest)


def turns_since(connection: Connection, session_id: str, seq: int, most: int = REPLAY_TURNS) -> tuple[StoredTurn, ...]:
    """Give the turns that hold events from number `seq` on, oldest first, at most the last `most`.

    The first of them may begin before `seq`: a turn is one row whatever number of events it has.
    """
    out: list[StoredTurn] = []
    for row in connection.execute(_LATEST, {"session": session_id, "most": most}):
        out.append(_turn(row))
        if out[-1].first_seq <= seq:
            break
    return tuple(reversed(out))


def turns_between(cursor: DriverCursor, session_id: str, after: int, until: int) -> tuple[StoredTurn, ...]:
    """Give the last turns after number `after` up to number `until`, oldest first, at most `REPLAY_TURNS`."""
    return tuple(_turn(row) for row in reversed(cursor.rows(_BETWEEN, (session_id, after, until))))


def all_turns(connection: Connection, session_id: str) -> tuple[StoredTurn, ...]:
    """Give every turn of a session, oldest first, however many there are."""
    return tuple(map(_turn, connection.execute(_EVERY, {"session": session_id})))


def actions(connection: Connection, session_id: str) -> tuple[ActionRow, ...]:
    """Give all actions of a session in order."""
    return tuple(ActionRow(*row) for row in connection.execute(_ACTIONS, {"session": session_id}))


def window(connection: Connection, session_id: str, most: int) -> tuple[tuple[StoredTurn, ...], tuple[ActionRow, ...]]:
    """Give the last `most` turns and their actions, oldest first, with two SELECTs."""
    latest = connection.execute(_LATEST, {"session": session_id, "most": most})
    turns = tuple(reversed([_turn(row) for row in latest]))
    if not turns:
        return (), ()
    rows = connection.execute(_ACTIONS_SINCE, {"session": session_id, "turn": turns[0].turn_id})
    return turns, tuple(ActionRow(*row) for row in rows)


def claim_events(
    tx: Tx, now_s: int, lease_s: int, most: int, names: Sequence[str] | None = None
) -> tuple[ClaimedEvent, ...]:
    """Take due events for `lease_s` seconds; those another worker took first are left out.

    Args:
        names: only events of these names; None takes any.
    """
    given: dict[str, object] = {"now_s": now_s, "most": most}
    if names is not None:
        given["names"] = list(names)
    due = tx.connection.execute(_DUE if names is None else _DUE_NAMED, given).all()
    return tuple(
        ClaimedEvent(id=row.id, event=row.event, payload=row.payload, attempts=row.attempts + 1)
        for row in due
        if tx.cursor.run_each(_LEASE, [(row.attempts + 1, now_s + lease_s, row.id, row.attempts)])
    )


def complete_events(tx: Tx, ids: Sequence[int]) -> None:
    """Drop delivered events."""
    if ids:
        tx.cursor.run_each(_DELIVERED, [(each,) for each in ids])
