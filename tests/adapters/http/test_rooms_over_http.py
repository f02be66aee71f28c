"""The rooms client against the mock service over a real socket: what works, and each thing that can go wrong."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable

import pytest

from booking_bot.adapters.http import HttpRooms
from booking_bot.adapters.site_folder import load_site
from booking_bot.channels.mock_apis import Fault, MockApis, Plan
from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import (
    Booked,
    Cancelled,
    Failed,
    Found,
    Gone,
    Listed,
    Moved,
    NoneFree,
    Taken,
    ToolObservation,
)
from tests.adapters.http.conftest import HASTY, Pauses

TOMORROW = dt.date(2026, 12, 1)
Make = Callable[..., HttpRooms]


def order(key: str = "key-00000001", room: str = "R1001", hour: int = 10, title: str = "") -> BookingOrder:
    return BookingOrder(
        room_id=room, date=TOMORROW, start_time=dt.time(hour), duration_minutes=60, people=6, title=title, key=key
    )


def wish(hour: int = 10, **more: object) -> RoomRequest:
    fields = {"date": TOMORROW, "start_time": dt.time(hour), "duration_minutes": 60, "capacity": 8}
    return RoomRequest.model_validate(fields | more)


async def booked(client: HttpRooms, organizer: str = "alice", **how: object) -> Booking:
    answer = await client.book_room(order(**how), organizer)  # type: ignore[arg-type] # test shorthand
    assert isinstance(answer, Booked), answer
    return answer.booking


def go_wrong(apis: MockApis, kind: object, operation: object = "*", **more: object) -> None:
    apis.faults.replace(Plan(faults=(Fault.model_validate({"kind": kind, "operation": operation} | more),)))


def calls(apis: MockApis) -> dict[str, int]:
    counted = apis.faults.report()["calls"]
    assert isinstance(counted, dict)
    return counted


# What works.


async def test_a_booking_lives_from_search_to_cancellation(rooms_client: Make) -> None:
    client = rooms_client()
    found = await client.search_rooms(wish())
    assert isinstance(found, Found)
    assert found.room_ids[0] == "R1001"
    first = await booked(client, title="周会 <b>")
    assert (first.title, first.organizer, first.start_time) == ("周会 <b>", "alice", dt.time(10))
    again = await client.search_rooms(wish())
    assert isinstance(again, Found)
    assert "R1001" not in again.room_ids
    assert await client.list_bookings("alice") == Listed(bookings=(first,))
    change = BookingChange(
        booking_id=first.id, version=first.version, room_id="R1002", date=TOMORROW, start_time=dt.time(15),
        duration_minutes=30, key="key-00000002",
    )  # fmt: skip
    moved = await client.move_booking(change, "alice")
    assert isinstance(moved, Moved)
    assert (moved.booking.room_id, moved.booking.minutes) == ("R1002", 30)
    cancellation = Cancellation(booking_id=first.id, version=moved.booking.version, key="key-00000003")
    cancelled = await client.cancel_booking(cancellation, "alice")
    assert isinstance(cancelled, Cancelled)
    assert cancelled.booking.status == "cancelled"
    assert await client.list_bookings("alice") == Listed(bookings=())


async def test_nothing_free_comes_with_alternatives(rooms_client: Make) -> None:
    client = rooms_client()
    answer = await client.search_rooms(wish(capacity=9, building="A", equipment=["phone"]))
    assert isinstance(answer, NoneFree)
    assert answer.fitting == 0
    assert {alternative.kind for alternative in answer.alternatives} == {"equipment"}


async def test_who_comes_second_is_told_that_it_is_taken(rooms_client: Make) -> None:
    client = rooms_client()
    await booked(client)
    assert await client.book_room(order("key-of-bobby"), "bob") == Taken(room_id="R1001")


async def test_of_ten_at_once_one_gets_the_room(rooms_client: Make) -> None:
    client = rooms_client()
    answers = await asyncio.gather(*(client.book_room(order(f"key-0000-{n}"), f"user{n}") for n in range(10)))
    assert sorted(answer.kind for answer in answers) == ["booked"] + ["taken"] * 9


async def test_the_same_key_books_once(rooms_client: Make) -> None:
    client = rooms_client()
    assert await booked(client) == await booked(client)
    listed = await client.list_bookings("alice")
    assert isinstance(listed, Listed)
    assert len(listed.bookings) == 1


async def test_a_booking_of_somebody_else_is_gone(rooms_client: Make) -> None:
    client = rooms_client()
    own = await booked(client)
    cancellation = Cancellation(booking_id=own.id, version=own.version, key="key-of-mallory")
    assert await client.cancel_booking(cancellation, "mallory") == Gone(booking_id=own.id)
    assert await client.find_booking("key-00000001", "mallory") == Gone(booking_id="")
    assert await client.find_booking("key-00000001", "alice") == Booked(booking=own)


async def test_a_repeated_booking_that_was_moved_since_is_shown_where_it_is(rooms_client: Make) -> None:
    client = rooms_client()
    own = await booked(client)
    change = BookingChange(
        booking_id=own.id, version=own.version, room_id="R1002", date=TOMORROW, start_time=dt.time(15),
        duration_minutes=30, key="key-00000002",
    )  # fmt: skip
    await client.move_booking(change, "alice")
    assert (await booked(client)).room_id == "R1002"


@pytest.mark.parametrize("name", ["小明", "a b/c?d=e&f%20", "line\r\nX-Admin: 1"], ids=ascii)
async def test_any_name_and_key_travel_whole(rooms_client: Make, name: str) -> None:
    client = rooms_client()
    answer = await client.book_room(order(f"key?/{name}/.."), name)
    assert isinstance(answer, Booked)
    assert answer.booking.organizer == name
    assert await client.find_booking(f"key?/{name}/..", name) == answer


async def test_a_name_that_is_no_text_is_a_failure(rooms_client: Make) -> None:
    assert isinstance(await rooms_client().book_room(order(), "\ud800"), Failed)


# What goes wrong.

BEFORE = ["status", "rate_limit", "drop"]
AFTER = ["malformed", "html", "wrong_shape", "cut", "timeout_after_commit"]
SILENT: dict[str, object] = {"seconds": 0}


@pytest.mark.parametrize("kind", [*BEFORE, *AFTER])
async def test_one_fault_is_got_over(apis: MockApis, rooms_client: Make, kind: str) -> None:
    go_wrong(apis, kind, **SILENT)
    client = rooms_client()
    assert isinstance(await client.search_rooms(wish()), Found)
    assert calls(apis) == {"search_rooms": 2}


@pytest.mark.parametrize("kind", [*BEFORE, *AFTER])
async def test_a_write_is_made_once_whatever_goes_wrong_with_it(apis: MockApis, rooms_client: Make, kind: str) -> None:
    go_wrong(apis, kind, "book_room", **SILENT)
    client = rooms_client()
    await booked(client)
    listed = await client.list_bookings("alice")
    assert isinstance(listed, Listed)
    assert len(listed.bookings) == 1


@pytest.mark.parametrize("kind", ["status", "rate_limit", "drop", "redirect", *AFTER, "huge"])
async def test_a_service_that_stays_broken_is_a_failure(apis: MockApis, rooms_client: Make, kind: str) -> None:
    go_wrong(apis, kind, times=None, **SILENT)
    client = rooms_client()
    for answer in (await client.search_rooms(wish()), await client.list_bookings("alice")):
        assert isinstance(answer, Failed)
        assert not answer.uncertain
        assert len(answer.reason) <= 200
    assert all(count <= 3 for count in calls(apis).values())


@pytest.mark.parametrize("kind", AFTER)
async def test_a_lost_answer_is_found_by_its_key(apis: MockApis, rooms_client: Make, kind: str) -> None:
    client = rooms_client()
    go_wrong(apis, kind, "book_room", times=None, **SILENT)
    own = await booked(client)
    assert calls(apis) == {"book_room": 3, "find_booking": 1}
    go_wrong(apis, kind, "move_booking", times=None, **SILENT)
    change = BookingChange(
        booking_id=own.id, version=own.version, room_id="R1002", date=TOMORROW, start_time=dt.time(15),
        duration_minutes=30, key="key-00000002",
    )  # fmt: skip
    moved = await client.move_booking(change, "alice")
    assert isinstance(moved, Moved)
    go_wrong(apis, kind, "cancel_booking", times=None, **SILENT)
    cancellation = Cancellation(booking_id=own.id, version=moved.booking.version, key="key-00000003")
    assert isinstance(await client.cancel_booking(cancellation, "alice"), Cancelled)


@pytest.mark.parametrize("kind", AFTER)
async def test_an_outcome_that_cannot_be_looked_up_is_uncertain(apis: MockApis, rooms_client: Make, kind: str) -> None:
    go_wrong(apis, kind, times=None, **SILENT)
    answer = await rooms_client().book_room(order(), "alice")
    assert isinstance(answer, Failed)
    assert answer.uncertain
    assert calls(apis) == {"book_room": 3, "find_booking": 3}


@pytest.mark.parametrize(
    ("fault", "uncertain"),
    [
        ({"kind": "status", "status": 500}, False),
        ({"kind": "status", "status": 504}, True),
        ({"kind": "rate_limit", "seconds": 0}, False),
        ({"kind": "redirect"}, False),
        ({"kind": "malformed", "carried_out": False}, False),
        ({"kind": "drop"}, True),
        ({"kind": "cut", "carried_out": False}, True),
    ],
    ids=["500", "504", "429", "redirect", "malformed", "dropped", "cut"],
)
async def test_a_write_that_did_nothing_is_certain_when_it_is_known_to_be_over(
    apis: MockApis, rooms_client: Make, fault: dict[str, object], uncertain: bool
) -> None:
    go_wrong(apis, operation="book_room", times=None, **fault)
    answer = await rooms_client().book_room(order(), "alice")
    assert isinstance(answer, Failed)
    assert answer.uncertain is uncertain


@pytest.mark.parametrize("kind", ["latency", "timeout", "timeout_after_commit", "drip"])
async def test_silence_ends_with_the_time_limit(apis: MockApis, rooms_client: Make, kind: str) -> None:
    seconds = 0.05 if kind == "drip" else 600
    go_wrong(apis, kind, "search_rooms", times=None, seconds=seconds)
    answer = await rooms_client(HASTY).search_rooms(wish())
    assert isinstance(answer, Failed)
    assert answer.retryable


@pytest.mark.parametrize("kind", ["latency", "timeout_after_commit", "drip"])
async def test_a_booking_made_in_silence_is_found(apis: MockApis, rooms_client: Make, kind: str) -> None:
    seconds = 0.05 if kind == "drip" else 600
    go_wrong(apis, kind, "book_room", times=None, seconds=seconds)
    client = rooms_client(HASTY)
    answer: ToolObservation = await client.book_room(order(), "alice")
    for _ in range(200):  # on a busy machine the write may come in after the look-up
        if isinstance(answer, Booked):
            break
        assert isinstance(answer, Gone) or (isinstance(answer, Failed) and answer.uncertain)
        await asyncio.sleep(0.02)
        answer = await client.find_booking("key-00000001", "alice")
    assert isinstance(answer, Booked)


async def test_a_conflict_is_no_failure(apis: MockApis, rooms_client: Make) -> None:
    go_wrong(apis, "conflict", "book_room")
    assert await rooms_client().book_room(order(), "alice") == Taken(room_id="R1001")
    assert calls(apis) == {"book_room": 1}


async def test_taken_after_a_lost_answer_is_checked_before_it_is_said(apis: MockApis, rooms_client: Make) -> None:
    faults = (
        Fault(kind="timeout_after_commit", operation="book_room", seconds=0),
        Fault(kind="conflict", operation="book_room", call=2),
    )
    apis.faults.replace(Plan(faults=faults))
    await booked(rooms_client())
    assert calls(apis) == {"book_room": 2, "find_booking": 1}


async def test_taken_after_an_attempt_in_doubt_that_cannot_be_checked_is_uncertain(
    apis: MockApis, rooms_client: Make
) -> None:
    faults = (
        Fault(kind="drop", operation="book_room"),
        Fault(kind="conflict", operation="book_room", call=2),
        Fault(kind="status", operation="find_booking", times=None),
    )
    apis.faults.replace(Plan(faults=faults))
    answer = await rooms_client().book_room(order(), "alice")
    assert isinstance(answer, Failed)
    assert answer.uncertain


async def test_a_service_that_is_not_there_is_certain(rooms_client: Make, apis: MockApis) -> None:
    client = rooms_client(url=apis.url)
    await apis.close()
    answer = await client.book_room(order(), "alice")
    assert isinstance(answer, Failed)
    assert (answer.uncertain, answer.retryable) == (False, True)
    assert isinstance(await client.check(), Failed)


async def test_a_connection_closed_while_idle_is_opened_again(apis: MockApis, rooms_client: Make) -> None:
    client = rooms_client()
    await client.search_rooms(wish())
    url = apis.url
    await apis.close()
    await apis.start(port=int(url.rpartition(":")[2]))
    await booked(client)


async def test_a_client_that_was_closed_still_only_fails(rooms_client: Make) -> None:
    client = rooms_client()
    await client.search_rooms(wish())
    await client.aclose()
    assert isinstance(await client.search_rooms(wish()), Failed)


async def test_a_cancelled_call_is_cancelled(apis: MockApis, rooms_client: Make) -> None:
    go_wrong(apis, "timeout", seconds=600)
    task = asyncio.create_task(rooms_client().search_rooms(wish()))
    while not calls(apis):  # noqa: ASYNC110 # they are counted in another thread
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_pauses_are_drawn_between_nothing_and_a_growing_bound(
    apis: MockApis, rooms_client: Make, pauses: Pauses
) -> None:
    go_wrong(apis, "status", times=None)
    client = rooms_client()
    for _ in range(20):
        await client.search_rooms(wish())
    first, second = pauses.seconds[::2], pauses.seconds[1::2]
    assert len(pauses.seconds) == 40
    assert max(first) <= 0.2 < max(second) <= 0.4
    assert len(set(pauses.seconds)) == 40


async def test_a_short_retry_after_is_waited_for(apis: MockApis, rooms_client: Make, pauses: Pauses) -> None:
    go_wrong(apis, "rate_limit", seconds=2)
    assert isinstance(await rooms_client().search_rooms(wish()), Found)
    assert pauses.seconds == [2.0]


async def test_a_long_retry_after_ends_the_call(apis: MockApis, rooms_client: Make, pauses: Pauses) -> None:
    go_wrong(apis, "rate_limit", seconds=120)
    answer = await rooms_client().search_rooms(wish())
    assert isinstance(answer, Failed)
    assert answer.retryable
    assert pauses.seconds == []


async def test_the_service_is_checked(apis: MockApis, rooms_client: Make) -> None:
    assert await rooms_client().check() is None
    go_wrong(apis, "html")
    assert isinstance(await rooms_client().check(), Failed)
    assert calls(apis) == {"list_rooms": 1}


async def test_rooms_that_the_service_does_not_have_are_named_by_the_check(apis: MockApis) -> None:
    client = HttpRooms(apis.url, load_site("office"))
    answer = await client.check()
    await client.aclose()
    assert isinstance(answer, Failed)
    assert "24 rooms" in answer.reason


async def test_rooms_that_the_site_does_not_have_are_not_offered(apis: MockApis) -> None:
    client = HttpRooms(apis.url, load_site("office"))
    answer = await client.search_rooms(wish())
    await client.aclose()
    assert isinstance(answer, Failed)
