"""Carries out tools outside of a conversation: each call is its own transaction, and a write is never cut off."""

from __future__ import annotations

import asyncio
import logging

from booking_bot.adapters.sql import StoreError, Tx
from booking_bot.dialogue.actions import Call
from booking_bot.dialogue.model import BookingKey
from booking_bot.dialogue.observations import Booked, Cancelled, Failed, Gone, Moved, ToolObservation
from booking_bot.engine import Engine
from booking_bot.service.audit import write_down
from booking_bot.service.values import Caller
from booking_bot.tools import ToolContext

log = logging.getLogger(__name__)

Written = Booked | Moved | Cancelled


class Execution:
    """Calls the engine's tools, wherever they live."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._writes: set[asyncio.Task[ToolObservation]] = set()

    async def ask(self, caller: Caller, call: Call) -> ToolObservation:
        """Call a tool that only reads. Never raises for a failing world."""
        tool, context = self._engine.tools[call.tool], self._context(caller)
        if tool.inside is None:
            return await self._outside(caller, call)
        inside = tool.inside
        try:
            return await self._engine.store.read(lambda tx: inside(tx, call.arguments, context))
        except StoreError as error:
            return Failed(tool=call.tool, reason=str(error))

    async def write(self, caller: Caller, call: Call, key: str) -> ToolObservation:
        """Call a tool that writes; when its answer is lost, look up by the key what it did.

        Giving up waiting does not stop it.
        """
        task = asyncio.ensure_future(self._write(caller, call, key))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return await asyncio.shield(task)

    async def earlier(self, caller: Caller, key: str) -> Written | Failed | None:
        """Tell what the write with this key did; None when it never took effect."""
        found = await self.ask(caller, Call("find_booking", BookingKey(key=key)))
        return found if isinstance(found, Booked | Moved | Cancelled | Failed) else None

    async def close(self) -> None:
        """Finish the writes under way."""
        while self._writes:
            await asyncio.wait(self._writes)

    async def repeat(self, caller: Caller, call: Call) -> ToolObservation:
        """Call a tool that writes, with a key that was used: it can only tell what it did then."""
        return await self._once(caller, call, audited=False)

    async def _write(self, caller: Caller, call: Call, key: str) -> ToolObservation:
        answer = await self._once(caller, call, audited=True)
        if not isinstance(answer, Failed) or not answer.uncertain:
            return answer
        found = await self.ask(caller, Call("find_booking", BookingKey(key=key)))
        match found:
            case Booked() | Moved() | Cancelled():
                return found
            case Gone():
                return answer.model_copy(update={"uncertain": False})
            case _:
                return answer

    async def _once(self, caller: Caller, call: Call, *, audited: bool) -> ToolObservation:
        tool, context = self._engine.tools[call.tool], self._context(caller)
        store, inside = self._engine.store, tool.inside
        if inside is None:
            answer = await self._outside(caller, call)
            if audited:
                await self._note(caller, call, answer)
            return answer

        def unit(tx: Tx) -> ToolObservation:
            answer = inside(tx, call.arguments, context)
            if audited:
                write_down(tx, caller, call, answer, context.now)
            return answer

        try:
            return await store.run(unit)
        except StoreError as error:
            return Failed(tool=call.tool, reason=str(error), uncertain=True)

    async def _note(self, caller: Caller, call: Call, answer: ToolObservation) -> None:
        """Write down what another system did; it is done whether this works or not."""
        now = self._engine.now()
        try:
            await self._engine.store.run(lambda tx: write_down(tx, caller, call, answer, now))
        except StoreError:
            log.exception("a write could not be written down", extra={"tool": call.tool, "did": answer.kind})

    async def _outside(self, caller: Caller, call: Call) -> ToolObservation:
        tool = self._engine.tools[call.tool]
        assert tool.outside is not None  # noqa: S101  # exactly one of the two is set
        try:
            return await tool.outside(call.arguments, self._context(caller))
        except Exception as error:
            # A tool of somebody else's may raise anything.
            log.exception("tool failed", extra={"tool": tool.name})
            return Failed(tool=tool.name, reason=type(error).__name__, uncertain=tool.risk != "safe")

    def _context(self, caller: Caller) -> ToolContext:
        return ToolContext(caller.user_id, caller.language, self._engine.now())
