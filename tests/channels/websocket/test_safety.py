"""What the server does not let anybody do to it."""

from __future__ import annotations

import asyncio
import json
import socket

import jwt
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from booking_bot.channels.websocket import ChatServer, Limits, serve
from booking_bot.errors import ConfigurationError
from booking_bot.tokens import make_token
from tests.channels.websocket.talking import SECRET, House, Talk, snapshot_of


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", "bad_json"),
        ("", "bad_json"),
        ("nonsense", "bad_json"),
        ('{"type": "message", "text": "\\ud800"}', "bad_json"),
        ("[" * 10_000, "bad_json"),
        ("[]", "bad_frame"),
        ("7", "bad_frame"),
        ("null", "bad_frame"),
        ("{}", "unknown_type"),
        ('{"type": "dance"}', "unknown_type"),
        ('{"type": ["hello"]}', "unknown_type"),
        ('{"type": "message"}', "bad_frame"),
        ('{"type": "message", "text": 7}', "bad_frame"),
        ('{"type": "message", "text": ""}', "bad_frame"),
        ('{"type": "message", "text": "x", "id": 7}', "bad_frame"),
        ('{"type": "resume", "interrupt_id": "1"}', "bad_frame"),
        ('{"type": "hello", "last_seq": -1}', "bad_frame"),
        ('{"type": "hello", "last_seq": "1"}', "bad_frame"),
        ('{"type": "hello"}', "already_greeted"),
        (b"\x00\xff", "bad_frame"),
        (json.dumps({"type": "message", "text": "x" * 16_400}), "too_large"),
        (json.dumps({"type": "message", "text": "会" * 30_000}, ensure_ascii=False), "too_large"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_junk_is_answered_with_an_error_and_the_connection_stays(
    house: House, frame: str | bytes, code: str
) -> None:
    async with house.talk() as talk:
        await talk.ws.send(frame)
        event = await talk.event()
        assert (event["type"], event["code"]) == ("RUN_ERROR", code)
        assert event["message"]
        assert snapshot_of(await talk.say("明天下午2点8人会议室"))["slots"]["capacity"] == 8


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        ('"text": "\\ud800"', "bad_json"),
        ('"text": ""', "bad_frame"),
        (f'"text": "{"x" * 16_400}"', "too_large"),
        ('"text": "she said \\"id\\":\\"m8\\"", "broken', "bad_json"),
    ],
    ids=["surrogate", "empty", "too large", "an id in the text"],
)
async def test_a_refused_frame_is_named_by_its_id(house: House, rest: str, code: str) -> None:
    async with house.talk() as talk:
        await talk.ws.send(f'{{"type": "message", {rest}, "id": "m7"}}')
        event = await talk.event()
        assert (event["code"], event["runId"]) == (code, "m7")


async def test_a_frame_over_the_hard_limit_closes_with_1009(house: House) -> None:
    async with house.talk() as talk:
        with pytest.raises(ConnectionClosed) as closed:
            await talk.ws.send("x" * 200_000)
            await talk.event()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


async def test_text_that_is_no_utf8_closes_that_connection_only(house: House) -> None:
    async with house.talk() as talk, house.talk() as other:
        with pytest.raises(ConnectionClosed) as closed:
            await talk.ws.send(b"\xff\xfe", text=True)
            await talk.event()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1007
        assert await other.say("你好")


async def test_nothing_is_said_before_hello(house: House) -> None:
    async with house.connected() as talk:
        await talk.send(type="message", id="m", text="你好")
        assert (await talk.event())["code"] == "hello_first"
        await talk.hello()
        assert await talk.say("你好")


# --- floods and slow readers -----------------------------------------------------------------------------------------


