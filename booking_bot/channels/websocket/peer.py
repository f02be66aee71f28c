"""One connection: its frames in order, the turns they make, and what is sent to it."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Literal

from pydantic import ValidationError
from pydantic_core import to_json
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from booking_bot.adapters.sql import StoredTurn, StoreError
from booking_bot.app import session_key
from booking_bot.channels.websocket.hub import Audience, encoded
from booking_bot.channels.websocket.limits import Bucket
from booking_bot.channels.websocket.line import Closing, Line
from booking_bot.channels.websocket.live import LiveTurn
from booking_bot.channels.websocket.reception import NOTHING_SAID, Reception
from booking_bot.dialogue.model import Language
from booking_bot.engine import Answered, Said
from booking_bot.errors import MessageError
from booking_bot.reply import Reply
from booking_bot.turns.contexts import clean
from booking_bot.wire import (
    Event,
    Frame,
    Hello,
    Message,
    Ping,
    Resume,
    Speak,
    TurnShown,
    error_event,
    id_in,
    parse_frame,
    prompt_events,
    session_event,
    snapshot_event,
    text_of_resume,
    turn_events,
)

log = logging.getLogger(__name__)

CATCH_UP_TRIES: Final = 20
"""Times a connection looks whether it missed something more while it was catching up."""


class Peer:
    """One connection.

    Attributes:
        line: the way out to it.
        opened_at, heard_at: when it was opened and when the last frame came, on the loop's clock.
        expires_s: epoch seconds at which its token runs out, None for never.
    """

    __slots__ = (
        "_audience",
        "_behind",
        "_bucket",
        "_catching_up",
        "_cursor",
        "_language",
        "_reception",
        "_refused",
        "_user_id",
        "expires_s",
        "heard_at",
        "line",
        "opened_at",
    )

    def __init__(self, reception: Reception, ws: ServerConnection, now: float) -> None:
        self._reception = reception
        self.line = Line(ws, reception.limits, reception.metrics, reception.spawn)
        self._audience: Audience | None = None
        self._user_id = ""
        self._language: Language | None = None
        self._cursor = 0
        self._catching_up = False
        self._behind = False
        self._refused = 0
        self._bucket = Bucket(reception.limits.connection_burst, now)
        self.opened_at = self.heard_at = now
        self.expires_s: float | None = None

    @property
    def greeted(self) -> bool:
        """Whether a hello has been taken."""
        return self._audience is not None

    async def converse(self) -> None:
        """Take frames, one after the other, until the connection closes."""
        try:
            while True:
                await self._take(await self.line.next_frame())
        except ConnectionClosed:
            pass
        except TimeoutError:
            self.line.drop(Closing.SLOW, "slow reader")
        finally:
            if self._audience is not None:
                self._reception.hub.leave(self, self._audience)

    def receive(self, frames: bytes, first: int, last: int) -> None:
        """Get a turn's frames, which hold the events from `first` to `last`."""
        if self._catching_up:
            self._behind = True
        elif first == self._cursor + 1:
            self._cursor = last
            self.line.write(frames)
        elif last > self._cursor:
            self._catching_up = True
            self._reception.spawn(self._fetch_missed())

    def at(self, seq: int) -> bool:
        """Tell whether the event with this number is the next one to send here."""
        return not self._catching_up and self._cursor + 1 == seq

    def follow(self, events: list[Event]) -> None:
        """Send events of a turn that is not committed yet."""
        self.line.write(encoded(events))

    # --- frames in -------------------------------------------------------------------------------------------------

    async def _take(self, data: str | bytes) -> None:
        limits = self._reception.limits
        now = self.heard_at = asyncio.get_running_loop().time()
        run_id = None
        try:
            if not self._bucket.take(now, limits.connection_rate, limits.connection_burst):
                raise MessageError("rate_limited", f"at most {limits.connection_rate:g} frames a second: slow down")
            frame = parse_frame(data)
            run_id = getattr(frame, "id", None)
            await self._act(frame, now)
        except MessageError as error:
            self._refuse(error, run_id or id_in(data))
        except StoreError:
            log.exception("the database failed", extra={"session_id": self._audience.key if self._audience else ""})
            self._refuse(MessageError("unavailable", "the database does not answer: try again in a moment"), run_id)
        else:
            self._refused = 0

    async def _act(self, frame: Frame, now: float) -> None:
        match frame:
            case Ping():
                self._send({"type": "CUSTOM", "name": "pong", "value": None})
            case Hello():
                await self._greet(frame)
            case Speak():
                await self._switch(self._greeted_audience(), frame)
            case _:
                audience = self._greeted_audience()
                if self._reception.closing:
                    raise MessageError("shutting_down", "the server is restarting: connect again in a moment")
                if not self._reception.may_speak(self._user_id, now):
                    raise MessageError("rate_limited", "too many messages of this user: slow down")
                await self._speak(audience, frame, now)

    def _greeted_audience(self) -> Audience:
        if self._audience is None:
            raise MessageError("hello_first", "say hello first")
        return self._audience

    def _refuse(self, error: MessageError, run_id: str | None) -> None:
        self._reception.metrics.refused.labels(error.code).inc()
        self._send(error_event(error.code, error.message, seq=self._cursor, run_id=run_id))
        self._refused += 1
        if error.code == "unauthorized" or self._refused >= self._reception.limits.refusals:
            self.line.drop(Closing.POLICY, error.code)

    # --- hello -----------------------------------------------------------------------------------------------------

    async def _greet(self, hello: Hello) -> None:
        if self._audience is not None:
            raise MessageError("already_greeted", "this connection has a session: open another connection")
        reception = self._reception
        identity = reception.identify(hello.token)
        session_id, current = await reception.session(identity.user_id, hello.session_id)
        self._user_id, self.expires_s = identity.user_id, identity.expires_s
        self._language = _chosen(hello.language)
        self._catching_up = True
        key = session_key(identity.user_id, session_id)
        audience = self._audience = reception.hub.join(self, key, session_id, identity.user_id)
        head = current.first_seq - 1 if current else 0
        seen = min(hello.last_seq or 0, head) if session_id == hello.session_id else 0
        self._cursor = seen
        self._send(session_event(session_id, seq=seen, head=head, reply=current.reply if current else None))
        reception.metrics.hellos.labels("known" if session_id == hello.session_id else "new").inc()
        try:
            self._show(audience, await self._catch_up(audience), seen)
        except StoreError:
            reception.hub.leave(self, audience)
            self._audience = None  # the next hello may do better
            raise
        finally:
            self._catching_up = False
        if audience.turns:
            audience.turns[0].join(self)

    def _show(self, audience: Audience, reply: Reply, seq: int) -> None:
        """Show where the session stands, with what is asked."""
        self.line.write(encoded((snapshot_event(reply, seq=seq), *prompt_events(audience.session_id, reply, seq=seq))))

    async def _switch(self, audience: Audience, frame: Speak) -> None:
        """Take the language of the following answers, and show in it what is asked now."""
        self._language = _chosen(frame.language)
        current = await self._reception.engine.current(audience.key, self._language)
        self._show(audience, current.reply if current else NOTHING_SAID, self._cursor)

    async def _catch_up(self, audience: Audience) -> Reply:
        """Send what was missed, until nothing is; there is no wait between the last look and the return."""
        engine = self._reception.engine
        head = self._cursor
        for _ in range(CATCH_UP_TRIES):
            self._behind = False
            current = await engine.current(audience.key, self._language)
            head = current.first_seq - 1 if current else 0
            if head > self._cursor:
                for turn in await engine.store.turns_since(audience.key, self._cursor + 1):
                    await self._send_missed(audience, turn)
            elif not self._behind:
                break
        else:
            self._cursor = head
        reply = current.reply if current else NOTHING_SAID
        audience.note(reply, head + 1)
        return reply

    async def _fetch_missed(self) -> None:
        """Catch up with turns that another process made."""
        if self._audience is not None:
            try:
                await self._catch_up(self._audience)
            except ConnectionClosed:
                return
            except TimeoutError:
                self.line.drop(Closing.SLOW, "slow reader")
            except StoreError:
                log.exception("the database failed", extra={"session_id": self._audience.key})
        self._catching_up = False

    async def _send_missed(self, audience: Audience, turn: StoredTurn) -> None:
        try:
            events = self._shown(audience, turn)
        except ValidationError:
            log.exception("stored reply refused", extra={"session_id": audience.key, "turn_id": turn.turn_id})
            return
        self._reception.metrics.replayed.inc()
        for event in events:
            if event["seq"] > self._cursor:
                await self.line.write_patiently(to_json(event))
                self._cursor = event["seq"]

    # --- turns -----------------------------------------------------------------------------------------------------

    async def _speak(self, audience: Audience, frame: Message | Resume, now: float) -> None:
        interrupt_id = None
        if isinstance(frame, Message):
            text = frame.text
        else:
            text = text_of_resume(frame, audience.interrupt, self._language or audience.language)
            interrupt_id = frame.interrupt_id
        text = clean(text)  # as it is stored, so that a replay shows the same
        reception = self._reception
        said = Said(audience.key, self._user_id, text, frame.id, "websocket", interrupt_id, self._language)
        turn = LiveTurn(audience, frame.id, text)
        audience.turns.append(turn)
        reception.begin_turn()
        try:
            answered = await reception.engine.handle(said, turn)
            reception.metrics.turn_seconds.observe(asyncio.get_running_loop().time() - now)
            await self._tell(audience, turn, answered, text)
        finally:
            audience.turns.remove(turn)
            reception.end_turn()

    async def _tell(self, audience: Audience, turn: LiveTurn, answered: Answered, text: str) -> None:
        reception, reply = self._reception, answered.reply
        if answered.outcome is not None:
            shown = TurnShown(audience.session_id, answered.message_id, text, reply, answered.first_seq)
            events = turn_events(shown, reception.engine.site.policy.zone)
            audience.note(reply, events[-1]["seq"] + 1)
            audience.publish(turn, events)
            reception.metrics.turns[reply.phase].inc()
            return
        if not answered.repeated or answered.message_id is None:
            raise MessageError("internal_error", reply.text)
        reception.metrics.repeats.inc()
        stored = await reception.engine.store.find_reply(audience.key, answered.message_id)
        if stored is not None:
            self.line.write(encoded(self._shown(audience, stored)))

    def _shown(self, audience: Audience, turn: StoredTurn) -> list[Event]:
        reply = Reply.model_validate_json(turn.reply)
        shown = TurnShown(audience.session_id, turn.message_id, turn.text, reply, turn.first_seq)
        return turn_events(shown, self._reception.engine.site.policy.zone)

    # --- frames out ------------------------------------------------------------------------------------------------

    def _send(self, event: Event) -> None:
        self.line.write(encoded((event if "seq" in event else event | {"seq": self._cursor},)))


def _chosen(language: Literal["auto", "zh", "en"]) -> Language | None:
    """Give the language chosen, None for the one the user writes."""
    return None if language == "auto" else language
