"""A small client over a real socket, as somebody else would write one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect

from booking_bot.app import BookingBot
from booking_bot.channels.websocket import ChatServer, Limits
from booking_bot.wire import count_events

NOW = "2026-11-30T09:00:00+08:00"
SECRET = "a secret of at least thirty-two bytes"  # noqa: S105  # a test's
FINISHED = ("RUN_FINISHED", "RUN_ERROR")
Event = dict[str, Any]


class Talk:
    """One connection of a user."""

    def __init__(self, ws: ClientConnection) -> None:
        self.ws = ws
        self.session_id = ""
        self.last_seq = 0
        self._ids = 0

    async def send(self, **frame: Any) -> None:
        await self.ws.send(json.dumps(frame, ensure_ascii=False))

    async def event(self, timeout_s: float = 5.0) -> Event:
        async with asyncio.timeout(timeout_s):
            event: Event = json.loads(await self.ws.recv())
        self.last_seq = max(self.last_seq, event["seq"])
        return event

    async def until(self, *types: str, names: tuple[str, ...] = ()) -> list[Event]:
        """Collect events up to the first of a type, or a CUSTOM one of a name."""
        out = [await self.event()]
        while out[-1]["type"] not in types and not (out[-1]["type"] == "CUSTOM" and out[-1]["name"] in names):
            out.append(await self.event())
        return out

    async def hello(self, session_id: str | None = None, last_seq: int = 0, **more: Any) -> list[Event]:
        """Say hello and collect what answers it."""
        await self.send(type="hello", session_id=session_id, last_seq=last_seq, **more)
        await self.send(type="ping")
        events = (await self.until(names=("pong",)))[:-1]
        if events[0]["type"] == "CUSTOM":
            self.session_id = events[0]["value"]["session_id"]
        return events

    async def say(self, text: str, message_id: str | None = None) -> list[Event]:
        """Say something and collect the events up to the end of the run."""
        self._ids += 1
        await self.send(type="message", id=message_id or f"m{self._ids}-{secrets.token_hex(4)}", text=text)
        return await self.until(*FINISHED)

    async def quiet(self, wait_s: float = 0.15) -> list[Event]:
        """Collect what still comes without being asked for."""
        out: list[Event] = []
        with contextlib.suppress(TimeoutError):
            while True:
                out.append(await self.event(wait_s))
        return out


def text_of(events: list[Event]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def snapshot_of(events: list[Event]) -> dict[str, Any]:
    snapshot: dict[str, Any] = next(e["snapshot"] for e in reversed(events) if e["type"] == "STATE_SNAPSHOT")
    return snapshot


def interrupt_of(events: list[Event]) -> dict[str, Any]:
    interrupt: dict[str, Any] = events[-1]["outcome"]["interrupts"][0]
    return interrupt


class House:
    """A server with its bot, and the connections made to it."""

    def __init__(self, db: str) -> None:
        self.db = db
        self.listen = "127.0.0.1"
        self.stack = contextlib.AsyncExitStack()

    async def open(
        self,
        *,
        secret: str | None = None,
        limits: Limits | None = None,
        hosts: tuple[str, ...] = (),
        listen: str = "127.0.0.1",
        **bot: Any,
    ) -> Self:
        self.listen = listen
        given: dict[str, Any] = {"site": "demo", "db": self.db, "now": NOW, "count_events": count_events} | bot
        self.bot = await self.stack.enter_async_context(await BookingBot.open(**given))
        self.server = await self.stack.enter_async_context(
            await ChatServer(self.bot, secret=secret, hosts=hosts, limits=limits).start(listen, 0)
        )
        return self

    @property
    def address(self) -> str:
        return f"{self.listen}:{self.server.port}"

    @contextlib.asynccontextmanager
    async def connected(self, **options: Any) -> AsyncIterator[Talk]:
        async with connect(f"ws://{self.address}/ws", proxy=None, **options) as ws:
            yield Talk(ws)

    @contextlib.asynccontextmanager
    async def talk(self, session_id: str | None = None, last_seq: int = 0, **hello: Any) -> AsyncIterator[Talk]:
        async with self.connected() as talk:
            await talk.hello(session_id, last_seq, **hello)
            yield talk

    async def close(self) -> None:
        await self.stack.aclose()
