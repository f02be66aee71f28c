"""Weather out of the site's own `weather.json`: no network, no key, the same answers every day of the year.

The file's shape is fixed here and read by two: `SiteWeather` (in process) and the mock weather API (over HTTP).
A place's days are counted from its own today and repeat for ever, so a demo never runs out of weather.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from booking_bot.adapters.site_folder import site_folder
from booking_bot.dialogue.observations import Failed, PlaceUnknown, WeatherTold
from booking_bot.dialogue.site import Localized
from booking_bot.errors import ConfigurationError
from booking_bot.ports import Clock

FORECAST_DAYS: Final = 16
"""A forecast reaches from today this many days; Open-Meteo's own limit."""
PAST_DAYS: Final = 1
"""Days before a place's today that are answered too: the asker's today may be yesterday there."""
MAX_PLACE_CHARS: Final = 80
"""A place's name as typed is cut here; the longest name of a real town has 85 letters, of a city 30."""


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"{name!r} is not a time zone") from error
    return name


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Day(_Closed):
    """One day's weather; what is null is not known.

    Attributes:
        code: WMO weather code.
        low: lowest temperature in °C.
        high: highest temperature in °C.
        rain_chance: chance of rain in per cent.
        rain_mm: rain of the whole day in millimetres.
    """

    code: int | None = Field(default=None, ge=0, le=99)
    low: float | None = Field(default=None, allow_inf_nan=False)
    high: float | None = Field(default=None, allow_inf_nan=False)
    rain_chance: int | None = Field(default=None, ge=0, le=100)
    rain_mm: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class Place(_Closed):
    """A place with weather.

    Attributes:
        aliases: other names it is found by, in any language.
        admin: the province or state.
        days: the weather of today, tomorrow … at the place; after the last comes the first again.
    """

    id: int
    name: Localized
    aliases: tuple[str, ...] = ()
    admin: Localized
    country: Localized
    country_code: str = Field(min_length=2, max_length=2)
    population: int = Field(ge=0)
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    timezone: Annotated[str, AfterValidator(_known_zone)]
    days: tuple[Day, ...] = Field(min_length=1)

    def today(self, now: dt.datetime) -> dt.date:
        """Give the place's own date at an aware instant."""
        return now.astimezone(ZoneInfo(self.timezone)).date()

    def day(self, offset: int) -> Day | None:
        """Give the weather `offset` days from the place's today, None outside the forecast."""
        if -PAST_DAYS <= offset < FORECAST_DAYS:
            return self.days[offset % len(self.days)]
        return None


class WeatherBook(_Closed):
    """All places of a `weather.json`; may be empty."""

    places: tuple[Place, ...] = ()

    def find(self, name: str) -> tuple[Place, ...]:
        """Find the places of a name in any language, most people first."""
        wanted = plain_name(name)
        if not wanted:
            return ()
        hits = [place for place in self.places if wanted in _names(place)]
        return tuple(sorted(hits, key=lambda place: -place.population))

    def nearest(self, latitude: float, longitude: float) -> Place | None:
        """Give the place nearest to coordinates in degrees, None only when the book is empty."""

        def distance(place: Place) -> float:
            around = abs(place.longitude - longitude)
            return (place.latitude - latitude) ** 2 + min(around, 360 - around) ** 2

        return min(self.places, key=distance, default=None)


def plain_name(name: str) -> str:
    """Give a name as it is compared: width, case, blanks and a closing 市 do not count."""
    folded = " ".join(unicodedata.normalize("NFKC", name[:MAX_PLACE_CHARS]).casefold().split())
    return folded.removesuffix("市") or folded


def sound_text(place: str) -> str:
    """Give a place as typed for an answer: bounded, and without what UTF-8 cannot hold."""
    return place[:MAX_PLACE_CHARS].encode("utf-8", "replace").decode("utf-8")


def _names(place: Place) -> set[str]:
    every: Iterable[str] = (place.name.zh, place.name.en, *place.aliases)
    return {plain_name(name) for name in every}


def load_weather(site: str | Path = "demo") -> WeatherBook:
    """Read the weather of a site; a site without `weather.json` has an empty book.

    Args:
        site: a name or a path, as for `load_site`.

    Raises:
        ConfigurationError: there is no such site, or the file is not of the shape above.
    """
    path = site_folder(site) / "weather.json"
    try:
        return WeatherBook.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return WeatherBook()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"{path}: {where or 'file'}: {first['msg']}") from error
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error


class SiteWeather:
    """Weather port over a `WeatherBook`.

    Args:
        book: the places.
        clock: gives the current instant; days are counted from it.
    """

    def __init__(self, book: WeatherBook, clock: Clock) -> None:
        self._book = book
        self._clock = clock

    async def get_weather(self, place: str, date: dt.date, language: str) -> WeatherTold | PlaceUnknown | Failed:
        """Tell the weather of one day at the most populous place of that name."""
        found = self._book.find(place)
        if not found:
            return PlaceUnknown(place=sound_text(place))
        best = found[0]
        name = best.name.in_(language)
        day = best.day((date - best.today(self._clock())).days)
        if day is None or day.code is None:
            return PlaceUnknown(place=name, date=date)
        return WeatherTold(
            place=name, date=date, code=day.code, low=day.low, high=day.high, rain_chance=day.rain_chance
        )
