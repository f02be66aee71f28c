"""What a row does to move or cancel a booking: judging, reading back, writing, telling. Pure functions."""

from __future__ import annotations

import datetime as dt
from typing import Final

from booking_bot.dialogue.actions import Call, Say, Step, say
from booking_bot.dialogue.availability import minute_of, time_of, why_not
from booking_bot.dialogue.context import BookingContext, Errand, Proposal, ProposedValue
from booking_bot.dialogue.model import (
    SLOT_NAMES,
    Booking,
    BookingChange,
    Cancellation,
    Pending,
    Phase,
    ReadBackBook,
    ReadBackCancel,
    ReadBackChange,
    ReadBackMove,
    ReadBackTool,
    RoomRequest,
    SlotName,
    Slots,
)
from booking_bot.dialogue.observations import Cancelled, Found, Moved, NoneFree
from booking_bot.dialogue.plans import notices, settled
from booking_bot.dialogue.plans_existing import is_running, matching, with_errand_of
from booking_bot.dialogue.policy import (
    Issue,
    check_building,
    check_capacity,
    check_date,
    check_duration,
    check_end,
    check_floor,
    check_start,
)
from booking_bot.dialogue.resuming import resumed
from booking_bot.dialogue.situation import Situation
from booking_bot.dialogue.topics import is_draft_under_way


def read_back_cancellation(s: Situation) -> Step:
    """Read back which booking would be cancelled."""
    booking = matching(s)[0]
    read_back = ReadBackCancel(
        booking=booking,
        cancellation=Cancellation(booking_id=booking.id, version=booking.version, key=s.key),
        came_from=came_from(s.context),
    )
    return settled(confirming(s.context, read_back), *notices(s))


def came_from(context: BookingContext) -> Phase:
    if isinstance(context.read_back, ReadBackChange | ReadBackTool):
        return context.read_back.came_from
    return context.phase


def confirming(context: BookingContext, read_back: ReadBackChange) -> BookingContext:
    suspended = context.read_back if isinstance(context.read_back, ReadBackBook) else context.suspended
    return context.with_(
        phase=Phase.CONFIRMING,
        pending=Pending.CONFIRM,
        read_back=read_back,
        suspended=suspended,
        errand=None,
        proposals=(),
        asks=None,
    )


def cancel_booking(s: Situation) -> Step:
    """Cancel exactly what was read back."""
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackCancel)  # noqa: S101  # the guard's own condition
    return Step(s.context, (), Call("cancel_booking", read_back.cancellation))


def tell_cancelled(s: Situation) -> Step:
    """Say that the booking is cancelled."""
    cancelled = s.observation
    assert isinstance(cancelled, Cancelled)  # noqa: S101  # the row's own observation
    draft = had_draft(s.context)
    context = s.context.without_draft().with_(phase=Phase.COLLECTING_SLOTS, booking=None)
    aside = (say("draft_put_aside"),) if draft else ()
    return Step(context, (say("cancelled", booking=cancelled.booking), *aside))


def had_draft(context: BookingContext) -> bool:
    read_back = context.read_back
    from_draft = isinstance(read_back, ReadBackChange) and read_back.came_from is not Phase.BOOKED
    return from_draft and context.slots != Slots() and is_draft_under_way(context.with_(phase=Phase.COLLECTING_SLOTS))


# --- moving ----------------------------------------------------------------------------------------------------


def check_move(s: Situation) -> Step:
    """Check where the booking shall go by the house rules, then look whether it is free."""
    booking = matching(s)[0]
    context = with_errand_of(s, booking)
    errand = context.errand
    assert errand is not None  # noqa: S101  # set in the line above
    date = _days_later(errand.new_date or booking.date, errand.days_later or 0)
    start = _later(errand.new_start_time or booking.start_time, errand.minutes_later or 0)
    if errand.minutes_later and (date, start) == (booking.date, booking.start_time):
        start = _later(booking.start_time, errand.minutes_later)  # "no, earlier": nobody moves to where it is
    minutes = _new_length(errand, booking, start)
    goes_on = is_running(booking, s.now) and (date, start) == (booking.date, booking.start_time)
    people, issues = _judge(s, errand, booking, date, start, minutes)
    noticed = (*notices(s), *(say(f"issue_{issue.kind}", issue=issue) for issue in issues))
    blocking = [issue for issue in issues if issue.blocking]
    awaits = _still_awaited(errand)
    if blocking or awaits:
        return settled(_asking_again(context, blocking, awaits), *noticed)
    if _is_as_it_is(errand, booking, date, start, minutes, people):
        return settled(resumed(context), *noticed, say("nothing_to_change"))
    found_out = {
        "new_date": date,
        "new_start_time": start,
        "new_duration_minutes": minutes,
        "new_end_time": None,
        "minutes_more": None,
        "minutes_later": None,
        "days_later": None,
        "new_capacity": people if errand.new_capacity is not None else None,
        "awaits": (),
    }
    errand = errand.model_copy(update=found_out)
    return Step(context.with_(errand=errand), noticed, Call("search_rooms", _request_of(errand, booking, goes_on)))


