"""`booking-bot api`: the application on a port, under uvicorn, until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette

from booking_bot.app import BookingBot
from booking_bot.channels.garbage import collect_seldom
from booking_bot.channels.http_api.app import create_app
from booking_bot.channels.names import is_loopback
from booking_bot.errors import ConfigurationError
from booking_bot.wire import count_events

BACKLOG: Final = 1024
CONNECTIONS: Final = 2_000
"""Requests at once; more are answered with 503."""
CLOSING_S: Final = 10
"""Seconds for requests under way at shutdown."""


async def serve(
    host: str = "127.0.0.1",
    port: int = 8766,
    *,
    site: str | None = None,
    db: str | None = None,
    ready: Callable[[str], None] | None = None,
    **settings: Any,
) -> None:
    """Serve until cancelled, then finish what was begun.

    Args:
        ready: called with the server's address once it answers.
        settings: anything else that `BookingBot.open` takes. The secret comes from `BOOKING_BOT_TOKEN_SECRET`.

    Raises:
        ConfigurationError: a setting, the address or the database will not do, or the host is open to others and no
            secret is set.
    """
    async with await BookingBot.open(site=site, db=db, count_events=count_events, **settings) as bot:
        held = bot.settings.token_secret
        secret = (held.get_secret_value() if held else None) or None
        if secret is None and not is_loopback(host):
            raise ConfigurationError(
                f"--host {host}: others can reach it, so BOOKING_BOT_TOKEN_SECRET must be set (or use 127.0.0.1)"
            )
        app = create_app(
            bot,
            secret=secret,
            hosts=bot.settings.allowed_hosts,
            origins=bot.settings.allowed_origins,
            bound=host,
        )
        collect_seldom()
        with contextlib.closing(_listening(host, port)) as listener:
            await _run(app, listener, ready, host)


class _Server(uvicorn.Server):
    """A server that leaves the process's signals to who started it.

    Attributes:
        begun: set once it answers.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.begun = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            self.begun.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _run(app: Starlette, listener: socket.socket, ready: Callable[[str], None] | None, host: str) -> None:
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws="none",
        lifespan="on",
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=CLOSING_S,
    )
    server = _Server(config)
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    try:
        begun = asyncio.ensure_future(server.begun.wait())
        await asyncio.wait((begun, serving), return_when=asyncio.FIRST_COMPLETED)
        begun.cancel()
        if ready is not None and server.started:
            shown = f"[{host}]" if ":" in host else host
            ready(f"http://{shown}:{listener.getsockname()[1]}")
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.should_exit = True
        await serving
        raise


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        raise ConfigurationError(f"--host {host} --port {port}: {error.strerror or error}") from error
