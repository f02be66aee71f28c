"""The composition root: puts site, store, tools, planner and engine together; the only module to import them all."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import re
import time
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from booking_bot.adapters.mcp_servers import load_servers
from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.sql import SqlStore
from booking_bot.adapters.weather_file import SiteWeather, load_weather
from booking_bot.afterwards.events import LEARN, SUMMARISE
from booking_bot.afterwards.remembering import Remembering
from booking_bot.afterwards.worker import OutboxWorker
from booking_bot.dialogue.model import Language
from booking_bot.dialogue.site import Site
from booking_bot.engine import MAX_ID_CHARS, Answered, Engine, EventCounter, Said
from booking_bot.errors import ConfigurationError
from booking_bot.ports import Clock, Model, Observer, RoomService, Weather
from booking_bot.reply import Reply
from booking_bot.settings import URL_WANTED, PlannerMode, Settings, is_service_url, load_settings
from booking_bot.tools import Tool, ToolRegistry, ledger_tools, service_tools, weather_tool

if TYPE_CHECKING:
    from booking_bot.adapters.http import HttpRooms, OpenMeteoWeather
    from booking_bot.adapters.openai_model import OpenAIModel
    from booking_bot.planning.decider import Decider

MAX_CHANNEL_CHARS: Final = 16
"""As the database stores it."""
_NOT_STORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def system_clock() -> dt.datetime:
    """Give the current instant in UTC."""
    return dt.datetime.now(dt.UTC)


def clock_at(now: str | None) -> Clock:
    """Give a clock that stands still at an ISO instant, or the system's when there is none.

    Raises:
        ConfigurationError: not an ISO instant with an offset.
    """
    if now is None:
        return system_clock
    try:
        instant = dt.datetime.fromisoformat(now)
    except ValueError as error:
        raise ConfigurationError(f"--now {now!r}: use an ISO instant such as 2026-11-30T09:00:00+08:00") from error
    if instant.tzinfo is None:
        raise ConfigurationError(f"--now {now!r}: the offset is missing, as in 2026-11-30T09:00:00+08:00")
    return lambda: instant


class BookingBot:
    """A booking bot to be used from any asyncio program. Make one with `open`; several may live in one process."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        closers: contextlib.AsyncExitStack | None = None,
        model: Model | None = None,
    ) -> None:
        self.engine = engine
        self.settings = settings
        self.model = model
        self._closers = closers or contextlib.AsyncExitStack()

    @classmethod
    async def open(
        cls,
        *,
        site: str | Path | None = None,
        db: str | None = None,
        now: str | None = None,
        clock: Clock | None = None,
        rooms: RoomService | None = None,
        weather: Weather | None = None,
        model: Model | None = None,
        tools: tuple[Tool, ...] = (),
        count_events: EventCounter | None = None,
        **settings: Any,
    ) -> Self:
        """Open a bot over a site and a database.

        Args:
            site: the name of a site that comes along, or a folder; else the environment's, else ``demo``.
            db: an SQLAlchemy URL; else the environment's, else ``sqlite:///bookings.db``.
            now: an ISO instant at which the bot's clock stands still.
            clock: a clock of your own in place of `now` and the system's.
            rooms: a room service of your own in place of the database's bookings.
            weather: a weather service of your own.
            model: a language model of your own; else the endpoint of the settings, else none.
            tools: tools of your own, or others in place of those of the same name.
            settings: any other field of `Settings`, such as ``planner="llm"``.

        Raises:
            ConfigurationError: a setting, a site file or the database will not do.
        """
        loaded = load_settings(site=None if site is None else str(site), db=db, now=now, **settings)
        the_site = load_site(loaded.site)
        the_clock = clock or clock_at(loaded.now)
        async with contextlib.AsyncExitStack() as stack:
            store = await SqlStore.open(loaded.db, the_site, the_clock, loaded.sqlite_synchronous)
            stack.push_async_callback(store.close)
            registry = ToolRegistry(
                (
                    *(service_tools(rooms) if rooms is not None else _room_tools(loaded, the_site, store, stack)),
                    weather_tool(weather or _weather(loaded, the_clock, stack)),
                )
            ).with_tools(*tools)
            if model is None and (endpoint := endpoint_of(loaded)) is not None:
                stack.push_async_callback(endpoint.close)
                model = endpoint
            engine = Engine(
                site=the_site,
                store=store,
                tools=registry,
                clock=the_clock,
                planner=planner_over(
                    model,
                    loaded.planner or "hybrid",
                    loaded.site,
                    the_site,
                    registry,
                    store,
                    loaded.model_timeout_s,
                    loaded.prompt_off,
                ),
                count_events=count_events,
            )
            _add_foreign_tools(engine, loaded, stack)
            _work_afterwards(engine, model, stack)
            stack.push_async_callback(engine.close)
            return cls(engine, loaded, stack.pop_all(), model)

    @property
    def site(self) -> Site:
        """The site the bot books for."""
        return self.engine.site

    async def handle(
        self, session_id: str, text: str, *, user_id: str | None = None, message_id: str | None = None
    ) -> Reply:
        """Answer one message.

        Args:
            session_id: a label of the caller's, scoped to the user.
            user_id: who speaks, as known from a login; the configured user when not given.
            message_id: the same id again gives the same reply and has no further effect.

        Raises:
            ValueError: an id is empty, longer than 128 characters, or no text that can be stored; names it.
        """
        return (await self.answer(session_id, text, user_id=user_id, message_id=message_id)).reply

    async def answer(
        self,
        session_id: str,
        text: str,
        *,
        user_id: str | None = None,
        message_id: str | None = None,
        channel: str = "python",
        language: Language | None = None,
        on_event: Observer | None = None,
    ) -> Answered:
        """Answer one message and tell where its events stand in the session's stream; see `handle`.

        Args:
            channel: where the message came in, for the audit; at most 16 characters.
            on_event: told of what goes on meanwhile: thinking, tools, and text while it is written.
        """
        user = self._speaker(user_id)
        key = session_key(user, session_id)
        if message_id is not None:
            _check_id("message_id", message_id)
        _check_id("channel", channel, MAX_CHANNEL_CHARS)
        said = Said(key, user, text, message_id, channel, language=language)
        return await self.engine.handle(said, on_event)

    async def wants(self, text: str, session_id: str, user_id: str | None = None) -> float:
        """Score from 0 to 1 how much a message is booking talk, for a host with other skills beside the bot.

        A pending question counts. No model is asked, and nothing is said or stored.
        """
        return await self.engine.relevance(session_key(self._speaker(user_id), session_id), text)

    def _speaker(self, user_id: str | None) -> str:
        return self.settings.user if user_id is None else user_id

    async def close(self) -> None:
        """Finish the turns under way, then close the services, the model and the database."""
        await self.engine.close()
        await self._closers.aclose()
        await self.engine.store.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def session_key(user_id: str, label: str) -> str:
    """Give the stored id of a session: a label means another session for another user.

    Raises:
        ValueError: the user or the label is empty, longer than 128 characters, or no text that can be stored.
    """
    _check_id("user_id", user_id)
    _check_id("session_id", label)
    user = user_id.replace("%", "%25").replace("/", "%2F")
    if len(user) > MAX_ID_CHARS:
        # Too long to be stored once escaped: a digest stands for it, behind an escape that no name has.
        user = f"%~{hashlib.sha256(user_id.encode()).hexdigest()}"
    return f"{user}/{label}"


