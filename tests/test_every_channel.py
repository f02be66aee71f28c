"""One wish through every channel: the same four turns, a cancellation, and a race leave the same rows behind."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import httpx2
import pytest
from mcp import Client
from websockets.asyncio.client import connect

from booking_bot import BookingBot
from booking_bot.channels import http_api, websocket
from booking_bot.channels.mcp import build_server
from booking_bot.tokens import make_token

NOW = "2026-11-30T09:00:00+08:00"
SECRET = "a secret of at least thirty-two bytes"  # noqa: S105  # a test's
TURNS = ("明天下午2点，8个人的会议室", "1小时", "选1")
YES = "确认"
CANCEL = ("取消我的预订", "确认取消")
WISH: dict[str, Any] = {"date": "2026-12-01", "start_time": "14:00", "duration_minutes": 60, "capacity": 8}
ORDER: dict[str, Any] = WISH | {"room_id": "R1001"}


class User(Protocol):
    """Somebody at the other end of a channel."""

    async def reach_read_back(self) -> None:
        """Say the wish, the length and the room: three of the four turns."""

    async def confirm(self) -> bool:
        """Say yes; tell whether that booked."""

    async def cancel(self) -> None:
        """Cancel the one booking."""


Users = Callable[[str], AbstractAsyncContextManager[User]]
Channel = Callable[[str], AbstractAsyncContextManager[Users]]


class Talker:
    """A user who speaks; how the words get there is the channel's business."""

    def __init__(self, say: Callable[[str], Any]) -> None:
        self._say = say

    async def reach_read_back(self) -> None:
        for text in TURNS:
            answer = await self._say(text)
        assert "R1001" in answer and "请确认" in answer

    async def confirm(self) -> bool:
        answer = await self._say(YES)
        assert ("预定成功" in answer) != ("1." in answer), answer
        return "预定成功" in answer

    async def cancel(self) -> None:
        for text in CANCEL:
            await self._say(text)


# --- Python ------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def python(db: str) -> AsyncIterator[Users]:
    async with await BookingBot.open(site="demo", db=db, now=NOW) as bot:

        @asynccontextmanager
        async def user(name: str) -> AsyncIterator[User]:
            async def say(text: str) -> str:
                return (await bot.handle("s", text, user_id=name)).text

            yield Talker(say)

        yield user


# --- the command line ----------------------------------------------------------------------------------------------


