"""What every room service keeps, whoever implements it: subclass `RoomServiceContract` and give it a `service`.

The service stands for the demo site without bookings, and its clock at 2026-11-30 09:00 in the office. Nothing in here
is collected by itself: the class name does not begin with Test.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from typing import Any, ClassVar

import pytest

from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import Booked, Cancelled, Found, Gone, Listed, Moved, NoneFree, Taken, TakenTime
from booking_bot.ports import RoomService

NOW = dt.datetime.fromisoformat("2026-11-30T09:00:00+08:00")
DAY = dt.date(2026, 12, 1)
TODAY = NOW.date()


def at(text: str) -> dt.time:
    """Read HH:MM."""
    return dt.time.fromisoformat(text)


def wish(start: str = "14:00", minutes: int = 60, capacity: int = 8, **more: Any) -> RoomRequest:
    return RoomRequest(
        date=more.pop("date", DAY), start_time=at(start), duration_minutes=minutes, capacity=capacity, **more
    )


def order(key: str, start: str = "14:00", minutes: int = 60, room: str = "R1001", **more: Any) -> BookingOrder:
    return BookingOrder(
        room_id=room,
        date=more.pop("date", DAY),
        start_time=at(start),
        duration_minutes=minutes,
        people=more.pop("people", 8),
        key=f"key-{key:0>8}",
        **more,
    )


def change(booking: Booking, key: str, start: str, minutes: int = 60, **more: Any) -> BookingChange:
    return BookingChange(
        booking_id=booking.id,
        version=more.pop("version", booking.version),
        room_id=more.pop("room", booking.room_id),
        date=more.pop("date", booking.date),
        start_time=at(start),
        duration_minutes=minutes,
        key=f"key-{key:0>8}",
    )


def cancellation(booking: Booking, key: str, version: int | None = None) -> Cancellation:
    return Cancellation(booking_id=booking.id, version=version or booking.version, key=f"key-{key:0>8}")


async def booked(service: RoomService, wanted: BookingOrder, who: str = "alice") -> Booking:
    answer = await service.book_room(wanted, who)
    assert isinstance(answer, Booked), answer
    return answer.booking


class RoomServiceContract:
    """The behaviour of a `RoomService`; the fixture `service` is to be overridden."""

    may_stay_in_doubt: ClassVar[frozenset[str]] = frozenset()
    """Kinds that a loser of a race may get besides "taken", where an attempt's answer can be lost for good."""

    @pytest.fixture
    async def service(self) -> RoomService:
        raise NotImplementedError

    async def test_a_search_tells_when_the_room_that_is_wanted_is_taken(self, service: RoomService) -> None:
        await booked(service, order("a", start="13:00"))
        await booked(service, order("b", start="14:00"))
        found = await service.search_rooms(wish(start="14:30", capacity=10, wanted_room="R1001"))
        assert isinstance(found, Found)
        assert found.wanted_taken == (TakenTime(start_time=at("13:00"), minutes=120),)
        other = await service.search_rooms(wish(start="15:00", wanted_room="R1001"))
        assert isinstance(other, Found)
        assert other.wanted_taken == ()

    async def test_a_search_gives_the_least_seats_that_fit_then_the_room_id(self, service: RoomService) -> None:
        assert await service.search_rooms(wish(capacity=10)) == Found(room_ids=("R1004", "R1005", "R2003", "R2004"))

    async def test_a_search_minds_building_and_equipment(self, service: RoomService) -> None:
        found = await service.search_rooms(wish(building="B", equipment=("projector",)))
        assert found == Found(room_ids=("R2001", "R2003"))

    async def test_a_search_that_no_room_fits_says_so(self, service: RoomService) -> None:
        answer = await service.search_rooms(wish(capacity=11))
        assert isinstance(answer, NoneFree)
        assert answer.fitting == 0

    async def test_a_booked_room_is_not_found_at_that_time(self, service: RoomService) -> None:
        await booked(service, order("1"))
        found = await service.search_rooms(wish("14:30"))
        assert isinstance(found, Found)
        assert "R1001" not in found.room_ids

    async def test_a_booking_that_is_about_to_move_does_not_count_as_taken(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        asked = wish("14:30", room_id="R1001", ignoring_booking=made.id)
        assert await service.search_rooms(asked) == Found(room_ids=("R1001",))
        await booked(service, order("2", "15:00"), "bob")
        assert isinstance(await service.search_rooms(asked), NoneFree)

    async def test_when_nothing_is_free_near_times_are_offered(self, service: RoomService) -> None:
        await booked(service, order("1"))
        answer = await service.search_rooms(wish(room_id="R1001"))
        assert isinstance(answer, NoneFree)
        assert answer.fitting == 1
        assert [(a.kind, a.start_time) for a in answer.alternatives] == [
            ("time", at("13:00")),
            ("time", at("15:00")),
            ("time", at("12:30")),
        ]

    async def test_a_search_in_the_past_finds_nothing(self, service: RoomService) -> None:
        assert isinstance(await service.search_rooms(wish("08:30", date=TODAY)), NoneFree)
        assert isinstance(await service.search_rooms(wish(date=TODAY - dt.timedelta(days=1))), NoneFree)

    async def test_a_booking_is_told_as_it_was_ordered(self, service: RoomService) -> None:
        made = await booked(service, order("1", title="周会 <b>", people=7))
        assert made == Booking(
            id=made.id,
            room_id="R1001",
            date=DAY,
            start_time=at("14:00"),
            minutes=60,
            people=7,
            organizer="alice",
            title="周会 <b>",
            status="booked",
            version=1,
        )

    @pytest.mark.parametrize(
        ("start", "minutes", "free"),
        [
            pytest.param("13:00", 60, True, id="ends as it starts"),
            pytest.param("15:00", 60, True, id="starts as it ends"),
            pytest.param("13:30", 60, False, id="runs into it"),
            pytest.param("14:30", 60, False, id="starts within it"),
            pytest.param("14:15", 30, False, id="lies within it"),
            pytest.param("13:00", 180, False, id="encloses it"),
            pytest.param("14:00", 60, False, id="is the same"),
            pytest.param("14:55", 30, False, id="meets its last five minutes"),
        ],
    )
    async def test_intervals_are_half_open(self, service: RoomService, start: str, minutes: int, free: bool) -> None:
        await booked(service, order("1"))
        answer = await service.book_room(order("2", start, minutes), "bob")
        assert answer.kind == ("booked" if free else "taken")

    async def test_the_same_key_gives_the_booking_made_the_first_time(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        assert await booked(service, order("1")) == made
        assert (await service.list_bookings("alice")) == Listed(bookings=(made,))

    async def test_the_same_key_for_something_else_is_refused(self, service: RoomService) -> None:
        await booked(service, order("1"))
        assert await service.book_room(order("1", "16:00"), "alice") == Taken(room_id="R1001")
        assert await service.book_room(order("1", title="other"), "alice") == Taken(room_id="R1001")

    async def test_the_key_of_another_kind_of_write_is_refused(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        assert (await service.move_booking(change(made, "1", "16:00"), "alice")).kind == "taken"
        assert (await service.cancel_booking(cancellation(made, "1"), "alice")).kind == "gone"
        assert await service.list_bookings("alice") == Listed(bookings=(made,))

    async def test_a_key_belongs_to_its_user(self, service: RoomService) -> None:
        await booked(service, order("1"))
        assert (await booked(service, order("1", "16:00"), "bob")).organizer == "bob"

    async def test_a_cancelled_hour_can_be_booked_again(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        await service.cancel_booking(cancellation(made, "2"), "alice")
        again = await booked(service, order("3"))
        assert again.id != made.id

    @pytest.mark.parametrize(
        "wanted",
        [
            pytest.param(order("1", "08:00", date=TODAY), id="an hour ago"),
            pytest.param(order("1", date=TODAY - dt.timedelta(days=1)), id="yesterday"),
            pytest.param(order("1", "07:30"), id="before opening"),
            pytest.param(order("1", "21:30"), id="past closing"),
            pytest.param(order("1", "23:30", 60), id="across midnight"),
            pytest.param(order("1", room="R9999"), id="in a room that is not there"),
            pytest.param(order("1", people=9), id="with more people than seats"),
            pytest.param(order("1", "14:02"), id="off the grid"),
        ],
    )
    async def test_what_the_office_cannot_hold_is_not_booked(self, service: RoomService, wanted: BookingOrder) -> None:
        answer = await service.book_room(wanted, "alice")
        assert answer.kind in ("taken", "refused")
        assert await service.list_bookings("alice") == Listed(bookings=())

    async def test_a_start_of_a_moment_ago_still_counts_as_now(self, service: RoomService) -> None:
        await booked(service, order("1", "09:00", date=TODAY))

    async def test_of_many_who_want_one_room_one_gets_it(self, service: RoomService) -> None:
        answers = await asyncio.gather(*(service.book_room(order(str(i)), f"user{i}") for i in range(10)))
        kinds = [answer.kind for answer in answers]
        assert kinds.count("booked") == 1, answers
        assert set(kinds) <= {"booked", "taken"} | self.may_stay_in_doubt, answers
        for number in range(10):
            held = await service.list_bookings(f"user{number}")
            assert isinstance(held, Listed)
            assert len(held.bookings) == (kinds[number] == "booked")

    async def test_a_move_gives_the_booking_as_it_is_now(self, service: RoomService) -> None:
        made = await booked(service, order("1", title="t"))
        moved = await service.move_booking(change(made, "2", "16:00", 90, room="R1002"), "alice")
        expected = {"room_id": "R1002", "start_time": at("16:00"), "minutes": 90, "version": 2}
        assert moved == Moved(booking=made.model_copy(update=expected))
        assert await service.list_bookings("alice") == Listed(bookings=(moved.booking,))

    async def test_own_claims_do_not_block_a_move(self, service: RoomService) -> None:
        made = await booked(service, order("1", "11:30"))
        assert isinstance(await service.move_booking(change(made, "2", "11:45"), "alice"), Moved)

    async def test_a_move_frees_the_old_time(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        await service.move_booking(change(made, "2", "16:00"), "alice")
        await booked(service, order("3"), "bob")

    async def test_a_move_into_an_enclosing_booking_leaves_the_old_one_whole(self, service: RoomService) -> None:
        await booked(service, order("1", "08:00", 240, room="R1002"), "bob")
        made = await booked(service, order("2", "09:00"))
        assert await service.move_booking(change(made, "3", "09:00", room="R1002"), "alice") == Taken(room_id="R1002")
        assert await service.list_bookings("alice") == Listed(bookings=(made,))
        assert (await service.book_room(order("4", "09:30"), "bob")).kind == "taken"

    async def test_a_move_of_an_older_version_is_refused(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        await service.move_booking(change(made, "2", "16:00"), "alice")
        assert await service.move_booking(change(made, "3", "18:00"), "alice") == Gone(booking_id=made.id)

    async def test_the_same_move_again_gives_the_same(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        first = await service.move_booking(change(made, "2", "16:00"), "alice")
        assert await service.move_booking(change(made, "2", "16:00"), "alice") == first

    async def test_a_move_into_the_past_is_refused(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        assert (await service.move_booking(change(made, "2", "08:00", date=TODAY), "alice")).kind in (
            "taken",
            "refused",
        )

    async def test_somebody_elses_booking_is_not_there(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        assert await service.move_booking(change(made, "2", "16:00"), "bob") == Gone(booking_id=made.id)
        assert await service.cancel_booking(cancellation(made, "3"), "bob") == Gone(booking_id=made.id)
        assert await service.list_bookings("bob") == Listed(bookings=())

    async def test_a_cancellation_gives_the_booking_and_takes_it_off_the_list(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        answer = await service.cancel_booking(cancellation(made, "2"), "alice")
        assert answer == Cancelled(booking=made.model_copy(update={"status": "cancelled", "version": 2}))
        assert await service.list_bookings("alice") == Listed(bookings=())

    async def test_the_same_cancellation_again_gives_the_same(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        first = await service.cancel_booking(cancellation(made, "2"), "alice")
        assert await service.cancel_booking(cancellation(made, "2"), "alice") == first

    async def test_a_cancelled_booking_cannot_be_cancelled_or_moved(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        await service.cancel_booking(cancellation(made, "2"), "alice")
        assert isinstance(await service.cancel_booking(cancellation(made, "3", version=2), "alice"), Gone)
        assert isinstance(await service.move_booking(change(made, "4", "16:00", version=2), "alice"), Gone)

    async def test_a_cancellation_of_an_older_version_is_refused(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        await service.move_booking(change(made, "2", "16:00"), "alice")
        assert isinstance(await service.cancel_booking(cancellation(made, "3"), "alice"), Gone)

    async def test_bookings_are_listed_by_start(self, service: RoomService) -> None:
        late = await booked(service, order("1", "16:00"))
        early = await booked(service, order("2", "10:00", room="R2001"))
        await booked(service, order("3", "10:00"), "bob")
        assert await service.list_bookings("alice") == Listed(bookings=(early, late))

    async def test_each_write_is_found_by_its_key(self, service: RoomService) -> None:
        made = await booked(service, order("1"))
        assert await service.find_booking("key-00000001", "alice") == Booked(booking=made)
        moved = await service.move_booking(change(made, "2", "16:00"), "alice")
        assert await service.find_booking("key-00000002", "alice") == moved
        assert isinstance(moved, Moved)
        gone = await service.cancel_booking(cancellation(moved.booking, "3"), "alice")
        assert await service.find_booking("key-00000003", "alice") == gone

    async def test_a_key_that_did_nothing_is_gone(self, service: RoomService) -> None:
        await booked(service, order("1"))
        await service.book_room(order("2"), "bob")
        assert isinstance(await service.find_booking("key-00000002", "bob"), Gone)
        assert isinstance(await service.find_booking("key-00000001", "bob"), Gone)
