"""The chat server's life: listen, look after the connections, and stop without losing a turn."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as listen
from websockets.http11 import Request, Response

from booking_bot.app import BookingBot
from booking_bot.channels.garbage import collect_seldom
from booking_bot.channels.names import Names, is_loopback
from booking_bot.channels.websocket.http import Pages
from booking_bot.channels.websocket.limits import Limits
from booking_bot.channels.websocket.line import Closing
from booking_bot.channels.websocket.office import Office
from booking_bot.channels.websocket.peer import Peer
from booking_bot.channels.websocket.reception import Reception
from booking_bot.errors import ConfigurationError
from booking_bot.wire import count_events

log = logging.getLogger(__name__)

SWEEP_S: Final = 5.0
"""How often the connections are looked over for time-outs."""
BACKLOG: Final = 1024
"""Connections the system keeps waiting while the server is busy."""


class ChatServer:
    """The page and its socket over one bot. Start it with `start`; an asynchronous context manager once started.

    The bot stays the caller's: it must have been opened with `count_events` of `booking_bot.wire`, and is not closed.

    Args:
        secret: signs the users' tokens; None lets everybody in as guest, on a loopback host only.
        origins: origins allowed besides the server's own.
        hosts: names the server goes by; when empty any, or those of this machine when there is no secret.
    """

    def __init__(
        self,
        bot: BookingBot,
        *,
        secret: str | None = None,
        origins: Sequence[str] = (),
        hosts: Sequence[str] = (),
        limits: Limits | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._hosts = tuple(hosts)
        self.reception = Reception(bot.engine, self._limits, secret)
        self._pages = Pages(self.reception, Office(bot.engine, bot.settings.site), tuple(origins), self._names(secret))
        self._peers: dict[Peer, asyncio.Task[None]] = {}
        self._server: Server | None = None
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> Self:
        """Listen; port 0 takes a free one.

        Raises:
            ConfigurationError: the host is open to others and no secret is set, or the address cannot be had.
        """
        if self.reception.secret is None and not is_loopback(host):
            raise ConfigurationError(
                f"--host {host}: others can reach it, so BOOKING_BOT_TOKEN_SECRET must be set (or use 127.0.0.1)"
            )
        self._pages.names = self._names(self.reception.secret, host)
        try:
            self._server = await listen(
                self._handle,
                host,
                port,
                process_request=self._process_request,
                compression=None,
                server_header=None,
                max_size=self._limits.hard_bytes,
                ping_interval=self._limits.ping_s,
                ping_timeout=self._limits.ping_s,
                close_timeout=self._limits.closing_s,
                backlog=BACKLOG,
            )
        except OSError as error:
            raise ConfigurationError(f"--host {host} --port {port}: {error.strerror or error}") from error
        self._sweeper = asyncio.create_task(self._sweep())
        return self

    def _names(self, secret: str | None, bound: str | None = None) -> Names:
        return Names(self._hosts, open_to_all=secret is None, bound=bound)

    @property
    def port(self) -> int:
        """The port listened on."""
        return int(self._listening.sockets[0].getsockname()[1])

    @property
    def _listening(self) -> Server:
        if self._server is None:
            raise RuntimeError("the server has not been started")
        return self._server

    async def stop(self) -> None:
        """Finish the turns under way, then close every connection with 1012. May be called twice."""
        if self.reception.closing or self._server is None:
            return
        self.reception.closing = True
        await self.reception.silence()
        if self._sweeper is not None:
            self._sweeper.cancel()
        for peer in self._peers:
            peer.line.drop(Closing.RESTART, "the server is restarting")
        await self.reception.settled()
        for task in tuple(self._peers.values()):
            task.cancel()  # who still waits for a turn: the turn itself goes on, the bot finishes it
        self._server.close()
        await self._server.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _process_request(self, _connection: ServerConnection, request: Request) -> Response | None:
        return await self._pages.answer(request)

    async def _handle(self, ws: ServerConnection) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  # a handler runs in a task
        peer = Peer(self.reception, ws, asyncio.get_running_loop().time())
        self._peers[peer] = task
        self.reception.connections += 1
        try:
            await peer.converse()
        finally:
            self.reception.connections -= 1
            del self._peers[peer]

    async def _sweep(self) -> None:
        loop, limits = asyncio.get_running_loop(), self._limits
        while True:
            await asyncio.sleep(min(SWEEP_S, limits.hello_s / 2, limits.idle_s / 2))
            now, now_s = loop.time(), time.time()
            for peer in tuple(self._peers):
                silent_s = now - peer.heard_at
                if peer.line.unsent_bytes > limits.send_buffer_bytes:
                    peer.line.drop(Closing.SLOW, "slow reader")
                elif not peer.greeted and now - peer.opened_at > limits.hello_s:
                    peer.line.drop(Closing.NO_HELLO, "no hello in time")
                elif silent_s > limits.idle_s:
                    peer.line.drop(Closing.IDLE, "nothing said for a long time")
                elif peer.expires_s is not None and peer.expires_s < now_s:
                    peer.line.drop(Closing.TOKEN_RAN_OUT, "the token has run out")


async def serve(
    host: str = "127.0.0.1",
    port: int = 8765,
    *,
    site: str | Path | None = None,
    db: str | None = None,
    origins: Sequence[str] = (),
    limits: Limits | None = None,
    ready: Callable[[str], None] | None = None,
    **settings: Any,
) -> None:
    """Serve the chat page and its socket until cancelled, then finish what was begun.

    Args:
        origins: origins allowed besides the server's own.
        ready: called with the page's address once it can be opened.
        settings: anything else that `BookingBot.open` takes. The secret comes from `BOOKING_BOT_TOKEN_SECRET`.

    Raises:
        ConfigurationError: a setting, the address or the database will not do.
    """
    async with await BookingBot.open(site=site, db=db, count_events=count_events, **settings) as bot:
        token_secret = bot.settings.token_secret
        secret = token_secret.get_secret_value() if token_secret else None
        allowed = (*origins, *bot.settings.allowed_origins)
        hosts = bot.settings.allowed_hosts
        chat = ChatServer(bot, secret=secret or None, origins=allowed, hosts=hosts, limits=limits)
        async with await chat.start(host, port) as server:
            collect_seldom()
            if ready is not None:
                shown = f"[{host}]" if ":" in host else host
                ready(f"http://{shown}:{server.port}/")
            await asyncio.Future()
