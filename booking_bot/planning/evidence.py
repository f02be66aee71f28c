"""Which slot values a model may propose: only from words the user really said and the rules left unread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pydantic import TypeAdapter, ValidationError

from booking_bot.dialogue.model import SLOT_NAMES, SlotName
from booking_bot.dialogue.reading import Values
from booking_bot.planning.actions import SearchRooms, SlotProposals
from booking_bot.planning.question import Question, comparable

_VALUES: Final = TypeAdapter(Values)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Proposed values that stand, with the user's words for each."""

    values: Values = field(default_factory=Values)
    words: Mapping[SlotName, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoEvidence:
    """A proposal that does not stand: which slot, and why in one line."""

    slot: SlotName
    why: str


def weigh(proposals: SlotProposals | None, question: Question) -> Evidence | NoEvidence:
    """Judge proposed values one by one; the first that does not stand refuses them all."""
    values: dict[SlotName, object] = {}
    words: dict[SlotName, str] = {}
    for slot in SLOT_NAMES:
        proposed = getattr(proposals, slot, None)
        if proposed is None or _same_as_set(slot, proposed.value, question):
            continue
        if why := _objection(slot, proposed.value, proposed.words, question):
            return NoEvidence(slot, why)
        values[slot], words[slot] = proposed.value, proposed.words
    try:
        return Evidence(_VALUES.validate_python(values), words)
    except ValidationError as error:  # such a date there is not, 2026-02-30
        slot = next(name for name in SLOT_NAMES if name == error.errors()[0]["loc"][0])
        return NoEvidence(slot, f"{values[slot]!r} is no {slot}")


def repeats_only(search: SearchRooms, question: Question) -> NoEvidence | None:
    """Tell which plain argument of a search is not what the slots say."""
    for slot in SLOT_NAMES:
        value = getattr(search, slot, None)
        if value is not None and not _same_as_set(slot, value, question):
            return NoEvidence(slot, f"{value!r} was not said; propose it in slots with the user's words")
    return None


def _same_as_set(slot: SlotName, value: object, question: Question) -> bool:
    plain = question.context.slots.plain().get(slot)
    given = sorted(value) if isinstance(value, tuple) else value
    return plain is not None and (sorted(plain) if isinstance(plain, list) else plain) == given


def _objection(slot: SlotName, value: object, words: str, question: Question) -> str | None:
    if not any(char.isalnum() for char in words) or not question.user_said(words):
        return f"the user never said {words[:40]!r}"
    if question.reading.words_of(slot):
        return f"{slot} was read from {question.reading.words_of(slot)[:40]!r} already"
    if _was_read(words, question):
        return f"{words[:40]!r} was read already and says something else"
    if slot in ("title", "building") and not question.user_said(str(value)):
        return f"the user never said {value!r}"
    return None


def _was_read(words: str, question: Question) -> bool:
    """Tell whether all of these words are words the rules read, in this message or for a slot of an earlier one."""
    rest = comparable(words)
    read = [span.text for span in question.reading.spans]
    slots = question.context.slots
    read += [filled.words for name in SLOT_NAMES if (filled := getattr(slots, name)) is not None]
    for piece in sorted((comparable(text) for text in read if text.strip()), key=len, reverse=True):
        if rest and rest in piece:
            return True
        rest = rest.replace(piece, "")
    return not any(char.isalnum() for char in rest)
