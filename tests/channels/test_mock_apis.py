"""The mock APIs as any HTTP client sees them, over a real socket."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import socket
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlsplit

import httpx2
import pytest

from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.weather_file import WeatherBook, load_weather
from booking_bot.channels.mock_apis import Fault, FaultPlan, MockApis, Plan, serve_mock_apis
from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import Booked, Cancelled, Failed, Found, Gone, Listed, Moved, Refused, Taken
from booking_bot.errors import ConfigurationError

Params = dict[str, str | int | float]
NOW = dt.datetime(2026, 11, 30, 1, 0, tzinfo=dt.UTC)
KEYS = {"X-User": "alice", "Idempotency-Key": "key-00000001"}
ORDER = {"room_id": "R1001", "date": "2026-12-01", "start_time": "10:00", "duration_minutes": 60, "people": 6}
PLACE = {"room_id": "R1001", "date": "2026-12-01", "start_time": "10:00", "duration_minutes": 60}
BOOKING = Booking(
    id="b1", room_id="R1001", date=dt.date(2026, 12, 1), start_time=dt.time(10), minutes=60, people=6, organizer="alice"
)


class ScriptedRooms:
    """A room service that gives what it is told to, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.found: Found | Failed = Found(room_ids=("R1001",))
        self.booked: Booked | Taken | Refused | Failed = Booked(booking=BOOKING)
        self.moved: Moved | Taken | Gone | Refused | Failed = Moved(booking=BOOKING)
        self.cancelled: Cancelled | Gone | Refused | Failed = Cancelled(booking=BOOKING)
        self.listed: Listed | Failed = Listed(bookings=(BOOKING,))
        self.written: Booked | Moved | Cancelled | Gone | Failed = Booked(booking=BOOKING)
        self.error: Exception | None = None

    async def search_rooms(self, request: RoomRequest) -> Found | Failed:
        self.asked.append((request,))
        if self.error:
            raise self.error
        return self.found

    async def book_room(self, order: BookingOrder, organizer: str) -> Booked | Taken | Refused | Failed:
        self.asked.append((order, organizer))
        return self.booked

    async def move_booking(self, change: BookingChange, organizer: str) -> Moved | Taken | Gone | Refused | Failed:
        self.asked.append((change, organizer))
        return self.moved

    async def cancel_booking(self, cancellation: Cancellation, organizer: str) -> Cancelled | Gone | Refused | Failed:
        self.asked.append((cancellation, organizer))
        return self.cancelled

    async def list_bookings(self, organizer: str) -> Listed | Failed:
        self.asked.append((organizer,))
        return self.listed

    async def find_booking(self, key: str, organizer: str) -> Booked | Moved | Cancelled | Gone | Failed:
        self.asked.append((key, organizer))
        return self.written


@pytest.fixture
def rooms() -> ScriptedRooms:
    return ScriptedRooms()


@pytest.fixture
async def apis(rooms: ScriptedRooms) -> AsyncIterator[MockApis]:
    mock = MockApis(load_site("demo"), rooms=rooms, weather=load_weather("demo"), clock=lambda: NOW)
    async with await mock.start():
        yield mock


@pytest.fixture
async def http(apis: MockApis) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=apis.url, timeout=30, trust_env=False) as client:
        yield client


