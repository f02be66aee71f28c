"""The prompt that is pending, made from the context alone: the state decides what is asked, never the last action."""

from __future__ import annotations

from typing import assert_never

from booking_bot.dialogue.actions import Say, say
from booking_bot.dialogue.context import (
    BookingContext,
    Errand,
    ProposedAlternative,
    ProposedBooking,
    ProposedRetry,
    ProposedValue,
)
from booking_bot.dialogue.model import (
    FILLED,
    Booking,
    Phase,
    ReadBackBook,
    ReadBackCancel,
    ReadBackCancelSeveral,
    ReadBackMove,
    ReadBackTool,
    SlotName,
    Slots,
)


def prompt(context: BookingContext) -> tuple[Say, ...]:
    """Give what is asked of the user now; empty when nothing is pending."""
    kinds = {type(p) for p in context.proposals}
    if ProposedBooking in kinds:
        return (say("which_booking", proposals=context.proposals, errand=context.errand),)
    if context.asks_place is not None:
        return (say("ask_place"),)
    if context.inquiry is not None:
        return (say("inquiry", inquiry=context.inquiry),)
    if context.errand is not None and context.errand.booking is not None:
        return _change_to_what(context, context.errand, context.errand.booking)
    match context.phase:
        case Phase.CONFIRMING:
            return _read_back(context)
        case Phase.AWAITING_SELECTION:
            return (say("offer_rooms", offers=context.offers, slots=context.slots),)
        case Phase.COLLECTING_SLOTS | Phase.SEARCHING:
            return _question(context)
        case Phase.BOOKED:
            return ()
        case _:
            assert_never(context.phase)


def _change_to_what(context: BookingContext, errand: Errand, booking: Booking) -> tuple[Say, ...]:
    """Ask what the booking becomes, or only for what was rejected of a change that stands otherwise."""
    if not errand.awaits:
        return (say("change_to_what", booking=booking, proposals=context.proposals),)
    values = tuple(p for p in context.proposals if isinstance(p, ProposedValue))
    question = say(f"ask_{errand.awaits[0]}", proposals=values, slots=context.slots)
    return say("change_so_far", booking=booking, slots=_slots_of(errand)), question


def _slots_of(errand: Errand) -> Slots:
    """Give the new values of a change as slots, to be said like a draft's."""
    new: dict[SlotName, object] = {
        "date": errand.new_date,
        "start_time": errand.new_start_time,
        "duration_minutes": errand.new_duration_minutes,
        "capacity": errand.new_capacity,
        "building": errand.new_building,
        "floor": errand.new_floor,
        "equipment": errand.new_equipment or None,
        "excluded": errand.new_excluded or None,
    }
    filled: dict[str, object] = {name: FILLED[name](value=value) for name, value in new.items() if value is not None}
    return Slots().model_copy(update=filled)


def _read_back(context: BookingContext) -> tuple[Say, ...]:
    match context.read_back:
        case ReadBackBook(order=order):
            return (say("read_back", order=order, slots=context.slots),)
        case ReadBackMove(booking=booking, change=change):
            return (say("read_back_move", booking=booking, change=change),)
        case ReadBackCancel(booking=booking):
            return (say("read_back_cancel", booking=booking),)
        case ReadBackCancelSeveral(bookings=bookings):
            return (say("read_back_cancel_several", bookings=bookings),)
        case ReadBackTool(tool=tool, arguments=arguments):
            return (say("read_back_tool", tool=tool, arguments=arguments.text),)
        case None:
            return ()
        case _:
            assert_never(context.read_back)


def answers(context: BookingContext) -> tuple[Say, Say] | None:
    """Give what a yes and what a no to the pending read-back would do; None when nothing is read back."""
    match context.read_back if context.phase is Phase.CONFIRMING else None:
        case ReadBackBook(order=order):
            return say("yes_book", order=order), say("no_book")
        case ReadBackMove(change=change):
            return say("yes_move", change=change), say("no_move")
        case ReadBackCancel(booking=booking):
            return say("yes_cancel", booking=booking), say("no_cancel")
        case ReadBackCancelSeveral(bookings=bookings):
            return say("yes_cancel_several", count=len(bookings)), say("no_cancel_several")
        case ReadBackTool(tool=tool):
            return say("yes_tool", tool=tool), say("no_tool")
        case _:
            return None


def _question(context: BookingContext) -> tuple[Say, ...]:
    proposals = context.proposals
    if any(isinstance(p, ProposedAlternative) for p in proposals):
        return (say("alternatives", proposals=proposals, slots=context.slots),)
    if any(isinstance(p, ProposedRetry) for p in proposals):
        return (say("ask_retry"),)
    values = tuple(p for p in proposals if isinstance(p, ProposedValue))
    if context.asks is not None:
        return (say(f"ask_{context.asks}", proposals=values, slots=context.slots),)
    return ()
