"""Drains the outbox: events that turns wrote in their own transactions, each done at least once, after the reply."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from booking_bot.adapters.sql import ClaimedEvent, SqlStore

log = logging.getLogger(__name__)

Handler = Callable[[str], Awaitable[None]]
"""Does one event, given its payload. It may be done again after a crash, and must not mind."""
GRACE_S: Final = 0.25
"""Pause after a turn: the replies under way go first."""
START_S: Final = 1.0
"""Pause before the first look: what an earlier process left can wait until this one has got going."""
IDLE_S: Final = 30.0
"""How often to look for what an earlier process left, or what failed and is due again."""
LEASE_S: Final = 60
"""How long an event is ours; after a crash, or a failure, it is due again."""
MAX_ATTEMPTS: Final = 8
"""Tries after which an event is given up and logged."""
CLOSING_S: Final = 5.0
"""Longest closing may take; what is left then is done by the next process."""


class OutboxWorker:
    """One task that does due events in order.

    Args:
        handlers: by event name; events of other names are left for others.
        now_s: the clock of the events' due times, in epoch seconds.
    """

    def __init__(self, store: SqlStore, handlers: Mapping[str, Handler], now_s: Callable[[], int]) -> None:
        self._store = store
        self._handlers = handlers
        self._now_s = now_s
        self._woken = asyncio.Event()
        self._closing = False
        self._written = False
        self._task = asyncio.ensure_future(self._work())

    def wake(self) -> None:
        """Say that a turn has written an event."""
        self._woken.set()

    async def close(self) -> None:
        """Do what is due, then stop."""
        self._closing = True
        self._written = self._woken.is_set()
        self._woken.set()
        _, late = await asyncio.wait([self._task], timeout=CLOSING_S)
        if late:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _work(self) -> None:
        wait_s = START_S
        while not self._closing:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._woken.wait()
                    await asyncio.sleep(0 if self._closing else GRACE_S)
            if self._closing:
                break
            self._woken.clear()
            await self._drain()
            wait_s = IDLE_S
        if self._written:
            await self._drain()

    async def _drain(self) -> None:
        started = time.monotonic()
        try:
            while time.monotonic() - started < CLOSING_S:
                claimed = await self._store.claim_events(self._now_s(), LEASE_S, names=tuple(self._handlers))
                if not claimed:
                    return
                await self._do_all(_alike(claimed))
        except Exception:
            # The worker outlives whatever broke: what is left is due again.
            log.exception("the outbox could not be worked off")

    async def _do_all(self, groups: Sequence[Sequence[ClaimedEvent]]) -> None:
        """Do what was claimed; what is over with is told to the store well before the lease runs out."""
        done: list[int] = []
        told = time.monotonic()
        for same in groups:
            if await self._do(same[0]):
                done += [event.id for event in same]
            if time.monotonic() - told > LEASE_S / 10:
                await self._store.complete_events(done)
                done, told = [], time.monotonic()
        await self._store.complete_events(done)

    async def _do(self, event: ClaimedEvent) -> bool:
        """Do one event; tell whether it is over with."""
        try:
            await self._handlers[event.event](event.payload)
        except Exception:
            log.exception("outbox event %s failed, try %d", event.event, event.attempts)
            return event.attempts >= MAX_ATTEMPTS
        return True


def _alike(events: Sequence[ClaimedEvent]) -> list[list[ClaimedEvent]]:
    """Put together what is the same thing to do, the most tried first: it is done once for all of them."""
    groups: dict[tuple[str, str], list[ClaimedEvent]] = {}
    for event in events:
        groups.setdefault((event.event, event.payload), []).append(event)
    return [sorted(group, key=lambda event: -event.attempts) for group in groups.values()]