def code(response: httpx2.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == response.status_code
    assert problem["title"]
    return response.status_code, problem["code"]


# Rooms.


async def test_the_rooms_of_the_site_are_listed(http: httpx2.AsyncClient) -> None:
    answer = (await http.get("/rooms")).json()
    assert [building["code"] for building in answer["buildings"]] == ["A", "B"]
    assert len(answer["rooms"]) == 9
    assert answer["rooms"][0]["name"] == {"zh": "会议室A", "en": "Room A"}


async def test_a_search_is_passed_on_whole(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    wish = {"date": "2026-12-01", "start_time": "10:00", "duration_minutes": 60, "capacity": 8, "building": "A"}
    answer = await http.post("/availability", json=wish)
    assert answer.json() == {"kind": "found", "room_ids": ["R1001"]}
    assert rooms.asked == [(RoomRequest.model_validate(wish),)]


async def test_a_booking_carries_user_and_key_in_headers(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    answer = await http.post("/bookings", json=ORDER, headers=KEYS | {"X-User": "%E5%B0%8F%E6%98%8E"})
    assert answer.status_code == 201
    assert Booking.model_validate(answer.json()) == BOOKING
    assert rooms.asked == [(BookingOrder.model_validate(ORDER | {"key": "key-00000001"}), "小明")]


async def test_a_move_names_booking_version_and_new_place(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    answer = await http.patch("/bookings/b%2F1", json=PLACE, headers=KEYS | {"If-Match": '"3"'})
    assert answer.status_code == 200
    change = BookingChange.model_validate(PLACE | {"booking_id": "b/1", "version": 3, "key": "key-00000001"})
    assert rooms.asked == [(change, "alice")]


async def test_a_cancellation_names_booking_and_version(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    answer = await http.delete("/bookings/b1", headers=KEYS | {"If-Match": "2"})
    assert answer.status_code == 200
    assert rooms.asked == [(Cancellation(booking_id="b1", version=2, key="key-00000001"), "alice")]


async def test_the_bookings_of_a_user_are_listed(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    answer = await http.get("/bookings", params={"organizer": "alice"}, headers={"X-User": "alice"})
    assert answer.json() == {"bookings": [BOOKING.model_dump(mode="json")]}
    other = await http.get("/bookings", params={"organizer": "bob"}, headers={"X-User": "alice"})
    assert code(other) == (403, "bad_request")
    assert rooms.asked == [("alice",)]


async def test_a_write_is_looked_up_by_its_key(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    assert (await http.get("/writes/key%20one", headers=KEYS)).json()["kind"] == "booked"
    rooms.written = Gone(booking_id="")
    assert code(await http.get("/writes/key%20one", headers=KEYS)) == (404, "unknown_key")
    assert rooms.asked == [("key one", "alice")] * 2


async def test_what_the_world_says_no_to_has_a_code_each(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    versioned = KEYS | {"If-Match": '"1"'}
    rooms.booked = rooms.moved = Taken(room_id="R1001")
    assert code(await http.post("/bookings", json=ORDER, headers=KEYS)) == (409, "taken")
    assert code(await http.patch("/bookings/b1", json=PLACE, headers=versioned)) == (409, "taken")
    rooms.moved = rooms.cancelled = Gone(booking_id="b1")
    assert code(await http.patch("/bookings/b1", json=PLACE, headers=versioned)) == (404, "gone")
    assert code(await http.delete("/bookings/b1", headers=versioned)) == (404, "gone")
    rooms.booked = Refused(tool="book_room", reason="closed for cleaning")
    refused = await http.post("/bookings", json=ORDER, headers=KEYS)
    assert code(refused) == (422, "refused")
    assert refused.json()["detail"] == "closed for cleaning"


async def test_a_service_that_fails_is_a_server_error(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    down = Failed(tool="x", reason="secret", retryable=True)
    rooms.found = rooms.booked = rooms.listed = rooms.written = down
    wish = {"date": "2026-12-01", "start_time": "10:00", "duration_minutes": 60, "capacity": 8}
    for answer in (
        await http.post("/availability", json=wish),
        await http.post("/bookings", json=ORDER, headers=KEYS),
        await http.get("/bookings", headers=KEYS),
        await http.get("/writes/key-00000001", headers=KEYS),
    ):
        assert code(answer) == (503, "unavailable")
        assert "secret" not in answer.text


async def test_a_bug_is_a_server_error_without_its_text(
    http: httpx2.AsyncClient, rooms: ScriptedRooms, caplog: pytest.LogCaptureFixture
) -> None:
    rooms.error = RuntimeError("secret")
    wish = {"date": "2026-12-01", "start_time": "10:00", "duration_minutes": 60, "capacity": 8}
    answer = await http.post("/availability", json=wish)
    assert code(answer) == (500, "unavailable")
    assert "secret" not in answer.text
    assert "POST /availability" in caplog.text


@pytest.mark.parametrize(
    "change",
    [
        {"room_id": ""},
        {"date": "tomorrow"},
        {"start_time": "25:00"},
        {"duration_minutes": 0},
        {"duration_minutes": 1441},
        {"duration_minutes": "x"},
        {"people": -1},
        {"people": 10**30},
        {"title": "x" * 501},
        {"organizer": "mallory"},
    ],
    ids=str,
)
async def test_arguments_outside_the_schema_are_named(
    http: httpx2.AsyncClient, rooms: ScriptedRooms, change: dict[str, object]
) -> None:
    answer = await http.post("/bookings", json=ORDER | change, headers=KEYS)
    assert code(answer) == (422, "bad_arguments")
    assert next(iter(change)) in answer.json()["detail"]
    assert rooms.asked == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 60_000], ids=["", "cut", "list", "bytes", "deep"])
async def test_a_body_that_is_no_object_is_refused(http: httpx2.AsyncClient, body: bytes) -> None:
    answer = await http.post("/bookings", content=body, headers=KEYS | {"Content-Type": "application/json"})
    assert code(answer) == (422, "bad_arguments")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Idempotency-Key": "key-00000001", "If-Match": "1"}, (400, "bad_request")),
        ({"X-User": "alice", "If-Match": "1"}, (400, "bad_request")),
        ({"X-User": "alice", "Idempotency-Key": "key-00000001"}, (400, "bad_request")),
        ({"X-User": "a" * 129, "Idempotency-Key": "key-00000001", "If-Match": "1"}, (422, "bad_arguments")),
        ({"X-User": "alice", "Idempotency-Key": "short", "If-Match": "1"}, (422, "bad_arguments")),
        ({"X-User": "alice", "Idempotency-Key": "k" * 65, "If-Match": "1"}, (422, "bad_arguments")),
        ({"X-User": "alice", "Idempotency-Key": "key-00000001", "If-Match": "*"}, (422, "bad_arguments")),
    ],
    ids=["no user", "no key", "no version", "long user", "short key", "long key", "bad version"],
)
async def test_headers_of_a_write_are_checked(
    http: httpx2.AsyncClient, rooms: ScriptedRooms, headers: dict[str, str], expected: tuple[int, str]
) -> None:
    assert code(await http.delete("/bookings/b1", headers=headers)) == expected
    assert rooms.asked == []


# Weather, in Open-Meteo's shape.


async def test_a_place_is_found_with_open_meteos_keys(http: httpx2.AsyncClient) -> None:
    answer = (await http.get("/v1/search", params={"name": "上海", "language": "en", "count": 1})).json()
    assert answer["generationtime_ms"] >= 0
    (place,) = answer["results"]
    assert place == {
        "id": 1796236,
        "name": "Shanghai",
        "latitude": 31.22222,
        "longitude": 121.45806,
        "feature_code": "PPLA",
        "country_code": "CN",
        "country": "China",
        "admin1": "Shanghai",
        "timezone": "Asia/Shanghai",
        "population": 24874500,
    }


async def test_without_a_match_the_key_is_absent(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/v1/search", params={"name": "Atlantis"})
    assert answer.status_code == 200
    assert "results" not in answer.json()


async def test_places_come_in_the_order_of_the_file(http: httpx2.AsyncClient) -> None:
    results = (await http.get("/v1/search", params={"name": "suzhou"})).json()["results"]
    assert [place["admin1"] for place in results] == ["Anhui", "Jiangsu"]
    assert len((await http.get("/v1/search", params={"name": "suzhou", "count": 1})).json()["results"]) == 1


async def test_a_forecast_has_parallel_arrays_with_units(http: httpx2.AsyncClient) -> None:
    variables = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max"
    params: Params = {"latitude": 31.2, "longitude": 121.5, "timezone": "auto", "daily": variables}
    answer = (await http.get("/v1/forecast", params=params)).json()
    assert answer["timezone"] == "Asia/Shanghai"
    assert answer["utc_offset_seconds"] == 28800
    assert list(answer["daily"]) == ["time", *variables.split(",")]
    assert {len(column) for column in answer["daily"].values()} == {7}
    assert answer["daily"]["time"][0] == "2026-11-30"
    assert answer["daily_units"]["temperature_2m_max"] == "°C"
    shanghai = load_weather("demo").find("上海")[0]
    assert answer["daily"]["weather_code"] == [day.code for day in shanghai.days]


async def test_past_days_and_days_without_weather_are_null(http: httpx2.AsyncClient) -> None:
    params: Params = {
        "latitude": 31.2, "longitude": 121.5, "timezone": "Asia/Shanghai", "daily": "weather_code",
        "forecast_days": 1, "past_days": 2,
    }  # fmt: skip
    daily = (await http.get("/v1/forecast", params=params)).json()["daily"]
    assert daily["time"] == ["2026-11-28", "2026-11-29", "2026-11-30"]
    assert daily["weather_code"][0] is None
    assert None not in daily["weather_code"][1:]


async def test_without_variables_there_is_no_daily(http: httpx2.AsyncClient) -> None:
    answer = (await http.get("/v1/forecast", params={"latitude": 0, "longitude": 0})).json()
    assert answer["timezone"] == "GMT"
    assert "daily" not in answer


@pytest.mark.parametrize(
    ("path", "params", "word"),
    [
        ("/v1/search", {}, "name"),
        ("/v1/search", {"name": "x", "count": "0"}, "count"),
        ("/v1/search", {"name": "x", "count": "٣"}, "count"),
        ("/v1/search", {"name": "x", "format": "protobuf"}, "format"),
        ("/v1/forecast", {"longitude": "0"}, "latitude"),
        ("/v1/forecast", {"latitude": "nan", "longitude": "0"}, "Latitude"),
        ("/v1/forecast", {"latitude": "0", "longitude": "181"}, "Longitude"),
        ("/v1/forecast", {"latitude": "0", "longitude": "0", "daily": "weather_code"}, "Timezone"),
        ("/v1/forecast", {"latitude": "0", "longitude": "0", "daily": "mood", "timezone": "auto"}, "mood"),
        ("/v1/forecast", {"latitude": "0", "longitude": "0", "timezone": "../../etc/passwd"}, "timezone"),
        ("/v1/forecast", {"latitude": "0", "longitude": "0", "forecast_days": "17"}, "forecast_days"),
    ],
)
async def test_a_bad_question_is_told_why(
    http: httpx2.AsyncClient, path: str, params: dict[str, str], word: str
) -> None:
    answer = await http.get(path, params=params)
    assert answer.status_code == 400
    assert answer.json()["error"] is True
    assert word in answer.json()["reason"]


async def test_a_site_without_weather_has_no_forecast(rooms: ScriptedRooms) -> None:
    mock = MockApis(load_site("demo"), rooms=rooms, weather=WeatherBook(), clock=lambda: NOW)
    async with await mock.start() as apis, httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"{apis.url}/v1/forecast", params={"latitude": 0, "longitude": 0})
    assert answer.status_code == 400


# HTTP itself.


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


# Faults.


async def test_faults_are_posted_counted_and_cleared(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    plan = {"faults": [{"kind": "status", "status": 502, "operation": "list_rooms", "call": 2}]}
    assert (await http.post("/faults", json=plan)).status_code == 201
    assert [(await http.get("/rooms")).status_code for _ in range(3)] == [200, 502, 200]
    report = (await http.get("/faults")).json()
    assert report["calls"] == {"list_rooms": 3}
    assert report["faults"][0]["kind"] == "status"
    assert (await http.delete("/faults")).json() == {"seed": 0, "faults": [], "calls": {}}
    assert [(await http.get("/rooms")).status_code for _ in range(2)] == [200, 200]


@pytest.mark.parametrize("plan", [{"faults": [{"kind": "mood"}]}, {"faults": [{}] * 101}, {"when": 1}], ids=str)
async def test_a_bad_plan_is_refused(http: httpx2.AsyncClient, plan: dict[str, object]) -> None:
    assert code(await http.post("/faults", json=plan)) == (422, "bad_arguments")


async def test_a_header_spoils_one_request(http: httpx2.AsyncClient) -> None:
    fault = json.dumps({"kind": "rate_limit", "seconds": 7})
    answer = await http.get("/rooms", headers={"X-Fault": fault})
    assert code(answer) == (429, "unavailable")
    assert answer.headers["retry-after"] == "7"
    assert (await http.get("/rooms", headers={"X-Fault": "html"})).text.startswith("<!doctype html>")
    assert code(await http.get("/rooms", headers={"X-Fault": "mood"})) == (400, "bad_request")
    assert (await http.get("/rooms")).status_code == 200


class FarAway(MockApis):
    """Thinks that every request comes from another machine."""

    def _judge(self, request: object, local: bool) -> tuple[Callable[[], object], Fault | None]:  # type: ignore[override] # wider types for the test
        return super()._judge(request, local=False)  # type: ignore[arg-type] # as above


async def test_faults_are_for_this_machine_only(rooms: ScriptedRooms) -> None:
    mock = FarAway(load_site("demo"), rooms=rooms, weather=WeatherBook(), clock=lambda: NOW)
    async with await mock.start(), httpx2.AsyncClient(base_url=mock.url, trust_env=False) as client:
        assert code(await client.post("/faults", json={"faults": []})) == (403, "bad_request")
        assert code(await client.get("/faults")) == (403, "bad_request")
        assert (await client.get("/rooms", headers={"X-Fault": "drop"})).status_code == 200


@pytest.mark.parametrize("kind", ["drop", "timeout", "timeout_after_commit"])
async def test_a_connection_can_end_without_a_word(http: httpx2.AsyncClient, rooms: ScriptedRooms, kind: str) -> None:
    fault = json.dumps({"kind": kind, "seconds": 0})
    with pytest.raises(httpx2.RemoteProtocolError):
        await http.post("/bookings", json=ORDER, headers=KEYS | {"X-Fault": fault})
    assert bool(rooms.asked) is (kind == "timeout_after_commit")


@pytest.mark.parametrize(
    ("kind", "carried_out"),
    [("status", False), ("conflict", False), ("redirect", False), ("html", True), ("wrong_shape", True),
     ("malformed", True), ("latency", True), ("drip", True)],
)  # fmt: skip
async def test_a_kind_says_whether_the_request_has_its_effect(
    http: httpx2.AsyncClient, rooms: ScriptedRooms, kind: str, carried_out: bool
) -> None:
    for override in (None, True, False):
        rooms.asked.clear()
        fault = json.dumps({"kind": kind, "seconds": 0, "carried_out": override})
        await http.post("/bookings", json=ORDER, headers=KEYS | {"X-Fault": fault})
        assert bool(rooms.asked) is (carried_out if override is None else override)


async def test_an_answer_can_be_cut_and_can_be_endless(http: httpx2.AsyncClient) -> None:
    with pytest.raises(httpx2.RemoteProtocolError):
        await http.get("/rooms", headers={"X-Fault": "cut"})
    received = 0
    async with http.stream("GET", "/rooms", headers={"X-Fault": "huge"}) as response:
        async for chunk in response.aiter_raw():
            received += len(chunk)
            if received > 1_000_000:
                break
    assert received > 1_000_000


def test_chances_are_drawn_from_the_seed() -> None:
    def struck(seed: int) -> list[bool]:
        plan = FaultPlan(Plan(seed=seed, faults=(Fault(kind="drop", times=None, chance=0.5),)))
        return [plan.take("list_rooms") is not None for _ in range(200)]

    assert struck(1) == struck(1) != struck(2)
    assert 60 < sum(struck(1)) < 140


def test_the_first_fault_that_strikes_is_the_one() -> None:
    faults = (Fault(kind="drop", operation="geocode"), Fault(kind="html", call=2, times=2))
    plan = FaultPlan(Plan(faults=faults))
    taken = [plan.take("geocode"), plan.take("geocode"), plan.take("forecast"), plan.take("forecast")]
    assert [fault and fault.kind for fault in taken] == ["drop", "html", "html", None]


# Starting and stopping.


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
