"""The site's own weather file: how it is read, and what is wrong with a bad one."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from pathlib import Path

import pytest

from booking_bot.adapters.site_folder import load_site, site_folder
from booking_bot.adapters.weather_file import FORECAST_DAYS, SiteWeather, WeatherBook, load_weather
from booking_bot.dialogue.observations import PlaceUnknown, WeatherTold
from booking_bot.errors import ConfigurationError

NOW = dt.datetime(2026, 11, 30, 1, 0, tzinfo=dt.UTC)
WANTED = [
    "上海",
    "北京",
    "深圳",
    "广州",
    "杭州",
    "成都",
    "南京",
    "武汉",
    "西安",
    "重庆",
    "天津",
    "苏州",
    "香港",
    "台北",
    "东京",
    "新加坡",
    "伦敦",
    "纽约",
    "巴黎",
    "旧金山",
]


@pytest.fixture(scope="module")
def book() -> WeatherBook:
    return load_weather("demo")


@pytest.mark.parametrize("site", ["demo", "office"])
def test_both_sites_know_the_weather_of_the_usual_cities(site: str) -> None:
    known = load_weather(site)
    assert [name for name in WANTED if not known.find(name)] == []


def test_every_building_has_weather_near_it(book: WeatherBook) -> None:
    for site in ("demo", "office"):
        for building in load_site(site).buildings:
            assert building.latitude is not None
            assert building.longitude is not None
            near = book.nearest(building.latitude, building.longitude)
            assert near is not None
            assert near.name.en == "Shanghai"


def test_the_nearest_place_is_found_across_the_date_line(book: WeatherBook) -> None:
    near = book.nearest(-33.8, -208.8)
    assert near is not None
    assert near.name.en == "Sydney"


@pytest.mark.parametrize("name", ["上海", "上海市", "shanghai", "SHANGHAI", " Shanghai ", "Ｓｈａｎｇｈａｉ", "魔都"])
def test_a_place_is_found_however_it_is_written(book: WeatherBook, name: str) -> None:
    assert [place.name.zh for place in book.find(name)] == ["上海"]


@pytest.mark.parametrize("name", ["", " ", "市", "Atlantis", "上", "上海" * 500])
def test_no_place_is_found_by_another_name(book: WeatherBook, name: str) -> None:
    assert book.find(name) == ()


def test_the_most_populous_place_of_a_name_comes_first(book: WeatherBook) -> None:
    assert [place.admin.en for place in book.find("Suzhou")] == ["Jiangsu", "Anhui"]
    assert [place.country_code for place in book.find("伦敦")] == ["GB", "CA"]


async def test_the_weather_never_runs_out(book: WeatherBook) -> None:
    place = book.find("上海")[0]
    for years in range(3):
        now = NOW + dt.timedelta(days=365 * years)
        weather = SiteWeather(book, lambda now=now: now)  # type: ignore[misc] # mypy cannot type a defaulted lambda
        told = await weather.get_weather("上海", place.today(now) + dt.timedelta(days=1), "zh")
        assert isinstance(told, WeatherTold)
        assert told.code == place.days[1].code


def test_a_repeating_week_has_an_end_of_the_forecast(book: WeatherBook) -> None:
    place = book.find("上海")[0]
    assert place.day(FORECAST_DAYS - 1) == place.days[(FORECAST_DAYS - 1) % len(place.days)]
    assert place.day(FORECAST_DAYS) is None
    assert place.day(-1) == place.days[-1]
    assert place.day(-2) is None


async def test_a_site_without_a_weather_file_knows_no_place(tmp_path: Path) -> None:
    shutil.copy(site_folder("demo") / "rooms.toml", tmp_path)
    empty = load_weather(tmp_path)
    assert empty.nearest(0, 0) is None
    answer = await SiteWeather(empty, lambda: NOW).get_weather("上海", dt.date(2026, 12, 1), "zh")
    assert answer == PlaceUnknown(place="上海")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "EOF"),
        ('{"towns": []}', "towns"),
        ('{"places": [{"id": 1}]}', "places.0.name"),
        (b"\xff\xfe", "weather.json"),
    ],
    ids=["not JSON", "unknown key", "missing key", "not UTF-8"],
)
def test_a_bad_file_is_named_with_its_key(tmp_path: Path, content: str | bytes, says: str) -> None:
    shutil.copy(site_folder("demo") / "rooms.toml", tmp_path)
    (tmp_path / "weather.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ConfigurationError, match=says) as caught:
        load_weather(tmp_path)
    assert str(tmp_path / "weather.json") in str(caught.value)


def test_a_time_zone_that_does_not_exist_is_named(tmp_path: Path) -> None:
    shutil.copy(site_folder("demo") / "rooms.toml", tmp_path)
    data = json.loads((site_folder("demo") / "weather.json").read_text("utf-8"))
    data["places"][0]["timezone"] = "Mars/Olympus"
    (tmp_path / "weather.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(ConfigurationError, match="Mars/Olympus"):
        load_weather(tmp_path)


def test_a_weather_file_that_is_a_folder_is_named(tmp_path: Path) -> None:
    shutil.copy(site_folder("demo") / "rooms.toml", tmp_path)
    (tmp_path / "weather.json").mkdir()
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_weather(tmp_path)
