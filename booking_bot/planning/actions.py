"""The actions a model may answer with: their argument models and JSON schemas. Which are legal when: see `legal`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from booking_bot.dialogue.model import SlotName
from booking_bot.dialogue.resolution import ResolveBuilding, ResolveRoom
from booking_bot.dialogue.site import Equipment
from booking_bot.planning.decision import ASK_USER, Action, Effect
from booking_bot.tools import ToolRegistry

DateText = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="YYYY-MM-DD")]
TimeText = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", description="HH:MM, 24 h")]
Minutes = Annotated[int, Field(ge=1, le=100_000)]
Seats = Annotated[int, Field(ge=1, le=1_000_000)]
Code = Annotated[str, Field(min_length=1, max_length=16)]
Title = Annotated[str, Field(min_length=1, max_length=80)]
Message = Annotated[str, Field(max_length=1_000)]
Option = Annotated[str, Field(min_length=1, max_length=80)]

T = TypeVar("T")


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Proposed(_Arguments, Generic[T]):
    """A slot value with the user's own words that it was understood from."""

    value: T
    words: str = Field(min_length=1, max_length=200, description="quoted from the user's message")


class SlotProposals(_Arguments):
    """Slot values understood from words that the rules left unread."""

    date: Proposed[DateText] | None = None
    start_time: Proposed[TimeText] | None = None
    duration_minutes: Proposed[Minutes] | None = None
    capacity: Proposed[Seats] | None = None
    building: Proposed[Code] | None = None
    equipment: Proposed[tuple[Equipment, ...]] | None = None
    title: Proposed[Title] | None = None


class AskUser(_Arguments):
    """Say or ask something; the answer comes with the next message."""

    slots: SlotProposals | None = None  # before the message: what is streamed should rest on values already seen
    slot: SlotName | None = None
    message: Message | None = None


class AskInput(_Arguments):
    """Ask for a free text."""

    message: Message
    placeholder: Annotated[str, Field(max_length=80)] | None = None


class AskChoice(_Arguments):
    """Ask for one, or several, of the options."""

    message: Message
    options: tuple[Option, ...] = Field(min_length=2, max_length=10)


class AskConfirm(_Arguments):
    """Ask for a yes or no."""

    message: Message


class SearchRooms(_Arguments):
    """Search with the slots as they are, plus proposals. Plain values may only repeat what is set."""

    date: DateText | None = None
    start_time: TimeText | None = None
    duration_minutes: Minutes | None = None
    capacity: Seats | None = None
    building: Code | None = None
    equipment: tuple[Equipment, ...] | None = None
    slots: SlotProposals | None = None


class BookRoom(_Arguments):
    """Book what was read back; the room may be repeated, not chosen."""

    room_id: Annotated[str, Field(min_length=1, max_length=32)] | None = None


class Finish(_Arguments):
    """Nothing more to do this turn."""

    message: Message | None = None


NOT_FOR_MODELS: Final = frozenset(
    {"find_booking", "move_booking", "cancel_booking", "cancel_bookings", "recall_memory", "forget_memory"}
)
"""Tools of the registry that no model's answer can name: they run only on the user's own read-back."""

RESOLVING: Final = frozenset({"resolve_room", "resolve_building"})
"""Own actions that run as tools."""

MAX_TOOLS: Final = 20
"""Foreign tools shown to a model at once."""
MAX_SCHEMA_NODES: Final = 500
"""Objects and lists of one schema; definitions that refer to each other can grow without end."""


def actions_of(registry: ToolRegistry, *, without: frozenset[str] = frozenset()) -> dict[str, Action]:
    """Give every action there is with this registry, by name, in the order in which they are shown.

    Args:
        without: actions that nobody would carry out here.
    """
    own = {action.name: action for action in _OWN if action.name not in without}
    foreign = [tool for tool in registry if tool.name not in OWN_ACTIONS | NOT_FOR_MODELS | without]
    return own | {
        tool.name: Action(
            tool.name,
            tool.description,
            tool.arguments,
            "read" if tool.risk == "safe" else "write",
            inlined(tool.schema()),
            confirm=tool.risk != "safe",
        )
        for tool in foreign[:MAX_TOOLS]
    }


def answer_schema(actions: Iterable[Action], max_thought: int = 300) -> dict[str, object]:
    """Give the JSON schema of a whole answer: closed, one branch an action, for servers that hold to schemas."""
    return {
        "anyOf": [
            {
                "type": "object",
                "properties": {
                    "thought": {"type": "string", "maxLength": max_thought},
                    "action": {"type": "string", "enum": [action.name]},
                    "action_input": dict(action.schema),
                },
                "required": ["thought", "action", "action_input"],
                "additionalProperties": False,
            }
            for action in actions
        ]
    }


def inlined(schema: Mapping[str, object]) -> dict[str, object]:
    """Give a schema with its ``$defs`` put in place and titles left out; what recurses or is too large becomes open."""
    definitions = schema.get("$defs")
    known = definitions if isinstance(definitions, dict) else {}
    budget = iter(range(MAX_SCHEMA_NODES))
    plain = _inlined({key: value for key, value in schema.items() if key != "$defs"}, known, (), budget)
    return plain if isinstance(plain, dict) else {}


def _inlined(node: object, known: Mapping[str, object], inside: tuple[str, ...], budget: Iterator[int]) -> object:
    if not isinstance(node, dict | list):
        return node
    if next(budget, None) is None:
        return {}
    if isinstance(node, list):
        return [_inlined(item, known, inside, budget) for item in node]
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.rsplit("/", 1)[-1]
        return {} if name in inside or name not in known else _inlined(known[name], known, (*inside, name), budget)
    kept = {k: v for k, v in node.items() if not (k in ("title", "default") and not isinstance(v, dict))}
    return {key: _inlined(value, known, inside, budget) for key, value in kept.items()}


def _without_nulls(node: object) -> object:
    """Give a schema in which what may be null may only be left out: shorter, and the same to the argument models."""
    if isinstance(node, list):
        return [_without_nulls(item) for item in node]
    if not isinstance(node, dict):
        return node
    choices = node.get("anyOf")
    if isinstance(choices, list):
        others = [choice for choice in choices if choice != {"type": "null"}]
        if len(others) == 1:
            return _without_nulls(others[0])
    return {key: _without_nulls(value) for key, value in node.items()}


def _own(name: str, description: str, arguments: type[BaseModel], effect: Effect) -> Action:
    schema = _without_nulls(inlined(arguments.model_json_schema()))
    members = {key: value for key, value in schema.items() if key != "description"} if isinstance(schema, dict) else {}
    return Action(name, description, arguments, effect, members)


_OWN: Final = (
    _own(ASK_USER, "Say or ask the user something and wait.", AskUser, "say"),
    _own("ask_input", "Ask the user for a free text.", AskInput, "say"),
    _own("ask_choice", "Ask the user to pick one of some options.", AskChoice, "say"),
    _own("ask_multi_choice", "Ask the user to pick several of some options.", AskChoice, "say"),
    _own("ask_confirm", "Ask the user a yes-or-no question.", AskConfirm, "say"),
    _own("search_rooms", "Find free rooms for the slots that are set; {} uses them as they are.", SearchRooms, "read"),
    _own("resolve_room", "Find out which room the user's words name.", ResolveRoom, "read"),
    _own("resolve_building", "Find out which building the user's words name.", ResolveBuilding, "read"),
    _own("book_room", "Book exactly what was read back, after the user's yes.", BookRoom, "write"),
    _own("finish", "Nothing more to do this turn.", Finish, "say"),
)
OWN_ACTIONS: Final = frozenset(action.name for action in _OWN)
