"""The weather over HTTP from a service of Open-Meteo's shape: geocoding first, then the daily forecast.

Source: https://open-meteo.com/en/docs and https://open-meteo.com/en/docs/geocoding-api
"""

from __future__ import annotations

import asyncio
import datetime as dt
import math
import random
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

import httpx2
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from booking_bot.adapters.http.caller import Answer, Call, HttpCaller, HttpLimits, NoAnswer, Sleep, UnreadableAnswer
from booking_bot.dialogue.observations import Failed, PlaceUnknown, WeatherTold

TOOL: Final = "get_weather"
MAX_PLACE_CHARS: Final = 80
"""A place's name is cut here, as typed and as the service gives it."""
CANDIDATES: Final = 10
"""Places of one name that are compared; Open-Meteo's own default."""
FORECAST_DAYS: Final = 16
"""Open-Meteo's limit."""
CACHE_ENTRIES: Final = 256
"""Places and forecasts kept, each a few kilobytes."""
DAILY: Final = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max"

T = TypeVar("T")
Numbers = tuple[float | None, ...]


class _Wire(BaseModel):
    """Part of an answer. Keys that are not known are passed over: the service has many more."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Candidate(_Wire):
    name: str = Field(min_length=1)
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    population: int | None = None
    timezone: str | None = None


class _Geocoding(_Wire):
    results: tuple[_Candidate, ...] = ()


class _Daily(_Wire):
    time: tuple[dt.date, ...]
    weather_code: Numbers
    temperature_2m_max: Numbers = ()
    temperature_2m_min: Numbers = ()
    precipitation_probability_max: Numbers = ()


class _Forecast(_Wire):
    daily: _Daily


_GEOCODING: Final = TypeAdapter(_Geocoding)
_FORECAST: Final = TypeAdapter(_Forecast)


class OpenMeteoWeather:
    """Weather port over HTTP.

    Args:
        geocoding_url: base of ``/v1/search``, e.g. ``https://geocoding-api.open-meteo.com``.
        forecast_url: base of ``/v1/forecast``, e.g. ``https://api.open-meteo.com``; None for the same as geocoding.
        limits: time limits and retries of each of the two calls.
        cache_s: how long places and forecasts are kept, in seconds.
        monotonic: the clock of the cache, in seconds.
        sleep: waits between attempts.
        rng: draws the jitter.
        transport: replaces the network in tests.
    """

    def __init__(
        self,
        geocoding_url: str,
        forecast_url: str | None = None,
        *,
        limits: HttpLimits | None = None,
        cache_s: float = 600.0,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        rng: random.Random | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        limits = limits or HttpLimits()
        self._geocoding = HttpCaller(geocoding_url, limits, sleep=sleep, rng=rng, transport=transport)
        self._forecasts = HttpCaller(forecast_url or geocoding_url, limits, sleep=sleep, rng=rng, transport=transport)
        self._places: _Kept[_Candidate | None] = _Kept(cache_s, monotonic)
        self._days: _Kept[_Daily] = _Kept(cache_s, monotonic)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._geocoding.aclose()
        await self._forecasts.aclose()

    async def get_weather(self, place: str, date: dt.date, language: str) -> WeatherTold | PlaceUnknown | Failed:
        """Tell the weather of one day at the most populous place of that name."""
        asked = place[:MAX_PLACE_CHARS].encode("utf-8", "replace").decode("utf-8")
        found = await self._find(_plain(asked), language)
        if isinstance(found, NoAnswer):
            return _failed(found)
        if found is None:
            return PlaceUnknown(place=asked)
        daily = await self._daily(found)
        if isinstance(daily, NoAnswer):
            return _failed(daily)
        return _told(found.name[:MAX_PLACE_CHARS], date, daily)

    async def _find(self, name: str, language: str) -> _Candidate | NoAnswer | None:
        """Find a place; a closing 市 is tried without as well."""
        found: _Candidate | NoAnswer | None = None
        for spelling in dict.fromkeys((name, name.removesuffix("市"))):
            if spelling and found is None:
                found = await self._geocode(spelling, language)
        return found

    async def _geocode(self, name: str, language: str) -> _Candidate | NoAnswer | None:
        wanted = name.casefold()

        def read(answer: Answer) -> _Candidate | None:
            candidates = _read(_GEOCODING, answer).results
            # The service matches loosely: the name itself goes before names that only begin with it.
            return min(candidates, key=lambda c: (c.name.casefold() != wanted, -(c.population or 0)), default=None)

        params = {"name": name, "count": str(CANDIDATES), "language": language, "format": "json"}
        call = Call("GET", "/v1/search", params=params)
        return await self._places.get((wanted, language), lambda: self._geocoding.ask(call, read))

    async def _daily(self, place: _Candidate) -> _Daily | NoAnswer:
        params = {
            "latitude": str(place.latitude),
            "longitude": str(place.longitude),
            "timezone": place.timezone or "auto",
            "daily": DAILY,
            "forecast_days": str(FORECAST_DAYS),
            "past_days": "1",  # the asker's today may be yesterday there
        }
        call = Call("GET", "/v1/forecast", params=params)
        return await self._days.get(
            (place.latitude, place.longitude, place.timezone),
            lambda: self._forecasts.ask(call, lambda answer: _read(_FORECAST, answer).daily),
        )


class _Kept(Generic[T]):
    """Answers kept for a while, the oldest given up first; what failed is asked again."""

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        self._seconds = seconds
        self._monotonic = monotonic
        self._entries: OrderedDict[Hashable, tuple[float, T]] = OrderedDict()

    async def get(self, key: Hashable, ask: Callable[[], Awaitable[T | NoAnswer]]) -> T | NoAnswer:
        now = self._monotonic()
        entry = self._entries.get(key)
        if entry is not None and now < entry[0]:
            return entry[1]
        answered = await ask()
        if not isinstance(answered, NoAnswer):
            self._entries.pop(key, None)
            self._entries[key] = (now + self._seconds, answered)
            while len(self._entries) > CACHE_ENTRIES:
                self._entries.popitem(last=False)
        return answered


def _plain(name: str) -> str:
    """Give a name fit for a query: full-width forms narrow, blanks single."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def _read(adapter: TypeAdapter[T], answer: Answer) -> T:
    if answer.status != 200:
        raise UnreadableAnswer(f"status {answer.status}", retryable=answer.status == 408)
    try:
        return adapter.validate_json(answer.body)
    except ValidationError as error:
        raise UnreadableAnswer(f"not of the expected shape: {error.errors()[0]['type']}") from error


def _told(place: str, date: dt.date, daily: _Daily) -> WeatherTold | PlaceUnknown:
    """Take one day out of the parallel arrays; an array may be short, a number null."""
    try:
        index = daily.time.index(date)
    except ValueError:
        return PlaceUnknown(place=place, date=date)
    code = _number(daily.weather_code, index)
    if code is None or not 0 <= code <= 99:
        return PlaceUnknown(place=place, date=date)
    rain = _number(daily.precipitation_probability_max, index)
    return WeatherTold(
        place=place,
        date=date,
        code=round(code),
        low=_number(daily.temperature_2m_min, index),
        high=_number(daily.temperature_2m_max, index),
        rain_chance=None if rain is None else min(100, max(0, round(rain))),
    )


def _number(numbers: Numbers, index: int) -> float | None:
    value = numbers[index] if index < len(numbers) else None
    return value if value is not None and math.isfinite(value) else None


def _failed(answered: NoAnswer) -> Failed:
    return Failed(tool=TOOL, reason=answered.reason, retryable=answered.retryable)
