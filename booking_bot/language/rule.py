"""Rules and what they find: a rule is a pattern with a human name; a mention is one place where it fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from booking_bot.language.values import Value

Kind = Literal[
    "claim",
    "title",
    "room",
    "building",
    "count",
    "equipment",
    "length",
    "day",
    "part",
    "time",
    "end",
    "pick",
    "vague",
    "shift",
    "floor",
    "allowed",
]
"""What a mention is about. A "claim" only takes its characters away from later rules (phone numbers, prices)."""

MASK: Final = "\x02"
"""Stands where characters are used up: no letter, digit, space or punctuation of any pattern."""

DIGITS: Final = frozenset("0123456789")
NUMBER: Final = "#d"
"""Stands among the places of a text for every number in digits or words."""
FROM_NUMBER: Final = (NUMBER,)
RUN_OF_3, RUN_OF_5, MANY_DIGITS = "ddd", "ddddd", "d*7"
"""Triggers that are no words: a run of at least three or five digits, and at least seven digits in all."""


def spread(words: str) -> frozenset[str]:
    """Give the words of a block of a lexicon, parted by spaces."""
    return frozenset(words.split())


ONLY_ONE: Final = "the only one"
"""Names the rule of a place that is wanted although words of refusal stand around it: 除了A都不行."""


class Mention:
    """One place in the text, [start, end), and the value read there."""

    __slots__ = ("end", "kind", "negated", "rule", "start", "value")

    def __init__(self, kind: Kind, value: Value, start: int, end: int, rule: str) -> None:
        """Hold where and what; nothing is negated until the corrections are looked at."""
        self.kind = kind
        self.value = value
        self.start = start
        self.end = end
        self.rule = rule
        self.negated = False

    def __repr__(self) -> str:
        """Show the mention for a failing test."""
        return f"Mention({self.kind}, {self.value!r}, {self.start}, {self.end}, {self.rule!r}, {self.negated})"


Build = Callable[["re.Match[str]"], Value]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with a human name.

    Attributes:
        name: what a reader of the evidence sees ("relative day").
        build: gives the value, or None when the match is no such thing after all.
        triggers: characters or whole Latin words, one of which is in every text that the pattern can fit.
        body: the group that the mention spans; the whole match when there is none.
        starts: Latin words, or `NUMBER`, with one of which every match begins; None when it can begin anywhere.
    """

    name: str
    kind: Kind
    pattern: re.Pattern[str]
    build: Build
    triggers: frozenset[str]
    body: int | str
    starts: frozenset[str] | None = None


def rule(
    name: str,
    kind: Kind,
    pattern: str,
    build: Build,
    triggers: str | Iterable[str] = DIGITS,
    starts: Iterable[str] | None = None,
) -> Rule:
    """Make a rule; a string of `triggers` is taken character by character."""
    compiled = re.compile(pattern)
    body = "body" if "body" in compiled.groupindex else 0
    return Rule(name, kind, compiled, build, frozenset(triggers), body, None if starts is None else frozenset(starts))


def always(value: Value) -> Build:
    """Make a builder for words that mean one thing."""
    return lambda match: value if match else None


def group_of(match: re.Match[str], group: str) -> str | None:
    """Give what a group matched, None when it matched nothing or the pattern has no such group."""
    return match[group] if group in match.re.groupindex else None


def gather(rules: Iterable[Rule], text: str, places: dict[str, list[int]] | None = None) -> list[Mention]:
    """Find what the rules find in `text`, longest first, each character used once, in order of place.

    Args:
        places: where its words begin, as `Script` tells; None looks everywhere.
    """
    found: list[Mention] = []
    for each in rules:
        build = each.build
        anywhere = places is None or each.starts is None
        for match in each.pattern.finditer(text) if anywhere else matches_at(each, text, places or {}):
            value = build(match)
            if value is not None:
                start, end = match.span(each.body)
                found.append(Mention(each.kind, value, start, end, each.name))
    if len(found) < 2:
        return found
    found.sort(key=_longest_first)
    used = bytearray(len(text))
    kept: list[Mention] = []
    for mention in found:
        if not any(used[mention.start : mention.end]):
            used[mention.start : mention.end] = b"\x01" * (mention.end - mention.start)
            kept.append(mention)
    kept.sort(key=_place)
    return kept


def matches_at(rule: Rule, text: str, places: dict[str, list[int]]) -> list[re.Match[str]]:
    """Give the matches of a rule that says where it starts, as `finditer` would, without looking anywhere else."""
    starts = rule.starts or frozenset()
    spots: list[int] = []
    if len(starts) < len(places):
        for word in starts:
            spots += places.get(word, ())
    else:
        for word, at in places.items():
            if word in starts:
                spots += at
    spots.sort()
    found: list[re.Match[str]] = []
    fits, end = rule.pattern.match, -1
    for spot in spots:
        if spot >= end:
            match = fits(text, spot)
            if match is not None:
                found.append(match)
                end = match.end()
    return found


def mask(text: str, mentions: Iterable[Mention]) -> str:
    """Give `text` with the characters of the mentions used up; the length stays."""
    pieces: list[str] = []
    at = 0
    for mention in mentions:
        pieces.append(text[at : mention.start])
        pieces.append(MASK * (mention.end - mention.start))
        at = mention.end
    pieces.append(text[at:])
    return "".join(pieces)


def _longest_first(mention: Mention) -> tuple[int, int]:
    return mention.start - mention.end, mention.start


def _place(mention: Mention) -> int:
    return mention.start