def _request_of(errand: Errand, booking: Booking, goes_on: bool) -> RoomRequest:
    """Give the search for where a booking shall go.

    Args:
        goes_on: the meeting has begun and stays where it is.
    """
    only_room = booking.room_id if goes_on else errand.new_room_id
    return RoomRequest(
        date=errand.new_date or booking.date,
        start_time=errand.new_start_time or booking.start_time,
        duration_minutes=errand.new_duration_minutes or booking.minutes,
        capacity=errand.new_capacity or booking.people,
        building=errand.new_building,
        floor=errand.new_floor,
        equipment=errand.new_equipment,
        excluded=errand.new_excluded,
        room_id=only_room,
        ignoring_booking=booking.id,
        running=goes_on,
        wanted_room=only_room or booking.room_id,
    )


def _is_as_it_is(errand: Errand, booking: Booking, date: dt.date, start: dt.time, minutes: int, people: int) -> bool:
    """Tell whether the change leaves everything as it is."""
    wishes = (errand.new_building, errand.new_floor, errand.new_equipment or None, errand.new_excluded or None)
    same_place = all(wish is None for wish in wishes)
    same_room = errand.new_room_id in (None, booking.room_id)
    same_when = (date, start, minutes) == (booking.date, booking.start_time, booking.minutes)
    return same_place and same_room and same_when and people == booking.people


def _later(start: dt.time, minutes: int) -> dt.time:
    """Give the wall time some minutes later, kept inside the day; house rules judge it."""
    return time_of(min(1439, max(0, minute_of(start) + minutes)))


def _days_later(date: dt.date, days: int) -> dt.date:
    """Give the day some days later, kept inside the calendar; house rules judge it."""
    return dt.date.fromordinal(min(dt.date.max.toordinal(), max(1, date.toordinal() + days)))


def _new_length(errand: Errand, booking: Booking, start: dt.time) -> int:
    if errand.new_end_time is not None and errand.new_duration_minutes is None:
        return (minute_of(errand.new_end_time) - minute_of(start)) % 1440 or booking.minutes
    length = errand.new_duration_minutes or booking.minutes
    return max(1, length + (errand.minutes_more or 0))


def _judge(
    s: Situation, errand: Errand, booking: Booking, date: dt.date, start: dt.time, minutes: int
) -> tuple[int, list[Issue]]:
    policy = s.site.policy
    length = check_end(start, _end_said(s, errand), minutes) or check_duration(policy, minutes)
    issues: list[Issue | None] = [length]
    if date != booking.date:
        issues.append(check_date(policy, date, s.now.date()))
    begun = is_running(booking, s.now) and (date, start) == (booking.date, booking.start_time)
    ahead = None if begun else date  # a meeting that has begun may take longer or less, its start is behind it
    legal_minutes = minutes if length is None else None
    issues.append(check_start(policy, start, date=ahead, duration_minutes=legal_minutes, now=s.now))
    people = booking.people
    if errand.new_capacity is not None:
        seats, issue = check_capacity(s.site, errand.new_capacity)
        people = seats or people
        issues.append(issue)
    if errand.new_building is not None:
        issues.append(check_building(s.site, errand.new_building)[1])
    if errand.new_floor is not None:
        issues.append(check_floor(s.site, errand.new_floor))
    if errand.new_room_id is not None and errand.new_room_id not in s.site.rooms_by_id:
        issues.append(Issue("room_unknown", None, errand.new_room_id))
    return people, [issue for issue in issues if issue is not None]


def _end_said(s: Situation, errand: Errand) -> dt.time | None:
    """Give the end as said, of a range too."""
    return errand.new_end_time or (s.reading.until if s.reading.values.duration_minutes is not None else None)


_GIVES: Final[dict[SlotName | None, tuple[str, ...]]] = {
    "date": ("new_date", "days_later"),
    "start_time": ("new_start_time", "minutes_later"),
    "duration_minutes": ("new_duration_minutes", "minutes_more", "new_end_time"),
    "capacity": ("new_capacity",),
    "building": ("new_building",),
    "floor": ("new_floor",),
    None: ("new_room_id",),
}
"""What of an errand gives a new value for a slot; a room has no slot."""