def _check_id(name: str, value: str, most: int = MAX_ID_CHARS) -> None:
    if not 0 < len(value) <= most:
        raise ValueError(f"{name} must have 1 to {most} characters")
    if _NOT_STORABLE.search(value):
        raise ValueError(f"{name} must be text without NUL and without halves of surrogate pairs")


def planner_over(
    model: Model | None,
    mode: PlannerMode,
    folder: str | Path,
    site: Site,
    tools: ToolRegistry,
    store: SqlStore,
    call_s: float = 10.0,
    off: str = "",
) -> Decider | None:
    """Put a planner over a model; None when there is no model or it is not to be asked.

    Args:
        folder: the site's name or folder, for its own prompts.
        call_s: seconds one answer may take; a turn may take twice that.
        off: names of prompt sections to leave out, with commas.

    Raises:
        ConfigurationError: there is no such section, or it cannot be left out.
    """
    if model is None or mode == "rules":
        return None
    # Most processes have no model: what only a planner needs is imported where there is one.
    from booking_bot.adapters.openai_model import OpenAIModel  # noqa: PLC0415  # only where a model is asked
    from booking_bot.adapters.prompt_folder import load_templates, sections_off  # noqa: PLC0415  # only where a model is asked
    from booking_bot.afterwards.recall import recall_from  # noqa: PLC0415  # only where a model is asked
    from booking_bot.planning.actions import actions_of  # noqa: PLC0415  # only where a model is asked
    from booking_bot.planning.budgets import CircuitBreaker, Limits  # noqa: PLC0415  # only where a model is asked
    from booking_bot.planning.decider import Decider  # noqa: PLC0415  # only where a model is asked
    from booking_bot.planning.planner import Planner  # noqa: PLC0415  # only where a model is asked

    breaker = CircuitBreaker(time.monotonic) if isinstance(model, OpenAIModel) else None
    planner = Planner(
        model,
        load_templates(folder),
        actions_of(tools),
        clock=time.monotonic,
        mode=mode,
        limits=Limits(call_s=call_s, wallclock_s=2 * call_s),
        breaker=breaker,
        off=sections_off(off),
    )
    return Decider(planner, site, recall_from(store))


