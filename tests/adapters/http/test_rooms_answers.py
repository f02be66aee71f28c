"""What the rooms client makes of answers word by word, also of those that no good service gives."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import AsyncIterator

import httpx2
import pytest

from booking_bot.adapters.http import HttpRooms
from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import Booked, Cancelled, Failed, Found, Gone, Listed, Moved, NoneFree, Refused
from booking_bot.dialogue.site import Site
from tests.adapters.http.conftest import PATIENT, Pauses

DAY = dt.date(2026, 12, 1)
TEN = dt.time(10)
WISH = RoomRequest(date=DAY, start_time=TEN, duration_minutes=60, capacity=8)
ORDER = BookingOrder(room_id="R1001", date=DAY, start_time=TEN, duration_minutes=60, people=6, key="key-00000001")
CHANGE = BookingChange(
    booking_id="b1", version=1, room_id="R1002", date=DAY, start_time=TEN, duration_minutes=60, key="key-00000002"
)
CANCELLATION = Cancellation(booking_id="b1", version=1, key="key-00000003")
BOOKING = Booking(id="b1", room_id="R1001", date=DAY, start_time=TEN, minutes=60, people=6, organizer="alice")
Plain = dict[str, object]


def plain(**change: object) -> Plain:
    return BOOKING.model_dump(mode="json") | change


def problem(status: int, code: str, detail: str = "") -> tuple[int, Plain]:
    return status, {"title": "x", "status": status, "code": code, "detail": detail, "instance": "/of/its/own"}


class Body(httpx2.AsyncByteStream):
    def __init__(self, content: bytes) -> None:
        self.content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.content


class Service:
    """Answers every call with `answer`, look-ups by key with `written`."""

    def __init__(self) -> None:
        self.answer: tuple[int, object] = (200, {})
        self.written: tuple[int, object] = problem(404, "unknown_key")
        self.asked: list[str] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        look_up = request.url.path.startswith("/writes/")
        self.asked.append("look-up" if look_up else request.method)
        status, reply = self.written if look_up else self.answer
        content = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
        return httpx2.Response(status, stream=Body(content))


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def client(service: Service, site: Site, pauses: Pauses) -> AsyncIterator[HttpRooms]:
    rooms = HttpRooms("http://rooms.test", site, limits=PATIENT, sleep=pauses, transport=httpx2.MockTransport(service))
    yield rooms
    await rooms.aclose()


async def test_a_refusal_is_told_in_one_short_line(service: Service, client: HttpRooms) -> None:
    service.answer = problem(422, "refused", "closed\n for   cleaning " + "x" * 1000)
    refused = await client.book_room(ORDER, "alice")
    assert isinstance(refused, Refused)
    assert refused.reason.startswith("closed for cleaning x")
    assert len(refused.reason) == 200
    assert isinstance(await client.move_booking(CHANGE, "alice"), Refused)
    assert isinstance(await client.cancel_booking(CANCELLATION, "alice"), Refused)
    assert service.asked == ["POST", "PATCH", "DELETE"]


@pytest.mark.parametrize(
    "answer",
    [
        problem(422, "bad_arguments"),
        problem(401, "bad_request"),
        problem(404, "unknown_key"),
        (404, b"<h1>no such page</h1>"),
        (403, b""),
        (422, {"detail": [{"loc": ["body"]}]}),
    ],
    ids=["arguments", "login", "odd code", "page not found", "forbidden", "problem of another kind"],
)
async def test_a_no_that_is_not_of_the_protocol_is_a_certain_failure(
    service: Service, client: HttpRooms, answer: tuple[int, object]
) -> None:
    service.answer = answer
    for failed in (
        await client.book_room(ORDER, "alice"),
        await client.move_booking(CHANGE, "alice"),
        await client.cancel_booking(CANCELLATION, "alice"),
    ):
        assert isinstance(failed, Failed)
        assert (failed.uncertain, failed.retryable) == (False, False)
    assert service.asked == ["POST", "PATCH", "DELETE"]


async def test_a_conflict_without_a_code_may_be_the_same_key_at_work(service: Service, client: HttpRooms) -> None:
    service.answer = (409, b"in progress")
    failed = await client.book_room(ORDER, "alice")
    assert isinstance(failed, Failed)
    assert failed.uncertain
    assert service.asked == ["POST"] * 3 + ["look-up"]


OTHERS = [
    plain(room_id="R1002"),
    plain(date="2026-12-02"),
    plain(start_time="10:30:00"),
    plain(minutes=30),
    plain(organizer="bob"),
    plain(status="cancelled"),
]


@pytest.mark.parametrize("other", [*OTHERS, {}, [], None], ids=str)
async def test_booked_is_never_said_of_another_booking(service: Service, client: HttpRooms, other: object) -> None:
    service.answer = (201, other)
    service.written = (200, {"kind": "booked", "booking": other})
    failed = await client.book_room(ORDER, "alice")
    assert isinstance(failed, Failed)
    assert failed.uncertain
    service.written = (200, {"kind": "booked", "booking": plain()})
    assert await client.book_room(ORDER, "alice") == Booked(booking=BOOKING)


@pytest.mark.parametrize("other", [plain(people=7), plain(title="other")], ids=str)
async def test_a_key_that_made_another_booking_says_nothing_of_this_one(
    service: Service, client: HttpRooms, other: Plain
) -> None:
    service.answer = (500, b"")
    service.written = (200, {"kind": "booked", "booking": other})
    failed = await client.book_room(ORDER, "alice")
    assert isinstance(failed, Failed)
    assert failed.uncertain


async def test_moved_and_cancelled_are_never_said_of_another_booking(service: Service, client: HttpRooms) -> None:
    service.answer = (200, plain(id="b2", room_id="R1003", version=2))
    moved = await client.move_booking(CHANGE, "alice")
    cancelled = await client.cancel_booking(CANCELLATION, "alice")
    assert isinstance(moved, Failed)
    assert isinstance(cancelled, Failed)
    right = plain(room_id="R1002", version=2)
    service.written = (200, {"kind": "moved", "booking": right})
    assert await client.move_booking(CHANGE, "alice") == Moved(booking=Booking.model_validate(right))
    right = plain(status="cancelled", version=2)
    service.written = (200, {"kind": "cancelled", "booking": right})
    assert await client.cancel_booking(CANCELLATION, "alice") == Cancelled(booking=Booking.model_validate(right))


async def test_a_look_up_tells_only_the_users_own_writes(service: Service, client: HttpRooms) -> None:
    service.written = (200, {"kind": "booked", "booking": plain(organizer="bob")})
    assert isinstance(await client.find_booking("key-00000001", "alice"), Failed)
    for answer in (problem(403, "bad_request"), problem(404, "gone"), (404, b"<h1>no such page</h1>"), (204, b"")):
        service.written = answer
        assert isinstance(await client.find_booking("key-00000001", "alice"), Failed)
    service.written = problem(404, "unknown_key")
    assert await client.find_booking("key-00000001", "alice") == Gone(booking_id="")


async def test_a_list_holds_own_bookings_in_known_rooms_by_start(service: Service, client: HttpRooms) -> None:
    early = plain(id="b0", start_time="09:00:00")
    service.answer = (
        200,
        {"bookings": [plain(), early, plain(organizer="bob"), plain(room_id="R9999")], "total": 4},
    )
    listed = await client.list_bookings("alice")
    assert isinstance(listed, Listed)
    assert [booking.id for booking in listed.bookings] == ["b0", "b1"]


async def test_only_rooms_of_the_site_are_offered_and_each_once(service: Service, client: HttpRooms) -> None:
    service.answer = (200, {"kind": "found", "room_ids": ["R9999", "R1002", "R1001", "R1002"], "page": 1})
    assert await client.search_rooms(WISH) == Found(room_ids=("R1002", "R1001"))
    alternatives = [
        {"kind": "time", "start_time": "11:00", "room_ids": ["R9999"]},
        {"kind": "time", "start_time": "12:00", "room_ids": ["R9999", "R1001"]},
    ]
    service.answer = (200, {"kind": "none_free", "fitting": 3, "alternatives": alternatives})
    answer = await client.search_rooms(WISH)
    assert isinstance(answer, NoneFree)
    assert [alternative.room_ids for alternative in answer.alternatives] == [("R1001",)]


@pytest.mark.parametrize(
    "reply",
    [{"kind": "found", "room_ids": []}, {"kind": "found", "room_ids": [1]}, {"kind": "maybe"}, {"kind": "found"}, 7],
    ids=str,
)
async def test_a_search_answer_of_another_shape_is_a_failure(
    service: Service, client: HttpRooms, reply: object
) -> None:
    service.answer = (200, reply)
    assert isinstance(await client.search_rooms(WISH), Failed)
