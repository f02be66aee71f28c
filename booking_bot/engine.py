"""The one loop: a message in, a committed turn out. One lock a session, one transaction a turn, replies after COMMIT.

A turn is the pure generator of `dialogue.conversation`. What it asks of remote services and of the planner is awaited
here; from its first call into the database on it is driven inside the transaction, so that what is said and what is
written are one commit.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
import secrets
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from pydantic import ValidationError

from booking_bot.adapters.sql import ActionRow, AuditRow, DuplicateMessage, SqlStore, StoredSession, TurnRecord, Tx
from booking_bot.dialogue.actions import Call, Say, Think, say
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.conversation import Decided, Turn, TurnOutcome, take_turn
from booking_bot.dialogue.model import Language, Phase
from booking_bot.dialogue.observations import Failed, ToolObservation
from booking_bot.dialogue.prompts import prompt
from booking_bot.dialogue.reading import Reading, ReadingContext
from booking_bot.dialogue.relevance import booking_talk
from booking_bot.dialogue.site import Site
from booking_bot.errors import BookingBotError, StaleSession
from booking_bot.language.reader import read
from booking_bot.language.writer import write
from booking_bot.ports import Clock
from booking_bot.reply import BookedRoom, Reply, evidence_of, interrupt_of, options_of
from booking_bot.tools import Tool, ToolContext, ToolRegistry

log = logging.getLogger(__name__)

LIVE_SESSIONS: Final = 20_000
"""Sessions kept in memory, about 2 KiB each; the others are two SELECTs away."""
RECENT_MESSAGES: Final = 32
"""Message ids remembered per live session; older ones are found by the database's own constraint."""
STALE_TRIES: Final = 5
"""Times a turn is run again because another process moved the session on meanwhile."""
MAX_ID_CHARS: Final = 128
Answer = ToolObservation | Decided | None
"""What a turn is sent: a tool's observation, a planner's decision, or nothing."""
WRITES: Final = frozenset({"book_room", "move_booking", "cancel_booking"})


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a user.

    Attributes:
        session_id: the session's full id.
        message_id: the client's id; the same id again gets the same reply and has no further effect.
        interrupt_id: the question this answers, as in `Reply.interrupt`; an answer to an older one is not taken, the
            current question is shown instead. None answers whatever is pending.
        language: the language to answer in whatever the message is in; None goes by the message.
    """

    session_id: str
    user_id: str
    text: str
    message_id: str | None = None
    channel: str = "python"
    interrupt_id: str | None = None
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply with where its events stand in the session's stream.

    Attributes:
        first_seq: number of the turn's first event.
        repeated: True when the message had been answered before.
        outcome: the turn itself; None for a repeated one.
    """

    reply: Reply
    first_seq: int
    message_id: str | None = None
    repeated: bool = False
    outcome: TurnOutcome | None = None


class Planner(Protocol):
    """Chooses among the legal actions where the table leaves a row open."""

    async def decide(self, think: Think, now: dt.datetime) -> Decided | None:
        """Decide, or leave it to the row's default with None."""


class EventCounter(Protocol):
    """Counts how many events a turn takes in the session's stream."""

    def __call__(self, reply: Reply) -> int:
        """Give the number of events, a function of the reply alone."""


@dataclass(slots=True)
class _Live:
    """A session in memory, kept small: the context stays JSON between turns."""

    user_id: str
    context: bytes
    version: int
    next_seq: int
    recent: dict[str, int] | None = None


@dataclass(slots=True)
class _Lock:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0


class _NeedsOutside(Exception):  # a signal inside this module, not an error
    """A turn inside the transaction wants a remote service."""


