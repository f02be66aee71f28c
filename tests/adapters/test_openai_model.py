"""The model adapter against a server that speaks the real protocol over a real socket, and breaks it in every way."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from booking_bot.adapters.openai_model import OpenAIModel, OpenAISettings
from booking_bot.errors import ConfigurationError, ModelError
from tests.stub_model_server import Answer, StubModelServer

ASK = '{"thought": "缺时长", "action": "ask_user", "action_input": {"message": "请问开多久？"}}'


@dataclass(frozen=True)
class _Prompt:
    messages: tuple[dict[str, str], ...] = ({"role": "user", "content": "明天下午2点"},)
    schema: dict[str, Any] | None = None


PROMPT = _Prompt(schema={"type": "object"})


@pytest.fixture
async def server() -> AsyncIterator[StubModelServer]:
    async with StubModelServer() as running:
        yield running


@pytest.fixture
async def waits() -> list[float]:
    return []


@pytest.fixture
async def model(server: StubModelServer, waits: list[float]) -> AsyncIterator[OpenAIModel]:
    async def no_sleep(seconds: float) -> None:
        waits.append(seconds)

    made = OpenAIModel(OpenAISettings("stub-model", server.base_url, "key-1", timeout_s=3.0), sleep=no_sleep)
    yield made
    await made.close()


async def test_an_answer_comes_with_its_text_and_tokens(server: StubModelServer, model: OpenAIModel) -> None:
    server.say(ASK)
    answer = await model.complete(PROMPT)
    assert (answer.text, answer.tokens) == (ASK, 100)
    asked = server.requests[0]
    assert (asked["model"], asked["temperature"]) == ("stub-model", 0)
    assert asked["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert server.authorizations == ["Bearer key-1"]


async def test_tokens_are_zero_where_the_server_does_not_tell(server: StubModelServer, model: OpenAIModel) -> None:
    server.say(Answer(ASK, usage=False))
    assert (await model.complete(PROMPT)).tokens == 0


@pytest.mark.parametrize(
    ("refused", "taken"),
    [
        ({"json_schema": 400}, "json_object"),
        ({"json_schema": 500}, "json_object"),
        ({"json_schema": 422, "json_object": 400}, "plain"),
    ],
)
async def test_a_refused_response_format_is_stepped_down_once_and_remembered(
    server: StubModelServer, model: OpenAIModel, refused: dict[str, int], taken: str
) -> None:
    server.refused_formats = refused
    server.say(ASK, ASK)
    await model.complete(PROMPT)
    before = len(server.requests)
    await model.complete(PROMPT)
    assert len(server.requests) == before + 1
    assert model.format == taken


async def test_a_busy_server_is_asked_once_more(
    server: StubModelServer, model: OpenAIModel, waits: list[float]
) -> None:
    server.say(Answer(status=429), ASK)
    assert (await model.complete(PROMPT)).text == ASK
    assert len(waits) == 1
    assert 0.1 < waits[0] < 0.4


async def test_the_wait_a_server_asks_for_is_kept_while_there_is_time(
    server: StubModelServer, model: OpenAIModel, waits: list[float]
) -> None:
    server.say(Answer(status=503, headers=(("Retry-After", "1"),)), ASK)
    await model.complete(PROMPT)
    assert waits == [1.0]


async def test_a_wait_past_the_deadline_is_not_begun(
    server: StubModelServer, model: OpenAIModel, waits: list[float]
) -> None:
    server.say(Answer(status=429, headers=(("Retry-After", "120"),)), ASK)
    with pytest.raises(ModelError, match="429"):
        await model.complete(PROMPT)
    assert waits == []


async def test_a_failing_server_is_not_taken_for_one_without_formats(
    server: StubModelServer, model: OpenAIModel
) -> None:
    server.say(ASK, Answer(status=500), ASK)
    await model.complete(PROMPT)
    await model.complete(PROMPT)
    assert model.format == "json_schema"


BROKEN = {
    "500 for ever": Answer(status=500),
    "401": Answer(status=401),
    "429 with a body that is no JSON": Answer(status=429, body="slow down", content_type="text/plain"),
    "HTML with status 200": Answer(body="<html>login</html>", content_type="text/html"),
    "malformed JSON": Answer(body='{"choices": [{"mess'),
    "JSON of another kind": Answer(body="[1, 2]"),
    "null": Answer(body="null"),
    "choices null": Answer(body='{"id": "c", "object": "chat.completion", "choices": null}'),
    "choices empty": Answer(body='{"id": "c", "object": "chat.completion", "choices": []}'),
    "choice without message": Answer(body='{"choices": [{"finish_reason": "stop"}]}'),
    "cut body": Answer(ASK, cut="body"),
    "cut by length": Answer(ASK[:40], finish_reason="length"),
    "filtered": Answer(ASK, finish_reason="content_filter"),
    "no finish reason": Answer(ASK, finish_reason=None),
    "no content": Answer(None),
    "blank content": Answer("  \n"),
}


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_answer_is_a_model_error(
    server: StubModelServer, model: OpenAIModel, answer: Answer, streamed: bool
) -> None:
    server.default = answer
    with pytest.raises(ModelError):
        await model.complete(PROMPT, (lambda _: None) if streamed else None)
    assert len(server.requests) <= 5


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    "answer", [Answer(ASK, wait_s=5), Answer(ASK, drip_s=0.2, pieces=1)], ids=["silent", "dripping"]
)
async def test_a_slow_answer_ends_at_the_deadline(server: StubModelServer, answer: Answer, streamed: bool) -> None:
    server.default = answer
    model = OpenAIModel(OpenAISettings("stub-model", server.base_url, timeout_s=0.3))
    began = time.monotonic()
    with pytest.raises(ModelError, match="within"):
        await model.complete(PROMPT, (lambda _: None) if streamed else None)
    assert time.monotonic() - began < 2
    await model.close()


async def test_an_unreachable_endpoint_is_a_model_error() -> None:
    async with StubModelServer() as gone:
        url = gone.base_url
    model = OpenAIModel(OpenAISettings("stub-model", url, timeout_s=2.0, tries=1))
    with pytest.raises(ModelError, match="Connection"):
        await model.complete(PROMPT)
    await model.close()


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("text", [None, "好的，我来查一下。"], ids=["alone", "after prose"])
async def test_a_native_tool_call_becomes_one_object(
    server: StubModelServer, model: OpenAIModel, text: str | None, streamed: bool
) -> None:
    server.say(Answer(text, tool_calls=(("search_rooms", '{"capacity": 8}'),), finish_reason="tool_calls"))
    answer = await model.complete(PROMPT, (lambda _: None) if streamed else None)
    assert json.loads(answer.text) == {"thought": "", "action": "search_rooms", "action_input": {"capacity": 8}}


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
async def test_parallel_calls_stay_apart_and_a_decision_before_them_comes_first(
    server: StubModelServer, model: OpenAIModel, streamed: bool
) -> None:
    calls = (("search_rooms", '{"capacity": 8}'), ("book_room", '{"room_id": "R1001"}'))
    server.say(Answer(None, calls, finish_reason="tool_calls"), Answer(ASK, calls, finish_reason="tool_calls"))
    on_text = (lambda _: None) if streamed else None
    both = json.loads((await model.complete(PROMPT, on_text)).text)
    assert [call["action"] for call in both] == ["search_rooms", "book_room"]
    assert (await model.complete(PROMPT, on_text)).text.startswith(ASK)


async def test_broken_arguments_stay_a_string(server: StubModelServer, model: OpenAIModel) -> None:
    server.say(Answer(None, tool_calls=(("book_room", '{"room_id": "R1'),), finish_reason="tool_calls"))
    assert json.loads((await model.complete(PROMPT)).text)["action_input"] == '{"room_id": "R1'


async def test_a_stream_is_heard_piece_by_piece(server: StubModelServer, model: OpenAIModel) -> None:
    server.say(ASK)
    heard: list[str] = []
    answer = await model.complete(PROMPT, heard.append)
    assert (answer.text, answer.tokens) == (ASK, 100)
    assert "".join(heard) == ASK
    assert len(heard) > 5


async def test_a_stream_that_breaks_off_after_the_first_piece_is_not_begun_again(
    server: StubModelServer, model: OpenAIModel
) -> None:
    server.say(Answer(ASK, cut="body"), ASK)
    heard: list[str] = []
    with pytest.raises(ModelError, match="broke off"):
        await model.complete(PROMPT, heard.append)
    assert len(server.requests) == 1


async def test_the_endpoint_can_be_checked(server: StubModelServer, model: OpenAIModel) -> None:
    assert "stub-model" in await model.check()
    other = OpenAIModel(OpenAISettings("another", server.base_url, timeout_s=2.0))
    with pytest.raises(ModelError, match="stub-model"):
        await other.check()
    await other.close()


def test_settings_come_from_the_environment() -> None:
    assert OpenAISettings.from_environment({}) is None
    settings = OpenAISettings.from_environment({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_MODEL": "m"})
    assert settings
    assert settings.api_key == ""
    with pytest.raises(ConfigurationError, match="OPENAI_MODEL"):
        OpenAISettings.from_environment({"OPENAI_API_KEY": "k"})
    with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL"):
        OpenAISettings.from_environment({"OPENAI_BASE_URL": "127.0.0.1", "OPENAI_MODEL": "m"})
    assert "secret" not in repr(OpenAISettings("m", api_key="secret"))
