"""The rules themselves: each is used, and none can take longer than the text is long."""

from __future__ import annotations

import re
import re._constants as sre
import re._parser as sre_parser
from typing import Any

import pytest

from booking_bot.language import grammar, syntax
from booking_bot.language.normalise import fold
from booking_bot.language.picks import PICKS
from booking_bot.language.rule import Rule, gather, matches_at
from booking_bot.language.script import Script
from tests.language.office import corpus
from tests.language.test_fresh_corpora import messages as fresh_messages
from tests.language.test_office_corpora import messages

LANGUAGES = ("zh", "en")


def texts() -> list[str]:
    lines = [x["say"] for lang in LANGUAGES for s in ("positive", "ambiguous", "negative") for x in corpus(lang)[s]]
    typed = [m["text"] for m in messages()] + [m.values[0]["text"] for m in fresh_messages()]  # type: ignore[index]
    return [fold(t).text for t in lines + typed]


def used_rules() -> set[tuple[str, int]]:
    """Give name and identity of every rule that finds something in the corpora."""
    used: set[tuple[str, int]] = set()
    for text in texts():
        tokens = Script(text).tokens
        for rule in grammar.ALL_RULES:
            if (rule.name, id(rule)) not in used and not rule.triggers.isdisjoint(tokens) and gather((rule,), text):
                used.add((rule.name, id(rule)))
    return used


def test_every_rule_is_used_by_a_line_of_a_corpus() -> None:
    used = used_rules()
    assert [r.name for r in grammar.ALL_RULES if (r.name, id(r)) not in used] == []


def test_every_signal_is_heard_in_a_line_of_a_corpus() -> None:
    everything = texts()
    for chinese, latin in ((True, False), (False, True)):
        for signal in grammar._signals(chinese, latin):
            assert any(signal.pattern.search(t) or "\x02" in signal.pattern.pattern for t in everything), signal.name


def patterns() -> list[tuple[str, re.Pattern[str]]]:
    found = [(f"rule {r.name}", r.pattern) for r in grammar.ALL_RULES]
    found += [(f"signal {s.name}", s.pattern) for s in grammar.ALL_SIGNALS]
    found += [(f"syntax {n}", p) for n, p in vars(syntax).items() if isinstance(p, re.Pattern)]
    return found


def unbounded_inside_repeat(tree: Any, *, inside: bool = False) -> bool:
    """Tell whether an unbounded repeat stands inside another: the way to exponential time."""
    for op, argument in tree:
        unbounded = False
        bodies: list[Any] = []
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            unbounded = argument[1] is sre.MAXREPEAT or argument[1] > 5_000
            bodies = [argument[2]]
        elif op is sre.SUBPATTERN:
            bodies = [argument[3]]
        elif op is sre.BRANCH:
            bodies = argument[1]
        if unbounded and inside:
            return True
        if any(unbounded_inside_repeat(body, inside=inside or unbounded) for body in bodies):
            return True
    return False


@pytest.mark.parametrize(("name", "pattern"), patterns())
def test_no_pattern_repeats_without_bound_inside_a_repeat(name: str, pattern: re.Pattern[str]) -> None:
    assert not unbounded_inside_repeat(sre_parser.parse(pattern.pattern))


def test_triggers_are_in_every_text_a_rule_fits() -> None:
    everything = [(t, Script(t).tokens) for t in texts()]
    rules: tuple[Rule, ...] = grammar.ALL_RULES + PICKS
    for rule in rules:
        for text, tokens in everything:
            if rule.triggers.isdisjoint(tokens):
                fits = [m[0] for m in rule.pattern.finditer(text) if rule.build(m) is not None]
                assert not fits, (rule.name, text)


def test_a_rule_that_says_where_it_starts_misses_nothing() -> None:
    everything = [(t, Script(t).places) for t in texts()]
    for rule in grammar.ALL_RULES:
        if rule.starts is not None:
            for text, places in everything:
                found = [m.span() for m in matches_at(rule, text, places)]
                assert found == [m.span() for m in rule.pattern.finditer(text)], (rule.name, text)
