"""Several processes on one database, processes killed in mid-write, and what reaches the disk."""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from booking_bot.adapters.sql import SqlStore, schema
from booking_bot.dialogue.model import Booking
from booking_bot.dialogue.site import Site
from tests.adapters.sql import rivals
from tests.adapters.sql.conftest import HandClock

RIVALS = 8
KILLS = 12
BOOKING = schema.METADATA.tables["booking"]


@pytest.fixture(scope="module")
def processes() -> Iterator[Any]:
    """Processes that start with everything imported."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.adapters.sql.rivals"])
    return context


async def all_booked(store: SqlStore) -> list[Any]:
    query = select(BOOKING).where(BOOKING.c.status == "booked").order_by(BOOKING.c.room_id, BOOKING.c.start_s)
    return await store.read(lambda r: list(r.connection.execute(query)))


async def test_racing_processes_never_overlap_and_each_slot_has_one_winner(
    url: str, site: Site, clock: HandClock, processes: Any
) -> None:
    """Half of them do not look before they write, so that it is the claims that refuse."""
    store = await SqlStore.open(url, site, clock)
    barrier, scores = processes.Barrier(RIVALS), processes.Queue()
    fighters = [processes.Process(target=rivals.fight, args=(url, i, barrier.wait, scores.put)) for i in range(RIVALS)]
    for fighter in fighters:
        fighter.start()
    told = [scores.get(timeout=60) for _ in fighters]
    for fighter in fighters:
        fighter.join()
        assert fighter.exitcode == 0
    winners = sorted(slot for score in told for slot in score.won)
    assert winners == sorted(rivals.SLOTS)
    rows = await all_booked(store)
    for earlier, later in pairwise(rows):
        assert earlier.room_id != later.room_id or earlier.end_s <= later.start_s
    live = {row.public_id for row in rows if row.room_id == "R2002"}
    assert live == {booking_id for score in told for booking_id in score.live}
    assert await store.findings() == ()
    await store.close()


def _read_until_killed(process: Any, told: Connection, after: int) -> list[tuple[str, Any]]:
    """Collect what the process tells, kill it after so many lines, and read what was still under way."""
    heard: list[tuple[str, Any]] = []
    try:
        while len(heard) < after or not wait([process.sentinel], timeout=0):
            heard.append(told.recv())
            if len(heard) == after:
                os.kill(process.pid, signal.SIGKILL)
    except (EOFError, OSError):
        pass
    process.join()
    return heard


async def test_a_killed_process_loses_nothing_it_acknowledged(
    tmp_path: Path, site: Site, clock: HandClock, processes: Any
) -> None:
    url = f"sqlite:///{tmp_path / 'kill.db'}"
    dice = random.Random(7)
    bookings: list[Booking] = []
    for number in range(KILLS):
        told, tell = processes.Pipe(duplex=False)
        process = processes.Process(target=rivals.write_for_ever, args=(url, number, tell.send))
        process.start()
        tell.close()
        heard = _read_until_killed(process, told, dice.randrange(1, 120))
        told.close()
        assert process.exitcode == -signal.SIGKILL
        bookings += [value for kind, value in heard if kind == "booking"]
        turns = dict(value for kind, value in heard if kind == "turn")
        store = await SqlStore.open(url, site, clock)
        for session, last in turns.items():
            stored = await store.load_session(session)
            assert stored is not None
            assert stored.version >= last
            assert len(await store.actions_of(session)) == stored.version
        assert {b.id for b in bookings} <= {row.public_id for row in await all_booked(store)}
        assert await store.findings() == ()
        await store.close()
    assert bookings


def test_a_turn_reaches_the_disk_with_one_fdatasync(tmp_path: Path) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")

    def syncs(turns: int) -> int:
        target, log = f"sqlite:///{tmp_path / f'{turns}.db'}", tmp_path / f"{turns}.txt"
        trace = ["strace", "-f", "-c", "-o", str(log), "-e", "trace=fdatasync,fsync"]
        done = subprocess.run(
            [*trace, sys.executable, "-m", "tests.adapters.sql.rivals", target, str(turns)],
            capture_output=True,
            text=True,
            check=False,
        )
        if "ptrace" in done.stderr:
            pytest.skip("strace may not trace here")
        assert done.returncode == 0, done.stderr
        counts = re.findall(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+).* (?:fdatasync|fsync)$", log.read_text(), re.MULTILINE)
        return sum(map(int, counts))

    before, after = syncs(10), syncs(210)
    assert before > 0
    assert after - before <= 200
