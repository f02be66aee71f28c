"""The rooms over HTTP keep the contract of room services."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

import pytest

from booking_bot.adapters.http import HttpLimits, HttpRooms
from booking_bot.channels.mock_apis import Fault, MockApis, Plan
from booking_bot.ports import RoomService
from tests.adapters.room_service_contract import RoomServiceContract


class TestHttpRooms(RoomServiceContract):
    @pytest.fixture
    async def service(self, rooms_client: Callable[[], HttpRooms]) -> RoomService:
        return rooms_client()


class TestHttpRoomsOfABadDay(RoomServiceContract):
    """Every fourth request goes wrong, one way after the other, and the user sees none of it.

    But for one thing: who loses a race after an attempt that was never answered is told that it is not certain.
    """

    may_stay_in_doubt = frozenset({"failed"})

    @pytest.fixture
    async def service(self, apis: MockApis, rooms_client: Callable[[HttpLimits], HttpRooms]) -> RoomService:
        kinds = cycle(("timeout_after_commit", "status", "malformed", "drop", "cut", "html", "rate_limit"))
        faults = [Fault.model_validate({"kind": next(kinds), "call": n, "seconds": 0}) for n in range(1, 400, 4)]
        apis.faults.replace(Plan(faults=tuple(faults)))
        return rooms_client(HttpLimits(attempt_s=20, total_s=60, lookup_s=20, attempts=8))
