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
from booking_bot.dialogue.fold import Folded, fold
from booking_bot.dialogue.inquiry import Inquiry, answer_to
from booking_bot.dialogue.machine import advance, kind_of
from booking_bot.dialogue.model import (
    BookingKey,
    ForeignArguments,
    Phase,
    ReadBackChange,
    ReadBackTool,
    Slots,
    Status,
)
from booking_bot.dialogue.observations import (
    Asked,
    Failed,
    Gone,
    Heard,
    Observation,
    ToolDeclined,
    ToolObservation,
    ToolProposed,
)
from booking_bot.dialogue.plans_undone import key_of
from booking_bot.dialogue.reading import Reading
from booking_bot.dialogue.site import Site
from booking_bot.dialogue.situation import Situation
from booking_bot.dialogue.table import Row
from booking_bot.dialogue.topics import speaks_of_a_booking
from booking_bot.errors import InvalidTransition, UnsettledDialogue

MAX_STEPS: Final = 12
"""Rows one turn may take: the longest legal path (a write, its look-up, a search, an offer) takes six."""
ASIDES: Final = frozenset({"weather", "help", "smalltalk", "list"})
"""Intents that are answered although a write is in doubt; before everything else it is looked up."""
MAX_THOUGHTS: Final = 3
"""Times the planner is asked in one turn: for the message, and after each of two tools of somebody else's."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A planner's accepted decision: what it adds to the turn.

    Attributes:
        message: text to say in place of the row's own question; empty for the row's own.
        folded: the draft with the slot values it proposed on the user's words, None when it proposed none.
        call: a safe tool to call before the row's default, None for the default itself.
        inquiry: a question to put in place of the row's own.
        proposed: a call that runs only behind the user's yes to a read-back of it.
        log: entries for the action log, refusals first.
        calls: how often the model was asked.
    """

    message: str = ""
    folded: Folded | None = None
    call: Call | None = None
    inquiry: Inquiry | None = None
    proposed: ToolProposed | None = None
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
    language = reading.language or context.language or "zh"
    context = context.with_(turn_id=context.turn_id + 1, language=language, stop_reason=None)
    folded = fold(_fresh_where_booked(context, reading), reading, site, now)
    # "Which city?" waits for the next message only; what goes on without a city is never held up by it.
    turn = _Turn(context.with_(asks_place=None, inquiry=_kept_inquiry(context, reading)), folded)
    turn.note_answer(reading)
    observation: Observation = Heard(reading)
    if context.in_doubt and reading.intent not in ASIDES:
        found = yield from turn.look_up_doubt()
        if found is not None and not (isinstance(found, Failed) and reading.confirm == "yes"):
            observation = found  # a yes may write again: its key cannot write twice
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
                if (wish := _wish(decided, turn, row)) is not None:
                    observation = wish
                    situation = Situation(turn.context, observation, reading, turn.folded, site, now, key)
                    row, phase = advance(situation)
                elif decided.inquiry is not None:
                    turn.messages.append(decided.inquiry.message)
                elif decided.call is not None and not turn.folded.told:
                    step, phase = Step(turn.context, (), decided.call), turn.context.phase
        if step is None:
            turn.rows.append(row)
            step = row.do(situation)
        turn.follow(step, phase)
        if step.observes is not None:
            observation = step.observes
            if isinstance(observation, Heard):
                reading, turn.thoughts = observation.reading, MAX_THOUGHTS
                turn.folded = fold(turn.context, reading, site, now, source="llm")
            turn.note_signal(observation)
            continue
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
    messages: list[str] = field(default_factory=list)
    thoughts: int = 0

    def look_up_doubt(self) -> Generator[Call, ToolObservation | Decided | None, ToolObservation | None]:
        """Look up by its key what the write did whose answer was lost; None once it is known that it did nothing."""
        call = Call("find_booking", BookingKey(key=key_of(self.context)))
        observed = yield call
        if observed is None or isinstance(observed, Decided):
            raise InvalidTransition(f"{call.tool} was answered with no observation")
        self.note(call, observed)
        if isinstance(observed, Gone):
            self.context = self.context.with_(in_doubt=False)
            self.folded = replace(self.folded, context=self.folded.context.with_(in_doubt=False))
            return None
        return observed

    def take(self, decided: Decided) -> None:
        """Take over what a planner's decision adds: its log, its price, its wording, its slot values."""
        self.actions += decided.log
        spent = self.context.tokens_used + decided.tokens
        self.context = self.context.with_(tokens_used=spent, stop_reason=decided.stop_reason)
        if decided.message and decided.message not in self.messages:
            self.messages.append(decided.message)
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
        arguments = call.arguments
        given = arguments.text if isinstance(arguments, ForeignArguments) else arguments.model_dump_json()
        self.actions.append(ActionTaken(call.tool, given, _brief(observed), key=call.key))

    def note_answer(self, reading: Reading) -> None:
        """Write down the answer to a question of the planner's, for the planner to see."""
        inquiry = self.folded.context.inquiry
        answer = answer_to(inquiry, reading) if inquiry is not None else None
        if inquiry is not None and answer is not None:
            self.actions.append(ActionTaken(inquiry.kind, inquiry.message, f"answered: {answer}"))

    def note_signal(self, observation: Observation) -> None:
        """Write down what the turn itself observed."""
        if isinstance(observation, ToolDeclined):
            self.actions.append(ActionTaken(observation.tool, observation="用户拒绝执行"))

    def outcome(self) -> TurnOutcome:
        """Close the turn."""
        if not self.tools:
            self.actions.append(ActionTaken("ask_user", source="model" if self.messages else "table"))
        context = self.context
        status = (
            Status.COMPLETED if context.phase is Phase.BOOKED else Status.PAUSED if context.pending else Status.IDLE
        )
        return TurnOutcome(
            context=context.with_(status=status),
            says=(*(say("planner_message", text=text) for text in self.messages), *self.says),
            actions=tuple(self.actions),
            tools=tuple(self.tools),
            rows=tuple(self.rows),
            issues=tuple(issue.kind for issue in self.folded.issues),
        )


def _fresh_where_booked(context: BookingContext, reading: Reading) -> BookingContext:
    """Give the base a message is folded into: nothing of a booked draft is reused."""
    read_back = context.read_back
    from_booked = isinstance(read_back, ReadBackChange | ReadBackTool) and (read_back.came_from is Phase.BOOKED)
    if (context.phase is Phase.BOOKED or from_booked) and not speaks_of_a_booking(context, reading):
        return context.with_(slots=Slots(), ends_at=None, part=None, wanted_room=None)
    return context


def _kept_inquiry(context: BookingContext, reading: Reading) -> Inquiry | None:
    """Give the planner's question again after an aside; anything else answers it or passes it by."""
    return context.inquiry if reading.intent in ("weather", "help", "smalltalk", "list") else None


def _wish(decided: Decided, turn: _Turn, row: Row) -> Asked | ToolProposed | None:
    """Give what a planner wants besides the row, where it may: a search that is due stands, and what was told too."""
    if decided.inquiry is not None:
        searches = row.go_to is Phase.SEARCHING
        may_ask = turn.context.phase in (Phase.COLLECTING_SLOTS, Phase.AWAITING_SELECTION)
        return Asked(inquiry=decided.inquiry) if may_ask and not searches else None
    if decided.proposed is not None and turn.context.phase is not Phase.CONFIRMING and not turn.folded.told:
        return decided.proposed
    return None


def _brief(observed: ToolObservation) -> str:
    return f"{kind_of(observed)} {observed.model_dump_json()}"[:2000]
