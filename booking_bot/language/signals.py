"""Signals: patterns that tell what a message wants, each under its name; the decision is made in `intent`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

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
    """A pattern under the name of what it tells; `triggers` as those of a rule.

    Attributes:
        negation: words that take it back where they stand right before it ("不是推迟", "not later").
    """

    name: SignalName
    pattern: re.Pattern[str]
    triggers: frozenset[str]
    negation: re.Pattern[str] | None = None

    def search(self, text: str) -> re.Match[str] | None:
        """Find the first place that is not taken back."""
        if self.negation is None:
            return self.pattern.search(text)
        for match in self.pattern.finditer(text):
            if self.negation.search(text, max(0, match.start() - _NEGATION_REACH), match.start()) is None:
                return match
        return None


_NEGATION_REACH: Final = 24
"""Characters before a signal in which words stand that take it back, with an adverb or two between them."""


def signal(name: SignalName, pattern: str, triggers: str | Iterable[str], negation: str | None = None) -> Signal:
    """Make a signal; a string of `triggers` is taken character by character."""
    return Signal(name, re.compile(pattern), frozenset(triggers), None if negation is None else re.compile(negation))


class Heard:
    """The signals of one message, each with the place where it was first seen."""

    __slots__ = ("at",)

    def __init__(self, signals: Iterable[Signal], text: str) -> None:
        """Look for each signal; the first of a name that fits counts."""
        self.at: dict[str, re.Match[str]] = {}
        for each in signals:
            if each.name not in self.at:
                match = each.search(text)
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
