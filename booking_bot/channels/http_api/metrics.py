"""What the API counts, in a registry of its own."""

from __future__ import annotations

import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_METHODS: Final = frozenset({"GET", "POST", "PATCH", "DELETE"})
_BOOKING: Final = "/v1/bookings/"


class Metrics:
    """Counters of one server. Labels take few values: nothing a client sends becomes one."""

    def __init__(self, paths: frozenset[str]) -> None:
        self._paths = paths
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "booking_bot_http_requests", "Requests answered", ["method", "path", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "booking_bot_http_request_seconds",
            "Time to the first byte of an answer",
            ["path"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._writes = Counter(
            "booking_bot_http_writes", "Writes, by what they came to", ["status"], registry=self.registry
        )

    def answered(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request."""
        known = f"{_BOOKING}{{booking_id}}" if path.startswith(_BOOKING) else path
        known = known if known in self._paths else "other"
        self._requests.labels(method if method in _METHODS else "other", known, str(status)).inc()
        self._seconds.labels(known).observe(seconds)

    def wrote(self, status: str) -> None:
        """Count a write."""
        self._writes.labels(status).inc()

    def text(self) -> bytes:
        """Give all values in the text format."""
        return generate_latest(self.registry)


class Counting:
    """Counts every answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                taken_s = time.perf_counter() - began
                self._metrics.answered(scope["method"], scope["path"], message["status"], taken_s)
            await send(message)

        await self._app(scope, receive, counted)
