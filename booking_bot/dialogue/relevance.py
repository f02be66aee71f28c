"""How much a message is booking talk, for a host that has other skills beside the bot. Pure; no model is asked.

The numbers are an order, not a probability: what names a room and a wish comes before what could be anybody's, and a
pending question draws towards the bot what answers it.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Final

from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.reading import Reading

SURE: Final = 1.0
CLEAR: Final = 0.9
LIKELY: Final = 0.7
OPEN: Final = 0.5
ASIDE: Final = 0.2
"""Weather, help and small talk are answered too, but anybody may answer them."""
WAITING: Final = 0.3
"""The least that is given to anything said while a question is pending."""
STRANGE_WORD: Final = 0.45
"""What each word that was not understood leaves of the score: "book a flight to Paris" is not for the bot."""
MAX_STRANGE_WORDS: Final = 3

_NAMES_ROOMS: Final = re.compile(
    r"会议室|会议|开会|房间|预[订定约]|订[个一间]|\b(?:meeting|conference|board) ?rooms?\b|\brooms?\b"
    r"|\b(?:my|the) (?:meetings?|bookings?|reservations?)\b|\bbook(?:ing|ings)?\b|\breserv",
    re.IGNORECASE,
)
_ABOUT_BOOKINGS: Final = frozenset({"list", "cancel", "reschedule", "extend"})
_ASIDES: Final = frozenset({"weather", "help", "smalltalk"})


def booking_talk(reading: Reading, context: BookingContext) -> float:
    """Score a message from 0 (not for the bot) to 1 (an answer to its question).

    Args:
        reading: the message read against `context`.
        context: where the session stands.
    """
    strange = STRANGE_WORD ** min(len(reading.unread), MAX_STRANGE_WORDS)
    if _waits(context):
        return max(WAITING, (SURE if _answers(reading) else ASIDE) * strange)
    return round(_unasked(reading, context) * strange, 3)


def _waits(context: BookingContext) -> bool:
    return context.pending is not None or bool(context.proposals) or context.asks_place is not None


def _answers(reading: Reading) -> bool:
    """Tell whether the message says anything a pending question could take."""
    if reading.questions:
        return True
    if reading.intent in _ASIDES:
        return False
    return (
        reading.intent != "none"
        or reading.confirm is not None
        or reading.choice is not None
        or reading.retry
        or reading.rejects_rooms
        or bool(reading.dropped)
        or _values(reading) > 0
    )


def _unasked(reading: Reading, context: BookingContext) -> float:
    if reading.questions:
        return CLEAR
    names_rooms = bool(_NAMES_ROOMS.search(reading.text)) or reading.choice is not None
    booked = context.phase is Phase.BOOKED
    match reading.intent:
        case "none" | "confirm":
            return 0.0
        case "help" | "smalltalk" | "weather":
            return ASIDE
        case intent if intent in _ABOUT_BOOKINGS:
            return CLEAR if names_rooms or booked or _values(reading) else OPEN
        case "choose":
            return LIKELY
        case _:
            values = _values(reading)
            if names_rooms:
                return CLEAR if values or reading.intent == "book" else LIKELY
            return (0.0, OPEN, LIKELY)[min(values, 2)] if values < 3 else CLEAR


def _values(reading: Reading) -> int:
    said = (reading.values, reading.named)
    return len({field.name for values in said for field in fields(values) if getattr(values, field.name) is not None})
