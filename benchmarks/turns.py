"""Turns per second of the canonical talk on SQLite FULL, beside the bare commit floor and, where given, LangGraph.

    python -m benchmarks.turns [--blocks 12] [--dialogues 60] [--langgraph PATH_OF_langgraph_bot.py --python PYTHON]

The contenders alternate block by block in one run, so that a slow minute of the machine hits all of them. Printed are
medians over the blocks and ratios of medians; wall time and CPU time apart.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime as dt
import itertools
import json
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from booking_bot import BookingBot
from booking_bot.adapters.site_folder import site_folder

Talk = tuple[str, tuple[str, str, str, str]]
"""A session and its four messages."""
NOW = "2026-11-30T09:00:00+08:00"
FLOOR_COMMITS = 240
FLOOR_PAYLOAD = "x" * 700


@dataclass
class Figures:
    """Samples of one contender, one a block."""

    per_s: list[float] = field(default_factory=list)
    cpu_us: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Median turns (or commits) a second."""
        return statistics.median(self.per_s)

    @property
    def cpu(self) -> float:
        """Median CPU time of one turn in microseconds."""
        return statistics.median(self.cpu_us)


def wide_site(folder: Path) -> Path:
    """Write the demo site with a window so wide that every talk gets a day of its own."""
    demo = site_folder("demo")
    site = folder / "wide"
    site.mkdir()
    (site / "rooms.toml").write_text((demo / "rooms.toml").read_text("utf-8"), "utf-8")
    policy = (demo / "policy.toml").read_text("utf-8").replace("to_days = 2", "to_days = 400000")
    (site / "policy.toml").write_text(policy, "utf-8")
    return site


def talks() -> Iterator[Talk]:
    """Give canonical talks of four messages, each on its own day."""
    day = dt.date(2027, 1, 1)
    while True:
        yield f"talk-{day}", (f"{day.isoformat()}下午2点8人会议室", "1小时", "选1", "确认")
        day += dt.timedelta(days=1)


async def ours(site: Path, db: Path, batch: list[Talk], sessions: int, figures: Figures) -> None:
    """Run one block of talks, `sessions` at a time, over one database."""
    async with await BookingBot.open(site=site, db=f"sqlite:///{db}", now=NOW) as bot:
        todo = iter(batch)

        async def talk_on() -> None:
            for session, messages in todo:
                for text in messages:
                    reply = await bot.handle(session, text)
                assert reply.phase == "BOOKED", reply.text

        wall, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(talk_on() for _ in range(sessions)))
        turns = 4 * len(batch)
        figures.per_s.append(turns / (time.perf_counter() - wall))
        figures.cpu_us.append((time.process_time() - cpu) / turns * 1e6)


def floor(db: Path, figures: Figures) -> None:
    """Commit one small row at a time with nothing around it: what the disk gives a single writer."""
    connection = sqlite3.connect(db, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS bare(id INTEGER PRIMARY KEY, v TEXT)")
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(FLOOR_COMMITS):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO bare(v) VALUES(?)", (FLOOR_PAYLOAD,))
        connection.execute("COMMIT")
    figures.per_s.append(FLOOR_COMMITS / (time.perf_counter() - wall))
    figures.cpu_us.append((time.process_time() - cpu) / FLOOR_COMMITS * 1e6)
    connection.close()


def langgraph(python: str, script: Path, form: tuple[str, ...], dialogues: int, figures: Figures) -> None:
    """Run one block of the peer in a process of its own."""
    command = [
        python,
        str(script.resolve()),
        "--saver",
        "sqlite",
        "--sync",
        "FULL",
        "--mode",
        "dialogues",
        "--warm",
        "4",
    ]
    done = subprocess.run(
        [*command, *form, "--n", str(dialogues)], check=True, capture_output=True, text=True, cwd=script.parent
    )
    result = json.loads(done.stdout.strip().splitlines()[-1])
    figures.per_s.append(float(result["turns_per_s"]))
    figures.cpu_us.append(float(result["cpu_ms_per_turn"]) * 1000)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--dialogues", type=int, default=60)
    parser.add_argument("--langgraph", type=Path, help="the peer's script, run in a process of its own")
    parser.add_argument("--python", default="python3", help="an interpreter that has the peer installed")
    options = parser.parse_args()
    stream = talks()
    results: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        site = wide_site(Path(folder))
        for block in range(options.blocks):
            floor(Path(folder) / "floor.db", results.setdefault("bare commit", Figures()))
            for sessions in (1, 8, 64):
                figures = results.setdefault(f"booking-bot, {sessions} sessions", Figures())
                batch = list(itertools.islice(stream, options.dialogues))
                asyncio.run(ours(site, Path(folder) / "ours.db", batch, sessions, figures))
            if options.langgraph:
                for name, form in (
                    ("LangGraph + SqliteSaver", ()),
                    ("LangGraph tuned", ("--state", "split", "--durability", "exit")),
                ):
                    figures = results.setdefault(name, Figures())
                    langgraph(options.python, options.langgraph, form, max(8, options.dialogues // 6), figures)
            print(f"block {block + 1} of {options.blocks}", flush=True)
    print_table(results)


def print_table(results: dict[str, Figures]) -> None:
    """Print a Markdown table with ratios to the floor and to one session of ours."""
    bare, one = results["bare commit"], results["booking-bot, 1 sessions"]
    print("\n| | per second | CPU µs each | of the bare commit rate | ours ÷ it, wall | it ÷ ours, CPU |")
    print("|---|---|---|---|---|---|")
    for name, figures in results.items():
        print(
            f"| {name} | {figures.rate:,.0f} | {figures.cpu:,.0f} | {figures.rate / bare.rate:.2f} "
            f"| {one.rate / figures.rate:.2f} | {figures.cpu / one.cpu:.2f} |"
        )


if __name__ == "__main__":
    main()
