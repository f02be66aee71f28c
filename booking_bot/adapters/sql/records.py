"""The values that go into the store and come out of it, and the errors it raises. No SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from booking_bot.errors import BookingBotError, StaleSession


class DuplicateMessage(StaleSession):
    """The session has already answered this message id: load its reply instead of running the turn."""


class StoreError(BookingBotError):
    """The database failed for good; the original error is the cause. Nothing of the unit is known to be written."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A conversation's state as it was last committed.

    Attributes:
        context: the dialogue's context as JSON.
        version: counts the turns written; the next turn must name it.
        next_seq: number of the first event not yet given out.
        recent: ids of the last messages → number of the turn that answered them, newest first, at most 32.
    """

    session_id: str
    user_id: str
    site: str
    phase: str
    status: str
    stop_reason: str | None
    context: str
    version: int
    next_seq: int
    updated_s: int
    recent: dict[str, int]


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One step of the planner within a turn.

    Attributes:
        turn_id: the turn it belongs to.
        seq: position in the turn, from 0.
        input: arguments as JSON.
        observation: what came back, as JSON.
        parse_level: which of the three ways of reading a model's answer worked, None without a model.
    """

    turn_id: int
    seq: int
    thought: str
    action: str
    input: str
    observation: str
    source: str
    parse_level: int | None = None
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One of the three rows of a write: what was wanted, what was decided, what came of it (JSON before and after)."""

    step: Literal["intent", "decision", "outcome"]
    tool: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class OutboxEvent:
    """Something to tell the world after the commit.

    Attributes:
        payload: JSON.
        due_s: epoch seconds before which it is not delivered.
    """

    event: str
    payload: str
    due_s: int = 0


@dataclass(frozen=True, slots=True)
class ClaimedEvent:
    """An outbox row that this worker holds until its lease runs out; `attempts` counts this one."""

    id: int
    event: str
    payload: str
    attempts: int


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """Everything a turn writes about the conversation.

    Attributes:
        context: the dialogue's context after the turn, as JSON.
        version: the session's version as it was loaded; 0 for a session that is not stored yet.
        next_seq: number of the first event after this turn's.
        turn_id: number of the turn, from 1.
        message_id: the client's id of the message, None when it gave none.
        attempt: names the call of the engine; a second turn of the same one is refused as a duplicate.
        settled: keys of writes whose outcome this turn holds.
        said_at_s: epoch seconds.
        reply: the reply as JSON, enough to give it again.
        first_seq: number of this turn's first event.
    """

    session_id: str
    user_id: str
    site: str
    phase: str
    status: str
    stop_reason: str | None
    context: str
    version: int
    next_seq: int
    turn_id: int
    message_id: str | None
    channel: str
    said_at_s: int
    text: str
    reply: str
    first_seq: int
    attempt: str = ""
    settled: tuple[str, ...] = ()
    actions: tuple[ActionRow, ...] = ()
    audit: tuple[AuditRow, ...] = ()
    outbox: tuple[OutboxEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn as it was committed; `reply` is JSON."""

    turn_id: int
    message_id: str | None
    user_id: str
    channel: str
    said_at_s: int
    text: str
    reply: str
    first_seq: int
