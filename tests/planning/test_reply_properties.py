"""Whatever a model says: no exception, and no side effect that the text does not surely ask for.

``BOOKING_BOT_CORRUPTIONS=10000`` runs as many random corruptions; the default keeps the suite quick.
"""

from __future__ import annotations

import json
import os
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from booking_bot.planning.decision import parse
from tests.planning.test_reply_corpus import CASES, FOREIGN

CORRUPTIONS = int(os.environ.get("BOOKING_BOT_CORRUPTIONS", "1500"))
BOOK = '{"thought": "用户已确认", "action": "book_room", "action_input": {"room": "昆仑", "date": "2026-12-01"}}'
VALID = [
    BOOK,
    '{"thought": "齐", "action": "search_rooms", "action_input": {"capacity": 16}}',
    '{"thought": "缺", "action": "ask_user", "action_input": {"slot": "date"}}',
    '{"action": "finish", "action_input": null}',
]
WRAPPED_BOOKS = [
    BOOK,
    f'"{BOOK.replace(chr(34), chr(92) + chr(34))}"',
    f"[{BOOK}]",
    '{"tool_call": {"name": "book_room", "arguments": {"room": "昆仑", "date": "2026-12-01"}}}',
    '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "book_room", '
    '"arguments": "{\\"room\\": \\"昆仑\\", \\"date\\": \\"2026-12-01\\"}"}}]}',
    f"好的：\n```json\n{BOOK}\n```",
    f"<think>行</think>{BOOK}",
    'Action: book_room\nAction Input: {"room": "昆仑", "date": "2026-12-01"}',
]
NOISE = '{}[]":,\\\'“”：，｛｝<>/think`\n 0aT昆}{"'


def action_of(text: str) -> str | None:
    decision = parse(text, FOREIGN).decision
    return decision.action if decision else None


@given(st.text())
def test_any_text_is_read_without_an_exception(text: str) -> None:
    parsed = parse(text, FOREIGN)
    assert (parsed.decision is None) == (parsed.level == 3)


@given(st.lists(st.sampled_from([*NOISE, *VALID, "action", "<think>", "</think>", "Action: ", "```"]), max_size=40))
def test_scraps_of_answers_are_read_without_an_exception(scraps: list[str]) -> None:
    parse("".join(scraps), FOREIGN)


@pytest.mark.parametrize("text", WRAPPED_BOOKS)
def test_no_proper_prefix_of_an_answer_has_a_side_effect(text: str) -> None:
    whole = text.rindex("}") if text.endswith("```") else len(text) - 1
    assert all(action_of(text[:cut]) != "book_room" for cut in range(whole))


@settings(max_examples=200)
@given(
    st.sampled_from(VALID), st.text() | st.sampled_from([BOOK, "</think>" + BOOK, "\n<think>", "]", "Action: finish"])
)
def test_text_after_the_first_object_changes_nothing(answer: str, after: str) -> None:
    alone, followed = parse(answer, FOREIGN).decision, parse(answer + after, FOREIGN).decision
    assert alone
    assert followed
    assert (followed.action, followed.action_input) == (alone.action, alone.action_input)


def corrupted(text: str, dice: random.Random) -> str:
    """Change up to three places: delete, insert, replace, cut, double or swap."""
    for _ in range(dice.randint(1, 3)):
        at, length = dice.randrange(len(text) + 1), dice.randint(1, 6)
        match dice.randrange(6):
            case 0:
                text = text[:at] + text[at + length :]
            case 1:
                text = text[:at] + dice.choice(NOISE) + text[at:]
            case 2:
                text = text[:at] + dice.choice(NOISE) + text[at + 1 :]
            case 3:
                text = text[:at]
            case 4:
                text = text[: at + length] + text[at:]
            case _:
                other = dice.randrange(len(text) + 1)
                text = text[:at] + text[other : other + length] + text[at:]
    return text


def test_no_corruption_makes_a_side_effect() -> None:
    """A corrupted reply books only if its gold books, and then exactly what strictly valid JSON in it says."""
    dice, seen = random.Random(28), 0
    for _ in range(CORRUPTIONS):
        case = dice.choice(CASES)
        text = corrupted(case["text"], dice)
        decision = parse(text, FOREIGN).decision
        if decision and decision.action == "book_room":
            seen += 1
            assert case["final"] == "book_room", (case["id"], text)
            assert decision.reason in ("direct", "extracted"), text
            for value in decision.action_input.values():
                assert json.dumps(value, ensure_ascii=False) in text or "\\u" in text, text
    assert seen


@pytest.mark.parametrize(
    "text",
    [
        "{" * 1_000_000,
        '{"a":' * 200_000,
        "[" * 500_000,
        '"' * 1_000_000,
        "<think>" * 150_000,
        '{"action": "search_rooms", "x": ' + "[{" * 300_000,
        "“" * 1_000_000,
        '{"action":"ask_user","action_input":{"message":"' + "长" * 1_000_000 + '"}}',
        "{x}" * 300_000,
        "Action: " * 100_000,
        "Action:" + " " * 1_000_000 + "x",
        "action" * 200_000,
        '{"action":1' + "0" * 1_000_000 + "}",
        "<" + " " * 1_000_000 + "x",
        "< " * 500_000,
        "Action: a" + " " * 1_000_000 + "!",
        "Action: a\nAction Input:" + " " * 1_000_000 + "!",
        "Action: " + "a " * 500_000,
        "x{}</think>" + " " * 90_000 + "x{y}</think>",
        "Thought" + " " * 90_000 + "\nAction: a\n",
        '{"action":"' + "\\" * 1_000_000,
        "{'action':" + "'" * 90_000 + "}",
        "```" * 300_000 + "{",
        "<think></think>" * 70_000,
        "</think>" * 120_000,
    ],
    ids=range(25),
)
def test_a_megabyte_of_anything_is_read_in_bounded_time(text: str) -> None:
    before = time.process_time()
    parse(text, FOREIGN)
    assert time.process_time() - before < 2


def test_a_megabyte_after_an_answer_does_not_hide_it() -> None:
    assert action_of(VALID[1] + "{" * 1_000_000) == "search_rooms"
