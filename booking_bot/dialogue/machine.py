"""Runs the table with `transitions`: one shared synchronous machine for all sessions, no callbacks that do I/O."""

from __future__ import annotations

from typing import Any, Final

from transitions import EventData, Machine, MachineError, Transition

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


class RowTransition(Transition):
    """One row of the table in one of its phases: its guard is the only condition, and nothing is called back."""

    def __init__(self, *args: Any, row: Row, **callbacks: Any) -> None:
        super().__init__(*args, **callbacks)
        self._row = row

    def execute(self, event_data: EventData) -> bool:
        """Take the row if it fits; tell whether it does."""
        cursor: Any = event_data.model
        if not self._row.only_if(cursor.situation):
            return False
        cursor.row = self._row
        if self.dest is not None:
            self._change_state(event_data)
        return True


class RowMachine(Machine):
    """A machine whose transitions are rows of the table."""

    transition_cls = RowTransition


def _transition(row: Row) -> dict[str, Any]:
    return {
        "trigger": row.seeing,
        "source": [phase.value for phase in row.phases],
        "dest": row.go_to.value if row.go_to else None,
        "row": row,
    }


MACHINE: Final = RowMachine(
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
