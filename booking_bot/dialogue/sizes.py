"""A larger or smaller room than the one under discussion: which that is, and which of the rooms found are. Pure."""

from __future__ import annotations

from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import ReadBackBook
from booking_bot.dialogue.reading import SizeWish
from booking_bot.dialogue.site import Site


def seats_compared_with(wish: SizeWish, context: BookingContext, site: Site) -> int | None:
    """Give the seats that a wish for another size starts from, None where nothing is under discussion.

    It is the room named, else the room read back, else the largest (smallest) shown, else the people who come.

    Args:
        context: as it was when the message came in, with the new slots.
    """
    read_back = context.read_back
    for room_id in (wish.than, read_back.order.room_id if isinstance(read_back, ReadBackBook) else None):
        if room_id in site.rooms_by_id:
            return site.rooms_by_id[room_id].seats
    shown = [site.rooms_by_id[room_id].seats for room_id in context.offers if room_id in site.rooms_by_id]
    if shown:
        return max(shown) if wish.larger else min(shown)
    people = context.slots.capacity
    return people.value if people is not None and wish.larger else None


def of_the_size(wish: SizeWish, context: BookingContext, site: Site, room_ids: tuple[str, ...]) -> tuple[str, ...]:
    """Give those of some rooms that have more (fewer) seats than the room under discussion, in their order."""
    seats = seats_compared_with(wish, context, site)
    if seats is None:
        return room_ids
    by_id = site.rooms_by_id
    return tuple(
        r for r in room_ids if r in by_id and (by_id[r].seats > seats if wish.larger else by_id[r].seats < seats)
    )
