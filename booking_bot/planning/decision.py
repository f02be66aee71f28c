"""A model's decision and its three-level parse. Never raises, never does more than the text surely says.

1. direct: the whole text is one strictly valid object of the asked shape;
2. extraction: the first answer inside other text; strictly valid JSON may be any action, mended text only
   actions that read, an object that broke off only ``ask_user``;
3. degrade: no decision and a reason code; the caller does what the rules would do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import BaseModel, ValidationError

from booking_bot.planning.extraction import Extracted, Quality, find_answer, mended
from booking_bot.planning.shapes import known_name, only_one, to_call
from booking_bot.planning.strict_json import Json, NotStrictError, cleaned, decode

Effect = Literal["say", "read", "write"]
"""say: ends the turn with words. read: looks something up. write: changes something, or leaves the house."""
Level = Literal[1, 2, 3]

MAX_THOUGHT: Final = 2_000
"""Characters of a thought that are kept; it is for the log only."""
ASK_USER: Final = "ask_user"
"""The one action that even a broken-off answer may take: it does nothing but ask."""


@dataclass(frozen=True, slots=True)
class Action:
    """What a model may answer with.

    Attributes:
        arguments: validates the input; closed against unknown members.
        schema: JSON schema of the input as shown to the model.
        confirm: runs only behind the user's yes to its exact arguments.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    effect: Effect
    schema: Mapping[str, object] = field(default_factory=dict)
    confirm: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What a model decided; not yet judged against the phase.

    Attributes:
        thought: for the log, never shown.
        action_input: as the model gave it, valid for the action's argument model.
        reason: how it was read: direct, extracted, repaired or closed.
    """

    thought: str
    action: str
    action_input: dict[str, object]
    parse_level: Level
    reason: str


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """A decision, or the reason why there is none.

    Attributes:
        reason: the decision's, or a code: empty, no_object, not_an_object, unclosed_think, too_many_thoughts,
            several_plans, duplicate_key, not_a_number, too_deep, too_large_to_repair, beyond_repair, broken_answer,
            broken_array, broken_off, unknown_action, bad_arguments, untrusted_write, untrusted_repair.
        detail: one line for the model, with what was wrong.
        raw: the object as it stood in the text, where it stood there as an object.
    """

    decision: Decision | None
    level: Level
    reason: str
    detail: str = ""
    raw: Mapping[str, object] | None = None


def parse(text: str, actions: Mapping[str, Action]) -> ParsedReply:
    """Read a model's answer.

    Args:
        text: the whole answer.
        actions: every action there is, by name; which of them are legal now is judged later.
    """
    try:
        return _parse(text.lstrip("﻿ \t\r\n"), actions)
    except NotStrictError as error:
        return ParsedReply(None, 3, error.reason)


def _parse(text: str, actions: Mapping[str, Action]) -> ParsedReply:
    def is_known(name: str) -> bool:
        return known_name(name, actions) is not None

    if not text.strip():
        raise NotStrictError("empty")
    try:
        value = decode(text)
    except NotStrictError:
        if text[0] in "{[":
            raise
        return _judge(find_answer(text, is_known), actions)
    except ValueError:
        return _judge(find_answer(text, is_known), actions)
    direct = isinstance(value, dict)
    in_text = not isinstance(value, str)
    value = only_one(_decoded_again(value) if isinstance(value, str) else value)
    call = to_call(value, is_known)
    if call is None:
        raise NotStrictError("not_an_object" if not isinstance(value, dict) else "no_object")
    return _judge(Extracted(call, value if in_text else None, "strict"), actions, direct=direct and not call.unwrapped)


def _decoded_again(text: str) -> Json:
    try:
        return decode(text)
    except NotStrictError:
        raise
    except ValueError:
        raise NotStrictError("not_an_object") from None


def _judge(answer: Extracted, actions: Mapping[str, Action], *, direct: bool = False) -> ParsedReply:
    raw = answer.raw if isinstance(answer.raw, dict) else None
    name = known_name(answer.call.name, actions)
    if name is None:
        shown = answer.call.name[:40]
        return ParsedReply(None, 3, "unknown_action", f"{shown!r} is not one of {', '.join(actions)}", raw)
    action = actions[name]
    try:
        given, quality = _input(answer, action)
        _trust(answer, action, quality)
        action.arguments.model_validate(given)
    except ValidationError as error:
        return ParsedReply(None, 3, "bad_arguments", f"{name}: {_first_error(error)}", raw)
    except NotStrictError as error:
        return ParsedReply(None, 3, error.reason, name, raw)
    level: Level = 1 if direct and quality == "strict" and not answer.call.strangers else 2
    how = "direct" if level == 1 else {"strict": "extracted", "repaired": "repaired", "closed": "closed"}[quality]
    thought = str(cleaned(answer.call.thought))[:MAX_THOUGHT]
    decision = Decision(thought, name, given, level, how)
    return ParsedReply(decision, level, decision.reason, raw=raw)


def _input(answer: Extracted, action: Action) -> tuple[dict[str, object], Quality]:
    """Give the call's input as an object, and the quality after what had to be done for that."""
    call, quality = answer.call, answer.quality
    if answer.cut_in_string:
        return {}, quality  # the last value is half a value, and nobody knows which one that is
    value = call.input
    if isinstance(value, str) and value.strip():
        value, quality = _from_text(value, action, quality)
    if value is None or value == "":
        value = {}
    if not isinstance(value, dict):
        raise NotStrictError("bad_arguments")
    return {str(cleaned(key)): cleaned(item) for key, item in value.items()}, quality


def _from_text(text: str, action: Action, quality: Quality) -> tuple[Json, Quality]:
    try:
        return decode(text), quality
    except NotStrictError:
        raise
    except ValueError:
        pass
    worse: Quality = "closed" if quality == "closed" else "repaired"
    if text.lstrip()[:1] in ("{", "｛"):
        value, how, _, _ = mended(text, len(text) - len(text.lstrip()))
        return value, "closed" if how == "closed" else worse
    if action.effect == "say":
        return {"message": text}, worse
    raise NotStrictError("bad_arguments")


def _trust(answer: Extracted, action: Action, quality: Quality) -> None:
    """Refuse what the way an answer was come by does not bear.

    Raises:
        NotStrictError: a write that is not strictly valid JSON in plain prose; more than a question from an object
            that broke off.
    """
    if quality == "closed" and action.name != ASK_USER:
        raise NotStrictError("untrusted_repair")
    sure = quality == "strict" and answer.plain_before and not answer.call.strangers
    if action.effect == "write" and not sure:
        raise NotStrictError("untrusted_write")


def _first_error(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:60]
    return f"{where}: {first['msg']}"[:200] if where else str(first["msg"])[:200]
