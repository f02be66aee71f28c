"""A room that has left the site since it was offered breaks no reading of sizes."""

from __future__ import annotations

import pytest

from booking_bot.dialogue.model import Pending
from booking_bot.language.reader import read
from tests.language.office import context


@pytest.mark.parametrize(
    "text", ["最大的那间", "最小的", "the biggest one", "the smallest", "换个大点的", "something bigger"]
)
def test_a_room_that_left_the_site_is_no_size(text: str) -> None:
    gone = context(pending=Pending.SELECT_ROOM, offered=("R1001", "GONE"), choices=2)
    assert read(text, gone).choice is None