class Engine:
    """Handles messages for one site over one store."""

    def __init__(
        self,
        *,
        site: Site,
        store: SqlStore,
        tools: ToolRegistry,
        clock: Clock,
        planner: Planner | None = None,
        count_events: EventCounter | None = None,
    ) -> None:
        self.site = site
        self.store = store
        self.tools = tools
        self.clock = clock
        self.planner = planner
        self._count_events = count_events or (lambda _reply: 1)
        self._live: OrderedDict[str, _Live] = OrderedDict()
        self._locks: dict[str, _Lock] = {}
        self._turns: set[asyncio.Task[Answered]] = set()

    def now(self) -> dt.datetime:
        """Give the site's wall clock, aware."""
        return self.clock().astimezone(self.site.policy.zone)

    async def handle(self, said: Said) -> Answered:
        """Answer one message. Turns of one session run one at a time in the order of their calls.

        Giving up waiting does not stop the turn: it is finished and committed.

        Raises:
            ValueError: an id is empty or too long (the caller's fault).
        """
        for name, value in (("session_id", said.session_id), ("user_id", said.user_id)):
            if not 0 < len(value) <= 2 * MAX_ID_CHARS + 1:
                raise ValueError(f"{name} must have 1 to {MAX_ID_CHARS} characters")
        if said.message_id is not None and not 0 < len(said.message_id) <= MAX_ID_CHARS:
            raise ValueError(f"message_id must have 1 to {MAX_ID_CHARS} characters")
        said = replace(said, text=_clean(said.text))
        turn = asyncio.ensure_future(self._in_order(said))
        self._turns.add(turn)
        turn.add_done_callback(self._turns.discard)
        return await asyncio.shield(turn)

    async def relevance(self, session_id: str, text: str) -> float:
        """Score from 0 to 1 how much a message to this session is booking talk; nothing is said or stored."""
        live = await self._known(session_id)
        context = _load(live.context) if live else BookingContext(session_id=session_id, user_id="")
        return booking_talk(read(_clean(text), reading_context(context, self.site, self.now())), context)

    async def current(self, session_id: str) -> Answered | None:
        """Show where a stored session stands, with its pending prompt as text; None when there is no such session."""
        live = await self._known(session_id)
        if live is None:
            return None
        context = _load(live.context)
        language = context.language or "zh"
        text = write(prompt(context), language, self.site, self.now().date())
        return Answered(self._reply(context, text, (), language=language), live.next_seq)

    async def _known(self, session_id: str) -> _Live | None:
        live = self._live.get(session_id)
        if live is not None:
            return live
        stored = await self.store.load_session(session_id)
        if stored is None:
            return None
        return _Live(stored.user_id, stored.context.encode(), stored.version, stored.next_seq, dict(stored.recent))

    async def close(self) -> None:
        """Finish the turns under way."""
        while self._turns:
            await asyncio.wait(self._turns)

    async def _in_order(self, said: Said) -> Answered:
        holder = self._locks.get(said.session_id)
        if holder is None:
            holder = self._locks[said.session_id] = _Lock()
        holder.users += 1
        try:
            async with holder.lock:
                return await self._answer(said)
        finally:
            holder.users -= 1
            if not holder.users:
                del self._locks[said.session_id]

    async def _answer(self, said: Said) -> Answered:
        for _ in range(STALE_TRIES):
            live = await self._session(said)
            if said.message_id is not None and live.recent and said.message_id in live.recent:
                return await self._again(said)
            try:
                return await self._turn(said, live)
            except DuplicateMessage:
                self._live.pop(said.session_id, None)
                return await self._again(said)
            except StaleSession:
                self._live.pop(said.session_id, None)
            except Exception:
                # The last line: whatever broke, the user gets an answer and the session stays as it was.
                log.exception("turn failed", extra={"session_id": said.session_id})
                self._live.pop(said.session_id, None)
                return self._sorry(said, live)
        log.error("session moved on %d times", STALE_TRIES, extra={"session_id": said.session_id})
        return self._sorry(said, await self._session(said))

    # --- sessions ------------------------------------------------------------------------------------------------

    async def _session(self, said: Said) -> _Live:
        live = self._live.get(said.session_id)
        if live is not None:
            self._live.move_to_end(said.session_id)
            return live
        stored = await self.store.load_session(said.session_id)
        if stored is None:
            context = BookingContext(session_id=said.session_id, user_id=said.user_id)
            live = _Live(said.user_id, _dump(context), 0, 1)
        else:
            live = _Live(stored.user_id, stored.context.encode(), stored.version, stored.next_seq, dict(stored.recent))
        self._remember(said.session_id, live)
        return live

    def _remember(self, session_id: str, live: _Live) -> None:
        self._live[session_id] = live
        self._live.move_to_end(session_id)
        while len(self._live) > LIVE_SESSIONS:
            self._live.popitem(last=False)

    async def _again(self, said: Said) -> Answered:
        assert said.message_id is not None  # noqa: S101  # only messages with an id are repeated
        stored = await self.store.find_reply(said.session_id, said.message_id)
        if stored is None:
            raise BookingBotError(f"message {said.message_id!r} was answered, but its reply is not stored")
        return Answered(Reply.model_validate_json(stored.reply), stored.first_seq, said.message_id, repeated=True)

    def _sorry(self, said: Said, live: _Live) -> Answered:
        context, _ = _standing(said, live)
        language = said.language or context.language or ("en" if said.text.isascii() else "zh")
        says = (say("internal_error"), *prompt(context))
        text = write(says, language, self.site, self.now().date())
        reply = self._reply(context, text, (), language=language)
        return Answered(reply, live.next_seq)

    # --- the turn ------------------------------------------------------------------------------------------------

    async def _turn(self, said: Said, live: _Live) -> Answered:
        now = self.now()
        context, lost = _standing(said, live)
        reading = read(said.text, reading_context(context, self.site, now))
        if said.language is not None:
            reading = replace(reading, language=said.language)
        if said.interrupt_id is not None and said.interrupt_id != str(context.turn_id):
            return await self._stale_answer(said, live, context, reading, now)
        work = _Work(self, said, live, context, reading, now, secrets.token_hex(12), lost)
        return self._committed(said, live, *await work.run())

    async def _stale_answer(
        self, said: Said, live: _Live, context: BookingContext, reading: Reading, now: dt.datetime
    ) -> Answered:
        """Take a turn that only shows what is pending now."""
        context = context.with_(turn_id=context.turn_id + 1)
        outcome = TurnOutcome(context, (say("stale_answer"), *prompt(context)), (), (), (), ())
        work = _Work(self, said, live, context, reading, now, "", ())
        record, reply = work.record(outcome)
        await self.store.run(lambda tx: self.store.save_turn(tx, record))
        return self._committed(said, live, record, reply, outcome)

    def _committed(self, said: Said, live: _Live, record: TurnRecord, reply: Reply, outcome: TurnOutcome) -> Answered:
        recent = live.recent
        if said.message_id is not None:
            recent = dict(recent or {})
            recent[said.message_id] = record.turn_id
            while len(recent) > RECENT_MESSAGES:
                del recent[next(iter(recent))]
        self._remember(
            said.session_id, _Live(said.user_id, record.context.encode(), record.version + 1, record.next_seq, recent)
        )
        return Answered(reply, record.first_seq, said.message_id, outcome=outcome)

    def _reply(
        self, context: BookingContext, text: str, tools: Sequence[str], *, language: str, llm_calls: int = 0
    ) -> Reply:
        booking = context.booking if context.phase is Phase.BOOKED else None
        return Reply(
            text=text,
            phase=context.phase,
            slots=context.slots.plain(),
            pending=context.pending.value if context.pending else None,
            asks=context.asks if context.pending == "clarify" else None,
            options=options_of(context, self.site),
            room=context.selected,
            booking=BookedRoom.of(booking) if booking else None,
            evidence=evidence_of(context),
            interrupt=interrupt_of(context),
            actions=tuple(tools),
            choices=len(context.proposals),
            llm_calls=llm_calls,
            language="zh" if language == "zh" else "en",
            turn_id=context.turn_id,
            stop_reason=context.stop_reason,
        )


