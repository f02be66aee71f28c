"""What a row does about bookings that exist: listing them and finding the one that is meant. Pure functions.

Moving and cancelling it are in `plans_changing`, what happens when that does not take place in `plans_undone`.
"""

from __future__ import annotations

import datetime as dt

from booking_bot.dialogue.actions import Call, Step, say
from booking_bot.dialogue.context import BookingContext, Errand, ProposedBooking
from booking_bot.dialogue.exclusion import rooms_in
from booking_bot.dialogue.fold import with_proposal
from booking_bot.dialogue.model import (
    Booking,
    BookingChange,
    NoArguments,
    Pending,
    Phase,
    ReadBackMove,
)
from booking_bot.dialogue.observations import Listed
from booking_bot.dialogue.plans import notices, settled
from booking_bot.dialogue.reading import Values
from booking_bot.dialogue.resuming import resumed, set_aside
from booking_bot.dialogue.situation import Situation


def list_bookings(s: Situation) -> Step:
    """Fetch the user's bookings."""
    return Step(s.context, (), Call("list_bookings", NoArguments()))


def tell_bookings(s: Situation) -> Step:
    """Show the bookings, numbered, then what is pending."""
    listed = s.observation
    assert isinstance(listed, Listed)  # noqa: S101  # the row's own observation
    wanted = s.reading.values
    shown = tuple(b for b in listed.bookings if wanted.date is None or b.date == wanted.date)
    last = s.context.booking
    fresh = next((b for b in listed.bookings if last is not None and b.id == last.id), None)
    context = s.context.with_(listed=tuple(b.id for b in shown[:20]), booking=fresh)
    if not shown:
        return settled(context, say("no_bookings", date=wanted.date))
    return settled(context, say("bookings", bookings=shown))


# --- finding the booking that is meant -----------------------------------------------------------------------------


def find_booking_to_cancel(s: Situation) -> Step:
    """Fetch the bookings to find the one to cancel."""
    errand = _named(s, Errand(kind="cancel", everything=s.reading.everything), s.reading.values)
    return _fetch(s, errand)


def find_booking_to_move(s: Situation) -> Step:
    """Fetch the bookings to find the one to move."""
    errand = s.context.errand
    if errand is None or errand.kind != "move" or errand.booking is None:
        errand = _named(s, Errand(kind="move"), s.reading.named)
        read_back = s.context.read_back
        if isinstance(read_back, ReadBackMove):
            errand = _of_change(read_back.booking, read_back.change)
    return _fetch(s, _with_new_values(errand, s, with_proposal(s.reading.values, s.folded.accepted)))


def find_picked_booking(s: Situation) -> Step:
    """Fetch the booking that was picked by its number, as it is now."""
    picked = s.folded.accepted
    assert isinstance(picked, ProposedBooking) and s.context.errand is not None  # noqa: S101  # the guard's own
    return _fetch(s, s.context.errand.model_copy(update={"booking_id": picked.booking.id}))


def _fetch(s: Situation, errand: Errand) -> Step:
    return Step(set_aside(s.context).with_(errand=errand), (), Call("list_bookings", NoArguments()))


def _named(s: Situation, errand: Errand, named: Values) -> Errand:
    """Write down what names the booking: its day, start, room, its number in the last list, or "this one"."""
    choice = s.reading.choice
    room_id = booking_id = None
    if isinstance(choice, int) and s.context.listed:
        index = len(s.context.listed) - 1 if choice == -1 else choice - 1
        booking_id = s.context.listed[index] if 0 <= index < len(s.context.listed) else "?"
    elif isinstance(choice, str) and errand.kind == "cancel":
        room_id = choice
    room_id = s.reading.named_room or room_id
    said_nothing = all(said is None for said in (room_id, booking_id, named.date, named.start_time))
    said_nothing = said_nothing and not (s.reading.unread or errand.everything)  # "bob's meeting" is not the last one
    if said_nothing and s.context.booking is not None and (s.reading.this_booking or s.context.phase is Phase.BOOKED):
        booking_id = s.context.booking.id
    return errand.model_copy(
        update={
            "date": named.date,
            "start_time": named.start_time,
            "room_id": room_id,
            "booking_id": booking_id,
        }
    )


