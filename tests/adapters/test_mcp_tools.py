"""Foreign tools against a real MCP server in a process of its own, over stdio, streamable HTTP and SSE."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from booking_bot.adapters.mcp_servers import McpServer, load_servers
from booking_bot.adapters.mcp_tools import McpTools
from booking_bot.dialogue.observations import Failed, ToolAnswered, ToolObservation
from booking_bot.errors import ConfigurationError
from booking_bot.tools import Tool, ToolContext

ROOT = Path(__file__).parents[2]
MODULE = (sys.executable, "-m", "tests.foreign_mcp_server")
CONTEXT = ToolContext("alice", "zh", dt.datetime(2026, 11, 30, 9, tzinfo=dt.UTC))
STDIO = McpServer(name="desk", transport="stdio", command=(*MODULE, "stdio"), env={"PYTHONPATH": str(ROOT)})


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(kind: str, port: int) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([*MODULE, kind, str(port)], cwd=ROOT, stderr=subprocess.DEVNULL)
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        time.sleep(0.05)
    raise AssertionError(f"the {kind} server does not listen")


@pytest.fixture(scope="module")
def http_port() -> Iterator[int]:
    port = free_port()
    process = start("http", port)
    yield port
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def sse_port() -> Iterator[int]:
    port = free_port()
    process = start("sse", port)
    yield port
    process.kill()
    process.wait()


@asynccontextmanager
async def tools_of(server: McpServer, limit_s: float = 15.0) -> AsyncIterator[dict[str, Tool]]:
    foreign = McpTools([server], limit_s=limit_s, rest_s=0.0)
    try:
        yield {tool.name: tool for tool in await foreign.discover()}
    finally:
        await foreign.close()


async def run(tool: Tool, **arguments: object) -> ToolObservation:
    assert tool.outside is not None
    return await tool.outside(tool.arguments.model_validate(arguments), CONTEXT)


def over(kind: str, port: int) -> McpServer:
    path = "sse" if kind == "sse" else "mcp"
    return McpServer(name="desk", transport="sse" if kind == "sse" else "http", url=f"http://127.0.0.1:{port}/{path}")


async def test_a_server_over_stdio_is_listed_and_called() -> None:
    async with tools_of(STDIO) as tools:
        assert await run(tools["desk.find_colleague"], name="王") == ToolAnswered(
            tool="desk.find_colleague", text="王 sits at desk 7"
        )


async def test_a_server_over_streamable_http_is_listed_and_called(http_port: int) -> None:
    async with tools_of(over("http", http_port)) as tools:
        answered = await run(tools["desk.find_colleague"], name="Li")
    assert answered == ToolAnswered(tool="desk.find_colleague", text="Li sits at desk 7")


async def test_a_server_that_speaks_sse_only_is_reached_by_falling_back(sse_port: int) -> None:
    server = McpServer(name="desk", transport="http", url=f"http://127.0.0.1:{sse_port}/sse")
    async with tools_of(server) as tools:
        answered = await run(tools["desk.find_colleague"], name="Li")
    assert answered == ToolAnswered(tool="desk.find_colleague", text="Li sits at desk 7")


async def test_the_risk_comes_from_the_annotations_and_is_sensitive_without(http_port: int) -> None:
    async with tools_of(over("http", http_port)) as tools:
        risks = {name: tools[f"desk.{name}"].risk for name in ("find_colleague", "send_mail", "delete_mail")}
    assert risks == {"find_colleague": "safe", "send_mail": "sensitive", "delete_mail": "destructive"}


async def test_the_servers_own_schema_is_shown_and_held_to(http_port: int) -> None:
    async with tools_of(over("http", http_port)) as tools:
        mail = tools["desk.send_mail"]
        assert set(mail.schema()["properties"]) == {"to", "text"}
        for wrong in ({"to": 1, "text": "x"}, {"to": "x"}):
            with pytest.raises(ValueError, match="Value error"):
                mail.arguments.model_validate(wrong)


async def test_results_of_all_kinds_become_text_and_errors_say_so(http_port: int) -> None:
    async with tools_of(over("http", http_port)) as tools:
        mixed, failed = await run(tools["desk.mixed"]), await run(tools["desk.fail"])
    assert isinstance(mixed, ToolAnswered)
    assert isinstance(failed, ToolAnswered)
    assert [piece in mixed.text for piece in ("a text", "[image image/png", "inside")] == [True] * 3
    assert failed.text.startswith("[error]")
    assert "no such desk" in failed.text


async def test_a_call_past_the_limit_fails_and_the_next_one_works(http_port: int) -> None:
    async with tools_of(over("http", http_port), limit_s=1.0) as tools:
        late = await run(tools["desk.slow"], seconds=3)
        await asyncio.sleep(2.2)
        again = await run(tools["desk.find_colleague"], name="Li")
    assert isinstance(late, Failed)
    assert not late.uncertain, "a tool that reads leaves nothing uncertain"
    assert isinstance(again, ToolAnswered)


async def test_a_server_that_dies_in_a_call_is_started_again_for_the_next() -> None:
    async with tools_of(STDIO) as tools:
        died = await run(tools["desk.die"])
        again = await run(tools["desk.find_colleague"], name="Li")
    assert isinstance(died, Failed)
    assert isinstance(again, ToolAnswered)


async def test_a_server_that_is_not_there_costs_one_try_and_is_found_later() -> None:
    port = free_port()
    foreign = McpTools([over("http", port)], rest_s=0.0)
    try:
        assert await foreign.discover() == ()
        process = await asyncio.to_thread(start, "http", port)
        try:
            assert "desk.send_mail" in {tool.name for tool in await foreign.discover()}
            assert await foreign.discover() == (), "listed once"
        finally:
            process.kill()
            process.wait()
    finally:
        await foreign.close()


async def test_calls_are_logged_with_time_and_the_start_of_their_arguments(
    http_port: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "booking_bot.adapters.mcp_tools")
    async with tools_of(over("http", http_port)) as tools:
        await run(tools["desk.find_colleague"], name="x" * 500)
    lines = [record.getMessage() for record in caplog.records if "mcp call" in record.getMessage()]
    assert [line.split()[3] for line in lines] == ["started:", "finished"]
    assert all(len(line) < 300 for line in lines)


def test_servers_come_from_the_setting_or_the_sites_file(tmp_path: Path) -> None:
    setting = '[{"name": "mail", "transport": "stdio", "command": ["mail-mcp"]}]'
    assert [server.name for server in load_servers(setting, "demo")] == ["mail"]
    (tmp_path / "rooms.toml").write_text("")
    (tmp_path / "mcp.toml").write_text('[[server]]\nname = "desk"\nurl = "http://127.0.0.1:1/mcp"\n')
    assert [server.transport for server in load_servers(None, tmp_path)] == ["http"]
    assert load_servers(None, "demo") == ()


@pytest.mark.parametrize(
    "setting",
    [
        "{",
        "[1]",
        '[{"name": "Mail", "url": "http://x"}]',
        '[{"name": "mail"}]',
        '[{"name": "mail", "transport": "stdio"}]',
        '[{"name": "mail", "url": "ftp://x"}]',
        '[{"name": "a", "url": "http://x"}, {"name": "a", "url": "http://y"}]',
    ],
)
def test_a_setting_that_will_not_do_is_named(setting: str) -> None:
    with pytest.raises(ConfigurationError, match="BOOKING_BOT_MCP_SERVERS"):
        load_servers(setting, "demo")


def test_servers_without_the_library_are_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(ConfigurationError, match="plugin"):
        McpTools([STDIO])
