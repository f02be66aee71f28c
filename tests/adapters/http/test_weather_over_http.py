"""The weather client against answers that Open-Meteo gives, might give, and must never be trusted to give."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import AsyncIterator

import httpx2
import pytest

from booking_bot.adapters.http import HttpLimits, OpenMeteoWeather
from booking_bot.adapters.http.weather import CACHE_ENTRIES
from booking_bot.channels.mock_apis import Fault, MockApis, Plan
from booking_bot.dialogue.observations import Failed, PlaceUnknown, WeatherTold
from tests.adapters.http.conftest import HASTY, PATIENT, Pauses

TODAY = dt.date(2026, 11, 30)
PARIS = {"name": "Paris", "latitude": 48.85, "longitude": 2.35, "timezone": "Europe/Paris", "population": 2138551}
DAILY: dict[str, object] = {
    "time": ["2026-11-29", "2026-11-30", "2026-12-01"],
    "weather_code": [0, 61, 95],
    "temperature_2m_max": [9.5, 8.0, 7.5],
    "temperature_2m_min": [3.5, 2.0, 1.5],
    "precipitation_probability_max": [0, 80, 95],
}


class Body(httpx2.AsyncByteStream):
    """A body that comes off a wire, not out of memory."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.content


class Service:
    """A service made of canned answers; notes what it was asked."""

    def __init__(self, places: object = None, daily: object = None) -> None:
        self.places: object = {"results": [PARIS]} if places is None else places
        self.daily: object = {"daily": DAILY} if daily is None else daily
        self.asked: list[httpx2.Request] = []
        self.seconds = 0.0

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        reply = self.places if request.url.path == "/v1/search" else self.daily
        if isinstance(reply, httpx2.Response):
            return httpx2.Response(reply.status_code, headers=reply.headers, stream=Body(reply.content))
        return httpx2.Response(200, stream=Body(reply if isinstance(reply, bytes) else json.dumps(reply).encode()))

    def client(self, pauses: Pauses) -> OpenMeteoWeather:
        return OpenMeteoWeather(
            "http://geo.test",
            "http://sky.test",
            limits=PATIENT,
            monotonic=lambda: self.seconds,
            sleep=pauses,
            transport=httpx2.MockTransport(self),
        )


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
async def client(service: Service, pauses: Pauses) -> AsyncIterator[OpenMeteoWeather]:
    weather = service.client(pauses)
    yield weather
    await weather.aclose()


async def test_the_day_is_taken_out_of_the_parallel_arrays(service: Service, client: OpenMeteoWeather) -> None:
    assert await client.get_weather("Paris", TODAY, "en") == WeatherTold(
        place="Paris", date=TODAY, code=61, low=2.0, high=8.0, rain_chance=80
    )
    geocoding, forecast = service.asked
    assert geocoding.url.host == "geo.test"
    assert dict(geocoding.url.params) == {"name": "Paris", "count": "10", "language": "en", "format": "json"}
    assert forecast.url.host == "sky.test"
    assert forecast.url.params["timezone"] == "Europe/Paris"
    assert forecast.url.params["forecast_days"] == "16"


async def test_the_name_itself_goes_before_a_larger_place_that_begins_with_it(
    service: Service, client: OpenMeteoWeather
) -> None:
    service.places = {"results": [PARIS | {"name": "Parish", "population": 9_000_000, "timezone": "Mars/X"}, PARIS]}
    await client.get_weather("paris", TODAY, "en")
    assert service.asked[1].url.params["timezone"] == "Europe/Paris"


async def test_a_place_without_population_or_zone_will_do(service: Service, client: OpenMeteoWeather) -> None:
    service.places = {"results": [{"name": "Paris", "latitude": 48.85, "longitude": 2.35}]}
    assert isinstance(await client.get_weather("Paris", TODAY, "en"), WeatherTold)
    assert service.asked[1].url.params["timezone"] == "auto"


async def test_a_closing_shi_is_tried_without(service: Service, client: OpenMeteoWeather) -> None:
    service.places = {"generationtime_ms": 0.5}
    assert await client.get_weather("巴黎市", TODAY, "zh") == PlaceUnknown(place="巴黎市")
    assert [request.url.params["name"] for request in service.asked] == ["巴黎市", "巴黎"]


@pytest.mark.parametrize(
    ("column", "values", "field", "told"),
    [
        ("temperature_2m_max", [1, None, 2], "high", None),
        ("temperature_2m_min", [1], "low", None),
        ("precipitation_probability_max", [None, None, None], "rain_chance", None),
        ("precipitation_probability_max", [0, 54.6, 0], "rain_chance", 55),
        ("precipitation_probability_max", [0, 300, 0], "rain_chance", 100),
        ("weather_code", [0, 3.0, 0], "code", 3),
    ],
)
async def test_holes_in_the_arrays_stay_holes(
    service: Service, client: OpenMeteoWeather, column: str, values: list[float | None], field: str, told: object
) -> None:
    service.daily = {"daily": DAILY | {column: values}}
    answer = await client.get_weather("Paris", TODAY, "en")
    assert isinstance(answer, WeatherTold)
    assert getattr(answer, field) == told


@pytest.mark.parametrize("codes", [[0, None, 0], [0], [0, -1, 0], [0, 1000, 0]])
async def test_a_day_without_a_weather_code_has_no_forecast(
    service: Service, client: OpenMeteoWeather, codes: list[int | None]
) -> None:
    service.daily = {"daily": DAILY | {"weather_code": codes}}
    assert await client.get_weather("Paris", TODAY, "en") == PlaceUnknown(place="Paris", date=TODAY)


