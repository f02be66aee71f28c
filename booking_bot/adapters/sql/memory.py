"""What is remembered of users: rows of the memory table, and the bookings habits are learned from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Table, bindparam, delete, literal_column, select

from booking_bot.adapters.sql import schema
from booking_bot.adapters.sql.bookings import BOOKING, WRITE_KEY
from booking_bot.adapters.sql.buffers import Tx
from booking_bot.adapters.sql.prepared import DriverCursor, Prepared, insert_into
from booking_bot.dialogue.observations import Forgotten, Remembered

FORGOTTEN: Final = "forgotten_s"
"""Marks when the user had everything forgotten: what was booked before is not learned again."""

FACTS: Final = 20
"""Last bookings that make a habit."""
SUMMARIES: Final = "summary/"
"""What the keys of summaries begin with."""

_MEMORY: Final[Table] = schema.METADATA.tables["memory"]
_OF_USER: Final = _MEMORY.c.user_id == bindparam("of")
_ALL: Final = Prepared(select(_MEMORY.c.key, _MEMORY.c.value).where(_OF_USER).order_by(_MEMORY.c.key), "of")
_ONE: Final = Prepared(select(_MEMORY.c.value).where(_OF_USER, _MEMORY.c.key == bindparam("which")), "of", "which")
_DROP_ONE: Final = Prepared(delete(_MEMORY).where(_OF_USER, _MEMORY.c.key == bindparam("which")), "of", "which")
_DROP_ALL: Final = Prepared(delete(_MEMORY).where(_OF_USER), "of")
_PUT: Final = insert_into(_MEMORY)
_FACTS: Final = Prepared(
    select(BOOKING.c.room_id, BOOKING.c.people, BOOKING.c.start_s, BOOKING.c.end_s)
    .join(WRITE_KEY, WRITE_KEY.c.booking_id == BOOKING.c.id)
    .where(
        BOOKING.c.organizer == bindparam("of"),
        BOOKING.c.status == literal_column("'booked'"),
        WRITE_KEY.c.kind == literal_column("'book'"),
        WRITE_KEY.c.at_s > bindparam("since_s"),
    )
    .order_by(BOOKING.c.id.desc())
    .suffix_with(f"LIMIT {FACTS}"),
    "of",
    "since_s",
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


@dataclass(frozen=True, slots=True)
class Experience:
    """What habits are learned from, all of one moment.

    Attributes:
        forgotten_s: the epoch second at which the user last had everything forgotten, -1 for never.
        facts: the last bookings made since, newest first.
        items: what is remembered now.
    """

    forgotten_s: int
    facts: tuple[BookedFact, ...]
    items: tuple[MemoryItem, ...]


def memory_of(cursor: DriverCursor, user_id: str) -> tuple[MemoryItem, ...]:
    """Give what is remembered of a user, by key."""
    return tuple(MemoryItem(key, value) for key, value in cursor.rows(_ALL, (user_id,)) if key != FORGOTTEN)


def remembered(cursor: DriverCursor, user_id: str, key: str) -> str | None:
    """Give one thing remembered of a user."""
    found = cursor.first(_ONE, (user_id, key))
    return None if found is None else str(found[0])


def forgotten_s(cursor: DriverCursor, user_id: str) -> int:
    """Give the epoch second at which everything of a user was last forgotten, -1 for never."""
    mark = remembered(cursor, user_id, FORGOTTEN)
    return -1 if mark is None else int(mark)


def remember(
    cursor: DriverCursor,
    user_id: str,
    items: Mapping[str, str],
    now_s: int,
    instead_of: Iterable[str] = (),
    learned_after_s: int | None = None,
) -> None:
    """Put items in place of those of the same keys.

    Args:
        instead_of: keys that go besides.
        learned_after_s: the mark of forgetting the items were learned after; another one leaves all as it is.
    """
    if learned_after_s is not None and forgotten_s(cursor, user_id) != learned_after_s:
        return
    cursor.run_each(_DROP_ONE, [(user_id, key) for key in sorted({*items, *instead_of})])
    if items:
        cursor.run_each(_PUT, [(user_id, key, value, now_s) for key, value in items.items()])


def forget(cursor: DriverCursor, user_id: str, now_s: int) -> int:
    """Forget everything of a user; give how many things that were."""
    count = len(memory_of(cursor, user_id))
    cursor.run(_DROP_ALL, (user_id,))
    cursor.run(_PUT, (user_id, FORGOTTEN, str(now_s), now_s))
    return count


def experience_of(cursor: DriverCursor, user_id: str) -> Experience:
    """Give what a user's habits are learned from."""
    mark = forgotten_s(cursor, user_id)
    rows = cursor.rows(_FACTS, (user_id, mark))
    facts = tuple(BookedFact(room, people, (end_s - start_s) // 60) for room, people, start_s, end_s in rows)
    return Experience(mark, facts, memory_of(cursor, user_id))


class SqlMemory:
    """The memory as the turn's tools use it, in the turn's own transaction."""

    def recall(self, tx: Tx, user_id: str) -> Remembered:
        """Tell what is remembered of a user."""
        items = memory_of(tx.cursor, user_id)
        habits = tuple((item.key, item.value) for item in items if not item.key.startswith(SUMMARIES))
        return Remembered(habits=habits, summaries=len(items) - len(habits))

    def forget(self, tx: Tx, user_id: str, now: dt.datetime) -> Forgotten:
        """Delete it."""
        return Forgotten(count=forget(tx.cursor, user_id, int(now.timestamp())))
