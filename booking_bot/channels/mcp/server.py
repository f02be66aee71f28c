"""Puts the MCP server together: tools, resources and the prompt over one bot."""

from __future__ import annotations

import hmac
from typing import Final

from mcp.server import MCPServer
from mcp.server.auth.settings import AuthSettings
from mcp.server.request_state import RequestStateSecurity
from pydantic import AnyHttpUrl

from booking_bot import __version__
from booking_bot.app import BookingBot
from booking_bot.channels.mcp.identity import Callers, UserTokens
from booking_bot.channels.mcp.reading_tools import add_reading_tools
from booking_bot.channels.mcp.resources import add_prompt, add_resources
from booking_bot.channels.mcp.writing_tools import add_writing_tools
from booking_bot.dialogue.model import Language
from booking_bot.service import BookingService

NAME: Final = "booking-bot"
INSTRUCTIONS: Final = (
    "Books meeting rooms. Either pass the user's messages to `talk` and show its text, or use the other tools: "
    "search_rooms, then book_room. Nothing is booked, moved or cancelled without the user's own yes to the read-back: "
    "show it word for word and wait for the answer. Dates and times are the office's; read the resources for its rooms "
    "and house rules."
)
STATE_TTL_S: Final = 600.0
"""How long a question put to the user over several requests may stay open, in seconds."""


def build_server(
    bot: BookingBot,
    *,
    user: str | None = None,
    token_secret: str | None = None,
    service: BookingService | None = None,
    language: Language = "en",
    issuer: str = "http://127.0.0.1:8766",
) -> MCPServer:
    """Make the MCP server of a bot; run it on stdio or mount its HTTP app.

    Args:
        user: who speaks where there is no token (stdio, an open loopback server).
        token_secret: with it every HTTP request needs a bearer token signed by it, and its user speaks.
        service: shared with other channels, or one of its own when None.
        language: of the tools' texts, where the client does not say.
        issuer: URL under which the server is known, shown to clients without a token.
    """
    auth = None
    state = RequestStateSecurity.ephemeral(ttl=STATE_TTL_S)
    if token_secret is not None:
        auth = AuthSettings(issuer_url=AnyHttpUrl(issuer), resource_server_url=None)
        key = hmac.digest(token_secret.encode(), b"booking-bot request state v1", "sha256")
        state = RequestStateSecurity(keys=[key], ttl=STATE_TTL_S)
    server: MCPServer = MCPServer(
        NAME,
        title="Meeting room booking",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        auth=auth,
        token_verifier=UserTokens(token_secret) if token_secret is not None else None,
        request_state_security=state,
    )
    callers = Callers(None if token_secret is not None else user, language)
    service = service or BookingService(bot.engine, secret=token_secret)
    add_reading_tools(server, bot, service, callers)
    add_writing_tools(server, service, callers)
    add_resources(server, service, callers)
    add_prompt(server)
    return server
