"""The server as a process on standard input and output, driven by the SDK's client."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from booking_bot import BookingBot
from tests.channels.mcp.conftest import ERAS, NOW, ORDER, Person, call, rows

_SERVE = (
    "import asyncio, sys; from booking_bot.channels.mcp import serve_stdio; asyncio.run(serve_stdio(*sys.argv[1:]))"
)


@pytest.mark.parametrize("era", ERAS)
async def test_a_process_talks_and_books_for_its_configured_user(tmp_path: Path, era: str) -> None:
    db = f"sqlite:///{tmp_path / 'bookings.db'}"
    process = StdioServerParameters(
        command=sys.executable,
        args=["-c", _SERVE, "demo", db, "carol"],
        env={"BOOKING_BOT_NOW": NOW, "LANG": "zh_CN.UTF-8"},
        cwd=tmp_path,
    )
    person = Person()
    async with Client(process, mode=era, elicitation_callback=person) as client:
        reply = await call(client, "talk", {"message": "明天下午4点8人会议室，1小时", "session_id": "s"})
        assert reply["phase"] == "AWAITING_SELECTION"
        done = await call(client, "book_room", ORDER)
    assert done["status"] == "booked" and person.asked[0].startswith("请确认")
    async with await BookingBot.open(site="demo", db=db, now=NOW) as bot:
        assert [(row.id, row.organizer) for row in await rows(bot)] == [(done["booking"]["id"], "carol")]
