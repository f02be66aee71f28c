"""AG-UI over SSE: the events are the protocol's own, and a run is a turn of the conversation."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from ag_ui.core import Event
from pydantic import TypeAdapter

from booking_bot import BookingBot
from tests.channels.http_api.conftest import rows

_EVENT: TypeAdapter[Any] = TypeAdapter(Event)


def run(text: str, run_id: str, **more: Any) -> dict[str, Any]:
    """Give the input of a run whose last message is the user's."""
    message = {"id": f"u-{run_id}", "role": "user", "content": text}
    return {
        "threadId": "thread-1",
        "runId": run_id,
        "state": {},
        "messages": [message],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    } | more


async def events_of(client: httpx2.AsyncClient, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Run and give the events, each checked against the protocol's models."""
    answer = await client.post("/agui", json=given, headers={"Accept": "text/event-stream"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]
    for event in events:
        _EVENT.validate_python(event)
    return events


def text_of(events: list[dict[str, Any]]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


async def test_a_talk_over_runs_books(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    talk = ["明天下午2点8人会议室，1小时", "选1", "确认"]
    runs = [await events_of(client, run(text, f"run-{n}")) for n, text in enumerate(talk)]
    for n, events in enumerate(runs):
        assert (events[0]["type"], events[0]["runId"]) == ("RUN_STARTED", f"run-{n}")
        assert (events[-1]["type"], events[-1]["threadId"]) == ("RUN_FINISHED", "thread-1")
    assert "R1001" in text_of(runs[0]) and runs[1][-1]["outcome"]["type"] == "interrupt"
    seqs = [event["seq"] for events in runs for event in events]
    assert seqs == list(range(1, len(seqs) + 1))
    (row,) = await rows(bot)
    assert row.id in text_of(runs[2])


async def test_the_same_run_again_has_the_same_events_and_no_effect(
    client: httpx2.AsyncClient, bot: BookingBot
) -> None:
    await events_of(client, run("明天下午2点8人会议室，1小时", "1"))
    await events_of(client, run("选1", "2"))
    first, again = await events_of(client, run("确认", "3")), await events_of(client, run("确认", "3"))
    assert first == again and len(await rows(bot)) == 1


async def test_a_resume_answers_the_interrupt(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    await events_of(client, run("明天下午2点8人会议室，1小时", "1"))
    offered = await events_of(client, run("选1", "2"))
    (interrupt,) = offered[-1]["outcome"]["interrupts"]
    answer = {"interruptId": interrupt["id"], "status": "resolved", "payload": {"confirmed": True}}
    await events_of(client, run("", "3", messages=[], resume=[answer]))
    assert len(await rows(bot)) == 1


async def test_a_resume_of_an_older_question_has_no_effect(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    first = await events_of(client, run("明天下午2点8人会议室，1小时", "1"))
    await events_of(client, run("选1", "2"))
    stale = first[-1]["outcome"]["interrupts"][0]["id"]
    answer = {"interruptId": stale, "status": "resolved", "payload": {"confirmed": True}}
    await events_of(client, run("", "3", messages=[], resume=[answer]))
    assert await rows(bot) == ()


@pytest.mark.parametrize(
    "given",
    [
        run("", "1"),
        run("x" * 9_000, "1"),
        run("hi", "1", messages=[]),
        run("hi", "1", messages=[{"id": "a", "role": "assistant", "content": "hi"}]),
        run("hi", ""),
        run("hi", "1", threadId="a\nb"),
        run("hi", "1", resume=[{"interruptId": "1", "status": "resolved", "payload": {"confirmed": "perhaps"}}]),
        {"threadId": "t"},
    ],
    ids=["empty", "long", "no message", "not the user's", "no run id", "bad thread", "bad payload", "not an input"],
)
async def test_runs_that_say_nothing_are_problems(client: httpx2.AsyncClient, given: dict[str, Any]) -> None:
    answer = await client.post("/agui", json=given)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_fault_inside_is_a_run_error(
    client: httpx2.AsyncClient, bot: BookingBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("booking_bot.engine.read", broken)
    (event,) = await events_of(client, run("hi", "1"))
    assert event["type"] == "RUN_ERROR" and "secret" not in str(event)
