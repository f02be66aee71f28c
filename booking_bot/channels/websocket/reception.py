"""Who may come in, and which session they get. Shared by all connections of one server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any, Final

from booking_bot.app import session_key
from booking_bot.channels.names import GUEST
from booking_bot.channels.planner_metrics import PlannerCollector
from booking_bot.channels.websocket.hub import Hub
from booking_bot.channels.websocket.limits import Limits, UserBuckets
from booking_bot.channels.websocket.metrics import Metrics
from booking_bot.dialogue.model import Phase
from booking_bot.engine import Answered, Engine
from booking_bot.errors import MessageError
from booking_bot.reply import Reply
from booking_bot.tokens import Identity, read_token

log = logging.getLogger(__name__)

SESSION_BYTES: Final = 16
"""128 random bits: nobody guesses another's session."""
_SESSION_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
ISSUED_REMEMBERED: Final = 10_000
"""Sessions issued and not yet stored: who loses the connection before the first answer keeps the id."""
NOTHING_SAID: Final = Reply(text="", phase=Phase.COLLECTING_SLOTS)
"""Where a new session stands."""


class Reception:
    """What all connections of a server share.

    Attributes:
        secret: signs the users' tokens; None lets everybody in as guest.
        closing: set at shutdown; nothing new is begun then.
        speaking: how many turns are under way.
    """

    def __init__(self, engine: Engine, limits: Limits, secret: str | None) -> None:
        self.engine = engine
        self.limits = limits
        self.secret = secret
        self.hub = Hub()
        self.connections = 0
        self.metrics = Metrics(lambda: self.connections, lambda: len(self.hub))
        self.metrics.registry.register(PlannerCollector(engine.planner_counts))
        self.closing = False
        self.speaking = 0
        self._silence = asyncio.Event()
        self._silence.set()
        self._buckets = UserBuckets(limits)
        self._issued: OrderedDict[str, str] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def identify(self, token: str | None) -> Identity:
        """Tell whom a token speaks for.

        Raises:
            MessageError: ``unauthorized``.
        """
        if self.secret is None:
            return Identity(GUEST)
        if not token:
            raise MessageError("unauthorized", "a token is needed")
        return read_token(token, self.secret)

    def may_speak(self, user_id: str, now: float) -> bool:
        """Count a message of a user. Guests share one name, so only their connections are held to a rate."""
        return self.secret is None or self._buckets.take(user_id, now)

    async def session(self, user_id: str, wanted: str | None) -> tuple[str, Answered | None]:
        """Give the session asked for if it is this user's, else a new one.

        Returns:
            The session's id, and where it stands; None when nothing has been said in it.
        """
        if wanted is not None and _SESSION_ID.fullmatch(wanted):
            current = await self.engine.current(session_key(user_id, wanted))
            if current is not None or self._issued.get(wanted) == user_id:
                return wanted, current
        issued = secrets.token_urlsafe(SESSION_BYTES)
        self._issued[issued] = user_id
        while len(self._issued) > ISSUED_REMEMBERED:
            self._issued.popitem(last=False)
        return issued, None

    def begin_turn(self) -> None:
        """Count a turn as under way."""
        self.speaking += 1
        self._silence.clear()

    def end_turn(self) -> None:
        """Count it as done."""
        self.speaking -= 1
        if not self.speaking:
            self._silence.set()

    async def silence(self) -> None:
        """Wait for the turns under way, not longer than the limit."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.limits.closing_s):
                await self._silence.wait()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something run by itself; it is waited for at shutdown."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def settled(self) -> None:
        """Wait for everything spawned."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.limits.closing_s)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("work beside a connection failed", exc_info=task.exception())
