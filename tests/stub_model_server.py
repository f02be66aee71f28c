"""An OpenAI-compatible server for tests: the real protocol over a real loopback socket, and every way to break it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """How one request is answered.

    Attributes:
        text: the assistant's content; None leaves it out.
        tool_calls: native calls, name and arguments as JSON text; they come after the text.
        status: anything but 200 answers with an error body.
        body: a raw body in place of everything else.
        wait_s: before the first byte. drip_s: between two pieces of a body.
        pieces: how many characters of text stand in one streamed chunk.
        cut: the connection is lost before the end; "body" in mid body, "stream" after the last text chunk.
        finish_reason: of the choice.
        usage: whether tokens are told.
    """

    text: str | None = None
    tool_calls: tuple[tuple[str, str], ...] = ()
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    content_type: str = "application/json"
    wait_s: float = 0.0
    drip_s: float = 0.0
    pieces: int = 5
    cut: str = ""
    finish_reason: str | None = "stop"
    usage: bool = True


@dataclass
class StubModelServer:
    """Serves `/v1/chat/completions` and `/v1/models`; use it as an async context manager.

    Attributes:
        answers: given out one a request, in order; then `default`.
        refused_formats: response formats that are answered with this status, as servers do that lack them.
        requests: the JSON bodies received.
    """

    answers: deque[Answer] = field(default_factory=deque)
    default: Answer = field(default_factory=lambda: Answer(status=503))
    refused_formats: dict[str, int] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    model: str = "stub-model"
    _server: asyncio.Server | None = None

    @property
    def base_url(self) -> str:
        """Where it listens."""
        assert self._server
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def say(self, *answers: Answer | str) -> None:
        """Queue answers; a text stands for a whole good answer."""
        self.answers.extend(answer if isinstance(answer, Answer) else Answer(answer) for answer in answers)

    async def __aenter__(self) -> StubModelServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._one_request(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client gave up
        finally:
            writer.close()

    async def _one_request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head.splitlines()[1:])}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        if head.startswith("GET") and "/models" in head:
            listed = {"object": "list", "data": [{"id": self.model, "object": "model", "created": 0, "owned_by": "t"}]}
            await _send(writer, 200, "application/json", (), [json.dumps(listed)])
            return
        request = json.loads(raw)
        self.requests.append(request)
        self.authorizations.append(headers.get("authorization", ""))
        wanted = request.get("response_format", {}).get("type", "plain")
        if wanted in self.refused_formats:
            error = {
                "error": {"message": f"response_format {wanted} is not supported", "type": "invalid_request_error"}
            }
            await _send(writer, self.refused_formats[wanted], "application/json", (), [json.dumps(error)])
            return
        answer = self.answers.popleft() if self.answers else self.default
        await asyncio.sleep(answer.wait_s)
        await self._answer(writer, answer, streamed=bool(request.get("stream")))

    async def _answer(self, writer: asyncio.StreamWriter, answer: Answer, *, streamed: bool) -> None:
        if answer.status != 200:
            body = answer.body if answer.body is not None else '{"error": {"message": "no", "type": "server_error"}}'
            await _send(writer, answer.status, answer.content_type, answer.headers, [body])
        elif answer.body is not None:
            await _send(writer, 200, answer.content_type, answer.headers, [answer.body], drip_s=answer.drip_s)
        elif streamed:
            lines = [f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n" for chunk in self._chunks(answer)]
            lines = lines if answer.cut else [*lines, "data: [DONE]\n\n"]
            await _send(writer, 200, "text/event-stream", (), lines, drip_s=answer.drip_s, cut=answer.cut == "body")
        else:
            whole = json.dumps(self._completion(answer), ensure_ascii=False)
            half = [whole[: len(whole) // 2], *([] if answer.cut else [whole[len(whole) // 2 :]])]
            await _send(writer, 200, "application/json", (), half, drip_s=answer.drip_s, cut=bool(answer.cut))

    def _completion(self, answer: Answer) -> dict[str, Any]:
        calls = [
            {"id": f"call_{i}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for i, (name, arguments) in enumerate(answer.tool_calls)
        ]
        message = {"role": "assistant", "content": answer.text, **({"tool_calls": calls} if calls else {})}
        usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
        return {
            "id": "c1",
            "object": "chat.completion",
            "created": 0,
            "model": self.model,
            "choices": [{"index": 0, "message": message, "finish_reason": answer.finish_reason}],
            **({"usage": usage} if answer.usage else {}),
        }

    def _chunks(self, answer: Answer) -> Iterable[dict[str, Any]]:
        def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return {
                "id": "c1",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": self.model,
                "choices": [choice],
            }

        yield chunk({"role": "assistant", "content": ""})
        text = answer.text or ""
        for start in range(0, len(text), answer.pieces):
            yield chunk({"content": text[start : start + answer.pieces]})
        for index, (name, _) in enumerate(answer.tool_calls):
            yield chunk(
                {"tool_calls": [{"index": index, "id": f"c{index}", "function": {"name": name, "arguments": ""}}]}
            )
        for start in range(0, max((len(a) for _, a in answer.tool_calls), default=0), answer.pieces):
            for index, (_, arguments) in enumerate(answer.tool_calls):  # interleaved, as servers do
                piece = arguments[start : start + answer.pieces]
                yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
        if answer.cut:
            return
        yield chunk({}, answer.finish_reason)
        if answer.usage:
            usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
            yield {**chunk({}), "choices": [], "usage": usage}


async def _send(
    writer: asyncio.StreamWriter,
    status: int,
    content_type: str,
    headers: tuple[tuple[str, str], ...],
    pieces: list[str],
    *,
    drip_s: float = 0.0,
    cut: bool = False,
) -> None:
    extra = "".join(f"{name}: {value}\r\n" for name, value in headers)
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
    writer.write(f"{head}{extra}\r\n".encode())
    for piece in pieces:
        raw = piece.encode()
        if raw:
            writer.write(b"%x\r\n%s\r\n" % (len(raw), raw))
        await writer.drain()
        if drip_s:
            await asyncio.sleep(drip_s)
    if not cut:
        writer.write(b"0\r\n\r\n")
    await writer.drain()
