"""Whatever is typed, the reader gives a legal reading."""

from __future__ import annotations

import datetime as dt
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from booking_bot.dialogue.reading import Reading, Values
from booking_bot.language.normalise import fold
from booking_bot.language.parse_json import to_json
from booking_bot.language.reader import CUT_AT, read
from tests.language.office import context, corpus

SITUATIONS = ("", "list", "confirm", "cancel", "date", "start_time", "duration_minutes", "capacity")
PIECES = [x["say"] for lang in ("zh", "en") for x in corpus(lang)["positive"]]
SALT = [
    *(
        "点",
        "半",
        "周",
        "号",
        "到",
        "-",
        ":",
        "：",
        "人",
        "个",
        "月",
        "pm",
        "不要",
        "不是",
        "改成",
        "三",
        "十",
        "0",
        "12",
        "30",
    ),
    *("25", "99", '"', "'", "“", "#", "，", "ﷺ", "İ", "②", "👍🏽", " at ", " to "),
    *("\x00", "\ud800", "\u200b", "\x02", "\x03", "\n"),
]
anything = st.text(alphabet=st.characters(), max_size=60)
lifelike = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(SALT), st.text(string.digits, max_size=6)), max_size=8
).map("".join)


def check(reading: Reading, text: str) -> None:
    assert reading.text == text
    for span in reading.spans:
        assert 0 <= span.start <= span.end <= len(text)
        assert span.text == text[span.start : span.end]
    for values in (reading.values, reading.named):
        check_values(values)
    assert reading.choice is None or isinstance(reading.choice, str) or -1 <= reading.choice <= 999_999
    if reading.confirm == "yes":
        assert reading.values == Values()
        assert reading.choice is None
    assert set(reading.unread_when) <= set(reading.unread)
    assert isinstance(to_json(reading), dict)


def check_values(values: Values) -> None:
    assert values.date is None or type(values.date) is dt.date
    assert values.duration_minutes is None or 1 <= values.duration_minutes <= 100_000
    assert values.capacity is None or 0 <= values.capacity <= 1_000_000
    assert values.start_time is None or values.end_time is None
    assert values.building is None or values.building.isalnum()
    assert values.equipment is None or list(values.equipment) == sorted(set(values.equipment))


@settings(max_examples=300, deadline=None)
@given(text=anything, situation=st.sampled_from(SITUATIONS))
def test_any_text_gives_a_legal_reading(text: str, situation: str) -> None:
    check(read(text, context(while_=situation)), text)


@settings(max_examples=300, deadline=None)
@given(text=lifelike, situation=st.sampled_from(SITUATIONS))
def test_any_mix_of_real_messages_gives_a_legal_reading(text: str, situation: str) -> None:
    check(read(text, context(while_=situation)), text)


@settings(max_examples=200, deadline=None)
@given(text=lifelike, now=st.dates(dt.date(2001, 1, 1), dt.date(2090, 12, 31)))
def test_any_day_gives_a_legal_reading(text: str, now: dt.date) -> None:
    check(read(text, context(f"{now.isoformat()}T14:20:00+08:00")), text)


@settings(max_examples=200, deadline=None)
@given(text=anything)
def test_the_same_text_is_read_the_same_way_twice(text: str) -> None:
    assert read(text, context()) == read(text, context())


@settings(max_examples=200, deadline=None)
@given(text=anything)
def test_each_folded_character_knows_its_place(text: str) -> None:
    folded = fold(text)
    for at in range(len(folded.text)):
        start, end = folded.place(at, at + 1)
        assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(
    "text", ["9" * 5_000, "明天" * 60_000, "a" * 100_000, "点" * 100_000, " " * 100_000, "3-" * 50_000]
)
def test_a_message_that_is_too_long_is_cut_and_says_so(text: str) -> None:
    reading = read(text, context())
    check(reading, text)
    assert reading.cut_at == CUT_AT


@pytest.mark.parametrize("filler", ["\u200b", " ", "!", "，"])
@pytest.mark.parametrize(("yes", "no"), [("确认", "不要"), ("yes", "no")])
def test_a_message_that_was_cut_is_no_whole_yes(yes: str, no: str, filler: str) -> None:
    reading = read(yes + filler * 2_100 + no, context("2026-11-30T09:00:00+08:00", "confirm"))
    assert reading.cut_at == CUT_AT
    assert reading.confirm is None


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "\udfff明天", "\u200b", "\n\n", "，。！？", "\x02\x02"])
def test_a_message_of_nothing_is_read_as_nothing_or_as_its_words(text: str) -> None:
    check(read(text, context()), text)
