"""Settings: from arguments, then the environment, then defaults. Secrets come from the environment only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from booking_bot.errors import ConfigurationError

PlannerMode = Literal["rules", "hybrid", "llm"]


def _names(value: object) -> object:
    return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_names)]
"""A list with commas in the environment."""


class Settings(BaseSettings):
    """Everything that can be set. Environment names are `BOOKING_BOT_` and the field's name in capitals."""

    model_config = SettingsConfigDict(env_prefix="BOOKING_BOT_", extra="ignore", populate_by_name=True)

    site: str = "demo"
    db: str = "sqlite:///bookings.db"
    user: str = Field(default="guest", min_length=1, max_length=128)
    now: str | None = None
    planner: PlannerMode | None = None
    token_secret: SecretStr | None = None
    rooms_api: str | None = None
    rooms_api_token: SecretStr | None = None
    weather_geocoding_api: str | None = None
    weather_forecast_api: str | None = None
    mcp_servers: str | None = None
    prompt_off: str = ""
    model_timeout_s: float = Field(default=10.0, gt=0, le=600)
    allowed_hosts: Names = ()
    allowed_origins: Names = ()
    sqlite_synchronous: Literal["FULL", "NORMAL"] = "FULL"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    openai_model: str | None = Field(default=None, validation_alias="OPENAI_MODEL")


def load_settings(**given: object) -> Settings:
    """Read the settings; values given here win over the environment, None counts as not given.

    Raises:
        ConfigurationError: a value is not legal; names the key and the legal values.
    """
    try:
        return Settings(**{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]  # validated
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        where = name if name.isupper() else f"--{name.replace('_', '-')} / BOOKING_BOT_{name.upper()}"
        raise ConfigurationError(f"{where}: {first['msg']}") from error
