"""`booking-bot mcp`: the server on standard input and output, for one user."""

from __future__ import annotations

import os

from booking_bot.app import BookingBot
from booking_bot.channels.mcp.server import build_server
from booking_bot.dialogue.model import Language


async def serve_stdio(site: str | None = None, db: str | None = None, user: str | None = None) -> None:
    """Serve until the client closes standard input.

    Args:
        user: who books; the configured user when None.

    Raises:
        ConfigurationError: a setting, a site file or the database will not do.
    """
    async with await BookingBot.open(site=site, db=db, user=user) as bot:
        await build_server(bot, user=bot.settings.user, language=_language()).run_stdio_async()


def _language() -> Language:
    """Give the language of the process's locale, which is the user's own: the client starts the server."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"
