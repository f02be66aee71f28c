"""The mock APIs go wrong as they are told, and only then."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import httpx2
import pytest

from booking_bot.adapters.http.wire import ProblemCode
from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.weather_file import WeatherBook
from booking_bot.channels.mock_apis import Fault, FaultPlan, MockApis, Plan
from booking_bot.channels.mock_apis.faults import FaultKind, Operation
from tests.channels.mock_apis.conftest import KEYS, NOW, ORDER, ScriptedRooms, code


async def test_faults_are_posted_counted_and_cleared(http: httpx2.AsyncClient, rooms: ScriptedRooms) -> None:
    plan = {"faults": [{"kind": "status", "status": 502, "operation": "list_rooms", "call": 2}]}
    assert (await http.post("/faults", json=plan)).status_code == 201
    assert [(await http.get("/rooms")).status_code for _ in range(3)] == [200, 502, 200]
    report = (await http.get("/faults")).json()
    assert report["calls"] == {"list_rooms": 3}
    assert report["faults"][0]["kind"] == "status"
    assert (await http.delete("/faults")).json() == {"seed": 0, "faults": [], "calls": {}}
    assert [(await http.get("/rooms")).status_code for _ in range(2)] == [200, 200]


@pytest.mark.parametrize("plan", [{"faults": [{"kind": "mood"}]}, {"faults": [{}] * 101}, {"when": 1}], ids=str)
async def test_a_bad_plan_is_refused(http: httpx2.AsyncClient, plan: dict[str, object]) -> None:
    assert code(await http.post("/faults", json=plan)) == (422, "bad_arguments")


async def test_a_header_spoils_one_request(http: httpx2.AsyncClient) -> None:
    fault = json.dumps({"kind": "rate_limit", "seconds": 7})
    answer = await http.get("/rooms", headers={"X-Fault": fault})
    assert code(answer) == (429, "unavailable")
    assert answer.headers["retry-after"] == "7"
    assert (await http.get("/rooms", headers={"X-Fault": "html"})).text.startswith("<!doctype html>")
    assert code(await http.get("/rooms", headers={"X-Fault": "mood"})) == (400, "bad_request")
    assert (await http.get("/rooms")).status_code == 200


class FarAway(MockApis):
    """Thinks that every request comes from another machine."""

    def _judge(self, request: object, local: bool) -> tuple[Callable[[], object], Fault | None]:  # type: ignore[override] # wider types for the test
        return super()._judge(request, local=False)  # type: ignore[arg-type] # as above


async def test_faults_are_for_this_machine_only(rooms: ScriptedRooms) -> None:
    mock = FarAway(load_site("demo"), rooms=rooms, weather=WeatherBook(), clock=lambda: NOW)
    async with await mock.start(), httpx2.AsyncClient(base_url=mock.url, trust_env=False) as client:
        assert code(await client.post("/faults", json={"faults": []})) == (403, "bad_request")
        assert code(await client.get("/faults")) == (403, "bad_request")
        assert (await client.get("/rooms", headers={"X-Fault": "drop"})).status_code == 200


@pytest.mark.parametrize("kind", ["drop", "timeout", "timeout_after_commit"])
async def test_a_connection_can_end_without_a_word(http: httpx2.AsyncClient, rooms: ScriptedRooms, kind: str) -> None:
    fault = json.dumps({"kind": kind, "seconds": 0})
    with pytest.raises(httpx2.RemoteProtocolError):
        await http.post("/bookings", json=ORDER, headers=KEYS | {"X-Fault": fault})
    assert bool(rooms.asked) is (kind == "timeout_after_commit")


@pytest.mark.parametrize(
    ("kind", "carried_out"),
    [("status", False), ("conflict", False), ("redirect", False), ("html", True), ("wrong_shape", True),
     ("malformed", True), ("latency", True), ("drip", True)],
)  # fmt: skip
async def test_a_kind_says_whether_the_request_has_its_effect(
    http: httpx2.AsyncClient, rooms: ScriptedRooms, kind: str, carried_out: bool
) -> None:
    for override in (None, True, False):
        rooms.asked.clear()
        fault = json.dumps({"kind": kind, "seconds": 0, "carried_out": override})
        await http.post("/bookings", json=ORDER, headers=KEYS | {"X-Fault": fault})
        assert bool(rooms.asked) is (carried_out if override is None else override)


async def test_an_answer_can_be_cut_and_can_be_endless(http: httpx2.AsyncClient) -> None:
    with pytest.raises(httpx2.RemoteProtocolError):
        await http.get("/rooms", headers={"X-Fault": "cut"})
    received = 0
    async with http.stream("GET", "/rooms", headers={"X-Fault": "huge"}) as response:
        async for chunk in response.aiter_raw():
            received += len(chunk)
            if received > 1_000_000:
                break
    assert received > 1_000_000


def test_chances_are_drawn_from_the_seed() -> None:
    def struck(seed: int) -> list[bool]:
        plan = FaultPlan(Plan(seed=seed, faults=(Fault(kind="drop", times=None, chance=0.5),)))
        return [plan.take("list_rooms") is not None for _ in range(200)]

    assert struck(1) == struck(1) != struck(2)
    assert 60 < sum(struck(1)) < 140


def test_the_first_fault_that_strikes_is_the_one() -> None:
    faults = (Fault(kind="drop", operation="geocode"), Fault(kind="html", call=2, times=2))
    plan = FaultPlan(Plan(faults=faults))
    taken = [plan.take("geocode"), plan.take("geocode"), plan.take("forecast"), plan.take("forecast")]
    assert [fault and fault.kind for fault in taken] == ["drop", "html", "html", None]


def test_the_manual_names_every_kind_operation_and_code() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "mock-apis.md").read_text("utf-8")
    names = [*get_args(FaultKind), *get_args(Operation), *get_args(ProblemCode), *Fault.model_fields]
    assert [name for name in names if f"`{name}`" not in manual] == []
