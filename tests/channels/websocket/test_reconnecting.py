"""Losing the connection and coming back: nothing is lost, nothing comes twice, whosever process it was."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from booking_bot.adapters.sql import StoreError
from booking_bot.engine import Said
from tests.channels.websocket.talking import House, snapshot_of, text_of

TURNS = ("明天下午2点8人会议室", "1小时", "选1")


async def _said(house: House) -> tuple[str, list[dict[str, Any]]]:
    async with house.talk() as talk:
        return talk.session_id, [event for text in TURNS for event in await talk.say(text)]


async def test_after_any_event_the_rest_comes_once_and_in_order(house: House) -> None:
    session_id, events = await _said(house)
    for seen in range(len(events) + 1):
        async with house.connected() as talk:
            answer = await talk.hello(session_id, seen)
        missed = events[seen:]
        assert answer[0]["value"] == {"session_id": session_id, "seq": len(events), "pending": "confirm"}
        assert answer[1 : 1 + len(missed)] == missed
        after = answer[1 + len(missed) :]
        assert [event["type"] for event in after] == [
            "STATE_SNAPSHOT",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
        ]
        assert snapshot_of(after)["pending"] == "confirm"
        assert text_of(after).startswith("请确认预定")
        assert all(event["seq"] == seen for event in (answer[0], *after))


async def test_reading_one_event_a_connection_gives_the_whole_talk(house: House) -> None:
    session_id, events = await _said(house)
    got: list[dict[str, Any]] = []
    while len(got) < len(events):
        async with house.connected() as talk:
            await talk.send(type="hello", session_id=session_id, last_seq=len(got))
            assert (await talk.event())["name"] == "session"
            got.append(await talk.event())
            talk.ws.transport.abort()
    assert got == events


async def test_a_turn_goes_on_when_its_connection_is_lost(house: House) -> None:
    async with house.talk() as talk:
        await talk.send(type="message", id="m", text="明天下午2点8人会议室")
        talk.ws.transport.abort()
    async with house.connected() as again:
        events = await again.hello(talk.session_id)
        if "RUN_FINISHED" not in [event["type"] for event in events]:
            events += await again.until("RUN_FINISHED")
        assert again.session_id == talk.session_id
    assert [event["type"] for event in events].count("RUN_FINISHED") == 1
    assert snapshot_of(events)["slots"]["capacity"] == 8


async def test_the_talk_goes_on_after_a_restart(empty_house: House) -> None:
    house = await empty_house.open()
    session_id, events = await _said(house)
    await house.close()
    later = await House(house.db).open()
    async with later.talk(session_id, len(events)) as talk:
        run = await talk.say("确认")
    await later.close()
    assert run[0]["seq"] == len(events) + 1
    assert snapshot_of(run)["phase"] == "BOOKED"


async def test_an_unknown_session_is_a_new_one(house: House) -> None:
    async with house.connected() as talk:
        events = await talk.hello("A" * 22, 7)
    assert events[0]["value"]["session_id"] != "A" * 22
    assert events[0]["value"]["seq"] == events[0]["seq"] == 0


async def test_a_label_of_another_channel_is_not_a_socket_session(house: House) -> None:
    await house.bot.handle("terminal", "明天下午2点8人会议室", user_id="guest")
    async with house.connected() as talk:
        events = await talk.hello("terminal")
    assert snapshot_of(events)["slots"] == {}


async def test_a_session_keeps_its_id_before_anything_is_said(house: House) -> None:
    async with house.talk() as talk:
        pass
    async with house.talk(talk.session_id) as again:
        assert again.session_id == talk.session_id


async def test_a_position_past_the_end_is_the_end(house: House) -> None:
    session_id, events = await _said(house)
    async with house.connected() as talk:
        answer = await talk.hello(session_id, 10_000)
        assert answer[0]["seq"] == len(events)
        assert (await talk.say("确认"))[0]["seq"] == len(events) + 1


async def test_a_turn_of_another_process_is_fetched_with_the_next_one(house: House) -> None:
    other = await House(house.db).open()
    async with house.talk() as talk:
        first = await talk.say(TURNS[0])
        key = f"guest/{talk.session_id}"
        await other.bot.engine.handle(Said(key, "guest", TURNS[1], "elsewhere"))
        await talk.send(type="message", id="here", text=TURNS[2])
        events = await talk.until("RUN_FINISHED") + await talk.until("RUN_FINISHED")
    await other.close()
    assert [event["seq"] for event in events] == list(range(first[-1]["seq"] + 1, events[-1]["seq"] + 1))
    assert [event["runId"] for event in events if event["type"] == "RUN_STARTED"] == ["elsewhere", "here"]


async def test_who_comes_back_in_the_middle_of_a_flood_misses_nothing(house: House) -> None:
    async with house.talk() as talk:
        session_id = talk.session_id

        async def chatter() -> None:
            for number in range(30):
                await talk.say(f"明天下午{number % 5 + 1}点8人会议室")

        async def comes_back() -> list[int]:
            seqs: list[int] = []
            for _ in range(10):
                async with house.connected() as other:
                    events = await other.hello(session_id, len(seqs))
                    seqs += [event["seq"] for event in events if event["seq"] > len(seqs)]
                    seqs += [event["seq"] for event in await other.quiet(0.01)]
            async with house.connected() as other:
                seqs += [e["seq"] for e in await other.hello(session_id, len(seqs)) if e["seq"] > len(seqs)]
            return seqs

        _, seqs = await asyncio.gather(chatter(), comes_back())
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) > 30


async def test_a_database_that_fails_for_a_moment_costs_no_connection(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house.talk() as talk:
        await talk.say("明天下午2点8人会议室")
        session_id = talk.session_id
    store, load = house.bot.engine.store, house.bot.engine.store.load_session

    async def fail(_session_id: str) -> None:
        raise StoreError("no such luck")

    async with house.connected() as back:
        for good in (0, 1):  # the look at the session fails, then the one while catching up
            answers: Iterator[Any] = iter((load,) * good + (fail,))
            monkeypatch.setattr(store, "load_session", lambda key, answers=answers: next(answers)(key))
            await back.send(type="hello", session_id=session_id, last_seq=0)
            assert (await back.until("RUN_ERROR"))[-1]["code"] == "unavailable"
        monkeypatch.undo()
        await back.hello(session_id)
        assert snapshot_of(await back.say("1小时"))["phase"] == "AWAITING_SELECTION"
