"""What came before in a session, as the planner's prompt shows it: a bounded window, the summary, the user's habits."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from booking_bot.adapters.sql import SqlStore
from booking_bot.adapters.sql.memory import SUMMARIES, MemoryItem
from booking_bot.afterwards.remembering import summary_key
from booking_bot.dialogue.actions import ActionTaken
from booking_bot.planning.decider import Recall, Recalled

WINDOW_TURNS: Final = 8
"""Turns shown to the planner; older ones are in the summary."""
_LABELS: Final = {
    "usual_building": "usual building: {}",
    "usual_seats": "usual number of people: {}",
    "usual_minutes": "usual length: {} minutes",
}


def recall_from(store: SqlStore) -> Recall:
    """Give a recall over a store; three SELECTs a question, whatever the length of the talk."""

    async def recall(session_id: str, user_id: str) -> Recalled:
        turns, actions = await store.window(session_id, WINDOW_TURNS)
        items = await store.memory_of(user_id)
        return Recalled(
            earlier=tuple(turn.text for turn in turns),
            recent=tuple(ActionTaken(a.action, a.input, a.observation) for a in actions if a.action != "ask_user"),
            memory=tuple(_habits(items)),
            summary=_summary(items, session_id),
        )

    return recall


def _habits(items: Iterable[MemoryItem]) -> Iterable[str]:
    for item in items:
        if not item.key.startswith(SUMMARIES):
            yield _LABELS.get(item.key, f"{item.key}: {{}}").format(item.value)


def _summary(items: Iterable[MemoryItem], session_id: str) -> str:
    key = summary_key(session_id)
    return next((str(json.loads(item.value)["text"]) for item in items if item.key == key), "")
