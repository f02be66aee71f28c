"""What the bot says in English about bookings that exist, one phrase an id."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, Final

from booking_bot.dialogue.model import Booking
from booking_bot.dialogue.site import Site
from booking_bot.language.en import wording as w

Args = Mapping[str, Any]
BOOKING_PHRASES: Final[dict[str, Callable[[Args, Site, dt.date], str]]] = {}


def _phrase(function: Callable[[Args, Site, dt.date], str]) -> Callable[[Args, Site, dt.date], str]:
    BOOKING_PHRASES[function.__name__] = function
    return function


@_phrase
def bookings(a: Args, site: Site, today: dt.date) -> str:
    """The user's bookings, numbered."""
    items = a["bookings"]
    lines = [f"{n}. {w.booking(item, site, today)}" for n, item in enumerate(items[:20], 1)]
    more = [f"… {len(items)} in all; the first 20 are shown."] if len(items) > 20 else []
    return "\n".join(("Your bookings:", *lines, *more))


@_phrase
def no_bookings(a: Args, _s: Site, today: dt.date) -> str:
    """No bookings, or none on that day."""
    return f"You have no bookings on {w.day(a['date'], today)}." if a["date"] else "You have no bookings."


@_phrase
def which_booking(a: Args, site: Site, today: dt.date) -> str:
    """Which of several bookings."""
    verb = "cancelled" if a["errand"] is not None and a["errand"].kind == "cancel" else "changed"
    return f"Which one shall be {verb}? A number will do:\n{w.proposals(a['proposals'], site, today)}"


@_phrase
def change_to_what(a: Args, site: Site, today: dt.date) -> str:
    """What the booking shall be changed to."""
    question = f"{w.booking(a['booking'], site, today)}: what shall it become? Such as “to 4pm” or “30 minutes longer”."
    if a["proposals"]:
        return f"{question}\n{w.proposals(a['proposals'], site, today)}"
    return question


@_phrase
def change_so_far(a: Args, site: Site, today: dt.date) -> str:
    """What a change of a booking comes to, while a value of it is asked for."""
    change = w.slots(a["slots"], site, today)
    return f"{w.booking(a['booking'], site, today)}" + (f": to become {change}." if change else ": to be moved.")


@_phrase
def cancelled(a: Args, site: Site, today: dt.date) -> str:
    """The booking is cancelled."""
    return f"Cancelled: {w.booking(a['booking'], site, today)}."


def _lines(items: tuple[Booking, ...], site: Site, today: dt.date) -> str:
    return "\n".join(f"{n}. {w.booking(item, site, today)}" for n, item in enumerate(items, 1))


@_phrase
def read_back_cancel_several(a: Args, site: Site, today: dt.date) -> str:
    """Exactly which bookings a yes would cancel."""
    items = a["bookings"]
    listed = _lines(items, site, today)
    return (
        f"Please confirm to cancel these {len(items)}:\n{listed}\nSay “yes” to cancel all of them, “no” to keep them."
    )


@_phrase
def cancelled_several(a: Args, site: Site, today: dt.date) -> str:
    """These bookings are cancelled."""
    return f"Cancelled, {len(a['bookings'])} in all:\n{_lines(a['bookings'], site, today)}"


@_phrase
def not_cancelled(a: Args, site: Site, today: dt.date) -> str:
    """These bookings of the list are not known to be cancelled."""
    why = "they may be gone or just changed; say “my bookings” to check"
    return f"I could not make sure that these are cancelled, {why}:\n{_lines(a['bookings'], site, today)}"


@_phrase
def moved(a: Args, site: Site, today: dt.date) -> str:
    """Where the booking stands now."""
    return f"Moved: it is now {w.booking(a['booking'], site, today)}."


@_phrase
def move_changes_room(a: Args, site: Site, _t: dt.date) -> str:
    """The room is not free at the new time, or does not fit."""
    return f"{w.room(a['old'], site)} will not do: {w.why_not(a['why'], site)}; {w.room(a['new'], site)} is free."


@_phrase
def move_taken(a: Args, site: Site, _t: dt.date) -> str:
    """Somebody was faster: not moved."""
    return f"{w.room(a['room_id'], site)} was just taken for that time; your booking stays as it was."


@_phrase
def change_refused(a: Args, _s: Site, _t: dt.date) -> str:
    """The service refused the change."""
    reason = f" ({a['reason'][:100]})" if a["reason"] else ""
    return f"The rooms service refused the change{reason}; your booking stays as it was."


@_phrase
def booked_last(a: Args, site: Site, today: dt.date) -> str:
    """What was made, moved or named last; it may have been changed since."""
    return f"The last one was: {w.booking(a['booking'], site, today)}."


# --- what the buttons under a read-back would do -------------------------------------------------------------------

BOOKING_PHRASES.update(
    no_book=lambda _a, _s, _t: "No, choose again",
    no_move=lambda _a, _s, _t: "Leave it as it is",
    no_cancel=lambda _a, _s, _t: "Keep the booking",
    yes_cancel_several=lambda a, _s, _t: f"Cancel these {a['count']} bookings",
    no_cancel_several=lambda _a, _s, _t: "Keep them all",
    all_or_none=lambda _a, _s, _t: (
        "The list is cancelled as a whole or not at all. To cancel some of them, say “no” first, then name each, "
        "such as “cancel Room B”."
    ),
    bookings_stand=lambda _a, _s, _t: (
        "What you have booked already stands; to cancel it, say “cancel all my bookings”."
    ),
)


@_phrase
def yes_book(a: Args, site: Site, _t: dt.date) -> str:
    """Book this room then."""
    order = a["order"]
    when = f"{w.short_day(order.date)}, {w.until(order.start_time, order.duration_minutes)}"
    return f"Book {w.room_name(order.room_id, site)}, {when}"


@_phrase
def yes_move(a: Args, site: Site, _t: dt.date) -> str:
    """Move it there."""
    change = a["change"]
    when = f"{w.short_day(change.date)}, {w.until(change.start_time, change.duration_minutes)}"
    return f"Move to {when}, {w.room_name(change.room_id, site)}"


@_phrase
def yes_cancel(a: Args, site: Site, _t: dt.date) -> str:
    """Cancel this booking."""
    item = a["booking"]
    when = f"{w.short_day(item.date)}, {w.until(item.start_time, item.minutes)}"
    return f"Cancel {w.room_name(item.room_id, site)}, {when}"
