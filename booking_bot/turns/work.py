"""One turn being done: awaited outside first, then driven on inside the transaction."""

from __future__ import annotations

import datetime as dt
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from booking_bot.adapters.sql import ActionRow, AuditRow, TurnRecord, Tx
from booking_bot.adapters.sql.intents import Intent
from booking_bot.afterwards.events import events_of
from booking_bot.dialogue.actions import Call, Say, Think
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.conversation import Decided, Turn, TurnOutcome, take_turn
from booking_bot.dialogue.model import ForeignArguments, NoArguments
from booking_bot.dialogue.observations import Failed, ToolObservation
from booking_bot.dialogue.plans_undone import key_of
from booking_bot.dialogue.reading import Reading
from booking_bot.errors import BookingBotError, StaleSession
from booking_bot.language.writer import write
from booking_bot.ports import Observer, TextDelta, Thinking, ToolFinished, ToolStarted
from booking_bot.reply import Reply
from booking_bot.tools import Tool, ToolContext
from booking_bot.turns.contexts import dump, reply_of
from booking_bot.turns.values import WRITES, Answer, Live, Said

if TYPE_CHECKING:
    from booking_bot.engine import Engine

RAN_KEPT: Final = 4_096
"""Confirmed calls remembered: far more than can be under way at once."""

log = logging.getLogger(__name__)


class NeedsOutside(Exception):  # a signal inside this module, not an error
    """A turn inside the transaction wants a remote service."""


class WriteInDoubt(BookingBotError):
    """The rooms' own service was told to write, and the turn could not be committed."""


