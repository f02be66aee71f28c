"""A replay with the configured model goes by the settings, and leaves no connection open."""

from __future__ import annotations

import pytest

from booking_bot.adapters.openai_model import OpenAIModel
from booking_bot.transcripts.replay import replay_one
from tests.stub_model_server import StubModelServer
from tests.transcripts.writing import source_of

UNREAD = 'steps:\n- user: "8个人，1小时，等老王开完会之后"\n'


async def test_the_endpoint_is_asked_as_set_and_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[OpenAIModel] = []
    close = OpenAIModel.close

    async def closing(self: OpenAIModel) -> None:
        closed.append(self)
        await close(self)

    monkeypatch.setattr(OpenAIModel, "close", closing)
    async with StubModelServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_MODEL", server.model)
        monkeypatch.setenv("BOOKING_BOT_PLANNER", "rules")  # the run's own planner goes before
        await replay_one(source_of(UNREAD), planner="llm")
        whole = max(len(str(request)) for request in server.requests)
        server.requests.clear()
        monkeypatch.setenv("BOOKING_BOT_PROMPT_OFF", "examples")
        await replay_one(source_of(UNREAD), planner="llm")
        assert max(len(str(request)) for request in server.requests) < whole
    assert len(closed) == 2
