"""The chat server under load, beside a bare `websockets` echo in the same run.

    python -m benchmarks.sockets [--blocks 3] [--seconds 3] [--idle 2000]
                                 [--langgraph PATH_OF_langgraph_bot.py --python PYTHON]

Servers and client are processes of their own; ours and the echo take turns block by block, so that a slow minute of the
machine hits both. Ours books rooms (four durable turns a booking, SQLite FULL, on a file); the echo sends back what it
gets. Both use the same event loop, no compression and the same rare collections of garbage.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.turns import NOW, Figures, langgraph, wide_site
from booking_bot.app import BookingBot
from booking_bot.channels.garbage import collect_seldom
from booking_bot.channels.websocket import ChatServer, Limits
from booking_bot.engine import Answered, Said
from booking_bot.ports import Observer
from booking_bot.wire import count_events

UNLIMITED = Limits(
    connection_rate=1e9, connection_burst=10**9, user_rate=1e9, user_burst=10**9, hello_s=600, idle_s=3600
)
"""The client is one user at machine speed: rates for people would only measure themselves."""
PING_S = 20.0


def with_best_loop(main: Any) -> None:
    """Run a server on uvloop where it is installed."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with contextlib.suppress(ImportError):
        import uvloop

        uvloop.run(main)
        return
    asyncio.run(main)


async def serve_ours(folder: Path) -> None:
    """Serve the chat until killed."""
    site = folder / "wide"
    async with await BookingBot.open(
        site=site if site.exists() else wide_site(folder),
        db=f"sqlite:///{folder}/ours.db",
        now=NOW,
        count_events=count_events,
    ) as bot:
        server = await ChatServer(bot, limits=UNLIMITED).start("127.0.0.1", 0)
        collect_seldom()
        print(server.port, flush=True)
        await asyncio.Future()


async def serve_canned() -> None:
    """Serve the chat with one answer for everything until killed: the server without the dialogue and the database."""
    async with await BookingBot.open(site="demo", db="sqlite://", now=NOW, count_events=count_events) as bot:
        answer = await bot.engine.handle(Said("guest/canned", "guest", "明天下午2点8人会议室"))
        events = count_events(answer.reply)
        next_seq: dict[str, int] = {}

        async def canned(said: Said, _on_event: Observer | None = None) -> Answered:
            first = next_seq.get(said.session_id, 1)
            next_seq[said.session_id] = first + events
            return replace(answer, first_seq=first, message_id=said.message_id)

        bot.engine.handle = canned
        server = await ChatServer(bot, limits=UNLIMITED).start("127.0.0.1", 0)
        collect_seldom()
        print(server.port, flush=True)
        await asyncio.Future()


async def serve_echo() -> None:
    """Serve a bare echo until killed."""
    from websockets.asyncio.server import ServerConnection, serve
    from websockets.exceptions import ConnectionClosed

    async def echo(connection: ServerConnection) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for message in connection:
                await connection.send(message)

    async with serve(echo, "127.0.0.1", 0, compression=None, backlog=1024, ping_interval=PING_S) as server:
        collect_seldom()
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.Future()


@dataclass
class Served:
    """A running server: its process and port, and how to talk to it."""

    process: subprocess.Popen[str]
    port: int
    chat: bool

    def client(self, mode: str, **options: float) -> dict[str, Any]:
        """Run the client and give what it saw."""
        command = [sys.executable, "-m", "benchmarks.socket_client", mode, "--port", str(self.port)]
        command += ["--chat"] if self.chat else []
        command += ["--server-pid", str(self.process.pid)]
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
        seen: dict[str, Any] = json.loads(done.stdout)
        if seen.get("errors"):
            print("errors:", seen["errors"], file=sys.stderr)
        return seen


@contextlib.contextmanager
def served(what: str, folder: Path) -> Iterator[Served]:
    """Run a server in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.sockets", "--serve", what, "--folder", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Served(process, int(process.stdout.readline()), what != "echo")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@dataclass
class Samples:
    """One number a block."""

    values: list[float] = field(default_factory=list)

    def add(self, value: float | None) -> None:
        """Note a block's number."""
        if value is not None:
            self.values.append(value)

    @property
    def median(self) -> float:
        """The median over the blocks."""
        return statistics.median(self.values) if self.values else float("nan")


class Table:
    """Samples by contender and by what was measured."""

    def __init__(self) -> None:
        self.samples: dict[tuple[str, str], Samples] = {}

    def add(self, who: str, what: str, value: float | None) -> None:
        """Note a block's number."""
        self.samples.setdefault((who, what), Samples()).add(value)

    def __call__(self, who: str, what: str) -> float:
        """Give the median of what was noted."""
        return self.samples[who, what].median


