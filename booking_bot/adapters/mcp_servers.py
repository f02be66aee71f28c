"""Which MCP servers an office uses: from the settings as JSON, else from `mcp.toml` in the site's folder."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from booking_bot.adapters.site_folder import site_folder
from booking_bot.errors import ConfigurationError


class McpServer(BaseModel):
    """One server.

    Attributes:
        name: stands before the names of its tools: ``name.tool``.
        transport: ``http`` is streamable HTTP and falls back to SSE; ``stdio`` starts `command`.
        command: the program and its arguments.
        env: variables for the program besides the few that are always passed.
        token_env: name of the environment variable that holds the bearer token; the token itself is never written here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z][a-z0-9_-]{0,30}$")
    transport: Literal["http", "sse", "stdio"] = "http"
    url: str | None = Field(default=None, pattern=r"^https?://")
    command: tuple[str, ...] = ()
    env: dict[str, str] = Field(default_factory=dict)
    token_env: str | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> McpServer:
        if self.transport == "stdio" and not self.command:
            raise ValueError("a stdio server needs a command")
        if self.transport != "stdio" and self.url is None:
            raise ValueError(f"a server over {self.transport} needs a url")
        return self


_SERVERS: TypeAdapter[tuple[McpServer, ...]] = TypeAdapter(tuple[McpServer, ...])


def load_servers(setting: str | None, site: str | Path) -> tuple[McpServer, ...]:
    """Read the servers.

    Args:
        setting: a JSON list of servers, which stands in the place of the site's file; None is not set.
        site: the site's name or folder.

    Raises:
        ConfigurationError: not JSON or TOML, or a key or value that is not legal; names key or file.
    """
    if setting is not None:
        try:
            return _checked(json.loads(setting), "BOOKING_BOT_MCP_SERVERS")
        except json.JSONDecodeError as error:
            raise ConfigurationError(f"BOOKING_BOT_MCP_SERVERS: not JSON: {error}") from error
    path = site_folder(site) / "mcp.toml"
    if not path.is_file():
        return ()
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error
    unknown = sorted(set(given) - {"server"})
    if unknown:
        raise ConfigurationError(f"{path}: unknown key {unknown[0]!r}; legal is server")
    return _checked(given.get("server", []), str(path))


def _checked(given: object, where: str) -> tuple[McpServer, ...]:
    try:
        servers = _SERVERS.validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "servers"
        raise ConfigurationError(f"{where}: {place}: {first['msg']}") from error
    names: Sequence[str] = [server.name for server in servers]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigurationError(f"{where}: two servers are called {twice!r}")
    return servers
