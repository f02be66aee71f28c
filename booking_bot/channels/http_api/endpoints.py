"""What each operation does: read the request, ask the service, answer. No rule of the house stands here."""

from __future__ import annotations

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from booking_bot.adapters.sql import StoreError
from booking_bot.app import BookingBot
from booking_bot.channels.http_api.metrics import CONTENT_TYPE, Metrics
from booking_bot.channels.http_api.problems import ProblemRaised, taken
from booking_bot.channels.http_api.requests import body_of, optional_key, query_of, required_key, token_of
from booking_bot.channels.http_api.security import CHANNEL, Access
from booking_bot.channels.http_api.values import BookingIn, Health, MessageIn, MoveIn, RoomList
from booking_bot.dialogue.model import Frozen
from booking_bot.service import BookingService, RoomWish, WriteResult


class Nothing(Frozen):
    """A query without parameters."""


class Endpoints:
    """The operations of one server."""

    def __init__(self, bot: BookingBot, service: BookingService, access: Access, metrics: Metrics) -> None:
        self.bot = bot
        self.service = service
        self.access = access
        self.counters = metrics

    # --- conversation ----------------------------------------------------------------------------------------------

    async def send_message(self, request: Request) -> Response:
        """Say one message."""
        caller = self.access.caller(request)
        query_of(request, Nothing)
        key = optional_key(request)
        said = await body_of(request, MessageIn)
        answered = await self.bot.answer(
            said.session_id, said.text, user_id=caller.user_id, message_id=key, channel=CHANNEL
        )
        return as_json(answered.reply)

    # --- rooms -----------------------------------------------------------------------------------------------------

    async def list_rooms(self, request: Request) -> Response:
        """List the rooms."""
        self.access.caller(request)
        query_of(request, Nothing)
        return as_json(RoomList(rooms=self.service.site.rooms))

    async def search_rooms(self, request: Request) -> Response:
        """Find free rooms."""
        caller = self.access.caller(request)
        return as_json(await self.service.search_rooms(caller, query_of(request, RoomWish)))

    # --- bookings --------------------------------------------------------------------------------------------------

    async def list_bookings(self, request: Request) -> Response:
        """List one's own."""
        caller = self.access.caller(request)
        query_of(request, Nothing)
        return as_json(await self.service.my_bookings(caller))

    async def get_booking(self, request: Request) -> Response:
        """Show one of one's own."""
        caller = self.access.caller(request)
        query_of(request, Nothing)
        return as_json(await self.service.my_booking(caller, request.path_params["booking_id"]))

    async def book_room(self, request: Request) -> Response:
        """Book in two steps."""
        caller = self.access.caller(request)
        query_of(request, Nothing)
        key = required_key(request)
        body = await body_of(request, BookingIn)
        token = token_of(request, body.confirm_token)
        prepared = await self.service.prepare_booking(caller, body.wish(), key)
        return self._written(await self.service.settle(caller, prepared, token))

    async def move_booking(self, request: Request) -> Response:
        """Move in two steps."""
        caller = self.access.caller(request)
        query_of(request, Nothing)
        key = required_key(request)
        body = await body_of(request, MoveIn)
        token = token_of(request, body.confirm_token)
        prepared = await self.service.prepare_move(caller, request.path_params["booking_id"], body.wish(), key)
        return self._written(await self.service.settle(caller, prepared, token))

    async def cancel_booking(self, request: Request) -> Response:
        """Cancel in two steps."""
        caller = self.access.caller(request)
        query_of(request, Nothing)
        key, token = optional_key(request), token_of(request)
        prepared = await self.service.prepare_cancellation(caller, request.path_params["booking_id"], key)
        return self._written(await self.service.settle(caller, prepared, token))

    def _written(self, result: WriteResult) -> Response:
        self.counters.wrote("replayed" if result.replayed else result.status)
        match result.status:
            case "taken":
                return taken(result)
            case "confirmation_required":
                return as_json(result, 202)
            case "booked" if result.booking is not None:
                return as_json(result, 201, {"Location": f"/v1/bookings/{result.booking.id}"})
            case _:
                return as_json(result)

    # --- the server itself -----------------------------------------------------------------------------------------

    async def health(self, _request: Request) -> Response:
        """Tell that the server and its database are there."""
        try:
            await self.bot.engine.store.load_session("healthz")
        except StoreError:
            raise ProblemRaised(503, "unavailable", "the database does not answer") from None
        return as_json(Health())

    async def metrics(self, _request: Request) -> Response:
        """Give the counters."""
        return Response(self.counters.text(), headers={"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store"})


def as_json(value: BaseModel, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Make a JSON response that nobody keeps."""
    return Response(
        value.model_dump_json(), status, {"Cache-Control": "no-store", **(headers or {})}, "application/json"
    )
