"""A turn that takes a while is told as it goes on; what is told is what is committed, or is taken back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from booking_bot.adapters.scripted_model import ScriptedCompletion, ScriptedModel
from booking_bot.ports import Prompt, TextDelta, Thinking, TurnRestarted
from tests.channels.websocket.slow_weather import SlowWeather
from tests.channels.websocket.talking import Event, House, snapshot_of, text_of

ASKED = "请问您打算开多久呢？这里可以订半小时到两小时，整点或者半点开始都行，先告诉我大概的时长就好，别的稍后再说。"
WISH = "明天下午2点8人会议室"
WEATHER = "明天北京天气怎么样"
REST = 8
"""Characters of an answer that are still to come while the model halts: the end of the message and what closes it."""


def asks(message: str) -> str:
    return json.dumps({"thought": "", "action": "ask_user", "action_input": {"message": message}}, ensure_ascii=False)


class HaltingModel(ScriptedModel):
    """A scripted model that stops after most of its answer until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.halted = asyncio.Event()
        self.go_on = asyncio.Event()

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None] | None = None) -> ScriptedCompletion:
        answer = await super().complete(prompt)
        assert on_text is not None
        on_text(answer.text[:-REST])
        self.halted.set()
        await self.go_on.wait()
        on_text(answer.text[-REST:])
        return answer


