"""The description against the server: schemathesis makes up requests from it and judges every answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import positive_data_acceptance

from booking_bot.channels.http_api import openapi
from tests.channels.http_api.conftest import served

EXAMPLES = 12
"""Requests made up for each operation: a bounded look at every one of them."""

schema = schemathesis.openapi.from_dict(openapi())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Run the server in a thread of its own; schemathesis speaks to it over the network."""
    begun, over = threading.Event(), threading.Event()
    found: list[str] = []

    async def live() -> None:
        async with served("sqlite://") as url:
            found.append(url)
            begun.set()
            await asyncio.to_thread(over.wait)

    thread = threading.Thread(target=asyncio.run, args=(live(),))
    thread.start()
    assert begun.wait(20)
    yield found[0]
    over.set()
    thread.join(20)


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: Any, address: str) -> None:
    # What is legal by its form may still break a house rule (422), so acceptance is not judged.
    case.call_and_validate(base_url=address, excluded_checks=[positive_data_acceptance], timeout=10)