async def test_a_flood_is_refused_and_the_others_are_served(empty_house: House) -> None:
    house = await empty_house.open(limits=Limits(connection_rate=5, connection_burst=10))
    async with house.talk() as loud, house.talk() as quiet:
        for number in range(60):
            await loud.send(type="message", id=f"f{number}", text="你好")
        assert snapshot_of(await quiet.say("明天下午2点8人会议室"))["slots"]["capacity"] == 8
        codes = [(await loud.until("RUN_FINISHED", "RUN_ERROR"))[-1].get("code") for _ in range(60)]
        assert codes.count("rate_limited") >= 45
        await asyncio.sleep(0.5)
        assert (await loud.say("你好"))[-1]["type"] == "RUN_FINISHED"


async def test_who_never_stops_is_closed(empty_house: House) -> None:
    house = await empty_house.open(limits=Limits(connection_rate=1, connection_burst=5, refusals=20))
    async with house.talk() as talk:
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(500):
                await talk.send(type="ping")
            while True:
                await talk.event()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


async def test_the_rate_of_a_user_counts_over_all_connections(empty_house: House) -> None:
    house = await empty_house.open(secret=SECRET, limits=Limits(user_rate=0.1, user_burst=3))
    token = make_token("alice", SECRET)
    async with house.talk(token=token) as one, house.talk(token=token) as two:
        ends = [(await tab.say("你好"))[-1] for tab in (one, two, one, two, one)]
        async with house.talk(token=make_token("bob", SECRET)) as other:
            assert (await other.say("你好"))[-1]["type"] == "RUN_FINISHED"
    assert [end.get("code") for end in ends] == [None, None, None, "rate_limited", "rate_limited"]


async def test_a_slow_reader_is_dropped_with_a_code(empty_house: House) -> None:
    house = await empty_house.open(
        limits=Limits(send_buffer_bytes=4096, connection_rate=1e6, connection_burst=10**6, closing_s=0.3)
    )
    async with house.talk() as talk:
        with socket.create_connection(("127.0.0.1", house.server.port)) as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await _raw_hello(raw, talk.session_id)
            for number in range(3000):
                await talk.say(f"明天下午{number % 5 + 1}点8人会议室，1小时")
                if house.server.reception.connections == 1:
                    break
            metrics = house.server.reception.metrics.text().decode()
        assert house.server.reception.connections == 1
        assert 'booking_bot_dropped_connections_total{reason="slow"} 1.0' in metrics
        assert (await talk.say("你好"))[-1]["type"] == "RUN_FINISHED"


async def _raw_hello(raw: socket.socket, session_id: str) -> None:
    """Open a WebSocket by hand, say hello and read no more."""
    host = f"127.0.0.1:{raw.getpeername()[1]}"
    head = f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    raw.sendall((head + "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    hello = json.dumps({"type": "hello", "session_id": session_id}).encode()
    raw.sendall(bytes((0x81, 0x80 | len(hello))) + b"\0\0\0\0" + hello)
    await asyncio.sleep(0.1)


async def test_who_says_no_hello_is_closed(empty_house: House) -> None:
    house = await empty_house.open(limits=Limits(hello_s=0.1))
    async with house.connected() as talk:
        with pytest.raises(ConnectionClosed) as closed:
            await talk.event()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4000


async def test_who_says_nothing_for_long_is_closed(empty_house: House) -> None:
    house = await empty_house.open(limits=Limits(idle_s=0.2))
    async with house.talk() as talk:
        with pytest.raises(ConnectionClosed) as closed:
            await talk.event()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4001


async def test_no_more_connections_than_allowed(empty_house: House) -> None:
    house = await empty_house.open(limits=Limits(connections=1))
    async with house.talk():
        with pytest.raises(InvalidStatus) as refused:
            async with house.connected():
                pass
    assert refused.value.response.status_code == 503


# --- origins ---------------------------------------------------------------------------------------------------------


async def _status(house: House, **headers: str) -> int:
    try:
        async with connect(f"ws://{house.address}/ws", proxy=None, additional_headers=headers):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "http://127.0.0.1.evil.example:{port}"],
)
async def test_a_foreign_origin_is_turned_away_before_the_handshake(house: House, origin: str) -> None:
    assert await _status(house, Origin=origin.format(port=house.server.port)) == 403


