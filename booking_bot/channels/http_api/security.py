"""Who may speak to the API: names it answers to, origins it answers to, and whose bearer token is whose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from booking_bot.channels.http_api.problems import ProblemRaised, on_http_error
from booking_bot.channels.names import GUEST, Names
from booking_bot.errors import MessageError
from booking_bot.service import Caller
from booking_bot.service.language import preferred_language
from booking_bot.tokens import read_token

CHANNEL: Final = "http"


class Access:
    """The rules of one server.

    Args:
        secret: signs the users' tokens; None lets everybody in as guest, and only by names of this machine.
        hosts: names the server goes by; empty for any, where there is a secret.
        origins: origins allowed besides the server's own, e.g. ``https://rooms.example.org``.
        bound: the address listened on, which is a name too.
    """

    def __init__(
        self, secret: str | None, hosts: Sequence[str] = (), origins: Sequence[str] = (), bound: str | None = None
    ) -> None:
        self.secret = secret
        self._names = Names(hosts, open_to_all=secret is None, bound=bound)
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)

    def caller(self, request: Request) -> Caller:
        """Tell on whose behalf a request runs.

        Raises:
            ProblemRaised: 401.
        """
        language = preferred_language(request.headers.get("accept-language"), "en")
        if self.secret is None:
            return Caller(user_id=GUEST, channel=CHANNEL, language=language)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        try:
            if scheme.lower() != "bearer" or not token.strip():
                raise MessageError("unauthorized", "a bearer token is needed")
            identity = read_token(token.strip(), self.secret)
        except MessageError as error:
            raise ProblemRaised(401, error.code, error.message, headers={"WWW-Authenticate": "Bearer"}) from None
        return Caller(user_id=identity.user_id, channel=CHANNEL, language=language)

    def refusal(self, headers: Headers, path: str) -> ProblemRaised | None:
        """Tell why a request is not for this server, None when it is."""
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if not self._names.fit(host, path):
            return ProblemRaised(421, "wrong_host", "this server does not go by that name")
        own = (f"http://{host}", f"https://{host}")
        if origins and (len(origins) > 1 or origins[0].lower() not in (*own, *self._origins)):
            return ProblemRaised(403, "wrong_origin", "this origin may not speak to this server")
        return None

    @property
    def foreign_origins(self) -> tuple[str, ...]:
        """The pages of other servers that may speak to this one."""
        return tuple(sorted(self._origins))

    def for_mcp(self) -> TransportSecuritySettings:
        """Give the same rules to the MCP transport; where any name will do the check before it is the only one."""
        if self._names.all is None:
            return TransportSecuritySettings(enable_dns_rebinding_protection=False)
        shown = [f"[{name}]" if ":" in name else name for name in sorted(self._names.all)]
        hosts = [*shown, *(f"{name}:*" for name in shown)]
        own = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
        return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[*own, *sorted(self._origins)])


class Guard:
    """Turns away requests for other names and from other origins before anything else looks at them."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        refusal = self._access.refusal(Headers(scope=scope), scope["path"]) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await (await on_http_error(Request(scope), refusal))(scope, receive, send)
