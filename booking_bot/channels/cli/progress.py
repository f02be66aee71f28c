"""Shows a person at a terminal what goes on while an answer is being made: a spinner, then text as it is written."""

from __future__ import annotations

import sys
from typing import Final, assert_never

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from booking_bot.dialogue.model import Language
from booking_bot.ports import Progress, TextDelta, Thinking, ToolFinished, ToolStarted, TurnRestarted
from booking_bot.printable import printable

_DOING: Final[dict[Language, dict[str, str]]] = {
    "zh": {"search_rooms": "正在查空闲的会议室…", "get_weather": "正在查天气…", "": "正在想…", "other": "正在运行 {}…"},
    "en": {
        "search_rooms": "Looking for rooms…",
        "get_weather": "Asking for the weather…",
        "": "Thinking…",
        "other": "Running {}…",
    },
}


class ProgressShown:
    """An observer of one turn. Call it with what goes on, then `finish` with the reply's text."""

    def __init__(self, language: Language = "zh") -> None:
        self._words = _DOING[language]
        self._console = Console()
        self._status: Status | None = None
        self._sent = ""

    def __call__(self, progress: Progress) -> None:
        """Show one thing that goes on."""
        match progress:
            case Thinking():
                self._spin(self._words[""])
            case ToolStarted(tool=tool):
                self._spin(self._words.get(tool) or self._words["other"].format(escape(printable(tool))))
            case ToolFinished():
                self._rest()
            case TextDelta(text=text):
                self._rest()
                self._write(text)
                self._sent += text
            case TurnRestarted():
                self._rest()
                if self._sent:
                    self._write("\n")
                self._sent = ""
            case _:
                assert_never(progress)

    def finish(self, text: str) -> None:
        """Write what is left of the reply."""
        self._rest()
        rest = text[len(self._sent) :] if text.startswith(self._sent) else f"\n{text}"
        self._write(f"{rest}\n")

    def _spin(self, words: str) -> None:
        if self._status is None:
            self._status = self._console.status(words)
            self._status.start()
        else:
            self._status.update(words)

    def _rest(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _write(self, text: str) -> None:
        sys.stdout.write(printable(text, keep="\n"))
        sys.stdout.flush()
