"""What a row does when a change is declined, refused, overtaken or not certain. Pure functions."""

from __future__ import annotations

from booking_bot.dialogue.actions import Call, Say, Step, say
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import (
    BookingKey,
    Pending,
    Phase,
    ReadBackBook,
    ReadBackCancel,
    ReadBackMove,
    Slots,
)
from booking_bot.dialogue.observations import Failed
from booking_bot.dialogue.plans import settled
from booking_bot.dialogue.situation import Situation


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
