"""What a row does about bookings that exist: listing, finding the one meant, moving, cancelling. Pure functions."""

from __future__ import annotations

import datetime as dt

from booking_bot.dialogue.actions import Call, Say, Step, say
from booking_bot.dialogue.availability import minute_of, time_of
from booking_bot.dialogue.context import BookingContext, Errand, Proposal, ProposedBooking, ProposedValue
from booking_bot.dialogue.fold import is_draft_under_way, with_proposal
from booking_bot.dialogue.model import (
    Booking,
    BookingChange,
    BookingKey,
    Cancellation,
    NoArguments,
    Pending,
    Phase,
    ReadBackBook,
    ReadBackCancel,
    ReadBackMove,
    ReadBackTool,
    RoomRequest,
    Slots,
)
from booking_bot.dialogue.observations import Cancelled, Failed, Found, Listed, Moved, NoneFree
from booking_bot.dialogue.plans import notices, settled
from booking_bot.dialogue.policy import Issue, check_building, check_capacity, check_date, check_duration, check_start
from booking_bot.dialogue.reading import Reading, Values
from booking_bot.dialogue.situation import Situation


def list_bookings(s: Situation) -> Step:
    """Fetch the user's bookings."""
    return Step(s.context.with_(errand=None), (), Call("list_bookings", NoArguments()))


def tell_bookings(s: Situation) -> Step:
    """Show the bookings, numbered, then what is pending."""
    listed = s.observation
    assert isinstance(listed, Listed)  # noqa: S101  # the row's own observation
    wanted = s.reading.values
    shown = tuple(b for b in listed.bookings if wanted.date is None or b.date == wanted.date)
    context = s.context.with_(listed=tuple(b.id for b in shown[:20]))
    if not shown:
        return settled(context, say("no_bookings", date=wanted.date))
    return settled(context, say("bookings", bookings=shown))


# --- finding the booking that is meant -----------------------------------------------------------------------------


def find_booking_to_cancel(s: Situation) -> Step:
    """Fetch the bookings to find the one to cancel."""
    errand = _named(s, Errand(kind="cancel"), s.reading.values)
    return _fetch(s, errand)


def find_booking_to_move(s: Situation) -> Step:
    """Fetch the bookings to find the one to move."""
    errand = s.context.errand
    if errand is None or errand.kind != "move" or errand.booking is None:
        errand = _named(s, Errand(kind="move"), s.reading.named)
        read_back = s.context.read_back
        if isinstance(read_back, ReadBackMove):
            errand = _of_change(read_back.booking, read_back.change)
    return _fetch(s, _with_new_values(errand, s.reading, with_proposal(s.reading.values, s.folded.accepted)))


def find_picked_booking(s: Situation) -> Step:
    """Fetch the booking that was picked by its number, as it is now."""
    picked = s.folded.accepted
    assert isinstance(picked, ProposedBooking) and s.context.errand is not None  # noqa: S101  # the guard's own
    return _fetch(s, s.context.errand.model_copy(update={"booking_id": picked.booking.id}))


def _fetch(s: Situation, errand: Errand) -> Step:
    return Step(s.context.with_(errand=errand, proposals=()), (), Call("list_bookings", NoArguments()))


def _named(s: Situation, errand: Errand, named: Values) -> Errand:
    """Write down what names the booking: its day, start, room, its number in the last list, or "this one"."""
    choice = s.reading.choice
    room_id = booking_id = None
    if isinstance(choice, int) and s.context.listed:
        index = len(s.context.listed) - 1 if choice == -1 else choice - 1
        booking_id = s.context.listed[index] if 0 <= index < len(s.context.listed) else "?"
    elif isinstance(choice, str) and errand.kind == "cancel":
        room_id = choice
    said_nothing = all(said is None for said in (room_id, booking_id, named.date, named.start_time))
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


