"""Bookings over HTTP: two steps for every write, one booking a key, and only one's own."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest

from booking_bot import BookingBot
from tests.channels.http_api.conftest import ORDER, SECRET, WISH, bearer, client_of, rows


async def book(
    client: httpx2.AsyncClient, order: dict[str, Any] = ORDER, key: str = "k", headers: dict[str, str] | None = None
) -> httpx2.Response:
    """Book in both steps."""
    named = {"Idempotency-Key": key, **(headers or {})}
    asked = await client.post("/v1/bookings", json=order, headers=named)
    assert asked.status_code == 202, asked.text
    confirmed = order | {"confirm_token": asked.json()["confirm_token"]}
    return await client.post("/v1/bookings", json=confirmed, headers=named)


async def test_a_post_without_the_token_only_reads_back(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    for _ in range(3):
        asked = await client.post("/v1/bookings", json=ORDER, headers={"Idempotency-Key": "k"})
        assert asked.status_code == 202
        assert asked.json()["status"] == "confirmation_required" and "R1001" in asked.json()["read_back"]
    assert await rows(bot) == ()


async def test_a_post_with_the_token_books_and_says_where(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    done = await book(client)
    assert done.status_code == 201
    (row,) = await rows(bot)
    assert (row.id, row.organizer, row.people) == (done.json()["booking"]["id"], "guest", 8)
    shown = await client.get(done.headers["Location"])
    assert shown.json() == done.json()["booking"]
    assert (await client.get("/v1/bookings")).json() == {"bookings": [done.json()["booking"]]}


async def test_the_token_may_come_in_a_header(client: httpx2.AsyncClient) -> None:
    named = {"Idempotency-Key": "k"}
    token = (await client.post("/v1/bookings", json=ORDER, headers=named)).json()["confirm_token"]
    done = await client.post("/v1/bookings", json=ORDER, headers=named | {"Confirm-Token": token})
    assert done.status_code == 201


async def test_the_same_request_again_gives_the_same_booking(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    first = await book(client)
    again = await client.post("/v1/bookings", json=ORDER, headers={"Idempotency-Key": "k"})
    assert again.status_code == 201 and again.json()["replayed"]
    assert again.json()["booking"] == first.json()["booking"]
    assert len(await rows(bot)) == 1


async def test_a_key_for_another_wish_is_refused(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    await book(client)
    other = await client.post("/v1/bookings", json=ORDER | {"start_time": "16:00"}, headers={"Idempotency-Key": "k"})
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert len(await rows(bot)) == 1


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (ORDER, {}, 400, "idempotency_key_missing"),
        (ORDER, {"Idempotency-Key": "k" * 200}, 422, "invalid"),
        (ORDER | {"confirm_token": "x"}, {"Idempotency-Key": "k"}, 409, "confirmation_invalid"),
        (ORDER | {"duration_minutes": 45}, {"Idempotency-Key": "k"}, 422, "rule_broken"),
        (ORDER | {"duration_minutes": "60"}, {"Idempotency-Key": "k"}, 422, "invalid"),
        (ORDER | {"organizer": "bob"}, {"Idempotency-Key": "k"}, 422, "invalid"),
        (WISH, {"Idempotency-Key": "k"}, 422, "invalid"),
        ([], {"Idempotency-Key": "k"}, 422, "invalid"),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_a_bad_request_is_a_problem_and_writes_nothing(
    client: httpx2.AsyncClient, bot: BookingBot, body: Any, headers: dict[str, str], status: int, code: str
) -> None:
    answer = await client.post("/v1/bookings", json=body, headers=headers)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code) and problem["detail"] and problem["title"]
    assert await rows(bot) == ()


async def test_a_broken_rule_names_the_field_and_what_is_legal(client: httpx2.AsyncClient) -> None:
    answer = await client.post(
        "/v1/bookings",
        json=ORDER | {"duration_minutes": 45},
        headers={"Idempotency-Key": "k", "Accept-Language": "zh-CN"},
    )
    (issue,) = answer.json()["issues"]
    assert (issue["field"], issue["legal"]) == ("duration_minutes", ["30", "60"])
    assert "不能订45分钟" in issue["message"]


async def test_ten_racing_for_one_room_make_one_booking(bot: BookingBot) -> None:
    async with client_of(bot, secret=SECRET) as client:
        done = await asyncio.gather(*(book(client, headers=bearer(f"user-{n}")) for n in range(10)))
    assert sorted(answer.status_code for answer in done) == [201] + [409] * 9
    late = next(answer.json() for answer in done if answer.status_code == 409)
    assert late["code"] == "taken" and late["rooms"] and late["alternatives"]
    assert len(await rows(bot)) == 1


async def test_moving_takes_two_steps(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    where = (await book(client)).headers["Location"]
    named = {"Idempotency-Key": "m"}
    asked = await client.patch(where, json={"start_time": "16:00"}, headers=named)
    assert asked.status_code == 202
    assert [f"{row.start_time:%H:%M}" for row in await rows(bot)] == ["14:00"]
    moving = {"start_time": "16:00", "confirm_token": asked.json()["confirm_token"]}
    done = await client.patch(where, json=moving, headers=named)
    assert (done.status_code, done.json()["status"], done.json()["booking"]["start"]) == (200, "moved", "16:00")
    again = await client.patch(where, json=moving, headers=named)
    assert again.status_code == 200 and again.json()["replayed"]


async def test_cancelling_takes_two_steps(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    where = (await book(client)).headers["Location"]
    asked = await client.delete(where)
    assert asked.status_code == 202 and [row.status for row in await rows(bot)] == ["booked"]
    done = await client.delete(where, headers={"Confirm-Token": asked.json()["confirm_token"]})
    assert (done.status_code, done.json()["status"]) == (200, "cancelled")
    assert [row.status for row in await rows(bot)] == ["cancelled"]
    assert (await client.get(where)).status_code == 404
    assert (await client.delete(where)).json()["replayed"]


async def test_anothers_booking_is_not_there(bot: BookingBot) -> None:
    async with client_of(bot, secret=SECRET) as client:
        where = (await book(client, headers=bearer("alice"))).headers["Location"]
        bob = bearer("bob") | {"Idempotency-Key": "b"}
        answers = [
            await client.get(where, headers=bob),
            await client.delete(where, headers=bob),
            await client.patch(where, json={"start_time": "16:00"}, headers=bob),
        ]
        assert [answer.status_code for answer in answers] == [404, 404, 404]
        assert (await client.get("/v1/bookings", headers=bob)).json() == {"bookings": []}
    assert [row.status for row in await rows(bot)] == ["booked"]


async def test_availability_lists_rooms_or_what_comes_near(client: httpx2.AsyncClient) -> None:
    query = {**WISH, "building": "A", "equipment": ["projector", "whiteboard"]}
    found = await client.get("/v1/availability", params=query)
    assert [room["room_id"] for room in found.json()["rooms"]] == ["R1002", "R1004"]
    await book(client, ORDER | {"room_id": "R1002"}, "a")
    await book(client, ORDER | {"room_id": "R1004"}, "b")
    none = (await client.get("/v1/availability", params=query)).json()
    assert none["rooms"] == [] and {item["kind"] for item in none["alternatives"]} == {"time", "equipment"}


async def test_rooms_are_listed(client: httpx2.AsyncClient) -> None:
    rooms = (await client.get("/v1/rooms")).json()["rooms"]
    assert [room["id"] for room in rooms][:2] == ["R1001", "R1002"] and len(rooms) == 9
