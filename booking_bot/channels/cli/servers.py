"""`booking-bot serve` and `mock-apis`: the servers of the base install."""

from __future__ import annotations

import argparse
import sys

from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import LedgerService, SqlStore
from booking_bot.adapters.weather_file import load_weather
from booking_bot.app import clock_at
from booking_bot.channels.mock_apis import serve_mock_apis
from booking_bot.settings import load_settings


async def mock_apis(arguments: argparse.Namespace) -> None:
    """Serve the mock rooms API and the mock weather API until cancelled."""
    settings = load_settings(site=arguments.site, db=arguments.db or "sqlite://")
    site = load_site(settings.site)
    clock = clock_at(settings.now)
    store = await SqlStore.open(settings.db, site, clock)
    try:
        await serve_mock_apis(
            arguments.host,
            arguments.port,
            site,
            rooms=LedgerService(store),
            weather=load_weather(settings.site),
            clock=clock,
            ready=_ready,
        )
    finally:
        await store.close()


async def serve_chat(arguments: argparse.Namespace) -> None:
    """Serve the chat page and its socket until cancelled."""
    from booking_bot.channels.websocket import serve  # noqa: PLC0415  # only for this command

    await serve(arguments.host, arguments.port, site=arguments.site, db=arguments.db, ready=_ready)


async def serve_api(arguments: argparse.Namespace) -> None:
    """Serve the HTTP API, MCP over HTTP and AG-UI until cancelled."""
    from booking_bot.channels.http_api import serve  # noqa: PLC0415  # in an extra

    await serve(arguments.host, arguments.port, site=arguments.site, db=arguments.db, ready=_ready)


async def serve_mcp(arguments: argparse.Namespace) -> None:
    """Serve MCP on standard input and output until it is closed."""
    from booking_bot.channels.mcp import serve_stdio  # noqa: PLC0415  # in an extra

    await serve_stdio(arguments.site, arguments.db, arguments.user)


def _ready(address: str) -> None:
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
