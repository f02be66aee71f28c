"""What stands around the operations: tokens, hosts, origins, bounds, descriptions, health and metrics."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from booking_bot import BookingBot
from booking_bot.channels.http_api import openapi, serve
from booking_bot.channels.http_api.requests import MAX_BODY_BYTES
from booking_bot.errors import ConfigurationError
from booking_bot.tokens import make_token
from tests.channels.http_api.conftest import ORDER, SECRET, bearer, client_of, rows, served

PRIVATE = [
    ("GET", "/v1/rooms"),
    ("GET", "/v1/bookings"),
    ("GET", "/v1/availability"),
    ("POST", "/v1/bookings"),
    ("POST", "/v1/messages"),
    ("GET", "/v1/bookings/x"),
    ("PATCH", "/v1/bookings/x"),
    ("DELETE", "/v1/bookings/x"),
    ("POST", "/agui"),
    ("POST", "/mcp"),
]


@pytest.mark.parametrize(
    "authorization",
    [None, "Bearer x", "Basic YTpi", f"Bearer {make_token('alice', 'another secret of 32 characters!')}"],
    ids=["none", "junk", "basic", "forged"],
)
async def test_without_a_valid_token_nothing_private_is_answered(bot: BookingBot, authorization: str | None) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    async with client_of(bot, secret=SECRET) as client:
        answers = [await client.request(method, path, json={}, headers=headers) for method, path in PRIVATE]
    assert [answer.status_code for answer in answers] == [401] * len(PRIVATE)
    assert all(answer.headers["WWW-Authenticate"].startswith("Bearer") for answer in answers)


async def test_the_user_is_the_tokens(bot: BookingBot) -> None:
    async with client_of(bot, secret=SECRET) as client:
        for message in ("明天下午2点8人会议室，1小时", "选1", "确认"):
            said = {"session_id": "s", "text": message}
            answer = await client.post("/v1/messages", json=said, headers=bearer("alice"))
        assert answer.json()["phase"] == "BOOKED", answer.text
        other = await client.post("/v1/messages", json={"session_id": "s", "text": "选1"}, headers=bearer("bob"))
    assert other.json()["phase"] == "COLLECTING_SLOTS"
    assert [row.organizer for row in await rows(bot)] == ["alice"]


async def test_a_message_with_the_same_key_is_answered_once(client: httpx2.AsyncClient, bot: BookingBot) -> None:
    async def say(text: str, key: str) -> dict[str, Any]:
        said = {"session_id": "s", "text": text}
        answer = await client.post("/v1/messages", json=said, headers={"Idempotency-Key": key})
        return dict(answer.json())

    await say("明天下午2点8人会议室，1小时", "1")
    await say("选1", "2")
    first, again = await say("确认", "3"), await say("确认", "3")
    assert first == again and len(await rows(bot)) == 1


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[::1", ""])
async def test_an_open_server_answers_only_to_names_of_this_machine(client: httpx2.AsyncClient, host: str) -> None:
    answer = await client.get("/healthz", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (421, "wrong_host")


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:8766", 200),
        ("http://127.0.0.1:9999", 403),
        ("http://evil.example", 403),
        ("null", 403),
        ("https://rooms.example.org", 200),
    ],
)
async def test_only_its_own_and_allowed_origins_are_answered(bot: BookingBot, origin: str, status: int) -> None:
    async with client_of(bot, origins=["https://rooms.example.org"]) as client:
        assert (await client.get("/v1/rooms", headers={"Origin": origin})).status_code == status


async def test_with_a_secret_named_hosts_are_kept_to(bot: BookingBot) -> None:
    async with client_of(bot, secret=SECRET, hosts=["rooms.example.org"]) as client:
        assert (await client.get("/openapi.json")).status_code == 421
        assert (await client.get("/openapi.json", headers={"Host": "rooms.example.org:443"})).status_code == 200
    async with client_of(bot, secret=SECRET) as client:
        assert (await client.get("/healthz", headers={"Host": "any.example"})).status_code == 200


async def test_probes_from_the_same_machine_are_answered_whatever_the_servers_name(bot: BookingBot) -> None:
    async with client_of(bot, secret=SECRET, hosts=["rooms.example.org"]) as client:
        for path in ("/healthz", "/metrics"):
            assert (await client.get(path)).status_code == 200
            assert (await client.get(path, headers={"Host": "other.example"})).status_code == 421


async def test_the_address_listened_on_is_a_name(bot: BookingBot) -> None:
    async with client_of(bot, bound="127.0.0.2") as client:
        assert (await client.get("/v1/rooms", headers={"Host": "127.0.0.2:8766"})).status_code == 200
        assert (await client.get("/v1/rooms", headers={"Host": "127.0.0.3:8766"})).status_code == 421


async def test_pages_of_allowed_origins_may_call_the_api(bot: BookingBot) -> None:
    async with client_of(bot, secret=SECRET, origins=["https://rooms.example.org/"]) as client:
        preflight = {
            "Origin": "https://rooms.example.org",
            "Access-Control-Request-Method": "PATCH",
            "Access-Control-Request-Headers": "authorization, content-type, idempotency-key, confirm-token",
        }
        asked = await client.options("/v1/bookings/x", headers=preflight)
        assert (asked.status_code, asked.headers["Access-Control-Allow-Origin"]) == (200, "https://rooms.example.org")
        for headers, status in ((bearer("alice"), 200), ({}, 401)):
            told = await client.get("/v1/rooms", headers={"Origin": "https://rooms.example.org"} | headers)
            assert (told.status_code, told.headers["Access-Control-Allow-Origin"]) == (
                status,
                "https://rooms.example.org",
            )
        foreign = await client.options("/v1/rooms", headers=preflight | {"Origin": "https://evil.example"})
        assert (foreign.status_code, "Access-Control-Allow-Origin" in foreign.headers) == (403, False)


@pytest.mark.parametrize(
    ("content", "content_type", "status", "code"),
    [
        (b"{", "application/json", 400, "bad_json"),
        (b"\xff\xfe", "application/json", 400, "bad_json"),
        (b'{"session_id": "s", "text": "\\ud800"}', "application/json", 400, "bad_json"),
        (b"", "application/json", 400, "bad_json"),
        (b"{}", "text/plain", 415, "unsupported_media_type"),
        (b" " * (MAX_BODY_BYTES + 1), "application/json", 413, "too_large"),
        (b"[" * 50_000, "application/json", 400, "bad_json"),
        (b'{"session_id": "s", "text": ""}', "application/json", 422, "invalid"),
        (b'{"session_id": "\\n", "text": "hi"}', "application/json", 422, "invalid"),
    ],
    ids=lambda value: str(value)[:24],
)
async def test_bodies_that_are_none_are_problems(
    client: httpx2.AsyncClient, content: bytes, content_type: str, status: int, code: str
) -> None:
    answer = await client.post("/v1/messages", content=content, headers={"Content-Type": content_type})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_a_body_without_a_length_is_bounded_too(client: httpx2.AsyncClient) -> None:
    async def endless() -> Any:
        for _ in range(200):
            yield b" " * 1024

    answer = await client.post("/v1/messages", content=endless(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


async def test_unknown_paths_and_methods_are_problems(client: httpx2.AsyncClient) -> None:
    nowhere, wrong = await client.get("/nothing"), await client.put("/v1/bookings")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "not_found")
    assert wrong.status_code == 405 and set(wrong.headers["Allow"].split(", ")) == {"GET", "POST"}
    assert (await client.get("/v1/rooms?x=1")).status_code == 422


async def test_a_fault_inside_is_not_shown(bot: BookingBot, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(bot, "answer", broken)
    async with client_of(bot) as client:
        answer = await client.post("/v1/messages", json={"session_id": "s", "text": "hi"})
    assert answer.status_code == 500 and "secret detail" not in answer.text
    assert answer.json()["code"] == "internal_error"


async def test_health_metrics_and_description_are_open(bot: BookingBot) -> None:
    async with client_of(bot, secret=SECRET) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/openapi.json")).json() == openapi(secured=True)
        await client.get("/v1/bookings/some-id")
        await client.get("/somewhere/else")
        text = (await client.get("/metrics")).text
    assert 'path="/v1/bookings/{booking_id}",status="401"' in text
    assert 'path="other"' in text and "somewhere" not in text


def test_the_description_names_every_operation_and_only_known_schemas() -> None:
    described = openapi()
    operations = {(method, path) for path, methods in described["paths"].items() for method in methods}
    assert {path for _, path in operations} == {
        "/v1/messages",
        "/v1/rooms",
        "/v1/availability",
        "/v1/bookings",
        "/v1/bookings/{booking_id}",
        "/healthz",
        "/metrics",
    }
    assert {method for method, path in operations if path.startswith("/v1/bookings")} == {
        "get",
        "post",
        "patch",
        "delete",
    }
    schemas = described["components"]["schemas"]
    text = str(described)
    for name in {part.split("'")[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in schemas


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "rooms.example.org"])  # refused
async def test_a_host_others_can_reach_needs_a_secret(host: str, db: str) -> None:
    with pytest.raises(ConfigurationError, match="BOOKING_BOT_TOKEN_SECRET"):
        await serve(host, 0, site="demo", db=db)


async def test_a_port_in_use_is_said_in_one_line(db: str) -> None:
    async with served(db) as address:
        port = int(address.rsplit(":", 1)[1])
        with pytest.raises(ConfigurationError, match="in use"):
            await serve("127.0.0.1", port, site="demo", db="sqlite://")


async def test_a_real_server_serves_and_stops(db: str) -> None:
    async with served(db) as address, httpx2.AsyncClient(base_url=address) as client:
        asked = await client.post("/v1/bookings", json=ORDER, headers={"Idempotency-Key": "k"})
        assert asked.status_code == 202
        assert "uvicorn" not in str(asked.headers).lower()
    async with httpx2.AsyncClient(base_url=address) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get("/healthz")
