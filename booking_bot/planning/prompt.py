"""Builds the prompt from the templates and a question: bounded whatever the history, foreign text fenced as data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from booking_bot.dialogue.model import SLOT_NAMES
from booking_bot.planning.actions import OWN_ACTIONS, answer_schema
from booking_bot.planning.decision import Action
from booking_bot.planning.question import Question
from booking_bot.planning.templates import ALWAYS_ON, SECTION_NAMES, SectionName, Templates

MAX_MESSAGE: Final = 2_000
"""Characters of the user's message that are shown."""
MAX_RECENT: Final = 6
"""Actions shown with their observations."""
MAX_LINE: Final = 240
"""Characters of one action, observation or memory line."""
MAX_EARLIER: Final = 4
"""Messages of earlier turns shown."""
MAX_MEMORY: Final = 5
MAX_SUMMARY: Final = 800
MAX_ROOMS: Final = 20
MAX_SKILLS: Final = 2
MAX_SIGNATURE: Final = 600
"""Characters of one action's arguments; own actions need a third of it, foreign ones may not fill the prompt."""

_WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LANGUAGES: Final = {"zh": "Chinese", "en": "English"}
_FENCE: Final = re.compile(r"[<＜]((?:\s*/)?)\s*data", re.IGNORECASE)
_INVISIBLE: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True)
class SectionSize:
    """How large one section is, in estimated tokens."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class PlannerPrompt:
    """What a model is asked.

    Attributes:
        messages: chat messages, role and content.
        schema: JSON schema of the answer, for servers that can hold to one.
        sections: the sections that are on, with their sizes.
        versions: of the templates used, for the log, e.g. ``role@1``.
    """

    messages: tuple[dict[str, str], ...]
    schema: dict[str, object] | None
    sections: tuple[SectionSize, ...] = ()
    versions: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Estimate the tokens of the messages."""
        return sum(estimate_tokens(message["content"]) for message in self.messages)


def estimate_tokens(text: str) -> int:
    """Estimate tokens on the safe side: one a CJK character, one for four others."""
    wide = sum(1 for char in text if ord(char) >= 0x2E80)
    return wide + (len(text) - wide + 3) // 4


def fenced(text: str, limit: int = MAX_LINE) -> str:
    """Give foreign text as data: bounded, without invisible characters, and unable to close its fence."""
    return f"<data>{_harmless(text, limit)}</data>"


def build_prompt(
    templates: Templates,
    question: Question,
    legal: tuple[Action, ...],
    *,
    off: frozenset[SectionName] = frozenset(),
) -> PlannerPrompt:
    """Build the prompt of a first try.

    Args:
        legal: the actions that are legal now; nothing in the prompt's data can change them.
        off: sections to leave out; those that must be there stay.
    """
    values = _Values(question, legal, templates)
    texts: dict[SectionName, str] = {}
    for name in SECTION_NAMES:
        if name == "refusal" or name not in templates.sections or (name in off and name not in ALWAYS_ON):
            continue
        filled = values.of(name)
        if filled is not None:
            texts[name] = templates.sections[name].template.substitute(filled)
    user = texts.pop("user")
    system = "\n\n".join(texts.values())
    return PlannerPrompt(
        messages=({"role": "system", "content": system}, {"role": "user", "content": user}),
        schema=answer_schema(legal),
        sections=tuple(SectionSize(name, estimate_tokens(text)) for name, text in {**texts, "user": user}.items()),
        versions=tuple(f"{name}@{templates.sections[name].version}" for name in (*texts, "user"))
        + tuple(f"{skill.name}@{skill.version}" for skill in values.skills),
    )


def with_refusal(prompt: PlannerPrompt, templates: Templates, answer: str, reason: str) -> PlannerPrompt:
    """Give the prompt once more, with the model's answer and why it was refused."""
    observation = templates.sections["refusal"].template.substitute(reason=fenced(reason))
    again = (
        {"role": "assistant", "content": _harmless(answer, MAX_LINE * 2) or "-"},
        {"role": "user", "content": observation},
    )
    return PlannerPrompt(prompt.messages + again, prompt.schema, prompt.sections, prompt.versions)


