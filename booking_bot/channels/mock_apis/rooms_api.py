"""The mock rooms API: a room service behind a small REST surface."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Awaitable, Callable
from typing import Final, assert_never

from booking_bot.adapters.http.wire import (
    KEY_HEADER,
    USER_HEADER,
    VERSION_HEADER,
    BookingList,
    ChangeBody,
    OrderBody,
    RoomList,
    decoded,
)
from booking_bot.channels.mock_apis.exchange import Request, RequestError, Response, body_as, json_response, problem
from booking_bot.channels.mock_apis.faults import Operation
from booking_bot.dialogue.model import Cancellation, RoomRequest
from booking_bot.dialogue.observations import Booked, Cancelled, Failed, Gone, Moved, Refused, Taken
from booking_bot.dialogue.site import Site
from booking_bot.ports import RoomService

MAX_USER_CHARS: Final = 128
"""An organizer's name; the longest e-mail address has 254, the longest employee number far less."""
FIRST_YEAR: Final = 1970
LAST_YEAR: Final = 8000
"""Days are reckoned with in other zones and to the next: the calendar's very ends are no days to book."""
_VERSION: Final = re.compile(r'"?([0-9]{1,9})"?')

Handler = Callable[[Request, str], Awaitable[Response]]


class RoomsApi:
    """Answers requests out of a room service.

    Args:
        site: whose rooms are listed.
        rooms: what carries the requests out.
    """

    def __init__(self, site: Site, rooms: RoomService) -> None:
        self._site = site
        self._rooms = rooms
        self.routes: tuple[tuple[str, str, Operation, Handler], ...] = (
            ("GET", "/rooms", "list_rooms", self._list_rooms),
            ("POST", "/availability", "search_rooms", self._search),
            ("POST", "/bookings", "book_room", self._book),
            ("GET", "/bookings", "list_bookings", self._list_bookings),
            ("PATCH", "/bookings/{}", "move_booking", self._move),
            ("DELETE", "/bookings/{}", "cancel_booking", self._cancel),
            ("GET", "/writes/{}", "find_booking", self._find),
        )

    async def _list_rooms(self, _request: Request, _part: str) -> Response:
        return json_response(RoomList(buildings=self._site.buildings, rooms=self._site.rooms))

    async def _search(self, request: Request, _part: str) -> Response:
        wanted = body_as(RoomRequest, request)
        _check_date(wanted.date)
        found = await self._rooms.search_rooms(wanted)
        return _failure(found) if isinstance(found, Failed) else json_response(found)

    async def _book(self, request: Request, _part: str) -> Response:
        order = body_as(OrderBody, request).order(_key(request))
        _check_date(order.date)
        return _written(await self._rooms.book_room(order, _user(request)), created=201)

    async def _move(self, request: Request, part: str) -> Response:
        change = body_as(ChangeBody, request).change(part, _version(request), _key(request))
        _check_date(change.date)
        return _written(await self._rooms.move_booking(change, _user(request)))

    async def _cancel(self, request: Request, part: str) -> Response:
        cancellation = Cancellation(booking_id=part, version=_version(request), key=_key(request))
        return _written(await self._rooms.cancel_booking(cancellation, _user(request)))

    async def _list_bookings(self, request: Request, _part: str) -> Response:
        user = _user(request)
        if request.parameters().get("organizer", user) != user:
            raise RequestError(problem(403, "bad_request", f"organizer and {USER_HEADER} differ"))
        listed = await self._rooms.list_bookings(user)
        return _failure(listed) if isinstance(listed, Failed) else json_response(BookingList(bookings=listed.bookings))

    async def _find(self, request: Request, part: str) -> Response:
        found = await self._rooms.find_booking(part, _user(request))
        match found:
            case Gone():
                return problem(404, "unknown_key", "no write with this key took effect")
            case Failed():
                return _failure(found)
            case Booked() | Moved() | Cancelled():
                return json_response(found)
            case _:
                assert_never(found)


def _written(done: Booked | Moved | Cancelled | Taken | Gone | Refused | Failed, created: int = 200) -> Response:
    match done:
        case Booked(booking=booking) | Moved(booking=booking) | Cancelled(booking=booking):
            return json_response(booking, created)
        case Taken(room_id=room_id):
            return problem(409, "taken", f"room {room_id} cannot be booked then")
        case Gone(booking_id=booking_id):
            return problem(404, "gone", f"no booking {booking_id} of this user and version")
        case Refused(reason=reason):
            return problem(422, "refused", reason)
        case Failed():
            return _failure(done)
        case _:
            assert_never(done)


def _failure(failed: Failed) -> Response:
    return problem(503 if failed.retryable else 500, "unavailable", failed.tool)


def _header(request: Request, name: str) -> str:
    value = decoded(request.headers.get(name.lower(), ""))
    if not value:
        raise RequestError(problem(400, "bad_request", f"header {name} is missing"))
    return value


def _check_date(date: dt.date) -> None:
    if not FIRST_YEAR <= date.year <= LAST_YEAR:
        raise RequestError(problem(422, "bad_arguments", f"date: not of the years {FIRST_YEAR} to {LAST_YEAR}"))


def _user(request: Request) -> str:
    user = _header(request, USER_HEADER)
    if len(user) > MAX_USER_CHARS:
        raise RequestError(problem(422, "bad_arguments", f"{USER_HEADER}: more than {MAX_USER_CHARS} characters"))
    return user


def _key(request: Request) -> str:
    key = _header(request, KEY_HEADER)
    if not 8 <= len(key) <= 64:
        raise RequestError(problem(422, "bad_arguments", f"{KEY_HEADER}: not of 8 to 64 characters"))
    return key


def _version(request: Request) -> int:
    match = _VERSION.fullmatch(_header(request, VERSION_HEADER))
    if match is None:
        raise RequestError(problem(422, "bad_arguments", f'{VERSION_HEADER}: not a version like "1"'))
    return int(match[1])
