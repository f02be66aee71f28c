"""The mock APIs on a real socket, over a room service that does as it is told."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator

import httpx2
import pytest

from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.weather_file import load_weather
from booking_bot.channels.mock_apis import MockApis
from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import Booked, Cancelled, Failed, Found, Gone, Listed, Moved, Refused, Taken

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
