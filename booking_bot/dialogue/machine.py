"""Runs the table with `transitions`: one shared synchronous machine for all sessions, no callbacks that do I/O."""

from __future__ import annotations

from typing import Any, Final

from transitions import Machine, MachineError

from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.observations import Heard, Observation
from booking_bot.dialogue.situation import Situation
from booking_bot.dialogue.table import TRANSITIONS, Row
from booking_bot.errors import InvalidTransition


class Cursor:
    """The machine's view of one session during one step."""

    __slots__ = ("row", "situation", "state")

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.state: str = situation.context.phase.value
        self.row: Row | None = None


def _transition(row: Row) -> dict[str, Any]:
    def fits(cursor: Cursor) -> bool:
        if row.only_if(cursor.situation):
            cursor.row = row
            return True
        return False

    return {
        "trigger": row.seeing,
        "source": [phase.value for phase in row.phases],
        "dest": row.go_to.value if row.go_to else None,
        "conditions": fits,
    }


MACHINE: Final = Machine(
    model=None,
    states=[phase.value for phase in Phase],
    transitions=[_transition(row) for row in TRANSITIONS],
    initial=Phase.COLLECTING_SLOTS.value,
    auto_transitions=False,
)
"""Shared by all sessions: a step passes its own `Cursor`, the machine keeps nothing of it."""


def kind_of(observation: Observation) -> str:
    """Give the trigger an observation fires."""
    return "heard" if isinstance(observation, Heard) else observation.kind


def advance(situation: Situation) -> tuple[Row, Phase]:
    """Find the row that fits and the phase it leads to.

    Raises:
        InvalidTransition: the table has no row for this observation in this phase.
    """
    cursor = Cursor(situation)
    kind = kind_of(situation.observation)
    try:
        fired = MACHINE.events[kind].trigger(cursor, cursor)
    except (MachineError, KeyError) as error:
        raise InvalidTransition(f"{kind} in {situation.context.phase}: no row") from error
    if not fired or cursor.row is None:
        raise InvalidTransition(f"{kind} in {situation.context.phase}: no row fits")
    return cursor.row, Phase(cursor.state)
