"""Settings that will not do are refused at the start, in one line that names them."""

from __future__ import annotations

import pytest

from booking_bot import BookingBot
from booking_bot.app import endpoint_of
from booking_bot.errors import ConfigurationError
from booking_bot.settings import load_settings

SERVICES = ("ROOMS_API", "WEATHER_GEOCODING_API", "WEATHER_FORECAST_API")


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize(
    "url", ["localhost:8767", "http://[bad", "http://", "http://h:99999", "ftp://h", "http://h/?q=1", "http://a b"]
)
def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, url: str) -> None:
    monkeypatch.setenv(f"BOOKING_BOT_{name}", url)
    with pytest.raises(ConfigurationError, match=rf"^BOOKING_BOT_{name}: use the address") as refused:
        load_settings()
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8767", "https://rooms.example.org/v2/", "http://[::1]:8767"])
def test_an_address_is_taken_as_it_is(url: str) -> None:
    assert load_settings(rooms_api=url).rooms_api == url


def test_an_empty_address_is_none_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOKING_BOT_ROOMS_API", "")
    assert load_settings().rooms_api is None


@pytest.mark.parametrize("token", ["geheim-ü", "two\nlines", "a b"])
def test_a_token_that_no_header_takes_is_refused_and_not_shown(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv("BOOKING_BOT_ROOMS_API_TOKEN", token)
    with pytest.raises(ConfigurationError, match="BOOKING_BOT_ROOMS_API_TOKEN") as refused:
        load_settings()
    assert token not in str(refused.value)


async def test_a_misspelt_setting_is_refused_by_name() -> None:
    with pytest.raises(ConfigurationError, match=r"^plannr: no such setting; use .*planner"):
        await BookingBot.open(db="sqlite://", plannr="llm")


def test_rules_need_no_models_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a key")
    assert endpoint_of(load_settings(planner="rules")) is None
    with pytest.raises(ConfigurationError, match="OPENAI_MODEL"):
        endpoint_of(load_settings())


def test_a_models_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://[bad")
    monkeypatch.setenv("OPENAI_MODEL", "m")
    with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL"):
        endpoint_of(load_settings())
