"""Programs that read standard input end promptly when they are told to, while it stays open."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

NOW = "2026-11-30T09:00:00+08:00"
PROMPT_S = 40
"""Far above what stopping takes, far below for ever."""
INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    b'"clientInfo":{"name":"t","version":"1"}}}\n'
)


def _start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "booking_bot", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env={**os.environ, "BOOKING_BOT_NOW": NOW},
    )


def _stop(process: subprocess.Popen[bytes], number: signal.Signals) -> tuple[int, bytes]:
    assert process.stdin is not None and process.stderr is not None and process.stdout is not None
    try:
        process.send_signal(number)
        code = process.wait(PROMPT_S)
        return code, process.stderr.read()
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["TERM", "INT"])
def test_an_mcp_server_ends_at_a_signal(tmp_path: Path, number: signal.Signals) -> None:
    process = _start(tmp_path, "mcp")
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(INITIALIZE)
    process.stdin.flush()
    assert b"booking-bot" in process.stdout.readline()
    assert _stop(process, number) == (0, b"")


def test_a_piped_talk_ends_at_ctrl_c_and_is_kept(tmp_path: Path) -> None:
    process = _start(tmp_path, "chat", "--record", "talk.yaml")
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("明天下午2点8人会议室\n".encode())
    process.stdin.flush()
    assert process.stdout.readline()
    time.sleep(0.2)  # until it waits for the next line
    assert _stop(process, signal.SIGINT) == (130, b"")
    assert "明天下午2点8人会议室" in (tmp_path / "talk.yaml").read_text("utf-8")
