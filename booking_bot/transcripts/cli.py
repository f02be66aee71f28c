"""What the command line needs of transcripts: `replay` and `record`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from booking_bot.app import endpoint_of
from booking_bot.errors import ConfigurationError
from booking_bot.settings import load_settings
from booking_bot.transcripts.replay import replay


def replay_command(arguments: argparse.Namespace) -> int:
    """Run `booking-bot replay`.

    Raises:
        TranscriptError: a path or file will not do (exit 2, one line).
    """
    if arguments.planner in ("hybrid", "llm") and endpoint_of(load_settings(planner=arguments.planner)) is None:
        sys.stderr.write(
            f"booking-bot replay: --planner {arguments.planner}: no model is configured (OPENAI_BASE_URL,"
            " OPENAI_MODEL), so only the transcripts' own llm lines are played\n"
        )
    return asyncio.run(
        replay(
            arguments.paths,
            planner=arguments.planner,
            update=arguments.update,
            as_json=arguments.json,
            out=sys.stdout,
        )
    )


def record_command(arguments: argparse.Namespace) -> int:
    """Run `booking-bot record`.

    Raises:
        ConfigurationError: there is no such session, or the file cannot be written (exit 2, one line).
    """
    from booking_bot.transcripts.recorder import record_session  # noqa: PLC0415  # replay needs none of it

    text = asyncio.run(record_session(arguments.session, site=arguments.site, db=arguments.db))
    if arguments.out is None:
        sys.stdout.write(text)
        return 0
    try:
        Path(arguments.out).write_text(text, "utf-8")
    except OSError as error:
        raise ConfigurationError(f"--out {arguments.out}: cannot be written: {error.strerror}") from error
    return 0
