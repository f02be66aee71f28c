"""The tools as the SDK's own client sees them, in memory and in both protocol eras."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.server import MCPServer

from booking_bot import BookingBot
from booking_bot.channels.mcp import build_server
from tests.channels.mcp.conftest import ERAS, ORDER, WISH, call, client_of, refusal, rows

ARGUMENTS = {
    "talk": {"message", "session_id"},
    "search_rooms": {"date", "start_time", "duration_minutes", "capacity", "building", "equipment"},
    "suggest_alternatives": {
        "date",
        "start_time",
        "duration_minutes",
        "capacity",
        "building",
        "equipment",
        "room_id",
    },
    "book_room": {
        "date",
        "start_time",
        "duration_minutes",
        "capacity",
        "building",
        "equipment",
        "room_id",
        "title",
        "idempotency_key",
        "confirm_token",
    },
    "my_bookings": set(),
    "move_booking": {
        "booking_id",
        "date",
        "start_time",
        "duration_minutes",
        "room_id",
        "idempotency_key",
        "confirm_token",
    },
    "cancel_booking": {"booking_id", "idempotency_key", "confirm_token"},
    "get_weather": {"location", "date"},
}
READING = {"search_rooms", "suggest_alternatives", "my_bookings", "get_weather"}


@pytest.mark.parametrize("era", ERAS)
async def test_every_tool_is_listed_with_its_arguments_result_and_risk(server: MCPServer, era: str) -> None:
    async with client_of(server, era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert {name: set(tool.input_schema["properties"]) for name, tool in tools.items()} == ARGUMENTS
    for name, tool in tools.items():
        assert tool.description and tool.output_schema is not None and tool.annotations is not None
        assert tool.annotations.read_only_hint is (name in READING)
    assert tools["cancel_booking"].annotations.destructive_hint is True  # type: ignore[union-attr]  # checked above
    assert tools["book_room"].annotations.destructive_hint is False  # type: ignore[union-attr]  # checked above


async def test_no_tool_takes_a_user(server: MCPServer) -> None:
    async with client_of(server, "legacy") as client:
        tools = (await client.list_tools()).tools
        await call(client, "search_rooms", WISH | {"user": "bob", "organizer": "bob"})
    names = {name for tool in tools for name in tool.input_schema["properties"]}
    assert not names & {"user", "user_id", "organizer", "organizer_id"}


@pytest.mark.parametrize("era", ERAS)
async def test_talk_books_after_the_users_own_yes(server: MCPServer, bot: BookingBot, era: str) -> None:
    async with client_of(server, era) as client:
        said = [
            await call(client, "talk", {"message": message, "session_id": "s"})
            for message in ("明天下午2点8人会议室，1小时", "1", "确认")
        ]
    assert [set(reply) for reply in said] == [{"text", "phase", "slots", "pending", "options", "booking"}] * 3
    assert [reply["phase"] for reply in said] == ["AWAITING_SELECTION", "CONFIRMING", "BOOKED"]
    assert said[0]["slots"]["start_time"] == "14:00" and said[0]["options"][0]["room_id"] == "R1001"
    (row,) = await rows(bot)
    assert said[2]["booking"]["id"] == row.id and row.organizer == "alice"


async def test_a_session_label_belongs_to_its_user(bot: BookingBot) -> None:
    async with client_of(build_server(bot, user="alice"), "legacy") as alice:
        await call(alice, "talk", {"message": "明天下午2点8人会议室，1小时", "session_id": "s"})
    async with client_of(build_server(bot, user="bob"), "legacy") as bob:
        reply = await call(bob, "talk", {"message": "1", "session_id": "s"})
    assert reply["phase"] == "COLLECTING_SLOTS"


@pytest.mark.parametrize("era", ERAS)
async def test_search_gives_rooms_best_first(server: MCPServer, era: str) -> None:
    async with client_of(server, era) as client:
        found = await call(client, "search_rooms", WISH | {"equipment": ["projector"], "building": "A"})
    assert [room["room_id"] for room in found["rooms"]] == ["R1002", "R1004"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"duration_minutes": 45}, "rule_broken: 45 minutes cannot be booked"),
        ({"duration_minutes": 45}, "duration_minutes: use 30 or 60"),
        ({"date": "2026-12-24"}, "date: use 2026-12-01 or 2026-12-02"),
        ({"date": "tomorrow"}, "use YYYY-MM-DD"),
        ({"start_time": "2pm"}, "use HH:MM"),
        ({"room_id": "R404"}, "There is no room"),
        ({"capacity": 0}, "greater than or equal to 1"),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_broken_rule_is_a_clear_error(
    server: MCPServer, bot: BookingBot, change: dict[str, Any], said: str
) -> None:
    async with client_of(server, "legacy") as client:
        text = await refusal(client, "book_room", ORDER | change)
    assert said in text
    assert await rows(bot) == ()


async def test_weather_and_own_bookings_are_told(server: MCPServer) -> None:
    async with client_of(server, "legacy") as client:
        weather = await call(client, "get_weather", {"location": "Shanghai", "date": "2026-12-01"})
        assert weather["location"] == "Shanghai" and weather["text"]
        assert "place_unknown" in await refusal(client, "get_weather", {"location": "Atlantis"})
        assert await call(client, "my_bookings") == {"bookings": []}


@pytest.mark.parametrize("era", ERAS)
async def test_resources_and_prompt_are_there(server: MCPServer, era: str) -> None:
    async with client_of(server, era) as client:
        listed = {str(resource.uri) for resource in (await client.list_resources()).resources}
        assert listed == {"booking://rooms", "booking://policy", "booking://schedule/today"}
        read = {uri: json.loads((await client.read_resource(uri)).contents[0].text) for uri in listed}  # type: ignore[union-attr]  # text
        prompt = await client.get_prompt("book_a_room", {"wish": "a room for 8"})
    assert len(read["booking://rooms"]) == 9
    assert read["booking://policy"]["first_date"] == "2026-12-01"
    assert read["booking://schedule/today"] == {"date": "2026-11-30", "meetings": []}
    assert "a room for 8" in str(prompt.messages[0].content)


async def test_texts_are_in_the_servers_language(bot: BookingBot) -> None:
    async with client_of(build_server(bot, user="alice", language="zh"), "legacy") as client:
        asked = await call(client, "book_room", ORDER)
    assert asked["read_back"].startswith("请确认")


async def test_a_fault_inside_is_not_shown(server: MCPServer, bot: BookingBot, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(bot, "answer", broken)
    async with client_of(server, "legacy") as client:
        text = await refusal(client, "talk", {"message": "hi", "session_id": "s"})
    assert "secret detail" not in text
