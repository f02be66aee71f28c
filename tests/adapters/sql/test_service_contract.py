"""The bookings of the database keep the contract of room services, on each database."""

from __future__ import annotations

import pytest

from booking_bot.adapters.sql import LedgerService, SqlStore
from booking_bot.ports import RoomService
from tests.adapters.room_service_contract import RoomServiceContract, order


class TestLedgerService(RoomServiceContract):
    @pytest.fixture
    async def service(self, store: SqlStore) -> RoomService:
        return LedgerService(store)


async def test_a_closed_database_is_an_observation(file_store: SqlStore) -> None:
    service = LedgerService(file_store)
    await file_store.close()
    failed = await service.book_room(order("1"), "alice")
    assert (failed.kind, getattr(failed, "uncertain", None)) == ("failed", True)
