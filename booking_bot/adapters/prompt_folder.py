"""Reads prompt templates: the defaults that come along, each replaced by the site's own file of the same name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from booking_bot.adapters.site_folder import data_folder, site_folder
from booking_bot.errors import ConfigurationError
from booking_bot.planning.templates import (
    ALWAYS_ON,
    SECTION_NAMES,
    Section,
    SectionName,
    TemplateError,
    Templates,
    section,
    skill,
)

T = TypeVar("T")


def load_templates(site: str | Path = "demo") -> Templates:
    """Read the templates of a site: ``prompts/<section>.md`` and ``prompts/skills/<name>.md``.

    Raises:
        ConfigurationError: a file is missing, cannot be read, or is no template; names file and key.
    """
    defaults, own = data_folder() / "prompts", site_folder(site) / "prompts"
    sections: dict[SectionName, Section] = {}
    for path in _files(defaults, own, ""):
        made = _made(path, section)
        sections[made.name] = made
    missing = [name for name in SECTION_NAMES if name not in sections]
    if missing:
        raise ConfigurationError(f"{defaults / missing[0]}.md: file not found")
    return Templates(sections, tuple(_made(path, skill) for path in _files(defaults, own, "skills")))


def sections_off(names: str) -> frozenset[SectionName]:
    """Read the names of prompt sections to leave out, with commas.

    Raises:
        ConfigurationError: there is no such section, or it must stay.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    free = [name for name in SECTION_NAMES if name not in ALWAYS_ON]
    for name in wanted:
        if name not in free:
            raise ConfigurationError(f"BOOKING_BOT_PROMPT_OFF: no section {name!r} to leave out; use {', '.join(free)}")
    return frozenset(name for name in free if name in wanted)


def _files(defaults: Path, own: Path, folder: str) -> list[Path]:
    """Give the files to read, by name; a site's own file stands in the place of the default one."""
    found = {path.name: path for base in (defaults, own) for path in (base / folder).glob("*.md")}
    return [found[name] for name in sorted(found)]


def _made(path: Path, make: Callable[[str, str], T]) -> T:
    try:
        return make(path.stem, path.read_text("utf-8"))
    except TemplateError as error:
        raise ConfigurationError(f"{path}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {error}") from error
