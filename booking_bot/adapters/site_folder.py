"""Reads an office from its folder: `rooms.toml` and `policy.toml`."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from booking_bot.dialogue.site import Site
from booking_bot.errors import ConfigurationError


def data_folder() -> Path:
    """Give the folder that holds `sites/` and `transcripts/`: beside the package in a checkout, inside it in a wheel."""
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
    if (folder / "rooms.toml").is_file():
        return folder
    raise ConfigurationError(
        f"site {str(site)!r}: no such site; use one of {', '.join(names)} or a folder with rooms.toml"
    )


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
                "name": folder.name,
                "buildings": rooms.get("building", ()),
                "rooms": rooms.get("room", ()),
                "policy": policy,
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        file = "policy.toml" if where.startswith("policy") else "rooms.toml"
        raise ConfigurationError(f"{folder / file}: {where or 'rooms'}: {first['msg']}") from error


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ConfigurationError(f"{path}: file not found") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error
