"""Model calls and tokens of one booking in each planner mode, with a model that obliges and with one that never does.

    python -m benchmarks.model_calls [--json]

The models are played in process, so that the counts are exact and the same everywhere: calls and tokens are what is
counted here, not time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from booking_bot import BookingBot
from booking_bot.adapters.scripted_model import ScriptedCompletion
from booking_bot.planning.prompt import estimate_tokens
from booking_bot.ports import Prompt

NOW = "2026-11-30T09:00:00+08:00"
Mode = Literal["rules", "hybrid", "llm"]
MODES: tuple[Mode, ...] = ("rules", "hybrid", "llm")
TALKS: dict[str, tuple[str, ...]] = {
    "canonical zh": ("明天下午2点8人会议室", "1小时", "选1", "确认"),
    "canonical en": ("a room tomorrow at 2pm for 8 people", "1 hour", "the first one", "yes"),
    "all at once": ("明天下午2点，8人，1小时", "选1", "确认"),
    "words left unread": ("明天8个人开1小时", "等老王开完会之后", "下午3点", "选1", "确认"),
}


def obliging(prompt: Prompt) -> str:
    """Take the default, as a good model does where nothing is left unread."""
    found = re.search(r"Default action: (\w+)", prompt.messages[0]["content"])
    action = found[1] if found else "ask_user"
    return json.dumps({"thought": "the default", "action": action, "action_input": {}})


def contrary(_prompt: Prompt) -> str:
    """Want to book whatever is said."""
    return json.dumps({"thought": "book it", "action": "book_room", "action_input": {"room_id": "R1001"}})


MODELS: dict[str, Callable[[Prompt], str]] = {"obliging": obliging, "contrary": contrary}


class Played:
    """A model that answers by a function and counts."""

    def __init__(self, answer: Callable[[Prompt], str]) -> None:
        self._answer = answer
        self.tokens = 0

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None] | None = None) -> ScriptedCompletion:
        """Answer, and count what a server would have charged."""
        text = self._answer(prompt)
        tokens = sum(estimate_tokens(message["content"]) for message in prompt.messages) + estimate_tokens(text)
        self.tokens += tokens
        if on_text:
            on_text(text)
        return ScriptedCompletion(text, tokens)


@dataclass(frozen=True, slots=True)
class Counted:
    """What one talk cost."""

    talk: str
    mode: Mode
    model: str
    calls: tuple[int, ...]
    tokens: int
    booked: bool


async def count(talk: str, mode: Mode, model: str) -> Counted:
    """Take one talk through one mode."""
    played = Played(MODELS[model])
    async with await BookingBot.open(db="sqlite://", now=NOW, model=played, planner=mode) as bot:
        replies = [await bot.handle("s", text) for text in TALKS[talk]]
    calls = tuple(reply.llm_calls for reply in replies)
    return Counted(talk, mode, model, calls, played.tokens, replies[-1].phase == "BOOKED")


async def count_all() -> list[Counted]:
    """Take every talk through every mode and model."""
    return [await count(talk, mode, model) for model in MODELS for talk in TALKS for mode in MODES]


def main() -> None:
    """Print a table, or JSON."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", action="store_true")
    as_json = arguments.parse_args().json
    counted = asyncio.run(count_all())
    if as_json:
        print(json.dumps([{name: getattr(each, name) for name in Counted.__slots__} for each in counted]))
        return
    print(f"{'model':<10}{'talk':<20}{'mode':<8}{'calls a turn':<16}{'calls':>6}{'tokens':>8}  booked")
    for each in counted:
        turns = " ".join(map(str, each.calls))
        calls, tokens = sum(each.calls), each.tokens
        print(f"{each.model:<10}{each.talk:<20}{each.mode:<8}{turns:<16}{calls:>6}{tokens:>8}  {each.booked}")


if __name__ == "__main__":
    main()