def _with_new_values(errand: Errand, reading: Reading, values: Values) -> Errand:
    new = {
        "new_date": values.date,
        "new_start_time": values.start_time,
        "new_duration_minutes": values.duration_minutes,
        "new_end_time": values.end_time,
        "new_building": values.building,
        "new_equipment": values.equipment,
        "new_capacity": values.capacity,
        "minutes_more": values.minutes_more,
        "minutes_later": values.minutes_later,
        "new_room_id": reading.choice.upper() if isinstance(reading.choice, str) and errand.room_id is None else None,
    }
    return errand.model_copy(update={key: value for key, value in new.items() if value is not None})


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
    if not out and errand.booking_id is not None and s.reading.this_booking and len(listed.bookings) == 1:
        return listed.bookings
    return tuple(out)


def no_such_booking(s: Situation) -> Step:
    """Say that no booking is like the one meant, and which there are."""
    listed = s.observation
    assert isinstance(listed, Listed)  # noqa: S101  # the row's own observation
    context = s.context.with_(errand=None, listed=tuple(b.id for b in listed.bookings[:20]))
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
    return settled(_with_errand_of(s, matching(s)[0]), *notices(s))


def _with_errand_of(s: Situation, booking: Booking) -> BookingContext:
    assert s.context.errand is not None  # noqa: S101  # the guard's own condition
    errand = s.context.errand.model_copy(update={"booking": booking})
    return s.context.with_(errand=errand, pending=s.context.pending or Pending.CLARIFY, proposals=())


def drop_errand(s: Situation) -> Step:
    """Leave every booking as it is and go on where the talk was."""
    context = s.context.with_(errand=None, proposals=())
    if context.phase is Phase.BOOKED or (context.phase is Phase.COLLECTING_SLOTS and context.slots == Slots()):
        context = context.with_(pending=None, asks=None)
    return settled(context, say("booking_kept"))


# --- cancelling ----------------------------------------------------------------------------------------------------


def read_back_cancellation(s: Situation) -> Step:
    """Read back which booking would be cancelled."""
    booking = matching(s)[0]
    read_back = ReadBackCancel(
        booking=booking,
        cancellation=Cancellation(booking_id=booking.id, version=booking.version, key=s.key),
        came_from=_came_from(s.context),
    )
    return settled(_confirming(s.context, read_back), *notices(s))


def _came_from(context: BookingContext) -> Phase:
    if isinstance(context.read_back, ReadBackMove | ReadBackCancel | ReadBackTool):
        return context.read_back.came_from
    return context.phase


def _confirming(context: BookingContext, read_back: ReadBackMove | ReadBackCancel) -> BookingContext:
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
    had_draft = _had_draft(s.context)
    context = s.context.without_draft().with_(phase=Phase.COLLECTING_SLOTS, booking=None)
    aside = (say("draft_put_aside"),) if had_draft else ()
    return Step(context, (say("cancelled", booking=cancelled.booking), *aside))


def _had_draft(context: BookingContext) -> bool:
    read_back = context.read_back
    from_draft = isinstance(read_back, ReadBackMove | ReadBackCancel) and read_back.came_from is not Phase.BOOKED
    return from_draft and context.slots != Slots() and is_draft_under_way(context.with_(phase=Phase.COLLECTING_SLOTS))


# --- moving --------------------------------------------------------------------------------------------------------


