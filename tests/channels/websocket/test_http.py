"""The plain HTTP side of the port: page, data, health, metrics."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from booking_bot.channels.websocket.http import PAGE
from booking_bot.dialogue.model import BookingOrder
from booking_bot.tokens import make_token
from tests.channels.websocket.talking import SECRET, House


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def get(house: House, path: str, method: str = "GET", *, host: str | None = None, **headers: str) -> Answer:
    reader, writer = await asyncio.open_connection(house.listen, house.server.port)
    named = house.address if host is None else host
    lines = [f"{method} {path} HTTP/1.1", f"Host: {named}", *(f"{k}: {v}" for k, v in headers.items())]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    raw = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    found = dict(line.lower().split(": ", 1) for line in rest)
    return Answer(int(first.split(" ")[1]), found, body)


async def book(house: House, organizer: str, title: str, room_id: str = "R1001", hour: int = 14) -> None:
    order = BookingOrder(
        room_id=room_id,
        date=dt.date(2026, 12, 1),
        start_time=dt.time(hour),
        duration_minutes=60,
        people=8,
        title=title,
        key=f"{organizer}-{hour}-key",
    )
    store = house.bot.engine.store
    await store.run(lambda tx: store.ledger.book_room(tx, order, organizer))


async def test_every_file_of_the_page_is_served_with_its_type(house: House) -> None:
    for path in PAGE.rglob("*"):
        if path.is_file():
            answer = await get(house, f"/page/{path.relative_to(PAGE).as_posix()}")
            assert (answer.status, answer.body) == (200, path.read_bytes()), path
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert "unsafe" not in answer.headers["content-security-policy"]


async def test_the_root_is_the_page(house: House) -> None:
    answer = await get(house, "/")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert b"<html" in answer.body
    again = await get(house, "/", **{"If-None-Match": answer.headers["etag"]})
    assert (again.status, again.body) == (304, b"")


async def test_the_page_holds_no_inline_script_or_style() -> None:
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    assert " style=" not in text
    assert "<style" not in text
    assert " onclick" not in text
    assert text.count("<script") == text.count('<script type="module" src=')


async def test_a_favicon_is_there(house: House) -> None:
    assert (await get(house, "/favicon.ico")).headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    "path",
    ["/page/../server.py", "/page/%2e%2e/server.py", "/page//etc/passwd", "/etc/passwd", "/page/", "/api", "/x?y=z"],
)
async def test_nothing_else_is_served(house: House, path: str) -> None:
    assert (await get(house, path)).status == 404


async def test_other_methods_are_refused(house: House) -> None:
    assert (await get(house, "/", "DELETE")).status == 405
    assert (await get(house, "/ws")).status == 426


async def test_health_and_readiness(house: House) -> None:
    assert (await get(house, "/healthz")).json == {"status": "ok"}
    assert (await get(house, "/readyz")).json == {"status": "ready"}
    house.server.reception.closing = True
    assert (await get(house, "/readyz")).status == 503
    house.server.reception.closing = False


async def test_metrics_count_turns_and_refusals(house: House) -> None:
    async with house.talk() as talk:
        await talk.say("明天下午2点8人会议室")
        await talk.ws.send("junk")
        await talk.event()
        text = (await get(house, "/metrics")).body.decode()
    assert 'booking_bot_turns_total{phase="COLLECTING_SLOTS"} 1.0' in text
    assert 'booking_bot_refused_frames_total{code="bad_json"} 1.0' in text
    assert "booking_bot_connections 1.0" in text
    assert "booking_bot_turn_seconds_count 1.0" in text


async def test_the_site_is_described(house: House) -> None:
    site = (await get(house, "/api/site")).json
    assert (site["today"], site["first_date"], site["last_date"]) == ("2026-11-30", "2026-12-01", "2026-12-02")
    assert (site["opens"], site["closes"], site["durations"]) == (480, 1320, [30, 60, 90, 120])
    assert site["user"] == "guest"
    assert [room["id"] for room in site["rooms"]][:2] == ["R1001", "R1002"]


async def test_a_day_shows_own_bookings_by_title_and_others_only_as_busy(empty_house: House) -> None:
    house = await empty_house.open(secret=SECRET)
    await book(house, "alice", "Planning")
    await book(house, "bob", "Secret plans", "R1002")
    alice = {"Authorization": f"Bearer {make_token('alice', SECRET)}"}
    answer = await get(house, "/api/day?date=2026-12-01", **alice)
    mine, theirs = sorted(answer.json["busy"], key=lambda item: item["room"])
    assert (mine["room"], mine["start"], mine["end"], mine["title"]) == ("R1001", 840, 900, "Planning")
    assert theirs == {"room": "R1002", "start": 840, "end": 900}
    assert b"Secret" not in answer.body
    assert (await get(house, "/api/day?date=2026-12-02", **alice)).json["busy"] == []


async def test_ones_own_bookings_are_listed(empty_house: House) -> None:
    house = await empty_house.open(secret=SECRET)
    await book(house, "alice", "Planning")
    await book(house, "bob", "Secret plans", "R1002")
    answer = await get(house, "/api/bookings", Authorization=f"Bearer {make_token('alice', SECRET)}")
    assert [(item["room"], item["title"]) for item in answer.json["bookings"]] == [("R1001", "Planning")]


async def test_a_talk_is_saved_as_a_transcript_that_passes(empty_house: House, tmp_path: Path) -> None:
    house = await empty_house.open(secret=SECRET)
    await book(house, "bob", "Secret plans", "R1001")
    token = make_token("alice", SECRET)
    async with house.talk(token=token) as talk:
        for text in ("明天下午2点8人会议室", "1小时", "选1", "确认"):
            await talk.say(text)
    path = f"/api/transcript?session={talk.session_id}"
    answer = await get(house, path, Authorization=f"Bearer {token}")
    assert answer.headers["content-type"].startswith("application/yaml")
    assert b"Secret" not in answer.body
    assert b"bob" not in answer.body
    file = tmp_path / "conversation.yaml"
    file.write_bytes(answer.body)
    assert await asyncio.to_thread(_replayed, file) == 0
    other = {"Authorization": f"Bearer {make_token('bob', SECRET)}"}
    assert (await get(house, path, **other)).status == 404


@pytest.mark.parametrize(
    "change", [("把我的会改到下午4点", "确认"), ("取消我的预订", "确认取消")], ids=["moved", "cancelled"]
)
async def test_a_saved_talk_that_changes_an_earlier_booking_passes(
    house: House, tmp_path: Path, change: tuple[str, str]
) -> None:
    for text in ("明天下午2点8人会议室", "1小时", "选1", "确认"):
        await house.bot.handle("earlier", text, user_id="guest")
    async with house.talk() as talk:
        for text in change:
            await talk.say(text)
    file = tmp_path / "conversation.yaml"
    file.write_bytes((await get(house, f"/api/transcript?session={talk.session_id}")).body)
    assert await asyncio.to_thread(_replayed, file) == 0


def _replayed(file: Path) -> int:
    command = [sys.executable, "-m", "booking_bot", "replay", str(file)]
    return subprocess.run(command, check=False, timeout=60).returncode


@pytest.mark.parametrize("path", ["/api/site", "/api/day?date=2026-12-01", "/api/bookings", "/api/transcript"])
@pytest.mark.parametrize("value", [None, "Bearer nonsense", "Basic YWxpY2U6eA=="], ids=["none", "nonsense", "basic"])
async def test_data_needs_a_token(empty_house: House, path: str, value: str | None) -> None:
    house = await empty_house.open(secret=SECRET)
    answer = await get(house, path, **({"Authorization": value} if value else {}))
    assert (answer.status, answer.json["code"]) == (401, "unauthorized")


@pytest.mark.parametrize("query", ["", "?date=", "?date=tomorrow", "?date=2026-13-01"])
async def test_a_day_that_is_none_is_refused(house: House, query: str) -> None:
    assert (await get(house, f"/api/day{query}")).json["code"] == "bad_date"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("//[", 400),
        ("/api/day?date=9999-12-31", 400),
        ("/api/day?date=0001-01-01", 400),
        ("/api/transcript?session=", 404),
        (f"/api/transcript?session={'x' * 200}", 404),
    ],
    ids=["path", "last day", "first day", "no session", "long session"],
)
async def test_an_odd_request_is_the_askers_mistake(house: House, path: str, status: int) -> None:
    assert (await get(house, path)).status == status


async def test_an_odd_host_is_not_ours(house: House) -> None:
    for host in ("[", "[::1", "x y", ""):
        assert (await get(house, "/healthz", host=host)).status == 421


async def test_named_hosts_are_kept_to_but_for_probes(empty_house: House) -> None:
    house = await empty_house.open(secret=SECRET, hosts=["rooms.example.org"])
    assert [(await get(house, "/", host=host)).status for host in ("other.example", "localhost")] == [421, 421]
    assert (await get(house, "/", host="rooms.example.org")).status == 200
    assert [(await get(house, path, host="localhost")).status for path in ("/healthz", "/readyz", "/metrics")] == [
        200
    ] * 3


async def test_the_address_listened_on_is_a_name(empty_house: House) -> None:
    house = await empty_house.open(listen="127.0.0.2")
    assert (await get(house, "/")).status == 200


async def test_a_long_talk_is_kept_whole(house: House) -> None:
    for number in range(260):
        await house.bot.handle("long", f"hello {number}", user_id="guest")
    kept = (await get(house, "/api/transcript?session=long")).body.decode()
    assert kept.count("- user:") == 260
    assert "message_id" not in kept  # the host gave none


def test_the_page_comes_with_the_package() -> None:
    assert Path(PAGE, "index.html").is_file()
