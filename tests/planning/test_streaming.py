"""Text while it is written: only of replies, only what may be shown, and nothing of a claim or a link."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from booking_bot.planning.decision import parse
from booking_bot.planning.streaming import ReplyStream
from booking_bot.planning.wording import unfit
from tests.planning.test_reply_corpus import CASES, FOREIGN


def may_show(message: str) -> str | None:
    return None if unfit(message) else message.strip()


def streamed(text: str, piece: int = 1) -> str:
    deltas: list[str] = []
    stream = ReplyStream(deltas.append, may_show)
    for start in range(0, len(text), piece):
        stream.feed(text[start : start + piece])
    assert "".join(deltas) == stream.shown
    return stream.shown


def reply(message: str, action: str = "ask_user", *, ascii_only: bool = False) -> str:
    answer = {"thought": "想", "action": action, "action_input": {"slot": "date", "message": message}}
    return json.dumps(answer, ensure_ascii=ascii_only)


@given(st.text(max_size=200), st.integers(1, 9), st.booleans())
def test_the_deltas_of_a_reply_are_its_message(message: str, piece: int, ascii_only: bool) -> None:
    expected = may_show(message)
    if "\ud800" <= max(message, default="a") <= "\udfff" or expected is None:
        return
    assert streamed(reply(message, ascii_only=ascii_only), piece) == expected


def test_text_is_out_before_the_answer_is_over() -> None:
    message = "请问您想从几点开始，" * 10
    text = reply(message)
    deltas: list[str] = []
    ReplyStream(deltas.append, may_show).feed(text[: text.index(message) + 80])
    assert deltas
    assert message.startswith("".join(deltas))


@pytest.mark.parametrize("action", ["search_rooms", "book_room", "get_weather", "ask_choice"])
def test_nothing_is_shown_of_what_is_no_reply(action: str) -> None:
    assert streamed(reply("我来查一下有哪些会议室可以用", action)) == ""


@pytest.mark.parametrize(
    "text",
    [
        "好的，我来查一下。" + reply("几点？"),
        reply("几点？").replace('"action"', '"actions"'),
        '{"action": "ask_user", "message": "几点？"}',
        '{"action": "ask_user", "action_input": {"deep": {"message": "几点？"}}}',
        '{"action_input": {"message": "几点？"}, "action": "search_rooms"}',
        '[{"action": "ask_user", "action_input": {"message": "几点？"}}]',
        "<think>" + reply("几点？"),
        "请问几点？",
    ],
)
def test_what_is_not_plainly_a_reply_stays_silent(text: str) -> None:
    assert streamed(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "```json\n" + reply("几点？") + "\n```",
        "<think>缺 {时间}</think>\n" + reply("几点？"),
        '{"action_input": {"message": "几点？"}, "action": "ask_user"}',
        reply("几点？").replace("ask_user", "询问用户"),
    ],
    ids=["fence", "think", "action last", "Chinese name"],
)
def test_a_reply_in_a_usual_wrapping_is_shown(text: str) -> None:
    assert streamed(text) == "几点？"


@pytest.mark.parametrize("claim", ["已为您预订会议室A", "预定成功", "it is now booked", "https://example.org/x"])
def test_no_part_of_a_claim_or_link_is_ever_sent(claim: str) -> None:
    start = "好的，请稍等一下，我看看还需要什么。" * 3
    shown = streamed(reply(start + claim + "，还要什么？" * 10))
    assert start.startswith(shown)


def test_a_second_action_silences_what_follows() -> None:
    assert streamed('{"action": "ask_user", "action": "book_room", "action_input": {"message": "几点？"}}') == ""


@given(st.text(alphabet='{}[]":,\\u0aetn 几', max_size=80), st.integers(1, 5))
def test_no_text_raises(text: str, piece: int) -> None:
    streamed('{"action": "ask_user", "action_input": {"message": "' + text, piece)
    streamed(text, piece)


@pytest.mark.parametrize("case", CASES, ids=lambda c: str(c["id"]))
def test_what_is_shown_agrees_with_what_is_parsed(case: dict[str, str]) -> None:
    if streamed(case["text"]):
        decision = parse(case["text"], FOREIGN).decision
        assert decision
        assert decision.action in ("ask_user", "finish")


def test_a_long_answer_is_watched_in_linear_time() -> None:
    assert streamed("<think>" + "想" * 50_000 + "</think>" + reply("几点？"), 3) == ""
    assert streamed("x" * 50_000, 3) == ""
