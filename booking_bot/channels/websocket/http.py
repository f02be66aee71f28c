"""The plain HTTP side of the port: the page's files, read-only data for it, health and metrics. GET only.

Everything is answered before the WebSocket handshake, so this is also where a foreign origin is turned away.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import http
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from pydantic_core import to_json
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from booking_bot.adapters.sql import StoreError
from booking_bot.channels.names import Names
from booking_bot.channels.websocket.metrics import CONTENT_TYPE
from booking_bot.channels.websocket.office import Office
from booking_bot.channels.websocket.reception import Reception
from booking_bot.errors import MessageError

log = logging.getLogger(__name__)

PAGE: Final = Path(__file__).parent.parent / "page"
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
_SECURITY: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_STATUS: Final = {
    "unauthorized": http.HTTPStatus.UNAUTHORIZED,
    "not_found": http.HTTPStatus.NOT_FOUND,
    "unavailable": http.HTTPStatus.SERVICE_UNAVAILABLE,
}
FIRST_YEAR: Final = 1970
LAST_YEAR: Final = 8000
"""Days are reckoned with from one to the next and in other zones: the calendar's very ends are no days to ask for."""

Answer = Callable[[Request, dict[str, list[str]]], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class _File:
    body: bytes
    type: str
    etag: str


def load_files(folder: Path) -> dict[str, _File]:
    """Read the page's files once; paths as they are asked for."""
    out: dict[str, _File] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in _TYPES:
            body = path.read_bytes()
            etag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
            out[f"/page/{path.relative_to(folder).as_posix()}"] = _File(body, _TYPES[path.suffix], etag)
    if "/page/index.html" in out:
        out["/"] = out["/page/index.html"]
    if "/page/favicon.svg" in out:
        out["/favicon.ico"] = out["/page/favicon.svg"]
    return out


class Pages:
    """Answers plain requests, and lets upgrades to `/ws` through.

    Args:
        origins: origins allowed besides the server's own, e.g. ``https://rooms.example.org``.
        names: what the server goes by.
    """

    def __init__(self, reception: Reception, office: Office, origins: tuple[str, ...], names: Names) -> None:
        self._reception = reception
        self._office = office
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self.names = names
        self._files = load_files(PAGE)
        self._answers: dict[str, Answer] = {
            "/healthz": self._health,
            "/readyz": self._ready,
            "/metrics": self._metrics,
            "/api/site": self._site,
            "/api/day": self._day,
            "/api/bookings": self._own,
            "/api/transcript": self._transcript,
        }

    async def answer(self, request: Request) -> Response | None:
        """Answer a request; None lets the WebSocket handshake go on."""
        try:
            url = urlsplit(request.path)
        except ValueError:
            return plain(http.HTTPStatus.BAD_REQUEST, "this is no path")
        if not self.names.fit(_only(request, "Host"), url.path):
            return plain(http.HTTPStatus.MISDIRECTED_REQUEST, "this server does not go by that name")
        if url.path == "/ws":
            return self._upgrade(request)
        if request.method != "GET":
            return plain(http.HTTPStatus.METHOD_NOT_ALLOWED, "GET only")
        file = self._files.get(url.path)
        if file is not None:
            return _file_response(file, request)
        answer = self._answers.get(url.path)
        if answer is None:
            return plain(http.HTTPStatus.NOT_FOUND, "nothing here")
        try:
            return await answer(request, parse_qs(url.query))
        except MessageError as error:
            return as_json(
                {"code": error.code, "message": error.message}, _STATUS.get(error.code, http.HTTPStatus.BAD_REQUEST)
            )
        except StoreError:
            log.exception("a request failed")
            return as_json(
                {"code": "unavailable", "message": "the database failed"}, http.HTTPStatus.SERVICE_UNAVAILABLE
            )

    def _upgrade(self, request: Request) -> Response | None:
        if "websocket" not in (_only(request, "Upgrade") or "").lower():
            return plain(http.HTTPStatus.UPGRADE_REQUIRED, "this is a WebSocket", {"Upgrade": "websocket"})
        origins = request.headers.get_all("Origin")
        if origins and not (len(origins) == 1 and self._same_site(origins[0].lower(), request)):
            return plain(http.HTTPStatus.FORBIDDEN, "this origin may not connect")
        if self._reception.closing or self._reception.connections >= self._reception.limits.connections:
            return plain(http.HTTPStatus.SERVICE_UNAVAILABLE, "try again later", {"Retry-After": "5"})
        return None

    def _same_site(self, origin: str, request: Request) -> bool:
        if origin in self._origins:
            return True
        host = (_only(request, "Host") or "").lower()
        return bool(host) and origin in (f"http://{host}", f"https://{host}")

    # --- answers ---------------------------------------------------------------------------------------------------

    async def _health(self, _request: Request, _query: dict[str, list[str]]) -> Response:
        return as_json({"status": "ok"})

    async def _ready(self, _request: Request, _query: dict[str, list[str]]) -> Response:
        if self._reception.closing:
            raise MessageError("unavailable", "shutting down")
        await self._reception.engine.store.load_session("readyz")
        return as_json({"status": "ready"})

    async def _metrics(self, _request: Request, _query: dict[str, list[str]]) -> Response:
        return response(http.HTTPStatus.OK, self._reception.metrics.text(), CONTENT_TYPE)

    async def _site(self, request: Request, _query: dict[str, list[str]]) -> Response:
        user = self._user(request)
        return as_json(self._office.site() | {"user": user})

    async def _day(self, request: Request, query: dict[str, list[str]]) -> Response:
        user = self._user(request)
        try:
            date = dt.date.fromisoformat(query.get("date", [""])[0])
        except ValueError:
            raise MessageError("bad_date", "date must be YYYY-MM-DD") from None
        if not FIRST_YEAR <= date.year <= LAST_YEAR:
            raise MessageError("bad_date", f"date must be of the years {FIRST_YEAR} to {LAST_YEAR}")
        return as_json(await self._office.day(date, user))

    async def _own(self, request: Request, _query: dict[str, list[str]]) -> Response:
        return as_json(await self._office.own(self._user(request)))

    async def _transcript(self, request: Request, query: dict[str, list[str]]) -> Response:
        text = await self._office.transcript(self._user(request), query.get("session", [""])[0])
        headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="conversation.yaml"'}
        return response(http.HTTPStatus.OK, text.encode(errors="replace"), "application/yaml; charset=utf-8", headers)

    def _user(self, request: Request) -> str:
        scheme, _, token = (_only(request, "Authorization") or "").partition(" ")
        return self._reception.identify(token.strip() if scheme.lower() == "bearer" else None).user_id


def _only(request: Request, name: str) -> str | None:
    values = request.headers.get_all(name)
    return values[0] if len(values) == 1 else None


def _file_response(file: _File, request: Request) -> Response:
    headers = {"ETag": file.etag, "Cache-Control": "no-cache"}
    if _only(request, "If-None-Match") == file.etag:
        return response(http.HTTPStatus.NOT_MODIFIED, b"", file.type, headers)
    return response(http.HTTPStatus.OK, file.body, file.type, headers)


def as_json(value: Any, status: http.HTTPStatus = http.HTTPStatus.OK) -> Response:
    """Make a JSON response that nobody keeps."""
    return response(status, to_json(value), "application/json", {"Cache-Control": "no-store"})


def plain(status: http.HTTPStatus, text: str, headers: dict[str, str] | None = None) -> Response:
    """Make a response of one line."""
    return response(status, f"{text}\n".encode(), "text/plain; charset=utf-8", headers or {})


def response(status: http.HTTPStatus, body: bytes, kind: str, headers: dict[str, str] | None = None) -> Response:
    """Make a response with the security headers; the connection is closed after it."""
    all_headers = Headers({**_SECURITY, "Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close"})
    for name, value in (headers or {}).items():
        all_headers[name] = value
    return Response(status.value, status.phrase, all_headers, body)