class Ran:
    """What confirmed calls came back with, by the key of their read-back: none runs twice."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, ToolObservation] = OrderedDict()

    def get(self, key: str) -> ToolObservation | None:
        """Give what the call with this key came back with, if it ran."""
        return self._answers.get(key) if key else None

    def note(self, key: str, answer: ToolObservation) -> None:
        """Write down what a call came back with."""
        if key:
            self._answers[key] = answer
            while len(self._answers) > RAN_KEPT:
                self._answers.popitem(last=False)


async def _gone(_arguments: object, _context: ToolContext) -> ToolObservation:
    return Failed(tool="", reason="this tool is not here any more", retryable=False)


@dataclass(slots=True)
class Work:
    """One turn being done: what is asked outside first, then the rest inside the transaction."""

    engine: Engine
    said: Said
    live: Live
    context: BookingContext
    reading: Reading
    now: dt.datetime
    key: str
    lost: tuple[Say, ...]
    tell: Observer
    answers: list[Answer] = field(default_factory=list)
    llm_calls: int = 0
    begun: tuple[Turn, Call] | None = None
    wrote: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def _begin(self) -> Turn:
        return take_turn(self.context, self.reading, self.engine.site, self.now, self.key)

    async def run(self) -> tuple[TurnRecord, Reply, TurnOutcome]:
        """Take the turn and commit it.

        Raises:
            WriteInDoubt: it could not be committed after the rooms' own service had been told to write.
            StaleSession: the session was moved on since it was loaded.
        """
        try:
            return await self._run()
        except StaleSession:
            raise
        except Exception as error:
            if self.wrote:
                raise WriteInDoubt(f"{', '.join(self.wrote)}: {error}") from error
            raise

    async def _run(self) -> tuple[TurnRecord, Reply, TurnOutcome]:
        outcome = await self._outside()
        store = self.engine.store
        if outcome is not None:
            record, reply = self.record(outcome)
            await store.run(lambda tx: store.save_turn(tx, record))
            return record, reply, outcome
        try:
            return await store.run(self._inside)
        except NeedsOutside:
            return await self._all_outside()

    async def _outside(self) -> TurnOutcome | None:
        """Drive the turn up to its first call into the database; give its outcome if there is none."""
        turn = self._begin()
        step = _send(turn, None)
        while not isinstance(step, TurnOutcome):
            answer: Answer
            if isinstance(step, Think):
                answer = await self._think(step)
            else:
                tool = self._tool(step)
                if tool.outside is None:
                    self.begun = (turn, step)
                    return None
                answer = await self._call_outside(tool, step)
            self.answers.append(answer)
            step = _send(turn, answer)
        return step

    def _inside(self, tx: Tx) -> tuple[TurnRecord, Reply, TurnOutcome]:
        """Drive the turn on inside the transaction; when it is run again, from the start with the answers so far."""
        answers: Iterator[Answer] = iter(())
        step: Call | Think | TurnOutcome
        if self.begun is not None:
            (turn, step), self.begun = self.begun, None
        else:
            turn, answers = self._begin(), iter(self.answers)
            step = _send(turn, None)
        while not isinstance(step, TurnOutcome):
            step = _send(turn, self._answer_inside(tx, step, answers))
        record, reply = self.record(step)
        self.engine.store.save_turn(tx, record)
        return record, reply, step

    def _answer_inside(self, tx: Tx, request: Call | Think, answers: Iterator[Answer]) -> Answer:
        for answer in answers:
            return answer
        if isinstance(request, Think):
            return None
        tool = self._tool(request)
        if tool.inside is None:
            raise NeedsOutside
        return tool.inside(tx, request.arguments, self._tool_context())

    async def _all_outside(self) -> tuple[TurnRecord, Reply, TurnOutcome]:
        """Drive a turn that goes back and forth between the database and remote services, each call by itself."""
        turn, before = self._begin(), iter(self.answers)
        step = _send(turn, None)
        while not isinstance(step, TurnOutcome):
            answer: Answer = next(before, None)
            if answer is None and isinstance(step, Call):
                tool = self._tool(step)
                answer = await (self._call_alone(tool, step) if tool.inside else self._call_outside(tool, step))
            step = _send(turn, answer)
        record, reply = self.record(step)
        await self.engine.store.run(lambda tx: self.engine.store.save_turn(tx, record))
        return record, reply, step

    async def _call_alone(self, tool: Tool, call: Call) -> ToolObservation:
        inside = tool.inside
        assert inside is not None  # noqa: S101  # the caller's own condition
        self.tell(ToolStarted(tool.name))
        started = time.monotonic()
        observed = await self.engine.store.run(lambda tx: inside(tx, call.arguments, self._tool_context()))
        self.tell(ToolFinished(tool.name, not isinstance(observed, Failed), time.monotonic() - started))
        return observed

    async def _call_outside(self, tool: Tool, call: Call) -> ToolObservation:
        if (before := self.engine.ran.get(call.key)) is not None:
            return before
        if call.tool in WRITES:
            key = key_of(self.context)
            await self.engine.store.note_write(self._intent(call, key))
            self.wrote.append(key)
        elif call.key and not await self.engine.store.note_call(self._intent(call, call.key)):
            # An earlier process was about to run it and did not live to say what came of it.
            return Failed(tool=tool.name, reason="it may have run before a crash", retryable=False, uncertain=True)
        self.tell(ToolStarted(tool.name))
        started = time.monotonic()
        observed = await self._observed(tool, call)
        self.tell(ToolFinished(tool.name, not isinstance(observed, Failed), time.monotonic() - started))
        self.engine.ran.note(call.key, observed)
        return observed

    def _intent(self, call: Call, key: str) -> Intent:
        arguments = call.arguments
        given = arguments.text if isinstance(arguments, ForeignArguments) else arguments.model_dump_json()
        return Intent(
            session_id=self.said.session_id,
            turn_id=self.context.turn_id + 1,
            user_id=self.said.user_id,
            channel=self.said.channel,
            at_s=int(self.now.timestamp()),
            tool=call.tool,
            key=key,
            before=json.dumps({"key": key, "arguments": given}, ensure_ascii=False),
        )

    async def _observed(self, tool: Tool, call: Call) -> ToolObservation:
        outside, arguments = tool.outside, call.arguments
        assert outside is not None  # noqa: S101  # the caller's own condition
        try:
            if isinstance(arguments, ForeignArguments):
                arguments = tool.arguments.model_validate_json(arguments.text)
            return await outside(arguments, replace(self._tool_context(), key=call.key))
        except Exception as error:
            # A tool of somebody else's may raise anything; the user's turn is still answered.
            log.exception("tool failed", extra={"tool": tool.name})
            return Failed(tool=tool.name, reason=type(error).__name__, uncertain=tool.name in WRITES)

    def _tool(self, call: Call) -> Tool:
        """Look a tool up; one that was there when it was read back may be gone."""
        tools = self.engine.tools
        return tools[call.tool] if call.tool in tools else Tool(call.tool, "", NoArguments, "safe", outside=_gone)

    async def _think(self, think: Think) -> Decided | None:
        planner = self.engine.planner
        if planner is None:
            return None
        self.tell(Thinking())
        # The first words of a turn may be shown while they are written: the reply begins with them.
        shows = not self.answers and not self.lost
        decided = await planner.decide(think, self.now, self._delta if shows else None)
        self.llm_calls += decided.calls if decided is not None else 0
        return decided

    def _delta(self, text: str) -> None:
        self.shown.append(text)
        self.tell(TextDelta(text))

    def _tool_context(self) -> ToolContext:
        language = self.reading.language or self.context.language or "zh"
        return ToolContext(self.said.user_id, language, self.now)

    def _settled(self) -> tuple[str, ...]:
        """Name the writes of which this turn says what came of them."""
        doubted = [key_of(self.context)] if self.context.in_doubt else []
        return tuple(dict.fromkeys((*self.wrote, *doubted)))

    def record(self, outcome: TurnOutcome) -> tuple[TurnRecord, Reply]:
        """Write the reply and everything the turn stores."""
        context, engine = outcome.context, self.engine
        language = context.language or "zh"
        text = write((*self.lost, *outcome.says), language, engine.site, self.now.date())
        reply = reply_of(
            context,
            engine.site,
            self.now.date(),
            text,
            outcome.tools,
            language=language,
            llm_calls=self.llm_calls,
            streamed=_pieces(self.shown, text),
        )
        record = TurnRecord(
            session_id=self.said.session_id,
            user_id=self.said.user_id,
            site=engine.site.name,
            phase=context.phase.value,
            status=context.status.value,
            stop_reason=context.stop_reason,
            context=dump(context).decode(),
            version=self.live.version,
            next_seq=self.live.next_seq + engine.count_events(reply),
            turn_id=context.turn_id,
            message_id=self.said.message_id,
            attempt=self.said.attempt,
            settled=self._settled(),
            channel=self.said.channel,
            said_at_s=int(self.now.timestamp()),
            text=self.reading.text,
            reply=reply.model_dump_json(),
            first_seq=self.live.next_seq,
            actions=_action_rows(outcome),
            audit=_audit_rows(outcome),
            outbox=events_of(outcome, self.said.user_id),
        )
        return record, reply


def _pieces(shown: list[str], text: str) -> tuple[int, ...]:
    """Give the lengths of the pieces shown already, none where the text does not begin with them."""
    return tuple(map(len, shown)) if shown and text.startswith("".join(shown)) else ()


def _send(turn: Turn, answer: Answer) -> Call | Think | TurnOutcome:
    """Send an answer (None begins) and give the next request, or the outcome."""
    try:
        return turn.send(answer)
    except StopIteration as stop:
        outcome: TurnOutcome = stop.value
        return outcome


def _action_rows(outcome: TurnOutcome) -> tuple[ActionRow, ...]:
    return tuple(
        ActionRow(
            turn_id=outcome.context.turn_id,
            seq=seq,
            thought=taken.thought,
            action=taken.action,
            input=taken.input,
            observation=taken.observation,
            source=taken.source,
            parse_level=taken.parse_level,
            tokens=taken.tokens,
        )
        for seq, taken in enumerate(outcome.actions)
    )


def _audit_rows(outcome: TurnOutcome) -> tuple[AuditRow, ...]:
    rows = []
    for taken in outcome.actions:
        if taken.key:  # its intent was committed before it ran
            rows.append(AuditRow(step="decision", tool=taken.action, before=taken.input, after="confirmed by the user"))
            rows.append(AuditRow(step="outcome", tool=taken.action, before=taken.input, after=taken.observation))
        elif taken.action in WRITES:
            rows.append(AuditRow(step="intent", tool=taken.action, before=taken.input))
            rows.append(AuditRow(step="decision", tool=taken.action, before=taken.input, after="confirmed by the user"))
            rows.append(AuditRow(step="outcome", tool=taken.action, before=taken.input, after=taken.observation))
    return tuple(rows)
