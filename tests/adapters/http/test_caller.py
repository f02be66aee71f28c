"""One HTTP call: when it is made again, how long it waits, and what is known when it fails."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import httpx2
import pytest

from booking_bot.adapters.http.caller import Answer, Call, Doubt, HttpCaller, HttpLimits, NoAnswer, UnreadableAnswer
from booking_bot.channels.mock_apis import MockApis
from tests.adapters.http.conftest import Pauses

GET = Call("GET", "/x", params={"q": "上海"})
Step = int | httpx2.Response | Exception


class Body(httpx2.AsyncByteStream):
    def __init__(self, chunks: int) -> None:
        self.chunks = chunks
        self.sent = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(self.chunks):
            self.sent += 1
            yield b" " * 1000


class Service:
    """Answers with the next step of a script, and with 200 after the last."""

    def __init__(self, *steps: Step, chunks: int = 1) -> None:
        self.steps = list(steps)
        self.asked: list[httpx2.Request] = []
        self.body = Body(chunks)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        step = self.steps.pop(0) if self.steps else 200
        if isinstance(step, Exception):
            raise step
        if isinstance(step, httpx2.Response):
            return httpx2.Response(step.status_code, headers=step.headers, stream=Body(1))
        return httpx2.Response(step, stream=self.body)


async def ask(
    service: Service, pauses: Pauses, call: Call = GET, limits: HttpLimits | None = None
) -> tuple[int | NoAnswer, Doubt]:
    caller = HttpCaller(
        "http://service.test/base/",
        limits or HttpLimits(),
        token="s3cret",  # noqa: S106 # nobody's
        sleep=pauses,
        rng=random.Random(1),
        transport=httpx2.MockTransport(service),
    )
    try:
        return await caller.ask_in_doubt(call, _status)
    finally:
        await caller.aclose()


def _status(answer: Answer) -> int:
    if answer.status == 418:
        raise UnreadableAnswer("a teapot", retryable=False)
    return answer.status


async def test_a_call_is_sent_as_it_is(pauses: Pauses) -> None:
    service = Service()
    call = Call("POST", "/a%2Fb", {"q": "上海&x"}, {"X-User": "alice"}, b"{}")
    assert await ask(service, pauses, call) == (200, Doubt.NONE)
    (request,) = service.asked
    assert request.url.raw_path == b"/base/a%2Fb?q=%E4%B8%8A%E6%B5%B7%26x"
    assert request.headers["x-user"] == "alice"
    assert request.headers["authorization"] == "Bearer s3cret"
    assert request.headers["accept-encoding"] == "identity"
    assert request.headers["content-type"] == "application/json"
    assert request.content == b"{}"


@pytest.mark.parametrize("status", [200, 201, 204, 400, 401, 404, 409, 422])
async def test_what_is_final_is_read_at_once(pauses: Pauses, status: int) -> None:
    service = Service(status)
    assert await ask(service, pauses) == (status, Doubt.NONE)
    assert len(service.asked) == 1


@pytest.mark.parametrize(
    ("step", "doubt"),
    [
        (429, Doubt.NONE),
        (500, Doubt.ANSWERED),
        (503, Doubt.ANSWERED),
        (502, Doubt.UNANSWERED),
        (504, Doubt.UNANSWERED),
        (httpx2.ConnectError("refused"), Doubt.NONE),
        (httpx2.ConnectTimeout("slow"), Doubt.NONE),
        (httpx2.PoolTimeout("busy"), Doubt.NONE),
        (httpx2.ReadTimeout("slow"), Doubt.UNANSWERED),
        (httpx2.ReadError("reset"), Doubt.UNANSWERED),
        (httpx2.RemoteProtocolError("junk"), Doubt.UNANSWERED),
        (TimeoutError(), Doubt.UNANSWERED),
    ],
    ids=str,
)
async def test_what_may_pass_is_tried_again(pauses: Pauses, step: Step, doubt: Doubt) -> None:
    service = Service(step)
    assert await ask(service, pauses) == (200, doubt)
    assert len(service.asked) == 2
    assert len(pauses.seconds) == 1


@pytest.mark.parametrize(
    ("step", "doubt"),
    [
        (301, Doubt.NONE),
        (303, Doubt.ANSWERED),
        (307, Doubt.NONE),
        (418, Doubt.ANSWERED),
        (RuntimeError("a bug in a library"), Doubt.UNANSWERED),
        (UnicodeError("a bug in a library"), Doubt.UNANSWERED),
    ],
    ids=str,
)
async def test_what_will_not_pass_is_given_up_at_once(pauses: Pauses, step: Step, doubt: Doubt) -> None:
    service = Service(step)
    result, known = await ask(service, pauses)
    assert isinstance(result, NoAnswer)
    assert not result.retryable
    assert known is doubt
    assert len(service.asked) == 1


async def test_the_worst_doubt_of_all_attempts_counts(pauses: Pauses) -> None:
    result, doubt = await ask(Service(httpx2.ReadError("reset"), 500, 429), pauses)
    assert isinstance(result, NoAnswer)
    assert result.retryable
    assert doubt is Doubt.UNANSWERED


DATE = "Mon, 30 Nov 2026 01:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        ({"Retry-After": "1"}, [1.0]),
        ({"Retry-After": "2"}, [2.0]),
        ({"Retry-After": "0"}, [0.0]),
        ({"Retry-After": "3"}, []),
        ({"Retry-After": "9" * 400}, []),
        ({"Retry-After": "Mon, 30 Nov 2026 01:00:01 GMT", "Date": DATE}, [1.0]),
        ({"Retry-After": "Mon, 30 Nov 2026 00:00:00 GMT", "Date": DATE}, [0.0]),
        ({"Retry-After": "Mon, 30 Nov 2026 02:00:00 GMT", "Date": DATE}, []),
    ],
    ids=lambda value: str(value)[:60],
)
@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_waited_for_when_it_is_short(
    pauses: Pauses, status: int, headers: dict[str, str], waited: list[float]
) -> None:
    result, _ = await ask(Service(httpx2.Response(status, headers=headers)), pauses)
    assert pauses.seconds == waited
    assert (result == 200) is bool(waited)


@pytest.mark.parametrize(
    "headers",
    [{"Retry-After": "soon"}, {"Retry-After": "-1"}, {"Retry-After": "²"}, {"Retry-After": DATE}, {}],
    ids=str,
)
async def test_a_retry_after_that_says_nothing_is_passed_over(pauses: Pauses, headers: dict[str, str]) -> None:
    coded = {name: value.encode("utf-8") for name, value in headers.items()}
    result, _ = await ask(Service(httpx2.Response(503, headers=coded)), pauses)  # type: ignore[arg-type] # raw bytes
    assert result == 200
    assert len(pauses.seconds) == 1
    assert 0 <= pauses.seconds[0] <= 0.2


async def test_a_body_is_read_up_to_its_bound_only(pauses: Pauses) -> None:
    service = Service(chunks=10**9)
    result, _ = await ask(service, pauses, limits=HttpLimits(body_bytes=5000, attempt_s=20))
    assert isinstance(result, NoAnswer)
    assert "5000 bytes" in result.reason
    assert service.body.sent == 6


async def test_a_pause_past_the_time_limit_is_not_made(pauses: Pauses) -> None:
    service = Service(httpx2.Response(503, headers={"Retry-After": "2"}))
    result, _ = await ask(service, pauses, limits=HttpLimits(total_s=1.0))
    assert isinstance(result, NoAnswer)
    assert pauses.seconds == []


async def test_a_reason_is_one_short_line_without_the_query(pauses: Pauses) -> None:
    service = Service(RuntimeError("secret\nstack"))
    result, _ = await ask(service, pauses, Call("GET", "/" + "x" * 1000))
    assert isinstance(result, NoAnswer)
    assert len(result.reason) <= 200
    assert "\n" not in result.reason
    assert "secret" not in result.reason


@pytest.mark.parametrize("host", ["127.0.0.1:1", "localhost:1", "[::1]:1"])
async def test_this_machine_is_never_asked_through_a_proxy(
    apis: MockApis, pauses: Pauses, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", apis.url)  # it would answer
    caller = HttpCaller(f"http://{host}", HttpLimits(attempts=1), sleep=pauses)
    result = await caller.ask(GET, _status)
    await caller.aclose()
    assert isinstance(result, NoAnswer)
    assert "ConnectError" in result.reason
