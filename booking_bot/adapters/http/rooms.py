"""The room service over HTTP: every answer, and every lack of one, becomes an observation.

A write is repeated only under its own idempotency key. When its outcome stays unknown it is looked up by that key, and
only what the look-up cannot tell is given as uncertain.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Final, TypeVar

import httpx2
from pydantic import TypeAdapter

from booking_bot.adapters.http.caller import (
    Answer,
    Call,
    Doubt,
    HttpCaller,
    HttpLimits,
    NoAnswer,
    Sleep,
    UnreadableAnswer,
)
from booking_bot.adapters.http.reading import (
    Place,
    body_of,
    booking_at,
    expect_status,
    failed_of,
    headers_of,
    lost,
    problem_of,
    read_as,
    refused_of,
    unexpected,
)
from booking_bot.adapters.http.wire import (
    AVAILABILITY,
    USER_HEADER,
    WRITTEN,
    BookingList,
    Problem,
    RoomList,
    encoded,
)
from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import (
    Booked,
    Cancelled,
    Failed,
    Found,
    Gone,
    Listed,
    Moved,
    NoneFree,
    Refused,
    Taken,
)
from booking_bot.dialogue.site import Site

T = TypeVar("T")
Written = Booked | Moved | Cancelled
_BOOKING: Final = TypeAdapter(Booking)
_BOOKINGS: Final = TypeAdapter(BookingList)
_ROOMS: Final = TypeAdapter(RoomList)


class HttpRooms:
    """Room service of another system, in the shape of `docs/mock-apis.md`.

    Args:
        base_url: where the service is, e.g. ``http://127.0.0.1:8780``.
        site: whose rooms are offered; rooms of the service that the site does not have are left out.
        limits: time limits and retries.
        token: bearer token, when the service wants one.
        sleep: waits between attempts.
        rng: draws the jitter.
        transport: replaces the network in tests.
    """

    def __init__(
        self,
        base_url: str,
        site: Site,
        *,
        limits: HttpLimits | None = None,
        token: str | None = None,
        sleep: Sleep = asyncio.sleep,
        rng: random.Random | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._site = site
        self._limits = limits or HttpLimits()
        self._caller = HttpCaller(base_url, self._limits, token=token, sleep=sleep, rng=rng, transport=transport)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._caller.aclose()

    async def check(self) -> Failed | None:
        """Ask once whether the service answers and has the site's rooms; None when it does. For `doctor`."""

        def read(answer: Answer) -> set[str]:
            expect_status(answer, 200)
            return {room.id for room in read_as(_ROOMS, answer).rooms}

        answered = await self._caller.ask(Call("GET", "/rooms"), read, attempts=1)
        if isinstance(answered, NoAnswer):
            return failed_of("list_rooms", answered)
        missing = sorted(self._site.rooms_by_id.keys() - answered)
        reason = f"{len(missing)} rooms of the site are not the service's, {', '.join(missing[:3])} among them"
        return Failed(tool="list_rooms", reason=reason, retryable=False) if missing else None

    async def search_rooms(self, request: RoomRequest) -> Found | NoneFree | Failed:
        """Find rooms that fit and are free."""
        wishes = {"floor": request.floor is not None, "excluded": bool(request.excluded), "running": request.running}
        wishes["wanted_room"] = request.wanted_room is not None
        body = body_of(request, without={name for name, is_wished in wishes.items() if not is_wished})
        answered = await self._caller.ask(Call("POST", "/availability", body=body), self._availability)
        return (
            failed_of("search_rooms", answered) if isinstance(answered, NoAnswer) else self._heeding(request, answered)
        )

    async def book_room(self, order: BookingOrder, organizer: str) -> Booked | Taken | Refused | Failed:
        """Book exactly this order; the same key again gives the booking made the first time."""
        call = Call("POST", "/bookings", headers=headers_of(organizer, order.key), body=body_of(order, without={"key"}))
        place = Place(order.room_id, order.date, order.start_time, order.duration_minutes, organizer, version=1)

        def read(answer: Answer) -> Booked | Taken | Refused:
            if answer.status in (200, 201):
                return Booked(booking=booking_at(place, answer))
            match problem_of(answer):
                case Problem(status=409, code="taken"):
                    return Taken(room_id=order.room_id)
                case problem:
                    return refused_of("book_room", problem)

        def kept(written: Written) -> Booked | None:
            if not isinstance(written, Booked) or not place.holds(written.booking):
                return None
            same = (written.booking.people, written.booking.title) == (order.people, order.title)
            return written if same else None  # else the key has been used for something else

        return await self._write("book_room", call, read, kept, key=order.key, organizer=organizer)

    async def move_booking(self, change: BookingChange, organizer: str) -> Moved | Taken | Gone | Refused | Failed:
        """Move an own booking; on `Taken` it stays as it was."""
        call = Call(
            "PATCH",
            f"/bookings/{encoded(change.booking_id)}",
            headers=headers_of(organizer, change.key, change.version),
            body=body_of(change, without={"key", "booking_id", "version"}),
        )
        place = Place(
            change.room_id, change.date, change.start_time, change.duration_minutes, organizer, change.version + 1
        )

        def read(answer: Answer) -> Moved | Taken | Gone | Refused:
            if answer.status == 200:
                return Moved(booking=booking_at(place, answer))
            match problem_of(answer):
                case Problem(status=409, code="taken"):
                    return Taken(room_id=change.room_id)
                case Problem(status=404, code="gone"):
                    return Gone(booking_id=change.booking_id)
                case problem:
                    return refused_of("move_booking", problem)

        def kept(written: Written) -> Moved | None:
            return written if isinstance(written, Moved) and place.holds(written.booking) else None

        return await self._write("move_booking", call, read, kept, key=change.key, organizer=organizer)

    async def cancel_booking(self, cancellation: Cancellation, organizer: str) -> Cancelled | Gone | Refused | Failed:
        """Cancel an own booking."""
        call = Call(
            "DELETE",
            f"/bookings/{encoded(cancellation.booking_id)}",
            headers=headers_of(organizer, cancellation.key, cancellation.version),
        )

        def is_it(booking: Booking) -> bool:
            return booking.id == cancellation.booking_id and booking.status == "cancelled"

        def read(answer: Answer) -> Cancelled | Gone | Refused:
            if answer.status == 200:
                booking = read_as(_BOOKING, answer)
                if not is_it(booking):
                    raise UnreadableAnswer("another booking than the one cancelled")
                return Cancelled(booking=booking)
            match problem_of(answer):
                case Problem(status=404, code="gone"):
                    return Gone(booking_id=cancellation.booking_id)
                case problem:
                    return refused_of("cancel_booking", problem)

        def kept(written: Written) -> Cancelled | None:
            return written if isinstance(written, Cancelled) and is_it(written.booking) else None

        return await self._write("cancel_booking", call, read, kept, key=cancellation.key, organizer=organizer)

    async def list_bookings(self, organizer: str) -> Listed | Failed:
        """List the organizer's bookings that are not over, those in rooms the site knows."""

        def read(answer: Answer) -> Listed:
            expect_status(answer, 200)
            bookings = [
                booking
                for booking in read_as(_BOOKINGS, answer).bookings
                if booking.organizer == organizer and booking.room_id in self._site.rooms_by_id
            ]
            return Listed(bookings=tuple(sorted(bookings, key=lambda b: (b.date, b.start_time, b.room_id))))

        call = Call("GET", "/bookings", params={"organizer": organizer}, headers={USER_HEADER: encoded(organizer)})
        answered = await self._caller.ask(call, read)
        return failed_of("list_bookings", answered) if isinstance(answered, NoAnswer) else answered

    async def find_booking(self, key: str, organizer: str) -> Booked | Moved | Cancelled | Gone | Failed:
        """Look up what the write with this idempotency key did; `Gone` when it never took effect."""

        def read(answer: Answer) -> Written | Gone:
            if answer.status == 200:
                written = read_as(WRITTEN, answer)
                if written.booking.organizer != organizer:
                    raise UnreadableAnswer("somebody else's booking")
                return written
            match problem_of(answer):
                case Problem(status=404, code="unknown_key"):
                    return Gone(booking_id="")
                case problem:
                    raise unexpected(problem)

        call = Call("GET", f"/writes/{encoded(key)}", headers={USER_HEADER: encoded(organizer)})
        answered = await self._caller.ask(call, read, within_s=self._limits.lookup_s)
        return failed_of("find_booking", answered) if isinstance(answered, NoAnswer) else answered

    async def _write(
        self,
        tool: str,
        call: Call,
        read: Callable[[Answer], T],
        kept: Callable[[Written], T | None],
        *,
        key: str,
        organizer: str,
    ) -> T | Failed:
        """Write; when any attempt is in doubt, look up by the key what was done before saying that it was not."""
        answered, doubt = await self._caller.ask_in_doubt(call, read)
        if isinstance(answered, Booked | Moved | Cancelled):
            return answered
        if doubt is Doubt.NONE:
            return failed_of(tool, answered) if isinstance(answered, NoAnswer) else answered
        looked_up = await self.find_booking(key, organizer)
        found = None if isinstance(looked_up, Gone | Failed) else kept(looked_up)
        if found is not None:
            return found
        if not isinstance(answered, NoAnswer):
            reason = f"{tool}: {type(answered).__name__} after an attempt in doubt"
            return answered if isinstance(looked_up, Gone) else lost(tool, reason)
        if isinstance(looked_up, Gone) and doubt is Doubt.ANSWERED:
            return failed_of(tool, answered)
        # Without any answer the write may still be on its way: then even "not there" is not the last word.
        return lost(tool, answered.reason)

    def _heeding(self, request: RoomRequest, result: Found | NoneFree) -> Found | NoneFree:
        """Leave out rooms on another floor and rooms not wanted: an older service does not know these wishes."""
        if isinstance(result, NoneFree) or not (request.floor is not None or request.excluded):
            return result
        rooms = self._site.rooms_by_id
        heeded = tuple(
            room_id
            for room_id in result.room_ids
            if request.floor in (None, rooms[room_id].floor) and room_id not in request.excluded
        )
        if not heeded:
            return NoneFree(wanted_taken=result.wanted_taken)
        return result.model_copy(update={"room_ids": heeded})

    def _availability(self, answer: Answer) -> Found | NoneFree:
        expect_status(answer, 200)
        result = read_as(AVAILABILITY, answer)
        known = self._site.rooms_by_id
        if isinstance(result, Found):
            rooms = tuple(dict.fromkeys(room for room in result.room_ids if room in known))
            if not rooms:
                raise UnreadableAnswer("no room of this site", retryable=False)
            return result.model_copy(update={"room_ids": rooms})
        alternatives = [
            alternative.model_copy(update={"room_ids": tuple(r for r in alternative.room_ids if r in known)})
            for alternative in result.alternatives
        ]
        return result.model_copy(update={"alternatives": tuple(a for a in alternatives if a.room_ids)})
