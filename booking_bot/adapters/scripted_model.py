"""A model that says what a transcript tells it to. Errors take no real time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from booking_bot.errors import ModelError
from booking_bot.planning.prompt import estimate_tokens
from booking_bot.ports import Prompt

Line = str | Mapping[str, str]
"""A text, or ``{"error": "timeout" | "connection" | "status 500"}``."""

PIECE = 7
"""Characters handed to a listener at a time: enough to cut through every token of an answer."""


@dataclass(frozen=True, slots=True)
class ScriptedCompletion:
    """One line of the script as an answer."""

    text: str
    tokens: int


class ScriptedModel:
    """Answers from a queue; when it is used up the model is down.

    Attributes:
        calls: how often it was asked since the script was last loaded.
        total_calls: how often it was ever asked.
        prompts: the prompts of the calls since the script was last loaded.
    """

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self.total_calls = 0
        self.load(lines)

    def load(self, lines: Iterable[Line] | Line = ()) -> None:
        """Put in the answers of the next turn, in order of its calls; what was left over is dropped."""
        self._queue: deque[Line] = deque([lines] if isinstance(lines, str | Mapping) else lines)
        self.calls = 0
        self.prompts: list[Prompt] = []

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None] | None = None) -> ScriptedCompletion:
        """Give the next line, or raise its error as a `ModelError`."""
        self.calls += 1
        self.total_calls += 1
        self.prompts.append(prompt)
        line = self._queue.popleft() if self._queue else {"error": "connection"}
        if not isinstance(line, str):
            raise ModelError(f"scripted {line.get('error', 'error')}")
        if on_text:
            for start in range(0, len(line), PIECE):
                on_text(line[start : start + PIECE])
        asked = sum(estimate_tokens(message["content"]) for message in prompt.messages)
        return ScriptedCompletion(line, asked + estimate_tokens(line))
