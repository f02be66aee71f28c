"""What came before in a session, as the planner's prompt shows it: a bounded window of the stored turns."""

from __future__ import annotations

from typing import Final

from booking_bot.adapters.sql import SqlStore
from booking_bot.dialogue.actions import ActionTaken
from booking_bot.planning.decider import Recall, Recalled

WINDOW_TURNS: Final = 8
"""Turns shown to the planner; older ones are in the summary."""


def recall_from(store: SqlStore) -> Recall:
    """Give a recall over a store; two SELECTs a question, whatever the length of the talk."""

    async def recall(session_id: str) -> Recalled:
        turns, actions = await store.window(session_id, WINDOW_TURNS)
        return Recalled(
            earlier=tuple(turn.text for turn in turns),
            recent=tuple(ActionTaken(a.action, a.input, a.observation) for a in actions if a.action != "ask_user"),
        )

    return recall