async def test_a_number_that_is_none_is_left_out(service: Service, client: OpenMeteoWeather) -> None:
    service.daily = json.dumps({"daily": DAILY}).replace("8.0", "NaN").replace("2.0", "1e999").encode()
    answer = await client.get_weather("Paris", TODAY, "en")
    assert isinstance(answer, WeatherTold | Failed)
    if isinstance(answer, WeatherTold):
        assert (answer.low, answer.high) == (None, None)


BAD: dict[str, object] = {
    "a refusal": httpx2.Response(400, json={"error": True, "reason": "no"}),
    "a page": b"<!doctype html>",
    "nothing": b"",
    "a list": [],
    "null": b"null",
    "results of another type": {"results": {"name": "Paris"}, "daily": []},
    "a place off the map": {"results": [PARIS | {"latitude": 999}], "daily": {"time": ["soon"]}},
    "arrays missing": {"results": [{}], "daily": {"time": ["2026-11-30"]}},
    "deep nesting": b"[" * 100_000,
    "not UTF-8": b'{"results": "\xff"}',
    "another status": httpx2.Response(204),
    "a redirect": httpx2.Response(302, headers={"Location": "http://evil.test"}),
    "a server error": httpx2.Response(500),
}


@pytest.mark.parametrize("reply", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("where", ["places", "daily"])
async def test_an_answer_outside_the_protocol_is_a_failure(
    service: Service, client: OpenMeteoWeather, where: str, reply: object
) -> None:
    setattr(service, where, reply)
    answer = await client.get_weather("Paris", TODAY, "en")
    assert isinstance(answer, Failed)
    assert answer.tool == "get_weather"
    assert {request.url.host for request in service.asked} <= {"geo.test", "sky.test"}
    assert len(service.asked) <= 4


async def test_a_long_name_of_the_service_is_cut(service: Service, client: OpenMeteoWeather) -> None:
    service.places = {"results": [PARIS | {"name": "P" * 5000}]}
    answer = await client.get_weather("Paris", TODAY, "en")
    assert isinstance(answer, WeatherTold)
    assert len(answer.place) == 80


async def test_the_second_question_is_answered_from_memory_until_it_is_old(
    service: Service, client: OpenMeteoWeather
) -> None:
    await client.get_weather("Paris", TODAY, "en")
    await client.get_weather("PARIS", TODAY + dt.timedelta(days=1), "en")
    assert len(service.asked) == 2
    service.seconds = 599.0
    await client.get_weather("Paris", TODAY, "en")
    assert len(service.asked) == 2
    service.seconds = 600.0
    await client.get_weather("Paris", TODAY, "en")
    assert len(service.asked) == 4


async def test_a_failure_is_not_remembered(service: Service, client: OpenMeteoWeather) -> None:
    good, service.daily = service.daily, b"oops"
    assert isinstance(await client.get_weather("Paris", TODAY, "en"), Failed)
    service.daily = good
    assert isinstance(await client.get_weather("Paris", TODAY, "en"), WeatherTold)


async def test_the_memory_is_bounded(service: Service, client: OpenMeteoWeather) -> None:
    for number in range(CACHE_ENTRIES + 1):
        await client.get_weather(f"Paris {number}", TODAY, "en")
    before = len(service.asked)
    await client.get_weather(f"Paris {CACHE_ENTRIES}", TODAY, "en")
    assert len(service.asked) == before
    await client.get_weather("Paris 0", TODAY, "en")
    assert len(service.asked) == before + 1


@pytest.mark.parametrize("operation", ["geocode", "forecast"])
@pytest.mark.parametrize("kind", ["status", "drop", "malformed", "html", "wrong_shape", "cut", "timeout", "huge"])
async def test_a_service_that_stays_broken_is_a_failure(
    apis: MockApis, pauses: Pauses, kind: str, operation: str
) -> None:
    fault = Fault.model_validate({"kind": kind, "operation": operation, "times": None, "seconds": 0})
    apis.faults.replace(Plan(faults=(fault,)))
    weather = OpenMeteoWeather(apis.url, limits=PATIENT, sleep=pauses)
    answer = await weather.get_weather("上海", TODAY, "zh")
    await weather.aclose()
    if (kind, operation) == ("wrong_shape", "geocode"):
        assert answer == PlaceUnknown(place="上海")  # without the key `results` there is no such place
    else:
        assert isinstance(answer, Failed)


@pytest.mark.parametrize("kind", ["timeout", "latency", "drip"])
async def test_silence_ends_with_the_time_limit(apis: MockApis, pauses: Pauses, kind: str) -> None:
    seconds = 0.05 if kind == "drip" else 600
    apis.faults.replace(Plan(faults=(Fault.model_validate({"kind": kind, "times": None, "seconds": seconds}),)))
    weather = OpenMeteoWeather(apis.url, limits=HASTY, sleep=pauses)
    assert isinstance(await weather.get_weather("上海", TODAY, "zh"), Failed)
    await weather.aclose()


async def test_an_address_that_is_none_is_a_failure(pauses: Pauses) -> None:
    weather = OpenMeteoWeather("http://127.0.0.1:1", limits=HttpLimits(attempts=2), sleep=pauses)
    assert isinstance(await weather.get_weather("上海", TODAY, "zh"), Failed)
    assert len(pauses.seconds) == 1
    await weather.aclose()
