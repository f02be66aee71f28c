"""The tool registry: what each tool is called, takes, risks, and who carries it out.

A tool is *inside* when it runs synchronously in the transaction of the turn (the database's own bookings), *outside*
when it is awaited (a remote service). The engine asks only the registry; nothing else knows which is which.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel

from booking_bot.dialogue.model import (
    BookingChange,
    BookingKey,
    BookingOrder,
    Cancellation,
    Cancellations,
    Language,
    NoArguments,
    RoomRequest,
    WeatherQuestion,
)
from booking_bot.dialogue.observations import Cancelled, CancelledSeveral, Failed, ToolObservation
from booking_bot.dialogue.resolution import ResolveBuilding, ResolveRoom, resolve_building, resolve_room
from booking_bot.dialogue.site import Site
from booking_bot.ports import Memory, RoomLedger, RoomService, Transaction, Weather

Risk = Literal["safe", "sensitive", "destructive"]
"""safe: reads only. sensitive: writes or leaves the house. destructive: takes something away from somebody."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Who asks, in which language, and when (aware instant).

    Attributes:
        key: of the read-back the user said yes to, for somebody else's tool; empty for a tool that needs none.
    """

    user_id: str
    language: Language
    now: dt.datetime
    key: str = ""


Outside = Callable[[Any, ToolContext], Awaitable[ToolObservation]]
Inside = Callable[[Transaction, Any, ToolContext], ToolObservation]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        arguments: the model its arguments are validated by.
        inside: carries it out in the transaction of the turn; exactly one of `inside` and `outside` is set.
        outside: carries it out over an await.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    risk: Risk
    inside: Inside | None = None
    outside: Outside | None = None

    def schema(self) -> dict[str, Any]:
        """Give the JSON schema of the arguments."""
        return self.arguments.model_json_schema()


class ToolRegistry:
    """Tools by name, in the order they were given."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def learn(self, *tools: Tool) -> None:
        """Add tools that were found while running; a name that is taken stays whose it is."""
        self._tools = {tool.name: tool for tool in tools} | self._tools

    def with_tools(self, *tools: Tool) -> ToolRegistry:
        """Give a registry with these tools added or put in place of those of the same name."""
        return ToolRegistry((self._tools | {tool.name: tool for tool in tools}).values())


_SPECIFICATIONS: tuple[Tool, ...] = (
    Tool("search_rooms", "Find rooms that fit a wish and are free then.", RoomRequest, "safe"),
    Tool("book_room", "Book one room for one exact time.", BookingOrder, "sensitive"),
    Tool("move_booking", "Move one of the user's bookings to another time or room.", BookingChange, "sensitive"),
    Tool("cancel_booking", "Cancel one of the user's bookings.", Cancellation, "destructive"),
    Tool("cancel_bookings", "Cancel several of the user's bookings together.", Cancellations, "destructive"),
    Tool("list_bookings", "List the user's bookings that are not over.", NoArguments, "safe"),
    Tool("find_booking", "Look up what a write with this key did.", BookingKey, "safe"),
    Tool("get_weather", "Tell the weather of a day at a place.", WeatherQuestion, "safe"),
    Tool("resolve_room", "Find out which room some words name.", ResolveRoom, "safe"),
    Tool("resolve_building", "Find out which building some words name.", ResolveBuilding, "safe"),
)


def known_tools() -> tuple[Tool, ...]:
    """Give the bot's own tools bound to nothing, for showing what there is."""
    return _SPECIFICATIONS


def _together(several: Cancellations, answers: Sequence[ToolObservation]) -> CancelledSeveral:
    """Put single cancellations together: what is not cancelled for certain is left."""
    cancelled = tuple(answer.booking for answer in answers if isinstance(answer, Cancelled))
    ids = {booking.id for booking in cancelled}
    left = tuple(item.booking_id for item in several.items if item.booking_id not in ids)
    return CancelledSeveral(cancelled=cancelled, left=left)


def ledger_tools(ledger: RoomLedger) -> tuple[Tool, ...]:
    """Bind the room tools to a ledger inside the turn's transaction."""
    handlers: dict[str, Inside] = {
        "search_rooms": lambda tx, a, _: ledger.search_rooms(tx, a),
        "book_room": lambda tx, a, c: ledger.book_room(tx, a, c.user_id),
        "move_booking": lambda tx, a, c: ledger.move_booking(tx, a, c.user_id),
        "cancel_booking": lambda tx, a, c: ledger.cancel_booking(tx, a, c.user_id),
        "cancel_bookings": lambda tx, a, c: _together(
            a, [ledger.cancel_booking(tx, item, c.user_id) for item in a.items]
        ),
        "list_bookings": lambda tx, _, c: ledger.list_bookings(tx, c.user_id),
        "find_booking": lambda tx, a, c: ledger.find_booking(tx, a.key, c.user_id),
    }
    return tuple(replace(tool, inside=handlers[tool.name]) for tool in _SPECIFICATIONS if tool.name in handlers)


def service_tools(service: RoomService) -> tuple[Tool, ...]:
    """Bind the room tools to a room service that commits on its own."""

    async def cancel_bookings(several: Cancellations, context: ToolContext) -> ToolObservation:
        """Cancel one by one; a service that does not answer is not asked for the rest."""
        answers: list[ToolObservation] = []
        for item in several.items:
            answers.append(await service.cancel_booking(item, context.user_id))
            if isinstance(answers[-1], Failed):
                break
        return _together(several, answers)

    handlers: dict[str, Outside] = {
        "search_rooms": lambda a, _: service.search_rooms(a),
        "book_room": lambda a, c: service.book_room(a, c.user_id),
        "move_booking": lambda a, c: service.move_booking(a, c.user_id),
        "cancel_booking": lambda a, c: service.cancel_booking(a, c.user_id),
        "cancel_bookings": cancel_bookings,
        "list_bookings": lambda _, c: service.list_bookings(c.user_id),
        "find_booking": lambda a, c: service.find_booking(a.key, c.user_id),
    }
    return tuple(replace(tool, outside=handlers[tool.name]) for tool in _SPECIFICATIONS if tool.name in handlers)


def memory_tools(memory: Memory) -> tuple[Tool, ...]:
    """Bind the two tools about what is remembered of a user; no model can name them."""
    recall = Tool("recall_memory", "Tell what is remembered of the user.", NoArguments, "safe")
    forget = Tool("forget_memory", "Delete what is remembered of the user.", NoArguments, "sensitive")
    return (
        replace(recall, inside=lambda tx, _, c: memory.recall(tx, c.user_id)),
        replace(forget, inside=lambda tx, _, c: memory.forget(tx, c.user_id, c.now)),
    )


def resolving_tools(site: Site) -> tuple[Tool, ...]:
    """Bind the tools that tell what the user's words name here."""

    async def room(wanted: ResolveRoom, _: ToolContext) -> ToolObservation:
        return resolve_room(site, wanted.room)

    async def building(wanted: ResolveBuilding, _: ToolContext) -> ToolObservation:
        return resolve_building(site, wanted.building)

    handlers: dict[str, Outside] = {"resolve_room": room, "resolve_building": building}
    return tuple(replace(tool, outside=handlers[tool.name]) for tool in _SPECIFICATIONS if tool.name in handlers)


def weather_tool(weather: Weather) -> Tool:
    """Bind the weather tool."""

    async def handler(question: WeatherQuestion, context: ToolContext) -> ToolObservation:
        return await weather.get_weather(question.place, question.date, context.language)

    return next(replace(tool, outside=handler) for tool in _SPECIFICATIONS if tool.name == "get_weather")