@dataclass(slots=True)
class _Work:
    """One turn being done: what is asked outside first, then the rest inside the transaction."""

    engine: Engine
    said: Said
    live: _Live
    context: BookingContext
    reading: Reading
    now: dt.datetime
    key: str
    lost: tuple[Say, ...]
    answers: list[Answer] = field(default_factory=list)
    llm_calls: int = 0
    begun: tuple[Turn, Call] | None = None

    def _begin(self) -> Turn:
        return take_turn(self.context, self.reading, self.engine.site, self.now, self.key)

    async def run(self) -> tuple[TurnRecord, Reply, TurnOutcome]:
        """Take the turn and commit it."""
        outcome = await self._outside()
        store = self.engine.store
        if outcome is not None:
            record, reply = self.record(outcome)
            await store.run(lambda tx: store.save_turn(tx, record))
            return record, reply, outcome
        try:
            return await store.run(self._inside)
        except _NeedsOutside:
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
                tool = self.engine.tools[step.tool]
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
        tool = self.engine.tools[request.tool]
        if tool.inside is None:
            raise _NeedsOutside
        return tool.inside(tx, request.arguments, self._tool_context())

    async def _all_outside(self) -> tuple[TurnRecord, Reply, TurnOutcome]:
        """Drive a turn that goes back and forth between the database and remote services, each call by itself."""
        turn = self._begin()
        step = _send(turn, None)
        while not isinstance(step, TurnOutcome):
            answer: Answer = None
            if isinstance(step, Call):
                tool = self.engine.tools[step.tool]
                answer = await (self._call_alone(tool, step) if tool.inside else self._call_outside(tool, step))
            step = _send(turn, answer)
        record, reply = self.record(step)
        await self.engine.store.run(lambda tx: self.engine.store.save_turn(tx, record))
        return record, reply, step

    async def _call_alone(self, tool: Tool, call: Call) -> ToolObservation:
        inside = tool.inside
        assert inside is not None  # noqa: S101  # the caller's own condition
        return await self.engine.store.run(lambda tx: inside(tx, call.arguments, self._tool_context()))

    async def _call_outside(self, tool: Tool, call: Call) -> ToolObservation:
        outside = tool.outside
        assert outside is not None  # noqa: S101  # the caller's own condition
        try:
            return await outside(call.arguments, self._tool_context())
        except Exception as error:
            # A tool of somebody else's may raise anything; the user's turn is still answered.
            log.exception("tool failed", extra={"tool": tool.name})
            return Failed(tool=tool.name, reason=type(error).__name__, uncertain=tool.name in WRITES)

    async def _think(self, think: Think) -> Decided | None:
        planner = self.engine.planner
        if planner is None:
            return None
        decided = await planner.decide(think, self.now)
        self.llm_calls += decided.calls if decided is not None else 0
        return decided

    def _tool_context(self) -> ToolContext:
        language = self.reading.language or self.context.language or "zh"
        return ToolContext(self.said.user_id, language, self.now)

    def record(self, outcome: TurnOutcome) -> tuple[TurnRecord, Reply]:
        """Write the reply and everything the turn stores."""
        context, engine = outcome.context, self.engine
        language = context.language or "zh"
        text = write((*self.lost, *outcome.says), language, engine.site, self.now.date())
        reply = engine._reply(context, text, outcome.tools, language=language, llm_calls=self.llm_calls)  # one module
        record = TurnRecord(
            session_id=self.said.session_id,
            user_id=self.said.user_id,
            site=engine.site.name,
            phase=context.phase.value,
            status=context.status.value,
            stop_reason=context.stop_reason,
            context=_dump(context).decode(),
            version=self.live.version,
            next_seq=self.live.next_seq + engine._count_events(reply),  # one module
            turn_id=context.turn_id,
            message_id=self.said.message_id,
            channel=self.said.channel,
            said_at_s=int(self.now.timestamp()),
            text=self.reading.text,
            reply=reply.model_dump_json(),
            first_seq=self.live.next_seq,
            actions=_action_rows(outcome),
            audit=_audit_rows(outcome),
        )
        return record, reply


