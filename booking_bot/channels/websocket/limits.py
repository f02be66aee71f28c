"""What one peer may cost the server, and the buckets that hold it to that."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

USERS_REMEMBERED: Final = 10_000
"""Users whose buckets are kept; a forgotten one starts with a full bucket again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on peers. Times in seconds, rates in frames a second.

    Attributes:
        hard_bytes: longest frame that is read at all; a longer one closes the connection with 1009. Those between the
            protocol's limit and this one are refused and the connection stays.
        connection_rate, connection_burst: frames of any kind, for each connection.
        user_rate, user_burst: messages and answers, for all connections of a user together.
        refusals: frames refused in a row before the connection is closed: who does not listen is not talked to.
        send_buffer_bytes: unsent bytes above which a slow reader is dropped.
        hello_s: time for the first frame.
        idle_s: time without any frame.
        ping_s: interval of the protocol's pings, and the time for their answer.
        send_s: time one frame of a replay may take.
        closing_s: time for turns under way at shutdown, and for a closing handshake.
        connections: open connections at once.
    """

    hard_bytes: int = 128 * 1024
    connection_rate: float = 50.0
    connection_burst: int = 100
    user_rate: float = 100.0
    user_burst: int = 300
    refusals: int = 200
    send_buffer_bytes: int = 256 * 1024
    hello_s: float = 10.0
    idle_s: float = 1800.0
    ping_s: float = 20.0
    send_s: float = 10.0
    closing_s: float = 10.0
    connections: int = 20_000


class Bucket:
    """A token bucket: `burst` at once, then `rate` a second."""

    __slots__ = ("_at", "_left")

    def __init__(self, burst: int, at: float) -> None:
        self._left = float(burst)
        self._at = at

    def take(self, now: float, rate: float, burst: int) -> bool:
        """Take one token if there is one."""
        left = min(float(burst), self._left + (now - self._at) * rate)
        self._at = now
        if left < 1.0:
            self._left = left
            return False
        self._left = left - 1.0
        return True


class UserBuckets:
    """One bucket a user, the least recently used forgotten first."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, user_id: str, now: float) -> bool:
        """Take one token of the user's if there is one."""
        limits = self._limits
        bucket = self._buckets.get(user_id)
        if bucket is None:
            bucket = self._buckets[user_id] = Bucket(limits.user_burst, now)
            if len(self._buckets) > USERS_REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(user_id)
        return bucket.take(now, limits.user_rate, limits.user_burst)