def _work_afterwards(engine: Engine, model: Model | None, stack: contextlib.AsyncExitStack) -> None:
    """Do what turns leave in the outbox; drained when the bot is closed, before the database is."""

    def now_s() -> int:
        return int(engine.clock().timestamp())

    remembering = Remembering(engine.store, engine.site, now_s, model)
    handlers = {LEARN: remembering.learn_habits, SUMMARISE: remembering.summarise}
    worker = OutboxWorker(engine.store, handlers, now_s)
    engine.on_outbox = worker.wake
    stack.push_async_callback(worker.close)


def _add_foreign_tools(engine: Engine, settings: Settings, stack: contextlib.AsyncExitStack) -> None:
    """Let the planner use the tools of the configured MCP servers, which are connected when it is first asked."""
    servers = load_servers(settings.mcp_servers, settings.site)
    if not servers or engine.planner is None:
        return
    from booking_bot.adapters.mcp_tools import McpTools  # noqa: PLC0415  # only where there are servers
    from booking_bot.planning.actions import actions_of  # noqa: PLC0415  # only where a model is asked
    from booking_bot.planning.decider import Decider  # noqa: PLC0415  # only where a model is asked

    decider = engine.planner
    if not isinstance(decider, Decider):
        return
    foreign = McpTools(servers)
    stack.push_async_callback(foreign.close)

    async def learn() -> None:
        if tools := await foreign.discover():
            engine.tools.learn(*tools)
            decider.planner.learn(actions_of(engine.tools))

    decider.prepare = learn


def endpoint_of(settings: Settings) -> OpenAIModel | None:
    """Give the configured model endpoint, None where there is none or it is switched off.

    Raises:
        ConfigurationError: an endpoint without a model's name, or a URL that is none.
    """
    if settings.planner == "rules" or (settings.openai_base_url is None and settings.openai_api_key is None):
        return None
    if settings.openai_base_url and not is_service_url(settings.openai_base_url.strip()):
        raise ConfigurationError(f"OPENAI_BASE_URL: {URL_WANTED}")
    from booking_bot.adapters.openai_model import OpenAIModel, OpenAISettings  # noqa: PLC0415  # only where a model is asked

    reach = OpenAISettings.from_environment(
        {
            "OPENAI_BASE_URL": settings.openai_base_url or "",
            "OPENAI_MODEL": settings.openai_model or "",
            "OPENAI_API_KEY": settings.openai_api_key.get_secret_value() if settings.openai_api_key else "",
        }
    )
    return None if reach is None else OpenAIModel(replace(reach, timeout_s=settings.model_timeout_s))


def rooms_service_of(settings: Settings, site: Site) -> HttpRooms | None:
    """Give the configured rooms service, None where the database keeps the bookings. The caller closes it."""
    if settings.rooms_api is None:
        return None
    from booking_bot.adapters.http import HttpRooms  # noqa: PLC0415  # httpx2 takes a while to import

    token = settings.rooms_api_token.get_secret_value() if settings.rooms_api_token else None
    return HttpRooms(settings.rooms_api, site, token=token)


def weather_service_of(settings: Settings) -> OpenMeteoWeather | None:
    """Give the configured weather service, None where the site's own file is read. The caller closes it."""
    geocoding, forecast = settings.weather_geocoding_api, settings.weather_forecast_api
    first = geocoding or forecast
    if first is None:
        return None
    from booking_bot.adapters.http import OpenMeteoWeather  # noqa: PLC0415  # httpx2 takes a while to import

    return OpenMeteoWeather(first, forecast)


def _room_tools(settings: Settings, site: Site, store: SqlStore, stack: contextlib.AsyncExitStack) -> tuple[Tool, ...]:
    rooms = rooms_service_of(settings, site)
    if rooms is None:
        return ledger_tools(store.ledger)
    stack.push_async_callback(rooms.aclose)
    return service_tools(rooms)


def _weather(settings: Settings, clock: Clock, stack: contextlib.AsyncExitStack) -> Weather:
    weather = weather_service_of(settings)
    if weather is None:
        return SiteWeather(load_weather(settings.site), clock)
    stack.push_async_callback(weather.aclose)
    return weather
