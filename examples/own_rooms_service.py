"""Rooms and bookings of another system: a `RoomService` of your own over HTTP.

Start the other system first, then book through it:

    booking-bot mock-apis --port 8767
    python examples/own_rooms_service.py http://127.0.0.1:8767

The six methods never raise for a failing world: what went wrong is an observation. `Failed(uncertain=True)` says that
a write may have taken effect although its answer was lost; the bot then looks it up by its key before it says anything.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import httpx2

from booking_bot import BookingBot
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


class CompanyRooms:
    """The company's rooms API."""

    def __init__(self, url: str) -> None:
        self._http = httpx2.AsyncClient(base_url=url, timeout=5.0)

    async def close(self) -> None:
        await self._http.aclose()

    async def search_rooms(self, request: RoomRequest) -> Found | NoneFree | Failed:
        status, body = await self._ask("POST", "/availability", json=request.model_dump(mode="json"))
        if status != 200:
            return Failed(tool="search_rooms", reason=f"status {status}")
        return Found.model_validate(body) if body["kind"] == "found" else NoneFree.model_validate(body)

    async def book_room(self, order: BookingOrder, organizer: str) -> Booked | Taken | Refused | Failed:
        body = order.model_dump(mode="json", exclude={"key"})
        status, answer = await self._ask("POST", "/bookings", json=body, headers=_headers(organizer, order.key))
        if status in (200, 201):
            return Booked(booking=Booking.model_validate(answer))
        if status == 409:
            return Taken(room_id=order.room_id)
        return _not_done("book_room", status, answer)

    async def move_booking(self, change: BookingChange, organizer: str) -> Moved | Taken | Gone | Refused | Failed:
        body = change.model_dump(mode="json", exclude={"key", "booking_id", "version"})
        headers = _headers(organizer, change.key, change.version)
        status, answer = await self._ask("PATCH", f"/bookings/{change.booking_id}", json=body, headers=headers)
        match status:
            case 200:
                return Moved(booking=Booking.model_validate(answer))
            case 409:
                return Taken(room_id=change.room_id)
            case 404:
                return Gone(booking_id=change.booking_id)
            case _:
                return _not_done("move_booking", status, answer)

    async def cancel_booking(self, cancellation: Cancellation, organizer: str) -> Cancelled | Gone | Refused | Failed:
        headers = _headers(organizer, cancellation.key, cancellation.version)
        status, answer = await self._ask("DELETE", f"/bookings/{cancellation.booking_id}", headers=headers)
        match status:
            case 200:
                return Cancelled(booking=Booking.model_validate(answer))
            case 404:
                return Gone(booking_id=cancellation.booking_id)
            case _:
                return _not_done("cancel_booking", status, answer)

    async def list_bookings(self, organizer: str) -> Listed | Failed:
        headers = {"X-User": organizer}
        status, body = await self._ask("GET", "/bookings", params={"organizer": organizer}, headers=headers)
        if status != 200:
            return Failed(tool="list_bookings", reason=f"status {status}")
        return Listed(bookings=tuple(Booking.model_validate(item) for item in body["bookings"]))

    async def find_booking(self, key: str, organizer: str) -> Booked | Moved | Cancelled | Gone | Failed:
        status, body = await self._ask("GET", f"/writes/{key}", headers={"X-User": organizer})
        if status == 404:
            return Gone(booking_id="")
        if status != 200:
            return Failed(tool="find_booking", reason=f"status {status}")
        kinds: dict[str, type[Booked | Moved | Cancelled]] = {"booked": Booked, "moved": Moved, "cancelled": Cancelled}
        return kinds[body["kind"]].model_validate(body)

    async def _ask(self, method: str, path: str, **how: Any) -> tuple[int, Any]:
        """Give status and JSON; 0 when there was no answer that can be read."""
        try:
            answer = await self._http.request(method, path, **how)
            return answer.status_code, answer.json()
        except (httpx2.HTTPError, ValueError):
            return 0, {}


def _headers(organizer: str, key: str, version: int | None = None) -> dict[str, str]:
    headers = {"X-User": organizer, "Idempotency-Key": key}
    return headers if version is None else headers | {"If-Match": f'"{version}"'}


def _not_done(tool: str, status: int, answer: Any) -> Refused | Failed:
    if status == 422:
        return Refused(tool=tool, reason=str(answer.get("detail", "")))
    return Failed(tool=tool, reason=f"status {status}", uncertain=status == 0 or status >= 500)


async def main(url: str, now: str | None = None) -> None:
    """Book, move and cancel in the other system by talking to the bot."""
    rooms = CompanyRooms(url)
    async with await BookingBot.open(site="demo", db="sqlite://", now=now, rooms=rooms) as bot:
        for message in (
            "tomorrow at 2pm, 8 people, 1 hour",
            "1",
            "yes",
            "move my booking to 4pm",
            "yes",
            "cancel my booking",
            "yes, cancel it",
        ):
            reply = await bot.handle("main", message, user_id="alice")
            print(f"alice: {message}\n  bot: {reply.text}")
    await rooms.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: own_rooms_service.py URL [NOW], as in own_rooms_service.py http://127.0.0.1:8767")
    asyncio.run(main(*sys.argv[1:]))
