"""What is said of a booking means the same in whatever order, and whatever stands beside it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from booking_bot.language.parse_json import slots_of
from booking_bot.language.reader import read
from tests.language.office import context

Pieces = dict[str, list[tuple[str, dict[str, Any]]]]


def pieces(**tables: dict[str, Any]) -> Pieces:
    """Give for each slot the words and what they state; a pair is a start with a length."""
    out: Pieces = {}
    for slot, table in tables.items():
        out[slot] = [
            (words, dict(zip(("start_time", "duration_minutes"), value, strict=True)))
            if isinstance(value, tuple)
            else (words, {slot: value})
            for words, value in table.items()
        ]
    return out


ZH = pieces(
    date={
        "明天": "2026-12-01", "大后天": "2026-12-03", "周四": "2026-12-03", "下周二": "2026-12-08",
        "12月8号": "2026-12-08", "十二月八号": "2026-12-08", "12/8": "2026-12-08", "三天后": "2026-12-03",
    },
    start_time={
        "下午3点": "15:00", "3点半": "15:30", "下午两点一刻": "14:15", "14:30": "14:30", "晚上7点": "19:00",
        "9点到10点半": ("09:00", 90), "14:00-15:30": ("14:00", 90), "十点到十一点": ("10:00", 60), "3pm": "15:00",
    },
    duration_minutes={"1小时": 60, "一个半小时": 90, "90分钟": 90, "2h": 120, "两个钟头": 120, "四十五分钟": 45},
    capacity={"8人": 8, "八个人": 8, "我们6个人": 6, "人数8": 8, "8 people": 8, "7、8个人": 8, "能坐10人的": 10},
    building={"A座": "A", "在B栋": "B", "3号楼": "3"},
    equipment={"要投影": ["projector"], "要投影和白板": ["projector", "whiteboard"], "要电话": ["phone"]},
)  # fmt: skip
EN = pieces(
    date={
        "tomorrow": "2026-12-01", "next Tuesday": "2026-12-08", "Dec 8": "2026-12-08", "8 December": "2026-12-08",
        "on the 8th": "2026-12-08", "12/8": "2026-12-08", "in 3 days": "2026-12-03", "Fri": "2026-12-04",
    },
    start_time={
        "3pm": "15:00", "at 3": "15:00", "half past two": "14:30", "quarter to four": "15:45", "4:30pm": "16:30",
        "from 2 to 4": ("14:00", 120), "2-3:30pm": ("14:00", 90), "between 1 and 2 pm": ("13:00", 60),
    },
    duration_minutes={"for 1 hour": 60, "1h": 60, "90 min": 90, "for an hour and a half": 90, "2h": 120},
    capacity={"8 people": 8, "for 8 people": 8, "team of 8": 8, "10 of us": 10, "seats 12": 12, "8-10 people": 10},
    building={"building A": "A", "in building B": "B"},
    equipment={"with projector": ["projector"], "need video": ["video"], "with a phone": ["phone"]},
)  # fmt: skip


@st.composite
def messages(draw: st.DrawFn, of: Pieces, between: list[str]) -> tuple[str, dict[str, Any]]:
    said: list[str] = []
    want: dict[str, Any] = {}
    for slot in draw(st.permutations(sorted(of))):
        words, states = draw(st.sampled_from(of[slot]))
        if draw(st.booleans()) and not states.keys() & want.keys():
            said.append(words)
            want |= states
    return draw(st.sampled_from(between)).join(said), want


@pytest.mark.parametrize(
    ("of", "between"), [(ZH, ["，", " ", "；", "。"]), (EN, [", ", "; ", " / ", ". "])], ids=["zh", "en"]
)
def test_pieces_keep_their_meaning_in_any_order(of: Pieces, between: list[str]) -> None:
    @settings(max_examples=400, deadline=None, derandomize=True)
    @given(messages(of, between))
    def check(message: tuple[str, dict[str, Any]]) -> None:
        text, want = message
        reading = read(text, context())
        assert slots_of(reading.values) == want
        assert [a for a in reading.ambiguous if a.settled is None] == []
        assert reading.unread == ()

    check()
