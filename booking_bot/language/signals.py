"""Signals: patterns that tell what a message wants, each under its name; the decision is made in `intent`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

SignalName = Literal[
    "keep",
    "cancel",
    "list",
    "weather",
    "move words",
    "change",
    "later",
    "earlier",
    "extend",
    "shorten",
    "existing",
    "this",
    "book",
    "retry",
    "reject rooms",
    "any building",
    "any floor",
    "any room",
    "any equipment",
    "help",
    "recurring",
    "mine",
]


@dataclass(frozen=True, slots=True)
class Signal:
    """A pattern under the name of what it tells; `triggers` as those of a rule."""

    name: SignalName
    pattern: re.Pattern[str]
    triggers: frozenset[str]


def signal(name: SignalName, pattern: str, triggers: str | Iterable[str]) -> Signal:
    """Make a signal; a string of `triggers` is taken character by character."""
    return Signal(name, re.compile(pattern), frozenset(triggers))


class Heard:
    """The signals of one message, each with the place where it was first seen."""

    __slots__ = ("at",)

    def __init__(self, signals: Iterable[Signal], text: str) -> None:
        """Look for each signal; the first of a name that fits counts."""
        self.at: dict[str, re.Match[str]] = {}
        for each in signals:
            if each.name not in self.at:
                match = each.pattern.search(text)
                if match is not None:
                    self.at[each.name] = match

    def __contains__(self, name: SignalName) -> bool:
        """Tell whether a signal was seen."""
        return name in self.at

    def start(self, name: SignalName) -> int:
        """Give the place where a signal was seen; the signal must be there."""
        return self.at[name].start()

    def end(self, name: SignalName) -> int:
        """Give the place where a signal ended; the signal must be there."""
        return self.at[name].end()
