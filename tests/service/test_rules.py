"""The house rules over typed arguments, and what a search says."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from booking_bot.service import BookingService, Caller, MoveWish, OperationRefused, openai_tools
from booking_bot.service.values import RoomWish
from tests.service.conftest import ALICE, wish
from tests.service.test_writes import booked

BROKEN = [
    ({"date": "2026-12-09"}, "date_outside_window", "date", ("2026-12-01", "2026-12-02")),
    ({"date": "2026-11-29"}, "date_past", "date", ("2026-12-01", "2026-12-02")),
    ({"duration_minutes": 45}, "duration_not_offered", "duration_minutes", ("30", "60")),
    ({"capacity": 11}, "capacity_too_large", "capacity", ()),
    ({"start_time": "07:00"}, "start_out_of_hours", "start_time", ("08:00",)),
    ({"start_time": "14:02"}, "start_off_grid", "start_time", ("14:00", "14:05")),
    ({"start_time": "21:30"}, "ends_past_closing", "start_time", ("21:00",)),
    ({"building": "Z"}, "building_unknown", "building", ()),
    ({"room_id": "R9"}, "room_unknown", "room_id", ()),
    ({"capacity": 9}, "room_does_not_fit", "capacity", ()),
    ({"building": "B"}, "room_does_not_fit", "building", ()),
    ({"equipment": ["video"]}, "room_does_not_fit", "equipment", ()),
]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("change", "code", "field", "legal"), BROKEN, ids=[code for _, code, *_ in BROKEN])
async def test_a_broken_rule_names_the_value_and_what_is_legal(
    service: BookingService, change: dict[str, object], code: str, field: str, legal: tuple[str, ...], language: str
) -> None:
    caller = Caller.model_validate({"user_id": "alice", "language": language})
    with pytest.raises(OperationRefused) as refused:
        await service.prepare_booking(caller, wish(**change), "k")
    (issue,) = refused.value.issues
    assert refused.value.code == "rule_broken"
    assert (issue.code, issue.field, issue.legal) == (code, field, legal)
    assert issue.message


async def test_every_broken_rule_is_named_at_once(service: BookingService) -> None:
    with pytest.raises(OperationRefused) as refused:
        await service.prepare_booking(ALICE, wish(date="2026-12-09", duration_minutes=45), "k")
    assert [issue.field for issue in refused.value.issues] == ["date", "duration_minutes"]


async def test_seats_are_rounded_up_and_it_is_said(service: BookingService) -> None:
    found = await service.search_rooms(ALICE, wish(capacity=9))
    assert [room.room_id for room in found.rooms] == ["R1004", "R1005", "R2003", "R2004"]
    assert [note.code for note in found.notes] == ["capacity_rounded"]


async def test_a_full_office_gives_alternatives(service: BookingService) -> None:
    await booked(service, what=wish(capacity=10, room_id="R1004"))
    found = await service.search_rooms(
        ALICE,
        RoomWish.model_validate(
            wish(equipment=["video"], building="A", capacity=10).model_dump(exclude={"room_id", "title"})
        ),
    )
    assert found.rooms == ()
    assert {alternative.kind for alternative in found.alternatives} == {"time", "building", "equipment"}


async def test_alternatives_of_a_room_are_its_own_times_and_other_rooms(service: BookingService) -> None:
    await booked(service)
    found = await service.suggest_alternatives(Caller(user_id="bob"), wish(), "R1001")
    assert {alternative.rooms[0].room_id for alternative in found.alternatives} == {"R1001"}
    assert found.rooms and "R1001" not in {room.room_id for room in found.rooms}


async def test_a_move_to_where_it_stands_is_refused(service: BookingService) -> None:
    booking_id = await booked(service)
    with pytest.raises(OperationRefused) as refused:
        await service.prepare_move(ALICE, booking_id, MoveWish.model_validate({"start_time": "14:00"}), "m")
    assert refused.value.code == "nothing_to_change"


async def test_an_unknown_place_has_no_weather(service: BookingService) -> None:
    with pytest.raises(OperationRefused) as refused:
        await service.get_weather(ALICE, "Nowhere at all")
    assert refused.value.code == "place_unknown"


async def test_weather_is_told_for_today_by_default(service: BookingService) -> None:
    report = await service.get_weather(Caller(user_id="alice", language="zh"), "上海")
    assert report.location == "上海" and report.date.isoformat() == "2026-11-30"


@pytest.mark.parametrize(
    "change",
    [
        {"date": 0},
        {"date": "0"},
        {"date": "2026-12-1"},
        {"date": "2026-02-30"},
        {"start_time": "2pm"},
        {"start_time": "24:00"},
        {"start_time": "14:00\n"},
        {"start_time": 50_400},
        {"duration_minutes": 0},
        {"capacity": -1},
        {"capacity": 10**9},
        {"equipment": ["slide"]},
        {"title": "a\x00b"},
        {"title": "\ud800"},
        {"organizer": "bob"},
    ],
    ids=str,
)
def test_arguments_that_are_no_values_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        wish(**change)


def test_strict_function_schemas_are_closed_and_require_everything() -> None:
    tools = openai_tools()
    assert [tool["function"]["name"] for tool in tools] == [
        "talk",
        "search_rooms",
        "suggest_alternatives",
        "book_room",
        "my_bookings",
        "move_booking",
        "cancel_booking",
        "get_weather",
    ]
    for tool in tools:
        assert tool["type"] == "function" and tool["function"]["strict"] is True
        schema = tool["function"]["parameters"]
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        text = json.dumps(schema)
        assert '"default"' not in text and "$ref" not in text
        assert "user" not in schema["properties"] and "organizer" not in schema["properties"]