def check_move(s: Situation) -> Step:
    """Check where the booking shall go by the house rules, then look whether it is free."""
    booking = matching(s)[0]
    context = _with_errand_of(s, booking)
    errand = context.errand
    assert errand is not None  # noqa: S101  # set in the line above
    date = errand.new_date or booking.date
    start = errand.new_start_time or _later(booking.start_time, errand.minutes_later or 0)
    minutes = _new_length(errand, booking, start)
    people, issues = _judge(s, errand, booking, date, start, minutes)
    noticed = (*notices(s), *(say(f"issue_{issue.kind}", issue=issue) for issue in issues))
    blocking = [issue for issue in issues if issue.blocking]
    if blocking:
        return settled(_asking_again(context, blocking[0]), *noticed)
    request = RoomRequest(
        date=date,
        start_time=start,
        duration_minutes=minutes,
        capacity=people,
        building=errand.new_building,
        equipment=errand.new_equipment,
        room_id=errand.new_room_id,
        ignoring_booking=booking.id,
    )
    found_out = {
        "new_date": date,
        "new_start_time": start,
        "new_duration_minutes": minutes,
        "new_end_time": None,
        "minutes_more": None,
        "minutes_later": None,
        "new_capacity": people if errand.new_capacity is not None else None,
    }
    context = context.with_(errand=errand.model_copy(update=found_out))
    return Step(context, noticed, Call("search_rooms", request))


def _later(start: dt.time, minutes: int) -> dt.time:
    """Give the wall time some minutes later, kept inside the day; house rules judge it."""
    return time_of(min(1439, max(0, minute_of(start) + minutes)))


def _new_length(errand: Errand, booking: Booking, start: dt.time) -> int:
    if errand.new_end_time is not None and errand.new_duration_minutes is None:
        return (minute_of(errand.new_end_time) - minute_of(start)) % 1440 or booking.minutes
    length = errand.new_duration_minutes or booking.minutes
    return max(1, length + (errand.minutes_more or 0))


def _judge(
    s: Situation, errand: Errand, booking: Booking, date: dt.date, start: dt.time, minutes: int
) -> tuple[int, list[Issue]]:
    policy = s.site.policy
    issues: list[Issue | None] = [check_duration(policy, minutes)]
    if date != booking.date:
        issues.append(check_date(policy, date, s.now.date()))
    issues.append(check_start(policy, start, date=date, duration_minutes=minutes, now=s.now))
    people = booking.people
    if errand.new_capacity is not None:
        seats, issue = check_capacity(s.site, errand.new_capacity)
        people = seats or people
        issues.append(issue)
    if errand.new_building is not None:
        issues.append(check_building(s.site, errand.new_building)[1])
    if errand.new_room_id is not None and errand.new_room_id not in s.site.rooms_by_id:
        issues.append(Issue("room_unknown", None, errand.new_room_id))
    return people, [issue for issue in issues if issue is not None]


def _asking_again(context: BookingContext, issue: Issue) -> BookingContext:
    """Forget the new value that is not legal; the booking stays as it is and the legal ones are offered."""
    assert context.errand is not None  # noqa: S101  # the caller's own
    forgotten = {
        "date": {"new_date": None},
        "start_time": {"new_start_time": None, "new_end_time": None, "minutes_later": None},
        "duration_minutes": {"new_duration_minutes": None, "minutes_more": None, "new_end_time": None},
        "capacity": {"new_capacity": None},
        "building": {"new_building": None},
        None: {"new_room_id": None},
    }.get(issue.slot, {})
    proposals: tuple[Proposal, ...] = ()
    if issue.slot is not None:
        proposals = tuple(ProposedValue(slot=issue.slot, value=value) for value in issue.legal)
    return context.with_(errand=context.errand.model_copy(update=forgotten), proposals=proposals)


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
    if room_id != booking.room_id and errand.new_room_id is None and errand.new_building is None:
        says = (say("move_changes_room", old=booking.room_id, new=room_id),)
    read_back = ReadBackMove(booking=booking, change=change, came_from=_came_from(s.context))
    return settled(_confirming(s.context, read_back), *says)


def move_is_not_free(s: Situation) -> Step:
    """Say that nothing is free there; the booking stays, nearby times are offered."""
    none_free = s.observation
    assert isinstance(none_free, NoneFree) and s.context.errand is not None  # noqa: S101  # the row's own
    errand = s.context.errand.model_copy(update={"new_start_time": None, "new_room_id": None})
    times = [a for a in none_free.alternatives if a.kind == "time"]
    proposals = tuple(ProposedValue(slot="start_time", value=f"{a.start_time:%H:%M}") for a in times)
    return settled(s.context.with_(errand=errand, proposals=proposals), say("move_not_free"))


