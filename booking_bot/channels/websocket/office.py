"""What the page shows beside the chat: the site, a day's bookings, the user's own, a talk to keep. Read only."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from booking_bot.app import session_key
from booking_bot.dialogue.availability import minute_of
from booking_bot.dialogue.model import Booking, NoArguments
from booking_bot.dialogue.observations import Listed
from booking_bot.dialogue.policy import window_of
from booking_bot.dialogue.site import Site
from booking_bot.engine import Engine
from booking_bot.errors import MessageError
from booking_bot.reply import BookedRoom, Reply
from booking_bot.tools import ToolContext
from booking_bot.transcripts.recorder import Exchange, Talk, write
from booking_bot.transcripts.stored import before_the_talk, made_in, standing_before
from booking_bot.transcripts.world import bookings_of


def site_data(site: Site, now: dt.datetime) -> dict[str, Any]:
    """Describe the rooms and the house rules; times are minutes after midnight.

    Args:
        now: the site's wall clock.
    """
    policy, today = site.policy, now.date()
    first, last = window_of(policy, today)
    return {
        "name": site.name,
        "today": today.isoformat(),
        "now": minute_of(now.time()),
        "first_date": first.isoformat(),
        "last_date": last.isoformat(),
        "opens": policy.opens_minute,
        "closes": policy.closes_minute,
        "start_grid": policy.start_grid_minutes,
        "durations": list(policy.durations),
        "seats": list(site.seat_counts),
        "buildings": [{"code": b.code, "name": b.name.model_dump()} for b in site.buildings],
        "rooms": [room.model_dump() for room in site.rooms],
    }


class Office:
    """Reads bookings for the page.

    Args:
        site: the site's name or folder, as a transcript names it.
    """

    def __init__(self, engine: Engine, site: str) -> None:
        self._engine = engine
        self._site = site

    def site(self) -> dict[str, Any]:
        """Describe the rooms and the house rules as of today."""
        return site_data(self._engine.site, self._engine.now())

    async def day(self, date: dt.date, user_id: str) -> dict[str, Any]:
        """Give a day's bookings of all rooms: one's own with title and id, everybody else's only as busy.

        Raises:
            MessageError: ``unavailable``: bookings are kept by another system.
        """
        store = self._engine.store
        if self._engine.tools["search_rooms"].inside is None:
            raise MessageError("unavailable", "the rooms are kept by another system")
        found = await store.read(lambda tx: store.ledger.all_bookings(tx, date=date, everything=True))
        return {"date": date.isoformat(), "busy": list(_busy(found, date, user_id))}

    async def own(self, user_id: str) -> dict[str, Any]:
        """Give the user's bookings that are not over.

        Raises:
            MessageError: ``unavailable``: the other system does not answer.
        """
        tool = self._engine.tools["list_bookings"]
        if tool.outside is None:
            store = self._engine.store
            listed = await store.read(lambda tx: store.ledger.list_bookings(tx, user_id))
            return {"bookings": [BookedRoom.of(booking).model_dump() for booking in listed.bookings]}
        answer = await tool.outside(NoArguments(), ToolContext(user_id, "zh", self._engine.now()))
        if not isinstance(answer, Listed):
            raise MessageError("unavailable", "the bookings cannot be read now")
        return {"bookings": [BookedRoom.of(booking).model_dump() for booking in answer.bookings]}

    async def transcript(self, user_id: str, session_id: str) -> str:
        """Write one of the user's conversations as a transcript that can be run again.

        What others have booked stands in it without their names and titles.

        Raises:
            MessageError: ``not_found``: the user has no such conversation.
        """
        engine = self._engine
        try:
            key = session_key(user_id, session_id)
        except ValueError:
            raise _unknown_conversation() from None
        turns = await engine.store.all_turns(key)
        if not turns:
            raise _unknown_conversation()
        begun = dt.datetime.fromtimestamp(turns[0].said_at_s, engine.site.policy.zone)
        replies = [Reply.model_validate_json(turn.reply) for turn in turns]
        before = before_the_talk(await engine.store.actions_of(key))
        standing = [
            booking
            if booking.organizer == user_id
            else booking.model_copy(update={"organizer": "somebody", "title": ""})
            for booking in standing_before(await bookings_of(engine.store), before, made_in(replies))
            if booking.date >= begun.date()
        ]
        exchanges = [
            Exchange(turn.text, reply, (turn.said_at_s - turns[0].said_at_s) // 60, turn.message_id)
            for turn, reply in zip(turns, replies, strict=True)
        ]
        about = "saved from the chat page"
        return write(Talk("conversation", about, self._site, user_id, begun, exchanges, standing))


def _unknown_conversation() -> MessageError:
    return MessageError("not_found", "there is no such conversation")


def _busy(bookings: Iterable[Booking], date: dt.date, user_id: str) -> Iterable[dict[str, Any]]:
    for booking in bookings:
        if booking.status != "booked":
            continue
        start = minute_of(booking.start_time) + 1440 * (booking.date - date).days
        entry: dict[str, Any] = {"room": booking.room_id, "start": start, "end": start + booking.minutes}
        if booking.organizer == user_id:
            entry |= {"id": booking.id, "title": booking.title, "own": True}
        yield entry
