"""A real MCP server with tools of every kind as a process: `python -m tests.foreign_mcp_server stdio|http|sse PORT`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import EmbeddedResource, ImageContent, TextContent, TextResourceContents, ToolAnnotations

server = MCPServer("colleagues")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def find_colleague(name: str) -> str:
    """Find a colleague's desk."""
    return f"{name} sits at desk 7"


@server.tool()
def send_mail(to: str, text: str) -> str:
    """Send a mail."""
    if log := os.environ.get("MAIL_LOG"):
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(f"{to}: {text}\n")
    return f"sent to {to}"


@server.tool(annotations=ToolAnnotations(read_only_hint=False, destructive_hint=True))
def delete_mail(id: int) -> str:  # noqa: A002  # a tool's argument
    """Delete a mail."""
    return f"deleted {id}"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def mixed() -> list[TextContent | ImageContent | EmbeddedResource]:
    """Give contents of several kinds."""
    return [
        TextContent(type="text", text="a text"),
        ImageContent(type="image", data="AAAA", mime_type="image/png"),
        EmbeddedResource(type="resource", resource=TextResourceContents(uri="file:///a.txt", text="inside")),
    ]


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def fail() -> str:
    """Fail."""
    raise ToolError("no such desk")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def slow(seconds: float) -> str:
    """Take its time."""
    time.sleep(seconds)
    return "at last"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def die() -> str:
    """Take the process down."""
    os._exit(1)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["http", port]:
            server.run("streamable-http", host="127.0.0.1", port=int(port))
        case ["sse", port]:
            server.run("sse", host="127.0.0.1", port=int(port))
        case _:
            server.run("stdio")
