"""The examples run and do what they say."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from booking_bot import BookingBot
from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import LedgerService, SqlStore
from booking_bot.adapters.weather_file import load_weather
from booking_bot.app import clock_at
from booking_bot.channels.mock_apis import MockApis

FOLDER = Path(__file__).parents[2] / "examples"
NOW = "2026-11-30T09:00:00+08:00"


def load(name: str) -> ModuleType:
    """Import an example from its file."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_example_is_tested() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {
        "embed",
        "office_assistant",
        "own_rooms_service",
        "own_tool",
    }


async def test_embedding_books_for_both_users(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = f"sqlite:///{tmp_path / 'bookings.db'}"
    await load("embed").main(db, NOW)
    said = capsys.readouterr().out
    assert "-> alice has R1001 at 14:00" in said and "-> bob has R1003 at 14:00" in said
    async with await BookingBot.open(site="demo", db=db, now=NOW) as bot:
        store = bot.engine.store
        rows = await store.read(store.ledger.all_bookings)
    assert [(row.organizer, row.room_id) for row in rows] == [("alice", "R1001"), ("bob", "R1003")]


async def test_an_own_tool_answers_in_the_middle_of_a_booking(capsys: pytest.CaptureFixture[str]) -> None:
    await load("own_tool").main(NOW)
    said = capsys.readouterr().out
    assert "tomato and egg" in said and "Booked:" in said


async def test_three_skills_take_turns(capsys: pytest.CaptureFixture[str]) -> None:
    example = load("office_assistant")
    await example.main(NOW)
    said = capsys.readouterr().out
    skills = [line.split(":")[0].strip() for line in said.splitlines() if line.startswith("  ")]
    assert skills == ["leave", "rooms", "music", "rooms", "rooms", "nobody"]
    assert "Booked:" in said


async def test_an_own_rooms_service_books_moves_and_cancels(capsys: pytest.CaptureFixture[str]) -> None:
    site, clock = load_site("demo"), clock_at(NOW)
    store = await SqlStore.open("sqlite://", site, clock)
    apis = MockApis(site, rooms=LedgerService(store), weather=load_weather("demo"), clock=clock)
    async with await apis.start() as running:
        await load("own_rooms_service").main(running.url, NOW)
        rows = await store.read(lambda reader: store.ledger.all_bookings(reader, everything=True))
    await store.close()
    said = capsys.readouterr().out
    assert "Booked:" in said and "Moved:" in said and "Cancelled:" in said
    assert [(row.organizer, f"{row.start_time:%H:%M}", row.status) for row in rows] == [("alice", "16:00", "cancelled")]


def test_an_example_runs_as_a_script(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "embed.py"), "sqlite://", NOW],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "-> alice has R1001" in done.stdout
