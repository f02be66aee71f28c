"""A model's function calls: run for the caller, nothing raised, nothing written without the user's yes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from booking_bot import BookingBot
from booking_bot.service import FunctionCalls
from tests.service.conftest import ALICE, rows

WISH: dict[str, Any] = {
    "date": "2026-12-01",
    "start_time": "14:00",
    "duration_minutes": 60,
    "capacity": 8,
    "building": None,
    "equipment": None,
}
ORDER = WISH | {"room_id": "R1001", "title": None, "idempotency_key": "k", "confirm_token": None}


async def test_calls_book_move_and_cancel_in_two_steps(bot: BookingBot) -> None:
    calls = FunctionCalls(bot)

    async def both_steps(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        asked = await calls.run(ALICE, name, json.dumps(arguments))
        assert asked["status"] == "confirmation_required", asked
        return await calls.run(ALICE, name, arguments | {"confirm_token": asked["confirm_token"]})

    found = await calls.run(ALICE, "search_rooms", WISH)
    assert found["rooms"][0]["room_id"] == "R1001"
    booking_id = (await both_steps("book_room", ORDER))["booking"]["id"]
    assert (await calls.run(ALICE, "my_bookings", {}))["bookings"][0]["id"] == booking_id
    moving = {"booking_id": booking_id, "start_time": "16:00", "date": None, "idempotency_key": "m"}
    assert (await both_steps("move_booking", moving))["booking"]["start"] == "16:00"
    assert (await both_steps("cancel_booking", {"booking_id": booking_id}))["status"] == "cancelled"
    assert [row.status for row in await rows(bot)] == ["cancelled"]


async def test_the_reading_calls_answer(bot: BookingBot) -> None:
    calls = FunctionCalls(bot)
    talk = await calls.run(ALICE, "talk", {"message": "明天下午2点8人会议室，1小时", "session_id": "s"})
    assert set(talk) == {"text", "phase", "slots", "pending", "options", "booking"}
    assert (await calls.run(ALICE, "get_weather", {"location": "Shanghai", "date": None}))["location"] == "Shanghai"
    assert (await calls.run(ALICE, "suggest_alternatives", WISH | {"room_id": None}))["rooms"]


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("book_everything", {}, "unknown_function"),
        ("search_rooms", "{", "invalid"),
        ("search_rooms", "[]", "invalid"),
        ("search_rooms", json.dumps(WISH)[:-1] + ', "capacity": 9}', "invalid"),
        ("search_rooms", b"\xff", "invalid"),
        ("search_rooms", {}, "invalid"),
        ("book_room", ORDER | {"organizer": "bob"}, "invalid"),
        ("book_room", ORDER | {"duration_minutes": 45}, "rule_broken"),
        ("book_room", ORDER | {"confirm_token": "made up"}, "confirmation_invalid"),
        ("cancel_booking", {"booking_id": "nobody's"}, "not_found"),
    ],
)
async def test_what_a_model_gets_wrong_is_told_to_it(bot: BookingBot, name: str, arguments: Any, code: str) -> None:
    result = await FunctionCalls(bot).run(ALICE, name, arguments)
    assert result["error"]["code"] == code and result["error"]["message"]
    assert await rows(bot) == ()
