"""What goes into the engine and comes out of it, and what it keeps of a live session."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol, runtime_checkable

from booking_bot.dialogue.actions import Think
from booking_bot.dialogue.conversation import Decided, TurnOutcome
from booking_bot.dialogue.model import Language
from booking_bot.dialogue.observations import ToolObservation
from booking_bot.reply import Reply

LIVE_SESSIONS: Final = 20_000
"""Sessions kept in memory, less than 1 KiB each; the others are two SELECTs away."""
RECENT_MESSAGES: Final = 32
"""Message ids remembered per live session; older ones are found by the database's own constraint."""
STALE_TRIES: Final = 12
"""Times a turn is run again because another process moved the session on meanwhile."""
MAX_ID_CHARS: Final = 128
Answer = ToolObservation | Decided | None
"""What a turn is sent: a tool's observation, a planner's decision, or nothing."""
WRITES: Final = frozenset({"book_room", "move_booking", "cancel_booking", "cancel_bookings"})


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a user.

    Attributes:
        session_id: the session's full id.
        message_id: the client's id; the same id again gets the same reply and has no further effect.
        interrupt_id: the question this answers, as in `Reply.interrupt`; an answer to an older one is not taken, the
            current question is shown instead. None answers whatever is pending.
        language: the language to answer in whatever the message is in; None goes by the message.
        attempt: names this call of the engine, which sets it: a turn is known again by it when its COMMIT went through
            and the answer was lost.
    """

    session_id: str
    user_id: str
    text: str
    message_id: str | None = None
    channel: str = "python"
    interrupt_id: str | None = None
    language: Language | None = None
    attempt: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply with where its events stand in the session's stream.

    Attributes:
        first_seq: number of the turn's first event.
        repeated: True when the message had been answered before.
        outcome: the turn itself; None for a repeated one.
    """

    reply: Reply
    first_seq: int
    message_id: str | None = None
    repeated: bool = False
    outcome: TurnOutcome | None = None


class Planner(Protocol):
    """Chooses among the legal actions where the table leaves a row open."""

    async def decide(
        self, think: Think, now: dt.datetime, on_delta: Callable[[str], None] | None = None
    ) -> Decided | None:
        """Decide, or leave it to the row's default with None.

        Args:
            on_delta: gets text for the user while it is still being written; the reply will begin with it.
        """


@runtime_checkable
class Counting(Protocol):
    """Something that counts what it does."""

    def counts(self) -> dict[str, int]:
        """Give the counts by name, since the start."""


class EventCounter(Protocol):
    """Counts how many events a turn takes in the session's stream."""

    def __call__(self, reply: Reply) -> int:
        """Give the number of events, a function of the reply alone."""


@dataclass(slots=True)
class Live:
    """A session in memory, kept small: the context stays JSON between turns."""

    user_id: str
    context: bytes
    version: int
    next_seq: int
    recent: dict[str, int] | None = None


@dataclass(slots=True)
class Lock:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
