"""Collects transcripts as pytest items: `*.transcript.yaml` anywhere, and what the ini option names.

Loaded by every pytest run where this package is installed, so it imports nothing of it until it has a file to run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from _pytest._code.code import ExceptionInfo, TerminalRepr

INI: str = "booking_bot_transcripts"
SUFFIX: str = ".transcript.yaml"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the ini option."""
    parser.addini(
        INI,
        "Transcripts to run beside *.transcript.yaml: folders, or globs from the root folder.",
        type="linelist",
        default=[],
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> TranscriptFile | None:
    """Collect a transcript."""
    if file_path.name.endswith(SUFFIX) or (file_path.suffix == ".yaml" and _configured(file_path, parent.config)):
        file: TranscriptFile = TranscriptFile.from_parent(parent, path=file_path)
        return file
    return None


def _configured(path: Path, config: pytest.Config) -> bool:
    try:
        inside = path.relative_to(config.rootpath)
    except ValueError:
        return False
    for line in config.getini(INI):
        pattern = line.strip().rstrip("/")
        folder = Path(pattern)
        if inside == folder or folder in inside.parents or _fits(inside, folder.parts):
            return True
    return False


def _fits(path: Path, pattern: tuple[str, ...]) -> bool:
    """Match a path against a glob in which `**` stands for any number of folders."""
    return _match(path.parts, pattern)


def _match(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_match(parts[start:], pattern[1:]) for start in range(len(parts) + 1))
    return bool(parts) and Path(parts[0]).match(pattern[0]) and _match(parts[1:], pattern[1:])


class TranscriptDiffers(Exception):
    """A transcript went another way; the text is the typed difference."""


class TranscriptFile(pytest.File):
    """A file with one transcript."""

    def collect(self) -> Iterator[TranscriptItem]:
        """Give its one item."""
        yield TranscriptItem.from_parent(self, name=self.path.name.removesuffix(".yaml").removesuffix(".transcript"))


class TranscriptItem(pytest.Item):
    """One transcript as a test."""

    def runtest(self) -> None:
        """Run it."""
        from booking_bot.transcripts.replay import explain, replay_one  # noqa: PLC0415  # see the module's docstring
        from booking_bot.transcripts.source import load  # noqa: PLC0415  # see the module's docstring

        source = load(self.path)
        result = asyncio.run(replay_one(source))
        if not result.ok:
            raise TranscriptDiffers(explain(source, result.differences))

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """Show the difference, or the line that says why the file cannot be read, in place of a traceback."""
        from booking_bot.errors import ConfigurationError  # noqa: PLC0415  # see the module's docstring

        if isinstance(excinfo.value, TranscriptDiffers):
            return f"{self.path} went another way:\n{excinfo.value}"
        if isinstance(excinfo.value, ConfigurationError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Name the file."""
        return self.path, 0, f"transcript: {self.name}"
