"""Finds a stored session by what somebody calls it."""

from __future__ import annotations

from typing import Final

from booking_bot.adapters.sql import SqlStore
from booking_bot.errors import ConfigurationError

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


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:SHOWN])
