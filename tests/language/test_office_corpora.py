"""Messages typed in offices, and inputs that other parsers were reported to read wrongly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from booking_bot.language.parse_json import to_json
from booking_bot.language.reader import read
from tests.language.office import context

FOLDER = Path(__file__).parent / "corpora"
SLOTS = ("date", "start_time", "end_time", "duration_minutes", "capacity", "building", "equipment")


def messages() -> list[dict[str, Any]]:
    files = ("office_zh", "office_en", "reported")
    return [json.loads(line) for f in files for line in (FOLDER / f"{f}.jsonl").read_text("utf-8").splitlines()]


def stated(text: str, now: str) -> dict[str, Any]:
    parsed: Any = to_json(read(text, context(now)))
    out = {k: v for k, v in parsed["slots"].items() if k in SLOTS}
    out |= {k: parsed[k] for k in ("choice", "confirm") if parsed[k] is not None}
    return out | ({"cancel": True} if parsed["intent"] == "cancel" else {})


@pytest.mark.parametrize("message", [pytest.param(m, id=m["id"]) for m in messages()])
def test_a_message_is_read_as_people_mean_it(message: dict[str, Any]) -> None:
    if message.get("debatable"):
        assert isinstance(stated(message["text"], message["now"]), dict)
    else:
        assert stated(message["text"], message["now"]) == message["expect"]


def test_even_where_people_disagree_the_reading_is_nearly_always_the_gold_one() -> None:
    debatable = [m for m in messages() if m.get("debatable")]
    agreed = [m for m in debatable if stated(m["text"], m["now"]) == m["expect"]]
    assert len(agreed) >= 0.9 * len(debatable)
