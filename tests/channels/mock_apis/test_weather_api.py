"""The mock weather API has Open-Meteo's shape."""

from __future__ import annotations

import httpx2
import pytest

from booking_bot.adapters.site_folder import load_site
from booking_bot.adapters.weather_file import WeatherBook, load_weather
from booking_bot.channels.mock_apis import MockApis
from tests.channels.mock_apis.conftest import NOW, Params, ScriptedRooms


async def test_a_place_is_found_with_open_meteos_keys(http: httpx2.AsyncClient) -> None:
    answer = (await http.get("/v1/search", params={"name": "上海", "language": "en", "count": 1})).json()
    assert answer["generationtime_ms"] >= 0
    (place,) = answer["results"]
    assert place == {
        "id": 1796236,
        "name": "Shanghai",
        "latitude": 31.22222,
        "longitude": 121.45806,
        "feature_code": "PPLA",
        "country_code": "CN",
        "country": "China",
        "admin1": "Shanghai",
        "timezone": "Asia/Shanghai",
        "population": 24874500,
    }


async def test_without_a_match_the_key_is_absent(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/v1/search", params={"name": "Atlantis"})
    assert answer.status_code == 200
    assert "results" not in answer.json()


async def test_places_come_in_the_order_of_the_file(http: httpx2.AsyncClient) -> None:
    results = (await http.get("/v1/search", params={"name": "suzhou"})).json()["results"]
    assert [place["admin1"] for place in results] == ["Anhui", "Jiangsu"]
    assert len((await http.get("/v1/search", params={"name": "suzhou", "count": 1})).json()["results"]) == 1


async def test_a_forecast_has_parallel_arrays_with_units(http: httpx2.AsyncClient) -> None:
    variables = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max"
    params: Params = {"latitude": 31.2, "longitude": 121.5, "timezone": "auto", "daily": variables}
    answer = (await http.get("/v1/forecast", params=params)).json()
    assert answer["timezone"] == "Asia/Shanghai"
    assert answer["utc_offset_seconds"] == 28800
    assert list(answer["daily"]) == ["time", *variables.split(",")]
    assert {len(column) for column in answer["daily"].values()} == {7}
    assert answer["daily"]["time"][0] == "2026-11-30"
    assert answer["daily_units"]["temperature_2m_max"] == "°C"
    shanghai = load_weather("demo").find("上海")[0]
    assert answer["daily"]["weather_code"] == [day.code for day in shanghai.days]


async def test_past_days_and_days_without_weather_are_null(http: httpx2.AsyncClient) -> None:
    params: Params = {
        "latitude": 31.2, "longitude": 121.5, "timezone": "Asia/Shanghai", "daily": "weather_code",
        "forecast_days": 1, "past_days": 2,
    }  # fmt: skip
    daily = (await http.get("/v1/forecast", params=params)).json()["daily"]
    assert daily["time"] == ["2026-11-28", "2026-11-29", "2026-11-30"]
    assert daily["weather_code"][0] is None
    assert None not in daily["weather_code"][1:]


async def test_without_variables_there_is_no_daily(http: httpx2.AsyncClient) -> None:
    answer = (await http.get("/v1/forecast", params={"latitude": 0, "longitude": 0})).json()
    assert answer["timezone"] == "GMT"
    assert "daily" not in answer


@pytest.mark.parametrize(
    ("path", "params", "word"),
    [
        ("/v1/search", {}, "name"),
        ("/v1/search", {"name": "x", "count": "0"}, "count"),
        ("/v1/search", {"name": "x", "count": "٣"}, "count"),
        ("/v1/search", {"name": "x", "format": "protobuf"}, "format"),
        ("/v1/forecast", {"longitude": "0"}, "latitude"),
        ("/v1/forecast", {"latitude": "nan", "longitude": "0"}, "Latitude"),
        ("/v1/forecast", {"latitude": "0", "longitude": "181"}, "Longitude"),
        ("/v1/forecast", {"latitude": "0", "longitude": "0", "daily": "weather_code"}, "Timezone"),
        ("/v1/forecast", {"latitude": "0", "longitude": "0", "daily": "mood", "timezone": "auto"}, "mood"),
        ("/v1/forecast", {"latitude": "0", "longitude": "0", "timezone": "../../etc/passwd"}, "timezone"),
        ("/v1/forecast", {"latitude": "0", "longitude": "0", "forecast_days": "17"}, "forecast_days"),
    ],
)
async def test_a_bad_question_is_told_why(
    http: httpx2.AsyncClient, path: str, params: dict[str, str], word: str
) -> None:
    answer = await http.get(path, params=params)
    assert answer.status_code == 400
    assert answer.json()["error"] is True
    assert word in answer.json()["reason"]


async def test_a_site_without_weather_has_no_forecast(rooms: ScriptedRooms) -> None:
    mock = MockApis(load_site("demo"), rooms=rooms, weather=WeatherBook(), clock=lambda: NOW)
    async with await mock.start() as apis, httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"{apis.url}/v1/forecast", params={"latitude": 0, "longitude": 0})
    assert answer.status_code == 400
