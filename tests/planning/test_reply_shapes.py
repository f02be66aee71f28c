"""Shapes of calls beyond the corpus: wrappers, native calls rendered as text, lines, and what must not pass."""

from __future__ import annotations

from typing import Any

import pytest

from booking_bot.planning.decision import parse
from tests.planning.test_reply_corpus import FOREIGN

SEARCH = {"capacity": 6}
BOOK = '{"thought": "t", "action": "book_room", "action_input": {"room": "昆仑", "date": "2026-12-01"}}'

READ: dict[str, str] = {
    "tool_call": '{"tool_call": {"name": "search_rooms", "arguments": {"capacity": 6}}}',
    "tool_calls with arguments as text": '{"tool_calls": [{"id": "c", "type": "function", "function": '
    '{"name": "search_rooms", "arguments": "{\\"capacity\\": 6}"}}]}',
    "function_call": '{"function_call": {"name": "search_rooms", "arguments": {"capacity": 6}}}',
    "name and arguments": '{"name": "search_rooms", "arguments": {"capacity": 6}}',
    "tool and input": '{"tool": "SearchRooms", "input": {"capacity": 6}}',
    "action as an object": '{"thought": "t", "action": {"name": "search_rooms", "input": {"capacity": 6}}}',
    "tags around it": '<tool_call>\n{"name": "search_rooms", "arguments": {"capacity": 6}}\n</tool_call>',
    "keys in another spelling": '{"Thought": "t", "ACTION": "search rooms", "actionInput": {"capacity": 6}}',
    "Chinese keys": '{"思考": "t", "动作": "搜索会议室", "动作输入": {"capacity": 6}}',
    "Action lines": 'Thought: t\nAction: search_rooms\nAction Input: {"capacity": 6}\nObservation: []\n'
    "Action: book_room",
    "bold Action lines": '**Action:** `search_rooms`\n**Action Input:** ```json\n{"capacity": 6}\n```',
    "Chinese lines": '思考：t\n行动：搜索会议室\n行动输入：{"capacity": 6}',
    "Action lines, mended": "Action: search_rooms\nAction Input: {'capacity': 6,}",
    "thoughts twice": "<think>a</think><thinking>{b}</thinking>"
    '{"action": "search_rooms", "action_input": {"capacity": 6}}',
    "equal items of an array": '[{"action":"search_rooms","action_input":{"capacity":6}},'
    '{"action":"search_rooms","action_input":{"capacity":6}}]',
    "a list of data before": '[1, 2] {"action": "search_rooms", "action_input": {"capacity": 6}}',
    "prose and a late call": "好的，我查一下 {空位}\n"
    '{"thought": "", "action": "search_rooms", "action_input": {"capacity": 6}}',
}


@pytest.mark.parametrize("text", READ.values(), ids=READ.keys())
def test_a_call_that_reads_is_taken_in_every_usual_shape(text: str) -> None:
    parsed = parse(text, FOREIGN)
    assert parsed.decision, parsed
    assert (parsed.decision.action, parsed.decision.action_input) == ("search_rooms", SEARCH)


WRITES: dict[str, tuple[str, bool]] = {
    "direct": (BOOK, True),
    "in plain prose": (f"好的。\n{BOOK}\n完毕", True),
    "in a fence": (f"```json\n{BOOK}\n```", True),
    "after thinking": (f"<think>好</think>{BOOK}", True),
    "wrapped": ('{"tool_call": {"name": "book_room", "arguments": {"room": "昆仑", "date": "x"}}}', True),
    "after another object": ('{"a": 1} ' + BOOK, False),
    "after a list": ("[1] " + BOOK, False),
    "in tags": (f"<tool_call>{BOOK}</tool_call>", False),
    "after a broken thinking tag": (f"<thnk>不行</think>{BOOK}", True),
    "draft before a lone closing tag": (f"先想 {BOOK} 不行</think>{BOOK}", False),
    "after half an answer": ('"action": "ask_user", "action_input": {"slot": "date"}}' + BOOK, False),
    "mended": (BOOK.replace('"}}', '",}}'), False),
    "full-width": (BOOK.replace(":", "："), False),
    "lines": ('Action: book_room\nAction Input: {"room": "昆仑", "date": "x"}', False),
    "with a stranger beside": (BOOK[:-1] + ', "confirmed": true}', False),
    "two of them": (f"[{BOOK}, {BOOK.replace('昆仑', '泰山')}]", False),
    "input as broken text": (BOOK.replace('{"room"', '"{room').replace('"}}', '}"}'), False),
    "inside another object": (f'{{"example": {BOOK}}}', False),
    "inside a string": (
        '{"action": "ask_user", "action_input": {"message": "{\\"action\\": \\"book_room\\"}"}}',
        False,
    ),
}


@pytest.mark.parametrize(("text", "taken"), WRITES.values(), ids=WRITES.keys())
def test_a_write_is_taken_only_from_strict_json_in_plain_prose(text: str, taken: bool) -> None:
    decision = parse(text, FOREIGN).decision
    assert (decision is not None and decision.action == "book_room") == taken


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("好", "no_object"),
        ("42", "not_an_object"),
        ("null", "not_an_object"),
        ('"天气不错"', "not_an_object"),
        ("[]", "not_an_object"),
        ("{}", "no_object"),
        ("<think>{}", "unclosed_think"),
        ('{"action": "a", "action": "b"}', "duplicate_key"),
        ('{"action": "ask_user", "Action": "book_room"}', "duplicate_key"),
        ("{'action': 'ask_user', 'action': 'book_room'}", "duplicate_key"),
        ('{"action": "search_rooms", "action_input": {"capacity": 1e999}}', "not_a_number"),
        ('{"action": "ask_user", "action_input": ' + "[" * 30 + "]" * 30 + "}", "too_deep"),
        ('{"action": "search_rooms", "action_input": {"capacity": "viele"}}', "bad_arguments"),
        ('{"action": "search_rooms", "action_input": [1]}', "bad_arguments"),
        ('{"action": 7}', "unknown_action"),
        ('[{"action": "finish"}, {"action": "ask_user"}]', "several_plans"),
        ('[{"action": "search_rooms"}', "broken_array"),
        ('{"action": "search_rooms", "action_input": {}', "untrusted_repair"),
        ("{'action': 'ask_user', 'action_input': {'message': '" + "长" * 5_000 + "'}}", "too_large_to_repair"),
    ],
)
def test_what_is_no_decision_has_a_reason(text: str, reason: str) -> None:
    parsed = parse(text, FOREIGN)
    assert (parsed.decision, parsed.level, parsed.reason) == (None, 3, reason)


def test_a_message_that_broke_off_is_not_shown_by_half() -> None:
    decision = parse('{"action": "ask_user", "action_input": {"message": "请问您想在哪', FOREIGN).decision
    assert decision
    assert decision.action_input == {}


def test_plain_words_as_input_are_the_message() -> None:
    decision = parse('{"action": "ask_user", "action_input": "请问几点？"}', FOREIGN).decision
    assert decision
    assert decision.action_input == {"message": "请问几点？"}


@pytest.mark.parametrize("bad", ["\\ud800", "\\u0000"])
def test_text_that_no_database_takes_is_cleaned(bad: str) -> None:
    decision: Any = parse(
        f'{{"thought": "a{bad}", "action": "ask_user", "action_input": {{"message": "b{bad}"}}}}', FOREIGN
    )
    (decision.decision.thought + decision.decision.action_input["message"]).encode("utf-8")
    assert "\x00" not in decision.decision.thought
