"""One question, one answer: the weather out of the file and the weather over HTTP out of the same file."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from booking_bot.adapters.http import HttpLimits, OpenMeteoWeather
from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.weather_file import SiteWeather, WeatherBook, load_weather
from booking_bot.channels.mock_apis import MockApis
from booking_bot.dialogue.model import RoomRequest
from booking_bot.dialogue.observations import Failed, NoneFree, PlaceUnknown, WeatherTold
from booking_bot.ports import RoomService, Weather

NOW = dt.datetime(2026, 11, 30, 1, 0, tzinfo=dt.UTC)
"""09:00 in Shanghai on the 30th, the evening of the 29th in America."""
TODAY = dt.date(2026, 11, 30)
Open = Callable[[WeatherBook, dt.datetime], Awaitable[Weather]]


class NoRooms:
    """A room service nobody asks."""

    async def search_rooms(self, request: RoomRequest) -> NoneFree:
        return NoneFree()

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} is not part of this test")


@pytest.fixture(params=["file", "http"])
async def opened(request: pytest.FixtureRequest) -> AsyncIterator[Open]:
    """Opens the weather of a book at an instant, either way."""
    closers: list[Callable[[], Awaitable[None]]] = []

    async def open_weather(book: WeatherBook, now: dt.datetime) -> Weather:
        if request.param == "file":
            return SiteWeather(book, lambda: now)
        rooms: RoomService = NoRooms()  # type: ignore[assignment] # never asked
        apis = await MockApis(load_site("demo"), rooms=rooms, weather=book, clock=lambda: now).start()
        client = OpenMeteoWeather(apis.url, limits=HttpLimits(attempt_s=20, total_s=60), rng=random.Random(1))
        closers.extend((client.aclose, apis.close))
        return client

    yield open_weather
    for close in closers:
        await close()


@pytest.fixture
async def weather(opened: Open) -> Weather:
    return await opened(load_weather("demo"), NOW)


@pytest.mark.parametrize(
    ("place", "language", "name"),
    [
        ("上海", "zh", "上海"),
        ("上海市", "zh", "上海"),
        ("上海", "en", "Shanghai"),
        ("shanghai", "zh", "上海"),
        ("SHANGHAI", "en", "Shanghai"),
        (" Hong  Kong ", "en", "Hong Kong"),
        ("Ｔｏｋｙｏ", "en", "Tokyo"),
        ("三藩市", "zh", "旧金山"),
        ("nyc", "en", "New York"),
        ("魔都", "zh", "上海"),
    ],
)
async def test_a_place_is_told_in_the_language_of_the_question(
    weather: Weather, place: str, language: str, name: str
) -> None:
    told = await weather.get_weather(place, TODAY + dt.timedelta(days=1), language)
    assert isinstance(told, WeatherTold)
    assert told.place == name


async def test_tomorrow_in_shanghai_is_the_second_day_of_the_file(weather: Weather) -> None:
    day = load_weather("demo").find("上海")[0].days[1]
    assert day.code is not None
    assert await weather.get_weather("上海", dt.date(2026, 12, 1), "zh") == WeatherTold(
        place="上海", date=dt.date(2026, 12, 1), code=day.code, low=day.low, high=day.high, rain_chance=day.rain_chance
    )


@pytest.mark.parametrize("place", ["Suzhou", "伦敦", "Paris"])
async def test_of_several_places_of_a_name_the_largest_is_meant(weather: Weather, place: str) -> None:
    largest = load_weather("demo").find(place)[0]
    day = largest.day((TODAY - largest.today(NOW)).days)
    assert day is not None
    told = await weather.get_weather(place, TODAY, "en")
    assert isinstance(told, WeatherTold)
    assert (told.low, told.high) == (day.low, day.high)


@pytest.mark.parametrize(
    "place", ["亚特兰蒂斯", "Atlantis", "市", " ", "", "a" * 500, "'; DROP TABLE", "上海\x00"], ids=ascii
)
async def test_a_place_nobody_knows_is_unknown(weather: Weather, place: str) -> None:
    assert await weather.get_weather(place, TODAY, "zh") == PlaceUnknown(place=place[:80])


async def test_a_place_that_is_no_text_is_unknown(weather: Weather) -> None:
    assert await weather.get_weather("\ud800", TODAY, "zh") == PlaceUnknown(place="?")


@pytest.mark.parametrize("days", [-366, -2, 16, 17, 400])
async def test_a_day_outside_the_forecast_is_named(weather: Weather, days: int) -> None:
    date = TODAY + dt.timedelta(days=days)
    assert await weather.get_weather("shanghai", date, "zh") == PlaceUnknown(place="上海", date=date)


@pytest.mark.parametrize("days", [-1, 0, 1, 7, 15])
async def test_every_day_of_the_forecast_is_told(weather: Weather, days: int) -> None:
    date = TODAY + dt.timedelta(days=days)
    told = await weather.get_weather("北京", date, "zh")
    assert isinstance(told, WeatherTold)
    assert told.date == date


async def test_days_are_counted_from_the_today_of_the_place(opened: Open) -> None:
    weather = await opened(load_weather("demo"), NOW)
    place = load_weather("demo").find("旧金山")[0]
    told = await weather.get_weather("旧金山", TODAY, "zh")  # it is still the 29th there
    assert isinstance(told, WeatherTold)
    assert told.low == place.days[1].low


def _book(*days: dict[str, object]) -> WeatherBook:
    city = load_weather("demo").places[0].model_dump()
    return WeatherBook.model_validate({"places": [city | {"days": days}]})


async def test_what_is_not_known_stays_unknown(opened: Open) -> None:
    weather = await opened(_book({"code": 3}, {"low": 1.0, "high": 2.0}), NOW)
    assert await weather.get_weather("上海", TODAY, "zh") == WeatherTold(place="上海", date=TODAY, code=3)
    tomorrow = TODAY + dt.timedelta(days=1)
    assert await weather.get_weather("上海", tomorrow, "zh") == PlaceUnknown(place="上海", date=tomorrow)


async def test_a_book_without_places_knows_none(opened: Open) -> None:
    weather = await opened(WeatherBook(), NOW)
    assert await weather.get_weather("上海", TODAY, "zh") == PlaceUnknown(place="上海")


async def test_both_give_the_same_answer_to_random_questions() -> None:
    book = load_weather("demo")
    rng = random.Random(20261130)
    names = [name for place in book.places for name in (place.name.zh, place.name.en, *place.aliases)] + ["Nowhere"]
    rooms: RoomService = NoRooms()  # type: ignore[assignment] # never asked
    in_file = SiteWeather(book, lambda: NOW)
    async with await MockApis(load_site("demo"), rooms=rooms, weather=book, clock=lambda: NOW).start() as apis:
        client = OpenMeteoWeather(apis.url, limits=HttpLimits(attempt_s=20, total_s=60))
        questions = [
            (rng.choice(names), TODAY + dt.timedelta(days=rng.randint(-3, 18)), rng.choice(("zh", "en")))
            for _ in range(200)
        ]
        over_http = await asyncio.gather(*(client.get_weather(*question) for question in questions))
        for question, answer in zip(questions, over_http, strict=True):
            assert not isinstance(answer, Failed), answer
            assert await in_file.get_weather(*question) == answer, question
        await client.aclose()
