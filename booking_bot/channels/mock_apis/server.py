"""Puts the mock APIs together: routes, faults, and the loop on which requests are carried out."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Final, Self

from pydantic import BaseModel, ValidationError

from booking_bot.adapters.http import wire
from booking_bot.adapters.weather_file import WeatherBook
from booking_bot.channels.mock_apis.exchange import Request, RequestError, Response, body_as, json_response, problem
from booking_bot.channels.mock_apis.faults import Fault, FaultPlan, Operation, Plan
from booking_bot.channels.mock_apis.handler import Server
from booking_bot.channels.mock_apis.rooms_api import RoomsApi
from booking_bot.channels.mock_apis.weather_api import WeatherApi
from booking_bot.dialogue.model import Booking, RoomRequest
from booking_bot.dialogue.site import Site
from booking_bot.errors import ConfigurationError
from booking_bot.ports import Clock, RoomService

FAULT_HEADER: Final = "x-fault"
"""A fault for this one request: a kind, or a fault as JSON. Heeded from this machine only."""
CARRY_OUT_S: Final = 60.0
"""A request that the room service has not carried out by then is answered with 500."""
POLL_S: Final = 0.02
"""How often the listening thread looks whether it is to stop."""
_SCHEMAS: Final[tuple[type[BaseModel], ...]] = (
    wire.RoomList,
    RoomRequest,
    wire.OrderBody,
    wire.ChangeBody,
    Booking,
    wire.BookingList,
    wire.Problem,
    Plan,
)

_log = logging.getLogger(__name__)
_Handler = Callable[[Request, str], Awaitable[Response]]


class MockApis:
    """The mock rooms API and the mock weather API on one port. An asynchronous context manager once started.

    Args:
        site: whose rooms are listed.
        rooms: carries out what the rooms API is asked; awaited on the loop that called `start`.
        weather: the places of the weather API.
        clock: gives the current instant to the weather API.
        plan: what goes wrong from the beginning; more can be posted to ``/faults``.
    """

    def __init__(
        self, site: Site, *, rooms: RoomService, weather: WeatherBook, clock: Clock, plan: Plan | None = None
    ) -> None:
        self.faults = FaultPlan(plan)
        self._routes: dict[tuple[str, str], tuple[Operation, _Handler]] = {
            (method, path): (operation, handler)
            for method, path, operation, handler in (*RoomsApi(site, rooms).routes, *WeatherApi(weather, clock).routes)
        }
        self._own: dict[tuple[str, str], _Handler] = {
            ("GET", "/faults"): self._show_faults,
            ("POST", "/faults"): self._plan_faults,
            ("DELETE", "/faults"): self._clear_faults,
            ("GET", "/schemas"): self._show_schemas,
        }
        self._server: Server | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> Self:
        """Listen; port 0 takes a free one.

        Raises:
            ConfigurationError: the address cannot be listened on.
        """
        self._loop = asyncio.get_running_loop()
        try:
            self._server = Server(host, port, self._judge)
        except (OSError, OverflowError) as error:
            raise ConfigurationError(f"mock-apis: cannot listen on {host}:{port}: {error}") from error
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": POLL_S}, name="mock-apis"
        )
        self._thread.start()
        return self

    @property
    def url(self) -> str:
        """The base address, once started."""
        if self._server is None:
            raise RuntimeError("not started")
        host, port = self._server.server_address[:2]
        return f"http://[{host!s}]:{port}" if ":" in str(host) else f"http://{host!s}:{port}"

    async def close(self) -> None:
        """Stop, cut all connections and wait for their threads; closing twice does nothing."""
        server, thread = self._server, self._thread
        if server is None or thread is None:
            return
        self._server = self._thread = None
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(thread.join)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _judge(self, request: Request, local: bool) -> tuple[Callable[[], Response], Fault | None]:
        """Find what carries a request out, and the fault that strikes it. Called in the connection's thread."""
        template, part = _split(request.path)
        if (own := self._own.get((request.method, template))) is not None:
            if not local:
                return partial(problem, 403, "bad_request", "only from this machine"), None
            return partial(self._carry_out, own, request, part), None
        route = self._routes.get((request.method, template))
        if route is None:
            return partial(self._no_route, template), None
        operation, handler = route
        planned = self.faults.take(operation)
        value = request.headers.get(FAULT_HEADER, "") if local else ""
        try:
            fault = _fault_of(value) if value else planned
        except ValidationError:
            return partial(problem, 400, "bad_request", "X-Fault: not a fault"), None
        return partial(self._carry_out, handler, request, part), fault

    def _carry_out(self, handler: _Handler, request: Request, part: str) -> Response:
        """Run a handler on the loop and wait for it. Called in the connection's thread."""
        loop = self._loop
        if loop is None or loop.is_closed():
            return problem(503, "unavailable", "closing")
        future: Future[Response] = asyncio.run_coroutine_threadsafe(_answered(handler, request, part), loop)
        try:
            return future.result(CARRY_OUT_S)
        except (TimeoutError, CancelledError):
            future.cancel()
            return problem(500, "unavailable", "not carried out in time")

    def _no_route(self, template: str) -> Response:
        legal = sorted(method for method, path in (*self._routes, *self._own) if path == template)
        if legal:
            return problem(405, "bad_request", "method not allowed", Allow=", ".join(legal))
        return problem(404, "bad_request", "no such path")

    async def _show_faults(self, _request: Request, _part: str) -> Response:
        return json_response(self.faults.report())

    async def _plan_faults(self, request: Request, _part: str) -> Response:
        self.faults.replace(body_as(Plan, request))
        return json_response(self.faults.report(), 201)

    async def _clear_faults(self, _request: Request, _part: str) -> Response:
        self.faults.replace(Plan())
        return json_response(self.faults.report())

    async def _show_schemas(self, _request: Request, _part: str) -> Response:
        schemas: dict[str, object] = {model.__name__: model.model_json_schema() for model in _SCHEMAS}
        return json_response(
            schemas | {"Availability": wire.AVAILABILITY.json_schema(), "Written": wire.WRITTEN.json_schema()}
        )


async def serve_mock_apis(
    host: str,
    port: int,
    site: Site,
    *,
    rooms: RoomService,
    weather: WeatherBook,
    clock: Clock,
    plan: Plan | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the mock APIs until cancelled.

    Args:
        host: address to listen on.
        port: port to listen on, 0 for a free one.
        rooms, weather, clock, plan: as for `MockApis`.
        ready: told the base address once requests are answered.

    Raises:
        ConfigurationError: the address cannot be listened on.
    """
    async with await MockApis(site, rooms=rooms, weather=weather, clock=clock, plan=plan).start(host, port) as apis:
        if ready is not None:
            ready(apis.url)
        await asyncio.get_running_loop().create_future()


async def _answered(handler: _Handler, request: Request, part: str) -> Response:
    try:
        return await handler(request, part)
    except RequestError as error:
        return error.response
    except Exception:
        _log.exception("%s %s", request.method, request.path)
        return problem(500, "unavailable", "the service failed")


def _split(path: str) -> tuple[str, str]:
    """Give a path with its last segment as ``{}`` where the routes have one, and that segment decoded."""
    collection, _, part = path.rpartition("/")
    if collection in ("/bookings", "/writes") and part:
        return f"{collection}/{{}}", wire.decoded(part)
    return path, ""


def _fault_of(value: str) -> Fault:
    return Fault.model_validate_json(value) if value.startswith("{") else Fault.model_validate({"kind": value})
