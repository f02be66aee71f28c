"""Settings: from arguments, then the environment, then defaults. Secrets come from the environment only."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, AnyHttpUrl, BeforeValidator, Field, SecretStr, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from booking_bot.errors import ConfigurationError

FLAGS: Final = frozenset({"site", "db", "user", "now"})
"""Settings that some command has a flag for."""
_URL: Final = TypeAdapter(AnyHttpUrl)
PlannerMode = Literal["rules", "hybrid", "llm"]


def _names(value: object) -> object:
    return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_names)]
"""A list with commas in the environment."""


URL_WANTED: Final = "use the address of a service such as http://127.0.0.1:8767, without query or fragment"


def is_service_url(text: str) -> bool:
    """Tell whether a text is an http or https address that paths can be put behind."""
    try:
        parts = urlsplit(text)
        _URL.validate_python(text)
        _ = parts.port
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and text.isprintable()
        and not any(character in text for character in " ?#")
    )


def _service_url(value: str | None) -> str | None:
    if not value:
        return None
    if not is_service_url(value):
        raise PydanticCustomError("service_url", URL_WANTED)
    return value


ServiceUrl = Annotated[str | None, AfterValidator(_service_url)]
"""Nothing at all stands for no service; never shown in an error, for it may hold a password."""


def _header_text(value: SecretStr | None) -> SecretStr | None:
    secret = value.get_secret_value() if value is not None else ""
    if not (secret.isascii() and secret.isprintable()) or " " in secret:
        raise PydanticCustomError("header_text", "use printable ASCII characters without blanks")
    return value


class Settings(BaseSettings):
    """Everything that can be set. Environment names are `BOOKING_BOT_` and the field's name in capitals."""

    model_config = SettingsConfigDict(env_prefix="BOOKING_BOT_", extra="ignore", populate_by_name=True)

    site: str = "demo"
    db: str = "sqlite:///bookings.db"
    user: str = Field(default="guest", min_length=1, max_length=128)
    now: str | None = None
    planner: PlannerMode | None = None
    token_secret: SecretStr | None = None
    rooms_api: ServiceUrl = None
    rooms_api_token: Annotated[SecretStr | None, AfterValidator(_header_text)] = None
    weather_geocoding_api: ServiceUrl = None
    weather_forecast_api: ServiceUrl = None
    mcp_servers: str | None = None
    prompt_off: str = ""
    model_timeout_s: float = Field(default=10.0, gt=0, le=600)
    allowed_hosts: Names = ()
    allowed_origins: Names = ()
    sqlite_synchronous: Literal["FULL", "NORMAL"] = "FULL"
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    openai_model: str | None = Field(default=None, validation_alias="OPENAI_MODEL")


def load_settings(**given: object) -> Settings:
    """Read the settings; values given here win over the environment, None counts as not given.

    Raises:
        ConfigurationError: there is no such setting, or a value is not legal; names the key and the legal values.
    """
    unknown = sorted(given.keys() - Settings.model_fields.keys())
    if unknown:
        raise ConfigurationError(f"{', '.join(unknown)}: no such setting; use {', '.join(Settings.model_fields)}")
    try:
        return Settings(**{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]  # validated
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        where = name if name.isupper() else f"BOOKING_BOT_{name.upper()}"
        if name in FLAGS:
            where = f"--{name} / {where}"
        raise ConfigurationError(f"{where}: {first['msg']}") from error
