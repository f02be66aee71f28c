"""Finds a stored session by what somebody calls it, and tells what was booked when it began."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from pydantic import ValidationError

from booking_bot.adapters.sql import ActionRow, SqlStore
from booking_bot.dialogue.model import Booking
from booking_bot.dialogue.observations import Listed
from booking_bot.errors import ConfigurationError
from booking_bot.reply import Reply

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


def before_the_talk(actions: Iterable[ActionRow]) -> dict[str, Booking]:
    """Give the bookings a talk has listed, as they were when it first did, by id: what it changed later stood so."""
    seen: dict[str, Booking] = {}
    for action in actions:
        if action.action != "list_bookings" or not action.observation.startswith("listed "):
            continue
        with contextlib.suppress(ValidationError):  # a very long list is cut in the log
            for booking in Listed.model_validate_json(action.observation.removeprefix("listed ")).bookings:
                seen.setdefault(booking.id, booking)
    return seen


def made_in(replies: Iterable[Reply]) -> set[str]:
    """Give the ids of the bookings that a talk made itself: they stand in no world before it."""
    return {reply.booking.id for reply in replies if reply.booking is not None and "book_room" in reply.actions}


def standing_before(bookings: Iterable[Booking], before: Mapping[str, Booking], made: Collection[str]) -> list[Booking]:
    """Give what was booked when a talk began.

    Args:
        bookings: all there are now, cancelled ones too.
        before: those the talk has listed, as they were then.
        made: ids of those it made itself.
    """
    then = [before.get(booking.id, booking) for booking in bookings if booking.id not in made]
    return [booking for booking in then if booking.status == "booked"]


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:SHOWN])