def _with_new_values(errand: Errand, s: Situation, values: Values) -> Errand:
    reading = s.reading
    new = {
        "new_date": values.date,
        "new_start_time": values.start_time,
        "new_duration_minutes": values.duration_minutes,
        "new_end_time": values.end_time,
        "new_building": values.building,
        "new_floor": values.floor,
        "new_excluded": rooms_in(s.site, values.excluded) if values.excluded is not None else None,
        "new_equipment": values.equipment,
        "new_capacity": values.capacity,
        "minutes_more": values.minutes_more,
        "minutes_later": values.minutes_later,
        "days_later": values.days_later,
        "new_room_id": _room_id(s, reading.choice) if isinstance(reading.choice, str) else None,
    }
    return errand.model_copy(update={key: value for key, value in new.items() if value is not None})


def _room_id(s: Situation, said: str) -> str:
    """Give the id of a room that was said, or the words where the site has no such room."""
    return next((room_id for room_id in s.site.rooms_by_id if room_id.casefold() == said.casefold()), said)


def _of_change(booking: Booking, change: BookingChange) -> Errand:
    return Errand(
        kind="move",
        booking_id=booking.id,
        new_date=change.date,
        new_start_time=change.start_time,
        new_duration_minutes=change.duration_minutes,
        new_capacity=change.people,
        new_room_id=change.room_id if change.room_id != booking.room_id else None,
    )


def matching(s: Situation) -> tuple[Booking, ...]:
    """Give the listed bookings that are like the one meant; pure selection, used by guards and plans."""
    errand, listed = s.context.errand, s.observation
    if errand is None or not isinstance(listed, Listed):
        return ()
    out = [
        b
        for b in listed.bookings
        if (errand.booking is None or b.id == errand.booking.id)
        and (errand.booking_id is None or b.id == errand.booking_id)
        and (errand.date is None or b.date == errand.date)
        and (errand.start_time is None or b.start_time == errand.start_time)
        and (errand.room_id is None or b.room_id.casefold() == errand.room_id.casefold())
    ]
    if len(out) > 1 and errand.minutes_more is not None:
        out = [b for b in out if is_running(b, s.now)] or out
    if not out and errand.booking_id is not None and s.reading.this_booking and len(listed.bookings) == 1:
        return listed.bookings
    return tuple(out)


def is_running(booking: Booking, now: dt.datetime) -> bool:
    """Tell whether a booking that is not over has begun."""
    return (booking.date, booking.start_time) < (now.date(), now.time().replace(second=0, microsecond=0))


def no_such_booking(s: Situation) -> Step:
    """Say that no booking is like the one meant, and which there are."""
    listed = s.observation
    assert isinstance(listed, Listed)  # noqa: S101  # the row's own observation
    context = resumed(s.context).with_(listed=tuple(b.id for b in listed.bookings[:20]))
    if not listed.bookings:
        return settled(context, *notices(s), say("no_bookings", date=None))
    return settled(context, *notices(s), say("no_such_booking"), say("bookings", bookings=listed.bookings))


def ask_which_booking(s: Situation) -> Step:
    """Number the bookings that could be meant and ask."""
    proposals = tuple(ProposedBooking(booking=b) for b in matching(s)[:9])
    waits = s.context.pending or Pending.CLARIFY
    return settled(s.context.with_(proposals=proposals, pending=waits), *notices(s))


def ask_where_to(s: Situation) -> Step:
    """Ask what the booking shall be changed to."""
    return settled(with_errand_of(s, matching(s)[0]), *notices(s))


def with_errand_of(s: Situation, booking: Booking) -> BookingContext:
    """Give the context with the errand about exactly this booking."""
    assert s.context.errand is not None  # noqa: S101  # the guard's own condition
    errand = s.context.errand.model_copy(update={"booking": booking})
    return s.context.with_(errand=errand, pending=s.context.pending or Pending.CLARIFY, proposals=())


def drop_errand(s: Situation) -> Step:
    """Leave every booking as it is and go on where the talk was."""
    return settled(resumed(s.context), say("booking_kept"))
