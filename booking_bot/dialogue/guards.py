"""Predicates of the table about what the user said: each reads after "if". Pure functions of the situation."""

from __future__ import annotations

from collections.abc import Callable

from booking_bot.dialogue.context import BookingContext, ProposedBooking, ProposedRetry
from booking_bot.dialogue.fold import leaves_a_gap
from booking_bot.dialogue.inquiry import answer_to
from booking_bot.dialogue.model import (
    Phase,
    ReadBackBook,
    ReadBackCancel,
    ReadBackCancelSeveral,
    ReadBackChange,
    ReadBackMove,
    ReadBackTool,
    Slots,
)
from booking_bot.dialogue.plans import expired
from booking_bot.dialogue.plans_undone import move_expired
from booking_bot.dialogue.reading import Values
from booking_bot.dialogue.situation import Situation
from booking_bot.dialogue.topics import (
    compares_sizes,
    is_draft_under_way,
    is_whole_wish,
    speaks_of_a_booking,
    takes_new_value,
)

Guard = Callable[[Situation], bool]


def always(_: Situation) -> bool:
    """The row's last resort."""
    return True


def affirmed_too_late(s: Situation) -> bool:
    """A whole yes to the read-back of a new booking that the house rules no longer allow: time has gone on."""
    return affirmed_booking(s) and expired(s) is not None


def affirmed_move_too_late_from(phase: Phase) -> Guard:
    """A whole yes to a move that was asked for in `phase` and that the house rules no longer allow."""

    def affirmed(s: Situation) -> bool:
        return affirmed_move(s) and changing_from(phase)(s) and move_expired(s) is not None

    affirmed.__name__ = f"affirmed_move_too_late_from_{phase.lower()}"
    return affirmed


def affirmed_booking(s: Situation) -> bool:
    """A whole yes to the read-back of a new booking."""
    return _affirmed(s) and isinstance(s.context.read_back, ReadBackBook)


def affirmed_move(s: Situation) -> bool:
    """A whole yes to the read-back of a move."""
    return _affirmed(s) and isinstance(s.context.read_back, ReadBackMove)


def affirmed_cancellation(s: Situation) -> bool:
    """A whole yes to the read-back of a cancellation."""
    return _affirmed(s) and isinstance(s.context.read_back, ReadBackCancel)


def affirmed_cancellations(s: Situation) -> bool:
    """A whole yes to the read-back of the cancellation of several bookings."""
    return _affirmed(s) and isinstance(s.context.read_back, ReadBackCancelSeveral)


def wants_some_of_several(s: Situation) -> bool:
    """Something is said about single ones of several bookings that are read back: it is the whole list or nothing."""
    if not isinstance(s.context.read_back, ReadBackCancelSeveral) or s.reading.confirm is not None:
        return False
    elsewhere = s.reading.intent in ("cancel", "reschedule", "extend", "list", "weather", "help", "smalltalk")
    return not elsewhere and not is_whole_wish(s.reading.values)


def affirmed_tool(s: Situation) -> bool:
    """A whole yes to the read-back of a call to somebody else's tool."""
    return _affirmed(s) and isinstance(s.context.read_back, ReadBackTool)


def _affirmed(s: Situation) -> bool:
    """A whole yes while the read-back is what was asked last, not a question about another booking or a city."""
    before = s.folded.context
    asked_last = s.context.errand is None and before.asks_place is None and before.inquiry is None
    return s.reading.confirm == "yes" and asked_last


def declined_booking(s: Situation) -> bool:
    """A no to the read-back of a new booking."""
    return isinstance(s.context.read_back, ReadBackBook) and _says_no(s) and not s.folded.told


def declined_change_from(phase: Phase) -> Guard:
    """A no to the read-back of a move or cancellation that was asked for in `phase`."""

    def declined(s: Situation) -> bool:
        return changing_from(phase)(s) and (_says_no(s) or (_drops(s) and not repeats_the_cancellation(s)))

    declined.__name__ = f"declined_change_from_{phase.lower()}"
    return declined


