"""The documents' snippets run, and name what there is."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from booking_bot.channels.cli.arguments import parser
from booking_bot.channels.http_api.operations import OPERATIONS
from booking_bot.channels.http_api.problems import STATUS
from booking_bot.service import TOOLS
from tests.channels.http_api.conftest import served

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8766"
DOCS = ("embedding.md", "mcp.md", "http.md")


def blocks(name: str, kind: str) -> list[str]:
    """Give a document's fenced blocks of one kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", (ROOT / "docs" / name).read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Run the server in a thread of its own."""
    begun, over = threading.Event(), threading.Event()
    found: list[str] = []

    async def live() -> None:
        async with served("sqlite://") as url:
            found.append(url)
            begun.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=asyncio.run, args=(live(),))
    thread.start()
    assert begun.wait(20)
    yield found[0]
    over.set()
    thread.join(20)


SNIPPETS = [(name, number) for name in DOCS for number in range(len(blocks(name, "python")))]


def test_every_document_has_snippets() -> None:
    assert {name for name, _ in SNIPPETS} == set(DOCS)


@pytest.mark.parametrize(("name", "number"), SNIPPETS)
def test_python_snippets_run(name: str, number: int, address: str) -> None:
    code = blocks(name, "python")[number].replace(ADDRESS, address)
    exec(compile(code, f"{name}, snippet {number}", "exec"), {"__name__": "__main__"})  # noqa: S102  # our own text


def test_curl_snippets_are_answered_as_shown(address: str) -> None:
    commands = [
        line[2:] for block in blocks("http.md", "console") for line in block.splitlines() if line[:6] == "$ curl"
    ]
    assert len(commands) == 3
    for command in commands:
        words = shlex.split(command.replace(ADDRESS, address))
        done = subprocess.run(words, capture_output=True, text=True, timeout=20, check=True)
        assert '"problem' not in done.stdout and done.stdout, done.stdout
        if "availability" in command:
            assert [room["room_id"] for room in json.loads(done.stdout)["rooms"]] == ["R1002", "R1004"]
        elif "agui" in command:
            assert '"type":"RUN_STARTED"' in done.stdout and '"type":"RUN_FINISHED"' in done.stdout
        else:
            assert json.loads(done.stdout)["phase"] == "AWAITING_SELECTION"


def test_commands_shown_are_commands() -> None:
    for name in DOCS:
        for block in blocks(name, "console"):
            for line in block.splitlines():
                if line.startswith("$ booking-bot "):
                    parser().parse_args(shlex.split(line)[2:])
        for block in blocks(name, "json"):
            (server,) = json.loads(block)["mcpServers"].values()
            assert server["command"] == "booking-bot"
            parser().parse_args(server["args"])


def test_the_documents_name_every_tool_operation_and_code() -> None:
    mcp, http = ((ROOT / "docs" / name).read_text("utf-8") for name in ("mcp.md", "http.md"))
    for tool in TOOLS.values():
        assert f"| `{tool.name}` |" in mcp
        for argument in tool.arguments.model_fields:
            assert f"`{argument}`" in mcp
    for operation in OPERATIONS:
        assert f"{operation.method} {operation.path}`" in http
    for code in set(STATUS) - {"place_unknown"}:
        assert f"`{code}`" in http
