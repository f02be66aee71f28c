"""A lean WebSocket client for load: many connections in one process, several times cheaper than the servers it loads.

Run by `benchmarks.sockets` as a process of its own; prints one line of JSON. Loopback only.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime as dt
import gc
import json
import os
import struct
import sys
import time
from collections import deque
from typing import Final, cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
ECHO_TEXT: Final = "明天下午2点8人会议室，请帮我订一间" * 3
"""About 150 bytes: as long as a chat frame with a message in it."""
IDLE_AT_ONCE: Final = 20
"""So many speak at once where memory is measured: what a burst needs for a moment is not what a connection costs."""
FIRST_DAY: Final = dt.date(2027, 1, 1)
HELLO: Final = b'{"type":"hello","session_id":null,"last_seq":0,"token":null,"language":"auto"}'


class Counts:
    """What all connections of the client have seen."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.turns = 0
        self.booked = 0
        self.talks = 0
        self.errors: dict[str, int] = {}
        self.measuring = False
        self.stopped = False
        self.free: deque[Connection] | None = None
        self.days = 0

    def failed(self, what: str) -> None:
        """Count an error."""
        self.errors[what] = self.errors.get(what, 0) + 1

    def next_day(self) -> str:
        """Give a day nobody has booked yet."""
        self.days += 1
        return (FIRST_DAY + dt.timedelta(days=self.days)).isoformat()


