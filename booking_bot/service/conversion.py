"""From the operations' values to the dialogue's and back. Pure; decides nothing."""

from __future__ import annotations

import hashlib

from booking_bot.dialogue.model import FILLED, Booking, BookingOrder, RoomRequest, SlotName, Slots
from booking_bot.service.values import BookingWish, Caller, MoveWish, ScheduledMeeting


def stored_key_of(key: str) -> str:
    """Give the key as it is stored: of one length, and apart from those of conversations."""
    return f"direct-{hashlib.sha256(key.encode(errors='surrogatepass')).hexdigest()[:48]}"


def order_of(wish: BookingWish, seats: int, key: str) -> BookingOrder:
    """Give the exact booking; `seats` are the people, rounded up."""
    return BookingOrder(
        room_id=wish.room_id,
        date=wish.date,
        start_time=wish.start_time,
        duration_minutes=wish.duration_minutes,
        people=seats,
        title=wish.title.strip(),
        key=key,
    )


def stands_at(booking: Booking, wish: MoveWish) -> bool:
    """Tell whether the booking is where the wish would move it."""
    return (
        wish.date in (None, booking.date)
        and wish.start_time in (None, booking.start_time)
        and wish.duration_minutes in (None, booking.minutes)
        and wish.room_id in (None, booking.room_id)
    )


def slots_of(request: RoomRequest) -> Slots:
    """Give a search as slots, for the phrases that name a wish."""
    values: dict[SlotName, object] = {
        "date": request.date,
        "start_time": request.start_time,
        "duration_minutes": request.duration_minutes,
        "capacity": request.capacity,
        "building": request.building,
        "equipment": request.equipment or None,
    }
    return Slots.model_validate(
        {name: FILLED[name](value=value) for name, value in values.items() if value is not None}
    )


def meeting_of(booking: Booking, caller: Caller) -> ScheduledMeeting:
    """Show a taken stretch to somebody who need not be its organizer."""
    own = booking.organizer == caller.user_id
    return ScheduledMeeting(
        room_id=booking.room_id,
        start_time=booking.start_time,
        minutes=booking.minutes,
        own=own,
        booking_id=booking.id if own else None,
        title=booking.title if own else None,
    )
