"""The one loop: a message in, a committed turn out. One lock a session, one transaction a turn, replies after COMMIT.

A turn is the pure generator of `dialogue.conversation`. What it asks of remote services and of the planner is awaited
here; from its first call into the database on it is driven inside the transaction, so that what is said and what is
written are one commit.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
import random
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from booking_bot.adapters.sql import DuplicateMessage, SqlStore, StoredSession, TurnRecord
from booking_bot.adapters.sql.memory import SqlMemory
from booking_bot.dialogue.actions import Say, say
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.conversation import TurnOutcome
from booking_bot.dialogue.model import Language, ReadBackTool
from booking_bot.dialogue.plans_undone import key_of
from booking_bot.dialogue.prompts import prompt
from booking_bot.dialogue.reading import Reading
from booking_bot.dialogue.relevance import booking_talk
from booking_bot.dialogue.site import Site
from booking_bot.errors import BookingBotError, StaleSession
from booking_bot.language.memory_words import with_memory_command
from booking_bot.language.reader import read
from booking_bot.language.writer import write
from booking_bot.ports import Clock, Observer, TurnRestarted
from booking_bot.reply import Reply
from booking_bot.tools import ToolRegistry, memory_tools, resolving_tools
from booking_bot.turns.contexts import clean, dump, reading_context, reply_of, standing
from booking_bot.turns.progress import quiet
from booking_bot.turns.values import (
    LIVE_SESSIONS,
    MAX_ID_CHARS,
    RECENT_MESSAGES,
    STALE_TRIES,
    Answered,
    Counting,
    EventCounter,
    Live,
    Lock,
    Planner,
    Said,
)
from booking_bot.turns.work import Ran, Work, WriteInDoubt

log = logging.getLogger(__name__)

ATTEMPT_BYTES: Final = 12
"""Random bytes that name one call: two never meet."""
FIRST_PAUSE_S: Final = 0.002
"""Before a turn is run again because the session was moved on; at most doubled each time, about 8 s in all."""


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
        own = (*resolving_tools(site), *memory_tools(SqlMemory()))
        self.tools = tools.with_tools(*(tool for tool in own if tool.name not in tools))
        self.on_outbox: Callable[[], None] = lambda: None
        self.clock = clock
        self.planner = planner
        self.count_events = count_events or (lambda _reply: 1)
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._locks: dict[str, Lock] = {}
        self.ran = Ran()
        self._turns: set[asyncio.Task[Answered]] = set()

    def now(self) -> dt.datetime:
        """Give the site's wall clock, aware."""
        return self.clock().astimezone(self.site.policy.zone)

    async def handle(self, said: Said, on_event: Observer | None = None) -> Answered:
        """Answer one message. Turns of one session run one at a time in the order of their calls.

        Giving up waiting does not stop the turn: it is finished and committed.

        Args:
            on_event: told of what goes on while the turn is being done, in order; called from this loop. What it
                raises is logged and stops nothing.

        Raises:
            ValueError: an id is empty or too long (the caller's fault).
        """
        for name, value in (("session_id", said.session_id), ("user_id", said.user_id)):
            if not 0 < len(value) <= 2 * MAX_ID_CHARS + 1:
                raise ValueError(f"{name} must have 1 to {MAX_ID_CHARS} characters")
        if said.message_id is not None and not 0 < len(said.message_id) <= MAX_ID_CHARS:
            raise ValueError(f"message_id must have 1 to {MAX_ID_CHARS} characters")
        said = replace(said, text=clean(said.text), attempt=secrets.token_hex(ATTEMPT_BYTES))
        turn = asyncio.ensure_future(self._in_order(said, quiet(on_event)))
        self._turns.add(turn)
        turn.add_done_callback(self._turns.discard)
        return await asyncio.shield(turn)

    async def relevance(self, session_id: str, text: str) -> float:
        """Score from 0 to 1 how much a message to this session is booking talk; nothing is said or stored."""
        known = await self._known(session_id)
        context = known[1] if known else BookingContext(session_id=session_id, user_id="")
        return booking_talk(read(clean(text), reading_context(context, self.site, self.now())), context)

    async def current(self, session_id: str, language: Language | None = None) -> Answered | None:
        """Show where a stored session stands, with its pending prompt as text; None when there is no such session.

        Args:
            language: the language to show it in; None for the one the session speaks.
        """
        known = await self._known(session_id)
        if known is None:
            return None
        live, context = known
        language = language or context.language or "zh"
        text = write(prompt(context), language, self.site, self.now().date())
        return Answered(reply_of(context, self.site, self.now().date(), text, language=language), live.next_seq)

    async def _known(self, session_id: str) -> tuple[Live, BookingContext] | None:
        """Load a session as it is stored: another process may have spoken in it."""
        stored = await self.store.load_session(session_id)
        if stored is None:
            return None
        live = self._live_of(stored)
        return live, standing(session_id, live)[0]

    def planner_counts(self) -> dict[str, int]:
        """Count what the planner did since the start: calls, answers by parse level, refusals, stops; for metrics."""
        return self.planner.counts() if isinstance(self.planner, Counting) else {}

    async def close(self) -> None:
        """Finish the turns under way."""
        while self._turns:
            await asyncio.wait(self._turns)

    async def _in_order(self, said: Said, tell: Observer) -> Answered:
        holder = self._locks.get(said.session_id)
        if holder is None:
            holder = self._locks[said.session_id] = Lock()
        holder.users += 1
        try:
            async with holder.lock:
                return await self._answer(said, tell)
        finally:
            holder.users -= 1
            if not holder.users:
                del self._locks[said.session_id]

    async def _answer(self, said: Said, tell: Observer) -> Answered:
        live: Live | None = None
        try:
            for tried in range(STALE_TRIES):
                if tried:
                    tell(TurnRestarted())
                    # Several processes talk in one session: let another one go first, each a different while.
                    await asyncio.sleep(random.uniform(0, FIRST_PAUSE_S * 2**tried))  # noqa: S311  # jitter is no secret
                live = await self._session(said)
                if said.message_id is not None and live.recent and said.message_id in live.recent:
                    return await self._again(said)
                try:
                    return await self._turn(said, live, tell)
                except DuplicateMessage:
                    self._live.pop(said.session_id, None)
                    return await self._again(said)
                except StaleSession:
                    self._live.pop(said.session_id, None)
            log.error("session moved on %d times", STALE_TRIES, extra={"session_id": said.session_id})
        except WriteInDoubt:
            log.exception("write in doubt", extra={"session_id": said.session_id})
            self._live.pop(said.session_id, None)
            tell(TurnRestarted())
            return self._sorry(said, live, say("not_certain"))
        except Exception:
            # The last line: whatever broke, the user gets an answer and the session stays as it was.
            log.exception("turn failed", extra={"session_id": said.session_id})
            self._live.pop(said.session_id, None)
            tell(TurnRestarted())
        return self._sorry(said, live, say("internal_error"))

    # --- sessions ------------------------------------------------------------------------------------------------

    async def _session(self, said: Said) -> Live:
        live = self._live.get(said.session_id)
        if live is not None:
            self._live.move_to_end(said.session_id)
            return live
        stored = await self.store.load_session(said.session_id)
        if stored is None:
            context = BookingContext(session_id=said.session_id, user_id=said.user_id)
            live = Live(said.user_id, dump(context), 0, 1)
        else:
            live = await self._with_doubt(said, self._live_of(stored))
        self._remember(said.session_id, live)
        return live

    def _live_of(self, stored: StoredSession) -> Live:
        """Take a stored session; what it holds of another site's rooms and rules is refused when it is read."""
        context = stored.context.encode() if stored.site == self.site.name else b""
        return Live(stored.user_id, context, stored.version, stored.next_seq, dict(stored.recent))

    async def _with_doubt(self, said: Said, live: Live) -> Live:
        """Mark a pending read-back whose write left the house in a turn that was never committed."""
        if "book_room" not in self.tools or self.tools["book_room"].outside is None:
            return live  # bookings are written with the turn itself
        context, lost = standing(said.session_id, live)
        if lost or context.in_doubt or context.read_back is None or isinstance(context.read_back, ReadBackTool):
            return live
        if await self.store.is_write_open(live.user_id, key_of(context)):
            live.context = dump(context.with_(in_doubt=True))
        return live

    def _remember(self, session_id: str, live: Live) -> None:
        self._live[session_id] = live
        self._live.move_to_end(session_id)
        while len(self._live) > LIVE_SESSIONS:
            self._live.popitem(last=False)

    async def _again(self, said: Said) -> Answered:
        stored = await self.store.find_reply(said.session_id, said.message_id, said.attempt)
        if stored is None:
            raise BookingBotError(f"message {said.message_id!r} was answered, but its reply is not stored")
        return Answered(Reply.model_validate_json(stored.reply), stored.first_seq, said.message_id, repeated=True)

    def _sorry(self, said: Said, live: Live | None, why: Say) -> Answered:
        if live is None:
            live = Live(said.user_id, dump(BookingContext(session_id=said.session_id, user_id=said.user_id)), 0, 1)
        context, _ = standing(said.session_id, live)
        language = said.language or context.language or ("en" if said.text.isascii() else "zh")
        says = (why, *prompt(context))
        text = write(says, language, self.site, self.now().date())
        reply = reply_of(context, self.site, self.now().date(), text, language=language)
        return Answered(reply, live.next_seq)

    # --- the turn ------------------------------------------------------------------------------------------------

    async def _turn(self, said: Said, live: Live, tell: Observer) -> Answered:
        now = self.now()
        context, lost = standing(said.session_id, live)
        reading = with_memory_command(read(said.text, reading_context(context, self.site, now)), context)
        if said.language is not None:
            reading = replace(reading, language=said.language)
        if said.interrupt_id is not None and said.interrupt_id != str(context.turn_id):
            return await self._stale_answer(said, live, context, reading, now, lost)
        work = Work(self, said, live, context, reading, now, secrets.token_hex(12), lost, tell)
        return self._committed(said, live, *await work.run())

    async def _stale_answer(
        self,
        said: Said,
        live: Live,
        context: BookingContext,
        reading: Reading,
        now: dt.datetime,
        lost: tuple[Say, ...],
    ) -> Answered:
        """Take a turn that only shows what is pending now."""
        context = context.with_(turn_id=context.turn_id + 1)
        outcome = TurnOutcome(context, (say("stale_answer"), *prompt(context)), (), (), (), ())
        work = Work(self, said, live, context, reading, now, "", lost, quiet(None))
        record, reply = work.record(outcome)
        await self.store.run(lambda tx: self.store.save_turn(tx, record))
        return self._committed(said, live, record, reply, outcome)

    def _committed(self, said: Said, live: Live, record: TurnRecord, reply: Reply, outcome: TurnOutcome) -> Answered:
        if record.outbox:
            self.on_outbox()
        recent = live.recent
        if said.message_id is not None:
            recent = dict(recent or {})
            recent[said.message_id] = record.turn_id
            while len(recent) > RECENT_MESSAGES:
                del recent[next(iter(recent))]
        self._remember(
            said.session_id, Live(said.user_id, record.context.encode(), record.version + 1, record.next_seq, recent)
        )
        return Answered(reply, record.first_seq, said.message_id, outcome=outcome)


__all__ = ["MAX_ID_CHARS", "Answered", "Engine", "EventCounter", "Planner", "Said", "StoredSession", "reading_context"]