class Connection(asyncio.Protocol):
    """One connection that either echoes or books rooms, a turn after the other."""

    def __init__(self, counts: Counts, host: str, path: str, number: int, *, chat: bool) -> None:
        self.counts, self.host, self.path, self.number, self.chat = counts, host, path, number, chat
        self.transport: asyncio.Transport
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.buffer = b""
        self.upgraded = False
        self.turn = 0
        self.sent_at = 0.0
        self.waiting = False
        self.day = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's are none by class
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {self.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def write(self, payload: bytes, opcode: int = TEXT) -> None:
        """Send a frame; its mask is zero, which leaves the payload as it is."""
        n = len(payload)
        head = bytes((0x80 | opcode, 0x80 | n)) if n < 126 else struct.pack("!BBH", 0x80 | opcode, 0xFE, n)
        self.transport.write(head + b"\0\0\0\0" + payload)

    def data_received(self, data: bytes) -> None:
        data = self.buffer + data if self.buffer else data
        if not self.upgraded:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self.buffer = data
                return
            if b" 101 " not in data[:20]:
                self.counts.failed(data[:20].decode("latin1"))
                self.transport.close()
                return
            self.upgraded = True
            data = data[end + 4 :]
            if self.chat:
                self.write(HELLO)
            else:
                self.ready.set_result(None)
        self.buffer = data[self._frames(data) :]

    def _frames(self, data: bytes) -> int:
        at, size = 0, len(data)
        while size - at >= 2:
            length, body = data[at + 1], at + 2
            if length == 126:
                if size - at < 4:
                    break
                length, body = (data[at + 2] << 8) | data[at + 3], at + 4
            elif length == 127:
                if size - at < 10:
                    break
                length, body = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if size - body < length:
                break
            opcode = data[at] & 15
            at = body + length
            if opcode == TEXT:
                self._message(data[body:at])
            elif opcode == PING:
                self.write(data[body:at], PONG)
            elif opcode == CLOSE:
                self.counts.failed(f"closed {int.from_bytes(data[body : body + 2], 'big')}")
                self.transport.close()
        return at

    def _message(self, payload: bytes) -> None:
        if self.chat:
            if not self.ready.done():
                if b'"STATE_SNAPSHOT"' in payload:
                    self.ready.set_result(None)
                return
            if b'"RUN_ERROR"' in payload:
                self.counts.failed(payload[:120].decode("utf-8", "replace"))
            elif b'"RUN_FINISHED"' not in payload:
                if self.turn == 4 and b'"phase":"BOOKED"' in payload:
                    self.counts.booked += 1
                return
        if not self.waiting:
            return
        self.waiting = False
        counts = self.counts
        counts.turns += 1
        if counts.measuring:
            counts.latencies.append(time.perf_counter() - self.sent_at)
        if counts.stopped:
            return
        if counts.free is not None:
            counts.free.append(self)
        else:
            self.speak(time.perf_counter())

    def speak(self, at: float) -> None:
        """Send the next message; its latency counts from `at`."""
        self.sent_at = at
        self.waiting = True
        self.write(self._next() if self.chat else ECHO_TEXT.encode())

    def _next(self) -> bytes:
        if self.turn in (0, 4):
            self.turn = 0
            self.day = self.counts.next_day()
            self.counts.talks += 1
        text = (f"{self.day}下午2点8人会议室", "1小时", "选1", "确认")[self.turn]
        self.turn += 1
        return f'{{"type":"message","id":"{self.number}-{self.day}-{self.turn}","text":"{text}"}}'.encode()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(error or ConnectionError("closed"))
        elif not self.counts.stopped:
            self.counts.failed("lost")


class Client:
    """All connections to one server."""

    def __init__(self, port: int, *, chat: bool) -> None:
        self.port, self.chat = port, chat
        self.counts = Counts()
        self.connections: list[Connection] = []

    async def dial(self) -> Connection:
        """Open one connection and say hello on it."""
        number = len(self.connections)
        path = "/ws" if self.chat else "/"

        def make() -> Connection:
            return Connection(self.counts, f"127.0.0.1:{self.port}", path, number, chat=self.chat)

        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(make, "127.0.0.1", self.port)
        await asyncio.wait_for(connection.ready, 30)
        return connection

    async def dial_all(self, count: int, at_once: int = 50) -> None:
        """Open many connections, some at a time."""
        gate = asyncio.Semaphore(at_once)

        async def one() -> None:
            async with gate:
                self.connections.append(await self.dial())

        await asyncio.gather(*(one() for _ in range(count)))

    async def talk(self, count: int, seconds: float, warm: float, rate: float, server_pid: int) -> dict[str, object]:
        """Let all connections talk, as fast as answers come or at a fixed total rate."""
        await self.dial_all(count)
        gc.collect()
        gc.freeze()
        counts = self.counts
        if rate:
            counts.free = deque(self.connections)
            pacing = asyncio.create_task(self._pace(rate))
        else:
            for connection in self.connections:
                connection.speak(time.perf_counter())
        await asyncio.sleep(warm)
        counts.measuring = True
        turns, wall, cpu, served = counts.turns, time.perf_counter(), time.process_time(), cpu_s(server_pid)
        await asyncio.sleep(seconds)
        wall, cpu, served = time.perf_counter() - wall, time.process_time() - cpu, cpu_s(server_pid) - served
        done = counts.turns - turns
        counts.stopped = True
        if rate:
            pacing.cancel()
        for connection in self.connections:
            connection.transport.abort()
        ordered = sorted(counts.latencies)
        return {
            "per_s": round(done / wall, 1),
            "p50_ms": percentile(ordered, 0.5),
            "p99_ms": percentile(ordered, 0.99),
            "client_cpu": round(cpu / wall, 2),
            "server_us": round(served / max(1, done) * 1e6, 1),
            "talks": counts.talks,
            "booked": counts.booked,
            "errors": counts.errors,
        }

    async def _pace(self, rate: float) -> None:
        counts, sent, start = self.counts, 0, time.perf_counter()
        assert counts.free is not None
        while True:
            now = time.perf_counter()
            while start + sent / rate <= now and counts.free:
                counts.free.popleft().speak(start + sent / rate)
                sent += 1
            await asyncio.sleep(max(0.001, start + sent / rate - now))

    async def idle(self, count: int, server_pid: int) -> dict[str, object]:
        """Open connections, say one thing on each, and see what they cost the server."""
        before = resident_kib(server_pid)
        wall = time.perf_counter()
        await self.dial_all(count)
        wall = time.perf_counter() - wall
        self.counts.free = deque()
        for first in range(0, count, IDLE_AT_ONCE):
            for connection in self.connections[first : first + IDLE_AT_ONCE]:
                connection.speak(time.perf_counter())
            for _ in range(1200):
                if self.counts.turns >= min(count, first + IDLE_AT_ONCE):
                    break
                await asyncio.sleep(0.005)
        await asyncio.sleep(1)
        each = (resident_kib(server_pid) - before) / count
        self.counts.stopped = True
        return {"kib_each": round(each, 2), "dialled_per_s": round(count / wall), "errors": self.counts.errors}

    async def connect(self, seconds: float, at_once: int) -> dict[str, object]:
        """Open and close connections as fast as it goes."""
        self.counts.stopped = True
        done, end = 0, time.perf_counter() + seconds

        async def one() -> None:
            nonlocal done
            while time.perf_counter() < end:
                connection = await self.dial()
                connection.transport.abort()
                done += 1

        await asyncio.gather(*(one() for _ in range(at_once)))
        return {"per_s": round(done / seconds, 1)}


def percentile(ordered: list[float], share: float) -> float | None:
    """Give a percentile of ascending seconds in milliseconds."""
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 3) if ordered else None


def cpu_s(pid: int) -> float:
    """Give the CPU seconds a process has used, all its threads together."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123  # read many times
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident_kib(pid: int) -> int:
    """Give a process's resident memory in KiB."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:  # noqa: PTH123  # read many times
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


async def run(options: argparse.Namespace) -> dict[str, object]:
    """Do what was asked."""
    client = Client(options.port, chat=options.chat)
    if options.mode == "talk":
        return await client.talk(options.connections, options.seconds, options.warm, options.rate, options.server_pid)
    if options.mode == "idle":
        return await client.idle(options.connections, options.server_pid)
    return await client.connect(options.seconds, options.connections)


def main() -> None:
    """Read the command line, run, print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=("talk", "idle", "connect"))
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--chat", action="store_true")
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--warm", type=float, default=1)
    parser.add_argument("--rate", type=float, default=0)
    parser.add_argument("--server-pid", type=int, default=0)
    options = parser.parse_args()
    with contextlib.suppress(ImportError):
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    loop = asyncio.new_event_loop()
    print(json.dumps(loop.run_until_complete(run(options))))
    sys.stdout.flush()
    os._exit(0)  # thousands of open connections need no farewell


if __name__ == "__main__":
    main()
