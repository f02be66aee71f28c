"""Events of a turn, in the shape of AG-UI 1.0 with a `seq` each, as dictionaries for `pydantic_core.to_json`.

The events are a function of the stored turn alone, so nothing but the turn is stored: a client that comes back gets
them made again, with the same numbers. `count_events` must always agree with `turn_events`. What is told while a turn
is being done is made by `RunBegun`, the same events in the same order as far as they are known by then.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo

from booking_bot.reply import Interrupt, Reply, expires_at

Event = dict[str, Any]

DELTA_CHARS: Final = 96
"""Longest piece of a streamed text: a short reply is one event, a list of rooms two or three."""
_FRAME_EVENTS: Final = 6
"""RUN_STARTED, CUSTOM user_message, TEXT_MESSAGE_START and _END, STATE_SNAPSHOT, RUN_FINISHED."""
_TOOL_EVENTS: Final = 3
"""TOOL_CALL_START, _END and _RESULT. Without the result a client would take the call for one it has to answer."""
_ROOM_TOOLS: Final = frozenset({"search_rooms"})
_WRITES: Final = frozenset({"book_room", "move_booking"})


@dataclass(frozen=True, slots=True)
class TurnShown:
    """A committed turn as it is shown.

    Attributes:
        session_id: the session's id as its client knows it.
        message_id: the client's id of the message; None where it had none.
        text: the user's message.
        first_seq: number of the turn's first event.
    """

    session_id: str
    message_id: str | None
    text: str
    reply: Reply
    first_seq: int


def count_events(reply: Reply) -> int:
    """Count the events of a turn without making them."""
    streamed = reply.streamed
    rest = len(reply.text) - sum(streamed)
    return _FRAME_EVENTS + _TOOL_EVENTS * len(reply.actions) + len(streamed) + -(-rest // DELTA_CHARS)


def turn_events(turn: TurnShown, zone: ZoneInfo) -> list[Event]:
    """Make a turn's events, numbered from `first_seq`.

    Args:
        zone: the site's time zone, for the instant at which the pending question expires.
    """
    reply = turn.reply
    run_id = turn.message_id or f"turn-{reply.turn_id}"
    message_id = f"{turn.session_id}-{reply.turn_id}"
    events = _opening(turn.session_id, run_id, turn.text)
    for number, tool in enumerate(reply.actions):
        events += (_tool_start(tool, f"{message_id}-{number}"), _tool_end(f"{message_id}-{number}"))
    for number, tool in enumerate(reply.actions):
        events.append(_tool_result(tool, f"{message_id}-{number}", reply))
    events += _text(message_id, reply.text, reply.streamed)
    events.append({"type": "STATE_SNAPSHOT", "snapshot": _state(reply)})
    run = {"threadId": turn.session_id, "runId": run_id}
    events.append({"type": "RUN_FINISHED", **run, "outcome": _outcome(reply, zone)})
    for seq, event in enumerate(events, turn.first_seq):
        event["seq"] = seq
    return events


class RunBegun:
    """The events of a turn that is still being done, as it goes on; those of `turn_events` begin with them.

    Args:
        turn_id, first_seq: the numbers the turn will have.

    Attributes:
        events: those told so far.
    """

    def __init__(self, session_id: str, message_id: str | None, text: str, *, turn_id: int, first_seq: int) -> None:
        self._message_id = f"{session_id}-{turn_id}"
        self._first_seq = first_seq
        self._tools = 0
        self._writes = False
        self.events: list[Event] = []
        self.run_id = message_id or f"turn-{turn_id}"
        self._add(*_opening(session_id, self.run_id, text))

    def tool_started(self, tool: str) -> None:
        """Tell that a tool has begun."""
        self._add(_tool_start(tool, f"{self._message_id}-{self._tools}"))

    def tool_finished(self) -> None:
        """Tell that it is over; what came of it is told with the reply."""
        self._add(_tool_end(f"{self._message_id}-{self._tools}"))
        self._tools += 1

    def wrote(self, delta: str) -> None:
        """Tell the next piece of the reply's text."""
        if not self._writes:
            self._writes = True
            self._add(_text_start(self._message_id))
        self._add(_text_delta(self._message_id, delta))

    def _add(self, *events: Event) -> None:
        for event in events:
            self.events.append(event | {"seq": self._first_seq + len(self.events)})


def session_event(session_id: str, *, seq: int, head: int, reply: Reply | None) -> Event:
    """Make the first answer to a hello.

    Args:
        seq: the number the client has seen last.
        head: number of the session's last event, 0 for a new session.
        reply: where the session stands, None for a new one.
    """
    value = {"session_id": session_id, "seq": head, "pending": reply.pending if reply else None}
    return {"type": "CUSTOM", "name": "session", "value": value, "seq": seq}


