"""Predicates of the table about what a tool came back with: each reads after "if". Pure functions of the situation."""

from __future__ import annotations

from booking_bot.dialogue.model import ReadBackBook, ReadBackCancelSeveral
from booking_bot.dialogue.observations import Failed, Found, Listed, Resolved
from booking_bot.dialogue.plans_existing import matching
from booking_bot.dialogue.situation import Situation
from booking_bot.dialogue.sizes import of_the_size


def cancelling_several(s: Situation) -> bool:
    """The write that came back was of the cancellation of several bookings."""
    return isinstance(s.context.read_back, ReadBackCancelSeveral)


def sees_what_is_left(s: Situation) -> bool:
    """The list was fetched to see which of several bookings a write cancelled whose answer was lost."""
    return cancelling_several(s) and s.context.in_doubt and s.context.errand is None


def wanted_room_is_free(s: Situation) -> bool:
    """The room that was named or chosen before is among those found."""
    found = s.observation
    return isinstance(found, Found) and s.context.wanted_room in found.room_ids


def none_of_the_size(s: Situation) -> bool:
    """No room found is larger (smaller) than the one read back, which still stands."""
    found, wish = s.observation, s.reading.size
    if wish is None or not isinstance(found, Found) or not isinstance(s.context.read_back, ReadBackBook):
        return False
    return not of_the_size(wish, s.folded.context, s.site, found.room_ids)


def resolved_to_one(s: Situation) -> bool:
    """The words name exactly one thing."""
    return isinstance(s.observation, Resolved) and len(s.observation.matches) == 1


def resolved_to_several(s: Situation) -> bool:
    """The words may name several things."""
    return isinstance(s.observation, Resolved) and len(s.observation.matches) > 1


def moving(s: Situation) -> bool:
    """The search was for a place to move a booking to."""
    return s.context.errand is not None and s.context.errand.booking is not None


def booking(s: Situation) -> bool:
    """The write that came back was of a new booking."""
    return isinstance(s.context.read_back, ReadBackBook)


def uncertain(s: Situation) -> bool:
    """The answer of a write was lost."""
    return isinstance(s.observation, Failed) and s.observation.uncertain and s.observation.tool != "find_booking"


def lookup_failed(s: Situation) -> bool:
    """Even the look-up by key failed."""
    return isinstance(s.observation, Failed) and s.observation.tool == "find_booking"


def write_failed(s: Situation) -> bool:
    """A write did not take place."""
    writes = ("book_room", "move_booking", "cancel_booking", "cancel_bookings")
    return isinstance(s.observation, Failed) and s.observation.tool in writes


def on_errand(s: Situation) -> bool:
    """The list was fetched to find the booking that is meant."""
    return s.context.errand is not None


def none_matches(s: Situation) -> bool:
    """No booking of the user's is like the one meant."""
    return on_errand(s) and isinstance(s.observation, Listed) and not matching(s)


def all_to_cancel(s: Situation) -> bool:
    """All bookings that are like that shall be cancelled, and they are several."""
    errand = s.context.errand
    return errand is not None and errand.kind == "cancel" and errand.everything and len(matching(s)) > 1


def several_match(s: Situation) -> bool:
    """More than one booking is like the one meant."""
    return on_errand(s) and isinstance(s.observation, Listed) and len(matching(s)) > 1


def one_to_cancel(s: Situation) -> bool:
    """Exactly one booking is meant, and it shall be cancelled."""
    return s.context.errand is not None and s.context.errand.kind == "cancel" and len(matching(s)) == 1


def one_to_move_nowhere(s: Situation) -> bool:
    """Exactly one booking is meant, but nothing is said of where it shall go."""
    return _one_to_move(s) and s.context.errand is not None and not s.context.errand.says_where_to


def one_to_move(s: Situation) -> bool:
    """Exactly one booking is meant, and it is said where it shall go."""
    return _one_to_move(s)


def _one_to_move(s: Situation) -> bool:
    return s.context.errand is not None and s.context.errand.kind == "move" and len(matching(s)) == 1