def types(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


def numbered(events: list[Event], first: int = 1) -> bool:
    return [event["seq"] for event in events] == list(range(first, first + len(events)))


async def stored(house: House, session_id: str) -> list[Event]:
    """Give what somebody gets who comes when all is over."""
    async with house.connected() as late:
        return [event for event in await late.hello(session_id) if event["seq"] > 0]


@pytest.fixture
def model() -> HaltingModel:
    return HaltingModel()


@pytest.fixture
async def thinking_house(empty_house: House, model: HaltingModel) -> AsyncIterator[House]:
    yield await empty_house.open(model=model, planner="llm")
    model.go_on.set()


async def test_text_comes_while_it_is_written_and_is_what_is_committed(
    thinking_house: House, model: HaltingModel
) -> None:
    model.load([asks(ASKED)])
    async with thinking_house.talk() as talk:
        await talk.send(type="message", id="m", text=WISH)
        before = await talk.until("TEXT_MESSAGE_CONTENT")
        assert types(before) == ["RUN_STARTED", "CUSTOM", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]
        assert await thinking_house.bot.engine.store.load_session(f"guest/{talk.session_id}") is None
        model.go_on.set()
        events = before + await talk.until("RUN_FINISHED")
    assert types(events).count("RUN_STARTED") == types(events).count("TEXT_MESSAGE_START") == 1
    assert numbered(events)
    assert text_of(events).startswith(ASKED)
    current = await thinking_house.bot.engine.current(f"guest/{talk.session_id}")
    assert current is not None
    assert current.first_seq == events[-1]["seq"] + 1
    assert await stored(thinking_house, talk.session_id) == events


async def test_who_comes_back_in_mid_run_gets_it_once_and_whole(thinking_house: House, model: HaltingModel) -> None:
    model.load([asks(ASKED)])
    async with thinking_house.talk() as talk:
        await talk.send(type="message", id="m", text=WISH)
        before = await talk.until("TEXT_MESSAGE_CONTENT")
        talk.ws.transport.abort()
    async with thinking_house.connected() as again:
        answer = await again.hello(talk.session_id, before[-1]["seq"])
        assert answer[0]["value"]["seq"] == answer[0]["seq"] == 0  # nothing is committed yet: that is where it goes on
        assert [event for event in answer if event["seq"] > 0] == before
        model.go_on.set()
        events = before + await again.until("RUN_FINISHED")
    assert numbered(events)
    assert await stored(thinking_house, talk.session_id) == events


async def test_every_tab_follows_a_turn(thinking_house: House, model: HaltingModel) -> None:
    model.load([asks(ASKED)])
    async with thinking_house.talk() as one, thinking_house.talk(one.session_id) as two:
        await one.send(type="message", id="m", text=WISH)
        before = await two.until("TEXT_MESSAGE_CONTENT")
        model.go_on.set()
        assert before + await two.until("RUN_FINISHED") == await one.until("RUN_FINISHED")


async def test_a_message_sent_again_in_mid_run_has_one_effect(thinking_house: House, model: HaltingModel) -> None:
    model.load([asks(ASKED)])
    async with thinking_house.talk() as talk:
        await talk.send(type="message", id="m", text=WISH)
        await model.halted.wait()
        talk.ws.transport.abort()
    async with thinking_house.talk(talk.session_id) as again:
        await again.send(type="message", id="m", text=WISH)
        model.go_on.set()
        first, repeated = await again.until("RUN_FINISHED"), await again.until("RUN_FINISHED")
    assert first[-1] == repeated[-1]
    assert model.total_calls == 1


async def test_a_slow_tool_is_told_when_it_begins_and_when_it_ends(empty_house: House) -> None:
    weather = SlowWeather()
    house = await empty_house.open(weather=weather)
    async with house.talk() as talk:
        await talk.send(type="message", id="m", text=WEATHER)
        before = await talk.until("TOOL_CALL_START")
        assert before[-1]["toolCallName"] == "get_weather"
        weather.answer.set()
        events = before + await talk.until("RUN_FINISHED")
    assert types(events)[:5] == ["RUN_STARTED", "CUSTOM", "TOOL_CALL_START", "TOOL_CALL_END", "TOOL_CALL_RESULT"]
    assert numbered(events)
    assert await stored(house, talk.session_id) == events


async def test_a_turn_that_needs_nothing_slow_is_told_once_it_is_committed(house: House) -> None:
    async with house.talk() as talk:
        assert numbered(await talk.say(WISH))


async def test_what_was_told_of_a_turn_done_over_is_taken_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = house.bot.engine.handle

    async def restarted(said: Any, on_event: Any) -> Any:
        for progress in (Thinking(), TextDelta("请问开"), TurnRestarted()):
            on_event(progress)
        return await handle(said)

    monkeypatch.setattr(house.bot.engine, "handle", restarted)
    async with house.talk() as talk:
        await talk.send(type="message", id="m", text=WISH)
        void, events = await talk.until("RUN_ERROR"), await talk.until("RUN_FINISHED")
    assert (void[-1]["code"], void[-1]["runId"], void[-1]["seq"]) == ("run_restarted", "m", 0)
    assert numbered(events)
    assert await stored(house, talk.session_id) == events


async def test_a_reply_that_does_not_go_on_from_what_was_told_is_sent_whole(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = house.bot.engine.handle

    async def contradicted(said: Any, on_event: Any) -> Any:
        on_event(TextDelta("预定"))
        return await handle(said)

    monkeypatch.setattr(house.bot.engine, "handle", contradicted)
    async with house.talk() as talk:
        await talk.send(type="message", id="m", text=WISH)
        void, events = await talk.until("RUN_ERROR"), await talk.until("RUN_FINISHED")
    assert void[-1]["code"] == "run_restarted"
    assert numbered(events)
    assert not text_of(events).startswith("预定")


async def test_two_turns_at_once_are_told_one_after_the_other(thinking_house: House, model: HaltingModel) -> None:
    model.load([asks(ASKED), asks(ASKED)])
    async with thinking_house.talk() as one, thinking_house.talk(one.session_id) as two:
        await one.send(type="message", id="m1", text=WISH)
        await model.halted.wait()
        await two.send(type="message", id="m2", text="开多久合适呢你说")
        await two.send(type="ping")
        model.go_on.set()
        events = await one.until("RUN_FINISHED") + await one.until("RUN_FINISHED")
    assert [event["runId"] for event in events if event["type"] == "RUN_STARTED"] == ["m1", "m2"]
    assert numbered(events)
    assert snapshot_of(events)["slots"]["capacity"] == 8