def snapshot_event(reply: Reply, *, seq: int) -> Event:
    """Make the state of a session outside of a turn."""
    return {"type": "STATE_SNAPSHOT", "snapshot": _state(reply), "seq": seq}


def prompt_events(session_id: str, reply: Reply, *, seq: int) -> list[Event]:
    """Make the pending prompt of a session outside of a turn; nothing when nothing is asked."""
    if not reply.text:
        return []
    return [event | {"seq": seq} for event in _text(f"{session_id}-prompt-{reply.turn_id}", reply.text)]


def error_event(code: str, message: str, *, seq: int, run_id: str | None = None) -> Event:
    """Make the answer to a frame that was not taken; `run_id` is the frame's id where it had one."""
    event: Event = {"type": "RUN_ERROR", "code": code, "message": message, "seq": seq}
    return event if run_id is None else event | {"runId": run_id}


def interrupt_event(interrupt: Interrupt, reply: Reply, zone: ZoneInfo) -> dict[str, Any]:
    """Describe the pending question as AG-UI's interrupt; `expiresAt` is absent where it never goes stale by itself."""
    out: dict[str, Any] = {
        "id": interrupt.id,
        "reason": reply.pending or interrupt.kind,
        "message": interrupt.message or reply.text,
        "responseSchema": response_schema(interrupt, reply),
    }
    expires = interrupt.expires_at or expires_at(reply.slots, zone)
    if expires is not None:
        out["expiresAt"] = expires
    if reply.read_back is not None:
        out["metadata"] = {"read_back": reply.read_back.model_dump()}
    return out


def response_schema(interrupt: Interrupt, reply: Reply) -> dict[str, Any]:
    """Give the JSON schema of the payload that answers a question."""
    schema = interrupt.answer_schema
    if interrupt.kind != "ask_choice" or not reply.options:
        return schema
    room = {"enum": [option.room_id for option in reply.options]}
    return {
        "type": "object",
        "properties": {**schema["properties"], "room_id": room},
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
    }


def _opening(session_id: str, run_id: str, text: str) -> list[Event]:
    return [
        {"type": "RUN_STARTED", "threadId": session_id, "runId": run_id},
        {"type": "CUSTOM", "name": "user_message", "value": {"id": run_id, "text": text}},
    ]


def _text(message_id: str, text: str, streamed: Sequence[int] = ()) -> list[Event]:
    """Make the events of a text: first in the pieces it was sent in, then in long ones."""
    events, at = [_text_start(message_id)], 0
    for size in streamed:
        events.append(_text_delta(message_id, text[at : at + size]))
        at += size
    events += (_text_delta(message_id, text[cut : cut + DELTA_CHARS]) for cut in range(at, len(text), DELTA_CHARS))
    events.append({"type": "TEXT_MESSAGE_END", "messageId": message_id})
    return events


def _text_start(message_id: str) -> Event:
    return {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant"}


def _text_delta(message_id: str, delta: str) -> Event:
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": delta}


def _tool_start(tool: str, call_id: str) -> Event:
    return {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": tool}


def _tool_end(call_id: str) -> Event:
    return {"type": "TOOL_CALL_END", "toolCallId": call_id}


def _tool_result(tool: str, call_id: str, reply: Reply) -> Event:
    return {
        "type": "TOOL_CALL_RESULT",
        "messageId": f"{call_id}-result",
        "toolCallId": call_id,
        "role": "tool",
        "content": json.dumps(_result(tool, reply), separators=(",", ":")),
    }


def _result(tool: str, reply: Reply) -> dict[str, Any]:
    """Tell what came of a call as far as the reply shows it."""
    if tool in _ROOM_TOOLS:
        return {"rooms": [option.room_id for option in reply.options]}
    if tool in _WRITES:
        return {"booking": reply.booking.id if reply.booking else None}
    return {}


def _state(reply: Reply) -> dict[str, Any]:
    interrupt = reply.interrupt
    return {
        "phase": reply.phase.value,
        "slots": reply.slots,
        "evidence": reply.evidence,
        "offers": reply.options,
        "pending": reply.pending,
        "booking": reply.booking,
        "asks": reply.asks,
        "room": reply.room,
        "choices": reply.choices,
        "interrupt": None if interrupt is None else _question(interrupt),
        "language": reply.language,
        "read_back": reply.read_back,
    }


def _question(interrupt: Interrupt) -> dict[str, Any]:
    """Give what buttons need of the question; its text stands in the message before."""
    return {
        "id": interrupt.id,
        "kind": interrupt.kind,
        "options": interrupt.options,
        "labels": interrupt.labels,
    }


def _outcome(reply: Reply, zone: ZoneInfo) -> dict[str, Any]:
    if reply.interrupt is None:
        return {"type": "success"}
    return {"type": "interrupt", "interrupts": [interrupt_event(reply.interrupt, reply, zone)]}
