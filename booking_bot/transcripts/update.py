"""Writes what was seen into a transcript's text as expected, each value in its own place: the layout stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import yaml

from booking_bot.dialogue.model import Booking
from booking_bot.transcripts.diff import AT_THE_END, Difference, plain_booking, plain_expected
from booking_bot.transcripts.invariants import KEY
from booking_bot.transcripts.model import Transcript, UserStep
from booking_bot.transcripts.runner import Run, Seen
from booking_bot.transcripts.source import Source, child

Edit = tuple[int, int, str]
"""Start and end in the text, and what stands there instead."""
BOOKING_KEYS: Final = ("room", "date", "start", "minutes", "status")
"""Written for a booking when the file names no key of its own."""


def updated(source: Source, run: Run) -> str:
    """Give the file's text with the values that differ replaced by those that were seen.

    Pieces of text that a reply no longer has are taken out: what should stand there instead is the author's choice.
    Broken invariants stay broken.
    """
    edits = list(_edits(source, run))
    text = source.text
    for start, end, value in sorted(edits, reverse=True):
        text = text[:start] + value + text[end:]
    return text


def _edits(source: Source, run: Run) -> Iterator[Edit]:
    seen = {each.number: each for each in run.seen}
    told: set[tuple[int, str]] = set()
    for difference in run.differences:
        key = difference.key.split(".")[0]
        if difference.key == KEY or (difference.step, key) in told:
            continue
        told.add((difference.step, key))
        if difference.step == AT_THE_END:
            node = child(child(source.node, "end"), "bookings")
            value: object = _bookings(source.transcript, run.bookings)
        else:
            node = child(child(child(child(source.node, "steps"), difference.step - 1), "expect"), key)
            value = _value(difference, key, seen[difference.step])
        if node is not None:
            yield _edit(node, value, source.text)


def _edit(node: yaml.Node, value: object, text: str) -> Edit:
    start, end = node.start_mark.index, node.end_mark.index
    # A block value ends at the next key, behind the line break and the indentation.
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end, json.dumps(value, ensure_ascii=False)


def _value(difference: Difference, key: str, seen: Seen) -> object:
    step, reply = seen.step, seen.answered.reply
    match key:
        case "slots":
            return {name: reply.slots[name] for name in step.expect.slots.plain() if name in reply.slots}
        case "slots_absent":
            return [name for name in step.expect.slots_absent if name not in reply.slots]
        case "reply":
            return _pieces(step, reply.text)
        case _:
            return difference.got


def _pieces(step: UserStep, text: str) -> dict[str, list[str]]:
    wanted = step.expect.reply
    kept = {
        "has": [piece for piece in wanted.has if piece in text],
        "lacks": [piece for piece in wanted.lacks if piece not in text],
    }
    return {name: pieces for name, pieces in kept.items() if name in wanted.model_fields_set}


def _bookings(transcript: Transcript, bookings: tuple[Booking, ...]) -> list[dict[str, object]]:
    named = {key for each in transcript.end.bookings for key in plain_expected(each)}
    return [
        {key: value for key, value in plain_booking(booking).items() if key in (named or BOOKING_KEYS)}
        for booking in bookings
    ]
