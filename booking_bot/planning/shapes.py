"""The shapes in which models wrap a call, brought to one: thought, name and input. Text is not looked at here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from booking_bot.planning.strict_json import Json, NotStrictError

ACTION_ALIASES: Final[Mapping[str, str]] = {
    "询问用户": "ask_user",
    "询问": "ask_user",
    "提问": "ask_user",
    "追问": "ask_user",
    "回复用户": "ask_user",
    "搜索会议室": "search_rooms",
    "查找会议室": "search_rooms",
    "查询会议室": "search_rooms",
    "搜索房间": "search_rooms",
    "预订会议室": "book_room",
    "预定会议室": "book_room",
    "订会议室": "book_room",
    "结束": "finish",
    "完成": "finish",
    "查天气": "get_weather",
    "查询天气": "get_weather",
    "我的预订": "list_bookings",
    "查询预订": "list_bookings",
    "finalanswer": "finish",
}
"""What Chinese models call the actions. Keys are squeezed as `squeeze` does."""

_THOUGHT: Final = frozenset({"thought", "thoughts", "reasoning", "思考", "想法"})
_ACTION: Final = frozenset({"action", "动作", "行动"})
_INPUT: Final = frozenset(
    {"actioninput", "input", "arguments", "args", "parameters", "动作输入", "行动输入", "参数", "动作参数"}
)
_WRAPPER: Final = frozenset({"toolcall", "toolcalls", "functioncall", "function", "tooluse", "call"})
_NAME: Final = frozenset({"name", "tool", "toolname", "functionname"})
_HARMLESS: Final = frozenset({"id", "type", "index"})
"""Keys that servers put beside a call."""

MAX_WRAPPING: Final = 3
"""``tool_calls`` → item → ``function`` is as deep as servers nest a call."""


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call as a model meant it, before anything is validated.

    Attributes:
        name: as the model wrote it; empty when it is no text.
        unwrapped: it stood inside another object or under other keys than action and action_input.
        strangers: members that belong to no known shape.
    """

    thought: str
    name: str
    input: Json
    unwrapped: bool = False
    strangers: tuple[str, ...] = ()


def squeeze(name: str) -> str:
    """Give a name without case, width, spaces and punctuation, for comparing."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", name).lower())


def known_name(name: str, known: Mapping[str, object]) -> str | None:
    """Find the action a model's spelling means, or None. Only whole names count."""
    squeezed = squeeze(name)
    squeezed = squeeze(ACTION_ALIASES.get(squeezed, squeezed))
    return next((action for action in known if squeeze(action) == squeezed), None) if squeezed else None


def to_call(value: Json, is_known: Callable[[str], bool], wrapping: int = 0) -> RawCall | None:
    """Read an object as a call, or give None when it does not look like an answer.

    Args:
        is_known: tells whether a name is one of an action; ``{"name": …}`` counts only then.

    Raises:
        NotStrictError: two members mean the same thing, or several different calls stand in one wrapper.
    """
    if not isinstance(value, dict) or wrapping > MAX_WRAPPING:
        return None
    members: dict[str, Json] = {}
    for key, item in value.items():
        role = _role(squeeze(key))
        if role in members:
            raise NotStrictError("duplicate_key")
        members[role] = item
    thought = members["thought"] if isinstance(members.get("thought"), str) else ""
    if "action" in members:
        return _action_call(members, str(thought), is_known, wrapping)
    if "wrapper" in members:
        inner = to_call(only_one(members["wrapper"]), is_known, wrapping + 1)
        return inner and replace(inner, thought=inner.thought or str(thought), unwrapped=True)
    name = members.get("name")
    if isinstance(name, str) and "input" in members and is_known(name):
        return RawCall(str(thought), name, members["input"], unwrapped=True, strangers=_strangers(members))
    return None


def only_one(value: Json) -> Json:
    """Give the single item of a list (equal items count as one), anything else as it is.

    Raises:
        NotStrictError: the list holds different items.
    """
    if not isinstance(value, list) or not value:
        return value
    if any(item != value[0] for item in value):
        raise NotStrictError("several_plans")
    first: Json = value[0]
    return first


def _action_call(members: dict[str, Json], thought: str, is_known: Callable[[str], bool], wrapping: int) -> RawCall:
    action = members["action"]
    if isinstance(action, str):
        return RawCall(thought, action, members.get("input"), strangers=_strangers(members))
    inner = to_call(action, is_known, wrapping + 1)
    if inner is None:
        return RawCall(thought, "", None)
    given = members.get("input", inner.input)
    return replace(inner, thought=inner.thought or thought, input=given, unwrapped=True)


def _role(key: str) -> str:
    for role, keys in (("thought", _THOUGHT), ("action", _ACTION), ("input", _INPUT)):
        if key in keys:
            return role
    if key in _WRAPPER:
        return "wrapper"
    return "name" if key in _NAME else f"·{key}"


def _strangers(members: dict[str, Json]) -> tuple[str, ...]:
    return tuple(key[1:] for key in members if key.startswith("·") and key[1:] not in _HARMLESS)
