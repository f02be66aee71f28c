"""Client frames: what is taken, what is refused, and what a button's answer reads as."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from booking_bot.dialogue.model import Language
from booking_bot.errors import MessageError
from booking_bot.reply import Interrupt
from booking_bot.wire import Hello, Message, Ping, Resume, parse_frame, text_of_resume
from booking_bot.wire.frames import MAX_FRAME_BYTES

CHOICE = Interrupt(id="7", kind="ask_choice", labels=("1", "2"))
ONE = Interrupt(id="7", kind="ask_choice", labels=("1",))
CONFIRM = Interrupt(id="7", kind="ask_confirm")
INPUT = Interrupt(id="7", kind="ask_input")


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        ({"type": "hello"}, Hello),
        ({"type": "hello", "session_id": None, "last_seq": None, "token": None, "language": "auto"}, Hello),
        ({"type": "hello", "session_id": "x", "last_seq": 3, "token": "t", "language": "zh", "new": 1}, Hello),
        ({"type": "message", "id": "m1", "text": "hi"}, Message),
        ({"type": "resume", "id": "m2", "interrupt_id": "7", "status": "cancelled"}, Resume),
        ({"type": "ping"}, Ping),
    ],
)
def test_frames_of_the_protocol_are_read(frame: dict[str, Any], kind: type) -> None:
    assert isinstance(parse_frame(json.dumps(frame)), kind)


def test_the_limit_counts_bytes() -> None:
    room = MAX_FRAME_BYTES - len(json.dumps({"type": "message", "text": ""}))
    assert isinstance(parse_frame(json.dumps({"type": "message", "text": "x" * room})), Message)
    for text in ("x" * (room + 1), "会" * (room // 3 + 1)):
        with pytest.raises(MessageError) as refused:
            parse_frame(json.dumps({"type": "message", "text": text}, ensure_ascii=False))
        assert refused.value.code == "too_large"


@given(st.text() | st.binary() | st.recursive(st.none() | st.booleans() | st.text(), st.lists).map(json.dumps))
def test_whatever_arrives_the_worst_is_a_message_error(data: str | bytes) -> None:
    with contextlib.suppress(MessageError):
        parse_frame(data)


@given(
    st.fixed_dictionaries(
        {"type": st.sampled_from(("hello", "message", "resume", "ping"))},
        optional={
            name: st.none() | st.booleans() | st.integers() | st.text() | st.dictionaries(st.text(), st.text())
            for name in (
                "id",
                "text",
                "session_id",
                "last_seq",
                "token",
                "interrupt_id",
                "status",
                "payload",
                "language",
            )
        },
    )
)
def test_half_right_frames_are_read_or_refused(frame: dict[str, Any]) -> None:
    with contextlib.suppress(MessageError):
        parse_frame(json.dumps(frame))


def _resume(payload: object, status: str = "resolved") -> Resume:
    return Resume.model_validate(
        {"type": "resume", "id": "m", "interrupt_id": "7", "status": status, "payload": payload}
    )


@pytest.mark.parametrize(
    ("interrupt", "payload", "language", "text"),
    [
        (CHOICE, {"choice": 2}, "zh", "2"),
        (CHOICE, {"room_id": "R1002"}, "en", "R1002"),
        (ONE, {"choice": 1}, "zh", "确认"),
        (ONE, {"choice": 1}, "en", "yes"),
        (CONFIRM, {"confirmed": True}, "zh", "确认"),
        (CONFIRM, {"confirmed": True}, "en", "yes"),
        (CONFIRM, {"confirmed": False}, "zh", "不要"),
        (CONFIRM, {"confirmed": False}, "en", "no"),
        (CONFIRM, {"text": "改到3点"}, "zh", "改到3点"),
        (INPUT, {"text": "1小时"}, "zh", "1小时"),
    ],
)
def test_a_buttons_answer_becomes_words(
    interrupt: Interrupt, payload: dict[str, object], language: Language, text: str
) -> None:
    assert text_of_resume(_resume(payload), interrupt, language) == text


@pytest.mark.parametrize(
    ("interrupt", "language", "text"),
    [(CONFIRM, "zh", "不要"), (CONFIRM, "en", "no"), (CHOICE, "zh", "算了"), (INPUT, "en", "never mind")],
)
def test_giving_up_a_question_becomes_words(interrupt: Interrupt, language: Language, text: str) -> None:
    assert text_of_resume(_resume(None, "cancelled"), interrupt, language) == text


@pytest.mark.parametrize(
    ("interrupt", "payload"),
    [
        (CHOICE, None),
        (CHOICE, {}),
        (CHOICE, {"confirmed": True}),
        (CHOICE, {"choice": True}),
        (CHOICE, {"choice": "2"}),
        (CHOICE, {"choice": 1, "room_id": "R1"}),
        (CONFIRM, {"choice": 1}),
        (CONFIRM, {"confirmed": 1}),
        (CONFIRM, {"confirmed": True, "choice": 1}),
        (INPUT, {"text": "  "}),
    ],
)
def test_other_payloads_are_refused(interrupt: Interrupt, payload: dict[str, object] | None) -> None:
    with pytest.raises(MessageError) as refused:
        text_of_resume(_resume(payload), interrupt, "zh")
    assert refused.value.code == "bad_payload"


def test_an_answer_to_an_old_question_is_passed_on_for_the_engine_to_judge() -> None:
    assert text_of_resume(_resume({"confirmed": True}), CHOICE.model_copy(update={"id": "8"}), "zh") == "确认"
    assert text_of_resume(_resume({"choice": 2}), None, "zh") == "2"


SEVERAL = Interrupt(id="7", kind="ask_multi_choice", labels=("1", "2", "3"), options=("a", "b", "c"))


def test_several_choices_become_numbers_in_words() -> None:
    assert text_of_resume(_resume({"choices": [1, 3]}), SEVERAL, "zh") == "1, 3"
    assert SEVERAL.answer_schema["properties"]["choices"]["items"]["maximum"] == 3


@pytest.mark.parametrize("choices", [[], [0], [True], ["1"], [10**9], list(range(1, 99)), 1])
def test_choices_that_are_no_numbers_of_options_are_refused(choices: object) -> None:
    with pytest.raises(MessageError):
        text_of_resume(_resume({"choices": choices}), SEVERAL, "zh")
