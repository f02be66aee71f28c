"""What is remembered of users: rows of the memory table, and the bookings habits are learned from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Table, bindparam, delete, insert, select
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import schema
from booking_bot.adapters.sql.bookings import BOOKING, WRITE_KEY
from booking_bot.adapters.sql.buffers import Tx
from booking_bot.dialogue.observations import Forgotten, Remembered

FORGOTTEN: Final = "forgotten_s"
"""Marks when the user had everything forgotten: what was booked before is not learned again."""

SUMMARIES: Final = "summary/"
"""What the keys of summaries begin with."""

_MEMORY: Final[Table] = schema.METADATA.tables["memory"]
_OF_USER: Final = _MEMORY.c.user_id == bindparam("of")
_ALL: Final = select(_MEMORY.c.key, _MEMORY.c.value).where(_OF_USER).order_by(_MEMORY.c.key)
_ONE: Final = select(_MEMORY.c.value).where(_OF_USER, _MEMORY.c.key == bindparam("which"))
_DROP_ONE: Final = delete(_MEMORY).where(_OF_USER, _MEMORY.c.key == bindparam("which"))
_DROP_LIKE: Final = delete(_MEMORY).where(_OF_USER, _MEMORY.c.key.startswith(bindparam("prefix"), autoescape=False))
_DROP_ALL: Final = delete(_MEMORY).where(_OF_USER)
_PUT: Final = insert(_MEMORY)
_FACTS: Final = (
    select(BOOKING.c.room_id, BOOKING.c.people, BOOKING.c.start_s, BOOKING.c.end_s)
    .join(WRITE_KEY, WRITE_KEY.c.booking_id == BOOKING.c.id)
    .where(
        BOOKING.c.organizer == bindparam("of"),
        BOOKING.c.status == "booked",
        WRITE_KEY.c.kind == "book",
        WRITE_KEY.c.at_s > bindparam("since_s"),
    )
    .order_by(BOOKING.c.id.desc())
    .limit(bindparam("most"))
)


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One thing remembered."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class BookedFact:
    """What a habit is made of."""

    room_id: str
    people: int
    minutes: int


def memory_of(connection: Connection, user_id: str) -> tuple[MemoryItem, ...]:
    """Give what is remembered of a user, by key."""
    rows = connection.execute(_ALL, {"of": user_id})
    return tuple(MemoryItem(key, value) for key, value in rows if key != FORGOTTEN)


def forgotten_s(connection: Connection, user_id: str) -> int:
    """Give the epoch second at which everything of a user was last forgotten, -1 for never."""
    mark = connection.execute(_ONE, {"of": user_id, "which": FORGOTTEN}).scalar()
    return -1 if mark is None else int(mark)


def remember(
    connection: Connection,
    user_id: str,
    items: Mapping[str, str],
    now_s: int,
    instead_of: str | None = None,
    learned_after_s: int | None = None,
) -> None:
    """Put items in place of those of the same keys.

    Args:
        instead_of: a prefix; everything else under it goes.
        learned_after_s: the mark of forgetting the items were learned after; another one leaves all as it is.
    """
    if learned_after_s is not None and forgotten_s(connection, user_id) != learned_after_s:
        return
    if instead_of is not None:
        connection.execute(_DROP_LIKE, {"of": user_id, "prefix": instead_of})
    for key, value in items.items():
        connection.execute(_DROP_ONE, {"of": user_id, "which": key})
        connection.execute(_PUT, {"user_id": user_id, "key": key, "value": value, "last_used_s": now_s})


def forget(connection: Connection, user_id: str, now_s: int) -> int:
    """Forget everything of a user; give how many things that were."""
    count = len(memory_of(connection, user_id))
    connection.execute(_DROP_ALL, {"of": user_id})
    connection.execute(_PUT, {"user_id": user_id, "key": FORGOTTEN, "value": str(now_s), "last_used_s": now_s})
    return count


def booked_facts(connection: Connection, user_id: str, most: int, since_s: int) -> tuple[BookedFact, ...]:
    """Give a user's last bookings that were made after an epoch second, newest first."""
    rows = connection.execute(_FACTS, {"of": user_id, "since_s": since_s, "most": most})
    return tuple(BookedFact(room, people, (end_s - start_s) // 60) for room, people, start_s, end_s in rows)


class SqlMemory:
    """The memory as the turn's tools use it, in the turn's own transaction."""

    def recall(self, tx: Tx, user_id: str) -> Remembered:
        """Tell what is remembered of a user."""
        items = memory_of(tx.connection, user_id)
        habits = tuple((item.key, item.value) for item in items if not item.key.startswith(SUMMARIES))
        return Remembered(habits=habits, summaries=len(items) - len(habits))

    def forget(self, tx: Tx, user_id: str, now: dt.datetime) -> Forgotten:
        """Delete it."""
        return Forgotten(count=forget(tx.connection, user_id, int(now.timestamp())))
