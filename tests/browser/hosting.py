"""A chat server in a thread of its own, beside a browser that is driven synchronously."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from booking_bot.app import BookingBot
from booking_bot.channels.websocket import ChatServer
from booking_bot.ports import Model, Weather
from booking_bot.wire import count_events

NOW = "2026-11-30T09:00:00+08:00"
T = TypeVar("T")


class Hosted:
    """A running server; a context manager.

    Attributes:
        url: where its page is.
    """

    def __init__(
        self,
        *,
        site: str | Path = "demo",
        secret: str | None = None,
        weather: Weather | None = None,
        model: Model | None = None,
    ) -> None:
        self._site = site
        self._weather = weather
        self._model = model
        self._secret = secret
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.bot: BookingBot
        self.server: ChatServer
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something on the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=20)

    def call(self, function: Callable[[], object]) -> None:
        """Call something on the server's loop."""
        self._loop.call_soon_threadsafe(function)

    def start_server(self) -> None:
        """Listen, on the same port as before."""
        server = ChatServer(self.bot, secret=self._secret)
        self.server = self.run(server.start("127.0.0.1", self.port))
        self.port = self.server.port

    def stop_server(self) -> None:
        self.run(self.server.stop())

    def __enter__(self) -> Self:
        self._thread.start()
        opening = BookingBot.open(
            site=self._site,
            db="sqlite://",
            now=NOW,
            weather=self._weather,
            model=self._model,
            planner=None if self._model is None else "llm",
            count_events=count_events,
        )
        self.bot = self.run(opening)
        self.start_server()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop_server()
        self.run(self.bot.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()
