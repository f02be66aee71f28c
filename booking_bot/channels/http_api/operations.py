"""The API's operations as a table: what is routed and what `/openapi.json` says are made from the same rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from booking_bot.channels.http_api.endpoints import Endpoints
from booking_bot.channels.http_api.values import BookingIn, Health, MessageIn, MoveIn, RoomList
from booking_bot.reply import BookedRoom, Reply
from booking_bot.service import OwnBookings, RoomsFound, RoomWish, WriteResult

Handler = Callable[[Endpoints, Request], Awaitable[Response]]
KeyUse = Literal["none", "optional", "required"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    Attributes:
        answers: model of the JSON by status, None for none or another type.
        problems: statuses with a problem as their body, besides those every operation has.
        key: how the Idempotency-Key header is used.
        confirms: takes a Confirm-Token header.
        open: needs no token.
    """

    method: str
    path: str
    name: str
    summary: str
    handler: Handler
    answers: Mapping[int, type[BaseModel] | None]
    query: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    problems: tuple[int, ...] = ()
    key: KeyUse = "none"
    confirms: bool = False
    open: bool = False
    media_type: str = "application/json"
    tags: tuple[str, ...] = field(default=("bookings",))


_BODY: Final = (400, 408, 413, 415, 422)
_WRITE: Final = (409, 503)

OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation(
        "POST",
        "/v1/messages",
        "sendMessage",
        "Say one message of the conversation. The same Idempotency-Key again gives the same reply and no effect.",
        Endpoints.send_message,
        {200: Reply},
        body=MessageIn,
        problems=_BODY,
        key="optional",
        tags=("conversation",),
    ),
    Operation(
        "GET",
        "/v1/rooms",
        "listRooms",
        "List the rooms of the office.",
        Endpoints.list_rooms,
        {200: RoomList},
        problems=(422,),
        tags=("rooms",),
    ),
    Operation(
        "GET",
        "/v1/availability",
        "searchRooms",
        "Find free rooms for a wish, or what comes near.",
        Endpoints.search_rooms,
        {200: RoomsFound},
        query=RoomWish,
        problems=(422, 503),
        tags=("rooms",),
    ),
    Operation(
        "GET",
        "/v1/bookings",
        "listBookings",
        "List one's own bookings that are not over.",
        Endpoints.list_bookings,
        {200: OwnBookings},
        problems=(422, 503),
    ),
    Operation(
        "POST",
        "/v1/bookings",
        "bookRoom",
        "Book a room in two steps: without a token it is read back (202) and nothing is written; the same request "
        "with the token, after the user's yes, books (201).",
        Endpoints.book_room,
        {201: WriteResult, 202: WriteResult},
        body=BookingIn,
        problems=(*_BODY, *_WRITE),
        key="required",
        confirms=True,
    ),
    Operation(
        "GET",
        "/v1/bookings/{booking_id}",
        "getBooking",
        "Show one of one's own bookings.",
        Endpoints.get_booking,
        {200: BookedRoom},
        problems=(404, 422, 503),
    ),
    Operation(
        "PATCH",
        "/v1/bookings/{booking_id}",
        "moveBooking",
        "Move a booking in two steps, as for booking; what is not given stays as it is.",
        Endpoints.move_booking,
        {200: WriteResult, 202: WriteResult},
        body=MoveIn,
        problems=(404, *_BODY, *_WRITE),
        key="required",
        confirms=True,
    ),
    Operation(
        "DELETE",
        "/v1/bookings/{booking_id}",
        "cancelBooking",
        "Cancel a booking in two steps, as for booking; the token goes into the Confirm-Token header.",
        Endpoints.cancel_booking,
        {200: WriteResult, 202: WriteResult},
        problems=(404, 422, *_WRITE),
        key="optional",
        confirms=True,
    ),
    Operation(
        "GET",
        "/healthz",
        "health",
        "A sign of life.",
        Endpoints.health,
        {200: Health},
        problems=(503,),
        open=True,
        tags=("server",),
    ),
    Operation(
        "GET",
        "/metrics",
        "metrics",
        "Counters in Prometheus' text format.",
        Endpoints.metrics,
        {200: None},
        open=True,
        media_type="text/plain",
        tags=("server",),
    ),
)
