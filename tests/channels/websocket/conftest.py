"""A chat server on a real socket, over a database file of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.channels.websocket.talking import House


@pytest.fixture
async def empty_house(tmp_path: Path) -> AsyncIterator[House]:
    """A house to open as the test likes."""
    house = House(f"sqlite:///{tmp_path / 'bookings.db'}")
    yield house
    await house.close()


@pytest.fixture
async def house(empty_house: House) -> House:
    """An open house for guests."""
    return await empty_house.open()
