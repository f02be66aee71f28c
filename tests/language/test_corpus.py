"""The corpora beside the grammars hold, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from booking_bot.dialogue.reading import NOWHERE, Reading, Values
from booking_bot.language.parse_json import slots_of
from booking_bot.language.reader import read
from tests.language.office import context, corpus

KEYS = {
    "say", "while", "slots", "named", "intent", "choice", "confirm", "place", "dropped", "retry", "rejects_rooms",
    "this_booking", "ask", "without", "approximate", "unread", "unread_when",
    "about", "excluded", "size",
}  # fmt: skip


def lines(section: str) -> list[Any]:
    return [
        pytest.param(line, corpus(language)["now"], id=f"{language}-{line['say']}-{line.get('while', '')}")
        for language in ("zh", "en")
        for line in corpus(language)[section]
    ]


def as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: as_text(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [as_text(v) for v in value]
    return str(value)


def slots(values: Values) -> dict[str, Any]:
    extra = {k: getattr(values, k) for k in ("illegal_hour", "minutes_more", "minutes_later", "days_later", "floor")}
    return as_text(slots_of(values) | {k: v for k, v in extra.items() if v is not None})


def said(reading: Reading) -> dict[str, Any]:
    """Give what a reading states, in the words of the corpus."""
    out: dict[str, Any] = {
        "slots": slots(reading.values),
        "named": {} if reading.intent == "cancel" else slots(reading.named),
        "intent": reading.intent,
        "ask": [a.slot for a in reading.ambiguous if a.settled is None],
    }
    for key in ("choice", "confirm", "place"):
        out[key] = getattr(reading, key) if getattr(reading, key) is None else str(getattr(reading, key))
    for key in ("dropped", "without", "approximate", "unread", "unread_when"):
        out[key] = as_text(getattr(reading, key))
    places = reading.values.excluded or NOWHERE
    out["excluded"] = as_text((*places.rooms, *places.buildings, *places.floors))
    out["about"] = [question.about for question in reading.questions]
    out["size"] = None if reading.size is None else "larger" if reading.size.larger else "smaller"
    for key in ("retry", "rejects_rooms", "this_booking"):
        out[key] = "yes" if getattr(reading, key) else None
    return out


def expected(line: dict[str, Any]) -> dict[str, Any]:
    empty: dict[str, Any] = {"slots": {}, "named": {}, "intent": "book", "ask": []}
    empty |= dict.fromkeys(("choice", "confirm", "place", "retry", "rejects_rooms", "this_booking", "size"))
    empty |= {key: [] for key in ("dropped", "without", "approximate", "unread", "unread_when", "about", "excluded")}
    return empty | {k: v for k, v in line.items() if k not in ("say", "while")}


@pytest.mark.parametrize(("line", "now"), lines("positive") + lines("ambiguous") + lines("negative"))
def test_a_line_means_what_the_corpus_says(line: dict[str, Any], now: str) -> None:
    assert set(line) <= KEYS
    assert said(read(line["say"], context(now, line.get("while", "")))) == expected(line)


@pytest.mark.parametrize(("line", "now"), lines("positive"))
def test_a_positive_line_has_exactly_one_full_reading(line: dict[str, Any], now: str) -> None:
    reading = read(line["say"], context(now, line.get("while", "")))
    assert [a for a in reading.ambiguous if a.settled is None] == []
    assert list(reading.unread) == line.get("unread", [])


@pytest.mark.parametrize(("line", "now"), lines("ambiguous"))
def test_an_ambiguous_line_is_asked_about_and_fills_nothing(line: dict[str, Any], now: str) -> None:
    reading = read(line["say"], context(now, line.get("while", "")))
    asked = [a for a in reading.ambiguous if a.settled is None]
    assert asked
    for ambiguity in asked:
        assert len(ambiguity.readings) > 1
        assert getattr(reading.values, ambiguity.slot, None) is None


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_line_is_there_twice(language: str) -> None:
    said_before = [
        (x["say"], x.get("while")) for s in ("positive", "ambiguous", "negative") for x in corpus(language)[s]
    ]
    assert len(said_before) == len(set(said_before))
