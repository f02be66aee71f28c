"""Ids under which messages are stored: the client's own, or the attempt's where the client gave none.

So every turn has one, and a turn whose COMMIT went through although its answer was lost is known again.
"""

from __future__ import annotations

from typing import Final

_OURS: Final = "~"


def stored_id(message_id: str | None, attempt: str) -> str | None:
    """Give the id a message is stored under; None when it has neither.

    Args:
        attempt: letters and digits that name one call of the engine.
    """
    if message_id is None:
        return f"{_OURS}{attempt}" if attempt else None
    return f"{_OURS}{message_id}" if message_id.startswith(_OURS) else message_id


def client_id(stored: str | None) -> str | None:
    """Give the client's id back; None when it gave none."""
    if stored is None or not stored.startswith(_OURS):
        return stored
    rest = stored[len(_OURS) :]
    return rest if rest.startswith(_OURS) else None
