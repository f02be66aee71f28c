"""Small transcripts for the tests of the runner."""

from __future__ import annotations

from pathlib import Path

from booking_bot.transcripts.source import Source, parse

HEAD = """\
transcript: 1
name: small
about: "a small talk"
site: demo
clock: {now: "2026-11-30T09:00:00+08:00"}
user: tester
"""
BOOKING = """\
steps:
- user: "明天下午2点，8人，1小时"
- user: "选1"
- user: "确认"
"""


def source_of(text: str, head: str = HEAD) -> Source:
    """Read a transcript from its text, the usual head in front."""
    return parse(head + text, Path("small.yaml"))


def file_of(folder: Path, text: str, name: str = "small.yaml") -> Path:
    """Write a transcript, the usual head in front."""
    path = folder / name
    path.write_text(HEAD + text, "utf-8")
    return path
