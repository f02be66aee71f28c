"""Messages written and judged after the grammar was made, in the situations they are said in.

`expect` is what the message states, whole; `yes` tells whether it is a whole yes to a read-back. The other fields are
looked for: `intent`, a piece of what is `unread` or `unread_when`, a slot that is asked about or dropped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from booking_bot.dialogue.reading import Reading
from booking_bot.language.parse_json import slots_of, to_json
from booking_bot.language.reader import read
from tests.language.office import context

FOLDER = Path(__file__).parent / "corpora"


def messages() -> list[Any]:
    lines = [x for lang in ("zh", "en") for x in (FOLDER / f"fresh_{lang}.jsonl").read_text("utf-8").splitlines()]
    return [pytest.param(m, id=m["id"]) for m in map(json.loads, lines)]


def stated(reading: Reading) -> dict[str, Any]:
    parsed: Any = to_json(reading)
    out = dict(parsed["slots"]) | {k: parsed[k] for k in ("choice", "confirm") if parsed[k] is not None}
    return out | ({"cancel": True} if reading.intent == "cancel" else {})


@pytest.mark.parametrize("message", messages())
def test_a_fresh_message_is_read_as_its_judge_meant_it(message: dict[str, Any]) -> None:
    reading = read(message["text"], context(message["now"], message.get("while", "")))
    asked = {a.slot for a in reading.ambiguous if a.settled is None}
    if "expect" in message:
        assert stated(reading) == message["expect"]
        assert asked == ({message["asks"]} if "asks" in message else set())
    if "yes" in message:
        assert (reading.confirm == "yes") is message["yes"]
    assert message.get("intent", reading.intent) == reading.intent
    assert message.get("unread", "") in "|".join(reading.unread)
    assert message.get("unread_when", "") in "|".join(reading.unread_when)
    assert message.get("dropped", "") in "|".join(reading.dropped)
    assert message.get("named", "") in json.dumps(slots_of(reading.named))
