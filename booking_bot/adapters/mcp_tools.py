"""Tools of MCP servers as tools of the registry: connected on first use, and again after a failure.

A connection lives in a task of its own, because the library wants it closed where it was opened. Nothing here decides
whether a tool may run; its risk is what the server says of it, and sensitive where it says nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import logging
import os
import time
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from booking_bot.adapters.mcp_reading import arguments_model, risk_of, text_of
from booking_bot.adapters.mcp_servers import McpServer
from booking_bot.dialogue.observations import Failed, ToolAnswered, ToolObservation
from booking_bot.errors import ConfigurationError
from booking_bot.tools import Tool, ToolContext

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import Tool as McpTool

log = logging.getLogger(__name__)

LIMIT_S: Final = 15.0
"""Longest a connection, a list or a call may take, each."""
REST_S: Final = 30.0
"""A server whose list could not be had is left alone this long, so that no turn waits for it again and again."""
MAX_PAGES: Final = 10
MAX_TOOLS: Final = 50
MAX_NAME: Final = 64
"""Longest tool name, prefix included: as long as a name in the action log."""
MAX_DESCRIPTION: Final = 500
LOGGED_CHARS: Final = 200
"""Characters of the arguments in the log."""


_LOST: Final = frozenset({-32000, -32001})
"""Codes the library itself gives: the connection closed, the request timed out. All others are the server's word."""


class McpTools:
    """The tools of some servers.

    Args:
        limit_s: seconds a connection, a list or a call may take.
        rest_s: seconds a server is left alone after its list could not be had.

    Raises:
        ConfigurationError: the library that speaks MCP is not installed.
    """

    def __init__(self, servers: Iterable[McpServer], *, limit_s: float = LIMIT_S, rest_s: float = REST_S) -> None:
        if importlib.util.find_spec("mcp") is None:
            raise ConfigurationError("MCP servers need mcp; install the extra 'plugin'")
        self._servers = [_Server(server, limit_s) for server in servers]
        self._rest_s = rest_s
        self._next_try: dict[str, float] = {}
        self._listed: set[str] = set()

    async def discover(self) -> tuple[Tool, ...]:
        """Give the tools that were not known before. Never raises: a server that fails is tried again later."""
        now = time.monotonic()
        due = [s for s in self._servers if s.name not in self._listed and self._next_try.get(s.name, 0.0) <= now]
        found = await asyncio.gather(*(self._tools_of(server) for server in due))
        return tuple(tool for tools in found for tool in tools)

    async def _tools_of(self, server: _Server) -> tuple[Tool, ...]:
        try:
            tools = await server.tools()
        except Exception as error:
            log.warning("mcp server %s: its tools could not be listed: %s", server.name, _reason(error))
            self._next_try[server.name] = time.monotonic() + self._rest_s
            return ()
        self._listed.add(server.name)
        return tools

    async def close(self) -> None:
        """Close every connection."""
        await asyncio.gather(*(server.reset() for server in self._servers))


