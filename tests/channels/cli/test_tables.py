"""`bookings` and `trace` over what other people typed, and over long talks."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from pathlib import Path

import pytest

from booking_bot import BookingBot
from booking_bot.channels.cli import main
from booking_bot.dialogue.model import BookingOrder

NOW = "2026-11-30T09:00:00+08:00"
STEERING = "\x1b]0;owned\x07\x1b[2J"


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'b.db'}"


async def _book(db: str, title: str) -> None:
    order = BookingOrder(
        room_id="R1001",
        date=dt.date(2026, 12, 1),
        start_time=dt.time(14),
        duration_minutes=60,
        people=8,
        title=title,
        key="a-key-of-mine",
    )
    async with await BookingBot.open(db=db, now=NOW) as bot:
        store = bot.engine.store
        await store.run(lambda tx: store.ledger.book_room(tx, order, "bob"))


async def _say(db: str, *texts: str) -> None:
    async with await BookingBot.open(db=db, now=NOW, user="bob") as bot:
        for text in texts:
            await bot.handle("s", text)


def test_titles_cannot_steer_the_terminal(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_book(db, f"Team{STEERING}"))
    assert main(["bookings", "--db", db, "--now", NOW]) == 0
    shown = capsys.readouterr().out
    assert "Team" in shown and "\x1b" not in shown and "\x07" not in shown
    assert main(["bookings", "--db", db, "--now", NOW, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["title"] == f"Team{STEERING}"


def test_messages_cannot_steer_the_terminal(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_say(db, f"hello {STEERING}"))
    assert main(["trace", "--db", db, "--session", "s"]) == 0
    shown = capsys.readouterr().out
    assert "hello" in shown and "\x1b" not in shown and "\x07" not in shown


def test_a_trace_holds_every_turn(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_say(db, *(f"hello {number}" for number in range(260))))
    assert main(["trace", "--db", db, "--session", "s", "--json"]) == 0
    assert [turn["turn"] for turn in json.loads(capsys.readouterr().out)] == list(range(1, 261))


@pytest.mark.parametrize(
    "command", [["bookings"], ["trace", "--session", "s"], ["memory", "--user", "bob"], ["record", "--session", "s"]]
)
def test_what_only_reads_needs_no_model(db: str, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    asyncio.run(_say(db, "hello"))
    monkeypatch.setenv("OPENAI_API_KEY", "a key without a model")
    assert main([*command, "--db", db]) == 0