def move_booking(s: Situation) -> Step:
    """Move exactly as read back."""
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackMove)  # noqa: S101  # the guard's own condition
    return Step(s.context, (), Call("move_booking", read_back.change))


def tell_moved(s: Situation) -> Step:
    """Say where the booking stands now."""
    moved = s.observation
    assert isinstance(moved, Moved)  # noqa: S101  # the row's own observation
    aside = (say("draft_put_aside"),) if _had_draft(s.context) else ()
    context = s.context.without_draft().with_(phase=Phase.BOOKED, booking=moved.booking)
    return Step(context, (say("moved", booking=moved.booking), *aside))


# --- back to where it came from --------------------------------------------------------------------------------------


def keep_booking(s: Situation) -> Step:
    """Leave the booking as it is and go on where the talk was."""
    return _back(s, say("booking_kept"))


def move_was_taken(s: Situation) -> Step:
    """Somebody was faster: the booking stays as it is."""
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackMove | ReadBackCancel)  # noqa: S101  # the guard's own condition
    room_id = read_back.change.room_id if isinstance(read_back, ReadBackMove) else read_back.booking.room_id
    return _back(s, say("move_taken", room_id=room_id))


def booking_is_gone(s: Situation) -> Step:
    """The booking was cancelled or changed meanwhile."""
    return _back(s, say("booking_gone"))


def change_was_refused(s: Situation) -> Step:
    """The service refused the change for good."""
    reason = getattr(s.observation, "reason", "")
    return _back(s, say("change_refused", reason=reason))


def _back(s: Situation, *says: Say) -> Step:
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackMove | ReadBackCancel)  # noqa: S101  # the guard's own condition
    return settled(as_before(s.context, read_back.came_from), *says)


def as_before(context: BookingContext, phase: Phase) -> BookingContext:
    """Give the context as it was before an existing booking, or a tool, was read back in `phase`."""
    pending = {
        Phase.AWAITING_SELECTION: Pending.SELECT_ROOM,
        Phase.CONFIRMING: Pending.CONFIRM,
        Phase.COLLECTING_SLOTS: Pending.CLARIFY if context.slots != Slots() else None,
    }.get(phase)
    missing = context.slots.missing()
    asks = missing[0] if phase is Phase.COLLECTING_SLOTS and pending and missing else None
    return context.with_(phase=phase, pending=pending, asks=asks, read_back=context.suspended, suspended=None)


# --- failures --------------------------------------------------------------------------------------------------------


def say_write_failed(s: Situation) -> Step:
    """Nothing was written; the same yes can be tried again."""
    failed = s.observation
    assert isinstance(failed, Failed)  # noqa: S101  # the row's own observation
    context = s.context.with_(last_tool_error=failed.reason[:200])
    return settled(context, say("write_failed", tool=failed.tool))


def look_up_write(s: Situation) -> Step:
    """The answer was lost: look up by the key what the write did."""
    return Step(s.context, (), Call("find_booking", BookingKey(key=_key(s.context))))


def _key(context: BookingContext) -> str:
    match context.read_back:
        case ReadBackBook(order=order):
            return order.key
        case ReadBackMove(change=change):
            return change.key
        case ReadBackCancel(cancellation=cancellation):
            return cancellation.key
        case _:
            raise ValueError("a look-up needs a read-back")


def say_not_written(s: Situation) -> Step:
    """The look-up found nothing: it was not written."""
    return settled(s.context, say("write_failed", tool=""))


def say_not_certain(s: Situation) -> Step:
    """Not even the look-up worked: say so; the next yes cannot book twice."""
    return settled(s.context, say("not_certain"))