def repeats_the_cancellation(s: Situation) -> bool:
    """A bare "cancel" at the read-back of a cancellation: it may mean either, so it is asked again."""
    again = isinstance(s.context.read_back, ReadBackCancel | ReadBackCancelSeveral) and _drops(s)
    all_again = isinstance(s.context.read_back, ReadBackCancelSeveral) and _drops_everything(s)
    return (again or all_again) and s.reading.confirm is None


def changing_from(phase: Phase) -> Guard:
    """The read-back is of a move or cancellation that was asked for in `phase`."""

    def changing(s: Situation) -> bool:
        read_back = s.context.read_back
        return isinstance(read_back, ReadBackChange) and read_back.came_from is phase

    changing.__name__ = f"changing_from_{phase.lower()}"
    return changing


def declined_tool_from(phase: Phase) -> Guard:
    """A no to the read-back of a call to somebody else's tool that was proposed in `phase`."""

    def declined(s: Situation) -> bool:
        return ran_from(phase)(s) and (_says_no(s) or _drops(s))

    declined.__name__ = f"declined_tool_from_{phase.lower()}"
    return declined


def ran_from(phase: Phase) -> Guard:
    """The read-back is of a call to somebody else's tool that was proposed in `phase`."""

    def ran(s: Situation) -> bool:
        return isinstance(s.context.read_back, ReadBackTool) and s.context.read_back.came_from is phase

    ran.__name__ = f"ran_from_{phase.lower()}"
    return ran


def answered_a_question(s: Situation) -> bool:
    """The answer to a question of the planner's, with nothing told for the draft beside it."""
    inquiry = s.folded.context.inquiry
    return inquiry is not None and not s.folded.told and answer_to(inquiry, s.reading) is not None


def _says_no(s: Situation) -> bool:
    return s.reading.confirm == "no" or s.reading.rejects_rooms


def _drops(s: Situation) -> bool:
    reading = s.reading
    plain = reading.values == Values() and not reading.choice and not reading.everything
    return reading.intent == "cancel" and plain


def _drops_everything(s: Situation) -> bool:
    return s.reading.intent == "cancel" and s.reading.everything


def abandoned(s: Situation) -> bool:
    """The draft is called off, without naming a booking."""
    context = s.context
    if _drops_everything(s):
        return is_draft_under_way(context) and not (s.reading.this_booking or context.listed or context.errand)
    if not _drops(s):
        return False
    if s.reading.this_booking:
        return _this_is_the_draft(context)
    if is_draft_under_way(context):
        return True
    return not context.listed and (context.booking is None or context.phase is not Phase.BOOKED)


def _this_is_the_draft(context: BookingContext) -> bool:
    """Tell what "it" points at in "cancel it": at a read-back the read-back, else a booking the user has seen."""
    if isinstance(context.read_back, ReadBackBook):
        return True
    return is_draft_under_way(context) and context.booking is None and not context.listed


def cancels_a_booking(s: Situation) -> bool:
    """A booking that exists shall be cancelled."""
    return s.reading.intent == "cancel"


def moves_a_booking(s: Situation) -> bool:
    """A booking that exists shall be moved or made longer or shorter."""
    return speaks_of_a_booking(s.context, s.reading) or takes_new_value(s.context, s.folded.accepted)


def lets_go_of_an_errand(s: Situation) -> bool:
    """The question which booking, or what to change it to, is called off."""
    errand = s.context.errand
    if errand is None:
        return False
    kept = s.reading.keeps and errand.kind == "cancel"
    return kept or _says_no(s) or (_drops(s) and not s.reading.this_booking)


def picked_a_booking(s: Situation) -> bool:
    """One of the numbered bookings was picked."""
    return isinstance(s.folded.accepted, ProposedBooking)


def wants_list(s: Situation) -> bool:
    """The user's bookings are asked for."""
    return s.reading.intent == "list"


def asks_weather_somewhere(s: Situation) -> bool:
    """The weather at a named place is asked for."""
    return s.reading.intent == "weather" and s.reading.place is not None


def asks_weather_nowhere(s: Situation) -> bool:
    """The weather is asked for without a place."""
    return s.reading.intent == "weather"


