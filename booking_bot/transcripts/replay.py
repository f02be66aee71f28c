"""Runs transcript files and reports: as text for people, as JSON for programs, or into the files themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from booking_bot.printable import printable
from booking_bot.transcripts.diff import AT_THE_END, Difference
from booking_bot.transcripts.invariants import KEY
from booking_bot.transcripts.model import PlannerName, UserStep
from booking_bot.transcripts.runner import Run, run
from booking_bot.transcripts.source import Source, TranscriptError, find, load, parse
from booking_bot.transcripts.update import updated
from booking_bot.transcripts.world import World

PASSED: Final = 0
DIFFERS: Final = 1


@dataclass(frozen=True, slots=True)
class Replayed:
    """A file and what came of it.

    Attributes:
        rewritten: whether its expectations were brought up to date.
    """

    source: Source
    run: Run
    rewritten: bool = False


async def replay(
    paths: Iterable[Path | str],
    *,
    out: TextIO,
    planner: PlannerName | None = None,
    update: bool = False,
    as_json: bool = False,
) -> int:
    """Run transcripts and write what differs to `out`.

    Args:
        paths: files, and folders that are searched at any depth.
        planner: used in place of each file's own.
        update: write what was seen into the files as expected.

    Returns:
        0 when all pass, 1 when any differs.

    Raises:
        TranscriptError: a file is no transcript, or names a site or a room that is not there; none is run then.
    """
    sources = [load(path) for path in find(paths)]
    for source in sources:
        _check(source)
    coloured = not as_json and out.isatty()
    done: list[Replayed] = []
    for source in sources:
        replayed = await _replay(source, planner, update=update)
        done.append(replayed)
        if not as_json:
            out.write(report(replayed, coloured=coloured))
            out.flush()
    failed = sum(not each.run.ok for each in done)
    if as_json:
        json.dump(_as_json(done), out, ensure_ascii=False, indent=2)
        out.write("\n")
    else:
        out.write(f"{len(done) - failed} passed" + (f", {failed} differ" if failed else "") + "\n")
    return DIFFERS if failed else PASSED


async def replay_one(source: Source, planner: PlannerName | None = None, disturb: int | None = None) -> Run:
    """Run one transcript that was read from a file; see `runner.run`.

    Raises:
        TranscriptError: its site, rooms, planner or bookings will not do; names the file.
    """
    try:
        return await run(source.transcript, beside=source.path.parent, planner=planner, disturb=disturb)
    except TranscriptError as error:
        raise TranscriptError(f"{source.path}: {error}") from error


def _check(source: Source) -> None:
    try:
        World.of(source.transcript, source.path.parent, source.path.parent)
    except TranscriptError as error:
        raise TranscriptError(f"{source.path}: {error}") from error


async def _replay(source: Source, planner: PlannerName | None, *, update: bool) -> Replayed:
    seen = await replay_one(source, planner)
    if not update or all(difference.key == KEY for difference in seen.differences):
        return Replayed(source, seen)
    text = updated(source, seen)
    fresh = parse(text, source.path)
    source.path.write_text(text, "utf-8")
    return Replayed(fresh, await replay_one(fresh, planner), rewritten=True)


def report(replayed: Replayed, *, coloured: bool = False) -> str:
    """Write what came of one file: one line, and the typed difference below it."""
    source, result = replayed.source, replayed.run
    word = "FAIL" if not result.ok else "UPDATED" if replayed.rewritten else "ok"
    return f"{word} {source.path}\n" + explain(source, result.differences, coloured=coloured)


def explain(source: Source, differences: Iterable[Difference], *, coloured: bool = False) -> str:
    """Write differences step by step, each step with what was said."""
    lines: list[str] = []
    last: int | None = None
    for difference in differences:
        if difference.step != last:
            last = difference.step
            lines.append(f"  {_place(source, difference.step)}")
        lines.append(f"    {difference.line(coloured=coloured)}")
    return "".join(f"{line}\n" for line in lines)


def _place(source: Source, number: int) -> str:
    if number == AT_THE_END:
        return "at the end"
    step = source.transcript.steps[number - 1]
    said = printable(step.user) if isinstance(step, UserStep) else ""
    return f"step {number}, line {source.line_of(number)}: {said}"


def _as_json(done: list[Replayed]) -> dict[str, object]:
    return {
        "passed": sum(each.run.ok for each in done),
        "failed": sum(not each.run.ok for each in done),
        "transcripts": [
            {
                "file": str(each.source.path),
                "name": each.source.transcript.name,
                "ok": each.run.ok,
                "updated": each.rewritten,
                "differences": [
                    {
                        "type": difference.type,
                        "step": difference.step or None,
                        "line": each.source.line_of(difference.step) if difference.step else None,
                        "key": difference.key,
                        "expected": difference.expected,
                        "got": difference.got,
                    }
                    for difference in each.run.differences
                ],
            }
            for each in done
        ],
    }
