"""The way out to one peer: writing without waiting, and closing on who does not read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from enum import IntEnum
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from booking_bot.channels.websocket.limits import Limits
from booking_bot.channels.websocket.metrics import Metrics

Spawn = Callable[[Coroutine[Any, Any, None]], None]
"""Lets something run by itself."""


class Closing(IntEnum):
    """Why the server closes a connection."""

    POLICY = 1008
    RESTART = 1012
    NO_HELLO = 4000
    IDLE = 4001
    SLOW = 4002
    TOKEN_RAN_OUT = 4003


class Line:
    """Sends to one connection. Nothing is queued beyond the transport's own buffer, and that is bounded."""

    __slots__ = ("_dropped", "_limits", "_metrics", "_spawn", "_ws")

    def __init__(self, ws: ServerConnection, limits: Limits, metrics: Metrics, spawn: Spawn) -> None:
        self._ws = ws
        self._limits = limits
        self._metrics = metrics
        self._spawn = spawn
        self._dropped = False

    @property
    def unsent_bytes(self) -> int:
        """How much waits for the peer to read."""
        return self._ws.transport.get_write_buffer_size()

    async def next_frame(self) -> str | bytes:
        """Wait for a frame.

        Raises:
            ConnectionClosed: there will be none.
        """
        return await self._ws.recv()

    def write(self, frames: bytes) -> None:
        """Write encoded frames without waiting; a peer that has too much unread is dropped instead."""
        if self._dropped or self._ws.state is not State.OPEN:
            return
        if self.unsent_bytes > self._limits.send_buffer_bytes:
            self.drop(Closing.SLOW, "slow reader")
            return
        self._ws.transport.write(frames)

    async def write_patiently(self, payload: bytes) -> None:
        """Write one text frame and wait until the peer keeps up: for replays, which may be long.

        Raises:
            ConnectionClosed: the connection is closed.
            TimeoutError: the peer does not read.
        """
        async with asyncio.timeout(self._limits.send_s):
            await self._ws.send(payload, text=True)

    def drop(self, code: Closing, reason: str) -> None:
        """Close the connection; who does not read the goodbye is cut off."""
        if not self._dropped:
            self._dropped = True
            self._metrics.dropped.labels(code.name.lower()).inc()
            self._spawn(self._close(code, reason))

    async def _close(self, code: Closing, reason: str) -> None:
        try:
            async with asyncio.timeout(self._limits.closing_s):
                await self._ws.close(code, reason)
        except TimeoutError:
            self._ws.transport.abort()
