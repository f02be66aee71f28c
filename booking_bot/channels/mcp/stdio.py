"""`booking-bot mcp`: the server on standard input and output, for one user."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final

from booking_bot.app import BookingBot
from booking_bot.channels.mcp.server import build_server
from booking_bot.dialogue.model import Language
from booking_bot.service import BookingService

CLOSING_S: Final = 5
"""Seconds for the requests under way when the process is told to stop."""
FULL_PAUSE_S: Final = 0.005
"""Before another look whether the server has read on."""
_CHUNK: Final = 65_536


async def serve_stdio(site: str | None = None, db: str | None = None, user: str | None = None) -> None:
    """Serve until the client closes standard input, or until cancelled; finish the writes under way.

    Args:
        user: who books; the configured user when None.

    Raises:
        ConfigurationError: a setting, a site file or the database will not do.
    """
    async with await BookingBot.open(site=site, db=db, user=user) as bot:
        service = BookingService(bot.engine)
        server = build_server(bot, user=bot.settings.user, service=service, language=_language())
        try:
            with _input_that_can_end() as end_input:
                serving = asyncio.ensure_future(server.run_stdio_async())
                try:
                    await asyncio.shield(serving)
                except asyncio.CancelledError:
                    end_input()
                    await asyncio.wait((serving,), timeout=CLOSING_S)
                    serving.cancel()
                    raise
        finally:
            await service.close()


@contextlib.contextmanager
def _input_that_can_end() -> Iterator[Callable[[], None]]:
    """Put a pipe before standard input and give what ends it.

    A thread that reads from a standard input that stays open cannot be told to stop; one that reads from a pipe of our
    own can. The thread that fills the pipe is left behind when the process ends.
    """
    try:
        source = os.dup(sys.stdin.fileno())
    except (OSError, ValueError):  # no file behind it: nothing that could stay open
        yield lambda: None
        return
    taken, given = os.pipe()
    closing = threading.Lock()
    open_ends = [given]

    def end() -> None:
        with closing:
            if open_ends:
                os.close(open_ends.pop())

    def write(data: memoryview) -> int:
        """Write what there is room for; the lock is never held while waiting, or `end` would have to wait too."""
        with closing, contextlib.suppress(BlockingIOError):
            return os.write(given, data) if open_ends else len(data)
        return 0

    def fill() -> None:
        with contextlib.suppress(OSError):
            while open_ends and (chunk := os.read(source, _CHUNK)):
                left = memoryview(chunk)
                while left:
                    written = write(left)
                    left = left[written:]
                    if not written:
                        time.sleep(FULL_PAUSE_S)
        end()

    os.set_blocking(given, False)
    os.dup2(taken, sys.stdin.fileno())
    os.close(taken)
    threading.Thread(target=fill, name="standard input", daemon=True).start()
    try:
        yield end
    finally:
        end()
        os.dup2(source, sys.stdin.fileno())


def _language() -> Language:
    """Give the language of the process's locale, which is the user's own: the client starts the server."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"
