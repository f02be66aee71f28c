"""One HTTP call made safe: an overall time limit, bounded retries with jitter, a bounded body, no exception.

What an answer means is the caller's business; here is only how it is got, and what may have happened when it is not.
"""

from __future__ import annotations

import asyncio
import email.utils
import random
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import Final, TypeVar

import httpx2

Sleep = Callable[[float], Awaitable[object]]
T = TypeVar("T")

LOOPBACK_HOSTS: Final = frozenset({"127.0.0.1", "::1", "localhost"})
MAX_REASON_CHARS: Final = 200
"""Reasons go to logs and to the planner's prompt: a line, not a page."""
NOT_CARRIED_OUT: Final = frozenset({301, 302, 307, 308, 429})
"""Statuses that say the request was not carried out here."""
GATEWAY_GAVE_UP: Final = frozenset({502, 504})
"""Statuses by which a gateway says that the server behind it may still be at work."""


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """How long and how often a service is asked; times in seconds.

    Attributes:
        attempt_s: one attempt, from the first byte sent to the last byte read.
        total_s: all attempts of a call and the pauses between them.
        lookup_s: the look-up of a write whose outcome is not known, on top of `total_s`.
        attempts: how often a request is sent at most.
        backoff_s: the pause before attempt n + 1 is drawn from 0 to `backoff_s` * 2**(n - 1).
        retry_after_s: a Retry-After up to this is waited for; a longer one ends the call.
        body_bytes: a longer answer is dropped unread.
    """

    attempt_s: float = 4.0
    total_s: float = 10.0
    lookup_s: float = 4.0
    attempts: int = 3
    backoff_s: float = 0.2
    retry_after_s: float = 2.0
    body_bytes: int = 1_000_000


class Doubt(IntEnum):
    """What a request may have done although its answer is not usable; the larger, the less is known."""

    NONE = 0
    """It did nothing."""
    ANSWERED = 1
    """It is over, and may have done something."""
    UNANSWERED = 2
    """It may still be at work."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete answer. `headers` have lower-case names."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """No usable answer came.

    Attributes:
        reason: one line for logs, without any of the answer's text.
        retryable: the same request may work later.
        doubt: what it may have done.
    """

    reason: str
    retryable: bool
    doubt: Doubt


class UnreadableAnswer(Exception):
    """An answer outside the service's protocol; raised by readers, never seen outside this package.

    Args:
        retryable: the same request may be answered properly.
        doubt: what the request may have done.
    """

    def __init__(self, reason: str, *, retryable: bool = True, doubt: Doubt = Doubt.ANSWERED) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = retryable
        self.doubt = doubt


@dataclass(frozen=True, slots=True)
class Call:
    """A request to be made, the same bytes at every attempt. `path` begins with a slash and is percent-encoded."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


