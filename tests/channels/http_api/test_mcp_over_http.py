"""MCP over streamable HTTP on the real server, by the SDK's client, in both protocol eras."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from booking_bot import BookingBot
from tests.channels.http_api.conftest import NOW, SECRET, bearer, rows, served
from tests.channels.mcp.conftest import ERAS, ORDER, Person, call


@asynccontextmanager
async def speaking(
    address: str, era: str, headers: dict[str, str] | None = None, person: Person | None = None
) -> AsyncIterator[Client]:
    """Connect as who the headers say."""
    async with httpx2.AsyncClient(headers=headers or {}) as http:
        transport = streamable_http_client(f"{address}/mcp", http_client=http)
        async with Client(transport, mode=era, elicitation_callback=person) as client:
            yield client


@pytest.mark.parametrize("era", ERAS)
async def test_an_open_server_books_for_the_guest(db: str, era: str) -> None:
    person = Person()
    async with served(db) as address:
        async with speaking(address, era) as client:
            asked = await call(client, "book_room", ORDER)
            assert asked["status"] == "confirmation_required"
        async with speaking(address, era, person=person) as client:
            done = await call(client, "book_room", ORDER)
    assert done["status"] == "booked" and len(person.asked) == 1
    async with await BookingBot.open(site="demo", db=db, now=NOW) as bot:
        assert [row.organizer for row in await rows(bot)] == ["guest"]


@pytest.mark.parametrize("era", ERAS)
async def test_the_user_is_the_tokens(db: str, era: str) -> None:
    async with served(db, token_secret=SECRET) as address:
        async with speaking(address, era, bearer("alice"), Person()) as client:
            done = await call(client, "book_room", ORDER)
            assert done["booking"]["organizer"] == "alice"
            reply = await call(client, "talk", {"message": "我的预订", "session_id": "s"})
            assert "R1001" in reply["text"]
        async with speaking(address, era, bearer("bob"), Person()) as client:
            assert await call(client, "my_bookings") == {"bookings": []}
            theirs = await client.call_tool("cancel_booking", {"booking_id": done["booking"]["id"]})
            assert theirs.is_error and "not_found" in str(theirs.content)


async def test_a_token_of_one_user_is_worth_nothing_to_another(db: str) -> None:
    async with served(db, token_secret=SECRET) as address:
        async with speaking(address, "legacy", bearer("alice")) as client:
            token = (await call(client, "book_room", ORDER))["confirm_token"]
        async with speaking(address, "legacy", bearer("bob")) as client:
            stolen = await client.call_tool("book_room", ORDER | {"confirm_token": token})
            assert stolen.is_error and "confirmation_invalid" in str(stolen.content)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
    ],
    ids=["host", "origin"],
)
async def test_foreign_hosts_and_origins_are_turned_away(db: str, headers: dict[str, str], status: int) -> None:
    asking = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream"}
    async with served(db) as address, httpx2.AsyncClient() as client:
        answer = await client.post(f"{address}/mcp", json=asking, headers=accepts | headers)
    assert answer.status_code == status


async def test_texts_are_in_the_clients_language(db: str) -> None:
    async with served(db) as address, speaking(address, "legacy", {"Accept-Language": "zh-CN,en;q=0.5"}) as client:
        assert (await call(client, "book_room", ORDER))["read_back"].startswith("请确认")
