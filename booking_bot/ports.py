"""The ports: what the engine needs of the world, as protocols. Adapters implement them; nothing here does.

Two kinds of room services exist. A `RoomService` is asynchronous and commits on its own (a remote system). A
`RoomLedger` is synchronous and works inside the transaction of the turn, so that "booked" and the row are one commit.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from booking_bot.dialogue.model import BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import (
    Booked,
    Cancelled,
    Failed,
    Forgotten,
    Found,
    Gone,
    Listed,
    Moved,
    NoneFree,
    PlaceUnknown,
    Refused,
    Remembered,
    Taken,
    WeatherTold,
)

Clock = Callable[[], dt.datetime]
"""Gives the current instant, aware. The only source of "now"."""

Transaction = Any
"""An open transaction of the store; only the store's own ledger looks inside."""

T = TypeVar("T")


class RoomService(Protocol):
    """Rooms and bookings behind a network or a database of their own. Never raises for a failing world."""

    async def search_rooms(self, request: RoomRequest) -> Found | NoneFree | Failed:
        """Find rooms that fit and are free."""

    async def book_room(self, order: BookingOrder, organizer: str) -> Booked | Taken | Refused | Failed:
        """Book exactly this order; the same key again gives the booking made the first time."""

    async def move_booking(self, change: BookingChange, organizer: str) -> Moved | Taken | Gone | Refused | Failed:
        """Move an own booking; on `Taken` it stays as it was."""

    async def cancel_booking(self, cancellation: Cancellation, organizer: str) -> Cancelled | Gone | Refused | Failed:
        """Cancel an own booking."""

    async def list_bookings(self, organizer: str) -> Listed | Failed:
        """List the organizer's bookings that are not over."""

    async def find_booking(self, key: str, organizer: str) -> Booked | Moved | Cancelled | Gone | Failed:
        """Look up what the write with this idempotency key did; `Gone` when it never took effect."""


class RoomLedger(Protocol):
    """The same verbs inside an open transaction. Raises only for a broken database."""

    def search_rooms(self, tx: Transaction, request: RoomRequest) -> Found | NoneFree:
        """Find rooms that fit and are free, with one SELECT."""

    def book_room(self, tx: Transaction, order: BookingOrder, organizer: str) -> Booked | Taken:
        """Write the booking and its claims, or nothing."""

    def move_booking(self, tx: Transaction, change: BookingChange, organizer: str) -> Moved | Taken | Gone:
        """Move an own booking, or nothing."""

    def cancel_booking(self, tx: Transaction, cancellation: Cancellation, organizer: str) -> Cancelled | Gone:
        """Cancel an own booking, or nothing."""

    def list_bookings(self, tx: Transaction, organizer: str) -> Listed:
        """List the organizer's bookings that are not over."""

    def find_booking(self, tx: Transaction, key: str, organizer: str) -> Booked | Moved | Cancelled | Gone:
        """Look up what the write with this idempotency key did."""


class Memory(Protocol):
    """What is remembered of users, inside an open transaction."""

    def recall(self, tx: Transaction, user_id: str) -> Remembered:
        """Tell what is remembered of a user."""

    def forget(self, tx: Transaction, user_id: str, now: dt.datetime) -> Forgotten:
        """Delete it."""


class Weather(Protocol):
    """Weather forecasts. Never raises for a failing world."""

    async def get_weather(self, place: str, date: dt.date, language: str) -> WeatherTold | PlaceUnknown | Failed:
        """Tell the weather of one day at a place."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """The planner is being asked."""


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool that may take a while has begun."""

    tool: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """It is over.

    Attributes:
        ok: it gave an answer, whatever that is.
        elapsed_s: seconds it took.
    """

    tool: str
    ok: bool
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Text for the user, sent while it is written; the turn's reply begins with all of them together."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnRestarted:
    """The turn is done over, or could not be done: what was told of it so far does not count."""


Progress = Thinking | ToolStarted | ToolFinished | TextDelta | TurnRestarted
"""What goes on while a turn is being done, for who wants to show it."""
Observer = Callable[[Progress], None]


@runtime_checkable
class Model(Protocol):
    """A language model behind an OpenAI-compatible endpoint, or a scripted one."""

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None] | None = None) -> Completion:
        """Answer a prompt, bounded in time by the caller.

        Args:
            on_text: gets the answer's text piece by piece while it is written; tool calls never pass here. A try
                that fails after the first piece is not repeated.

        Raises:
            ModelError: time-out, refusal, or an answer outside the protocol, after the adapter's own retries.
        """


class Prompt(Protocol):
    """What a model is asked; made by the planner."""

    @property
    def messages(self) -> tuple[dict[str, str], ...]:
        """Chat messages: role and content."""

    @property
    def schema(self) -> dict[str, Any] | None:
        """JSON schema of the answer, for servers that can hold to one."""


class Completion(Protocol):
    """What a model answered."""

    @property
    def text(self) -> str:
        """The answer's text; native tool calls are rendered as one JSON object after it."""

    @property
    def tokens(self) -> int:
        """Tokens used, prompt and answer together; 0 where the server does not tell."""
