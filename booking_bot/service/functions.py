"""The operations as functions an assistant can call: names, descriptions, arguments; and as OpenAI's strict schemas."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field, StringConstraints

from booking_bot.dialogue.model import Frozen
from booking_bot.service.values import (
    BookingId,
    BookingWish,
    ConfirmToken,
    Date,
    Key,
    Label,
    MoveWish,
    Place,
    RoomId,
    RoomWish,
)

Message = Annotated[
    str, StringConstraints(min_length=1, max_length=8_000), Field(description="What the user says, as said.")
]

_TWO_STEPS: Final = (
    "The first call writes nothing: it gives a read_back. Show that to the user, and only after they said yes call "
    "again with exactly the same arguments and the confirm_token. Never confirm on the user's behalf."
)


class Talk(Frozen):
    """Arguments of `talk`."""

    message: Message
    session_id: Label


class SuggestAlternatives(RoomWish):
    """Arguments of `suggest_alternatives`."""

    room_id: RoomId | None = None


class BookRoom(BookingWish):
    """Arguments of `book_room`."""

    idempotency_key: Key
    confirm_token: ConfirmToken | None = None


class MoveBooking(MoveWish):
    """Arguments of `move_booking`."""

    booking_id: BookingId
    idempotency_key: Key
    confirm_token: ConfirmToken | None = None


class CancelBooking(Frozen):
    """Arguments of `cancel_booking`."""

    booking_id: BookingId
    idempotency_key: Key | None = None
    confirm_token: ConfirmToken | None = None


class GetWeather(Frozen):
    """Arguments of `get_weather`."""

    location: Place
    date: Date | None = None


class MyBookings(Frozen):
    """Arguments of `my_bookings`: none, the user is known from the login."""


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """One function.

    Attributes:
        reads: it changes nothing.
        destroys: it may take something away or change what stands.
        repeatable: the same arguments again have no further effect.
    """

    name: str
    title: str
    description: str
    arguments: type[Frozen]
    reads: bool = False
    destroys: bool = False
    repeatable: bool = True


TOOLS: Final[dict[str, FunctionTool]] = {
    tool.name: tool
    for tool in (
        FunctionTool(
            "talk",
            "Talk to the booking bot",
            "Pass one message of the user to the booking bot, in Chinese or English, and show the user its text. It "
            "keeps the conversation of each session_id: it asks for what is missing, offers rooms, reads back, and "
            "books only after the user's own yes.",
            Talk,
            destroys=True,
            repeatable=False,
        ),
        FunctionTool(
            "search_rooms",
            "Search free rooms",
            "Find rooms that fit and are free, best first; when there are none, what comes near.",
            RoomWish,
            reads=True,
        ),
        FunctionTool(
            "suggest_alternatives",
            "Suggest alternatives",
            "Tell what comes near a wish that cannot be had: other rooms at that time, other times that day, other "
            "buildings, fewer things in the room.",
            SuggestAlternatives,
            reads=True,
        ),
        FunctionTool("book_room", "Book a room", f"Book one room for one exact time. {_TWO_STEPS}", BookRoom),
        FunctionTool(
            "my_bookings", "My bookings", "List the user's bookings that are not over.", MyBookings, reads=True
        ),
        FunctionTool(
            "move_booking",
            "Move a booking",
            f"Move one of the user's bookings; what is not given stays as it is. {_TWO_STEPS}",
            MoveBooking,
            destroys=True,
        ),
        FunctionTool(
            "cancel_booking",
            "Cancel a booking",
            f"Cancel one of the user's bookings. {_TWO_STEPS}",
            CancelBooking,
            destroys=True,
        ),
        FunctionTool(
            "get_weather",
            "Weather",
            "Tell a day's weather at a place; today's when no date is given.",
            GetWeather,
            reads=True,
        ),
    )
}
"""In the order in which they are listed."""


def openai_tools() -> list[dict[str, Any]]:
    """Give the functions in OpenAI's format with ``strict: true``.

    There every property is required; one that may be left out takes null instead.
    """
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "strict": True,
                "parameters": _strict(tool.arguments.model_json_schema()),
            },
        }
        for tool in TOOLS.values()
    ]


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {name: _nullable(name, schema) for name in schema.get("properties", {})}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _nullable(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = copy.deepcopy(schema["properties"][name])
    has_default = "default" in given and given["default"] is not None
    for key in ("default", "title"):
        given.pop(key, None)
    arms = given.pop("anyOf", None)
    if arms is not None:
        return {"anyOf": [{k: v for k, v in arm.items() if k != "title"} for arm in arms]} | given
    if name in schema.get("required", ()) or not has_default:
        return given
    description = given.pop("description", None)
    out: dict[str, Any] = {"anyOf": [given, {"type": "null"}]}
    return out | ({"description": description} if description else {})
