"""What counts as a name of this machine."""

from __future__ import annotations

import pytest

from booking_bot.channels.names import is_loopback


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("localhost.evil.example", False),
    ],
)
def test_what_counts_as_this_machine(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
