"""The prompt's templates as values: which sections there are, what may stand in them. Reading files is an adapter's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Template
from typing import Final, Literal, get_args

SectionName = Literal[
    "role",
    "examples",
    "skills",
    "phase",
    "date",
    "memory",
    "summary",
    "earlier",
    "slots",
    "rooms",
    "recent",
    "user",
    "refusal",
]
SECTION_NAMES: Final[tuple[SectionName, ...]] = get_args(SectionName)
"""In the order of the prompt: what changes least comes first, so that servers can keep it cached."""

PLACEHOLDERS: Final[Mapping[SectionName, frozenset[str]]] = {
    "role": frozenset({"site", "language"}),
    "examples": frozenset(),
    "skills": frozenset({"skills"}),
    "phase": frozenset({"phase", "pending", "default", "actions"}),
    "date": frozenset({"date", "weekday", "time", "zone"}),
    "memory": frozenset({"memory"}),
    "summary": frozenset({"summary"}),
    "earlier": frozenset({"earlier"}),
    "slots": frozenset({"set", "missing", "unread"}),
    "rooms": frozenset({"rooms"}),
    "recent": frozenset({"recent"}),
    "user": frozenset({"message"}),
    "refusal": frozenset({"reason"}),
}
"""What may stand as ``${…}`` in each section's template."""

ALWAYS_ON: Final[frozenset[SectionName]] = frozenset({"role", "phase", "user", "refusal"})
"""Sections that cannot be switched off: without them there is no question to answer."""

MAX_TEMPLATE: Final = 8_000
"""Characters of one template; the whole prompt is to stay within a small model's window."""
SUPPORTED_VERSION: Final = 1
"""Of a template file: what stands in its front matter as ``version``."""

_FRONT: Final = re.compile(r"\A---\s*\n(.*?)\n---\s*\n(.*)\Z", re.DOTALL)


class TemplateError(ValueError):
    """The operator's fault in a template file, in one line that names the key or placeholder."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section's template."""

    name: SectionName
    version: int
    template: Template


@dataclass(frozen=True, slots=True)
class Skill:
    """Instructions shown only when the user's message holds one of the trigger words."""

    name: str
    version: int
    trigger: tuple[str, ...]
    text: str

    def fits(self, message: str) -> bool:
        """Tell whether a message holds one of the trigger words; Latin ones as whole words."""
        lowered = message.lower()
        return any(
            re.search(rf"\b{re.escape(word)}\b", lowered) if word.isascii() else word in lowered
            for word in self.trigger
        )


@dataclass(frozen=True, slots=True)
class Templates:
    """All templates of a site."""

    sections: Mapping[SectionName, Section]
    skills: tuple[Skill, ...] = ()


def section(name: str, text: str) -> Section:
    """Make a section from a template file's text.

    Raises:
        TemplateError: no such section, bad front matter, an unknown placeholder, or too long.
    """
    known = next((each for each in SECTION_NAMES if each == name), None)
    if known is None:
        raise TemplateError(f"no section is called {name!r}; legal are {', '.join(SECTION_NAMES)}")
    keys, body = _front_matter(text, frozenset({"version"}))
    template = Template(body.strip())
    if not template.is_valid():
        raise TemplateError("a lone $: write $$ for a dollar sign, ${name} for a placeholder")
    unknown = sorted(set(template.get_identifiers()) - PLACEHOLDERS[known])
    if unknown:
        legal = ", ".join(sorted(PLACEHOLDERS[known])) or "none"
        raise TemplateError(f"unknown placeholder ${{{unknown[0]}}}; legal are {legal}")
    return Section(known, _version(keys), template)


def skill(name: str, text: str) -> Skill:
    """Make a skill from a file's text: front matter with ``trigger: word|word``, then the instructions.

    Raises:
        TemplateError: bad front matter, no trigger, or too long.
    """
    keys, body = _front_matter(text, frozenset({"version", "trigger"}))
    words = tuple(word.strip().lower() for word in keys.get("trigger", "").split("|") if word.strip())
    if not words:
        raise TemplateError("key 'trigger' is missing; write the words that call for it as word|word")
    return Skill(name, _version(keys), words, body.strip())


def _front_matter(text: str, legal: frozenset[str]) -> tuple[dict[str, str], str]:
    if len(text) > MAX_TEMPLATE:
        raise TemplateError(f"longer than {MAX_TEMPLATE} characters")
    match = _FRONT.match(text.replace("\r\n", "\n"))
    if match is None:
        raise TemplateError("no front matter; begin with ---, version: 1, ---")
    keys: dict[str, str] = {}
    for line in match[1].splitlines():
        key, colon, value = line.partition(":")
        if not colon or key.strip() not in legal:
            raise TemplateError(
                f"unknown key {key.strip()!r} in the front matter; legal are {', '.join(sorted(legal))}"
            )
        keys[key.strip()] = value.strip()
    return keys, match[2]


def _version(keys: Mapping[str, str]) -> int:
    if keys.get("version") != str(SUPPORTED_VERSION):
        raise TemplateError(f"version is {keys.get('version')!r}; legal is {SUPPORTED_VERSION}")
    return SUPPORTED_VERSION
