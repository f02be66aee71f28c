"""A language model behind an OpenAI-compatible endpoint. Every fault of it comes out as one `ModelError`.

The client library is imported on the first call: it takes a second, and most processes never ask a model.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from booking_bot.errors import ConfigurationError, ModelError
from booking_bot.planning.strict_json import decode
from booking_bot.ports import Prompt

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_FINISHED: Final = frozenset({"stop", "tool_calls", "function_call"})
"""Finish reasons of a whole answer; ``length``, ``content_filter`` and none at all are half answers."""
_TRANSIENT: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FORMAT_REFUSED: Final = frozenset({400, 404, 415, 422, 500, 501})
"""What servers answer to a response format they do not have; some say 500."""
_FORMATS: Final = ("json_schema", "json_object", "plain", "bare")
"""Tried in this order until the server takes one: ``bare`` leaves out every optional parameter too."""
FIRST_WAIT_S: Final = 0.25
"""Before the second try; doubled for each further one, with jitter of half to one and a half."""


@dataclass(frozen=True, slots=True)
class OpenAISettings:
    """How to reach a model.

    Attributes:
        api_key: never logged.
        timeout_s: seconds for one answer, all tries together.
        tries: requests at most for failures that may pass; looking for a response format is apart.
        max_tokens: of one answer.
    """

    model: str
    base_url: str | None = None
    api_key: str = field(default="", repr=False)
    timeout_s: float = 10.0
    tries: int = 2
    max_tokens: int = 700

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> OpenAISettings | None:
        """Read `OPENAI_BASE_URL`, `OPENAI_MODEL` and `OPENAI_API_KEY`; None when no endpoint is set.

        Raises:
            ConfigurationError: an endpoint is set, but no model.
        """
        url, key = environment.get("OPENAI_BASE_URL", "").strip(), environment.get("OPENAI_API_KEY", "").strip()
        model = environment.get("OPENAI_MODEL", "").strip()
        if not url and not key:
            return None
        if not model:
            raise ConfigurationError("OPENAI_MODEL is not set; give the name of a model that the endpoint serves")
        if url and not url.startswith(("http://", "https://")):
            raise ConfigurationError(f"OPENAI_BASE_URL: {url!r} is no URL; it begins with http:// or https://")
        return cls(model=model, base_url=url or None, api_key=key)


@dataclass(frozen=True, slots=True)
class OpenAICompletion:
    """An answer. `tokens` is 0 where the server does not tell."""

    text: str
    tokens: int


@dataclass(slots=True)
class _Partial:
    """An answer as it comes in."""

    content: list[str] = field(default_factory=list)
    calls: dict[int, list[str]] = field(default_factory=dict)
    finish_reason: str | None = None
    tokens: int = 0


class OpenAIModel:
    """Asks a model over HTTP.

    Attributes:
        calls: answers asked for so far, each however many requests.
        format: the response format the server took last.
    """

    def __init__(self, settings: OpenAISettings, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self.calls = 0
        self.format = _FORMATS[0]
        self._settings = settings
        self._sleep = sleep
        self._client: AsyncOpenAI | None = None
        self._proven = False

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None] | None = None) -> OpenAICompletion:
        """Answer a prompt.

        Raises:
            ModelError: no whole answer in time.
        """
        self.calls += 1
        heard: list[str] = []

        def listen(text: str) -> None:
            heard.append(text)
            if on_text:
                on_text(text)

        try:
            async with asyncio.timeout(self._settings.timeout_s):
                return await self._with_retries(prompt, listen if on_text else None, heard)
        except TimeoutError:
            raise ModelError(f"no answer within {self._settings.timeout_s} s") from None

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def check(self) -> str:
        """Ask the endpoint which models it serves and give one line about it.

        Raises:
            ModelError: it cannot be reached, or does not serve the model.
        """
        import httpx2  # noqa: PLC0415  # comes with the client library
        import openai  # noqa: PLC0415  # takes a second

        try:
            async with asyncio.timeout(self._settings.timeout_s):
                listed = await self._connected().models.list()
                names = [model.id for model in getattr(listed, "data", None) or []]
        except (openai.OpenAIError, httpx2.HTTPError, ValueError, TypeError, AttributeError, TimeoutError) as error:
            raise ModelError(_one_line(error)) from error
        if names and self._settings.model not in names:
            raise ModelError(f"model {self._settings.model!r} is not served; served are {', '.join(names[:5])}")
        return f"{self._settings.model} at {self._settings.base_url or 'api.openai.com'}"

    async def _with_retries(
        self, prompt: Prompt, on_text: Callable[[str], None] | None, heard: list[str]
    ) -> OpenAICompletion:
        import httpx2  # noqa: PLC0415  # comes with the client library
        import openai  # noqa: PLC0415  # takes a second

        faults = (openai.OpenAIError, httpx2.HTTPError, ModelError, ValueError, TypeError, AttributeError)
        deadline = asyncio.get_running_loop().time() + self._settings.timeout_s
        formats = list(_FORMATS[_FORMATS.index(self.format) :])
        tries = 0
        while True:
            try:
                completion = await self._request(prompt, formats[0], on_text)
            except faults as error:
                status = error.status_code if isinstance(error, openai.APIStatusError) else None
                if heard:
                    raise ModelError(f"broke off: {_one_line(error)}") from error
                if status in _FORMAT_REFUSED and len(formats) > 1 and not (status == 500 and self._proven):
                    formats.pop(0)
                    continue
                tries += 1
                wait = _wait_s(tries, error)
                late = asyncio.get_running_loop().time() + wait >= deadline
                if late or tries >= self._settings.tries or not _may_pass(error, status):
                    raise ModelError(_one_line(error)) from error
                await self._sleep(wait)
            else:
                self.format, self._proven = formats[0], True
                return completion

    async def _request(
        self, prompt: Prompt, response_format: str, on_text: Callable[[str], None] | None
    ) -> OpenAICompletion:
        asked: dict[str, Any] = {"model": self._settings.model, "messages": list(prompt.messages)}
        if response_format != "bare":
            asked |= {"temperature": 0, "max_tokens": self._settings.max_tokens}
        if response_format == "json_schema" and prompt.schema:
            asked["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "decision", "schema": prompt.schema},
            }
        elif response_format == "json_object":
            asked["response_format"] = {"type": "json_object"}
        if on_text is None:
            return _whole(await self._connected().chat.completions.create(**asked))
        if response_format != "bare":
            asked["stream_options"] = {"include_usage": True}
        return await self._streamed(asked, on_text)

    async def _streamed(self, asked: dict[str, Any], on_text: Callable[[str], None]) -> OpenAICompletion:
        partial = _Partial()
        stream = await self._connected().chat.completions.create(**asked, stream=True)
        try:
            async for chunk in stream:
                usage = getattr(chunk, "usage", None)
                partial.tokens = int(getattr(usage, "total_tokens", None) or partial.tokens)
                for choice in (getattr(chunk, "choices", None) or [])[:1]:
                    _add(partial, choice, on_text)
        finally:
            await stream.close()
        calls = [(name, "".join(arguments)) for _, (name, *arguments) in sorted(partial.calls.items())]
        return _completion("".join(partial.content), calls, partial.finish_reason, partial.tokens)

    def _connected(self) -> AsyncOpenAI:
        if self._client is None:
            from openai import AsyncOpenAI  # noqa: PLC0415  # takes a second

            self._client = AsyncOpenAI(
                api_key=self._settings.api_key or "none",  # an empty key raises; local servers want none
                base_url=self._settings.base_url,
                timeout=self._settings.timeout_s,
                max_retries=0,  # the library would sleep through Retry-After for up to two minutes
            )
        return self._client


def _whole(answer: Any) -> OpenAICompletion:
    choices = getattr(answer, "choices", None)
    if not choices:
        raise ModelError("the answer is no chat completion")
    choice, usage = choices[0], getattr(answer, "usage", None)
    calls = [
        (call.function.name or "", call.function.arguments or "")
        for call in getattr(choice.message, "tool_calls", None) or []
        if getattr(call, "function", None)
    ]
    tokens = int(getattr(usage, "total_tokens", None) or 0)
    return _completion(_as_text(choice.message.content), calls, choice.finish_reason, tokens)


def _add(partial: _Partial, choice: Any, on_text: Callable[[str], None]) -> None:
    delta = getattr(choice, "delta", None)
    text = _as_text(getattr(delta, "content", None))
    if text:
        partial.content.append(text)
        if not partial.calls:
            on_text(text)
    for call in getattr(delta, "tool_calls", None) or []:
        function = getattr(call, "function", None)
        pieces = partial.calls.setdefault(call.index or 0, [""])
        pieces[0] = pieces[0] or getattr(function, "name", None) or ""
        pieces.append(getattr(function, "arguments", None) or "")
    partial.finish_reason = getattr(choice, "finish_reason", None) or partial.finish_reason


def _completion(content: str, calls: list[tuple[str, str]], finish_reason: str | None, tokens: int) -> OpenAICompletion:
    """Put an answer together: text, and tool calls as JSON after it, so that what was said first counts first."""
    if finish_reason not in _FINISHED:
        raise ModelError(f"half an answer: finish_reason is {finish_reason!r}")
    text = content
    if calls:
        rendered = [_rendered(name, arguments) for name, arguments in calls]
        call = rendered[0] if len(rendered) == 1 else f"[{', '.join(rendered)}]"
        text = f"{content}\n{call}" if "{" in content or "｛" in content else call
    if not text.strip():
        raise ModelError("the answer is empty")
    return OpenAICompletion(text, tokens)


def _rendered(name: str, arguments: str) -> str:
    given: object = arguments
    with suppress(ValueError):  # then it stays a string: the parser judges it as any other broken input
        given = decode(arguments) if arguments.strip() else {}
    return json.dumps({"thought": "", "action": name, "action_input": given}, ensure_ascii=False)


def _as_text(content: Any) -> str:
    """Give a message's content; some servers send a list of parts."""
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _may_pass(error: Exception, status: int | None) -> bool:
    """Tell whether another try may do better: a busy or broken server, a lost connection, half an answer."""
    return not isinstance(error, TypeError | AttributeError) if status is None else status in _TRANSIENT


def _wait_s(tries: int, error: Exception) -> float:
    """Give the seconds before the next try: what the server asks for, else backoff with jitter."""
    response = getattr(error, "response", None)
    asked = response.headers.get("retry-after", "") if response is not None else ""
    if asked.isascii() and asked.replace(".", "", 1).isdigit():
        return float(asked)
    return FIRST_WAIT_S * 2.0 ** (tries - 1) * random.uniform(0.5, 1.5)  # noqa: S311  # spreads load, no secret


def _one_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]
