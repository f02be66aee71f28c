"""An MCP server over a bot whose clock stands still, and clients of both protocol eras."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from mcp import Client, types
from mcp.server import MCPServer

from booking_bot import BookingBot
from booking_bot.channels.mcp import build_server
from booking_bot.dialogue.model import Booking

NOW = "2026-11-30T09:00:00+08:00"
ERAS = ("legacy", "2026-07-28")
WISH: dict[str, Any] = {"date": "2026-12-01", "start_time": "14:00", "duration_minutes": 60, "capacity": 8}
ORDER: dict[str, Any] = WISH | {"room_id": "R1001", "idempotency_key": "key-1"}


@pytest.fixture
async def bot() -> AsyncIterator[BookingBot]:
    async with await BookingBot.open(site="demo", db="sqlite://", now=NOW) as opened:
        yield opened


@pytest.fixture
def server(bot: BookingBot) -> MCPServer:
    return build_server(bot, user="alice")


class Person:
    """A user who can be asked, with one answer to everything; keeps what was asked."""

    def __init__(self, action: str = "accept", confirm: bool = True) -> None:
        self.asked: list[str] = []
        self._answer = types.ElicitResult.model_validate(
            {"action": action, "content": {"confirm": confirm} if action == "accept" else None}
        )

    async def __call__(self, _context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append(params.message)
        return self._answer


def client_of(server: Any, era: str, person: Person | None = None) -> Client:
    """Make a client; without a person it has no elicitation."""
    return Client(server, mode=era, elicitation_callback=person)


async def call(client: Client, tool: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """Call a tool that must work and give its structured content."""
    result = await client.call_tool(tool, arguments or {})
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def refusal(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Call a tool that must refuse and give the text of the error."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return " ".join(block.text for block in result.content if isinstance(block, types.TextContent))


async def rows(bot: BookingBot) -> tuple[Booking, ...]:
    """Give every booking of the database."""
    store = bot.engine.store
    return await store.read(lambda reader: store.ledger.all_bookings(reader, everything=True))
