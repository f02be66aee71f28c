"""What all tests share: no network but loopback."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Any

import pytest

_connect = socket.socket.connect


def _is_loopback(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket
    host = str(address[0])
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host.split("%", maxsplit=1)[0]).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections to anywhere else."""

    def connect(self: socket.socket, address: Any) -> None:
        if not _is_loopback(address):
            raise PermissionError(f"tests talk to loopback only, not to {address!r}")
        _connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the caller's settings and proxies out."""
    for name in list(os.environ):
        if name.startswith(("BOOKING_BOT_", "OPENAI_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the browser last: it is the slowest and the least likely to find a fault of the core."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """In CI a skipped test is a failed one."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
