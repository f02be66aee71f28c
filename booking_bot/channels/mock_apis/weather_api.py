"""The mock weather API: geocoding and daily forecast in Open-Meteo's shape, out of the site's weather file."""

from __future__ import annotations

import datetime as dt
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from zoneinfo import ZoneInfo

from booking_bot.adapters.weather_file import FORECAST_DAYS, Day, Place, WeatherBook
from booking_bot.channels.mock_apis.exchange import Request, RequestError, Response, json_response
from booking_bot.channels.mock_apis.faults import Operation
from booking_bot.ports import Clock

Handler = Callable[[Request, str], Awaitable[Response]]
DAILY: Final[Mapping[str, tuple[str, Callable[[Day], int | float | None]]]] = {
    "weather_code": ("wmo code", lambda day: day.code),
    "temperature_2m_max": ("°C", lambda day: day.high),
    "temperature_2m_min": ("°C", lambda day: day.low),
    "precipitation_sum": ("mm", lambda day: day.rain_mm),
    "precipitation_probability_max": ("%", lambda day: day.rain_chance),
}
"""The daily variables this mock has, with their units."""
DEFAULT_DAYS: Final = 7
MAX_COUNT: Final = 100
MAX_PAST_DAYS: Final = 92


class WeatherApi:
    """Answers requests out of a weather book.

    Args:
        clock: gives the current instant; every place's today is counted from it.
    """

    def __init__(self, book: WeatherBook, clock: Clock) -> None:
        self._book = book
        self._clock = clock
        self.routes: tuple[tuple[str, str, Operation, Handler], ...] = (
            ("GET", "/v1/search", "geocode", self._search),
            ("GET", "/v1/forecast", "forecast", self._forecast),
        )

    async def _search(self, request: Request, _part: str) -> Response:
        started = time.perf_counter()
        parameters = request.parameters()
        if "name" not in parameters:
            raise _error("Parameter 'name' is required.")
        if parameters.get("format", "json") != "json":
            raise _error("Parameter 'format' must be json.")
        count = _whole(parameters, "count", 10, 1, MAX_COUNT)
        language = "zh" if parameters.get("language", "en").startswith("zh") else "en"
        # As they stand in the file: a client that wants the largest has to look at the population.
        found = {place.id for place in self._book.find(parameters["name"])}
        results = [_result(place, language) for place in self._book.places if place.id in found][:count]
        took: dict[str, object] = {"generationtime_ms": round((time.perf_counter() - started) * 1000, 3)}
        return json_response({"results": results} | took if results else took)

    async def _forecast(self, request: Request, _part: str) -> Response:
        parameters = request.parameters()
        latitude = _degrees(parameters, "latitude", 90)
        longitude = _degrees(parameters, "longitude", 180)
        wanted = [name for name in parameters.get("daily", "").split(",") if name]
        unknown = [name for name in wanted if name not in DAILY]
        if unknown:
            raise _error(f"Cannot initialize daily variable from invalid String value {unknown[0][:40]}.")
        if wanted and "timezone" not in parameters:
            raise _error("Timezone is required")
        days = _whole(parameters, "forecast_days", DEFAULT_DAYS, 0, FORECAST_DAYS)
        past = _whole(parameters, "past_days", 0, 0, MAX_PAST_DAYS)
        place = self._book.nearest(latitude, longitude)
        if place is None:
            raise _error("No data is available for this location")
        name = parameters.get("timezone", "GMT")
        zone = _zone(place.timezone if name == "auto" else name)
        answer: dict[str, object] = {
            "latitude": place.latitude,
            "longitude": place.longitude,
            "utc_offset_seconds": int((self._clock().astimezone(zone).utcoffset() or dt.timedelta()).total_seconds()),
            "timezone": zone.key,
        }
        return json_response(answer | self._daily(place, zone, wanted, range(-past, days)) if wanted else answer)

    def _daily(self, place: Place, zone: ZoneInfo, wanted: list[str], offsets: range) -> dict[str, object]:
        now = self._clock()
        dates = [now.astimezone(zone).date() + dt.timedelta(days=offset) for offset in offsets]
        today = place.today(now)
        days = [place.day((date - today).days) or Day() for date in dates]
        units = {"time": "iso8601"} | {name: DAILY[name][0] for name in wanted}
        columns: dict[str, object] = {"time": [date.isoformat() for date in dates]}
        columns |= {name: [DAILY[name][1](day) for day in days] for name in wanted}
        return {"daily_units": units, "daily": columns}


def _result(place: Place, language: str) -> dict[str, object]:
    return {
        "id": place.id,
        "name": place.name.in_(language),
        "latitude": place.latitude,
        "longitude": place.longitude,
        "feature_code": "PPLA",
        "country_code": place.country_code,
        "country": place.country.in_(language),
        "admin1": place.admin.in_(language),
        "timezone": place.timezone,
        "population": place.population,
    }


def _error(reason: str) -> RequestError:
    return RequestError(json_response({"error": True, "reason": reason}, 400))


def _whole(parameters: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    value = parameters.get(name, str(default))
    if value.isascii() and value.isdigit() and len(value) < 6 and least <= int(value) <= most:
        return int(value)
    raise _error(f"Parameter '{name}' must be between {least} and {most}.")


def _degrees(parameters: Mapping[str, str], name: str, most: int) -> float:
    try:
        value = float(parameters[name])
    except (KeyError, ValueError) as error:
        raise _error(f"Parameter '{name}' is required and must be a number.") from error
    if not math.isfinite(value) or abs(value) > most:
        raise _error(f"{name.capitalize()} must be in range of -{most} to {most}°.")
    return value


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise _error("Invalid timezone") from error
