"""Reads an office from its folder: `rooms.toml` and `policy.toml`."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from booking_bot.dialogue.site import Building, Localized, Policy, Room, Site, Steps, Window
from booking_bot.errors import ConfigurationError

_TABLES: Final[dict[str, type[BaseModel]]] = {
    "policy": Policy,
    "window": Window,
    "steps": Steps,
    "buildings": Building,
    "rooms": Room,
    "name": Localized,
}
"""What stands where in a site, by the names pydantic gives the place of an error."""
_KEYS: Final = {"buildings": "building", "rooms": "room"}
_TAGS: Final = frozenset({"list", "steps"})
"""Names of the two forms of `durations_minutes`; they are no keys of the file."""
_PLAIN: Final = {
    "missing": "the key is missing",
    "too_short": "at least one is wanted",
    "tuple_type": "a list is wanted, as in [..]",
    "model_type": "a table is wanted, as in { .. }",
    "int_type": "a whole number is wanted",
}


def data_folder() -> Path:
    """Give the folder that holds `sites/` and `transcripts/`: beside the package in a checkout, in it in a wheel."""
    package = Path(str(resources.files("booking_bot")))
    inside = package / "data"
    return inside if inside.is_dir() else package.parent / "data"


def site_folder(site: str | Path) -> Path:
    """Find the folder of a site.

    Args:
        site: the name of a site that comes along ("demo") or a path to a folder of your own.

    Raises:
        ConfigurationError: there is no such site.
    """
    shipped = data_folder() / "sites"
    names = sorted(p.name for p in shipped.iterdir() if (p / "rooms.toml").is_file())
    if str(site) in names:
        return shipped / str(site)
    folder = Path(site)
    if _has_rooms(folder):
        return folder
    raise ConfigurationError(
        f"site {str(site)!r}: no such site; use one of {', '.join(names)} or a folder with rooms.toml"
    )


def _has_rooms(folder: Path) -> bool:
    try:
        return (folder / "rooms.toml").is_file()
    except OSError:  # a name too long, a folder that may not be looked into
        return False


def load_site(site: str | Path = "demo") -> Site:
    """Read and check a site.

    Raises:
        ConfigurationError: a file is missing, is not TOML, or holds a key or value that is not legal.
    """
    folder = site_folder(site)
    rooms = _read(folder / "rooms.toml")
    policy = _read(folder / "policy.toml")
    unknown = sorted(set(rooms) - {"building", "room"})
    if unknown:
        raise ConfigurationError(f"{folder / 'rooms.toml'}: unknown key {unknown[0]!r}; legal are building, room")
    try:
        return Site.model_validate(
            {
                "name": folder.resolve().name,
                "buildings": rooms.get("building", ()),
                "rooms": rooms.get("room", ()),
                "policy": policy,
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        file = "policy.toml" if first["loc"][:1] == ("policy",) else "rooms.toml"
        raise ConfigurationError(f"{folder / file}: {_told(first)}") from error


def _told(error: ErrorDetails) -> str:
    """Say in one line at which key of the file what is wrong, numbering rooms and buildings from 1."""
    loc = error["loc"]
    parts = [part + 1 if isinstance(part, int) else _KEYS.get(part, part) for part in loc if part not in _TAGS]
    place = ".".join(str(part) for part in parts if part != "policy")
    if error["type"] == "extra_forbidden":
        message = f"unknown key; legal are {', '.join(_table_at(loc[:-1]).model_fields)}"
    else:
        message = _PLAIN.get(error["type"]) or error["msg"].removeprefix("Value error, ")
    if error["type"] == "missing":
        message += f"; wanted here are {', '.join(_table_at(loc[:-1]).model_fields)}"
    return f"{place}: {message}" if place else message


def _table_at(loc: tuple[int | str, ...]) -> type[BaseModel]:
    return next((_TABLES[part] for part in reversed(loc) if isinstance(part, str) and part in _TABLES), Site)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: file not found") from error
    except (ValueError, OSError, RecursionError) as error:  # not TOML, not UTF-8, a number of 5,000 digits
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error
