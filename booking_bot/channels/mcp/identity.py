"""Who speaks over MCP: the bearer token's user over HTTP, the configured one elsewhere; never an argument."""

from __future__ import annotations

from typing import Final

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from booking_bot.dialogue.model import Language
from booking_bot.errors import MessageError
from booking_bot.service import Caller
from booking_bot.service.language import preferred_language
from booking_bot.tokens import read_token

CHANNEL: Final = "mcp"


class UserTokens:
    """The SDK's token verifier over the bot's own signed tokens.

    Args:
        secret: what they are signed with.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret

    async def verify_token(self, token: str) -> AccessToken | None:
        """Give what a valid token says, None for any other."""
        try:
            identity = read_token(token, self._secret)
        except MessageError:
            return None
        return AccessToken(
            token=token,
            client_id="booking-bot",
            scopes=[],
            expires_at=None if identity.expires_s is None else int(identity.expires_s),
            subject=identity.user_id,
        )


class Callers:
    """Tells on whose behalf a request runs.

    Args:
        user: who speaks where there is no token; None where one is always required.
        language: of the texts, where the client does not say.
    """

    def __init__(self, user: str | None, language: Language) -> None:
        self._user = user
        self._language = language

    def of(self, context: Context | None = None) -> Caller:
        """Give the caller of the current request."""
        token = get_access_token()
        user = self._user if token is None else token.subject
        if not user:
            raise ToolError("unauthorized: this server needs a token that names the user")
        return Caller(user_id=user, channel=CHANNEL, language=self._language_of(context))

    def _language_of(self, context: Context | None) -> Language:
        headers = context.headers if context is not None else None
        return preferred_language((headers or {}).get("accept-language"), self._language)
