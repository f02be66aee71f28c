"""What a row does when a change is declined, refused, overtaken or not certain. Pure functions."""

from __future__ import annotations

from dataclasses import replace

from booking_bot.dialogue.actions import Call, Say, Step, say
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import (
    BookingKey,
    ReadBackBook,
    ReadBackCancel,
    ReadBackCancelSeveral,
    ReadBackChange,
    ReadBackMove,
)
from booking_bot.dialogue.observations import Failed
from booking_bot.dialogue.plans import settled
from booking_bot.dialogue.policy import Issue, passed
from booking_bot.dialogue.resuming import as_before
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
    """The booking was cancelled or changed meanwhile: nothing is said of it any more."""
    return _back(_without_last(s), say("booking_gone"))


def _without_last(s: Situation) -> Situation:
    return replace(s, context=s.context.with_(booking=None))


def move_is_too_late(s: Situation) -> Step:
    """The yes came when the house rules no longer allow the move: the booking stays as it is."""
    issue = move_expired(s)
    assert issue is not None  # noqa: S101  # the guard's own condition
    return _back(s, say(f"issue_{issue.kind}", issue=issue), say("booking_kept"))


def move_expired(s: Situation) -> Issue | None:
    """Give the house rule that the pending move breaks by now, None while it stands."""
    if not isinstance(s.context.read_back, ReadBackMove):
        return None
    booking, change = s.context.read_back.booking, s.context.read_back.change
    if (change.date, change.start_time) == (booking.date, booking.start_time):
        return None
    return passed(s.site.policy, change.date, change.start_time, s.now)


def change_was_refused(s: Situation) -> Step:
    """The service refused the change for good."""
    reason = getattr(s.observation, "reason", "")
    return _back(s, say("change_refused", reason=reason))


def _back(s: Situation, *says: Say) -> Step:
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackChange)  # noqa: S101  # the guard's own condition
    return settled(as_before(s.context, read_back.came_from), *says)


# --- failures --------------------------------------------------------------------------------------------------------


def say_write_failed(s: Situation) -> Step:
    """Nothing was written; the same yes can be tried again."""
    failed = s.observation
    assert isinstance(failed, Failed)  # noqa: S101  # the row's own observation
    context = s.context.with_(last_tool_error=failed.reason[:200])
    return settled(context, say("write_failed", tool=failed.tool))


def look_up_write(s: Situation) -> Step:
    """The answer was lost: look up by the key what the write did."""
    return Step(s.context, (), Call("find_booking", BookingKey(key=key_of(s.context))))


def key_of(context: BookingContext) -> str:
    """Give the idempotency key of the pending read-back.

    Raises:
        ValueError: nothing is read back that could have been written.
    """
    match context.read_back:
        case ReadBackBook(order=order):
            return order.key
        case ReadBackMove(change=change):
            return change.key
        case ReadBackCancel(cancellation=cancellation):
            return cancellation.key
        case ReadBackCancelSeveral(cancellations=cancellations):
            return cancellations.items[0].key
        case _:
            raise ValueError("a look-up needs a read-back")


def say_not_written(s: Situation) -> Step:
    """The look-up found nothing: it was not written."""
    return settled(s.context, say("write_failed", tool=""))


def say_not_certain(s: Situation) -> Step:
    """Not even the look-up worked: say so, and look it up first thing in the next turn, whatever it says."""
    return settled(s.context.with_(in_doubt=True), say("not_certain"))