def measure(options: argparse.Namespace, folder: Path) -> Table:
    """Run all blocks."""
    table = Table()
    for block in range(options.blocks):
        for connections in (100, 1000):
            for who in ("echo", "ours", "canned"):
                with served(who, folder) as server:
                    seen = server.client("talk", connections=connections, seconds=options.seconds)
                    table.add(who, f"per_s {connections}", seen["per_s"])
                    table.add(who, f"p99 {connections}", seen["p99_ms"])
                    table.add(who, f"cpu {connections}", seen["server_us"])
        rate = table("ours", "per_s 1000") / 2
        for who in ("echo", "ours"):
            with served(who, folder) as server:
                seen = server.client("talk", connections=1000, seconds=options.seconds, rate=rate)
                table.add(who, "p50 half", seen["p50_ms"])
                table.add(who, "p99 half", seen["p99_ms"])
            with served(who, folder) as server:
                table.add(who, "kib", server.client("idle", connections=options.idle)["kib_each"])
            with served(who, folder) as server:
                table.add(who, "connects", server.client("connect", connections=50, seconds=options.seconds)["per_s"])
        print(f"block {block + 1} of {options.blocks}", flush=True)
    return table


def report(table: Table, peers: dict[str, Figures]) -> None:
    """Print a Markdown table, and the ratios with what they aim at."""
    rows = [
        ("turns/s, 100 connections", "per_s 100", ",.0f"),
        ("turns/s, 1,000 connections", "per_s 1000", ",.0f"),
        ("server CPU µs a turn, 100 connections", "cpu 100", ",.0f"),
        ("server CPU µs a turn, 1,000 connections", "cpu 1000", ",.0f"),
        ("p99 ms at full load, 100 connections", "p99 100", ",.1f"),
        ("p99 ms at full load, 1,000 connections", "p99 1000", ",.1f"),
        ("p50 ms at half of our maximum, 1,000 connections", "p50 half", ",.2f"),
        ("p99 ms at half of our maximum, 1,000 connections", "p99 half", ",.2f"),
        ("KiB a connection, one message said", "kib", ",.1f"),
        ("connections/s (with hello)", "connects", ",.0f"),
    ]
    print("\n| | ours | bare echo | ours ÷ echo |\n|---|---|---|---|")
    for label, what, shown in rows:
        ours, echo = table("ours", what), table("echo", what)
        print(f"| {label} | {ours:{shown}} | {echo:{shown}} | {ours / echo:.2f} |")
    canned = table("canned", "per_s 100")
    print(f"\nwithout dialogue and database, 100 connections: {canned:,.0f} turns/s, ", end="")
    print(f"{table('canned', 'cpu 100'):,.0f} µs CPU a turn, {canned / table('echo', 'per_s 100'):.0%} of the echo")
    by_time = table("ours", "per_s 100") / table("echo", "per_s 100")
    by_cpu = table("echo", "cpu 100") / table("ours", "cpu 100")
    print(f"turns a second, 100 connections: {by_time:.1%} of the echo's, {by_cpu:.1%} by CPU (aim: 12 % or more)")
    for name, figures in peers.items():
        wall, cpu = table("ours", "per_s 100") / figures.rate, figures.cpu / table("ours", "cpu 100")
        shown = f"{figures.rate:,.0f}/s, {figures.cpu:,.0f} µs CPU"
        print(f"turns a second: {wall:.1f}× those of {name} in process, {cpu:.1f}× by CPU ({shown})")
    late = table("ours", "p99 half") / table("echo", "p99 half")
    print(f"p99 at half load: {late:.1f}× the echo's at that rate (aim: 5 or less)")
    print(f"idle connections a GiB: {table('echo', 'kib') / table('ours', 'kib'):.2f}× the echo's (aim: 0.6 or more)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--idle", type=int, default=2000, help="idle connections for the memory of each")
    parser.add_argument("--langgraph", type=Path, help="the peer's script, run in a process of its own")
    parser.add_argument("--python", default="python3", help="an interpreter that has the peer installed")
    parser.add_argument("--serve", choices=("ours", "canned", "echo"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        if options.serve == "ours":
            with_best_loop(serve_ours(options.folder))
        else:
            with_best_loop(serve_canned() if options.serve == "canned" else serve_echo())
        return
    begun = time.monotonic()
    peers: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder:
        table = measure(options, Path(folder))
    if options.langgraph:
        for name, form in (
            ("LangGraph + SqliteSaver", ()),
            ("LangGraph tuned", ("--state", "split", "--durability", "exit")),
        ):
            figures = peers.setdefault(name, Figures())
            for _ in range(options.blocks):
                langgraph(options.python, options.langgraph, form, 10, figures)
    report(table, peers)
    print(f"\n{options.blocks} blocks in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
