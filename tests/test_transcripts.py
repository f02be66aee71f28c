"""Every transcript that comes along, run as it is and disturbed; together they reach all of the dialogue."""

from __future__ import annotations

from pathlib import Path

import pytest

from booking_bot.adapters.site_folder import data_folder
from booking_bot.transcripts.replay import explain, replay_one
from booking_bot.transcripts.source import Source, find, load

FILES = find([data_folder() / "transcripts"])


def _id(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=_id)
async def test_a_transcript_goes_as_written(path: Path) -> None:
    source = load(path)
    assert source.transcript.name == path.stem
    result = await replay_one(source)
    assert result.ok, "\n" + explain(source, result.differences)


@pytest.mark.parametrize("path", FILES, ids=_id)
async def test_repeated_messages_and_restarts_change_nothing(path: Path) -> None:
    source: Source = load(path)
    result = await replay_one(source, disturb=FILES.index(path))
    assert result.ok, "\n" + explain(source, result.differences)