def _still_awaited(errand: Errand) -> tuple[SlotName, ...]:
    """Name the rejected values that were not said anew."""
    return tuple(slot for slot in errand.awaits if all(getattr(errand, name) is None for name in _GIVES[slot]))


def _asking_again(context: BookingContext, rejected: list[Issue], awaits: tuple[SlotName, ...]) -> BookingContext:
    """Forget the new values that are not legal; the booking stays as it is and the legal ones are offered.

    Where the rest of the change stands the rejected values are asked for: the rest with the old ones is nobody's wish.
    """
    assert context.errand is not None  # noqa: S101  # the caller's own
    forgotten = [name for issue in rejected for name in _GIVES.get(issue.slot, ())]
    if any(issue.slot == "start_time" for issue in rejected):
        forgotten.append("new_end_time")  # an end said of a start that is gone
    errand = context.errand.model_copy(update=dict.fromkeys(forgotten))
    slots = dict.fromkeys((*(issue.slot for issue in rejected if issue.slot is not None), *awaits))
    asked = tuple(slot for slot in SLOT_NAMES if slot in slots) if errand.says_where_to else ()
    first = next((issue for issue in rejected if not asked or issue.slot == asked[0]), None)
    proposals: tuple[Proposal, ...] = ()
    if first is not None and first.slot is not None:
        proposals = tuple(ProposedValue(slot=first.slot, value=value) for value in first.legal)
    return context.with_(errand=errand.model_copy(update={"awaits": asked}), proposals=proposals)


def read_back_move(s: Situation) -> Step:
    """Read back the booking and the change; the room stays where it is free."""
    found, errand = s.observation, s.context.errand
    assert isinstance(found, Found) and errand is not None and errand.booking is not None  # noqa: S101
    booking = errand.booking
    room_id = booking.room_id if booking.room_id in found.room_ids else found.room_ids[0]
    change = BookingChange(
        booking_id=booking.id,
        version=booking.version,
        room_id=room_id,
        date=errand.new_date or booking.date,
        start_time=errand.new_start_time or booking.start_time,
        duration_minutes=errand.new_duration_minutes or booking.minutes,
        people=errand.new_capacity if errand.new_capacity != booking.people else None,
        key=s.key,
    )
    says: tuple[Say, ...] = ()
    if room_id != booking.room_id and errand.new_room_id is None and not errand.says_which_room:
        why = why_not(s.site, _request_of(errand, booking, goes_on=False), booking.room_id, found.wanted_taken)
        says = (say("move_changes_room", old=booking.room_id, new=room_id, why=why),)
    read_back = ReadBackMove(booking=booking, change=change, came_from=came_from(s.context))
    return settled(confirming(s.context, read_back), *says)


def move_is_not_free(s: Situation) -> Step:
    """Say that nothing is free there; the booking stays, nearby times are offered."""
    none_free = s.observation
    assert isinstance(none_free, NoneFree) and s.context.errand is not None  # noqa: S101  # the row's own
    errand = s.context.errand.model_copy(update={"new_start_time": None, "new_room_id": None})
    booking = s.context.errand.booking
    assert booking is not None  # noqa: S101  # the guard's own condition
    begun = is_running(booking, s.now)  # it stays where it is: no other start is offered
    request = _request_of(s.context.errand, booking, begun)
    times = [a for a in none_free.alternatives if a.kind == "time" and not begun]
    proposals = tuple(ProposedValue(slot="start_time", value=f"{a.start_time:%H:%M}") for a in times)
    context = s.context.with_(errand=errand, proposals=proposals)
    if request.room_id is None or request.room_id not in s.site.rooms_by_id:
        return settled(context, say("move_not_free"))
    why = why_not(s.site, request.model_copy(update={"room_id": None}), request.room_id, none_free.wanted_taken)
    return settled(context, say("wanted_not_free", room_id=request.room_id, why=why), say("booking_stands"))


def move_booking(s: Situation) -> Step:
    """Move exactly as read back."""
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackMove)  # noqa: S101  # the guard's own condition
    return Step(s.context, (), Call("move_booking", read_back.change))


def tell_moved(s: Situation) -> Step:
    """Say where the booking stands now."""
    moved = s.observation
    assert isinstance(moved, Moved)  # noqa: S101  # the row's own observation
    aside = (say("draft_put_aside"),) if had_draft(s.context) else ()
    context = s.context.without_draft().with_(phase=Phase.BOOKED, booking=moved.booking)
    return Step(context, (say("moved", booking=moved.booking), *aside))