async def test_the_own_origin_and_no_origin_may_connect(house: House) -> None:
    assert await _status(house, Origin=f"http://{house.address}") == 101
    assert await _status(house) == 101


async def test_a_configured_origin_may_connect(empty_house: House) -> None:
    house = await empty_house.open()
    async with await ChatServer(house.bot, origins=("https://rooms.example.org",)).start() as server:
        house.server = server
        assert await _status(house, Origin="https://rooms.example.org") == 101


async def test_a_name_that_only_resolves_here_is_not_answered(house: House) -> None:
    """A foreign page may point its own name at this machine: the guest must not be reachable by it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", house.server.port)
    writer.write(b"GET /api/bookings HTTP/1.1\r\nHost: evil.example\r\n\r\n")
    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 421")


# --- users -----------------------------------------------------------------------------------------------------------


async def test_a_token_says_who_books(empty_house: House) -> None:
    house = await empty_house.open(secret=SECRET)
    async with house.talk(token=make_token("alice", SECRET)) as talk:
        await talk.say("明天下午2点，8人，1小时")
        await talk.say("1")
        assert snapshot_of(await talk.say("确认"))["booking"]["organizer"] == "alice"


def _expired() -> str:
    return jwt.encode({"sub": "alice", "aud": "booking-bot", "exp": 1}, SECRET, "HS256")


def _unsigned() -> str:
    return jwt.encode({"sub": "alice", "aud": "booking-bot", "exp": 9e9}, "", "none")


@pytest.mark.parametrize(
    "token",
    [None, "", "nonsense", make_token("alice", SECRET + "!"), _expired(), _unsigned()],
    ids=["none", "empty", "nonsense", "other secret", "run out", "unsigned"],
)
async def test_without_a_valid_token_nobody_comes_in(empty_house: House, token: str | None) -> None:
    house = await empty_house.open(secret=SECRET)
    async with house.connected() as talk:
        await talk.send(type="hello", session_id=None, token=token)
        event = await talk.event()
        assert (event["type"], event["code"]) == ("RUN_ERROR", "unauthorized")
        with pytest.raises(ConnectionClosed) as closed:
            await talk.event()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


async def test_a_session_is_its_users_only(empty_house: House) -> None:
    house = await empty_house.open(secret=SECRET)
    async with house.talk(token=make_token("alice", SECRET)) as alice:
        await alice.say("明天下午2点8人会议室")
        async with house.connected() as talk:
            events = await talk.hello(alice.session_id, 0, token=make_token("bob", SECRET))
            assert talk.session_id != alice.session_id
            assert snapshot_of(events)["slots"] == {}
            await alice.say("1小时")
            assert not await talk.quiet()


async def test_a_token_that_runs_out_ends_the_connection(empty_house: House) -> None:
    house = await empty_house.open(secret=SECRET, limits=Limits(idle_s=0.4))
    async with house.talk(token=make_token("alice", SECRET, 1)) as talk:
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await talk.send(type="ping")
                await talk.event()
                await asyncio.sleep(0.1)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4003


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "rooms.example.org"])
async def test_a_host_that_others_reach_needs_a_secret(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.delenv("BOOKING_BOT_TOKEN_SECRET", raising=False)
    with pytest.raises(ConfigurationError, match="BOOKING_BOT_TOKEN_SECRET"):
        await serve(host, 0, site="demo", db="sqlite://")


async def test_with_a_secret_any_host_is_served(empty_house: House) -> None:
    house = await empty_house.open(secret=SECRET)
    async with (
        await ChatServer(house.bot, secret=SECRET).start("0.0.0.0") as server,
        connect(f"ws://127.0.0.1:{server.port}/ws", proxy=None) as ws,
    ):
        assert (await Talk(ws).hello(token=make_token("alice", SECRET)))[0]["name"] == "session"


async def test_a_taken_port_is_named(house: House) -> None:
    with pytest.raises(ConfigurationError, match=f"--port {house.server.port}"):
        await serve("127.0.0.1", house.server.port, site="demo", db="sqlite://")
