"""What a message is about: the draft, a booking that exists, or a wish of its own. Pure predicates."""

from __future__ import annotations

from typing import Final

from booking_bot.dialogue.context import (
    BookingContext,
    Proposal,
    ProposedValue,
)
from booking_bot.dialogue.model import (
    Pending,
    Phase,
    ReadBackBook,
    ReadBackCancel,
    ReadBackCancelSeveral,
    ReadBackChange,
    ReadBackMove,
    ReadBackTool,
    Slots,
)
from booking_bot.dialogue.reading import Reading, Values

ASIDE_INTENTS: Final = frozenset({"cancel", "list", "weather"})
"""Intents whose values are not meant for the draft: they name a booking, a range of days, a day's weather."""
_NOT_A_CHANGE: Final = ASIDE_INTENTS | {"help", "smalltalk"}
"""Intents that are never a change of an existing booking, whatever was asked."""


def speaks_of_a_booking(context: BookingContext, reading: Reading) -> bool:
    """Tell whether the message is about changing a booking that exists, rather than the draft."""
    if reading.intent in ("reschedule", "extend"):
        names_one = reading.this_booking or reading.named != Values() or reading.named_room is not None
        return names_one or not is_draft_under_way(context)
    if reading.intent in _NOT_A_CHANGE:
        return False
    if context.phase is Phase.BOOKED and context.booking is not None and reading.intent == "change":
        return True
    names_a_room = isinstance(reading.choice, str) and not is_draft_under_way(context)
    says_something = reading.values != Values() or names_a_room
    if isinstance(context.read_back, ReadBackMove):
        return says_something and not is_whole_wish(reading.values)
    if isinstance(context.read_back, ReadBackCancel | ReadBackCancelSeveral):
        return reading.intent == "change" and reading.values != Values()
    errand = context.errand
    return errand is not None and errand.booking is not None and says_something and not is_whole_wish(reading.values)


def is_whole_wish(values: Values) -> bool:
    """Tell a wish of its own from a change: it says three or more of when, how long and for how many."""
    length = values.duration_minutes or values.end_time
    return sum(part is not None for part in (values.date, values.start_time, length, values.capacity)) >= 3


def compares_sizes(context: BookingContext, reading: Reading) -> bool:
    """Tell whether a larger or smaller room is wanted for the draft, rather than for a booking that exists."""
    if reading.size is None or reading.intent in _NOT_A_CHANGE or speaks_of_a_booking(context, reading):
        return False
    return context.errand is None and not isinstance(context.read_back, ReadBackChange | ReadBackTool)


def takes_new_value(context: BookingContext, accepted: Proposal | None) -> bool:
    """Tell whether a proposed value was taken for an existing booking, rather than for the draft."""
    errand = context.errand
    return errand is not None and errand.booking is not None and isinstance(accepted, ProposedValue)


def is_draft_under_way(context: BookingContext) -> bool:
    """Tell whether there is anything of a draft to drop or to change."""
    match context.phase:
        case Phase.AWAITING_SELECTION:
            return True
        case Phase.CONFIRMING:
            return isinstance(context.read_back, ReadBackBook) or context.suspended is not None
        case Phase.BOOKED:
            return False
        case _:
            return context.slots != Slots() or context.pending is Pending.CLARIFY
