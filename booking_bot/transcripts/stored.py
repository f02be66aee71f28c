"""Finds a stored session by what somebody calls it, and reads all that was said in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Row, Table, select

from booking_bot.adapters.sql import SqlStore, schema
from booking_bot.errors import ConfigurationError

_TURN: Final[Table] = schema.METADATA.tables["turn"]
SHOWN: Final = 9
"""Sessions named in an error, the latest first."""


async def find_session(store: SqlStore, named: str) -> str:
    """Give the stored id of a session.

    Args:
        named: the stored id, or the label behind the user's name when only one user has it.

    Raises:
        ConfigurationError: there is no such session, or more than one; names some there are.
    """
    ids = await store.session_ids()
    if named in ids:
        return named
    alike = [each for each in ids if each.endswith(f"/{named}")]
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise ConfigurationError(f"--session {named!r}: several users have one; use one of {_some(alike)}")
    there_are = f"the latest are {_some(ids)}" if ids else "there are none yet"
    raise ConfigurationError(f"--session {named!r}: no such session in the database; {there_are}")


async def turns_of(store: SqlStore, session: str) -> Sequence[Row[Any]]:
    """Read every turn of a session in order, however many; none when there is no such session.

    Args:
        session: the stored id.
    """
    query = select(_TURN).where(_TURN.c.session_id == session).order_by(_TURN.c.turn_id)
    return await store.read(lambda reader: reader.connection.execute(query).all())


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:SHOWN])
