"""Who is connected to which session, and how a turn reaches all of them."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from pydantic_core import to_json

from booking_bot.dialogue.model import Language
from booking_bot.reply import Interrupt, Reply
from booking_bot.wire import Event

_WHOLE_TEXT: Final = 0x81
_MEDIUM: Final = struct.Struct("!BBH")
_LONG: Final = struct.Struct("!BBQ")

if TYPE_CHECKING:
    from booking_bot.channels.websocket.live import LiveTurn
    from booking_bot.channels.websocket.peer import Peer


def encoded(events: Iterable[Event]) -> bytes:
    """Encode events as text frames, ready to be written to any number of connections at once."""
    parts: list[bytes] = []
    for event in events:
        payload = to_json(event)
        parts += (_head(len(payload)), payload)
    return b"".join(parts)


def _head(length: int) -> bytes:
    """Make the head of a whole, unmasked text frame (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((_WHOLE_TEXT, length))
    if length < 1 << 16:
        return _MEDIUM.pack(_WHOLE_TEXT, 126, length)
    return _LONG.pack(_WHOLE_TEXT, 127, length)


class Audience:
    """The connections of one session.

    Attributes:
        key: the session's stored id.
        session_id: the id its clients know.
        interrupt, language: of the last reply, to read a button's answer by.
        turn_id, next_seq: the number of the last turn, and of the first event of the next one.
        turns: those being done and waiting to be, in the order in which they are taken.
    """

    __slots__ = ("interrupt", "key", "language", "next_seq", "peers", "session_id", "turn_id", "turns", "user_id")

    def __init__(self, key: str, session_id: str, user_id: str) -> None:
        self.key = key
        self.session_id = session_id
        self.user_id = user_id
        self.peers: list[Peer] = []
        self.interrupt: Interrupt | None = None
        self.language: Language = "zh"
        self.turn_id = 0
        self.next_seq = 1
        self.turns: deque[LiveTurn] = deque()

    def note(self, reply: Reply, next_seq: int) -> None:
        """Remember where the session stands; what another connection has found out later stays."""
        if next_seq >= self.next_seq:
            self.interrupt = reply.interrupt
            self.language = reply.language
            self.turn_id = reply.turn_id
            self.next_seq = next_seq

    def publish(self, turn: LiveTurn, events: list[Event]) -> None:
        """Give a committed turn's events to every connection; who is behind fetches it from the store.

        Args:
            turn: the same turn as it was told while it was being done.
        """
        first, last = events[0]["seq"], events[-1]["seq"]
        rest = turn.rest_of(events)
        whole = encoded(events)
        frames = whole if rest is events else encoded(rest)
        for peer in tuple(self.peers):
            peer.receive(frames if turn.follows(peer) else whole, first, last)


class Hub:
    """All sessions that have a connection."""

    def __init__(self) -> None:
        self._audiences: dict[str, Audience] = {}

    def __len__(self) -> int:
        return len(self._audiences)

    def join(self, peer: Peer, key: str, session_id: str, user_id: str) -> Audience:
        """Let a connection listen to a session."""
        audience = self._audiences.get(key)
        if audience is None:
            audience = self._audiences[key] = Audience(key, session_id, user_id)
        audience.peers.append(peer)
        return audience

    def leave(self, peer: Peer, audience: Audience) -> None:
        """Let it no longer listen."""
        audience.peers.remove(peer)
        if not audience.peers:
            self._audiences.pop(audience.key, None)