def reading_context(context: BookingContext, site: Site, now: dt.datetime) -> ReadingContext:
    """Give what a message is read against."""
    return ReadingContext(
        now=now,
        site=site,
        language=context.language,
        pending=context.pending,
        asks=context.asks,
        offered=context.offers,
        choices=len(context.proposals) or len(context.offers) or len(context.listed),
        slots=context.slots,
        confirming=context.read_back.kind if context.read_back else None,
    )


def _send(turn: Turn, answer: Answer) -> Call | Think | TurnOutcome:
    """Send an answer (None begins) and give the next request, or the outcome."""
    try:
        return turn.send(answer)
    except StopIteration as stop:
        outcome: TurnOutcome = stop.value
        return outcome


def _dump(context: BookingContext) -> bytes:
    return context.__pydantic_serializer__.to_json(context, exclude_none=True)


def _clean(text: str) -> str:
    """Give text that can be stored and sent anywhere: no lone surrogates, no NUL."""
    if text.isascii():
        return text.replace("\0", " ")
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def _standing(said: Said, live: _Live) -> tuple[BookingContext, tuple[Say, ...]]:
    """Load a session's context; one that cannot be read is never half read: the talk starts afresh and says so."""
    try:
        return _load(live.context), ()
    except ValidationError:
        log.exception("stored context refused", extra={"session_id": said.session_id})
    afresh = BookingContext(session_id=said.session_id, user_id=said.user_id, turn_id=live.version)
    return afresh, (say("session_lost"),)


def _load(data: bytes) -> BookingContext:
    return BookingContext.model_validate_json(data)


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
        if taken.action in WRITES:
            rows.append(AuditRow(step="intent", tool=taken.action, before=taken.input))
            rows.append(AuditRow(step="decision", tool=taken.action, before=taken.input, after="confirmed by the user"))
            rows.append(AuditRow(step="outcome", tool=taken.action, before=taken.input, after=taken.observation))
    return tuple(rows)


__all__ = ["Answered", "Engine", "Planner", "Said", "StoredSession", "reading_context"]
