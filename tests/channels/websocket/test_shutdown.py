"""Stopping in the middle of things: turns are finished and committed, clients are told to come back."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from booking_bot.channels.websocket import Limits, serve
from tests.channels.websocket.slow_weather import SlowWeather
from tests.channels.websocket.talking import NOW, House, Talk, snapshot_of, text_of

QUESTION = "明天北京天气怎么样"


async def _code(talk: Talk) -> int | None:
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            await talk.event()
    return closed.value.rcvd.code if closed.value.rcvd else None


async def test_idle_connections_are_told_of_the_restart(house: House) -> None:
    async with house.talk() as talk:
        await asyncio.gather(house.server.stop(), _expect(talk, 1012))


async def _expect(talk: Talk, code: int) -> None:
    assert await _code(talk) == code


async def test_a_turn_under_way_is_answered_before_the_goodbye(empty_house: House) -> None:
    weather = SlowWeather()
    house = await empty_house.open(weather=weather)
    async with house.talk() as talk:
        await talk.send(type="message", id="w", text=QUESTION)
        await weather.asked.wait()
        stopping = asyncio.create_task(house.server.stop())
        await asyncio.sleep(0.05)
        with pytest.raises((InvalidStatus, OSError)):
            async with house.connected():
                pass
        weather.answer.set()
        assert "晴" in text_of(await talk.until("RUN_FINISHED"))
        assert await _code(talk) == 1012
        await stopping


async def test_a_turn_that_outlasts_the_server_is_still_committed(empty_house: House) -> None:
    weather = SlowWeather()
    house = await empty_house.open(weather=weather, limits=Limits(closing_s=0.2))
    async with house.talk() as talk:
        await talk.send(type="message", id="w", text=QUESTION)
        await weather.asked.wait()
        stopping = asyncio.create_task(house.server.stop())
        assert await _code(talk) == 1012
        await stopping
    asyncio.get_running_loop().call_later(0.1, weather.answer.set)
    await house.close()
    later = await House(house.db).open()
    async with later.connected() as again:
        events = await again.hello(talk.session_id)
    await later.close()
    assert "晴" in text_of(events)
    assert [event["type"] for event in events].count("RUN_FINISHED") == 1


async def test_nothing_new_is_begun_while_stopping(empty_house: House) -> None:
    weather = SlowWeather()
    house = await empty_house.open(weather=weather)
    async with house.talk() as slow, house.talk() as other:
        await slow.send(type="message", id="w", text=QUESTION)
        await weather.asked.wait()
        stopping = asyncio.create_task(house.server.stop())
        await asyncio.sleep(0.02)
        assert (await other.say("你好"))[-1]["code"] == "shutting_down"
        weather.answer.set()
        await stopping


async def test_serve_stops_when_cancelled_and_keeps_what_was_said(tmp_path: object) -> None:
    address = asyncio.get_running_loop().create_future()
    db = f"sqlite:///{tmp_path}/bookings.db"
    server = asyncio.create_task(serve("127.0.0.1", 0, site="demo", db=db, now=NOW, ready=address.set_result))
    url = (await address).replace("http", "ws") + "ws"
    async with connect(url, proxy=None) as ws:
        talk = Talk(ws)
        await talk.hello()
        assert snapshot_of(await talk.say("明天下午2点8人会议室"))["pending"] == "clarify"
        server.cancel()
        assert await _code(talk) == 1012
    with contextlib.suppress(asyncio.CancelledError):
        await server
    house = await House(db).open()
    async with house.connected() as again:
        assert snapshot_of(await again.hello(talk.session_id))["slots"]["capacity"] == 8
    await house.close()
