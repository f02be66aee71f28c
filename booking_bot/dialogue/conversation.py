"""One turn of the conversation as a generator: it yields what it needs of the world and is sent the answers.

The generator does no I/O. Whoever drives it carries out each `Call` and sends the observation back; where a planner is
configured it answers `Think` with a decision, else with None. A driver inside a database transaction and one that
awaits remote services drive the same code.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Final

from booking_bot.dialogue.actions import ActionTaken, Call, Say, Step, Think, say
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.fold import Folded, fold, speaks_of_a_booking
from booking_bot.dialogue.machine import advance, kind_of
from booking_bot.dialogue.model import Phase, ReadBackCancel, ReadBackMove, Slots, Status
from booking_bot.dialogue.observations import Heard, Observation, ToolObservation
from booking_bot.dialogue.reading import Reading
from booking_bot.dialogue.site import Site
from booking_bot.dialogue.situation import Situation
from booking_bot.dialogue.table import Row
from booking_bot.errors import InvalidTransition, UnsettledDialogue

MAX_STEPS: Final = 12
"""Rows one turn may take: the longest legal path (a write, its look-up, a search, an offer) takes six."""
MAX_THOUGHTS: Final = 3
"""Times the planner is asked in one turn: for the message, and after each of two tools of somebody else's."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A planner's accepted decision: what it adds to the turn.

    Attributes:
        message: text to say in place of the row's own question; empty for the row's own.
        folded: the draft with the slot values it proposed on the user's words, None when it proposed none.
        call: a safe tool to call before the row's default, None for the default itself.
        log: entries for the action log, refusals first.
        calls: how often the model was asked.
    """

    message: str = ""
    folded: Folded | None = None
    call: Call | None = None
    log: tuple[ActionTaken, ...] = ()
    calls: int = 0
    tokens: int = 0
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What a turn came to.

    Attributes:
        says: what to tell the user, in order.
        actions: the action log of this turn.
        tools: names of the tools called, in order.
        rows: names of the rows taken, in order.
        issues: kinds of the issues met.
    """

    context: BookingContext
    says: tuple[Say, ...]
    actions: tuple[ActionTaken, ...]
    tools: tuple[str, ...]
    rows: tuple[Row, ...]
    issues: tuple[str, ...]


Turn = Generator[Call | Think, ToolObservation | Decided | None, TurnOutcome]


def take_turn(context: BookingContext, reading: Reading, site: Site, now: dt.datetime, key: str) -> Turn:
    """Take one turn.

    Args:
        context: the session as it was after the last turn.
        reading: the user's message, read.
        now: the site's wall clock, aware.
        key: a fresh random idempotency key.

    Returns:
        A generator of calls and questions to the planner; its return value is the outcome.

    Raises:
        UnsettledDialogue: the table runs in circles (a programmer's fault).
    """
    context = context.with_(turn_id=context.turn_id + 1, language=reading.language or context.language or "zh")
    folded = fold(_fresh_where_booked(context, reading), reading, site, now)
    # "Which city?" waits for the next message only; what goes on without a city is never held up by it.
    turn = _Turn(context.with_(asks_place=None), folded)
    observation: Observation = Heard(reading)
    for _ in range(MAX_STEPS):
        situation = Situation(turn.context, observation, reading, turn.folded, site, now, key)
        row, phase = advance(situation)
        step: Step | None = None
        if row.open_to_planner and turn.thoughts < MAX_THOUGHTS:
            turn.thoughts += 1
            decided = yield Think(turn.context, turn.folded.context, reading, row.do.__name__, tuple(turn.actions))
            if isinstance(decided, Decided):
                turn.take(decided)
                situation = Situation(turn.context, observation, reading, turn.folded, site, now, key)
                row, phase = advance(situation)
                if decided.call is not None and not turn.folded.told:
                    step, phase = Step(turn.context, (), decided.call), turn.context.phase
        if step is None:
            turn.rows.append(row)
            step = row.do(situation)
        turn.follow(step, phase)
        if step.call is None:
            return turn.outcome()
        observed = yield step.call
        if observed is None or isinstance(observed, Decided):
            raise InvalidTransition(f"{step.call.tool} was answered with no observation")
        turn.note(step.call, observed)
        observation = observed
    raise UnsettledDialogue(f"no end after {MAX_STEPS} rows: {[row.name for row in turn.rows]}")


@dataclass(slots=True)
class _Turn:
    """A turn being taken."""

    context: BookingContext
    folded: Folded
    says: list[Say] = field(default_factory=list)
    actions: list[ActionTaken] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    message: str = ""
    thoughts: int = 0

    def take(self, decided: Decided) -> None:
        """Take over what a planner's decision adds: its log, its price, its wording, its slot values."""
        self.actions += decided.log
        spent = self.context.tokens_used + decided.tokens
        self.context = self.context.with_(tokens_used=spent, stop_reason=decided.stop_reason)
        self.message = decided.message or self.message
        base = decided.folded or self.folded
        folded_context = base.context.with_(tokens_used=spent, stop_reason=decided.stop_reason)
        self.folded = replace(base, context=folded_context)

    def follow(self, step: Step, phase: Phase) -> None:
        """Take over what a row did."""
        self.context = step.context if step.context.phase is phase else step.context.with_(phase=phase)
        self.says += step.says

    def note(self, call: Call, observed: ToolObservation) -> None:
        """Write down a tool's call and what came back."""
        self.tools.append(call.tool)
        self.actions.append(ActionTaken(call.tool, call.arguments.model_dump_json(), _brief(observed)))

    def outcome(self) -> TurnOutcome:
        """Close the turn."""
        if not self.tools:
            self.actions.append(ActionTaken("ask_user", source="model" if self.message else "table"))
        context = self.context
        status = (
            Status.COMPLETED if context.phase is Phase.BOOKED else Status.PAUSED if context.pending else Status.IDLE
        )
        return TurnOutcome(
            context=context.with_(status=status),
            says=(say("planner_message", text=self.message), *self.says) if self.message else tuple(self.says),
            actions=tuple(self.actions),
            tools=tuple(self.tools),
            rows=tuple(self.rows),
            issues=tuple(issue.kind for issue in self.folded.issues),
        )


def _fresh_where_booked(context: BookingContext, reading: Reading) -> BookingContext:
    """Give the base a message is folded into: nothing of a booked draft is reused."""
    read_back = context.read_back
    from_booked = isinstance(read_back, ReadBackMove | ReadBackCancel) and read_back.came_from is Phase.BOOKED
    if (context.phase is Phase.BOOKED or from_booked) and not speaks_of_a_booking(context, reading):
        return context.with_(slots=Slots(), ends_at=None, wanted_room=None)
    return context


def _brief(observed: ToolObservation) -> str:
    return f"{kind_of(observed)} {observed.model_dump_json()}"[:2000]