class _Server:
    """One server and its connection, if any."""

    def __init__(self, server: McpServer, limit_s: float) -> None:
        self.name = server.name
        self._server = server
        self._limit_s = limit_s
        self._connecting = asyncio.Lock()
        self._connection: _Connection | None = None
        self._speaks_sse = server.transport == "sse"

    async def tools(self) -> tuple[Tool, ...]:
        """List the tools.

        Raises:
            Exception: whatever went wrong; the connection is then reset.
        """
        client = await self._client()
        try:
            async with asyncio.timeout(self._limit_s):
                listed = await _list_all(client)
        except BaseException:
            await self.reset()
            raise
        return tuple(tool for each in listed[:MAX_TOOLS] if (tool := self._tool(each)) is not None)

    def _tool(self, listed: McpTool) -> Tool | None:
        name = f"{self.name}.{listed.name}"
        if len(name) > MAX_NAME or not name.isprintable():
            log.warning("mcp server %s: the tool %.80r is left out, its name will not do", self.name, listed.name)
            return None
        risk = risk_of(listed)

        async def call(arguments: BaseModel, context: ToolContext) -> ToolObservation:
            return await self.call(listed.name, name, arguments.model_dump(), context, reads=risk == "safe")

        description = (listed.description or listed.title or listed.name)[:MAX_DESCRIPTION]
        return Tool(name, description, arguments_model(listed.input_schema), risk, outside=call)

    async def call(
        self, tool: str, name: str, arguments: dict[str, Any], context: ToolContext, *, reads: bool
    ) -> ToolObservation:
        """Call a tool; whatever happens comes back as an observation."""
        shown = json.dumps(arguments, ensure_ascii=False, default=str)[:LOGGED_CHARS]
        started, sent = time.monotonic(), False
        log.info("mcp call %s started: %s", name, shown)
        try:
            client = await self._client()
            sent = True
            async with asyncio.timeout(self._limit_s):
                result = await client.call_tool(tool, arguments, meta=_meta(context))
        except Exception as error:
            elapsed = time.monotonic() - started
            log.warning("mcp call %s failed after %.3f s: %s: %s", name, elapsed, shown, _reason(error))
            if not _answered(error):
                await self.reset()
            uncertain = sent and not reads and not _answered(error)
            return Failed(tool=name, reason=_reason(error), retryable=not _answered(error), uncertain=uncertain)
        log.info("mcp call %s finished after %.3f s: %s", name, time.monotonic() - started, shown)
        return ToolAnswered(tool=name, text=text_of(result))

    async def _client(self) -> Client:
        async with self._connecting:
            if self._connection is not None and self._connection.is_open:
                return await self._connection.client(self._limit_s)
            self._connection = None
            return await self._connect()

    async def _connect(self) -> Client:
        """Connect; over HTTP a server that does not take the new transport is tried with the old one."""
        kinds = (True,) if self._speaks_sse else (False, True) if self._server.transport == "http" else (False,)
        deadline = time.monotonic() + self._limit_s
        for last, sse in ((kind is kinds[-1], kind) for kind in kinds):
            connection = _Connection(self._server, sse=sse)
            try:
                client = await connection.client(max(0.1, deadline - time.monotonic()))
            except BaseException as error:
                await connection.close()
                if not isinstance(error, Exception) or last or time.monotonic() >= deadline:
                    raise
                continue
            self._connection, self._speaks_sse = connection, sse
            return client
        raise AssertionError("one of the transports is the last")

    async def reset(self) -> None:
        """Drop the connection; the next use makes a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


class _Connection:
    """One connection in a task of its own."""

    def __init__(self, server: McpServer, *, sse: bool) -> None:
        self._ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._closing = asyncio.Event()
        self._task = asyncio.ensure_future(self._live(server, sse))

    @property
    def is_open(self) -> bool:
        """Whether it was not closed, from either side, as far as is known."""
        return not self._task.done() and not self._closing.is_set()

    async def client(self, limit_s: float) -> Client:
        """Give the client once it is connected.

        Raises:
            Exception: it could not be, or not in time.
        """
        async with asyncio.timeout(limit_s):
            return await asyncio.shield(self._ready)

    async def close(self) -> None:
        """Close it, or give up waiting for it to close."""
        self._closing.set()
        if not self._ready.done():
            self._task.cancel()
        _, open_still = await asyncio.wait([self._task], timeout=5)
        if open_still:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=5)

    async def _live(self, server: McpServer, sse: bool) -> None:
        try:
            async with _connected(server, sse=sse) as client:
                if not self._ready.done():
                    self._ready.set_result(client)
                await self._closing.wait()
        except asyncio.CancelledError:
            self._ready.cancel()
        except BaseException as error:
            if self._ready.done():
                log.info("mcp server %s: the connection ended: %s", server.name, _reason(error))
            else:
                self._ready.set_exception(ConnectionError(_reason(error)))
                self._ready.exception()  # who waited has given up perhaps; this one is then nobody's to report


@contextlib.asynccontextmanager
async def _connected(server: McpServer, *, sse: bool) -> AsyncIterator[Client]:
    from mcp import Client, StdioServerParameters  # noqa: PLC0415  # takes more than a second to import

    token = os.environ.get(server.token_env, "") if server.token_env else ""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with contextlib.AsyncExitStack() as stack:
        if server.transport == "stdio":
            program, *rest = server.command
            target: Any = StdioServerParameters(command=program, args=rest, env={**server.env} or None)
        elif sse:
            from mcp.client.sse import sse_client  # noqa: PLC0415  # only where there are servers

            target = sse_client(server.url or "", headers=headers)
        else:
            from httpx2 import AsyncClient, Timeout  # noqa: PLC0415  # only where there are servers
            from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415  # only where there are servers

            http = await stack.enter_async_context(AsyncClient(headers=headers, timeout=Timeout(LIMIT_S)))
            target = streamable_http_client(server.url or "", http_client=http)
        yield await stack.enter_async_context(Client(target))


async def _list_all(client: Client) -> list[McpTool]:
    tools: list[McpTool] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if not cursor:
            break
    return tools


def _meta(context: ToolContext) -> Any:
    return {"booking-bot/key": context.key} if context.key else None


def _answered(error: BaseException) -> bool:
    """Tell whether the server itself said no: the connection is then as good as before."""
    from mcp import MCPError  # noqa: PLC0415  # only where there are servers

    return isinstance(error, MCPError) and error.code not in _LOST


def _reason(error: BaseException) -> str:
    inner = error
    while isinstance(inner, BaseExceptionGroup):
        inner = inner.exceptions[0]
    return f"{type(inner).__name__}: {inner}"[:300]