class _Values:
    """What stands in each section's placeholders; None leaves a section out because it would be empty."""

    def __init__(self, question: Question, legal: tuple[Action, ...], templates: Templates) -> None:
        self._question = question
        self._legal = legal
        fitting = [skill for skill in templates.skills if skill.fits(question.reading.text[:MAX_MESSAGE])]
        self.skills = tuple(fitting[:MAX_SKILLS])

    def of(self, name: SectionName) -> Mapping[str, str] | None:
        makers: dict[SectionName, Callable[[], Mapping[str, str] | None]] = {
            "role": self._role,
            "examples": dict,
            "skills": self._skills,
            "phase": self._phase,
            "date": self._date,
            "memory": lambda: _lines("memory", self._question.memory[:MAX_MEMORY]),
            "summary": self._summary,
            "earlier": lambda: _lines("earlier", self._question.earlier[-MAX_EARLIER:]),
            "slots": self._slots,
            "rooms": self._rooms,
            "recent": self._recent,
            "user": lambda: {"message": fenced(self._question.reading.text, MAX_MESSAGE)},
        }
        return makers[name]()

    def _role(self) -> Mapping[str, str]:
        language = self._question.reading.language or self._question.context.language or "zh"
        return {"site": _harmless(self._question.site.name, 60), "language": _LANGUAGES[language]}

    def _skills(self) -> Mapping[str, str] | None:
        return {"skills": "\n\n".join(skill.text for skill in self.skills)} if self.skills else None

    def _phase(self) -> Mapping[str, str]:
        context = self._question.context
        pending = f"{context.pending or 'nothing'}{f' ({context.asks})' if context.asks else ''}"
        actions = "\n".join(
            f"- {_harmless(action.name, 64)} {_described(action)}"
            + (" Runs only after the user's yes to its exact arguments." if action.confirm else "")
            for action in self._legal
        )
        return {"phase": context.phase, "pending": pending, "default": self._question.default, "actions": actions}

    def _date(self) -> Mapping[str, str]:
        now = self._question.now
        return {
            "date": now.date().isoformat(),
            "weekday": _WEEKDAYS[now.weekday()],
            "time": f"{now:%H:%M}",
            "zone": self._question.site.policy.timezone,
        }

    def _summary(self) -> Mapping[str, str] | None:
        summary = self._question.context.summary.strip()
        return {"summary": fenced(summary, MAX_SUMMARY)} if summary else None

    def _slots(self) -> Mapping[str, str]:
        slots = self._question.context.slots
        plain = slots.plain()
        lines = []
        for name in SLOT_NAMES:
            filled = getattr(slots, name)
            if filled is not None:
                value = json.dumps(plain[name], ensure_ascii=False)
                shown = fenced(value) if name == "title" else _harmless(value, MAX_LINE)
                lines.append(
                    f"- {name} = {shown} ({filled.source}, turn {filled.turn}, from {fenced(filled.words, 80)})"
                )
        unread = fenced(" / ".join(self._question.reading.unread)) if self._question.reading.unread else "nothing"
        return {
            "set": "\n".join(lines) or "- nothing yet",
            "missing": ", ".join(slots.missing()) or "none",
            "unread": unread,
        }

    def _rooms(self) -> Mapping[str, str] | None:
        known = self._question.site.rooms_by_id
        rooms = [known[room_id] for room_id in self._question.context.offers[:MAX_ROOMS] if room_id in known]
        selected = self._question.context.selected
        lines = [
            f"{number}. {room.id} {room.name.zh} / {room.name.en}, building {room.building}, {room.seats} seats"
            + (", " + ", ".join(room.equipment) if room.equipment else "")
            for number, room in enumerate(rooms, 1)
        ]
        if selected:
            lines.append(f"selected: {selected}")
        return _lines("rooms", lines)

    def _recent(self) -> Mapping[str, str] | None:
        return _lines(
            "recent",
            [
                f"{taken.action} {taken.input[: MAX_LINE // 2]} ({taken.source}) → {taken.observation or '-'}"
                for taken in self._question.recent[-MAX_RECENT:]
            ],
        )


def signature(schema: Mapping[str, object], depth: int = 0) -> str:
    """Give a JSON schema of arguments in a short readable form: ``{city: string, days?: integer}``."""
    choices = schema.get("enum")
    if isinstance(choices, list):
        return "|".join(_harmless(str(choice), 40) for choice in choices[:12])
    items, members = schema.get("items"), schema.get("properties")
    if isinstance(items, dict):
        return f"[{signature(items, depth + 1)}]"
    if isinstance(members, dict):
        if depth and set(members) == {"value", "words"}:
            return "{value, words}"
        required = schema.get("required")
        needed = required if isinstance(required, list) else []
        inside = ", ".join(
            f"{_harmless(str(key), 40)}{'' if key in needed else '?'}: {signature(member, depth + 1)}"
            for key, member in members.items()
            if isinstance(member, dict) and depth < 3
        )
        return "{" + inside + "}"
    hint = schema.get("description") if depth else None
    return _harmless(str(hint or schema.get("type", "any")), 60)


def _described(action: Action) -> str:
    arguments = signature(action.schema)
    if action.name in OWN_ACTIONS:
        return f"{arguments[:MAX_SIGNATURE]} — {action.description}"
    return f"{fenced(arguments, MAX_SIGNATURE)} — {fenced(action.description)}"


def _lines(name: str, lines: list[str] | tuple[str, ...]) -> Mapping[str, str] | None:
    return {name: "\n".join(f"- {fenced(line)}" for line in lines)} if lines else None


def _harmless(text: str, limit: int) -> str:
    cut = _INVISIBLE.sub("", text[: limit * 2])
    cut = cut if len(cut) <= limit else cut[:limit] + "…"
    return _FENCE.sub(r"&lt;\1data", cut)
