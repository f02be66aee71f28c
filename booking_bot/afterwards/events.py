"""Which events a turn leaves in the outbox. Pure."""

from __future__ import annotations

import json
from typing import Final

from booking_bot.adapters.sql import OutboxEvent
from booking_bot.dialogue.conversation import TurnOutcome
from booking_bot.dialogue.model import Phase

LEARN: Final = "learn_habits"
SUMMARISE: Final = "summarise"
SUMMARY_FROM: Final = 16
"""Turns after which a talk is long: twice what the planner is shown."""
SUMMARY_EVERY: Final = 8
"""Turns between two summaries: what has left the planner's window since."""


def events_of(outcome: TurnOutcome, user_id: str) -> tuple[OutboxEvent, ...]:
    """Give what is to be done after a turn: nothing after most of them."""
    context = outcome.context
    out: list[OutboxEvent] = []
    if context.phase is Phase.BOOKED and "book_room" in outcome.tools:
        out.append(OutboxEvent(LEARN, json.dumps({"user": user_id})))
    if context.turn_id >= SUMMARY_FROM and context.turn_id % SUMMARY_EVERY == 0:
        payload = {"user": user_id, "session": context.session_id, "turn": context.turn_id}
        out.append(OutboxEvent(SUMMARISE, json.dumps(payload)))
    return tuple(out)
