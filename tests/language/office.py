"""The demo office and the situations in which the corpora are read."""

from __future__ import annotations

import datetime as dt
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from booking_bot.adapters.site_folder import load_site
from booking_bot.dialogue.model import Pending
from booking_bot.dialogue.reading import ReadingContext
from booking_bot.dialogue.site import Site

NOW = "2026-11-30T09:00:00+08:00"
LANGUAGE = Path(__file__).parents[2] / "booking_bot" / "language"


@cache
def demo() -> Site:
    """Give the demo office."""
    return load_site("demo")


def context(now: str = NOW, while_: str = "", **fields: Any) -> ReadingContext:
    """Give a context: nothing pending, or `while_` a list, a read-back or a question waits."""
    match while_:
        case "list":
            fields |= {"pending": Pending.SELECT_ROOM, "offered": ("R1001", "R1002", "R1003"), "choices": 3}
        case "confirm":
            fields |= {"pending": Pending.CONFIRM, "confirming": "book"}
        case "cancel":
            fields |= {"pending": Pending.CONFIRM, "confirming": "cancel"}
        case "":
            pass
        case asks:
            fields |= {"pending": Pending.CLARIFY, "asks": asks}
    return ReadingContext(now=dt.datetime.fromisoformat(now), site=demo(), **fields)


@cache
def corpus(language: str) -> dict[str, Any]:
    """Load a language's corpus; everything in it is text."""
    path = LANGUAGE / language / "corpus.yaml"
    return yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader)  # noqa: S506  # BaseLoader makes text only
