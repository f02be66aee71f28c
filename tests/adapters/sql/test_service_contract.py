"""The bookings of the database keep the contract of room services, on each database."""

from __future__ import annotations

import pytest

from booking_bot.adapters.sql import LedgerService, SqlStore
from booking_bot.ports import RoomService
from tests.adapters.room_service_contract import RoomServiceContract, booked, cancellation, change, order, wish


class TestLedgerService(RoomServiceContract):
    @pytest.fixture
    async def service(self, store: SqlStore) -> RoomService:
        return LedgerService(store)


async def test_a_failing_database_is_an_observation(file_store: SqlStore) -> None:
    service = LedgerService(file_store)
    made = await booked(service, order("1"))
    await file_store.close()
    writes = [
        await service.book_room(order("2"), "alice"),
        await service.move_booking(change(made, "3", "16:00"), "alice"),
        await service.cancel_booking(cancellation(made, "4"), "alice"),
    ]
    reads = [
        await service.search_rooms(wish()),
        await service.list_bookings("alice"),
        await service.find_booking("key-00000001", "alice"),
    ]
    assert [(getattr(f, "tool", None), getattr(f, "uncertain", None)) for f in writes + reads] == [
        ("book_room", True),
        ("move_booking", True),
        ("cancel_booking", True),
        ("search_rooms", False),
        ("list_bookings", False),
        ("find_booking", False),
    ]
