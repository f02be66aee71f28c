"""Every transcript that comes along, run as it is and disturbed; together they reach all of the dialogue."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from booking_bot.adapters.site_folder import data_folder
from booking_bot.dialogue.policy import IssueKind
from booking_bot.dialogue.prompts import answers
from booking_bot.dialogue.table import TRANSITIONS, Row
from booking_bot.language.writer import PHRASES
from booking_bot.transcripts.replay import explain, replay_one
from booking_bot.transcripts.runner import Run
from booking_bot.transcripts.source import Source, find, load

FILES = find([data_folder() / "transcripts"])
NOT_IN_A_TALK = frozenset({"internal_error", "session_lost", "stale_answer"})
"""Phrases that no message of a user brings about; see tests/transcripts/test_rare_phrases.py."""
FOREIGN = "booking_bot.dialogue.plans_foreign"
"""The plans for tools of somebody else's, which no transcript has."""
SAID_OF_FOREIGN_TOOLS = ("tool_", "read_back_tool", "yes_tool", "no_tool")
"""What those plans say, and the buttons under it."""


def _id(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


RUNS: dict[Path, Run] = {}


async def _run(path: Path) -> tuple[Source, Run]:
    source = _source(path)
    if path not in RUNS:
        RUNS[path] = await replay_one(source)
    return source, RUNS[path]


@cache
def _source(path: Path) -> Source:
    return load(path)


@pytest.mark.parametrize("path", FILES, ids=_id)
async def test_a_transcript_goes_as_written(path: Path) -> None:
    source, result = await _run(path)
    assert source.transcript.name == path.stem
    assert source.transcript.about
    assert result.ok, "\n" + explain(source, result.differences)


@pytest.mark.parametrize("path", FILES, ids=_id)
async def test_repeated_messages_and_restarts_change_nothing(path: Path) -> None:
    source = _source(path)
    result = await replay_one(source, disturb=FILES.index(path))
    assert result.ok, "\n" + explain(source, result.differences)


async def test_together_they_take_every_row_meet_every_issue_and_say_every_phrase_in_both_languages() -> None:
    rows: set[int] = set()
    issues: set[str] = set()
    said: dict[str, set[str]] = {language: set() for language in PHRASES}
    for path in FILES:
        for seen in (await _run(path))[1].seen:
            outcome = seen.answered.outcome
            if outcome is not None:
                rows |= {id(row) for row in outcome.rows}
                issues |= set(outcome.issues)
                says = (*outcome.says, *(answers(outcome.context) or ()))
                said[seen.answered.reply.language] |= {each.phrase for each in says}
    missing = [row.name for row in TRANSITIONS if id(row) not in rows and not _is_foreign(row)]
    missing += sorted(set(get_args(IssueKind)) - issues)
    for language, phrases in PHRASES.items():
        unsaid = sorted(set(phrases) - said[language] - NOT_IN_A_TALK)
        missing += [f"{language}: {phrase}" for phrase in unsaid if not phrase.startswith(SAID_OF_FOREIGN_TOOLS)]
    assert missing == []


def _is_foreign(row: Row) -> bool:
    return row.do.__module__ == FOREIGN


def test_both_languages_have_their_transcripts() -> None:
    names = {path.parent.name: [p for p in FILES if p.parent.name == path.parent.name] for path in FILES}
    assert set(names) == {"zh", "en"}
    assert all(path.stem.endswith(f"_{path.parent.name}") for path in FILES)
