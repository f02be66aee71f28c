"""A read-back of a room that has left the site gives no size to compare with."""

from __future__ import annotations

import datetime as dt

from booking_bot.adapters.site_folder import load_site
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import BookingOrder, ReadBackBook
from booking_bot.dialogue.reading import SizeWish
from booking_bot.dialogue.sizes import of_the_size, seats_compared_with


def test_a_read_back_of_a_room_that_left_the_site_compares_with_nothing() -> None:
    order = BookingOrder(
        room_id="GONE",
        date=dt.date(2026, 12, 1),
        start_time=dt.time(14),
        duration_minutes=60,
        people=8,
        key="k" * 16,
    )
    context = BookingContext(session_id="s", user_id="u", read_back=ReadBackBook(order=order))
    wish, site = SizeWish(larger=True, words="大点的", than=None), load_site("demo")
    assert seats_compared_with(wish, context, site) is None
    assert of_the_size(wish, context, site, ("R1001",)) == ("R1001",)
