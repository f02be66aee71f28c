"""`/agui`: one run of AG-UI, its events over SSE. The thread is a session of the user's, the run's id its message's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from ag_ui.core import RunAgentInput, UserMessage
from pydantic import ValidationError
from pydantic_core import to_json
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import Response

from booking_bot.app import session_key
from booking_bot.channels.http_api.endpoints import Endpoints
from booking_bot.channels.http_api.problems import ProblemRaised
from booking_bot.channels.http_api.requests import body_of
from booking_bot.channels.http_api.values import MAX_TEXT_CHARS
from booking_bot.engine import Engine, Said
from booking_bot.errors import MessageError
from booking_bot.reply import Reply
from booking_bot.wire import Event, Resume, TurnShown, error_event, text_of_resume, turn_events

CHANNEL: Final = "agui"
MAX_BODY_BYTES: Final = 1024 * 1024
"""A front end sends the whole talk with every run; only its last message is read."""
MAX_ID_CHARS: Final = 128
PING_S: Final = 15
"""Seconds between signs of life while a turn is under way."""


async def run(endpoints: Endpoints, request: Request) -> Response:
    """Answer one run."""
    caller = endpoints.access.caller(request)
    given: RunAgentInput = await body_of(request, RunAgentInput, MAX_BODY_BYTES, strict=False)
    for name, value in (("threadId", given.thread_id), ("runId", given.run_id)):
        if not 0 < len(value) <= MAX_ID_CHARS or not value.isprintable():
            raise ProblemRaised(422, "invalid", f"{name}: use 1 to {MAX_ID_CHARS} printable characters")
    engine = endpoints.bot.engine
    key = session_key(caller.user_id, given.thread_id)
    try:
        text, interrupt_id = await _said(engine, key, given)
    except MessageError as error:
        raise ProblemRaised(422, error.code, error.message) from None
    said = Said(key, caller.user_id, text, given.run_id, CHANNEL, interrupt_id)
    return EventSourceResponse(_events(engine, said, given.thread_id), ping=PING_S)


async def _said(engine: Engine, key: str, given: RunAgentInput) -> tuple[str, str | None]:
    """Give the words of the run, and the question they answer."""
    if given.resume:
        entry = given.resume[0]
        current = await engine.current(key)
        reply = current.reply if current is not None else None
        try:
            frame = Resume(type="resume", interrupt_id=entry.interrupt_id, status=entry.status, payload=entry.payload)
        except ValidationError:
            raise MessageError("bad_payload", "the payload must be what the responseSchema describes") from None
        return text_of_resume(frame, reply.interrupt if reply else None, reply.language if reply else "zh"), (
            entry.interrupt_id
        )
    last = given.messages[-1] if given.messages else None
    if not isinstance(last, UserMessage):
        raise MessageError("nothing_said", "the last message must be the user's")
    text = last.content if isinstance(last.content, str) else _text_of_parts(last.content)
    if not text.strip() or len(text) > MAX_TEXT_CHARS:
        raise MessageError("invalid", f"the last message must have 1 to {MAX_TEXT_CHARS} characters of text")
    return text, None


def _text_of_parts(parts: list[Any]) -> str:
    return "\n".join(part.text for part in parts if getattr(part, "type", None) == "text")


async def _events(engine: Engine, said: Said, thread_id: str) -> AsyncIterator[dict[str, str]]:
    answered = await engine.handle(said)
    text, reply, first_seq = said.text, answered.reply, answered.first_seq
    if answered.repeated and said.message_id is not None:
        stored = await engine.store.find_reply(said.session_id, said.message_id)
        if stored is not None:
            text, reply, first_seq = stored.text, Reply.model_validate_json(stored.reply), stored.first_seq
    elif answered.outcome is None:
        yield _frame(error_event("internal_error", reply.text, seq=first_seq))
        return
    shown = TurnShown(thread_id, said.message_id, text, reply, first_seq)
    for event in turn_events(shown, engine.site.policy.zone):
        yield _frame(event)


def _frame(event: Event) -> dict[str, str]:
    return {"data": to_json(event).decode()}
