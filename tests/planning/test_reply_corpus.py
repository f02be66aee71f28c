"""What models really answer: every case of the corpus is read as its gold says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from booking_bot.planning.decision import Action, parse

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "corpora" / "llm_replies.jsonl").read_text("utf-8").splitlines()
]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Ask(_Closed):
    slot: str | None = None
    message: str | None = None


class _Search(_Closed):
    date: str | None = None
    start: str | None = None
    end: str | None = None
    capacity: int | None = None
    projector: bool | None = None
    floor: int | None = None


class _Book(_Closed):
    room: str
    date: str


class _Nothing(_Closed):
    pass


FOREIGN = {
    "ask_user": Action("ask_user", "", _Ask, "say"),
    "search_rooms": Action("search_rooms", "", _Search, "read"),
    "book_room": Action("book_room", "", _Book, "write"),
    "finish": Action("finish", "", _Nothing, "say"),
}
"""The tools the corpus was written for; they are not this bot's."""


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['id']}-{c['note']}")
def test_the_reply_is_read_as_its_gold_says(case: dict[str, Any]) -> None:
    parsed = parse(case["text"], FOREIGN)
    assert (parsed.decision and parsed.decision.action) == case["final"], parsed
    if parsed.decision:
        assert parsed.decision.action_input == case["final_input"]
    else:
        assert parsed.level == 3
        assert parsed.reason
    if case["raw"] is not None:
        assert parsed.raw == case["raw"]


def test_the_corpus_is_whole() -> None:
    assert len(CASES) == 60
