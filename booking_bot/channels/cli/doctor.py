"""`booking-bot doctor`: checks what the bot needs of the world, one line each."""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import sys
from collections.abc import Awaitable, Callable

from pydantic import SecretStr

from booking_bot.adapters.mcp_servers import load_servers
from booking_bot.adapters.openai_model import OpenAIModel
from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import SqlStore
from booking_bot.adapters.weather_file import SiteWeather, load_weather
from booking_bot.app import BookingBot, clock_at, rooms_service_of, weather_service_of
from booking_bot.dialogue.observations import Failed
from booking_bot.errors import BookingBotError
from booking_bot.printable import printable
from booking_bot.settings import Settings, load_settings

CHECK_SECONDS = 15
"""Longest one check may take."""
GOOD_SECRET_CHARS = 32
"""As many bytes as HS256 signs with (RFC 7518, section 3.2)."""


async def doctor(arguments: argparse.Namespace) -> int:
    """Run the checks.

    Returns:
        0 when all hold, 1 when one fails.
    """
    settings = load_settings(site=arguments.site, db=arguments.db)
    if arguments.prompt:
        from booking_bot.channels.cli.prompt_sizes import show_prompt_sizes  # noqa: PLC0415  # only where it is asked for

        return show_prompt_sizes(settings)
    checks: tuple[tuple[str, Callable[[Settings], Awaitable[str]]], ...] = (
        ("settings", _settings),
        ("site", _site),
        ("database", _database),
        ("model", _model),
        ("rooms API", _rooms),
        ("weather API", _weather),
        ("MCP servers", _foreign),
    )
    failed = False
    for name, check in checks:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                found, good = await check(settings), True
        except (BookingBotError, OSError, TimeoutError) as error:
            found, good = str(error) or type(error).__name__, False
        failed = failed or not good
        sys.stdout.write(f"{'ok  ' if good else 'FAIL'} {name}: {printable(' '.join(found.split()))}\n")
    return 1 if failed else 0


async def _settings(settings: Settings) -> str:
    return f"site {settings.site}, user {settings.user}, token secret {_told_of(settings.token_secret)}"


def _told_of(secret: SecretStr | None) -> str:
    if not secret:
        return "not set (loopback only, user guest)"
    is_short = len(secret.get_secret_value()) < GOOD_SECRET_CHARS
    return f"set, but short: use {GOOD_SECRET_CHARS} characters or more" if is_short else "set"


async def _site(settings: Settings) -> str:
    site = load_site(settings.site)
    return f"{len(site.rooms)} rooms in {len(site.buildings)} buildings, {site.policy.timezone}"


async def _database(settings: Settings) -> str:
    store = await SqlStore.open(settings.db, load_site(settings.site), clock_at(settings.now))
    try:
        findings = await store.findings()
    finally:
        await store.close()
    if findings:
        raise BookingBotError("; ".join(findings[:5]))
    return "reachable, bookings and claims agree"


async def _model(settings: Settings) -> str:
    if settings.openai_base_url is None and settings.openai_api_key is None:
        return "not configured, the rules plan alone"
    async with await BookingBot.open(site=settings.site, db="sqlite://") as bot:
        if not isinstance(bot.model, OpenAIModel):
            return "switched off by BOOKING_BOT_PLANNER=rules"
        return await bot.model.check()


async def _foreign(settings: Settings) -> str:
    servers = load_servers(settings.mcp_servers, settings.site)
    if not servers:
        return "none"
    from booking_bot.adapters.mcp_tools import McpTools  # noqa: PLC0415  # only where there are servers

    foreign = McpTools(servers, limit_s=CHECK_SECONDS - 3)
    try:
        tools = await foreign.discover()
    finally:
        await foreign.close()
    missing = [s.name for s in servers if not any(tool.name.startswith(f"{s.name}.") for tool in tools)]
    if missing:
        raise BookingBotError(f"no tools from {', '.join(missing)}")
    return ", ".join(f"{tool.name} ({tool.risk})" for tool in tools)


async def _rooms(settings: Settings) -> str:
    rooms = rooms_service_of(settings, load_site(settings.site))
    if rooms is None:
        return "in process, over the database"
    try:
        failed = await rooms.check()
    finally:
        await rooms.aclose()
    if failed is not None:
        raise BookingBotError(f"{settings.rooms_api}: {failed.reason}")
    return f"{settings.rooms_api} answers"


async def _weather(settings: Settings) -> str:
    clock = clock_at(settings.now)
    weather = weather_service_of(settings)
    if weather is None:
        book = load_weather(settings.site)
        SiteWeather(book, clock)
        return f"in process, {len(book.places)} places"
    apis = (settings.weather_geocoding_api, settings.weather_forecast_api)
    shown = " and ".join(dict.fromkeys(api for api in apis if api))
    try:
        today: dt.date = clock().astimezone(load_site(settings.site).policy.zone).date()
        told = await weather.get_weather("上海", today, "zh")
    finally:
        await weather.aclose()
    if isinstance(told, Failed):
        raise BookingBotError(f"{shown}: {told.reason}")
    return f"{shown} {'answer' if ' and ' in shown else 'answers'}"
