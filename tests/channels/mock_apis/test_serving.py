"""The mock APIs as an HTTP server: junk, addresses, starting and stopping."""

from __future__ import annotations

import asyncio
import socket
from urllib.parse import urlsplit

import httpx2
import pytest

from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.weather_file import WeatherBook
from booking_bot.channels.mock_apis import Fault, MockApis, Plan, serve_mock_apis
from booking_bot.errors import ConfigurationError
from tests.channels.mock_apis.conftest import NOW, ScriptedRooms, code


async def test_unknown_paths_and_methods_are_told_apart(http: httpx2.AsyncClient) -> None:
    assert code(await http.get("/nowhere")) == (404, "bad_request")
    assert code(await http.get("/bookings/b1/x")) == (404, "bad_request")
    answer = await http.put("/bookings/b1", json={})
    assert code(answer) == (405, "bad_request")
    assert answer.headers["allow"] == "DELETE, PATCH"


async def test_one_connection_serves_many_requests(http: httpx2.AsyncClient, apis: MockApis) -> None:
    for _ in range(5):
        answer = await http.get("/rooms")
        assert answer.http_version == "HTTP/1.1"
        assert answer.headers.get("connection") != "close"


def _raw(apis: MockApis, request: bytes) -> bytes:
    """Send bytes, end the sending side, and read to the end."""
    address = urlsplit(apis.url)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        return answer


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"Transfer-Encoding: chunked\r\nContent-Type: application/json", b"411"),
        (b"Content-Length: many", b"400"),
        (b"Content-Length: -1", b"400"),
        (b"Content-Length: 70000\r\nContent-Type: application/json", b"413"),
        (b"Content-Length: 9999999999999999999999", b"413"),
        (b"Content-Length: 2\r\nContent-Type: text/plain", b"415"),
        (b"Content-Length: 2", b"415"),
    ],
)
async def test_a_body_that_is_not_read_is_refused(apis: MockApis, head: bytes, status: bytes) -> None:
    request = b"POST /bookings HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n{}"
    answer = await asyncio.to_thread(_raw, apis, request)
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"Connection: close" in answer


@pytest.mark.parametrize(
    "request_",
    [b"", b"\r\n", b"junk\r\n\r\n", b"GET /rooms HTTP/1.1\r\nHost", b"\x16\x03\x01" + b"x" * 500,
     b"POST /bookings HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"],
    ids=["nothing", "blank", "junk", "cut head", "TLS", "cut body"],
)  # fmt: skip
async def test_junk_on_the_socket_hurts_nobody(
    apis: MockApis, http: httpx2.AsyncClient, rooms: ScriptedRooms, request_: bytes
) -> None:
    await asyncio.to_thread(_raw, apis, request_)
    assert (await http.get("/rooms")).status_code == 200
    assert rooms.asked == []


async def test_the_schemas_are_told(http: httpx2.AsyncClient) -> None:
    schemas = (await http.get("/schemas")).json()
    assert {"RoomRequest", "OrderBody", "ChangeBody", "Booking", "Problem", "Plan", "Availability"} <= set(schemas)
    assert schemas["OrderBody"]["additionalProperties"] is False


async def test_closing_wakes_every_silence(rooms: ScriptedRooms) -> None:
    plan = Plan(faults=(Fault(kind="timeout", seconds=600, times=None),))
    mock = await MockApis(load_site("demo"), rooms=rooms, weather=WeatherBook(), clock=lambda: NOW, plan=plan).start()
    async with httpx2.AsyncClient(base_url=mock.url, timeout=60, trust_env=False) as client:
        waiting = [asyncio.create_task(client.get("/rooms")) for _ in range(3)]
        while mock.faults.report()["calls"] != {"list_rooms": 3}:  # noqa: ASYNC110 # counted in other threads
            await asyncio.sleep(0.005)
        await mock.close()
        for outcome in await asyncio.gather(*waiting, return_exceptions=True):
            assert isinstance(outcome, httpx2.TransportError)
    await mock.close()


async def test_serving_tells_its_address_and_ends_when_cancelled(rooms: ScriptedRooms) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    task = asyncio.create_task(
        serve_mock_apis(
            "127.0.0.1", 0, load_site("demo"),
            rooms=rooms, weather=WeatherBook(), clock=lambda: NOW, ready=told.put_nowait,
        )
    )  # fmt: skip
    url = await told.get()
    async with httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.get(f"{url}/rooms")).status_code == 200
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(httpx2.ConnectError):
            await client.get(f"{url}/rooms")


@pytest.mark.parametrize("host", ["127.0.0.1", "203.0.113.1"])
async def test_an_address_that_cannot_be_had_is_the_operators_fault(rooms: ScriptedRooms, host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        mock = MockApis(load_site("demo"), rooms=rooms, weather=WeatherBook(), clock=lambda: NOW)
        with pytest.raises(ConfigurationError, match=str(port)):
            await mock.start(host, port)
        with pytest.raises(ConfigurationError, match="70000"):
            await mock.start("127.0.0.1", 70000)


async def test_ipv6_is_served_where_there_is_any(rooms: ScriptedRooms) -> None:
    mock = MockApis(load_site("demo"), rooms=rooms, weather=WeatherBook(), clock=lambda: NOW)
    with pytest.raises(RuntimeError):
        _ = mock.url
    try:
        await mock.start("::1")
    except ConfigurationError:
        return  # this machine has none
    async with mock, httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.get(f"{mock.url}/rooms")).status_code == 200
