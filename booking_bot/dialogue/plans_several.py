"""What a row does to cancel several bookings at once, behind one yes to the whole list. Pure functions."""

from __future__ import annotations

from typing import Final

from booking_bot.dialogue.actions import Call, Step, say
from booking_bot.dialogue.model import Cancellation, Cancellations, NoArguments, Phase, ReadBackCancelSeveral
from booking_bot.dialogue.observations import CancelledSeveral, Listed
from booking_bot.dialogue.plans import notices, settled
from booking_bot.dialogue.plans_changing import came_from, confirming, had_draft
from booking_bot.dialogue.plans_existing import matching
from booking_bot.dialogue.situation import Situation

KEY_LENGTH: Final = 56
"""Characters of the turn's key that the keys of the single cancellations begin with; a number follows."""


def read_back_all(s: Situation) -> Step:
    """Read back the whole list of bookings that would be cancelled."""
    bookings = matching(s)
    items = tuple(
        Cancellation(booking_id=booking.id, version=booking.version, key=f"{s.key[:KEY_LENGTH]}-{number}")
        for number, booking in enumerate(bookings, 1)
    )
    read_back = ReadBackCancelSeveral(
        bookings=bookings, cancellations=Cancellations(items=items), came_from=came_from(s.context)
    )
    return settled(confirming(s.context, read_back), *notices(s))


def cancel_bookings(s: Situation) -> Step:
    """Cancel exactly the bookings that were read back."""
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackCancelSeveral)  # noqa: S101  # the guard's own condition
    return Step(s.context, (), Call("cancel_bookings", read_back.cancellations))


def say_all_or_none(s: Situation) -> Step:
    """Say that the list is cancelled whole or not at all, and how to cancel single ones; it is still asked."""
    return settled(s.context.with_(errand=None, proposals=()), say("all_or_none"))


def tell_cancelled(s: Situation) -> Step:
    """Say which bookings are cancelled, and which of the list are not."""
    told = s.observation
    assert isinstance(told, CancelledSeveral)  # noqa: S101  # the row's own observation
    return _tell(s, frozenset(told.left))


def see_what_is_left(s: Situation) -> Step:
    """The answer was lost, but something was cancelled: fetch the list to see what."""
    return Step(s.context.with_(in_doubt=True), (), Call("list_bookings", NoArguments()))


def tell_what_is_left(s: Situation) -> Step:
    """Say which of the bookings are cancelled: those that are not listed any more."""
    listed = s.observation
    assert isinstance(listed, Listed)  # noqa: S101  # the row's own observation
    return _tell(s, frozenset(booking.id for booking in listed.bookings))


def _tell(s: Situation, left: frozenset[str]) -> Step:
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackCancelSeveral)  # noqa: S101  # the guard's own condition
    cancelled = tuple(booking for booking in read_back.bookings if booking.id not in left)
    standing = tuple(booking for booking in read_back.bookings if booking.id in left)
    says = [say("cancelled_several", bookings=cancelled)] if cancelled else []
    says += [say("not_cancelled", bookings=standing)] if standing else []
    says += [say("draft_put_aside")] if had_draft(s.context) else []
    context = s.context.without_draft().with_(phase=Phase.COLLECTING_SLOTS, booking=None)
    return Step(context, tuple(says))
