"""Registers a function as the tool of its name, with the description and risk that every channel shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.server import MCPServer
from mcp.types import ToolAnnotations

from booking_bot.service import TOOLS


def register(server: MCPServer, function: Callable[..., Any]) -> None:
    """Register a tool function."""
    tool = TOOLS[function.__name__]
    risk = ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.reads,
        destructive_hint=None if tool.reads else tool.destroys,
        idempotent_hint=None if tool.reads else tool.repeatable,
        open_world_hint=tool.name == "get_weather",
    )
    server.add_tool(function, tool.name, tool.title, tool.description, risk)