class HttpCaller:
    """Makes calls to one service.

    Args:
        base_url: scheme, host, port and the path before every call's own.
        token: sent as bearer token when given.
        sleep: waits between attempts.
        rng: draws the jitter.
        transport: replaces the network in tests.
    """

    def __init__(
        self,
        base_url: str,
        limits: HttpLimits,
        *,
        token: str | None = None,
        sleep: Sleep = asyncio.sleep,
        rng: random.Random | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._limits = limits
        self._sleep = sleep
        self._rng = rng or random.Random()  # noqa: S311 # jitter needs no secrecy
        self._base_url = base_url.rstrip("/")
        headers = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "booking-bot"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._client = httpx2.AsyncClient(
            headers=headers,
            # Half an attempt for connecting, so that "never sent" is told from "no answer".
            timeout=httpx2.Timeout(limits.attempt_s, connect=limits.attempt_s / 2, pool=limits.attempt_s / 2),
            verify=_tls(),
            follow_redirects=False,
            transport=transport,
            trust_env=httpx2.URL(base_url).host not in LOOPBACK_HOSTS,  # no proxy on the way to this machine
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def ask(
        self, call: Call, read: Callable[[Answer], T], *, attempts: int | None = None, within_s: float | None = None
    ) -> T | NoAnswer:
        """Make a call and read its answer, again while that may help and time allows.

        Args:
            read: makes the result of an answer that is neither 429 nor 5xx nor a redirect; raises `UnreadableAnswer`.
            attempts: instead of the limits' number.
            within_s: instead of the limits' total.
        """
        result, _ = await self.ask_in_doubt(call, read, attempts=attempts, within_s=within_s)
        return result

    async def ask_in_doubt(
        self, call: Call, read: Callable[[Answer], T], *, attempts: int | None = None, within_s: float | None = None
    ) -> tuple[T | NoAnswer, Doubt]:
        """Make a call as `ask` does; tell besides what the attempts without a usable answer may have done."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (self._limits.total_s if within_s is None else within_s)
        last = attempts or self._limits.attempts
        doubt = Doubt.NONE
        attempt = 0
        while True:
            attempt += 1
            left = deadline - loop.time()
            result, pause = await self._attempt(call, read, min(left, self._limits.attempt_s))
            if not isinstance(result, NoAnswer):
                return result, doubt
            doubt = max(doubt, result.doubt)
            if pause is None:
                pause = self._rng.uniform(0, self._limits.backoff_s * 2 ** (attempt - 1))
            elif pause > self._limits.retry_after_s:
                break
            if attempt >= last or not result.retryable or loop.time() + pause >= deadline:
                break
            await self._sleep(pause)
        reason = f"{call.method} {call.path.partition('?')[0]}: {result.reason} (attempt {attempt})"
        return NoAnswer(reason[:MAX_REASON_CHARS], result.retryable, doubt), doubt

    async def _attempt(
        self, call: Call, read: Callable[[Answer], T], seconds: float
    ) -> tuple[T | NoAnswer, float | None]:
        """Send once; besides the result give the pause the service asked for, in seconds."""
        try:
            async with asyncio.timeout(seconds):
                answer = await self._exchange(call)
            if answer.status >= 500 or answer.status == 429 or 300 <= answer.status < 400:
                return _not_now(answer), _retry_after(answer)
            return read(answer), None
        except UnreadableAnswer as error:
            return NoAnswer(error.reason, error.retryable, error.doubt), None
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout) as error:
            return NoAnswer(f"not reached: {type(error).__name__}", True, Doubt.NONE), None
        except (TimeoutError, httpx2.TimeoutException):
            return NoAnswer(f"no complete answer in {seconds:.3g} s", True, Doubt.UNANSWERED), None
        except httpx2.TransportError as error:
            return NoAnswer(f"cut off: {type(error).__name__}", True, Doubt.UNANSWERED), None
        except Exception as error:  # the port promises an observation whatever a library raises
            return NoAnswer(f"failed: {type(error).__name__}", False, Doubt.UNANSWERED), None

    async def _exchange(self, call: Call) -> Answer:
        headers = dict(call.headers)
        if call.body is not None:
            headers["Content-Type"] = "application/json"
        async with self._client.stream(
            call.method,
            self._base_url + call.path,
            params=dict(call.params) or None,
            headers=headers,
            content=call.body,
        ) as response:
            body = bytearray()
            async for chunk in response.aiter_raw():  # raw: a compressed bomb is never unpacked
                body += chunk
                if len(body) > self._limits.body_bytes:
                    raise UnreadableAnswer(f"more than {self._limits.body_bytes} bytes", retryable=False)
            return Answer(response.status_code, bytes(body), dict(response.headers))


@cache
def _tls() -> ssl.SSLContext:
    """Load the certificates once: 20 ms a client otherwise."""
    return httpx2.create_ssl_context()


def _not_now(answer: Answer) -> NoAnswer:
    doubt = Doubt.ANSWERED
    if answer.status in NOT_CARRIED_OUT:
        doubt = Doubt.NONE
    elif answer.status in GATEWAY_GAVE_UP:
        doubt = Doubt.UNANSWERED
    return NoAnswer(f"status {answer.status}", not 300 <= answer.status < 400, doubt)


def _retry_after(answer: Answer) -> float | None:
    """Give the seconds of a Retry-After (RFC 9110, 10.2.3); a date counts from the answer's own Date."""
    value = answer.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        until = email.utils.parsedate_to_datetime(value)
        return max(0.0, (until - email.utils.parsedate_to_datetime(answer.headers["date"])).total_seconds())
    except (KeyError, TypeError, ValueError):
        return None
