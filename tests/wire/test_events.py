"""Events are AG-UI's, agree with their count, and say the same every time they are made."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import jsonschema
import pytest
from ag_ui.core import Event as AgUiEvent
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from pydantic_core import to_json

from booking_bot.reply import ReadBackShown, Reply
from booking_bot.wire import (
    RunBegun,
    TurnShown,
    count_events,
    error_event,
    prompt_events,
    session_event,
    snapshot_event,
    turn_events,
)
from tests.wire.replies import ALL, ASKING, BOOKED, CONFIRMING, OFFERING

ZONE = ZoneInfo("Asia/Shanghai")
AG_UI: TypeAdapter[Any] = TypeAdapter(AgUiEvent)
replies = pytest.mark.parametrize("reply", ALL.values(), ids=ALL)


def events_of(reply: Reply, first_seq: int = 1) -> list[dict[str, Any]]:
    return turn_events(TurnShown("s", "m", "what was said", reply, first_seq), ZONE)


def outcome_of(reply: Reply) -> dict[str, Any]:
    outcome: dict[str, Any] = events_of(reply)[-1]["outcome"]
    return outcome


@replies
def test_every_event_of_a_turn_is_one_of_ag_ui(reply: Reply) -> None:
    for event in events_of(reply):
        assert AG_UI.validate_json(to_json(event)).type == event["type"]


@replies
def test_events_outside_of_turns_are_ag_uis_too(reply: Reply) -> None:
    events = [
        session_event("s", seq=3, head=9, reply=reply),
        snapshot_event(reply, seq=3),
        *prompt_events("s", reply, seq=3),
        error_event("bad_json", "no JSON", seq=3),
    ]
    for event in events:
        AG_UI.validate_json(to_json(event))
        assert event["seq"] == 3


@given(text=st.text(max_size=500), tools=st.lists(st.sampled_from(("search_rooms", "book_room")), max_size=6))
def test_the_count_agrees_with_the_events(text: str, tools: list[str]) -> None:
    reply = ASKING.model_copy(update={"text": text, "actions": tuple(tools)})
    events = events_of(reply, 41)
    assert len(events) == count_events(reply)
    assert [event["seq"] for event in events] == list(range(41, 41 + len(events)))
    assert "".join(event["delta"] for event in events if "delta" in event) == text


@given(text=st.text(min_size=1, max_size=300), cuts=st.lists(st.integers(1, 300), max_size=6))
def test_text_that_was_streamed_comes_in_the_same_pieces_again(text: str, cuts: list[int]) -> None:
    bounds = [0, *sorted({cut for cut in cuts if cut < len(text)})]
    pieces = [text[start:end] for start, end in pairwise(bounds)]
    reply = ASKING.model_copy(update={"text": text, "actions": (), "streamed": tuple(map(len, pieces))})
    events = events_of(reply, 5)
    begun = RunBegun("s", "m", "what was said", turn_id=reply.turn_id, first_seq=5)
    for piece in pieces:
        begun.wrote(piece)
    assert events[: len(begun.events)] == begun.events
    assert len(events) == count_events(reply)
    assert "".join(event["delta"] for event in events if "delta" in event) == text


def test_a_run_begins_with_what_was_told_of_its_tools() -> None:
    begun = RunBegun("s", "m", "what was said", turn_id=BOOKED.turn_id, first_seq=1)
    for tool in BOOKED.actions:
        begun.tool_started(tool)
        begun.tool_finished()
    assert events_of(BOOKED)[: len(begun.events)] == begun.events


def test_the_question_of_a_read_back_says_what_a_yes_does() -> None:
    shown = ReadBackShown(kind="tool", yes="Run it", no="Do not", tool="post.send")
    interrupt = outcome_of(CONFIRMING.model_copy(update={"read_back": shown}))["interrupts"][0]
    assert interrupt["metadata"] == {"read_back": shown.model_dump()}
    assert "metadata" not in outcome_of(ASKING)["interrupts"][0]


@replies
def test_a_stored_reply_gives_the_same_events(reply: Reply) -> None:
    stored = Reply.model_validate_json(reply.model_dump_json())
    assert [to_json(event) for event in events_of(stored)] == [to_json(event) for event in events_of(reply)]


@replies
def test_every_tool_call_has_a_result_so_that_no_client_answers_it(reply: Reply) -> None:
    events = events_of(reply)
    assert [e["toolCallName"] for e in events if e["type"] == "TOOL_CALL_START"] == list(reply.actions)
    started = [e["toolCallId"] for e in events if e["type"] == "TOOL_CALL_START"]
    assert started == [e["toolCallId"] for e in events if e["type"] == "TOOL_CALL_RESULT"]
    assert len(set(started)) == len(started)


@pytest.mark.parametrize(
    ("reply", "good", "bad"),
    [
        (ASKING, [{"text": "an hour"}], [{}, {"text": ""}, {"choice": 1}]),
        (OFFERING, [{"choice": 2}, {"room_id": "R1"}], [{}, {"choice": 3}, {"room_id": "R9"}, {"confirmed": True}]),
        (CONFIRMING, [{"confirmed": True}, {"confirmed": False}], [{}, {"confirmed": "yes"}, {"text": "yes"}]),
    ],
    ids=["input", "choice", "confirm"],
)
def test_a_question_says_what_answers_it(reply: Reply, good: list[Any], bad: list[Any]) -> None:
    outcome = outcome_of(reply)
    assert outcome["type"] == "interrupt"
    assert outcome["interrupts"][0]["reason"] == reply.pending
    schema = outcome["interrupts"][0]["responseSchema"]
    for payload in good:
        jsonschema.validate(payload, schema)
    for payload in bad:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(payload, schema)


def test_a_question_about_a_known_time_expires_with_its_start() -> None:
    assert outcome_of(CONFIRMING)["interrupts"][0]["expiresAt"] == "2026-12-01T14:05:00+08:00"
    assert "expiresAt" not in outcome_of(ASKING)["interrupts"][0]


def test_nothing_pending_is_success() -> None:
    assert outcome_of(BOOKED) == {"type": "success"}


def test_no_prompt_is_no_message() -> None:
    assert prompt_events("s", BOOKED.model_copy(update={"text": ""}), seq=0) == []
