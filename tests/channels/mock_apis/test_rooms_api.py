"""The mock rooms API as any HTTP client sees it."""

from __future__ import annotations

import httpx2
import pytest

from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import Failed, Gone, Refused, Taken
from tests.channels.mock_apis.conftest import BOOKING, KEYS, ORDER, PLACE, ScriptedRooms, code


async def test_the_rooms_of_the_site_are_listed(http: httpx2.AsyncClient) -> None:
    answer = (await http.get("/rooms")).json()
    assert [building["code"] for building in answer["buildings"]] == ["A", "B"]
    assert len(answer["rooms"]) == 9
    assert answer["rooms"][0]["name"] == {"zh": "会议室A", "en": "Room A"}


async def test_a_search_is_passed_on_whole(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    wish = {"date": "2026-12-01", "start_time": "10:00", "duration_minutes": 60, "capacity": 8, "building": "A"}
    answer = await http.post("/availability", json=wish)
    assert answer.json() == {"kind": "found", "room_ids": ["R1001"], "wanted_taken": []}
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


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
async def test_the_ends_of_the_calendar_are_no_days_to_book(http: httpx2.AsyncClient, day: str) -> None:
    wish = {"date": day, "start_time": "10:00", "duration_minutes": 60, "capacity": 8}
    assert code(await http.post("/availability", json=wish)) == (422, "bad_arguments")
    assert code(await http.post("/bookings", json=ORDER | {"date": day}, headers=KEYS)) == (422, "bad_arguments")
    move = {"json": PLACE | {"date": day}, "headers": KEYS | {"If-Match": '"3"'}}
    assert code(await http.patch("/bookings/b1", **move)) == (422, "bad_arguments")
