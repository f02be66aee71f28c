"""The protocol as a JSON Schema, made from the models: `python -m booking_bot.wire.schema` prints it."""

from __future__ import annotations

import json
import sys
from typing import Any, Final, Literal

from ag_ui.core import (
    CustomEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from booking_bot.dialogue.model import Language, SlotName
from booking_bot.dialogue.site import Localized
from booking_bot.reply import BookedRoom, Evidence, Option, ReadBackShown, SlotValue
from booking_bot.wire.frames import Hello, Message, Ping, Resume, Speak

_NOT_OURS: Final = frozenset(
    {
        "input",
        "metadata",
        "name",
        "parentMessageId",
        "parentRunId",
        "pendingToolCallIds",
        "protocolVersion",
        "rawEvent",
        "result",
        "subagentRunId",
        "timestamp",
        "toolCallId",
        "usage",
    }
)
"""Optional fields of AG-UI that this server never sends."""


class SnapshotInterrupt(BaseModel):
    """The pending question, as far as buttons need it."""

    id: str
    kind: Literal["ask_input", "ask_choice", "ask_multi_choice", "ask_confirm"]
    options: list[str]
    labels: list[str]


class Snapshot(BaseModel):
    """Where a session stands."""

    phase: Literal["COLLECTING_SLOTS", "SEARCHING", "AWAITING_SELECTION", "CONFIRMING", "BOOKED"]
    slots: dict[str, SlotValue]
    evidence: dict[str, Evidence]
    offers: list[Option]
    pending: Literal["clarify", "select_room", "confirm"] | None
    booking: BookedRoom | None
    asks: SlotName | None
    room: str | None
    choices: int
    interrupt: SnapshotInterrupt | None
    language: Language
    read_back: ReadBackShown | None


class SessionValue(BaseModel):
    """`value` of CUSTOM `session`: `seq` is the number of the session's last event."""

    session_id: str
    seq: int
    pending: Literal["clarify", "select_room", "confirm"] | None


class UserMessageValue(BaseModel):
    """`value` of CUSTOM `user_message`."""

    id: str
    text: str


_CLIENT: Final[tuple[type[BaseModel], ...]] = (Hello, Message, Resume, Speak, Ping)
_SERVER: Final[tuple[type[BaseModel], ...]] = (
    CustomEvent,
    RunStartedEvent,
    TextMessageStartEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    ToolCallStartEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    StateSnapshotEvent,
    RunFinishedEvent,
    RunErrorEvent,
)
_VALUES: Final[tuple[type[BaseModel], ...]] = (Snapshot, SessionValue, UserMessageValue)
_PARTS: Final[tuple[type[BaseModel], ...]] = (
    SnapshotInterrupt,
    BookedRoom,
    Evidence,
    Option,
    Localized,
    ReadBackShown,
)
_OURS: Final = {model.__name__ for model in (*_CLIENT, *_VALUES, *_PARTS)}


def protocol_schema() -> dict[str, Any]:
    """Make the schema: `$defs/ClientFrame` is what is sent, `$defs/ServerEvent` what is got."""
    _, schema = models_json_schema([(model, "validation") for model in (*_CLIENT, *_SERVER, *_VALUES)])
    defs = schema["$defs"]
    for name, definition in defs.items():
        if name not in _OURS and "properties" in definition:
            needed = definition.get("required", ())
            properties = definition["properties"].items()
            definition["properties"] = {k: v for k, v in properties if k in needed or k not in _NOT_OURS}
    for model in _SERVER:
        event = defs[model.__name__]
        event["properties"]["seq"] = {"type": "integer", "minimum": 0, "title": "Seq"}
        event["properties"]["type"] = {"const": event["properties"]["type"]["const"]}
        event["required"] = sorted({*event.get("required", ()), "type", "seq"})
    defs["CustomEvent"]["properties"]["name"] = {"enum": ["session", "user_message", "pong"]}
    defs["StateSnapshotEvent"]["properties"]["snapshot"] = {"$ref": "#/$defs/Snapshot"}
    defs["ToolCallResultEvent"]["properties"]["content"] = {"type": "string", "description": "JSON."}
    defs["RunErrorEvent"]["properties"]["runId"] = {"type": "string"}
    read_back = {"type": "object", "properties": {"read_back": {"$ref": "#/$defs/ReadBackShown"}}}
    defs["Interrupt"]["properties"]["metadata"] = read_back
    defs["ClientFrame"] = {"oneOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in _CLIENT]}
    defs["ServerEvent"] = {"oneOf": [{"$ref": f"#/$defs/{model.__name__}"} for model in _SERVER]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "booking-bot chat protocol",
        "description": "Frames a client sends and events the server sends over /ws.",
        "oneOf": [{"$ref": "#/$defs/ClientFrame"}, {"$ref": "#/$defs/ServerEvent"}],
        "$defs": dict(sorted(_reachable(defs).items())),
    }


def _reachable(defs: dict[str, Any]) -> dict[str, Any]:
    """Drop definitions that nothing refers to any more."""
    found: dict[str, Any] = {}
    todo = ["ClientFrame", "ServerEvent", *(model.__name__ for model in _VALUES)]
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = defs[name]
            todo += [part.split('"')[0] for part in json.dumps(defs[name]).split('"#/$defs/')[1:]]
    return found


def rendered() -> str:
    """Give the schema as the text of `docs/protocol.schema.json`."""
    return json.dumps(protocol_schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(rendered())