def named_the_place(s: Situation) -> bool:
    """The answer to "which city?"."""
    reading = s.reading
    asked = s.folded.context.asks_place is not None
    nothing_else = not s.folded.told and reading.choice is None and reading.confirm is None
    return asked and reading.intent == "none" and nothing_else and bool(reading.text.strip())


def wants_help(s: Situation) -> bool:
    """Help is asked for, with nothing told beside it."""
    return s.reading.intent == "help" and not s.folded.told


def asks_about_the_site(s: Situation) -> bool:
    """Something that the site's data answers is asked, and nothing is said besides."""
    return bool(s.reading.questions) and s.reading.intent == "help"


def asks_what_is_remembered(s: Situation) -> bool:
    """What the bot remembers of the user is asked for."""
    return s.reading.memory == "show"


def wants_forgetting(s: Situation) -> bool:
    """What the bot remembers of the user shall be deleted."""
    return s.reading.memory == "forget"


def makes_smalltalk(s: Situation) -> bool:
    """Small talk, with nothing told beside it."""
    return s.reading.intent == "smalltalk" and not s.folded.told and s.reading.choice is None


def complete(s: Situation) -> bool:
    """Something new was told and nothing is missing or rejected."""
    folded = s.folded
    asks_again = s.reading.retry or bool(folded.changed)
    asks_again = asks_again or (not folded.rejections and (folded.told or s.reading.intent == "book"))
    return asks_again and _is_whole(s)


def _is_whole(s: Situation) -> bool:
    """Nothing is missing, and nothing was rejected that leaves its slot empty."""
    slots = s.folded.context.slots
    return not slots.missing() and not leaves_a_gap(s.folded)


def complete_anew(s: Situation) -> bool:
    """A fresh, complete request after a booking."""
    return told_anew(s) and _is_whole(s)


def told_anew(s: Situation) -> bool:
    """A fresh request, complete or not, where no draft stands."""
    folded = s.folded
    about_slots = any(issue.slot for issue in folded.issues)
    return folded.context.slots != Slots() or s.reading.intent == "book" or about_slots or folded.told


def changed(s: Situation) -> bool:
    """The draft is another one than was searched for, and whole."""
    return bool(s.folded.changed) and _is_whole(s)


def changed_into_a_gap(s: Situation) -> bool:
    """The draft changed and now misses a value."""
    return bool(s.folded.changed) and not _is_whole(s)


def chose_a_room(s: Situation) -> bool:
    """A room on the table was chosen."""
    return s.folded.chosen is not None


def chose_another_room(s: Situation) -> bool:
    """Another room on the table than the one read back was chosen."""
    return s.folded.chosen is not None and s.folded.chosen != s.context.selected


def agreed_to_the_only_room(s: Situation) -> bool:
    """A plain yes while one room is on the table."""
    return s.reading.confirm == "yes" and len(s.context.offers) == 1


def named_a_room(s: Situation) -> bool:
    """A room of the site that is not on the table was named, for a wish that is whole."""
    return s.folded.named_room is not None and not s.context.slots.missing()


def wants_other_rooms(s: Situation) -> bool:
    """None of the rooms on the table is wanted."""
    return _says_no(s)


def wants_another_size(s: Situation) -> bool:
    """A larger or smaller room is wanted than the one read back, or than those on the table."""
    return compares_sizes(s.context, s.reading) and not s.context.slots.missing()


def wants_a_retry(s: Situation) -> bool:
    """The same once more."""
    return s.reading.retry or isinstance(s.folded.accepted, ProposedRetry)


def told(s: Situation) -> bool:
    """Anything for the draft, legal or not."""
    return s.folded.told or bool(s.folded.issues) or s.reading.intent == "book"


def said_yes(s: Situation) -> bool:
    """A plain yes."""
    return s.reading.confirm == "yes"


def said_no(s: Situation) -> bool:
    """A plain no."""
    return _says_no(s)


def requested_meanwhile(s: Situation) -> bool:
    """A new request while a move or cancellation waits for its yes."""
    is_change = isinstance(s.context.read_back, ReadBackChange)
    return is_change and s.reading.intent == "book" and is_whole_wish(s.reading.values)


def requested_meanwhile_whole(s: Situation) -> bool:
    """The same, with nothing missing."""
    return requested_meanwhile(s) and _is_whole(s)
