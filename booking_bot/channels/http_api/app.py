"""Puts the application together: the operations, AG-UI, MCP, and what stands before them all."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from booking_bot.app import BookingBot
from booking_bot.channels.http_api import agui
from booking_bot.channels.http_api.endpoints import Endpoints
from booking_bot.channels.http_api.metrics import Counting, Metrics
from booking_bot.channels.http_api.openapi import openapi
from booking_bot.channels.http_api.operations import OPERATIONS, Operation
from booking_bot.channels.http_api.problems import on_fault, on_http_error, on_refusal
from booking_bot.channels.http_api.requests import KEY_HEADER, TOKEN_HEADER
from booking_bot.channels.http_api.security import Access, Guard
from booking_bot.channels.mcp import build_server
from booking_bot.channels.names import GUEST
from booking_bot.channels.planner_metrics import PlannerCollector
from booking_bot.service import BookingService, OperationRefused

MCP_BODY_BYTES = 256 * 1024
"""A call of a tool with the longest arguments is a tenth of this."""
_ASKED_WITH = ("Authorization", "Content-Type", "Last-Event-ID", "Mcp-Protocol-Version", "Mcp-Session-Id")
"""Headers a page may send, besides those every page may."""
_OTHER_PATHS = ("/openapi.json", "/agui", "/mcp")


def create_app(
    bot: BookingBot,
    *,
    secret: str | None = None,
    hosts: Sequence[str] = (),
    origins: Sequence[str] = (),
    bound: str | None = None,
) -> Starlette:
    """Make the application over a bot, which stays the caller's and is not closed.

    Open the bot with ``count_events=booking_bot.wire.count_events`` when sockets share its sessions.

    Args:
        secret: signs the users' tokens; None lets everybody in as guest, by names of this machine only.
        hosts: names the server goes by; with a secret any, when empty.
        origins: origins allowed besides the server's own; their pages may call the API (CORS).
        bound: the address listened on, which is a name too.
    """
    access = Access(secret, hosts, origins, bound)
    service = BookingService(bot.engine, secret=secret)
    metrics = Metrics(frozenset((*(operation.path for operation in OPERATIONS), *_OTHER_PATHS)))
    metrics.registry.register(PlannerCollector(bot.engine.planner_counts))
    endpoints = Endpoints(bot, service, access, metrics)
    server = build_server(bot, user=None if secret else GUEST, token_secret=secret, service=service)
    mcp_app = server.streamable_http_app(
        transport_security=access.for_mcp(), max_request_body_size=MCP_BODY_BYTES, streamable_http_path="/mcp"
    )
    described = json.dumps(openapi(secured=secret is not None), ensure_ascii=False)

    async def description(_request: Request) -> Response:
        return Response(described, media_type="application/json")

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with server.session_manager.run():
            yield
        await service.close()

    return Starlette(
        routes=[
            *_routes(endpoints),
            Route("/openapi.json", description, methods=["GET"]),
            Route("/agui", partial(agui.run, endpoints), methods=["POST"]),
            Route("/mcp", mcp_app),
        ],
        middleware=[Middleware(Counting, metrics), Middleware(Guard, access), *_cors(access)],
        exception_handlers={HTTPException: on_http_error, OperationRefused: on_refusal, Exception: on_fault},
        lifespan=lifespan,
    )


def _cors(access: Access) -> list[Middleware]:
    """Let pages of the allowed origins read the answers; cookies are never involved."""
    if not access.foreign_origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=access.foreign_origins,
            allow_methods=("GET", "POST", "PATCH", "DELETE"),
            allow_headers=(*_ASKED_WITH, KEY_HEADER, TOKEN_HEADER),
            expose_headers=("Location", "Mcp-Session-Id", "WWW-Authenticate"),
        )
    ]


def _routes(endpoints: Endpoints) -> list[Route]:
    """Make one route a path: a method it does not have is answered with those it has."""
    by_path: dict[str, list[Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, []).append(operation)
    return [_route(path, operations, endpoints) for path, operations in by_path.items()]


def _route(path: str, operations: list[Operation], endpoints: Endpoints) -> Route:
    handlers: dict[str, Callable[[Request], Awaitable[Response]]] = {
        operation.method: partial(operation.handler, endpoints) for operation in operations
    }

    async def dispatch(request: Request) -> Response:
        return await handlers[request.method](request)

    route = Route(path, dispatch, methods=list(handlers))
    route.methods = set(handlers)  # without the HEAD that Starlette adds: what is not described is not answered
    return route