class Piped:
    """A user at the other end of a pipe: reads on until the answer is what it must be."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self._lines: list[str] = []

    async def reach_read_back(self) -> None:
        await self._say(*TURNS)
        await self._read("请确认预定")

    async def confirm(self) -> bool:
        await self._say(YES)
        return "预定成功" in await self._read("预定成功", "请选择一间")

    async def cancel(self) -> None:
        await self._say(*CANCEL)
        await self._read("已取消")

    async def _say(self, *lines: str) -> None:
        self._in.write("".join(f"{line}\n" for line in lines).encode())
        await self._in.drain()

    async def _read(self, *marks: str) -> str:
        async with asyncio.timeout(30):
            while True:
                line = (await self._out.readline()).decode()
                assert line, f"the program ended: {self._lines}"
                self._lines.append(line)
                if any(mark in line for mark in marks):
                    return line


@asynccontextmanager
async def cli(db: str) -> AsyncIterator[Users]:
    @asynccontextmanager
    async def user(name: str) -> AsyncIterator[User]:
        command = ("-m", "booking_bot", "chat", "--site", "demo", "--db", db, "--user", name, "--now", NOW)
        pipe, same = asyncio.subprocess.PIPE, asyncio.subprocess.STDOUT
        process = await asyncio.create_subprocess_exec(sys.executable, *command, stdin=pipe, stdout=pipe, stderr=same)
        yield Piped(process)
        assert process.stdin is not None
        process.stdin.close()
        assert await process.wait() == 0

    yield user


# --- WebSocket -----------------------------------------------------------------------------------------------------


@asynccontextmanager
async def served(serve: Callable[..., Any], db: str) -> AsyncIterator[str]:
    """Run a server on a free port and give its address, without a slash at its end."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.ensure_future(
        serve("127.0.0.1", 0, site="demo", db=db, now=NOW, token_secret=SECRET, ready=ready.set_result)
    )
    await asyncio.wait((ready, serving), return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        await serving
    yield ready.result().rstrip("/")
    serving.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await serving


@asynccontextmanager
async def socket(db: str) -> AsyncIterator[Users]:
    async with served(websocket.serve, db) as address:

        @asynccontextmanager
        async def user(name: str) -> AsyncIterator[User]:
            async with connect(f"ws://{address.removeprefix('http://')}/ws", proxy=None) as ws:

                async def until(last: Callable[[dict[str, Any]], bool], **frame: Any) -> list[dict[str, Any]]:
                    await ws.send(json.dumps(frame))
                    events = [json.loads(await ws.recv())]
                    while not last(events[-1]):
                        events.append(json.loads(await ws.recv()))
                    return events

                async def say(text: str) -> str:
                    events = await until(lambda event: event["type"] == "RUN_FINISHED", type="message", text=text)
                    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")

                token = make_token(name, SECRET)
                await until(lambda event: event.get("name") == "session", type="hello", token=token)
                yield Talker(say)

        yield user


# --- MCP -----------------------------------------------------------------------------------------------------------


async def call(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error and result.structured_content is not None, result.content
    return result.structured_content


@asynccontextmanager
async def mcp_talk(db: str) -> AsyncIterator[Users]:
    async with await BookingBot.open(site="demo", db=db, now=NOW) as bot:

        @asynccontextmanager
        async def user(name: str) -> AsyncIterator[User]:
            async with Client(build_server(bot, user=name), mode="legacy") as client:

                async def say(text: str) -> str:
                    return str((await call(client, "talk", {"message": text, "session_id": "s"}))["text"])

                yield Talker(say)

        yield user


class Assistant:
    """A program that calls the tools for its user."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._order = ORDER | {"idempotency_key": "one wish"}
        self._token = ""

    async def reach_read_back(self) -> None:
        found = await call(self._client, "search_rooms", WISH)
        assert found["rooms"][0]["room_id"] == "R1001"
        asked = await call(self._client, "book_room", self._order)
        assert asked["status"] == "confirmation_required" and "R1001" in asked["read_back"]
        self._token = asked["confirm_token"]

    async def confirm(self) -> bool:
        done = await call(self._client, "book_room", self._order | {"confirm_token": self._token})
        assert done["status"] == "booked" or (done["status"] == "taken" and done["rooms"])
        return bool(done["status"] == "booked")

    async def cancel(self) -> None:
        (booking,) = (await call(self._client, "my_bookings", {}))["bookings"]
        asked = await call(self._client, "cancel_booking", {"booking_id": booking["id"]})
        confirmed = {"booking_id": booking["id"], "confirm_token": asked["confirm_token"]}
        assert (await call(self._client, "cancel_booking", confirmed))["status"] == "cancelled"


@asynccontextmanager
async def mcp_tools(db: str) -> AsyncIterator[Users]:
    async with await BookingBot.open(site="demo", db=db, now=NOW) as bot:

        @asynccontextmanager
        async def user(name: str) -> AsyncIterator[User]:
            async with Client(build_server(bot, user=name)) as client:
                yield Assistant(client)

        yield user


# --- HTTP ----------------------------------------------------------------------------------------------------------


def http_client(address: str, name: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=address, headers={"Authorization": f"Bearer {make_token(name, SECRET)}"})


@asynccontextmanager
async def http_messages(db: str) -> AsyncIterator[Users]:
    async with served(http_api.serve, db) as address:

        @asynccontextmanager
        async def user(name: str) -> AsyncIterator[User]:
            async with http_client(address, name) as client:

                async def say(text: str) -> str:
                    answer = await client.post("/v1/messages", json={"session_id": "s", "text": text})
                    return str(answer.raise_for_status().json()["text"])

                yield Talker(say)

        yield user


@asynccontextmanager
async def agui(db: str) -> AsyncIterator[Users]:
    async with served(http_api.serve, db) as address:

        @asynccontextmanager
        async def user(name: str) -> AsyncIterator[User]:
            async with http_client(address, name) as client:
                runs = itertools.count()

                async def say(text: str) -> str:
                    run_id = f"run-{next(runs)}"
                    message = {"id": run_id, "role": "user", "content": text}
                    given = {"threadId": "s", "runId": run_id, "messages": [message]}
                    answer = (await client.post("/agui", json=given)).raise_for_status()
                    events = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
                    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")

                yield Talker(say)

        yield user


class Form:
    """A program that posts bookings."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self._client = client
        self._headers = {"Idempotency-Key": "one-wish"}
        self._token = ""

    async def reach_read_back(self) -> None:
        found = await self._client.get("/v1/availability", params=WISH)
        assert found.json()["rooms"][0]["room_id"] == "R1001"
        asked = await self._client.post("/v1/bookings", json=ORDER, headers=self._headers)
        assert asked.status_code == 202
        self._token = asked.json()["confirm_token"]

    async def confirm(self) -> bool:
        body = ORDER | {"confirm_token": self._token}
        done = await self._client.post("/v1/bookings", json=body, headers=self._headers)
        assert done.status_code == 201 or (done.status_code == 409 and done.json()["rooms"])
        return done.status_code == 201

    async def cancel(self) -> None:
        (booking,) = (await self._client.get("/v1/bookings")).json()["bookings"]
        asked = await self._client.delete(f"/v1/bookings/{booking['id']}")
        token = {"Confirm-Token": asked.json()["confirm_token"]}
        assert (await self._client.delete(f"/v1/bookings/{booking['id']}", headers=token)).status_code == 200


@asynccontextmanager
async def http_bookings(db: str) -> AsyncIterator[Users]:
    async with served(http_api.serve, db) as address:

        @asynccontextmanager
        async def user(name: str) -> AsyncIterator[User]:
            async with http_client(address, name) as client:
                yield Form(client)

        yield user


# --- the test ------------------------------------------------------------------------------------------------------

CHANNELS: tuple[Channel, ...] = (python, cli, socket, mcp_talk, mcp_tools, http_messages, agui, http_bookings)


async def rows_of(db: str) -> list[tuple[object, ...]]:
    """Give every booking as it stands in the database."""
    async with await BookingBot.open(site="demo", db=db, now=NOW) as bot:
        store = bot.engine.store
        rows = await store.read(lambda reader: store.ledger.all_bookings(reader, everything=True))
        assert await store.findings() == ()
    return [
        (r.room_id, r.date.isoformat(), f"{r.start_time:%H:%M}", r.minutes, r.people, r.organizer, r.status)
        for r in rows
    ]


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.__name__)
async def test_the_same_talk_leaves_the_same_rows(channel: Channel, tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path / 'bookings.db'}"
    row = ("R1001", "2026-12-01", "14:00", 60, 8, "alice")
    async with channel(db) as users:
        async with users("alice") as alice:
            await alice.reach_read_back()
            assert await rows_of(db) == []
            assert await alice.confirm()
            assert await rows_of(db) == [(*row, "booked")]
            await alice.cancel()
        assert await rows_of(db) == [(*row, "cancelled")]

        async with users("bob") as bob, users("carol") as carol:
            await asyncio.gather(bob.reach_read_back(), carol.reach_read_back())
            booked = await asyncio.gather(bob.confirm(), carol.confirm())
    assert sorted(booked) == [False, True]
    winner = "bob" if booked[0] else "carol"
    assert sorted(await rows_of(db)) == sorted([(*row, "cancelled"), (*row[:-1], winner, "booked")])
