"""What a row does about the draft: asking, reading back, booking. Pure functions.

Searching and offering is in `plans_searching`, bookings that exist are in `plans_existing`, `plans_changing` and
`plans_undone`, side questions in `plans_asides`, tools of somebody else's in `plans_foreign`.
"""

from __future__ import annotations

from collections.abc import Callable

from booking_bot.dialogue.actions import Call, Say, Step, say
from booking_bot.dialogue.context import (
    BookingContext,
    Proposal,
    ProposedValue,
)
from booking_bot.dialogue.model import (
    SLOT_NAMES,
    BookingOrder,
    Pending,
    Phase,
    ReadBackBook,
    ReadBackCancel,
    ReadBackCancelSeveral,
    ReadBackChange,
    RoomRequest,
    SlotName,
    Slots,
)
from booking_bot.dialogue.observations import Booked, Found
from booking_bot.dialogue.policy import Issue, passed
from booking_bot.dialogue.prompts import prompt
from booking_bot.dialogue.site_facts import answers
from booking_bot.dialogue.situation import Situation
from booking_bot.dialogue.sizes import of_the_size
from booking_bot.dialogue.topics import compares_sizes, is_whole_wish

Plan = Callable[[Situation], Step]


def settled(context: BookingContext, *says: Say) -> Step:
    """Say these, then what is pending; the turn is over."""
    return Step(context, (*says, *prompt(context)))


def notices(s: Situation) -> tuple[Say, ...]:
    """Give what must be said of the message whatever else happens: values rejected, rounded or read roughly."""
    out = [say("cut", limit=s.reading.cut_at)] if s.reading.cut_at is not None else []
    out += answers(s)
    if isinstance(s.context.read_back, ReadBackChange) and is_whole_wish(s.reading.values):
        out.append(say("booking_kept"))
    out += [say(f"issue_{issue.kind}", issue=issue) for issue in s.folded.issues]
    left = [words for words in s.reading.unread if words not in s.reading.unread_when]
    left += s.reading.unheeded
    if _leaves_the_size_out(s) and s.reading.size is not None:
        left.append(s.reading.size.words)
    about_a_booking = s.reading.intent in ("cancel", "reschedule", "extend")
    if left and (s.folded.told or about_a_booking or s.reading.unheeded or s.reading.size):
        out.append(say("left_unread", words=tuple(left[:3])))
    wished = s.context.slots.equipment
    never_wished = tuple(item for item in s.reading.without if wished is None or item not in wished.value)
    if never_wished and not about_a_booking and s.context.errand is None:
        out.append(say("equipment_not_avoided", equipment=never_wished))
    if s.folded.told and s.reading.approximate:
        out.append(say("read_roughly", words=s.reading.approximate, slots=s.folded.context.slots))
    return tuple(out)


def _leaves_the_size_out(s: Situation) -> bool:
    """Tell whether a wish for another size comes to nothing: a search heeds it, and the question of how many does."""
    if not compares_sizes(s.context, s.reading):
        return True
    wish, slots = s.reading.size, s.folded.context.slots
    room_id = s.folded.chosen or s.folded.named_room
    if wish is not None and room_id is not None:
        return not of_the_size(wish, s.folded.context, s.site, (room_id,))
    return bool(slots.missing()) and slots.capacity is not None


# --- collecting --------------------------------------------------------------------------------------------------


def ask_next(s: Situation) -> Step:
    """Take what was told and ask for the next missing slot; a rejected one comes first."""
    return _ask(s, draft_only(s.folded.context))


def start_anew(s: Situation) -> Step:
    """Begin a fresh draft with what was told and ask for the rest."""
    return _ask(s, draft_only(s.folded.context))


def _ask(s: Situation, context: BookingContext) -> Step:
    rejected = _first_gap(s.folded.rejections, context.slots)
    stands = s.context.phase is Phase.COLLECTING_SLOTS and s.context.pending is not None
    if rejected is None and s.folded.rejections and not s.folded.changed and stands:
        return keep_as_it_was(s)
    missing = context.slots.missing()
    asks = rejected.slot if rejected else (missing[0] if missing else None)
    context = context.with_(
        phase=Phase.COLLECTING_SLOTS,
        pending=Pending.CLARIFY,
        asks=asks,
        proposals=_proposed(rejected),
        offers=(),
        read_back=None,
    )
    so_far = [say("draft_so_far", slots=context.slots)] if context.slots != Slots() and s.folded.changed else []
    if context.ends_at is not None and context.ends_at != s.context.ends_at:
        so_far.append(say("end_noted", time=context.ends_at.value))
    if context.part is not None and context.part != s.context.part and not s.reading.unread_when:
        so_far.append(say("part_noted", part=context.part))
    return settled(context, *notices(s), *so_far)


def _first_gap(issues: tuple[Issue, ...], slots: Slots) -> Issue | None:
    """Give the first rejection whose slot is empty; one that kept its earlier value asks for nothing."""
    gaps = [issue for issue in issues if issue.slot is not None and getattr(slots, issue.slot) is None]
    return min(gaps, key=lambda issue: SLOT_NAMES.index(issue.slot or "title"), default=None)


def _proposed(issue: Issue | None) -> tuple[Proposal, ...]:
    if issue is None or issue.slot is None or issue.slot in ("equipment", "excluded", "title"):
        return ()
    return tuple(ProposedValue(slot=issue.slot, value=value) for value in issue.legal)


def draft_only(context: BookingContext) -> BookingContext:
    """Leave the draft's slots and nothing that stood on older ones."""
    return context.with_(
        offers=(),
        rejected=(),
        read_back=None,
        suspended=None,
        errand=None,
        asks_place=None,
        inquiry=None,
        proposals=(),
        last_tool_error=None,
    )


def not_understood(s: Situation) -> Step:
    """Say what was not understood and show what is pending."""
    context = _keep_pending(s)
    if s.folded.bad_choice is not None and context.proposals and not notices(s):
        return settled(context, say("choice_out_of_range", choice=s.folded.bad_choice, count=len(context.proposals)))
    if context.phase is Phase.COLLECTING_SLOTS and context.pending is None:
        return Step(context, (*notices(s), say("not_understood", unread=s.reading.unread), say("help_short")))
    return settled(context, *notices(s), say("not_understood", unread=s.reading.unread))


def nothing_to_confirm(s: Situation) -> Step:
    """Answer a yes for which nothing waits."""
    return settled(s.context, say("nothing_to_confirm"))


def ask_again(s: Situation) -> Step:
    """Answer a no while a value is asked for: drop what was proposed and ask openly."""
    context = s.context
    if context.pending is None:
        return settled(context, say("nothing_to_drop"))
    missing = context.slots.missing()
    asks: SlotName | None = context.asks or (missing[0] if missing else "start_time")
    return settled(context.with_(proposals=(), asks=asks))


def keep_as_it_was(s: Situation) -> Step:
    """Name what was rejected and show what is pending, unchanged."""
    if s.folded.bad_choice is not None and not notices(s):
        count = len(s.context.proposals) or len(s.context.offers)
        return settled(_keep_pending(s), say("choice_out_of_range", choice=s.folded.bad_choice, count=count))
    return settled(_keep_pending(s), *notices(s))


def _keep_pending(s: Situation) -> BookingContext:
    """Keep phase and prompt, but let go of an errand that this message did not go on with."""
    return s.context.with_(errand=None) if s.context.errand and not s.context.proposals else s.context


def drop_draft(s: Situation) -> Step:
    """Forget the draft; nothing was written."""
    had_draft = s.context.slots != Slots() or s.context.pending is not None
    context = s.context.without_draft().with_(phase=Phase.COLLECTING_SLOTS, asks_place=None)
    stand = (say("bookings_stand"),) if s.reading.everything else ()
    return Step(context, (say("draft_dropped" if had_draft else "nothing_to_drop"), *stand))


def request_of(slots: Slots) -> RoomRequest:
    """Give the search that the slots ask for; they must be complete."""
    date, start, minutes, capacity = slots.date, slots.start_time, slots.duration_minutes, slots.capacity
    if date is None or start is None or minutes is None or capacity is None:
        raise ValueError(f"a search needs all required slots; missing are {slots.missing()}")
    return RoomRequest(
        date=date.value,
        start_time=start.value,
        duration_minutes=minutes.value,
        capacity=capacity.value,
        building=slots.building.value if slots.building else None,
        floor=slots.floor.value if slots.floor else None,
        equipment=slots.equipment.value if slots.equipment else (),
        excluded=slots.excluded.value if slots.excluded else (),
    )


# --- confirming --------------------------------------------------------------------------------------------------


def read_back_choice(s: Situation) -> Step:
    """Read the chosen room back."""
    chosen = s.folded.chosen or s.context.offers[0]
    return _read_back(s, s.context, chosen, *notices(s))


def read_back_wanted(s: Situation) -> Step:
    """Read the room back that was wanted and is free."""
    wanted = s.context.wanted_room
    found = s.observation
    assert wanted is not None and isinstance(found, Found)  # noqa: S101  # the guard's own condition
    offers = found.room_ids[: s.site.policy.offers]
    if wanted not in offers:
        offers = (*offers[:-1], wanted)
    return _read_back(s, s.context.with_(offers=offers), wanted)


def _read_back(s: Situation, context: BookingContext, room_id: str, *says: Say) -> Step:
    request = request_of(context.slots)
    order = BookingOrder(
        room_id=room_id,
        date=request.date,
        start_time=request.start_time,
        duration_minutes=request.duration_minutes,
        people=request.capacity,
        title=context.slots.title.value if context.slots.title else "",
        key=s.key,
    )
    context = context.with_(
        phase=Phase.CONFIRMING,
        pending=Pending.CONFIRM,
        read_back=ReadBackBook(order=order),
        wanted_room=None,
        asks=None,
        proposals=(),
        errand=None,
        last_tool_error=None,
    )
    return settled(context, *says)


def read_back_again(s: Situation) -> Step:
    """Show the pending read-back again, with what was not taken."""
    noticed = notices(s)
    context = s.context.with_(errand=None, proposals=())
    if s.folded.bad_choice is not None and not noticed:
        return settled(context, say("choice_out_of_range", choice=s.folded.bad_choice, count=len(context.offers)))
    again = s.folded.chosen is not None and s.folded.chosen == s.context.selected
    again = again or (
        s.reading.intent == "cancel" and isinstance(s.context.read_back, ReadBackCancel | ReadBackCancelSeveral)
    )
    if noticed or again or s.folded.told or s.reading.confirm == "yes":
        return settled(context, *noticed)
    return settled(context, say("not_understood", unread=s.reading.unread))


def ask_after_gap(s: Situation) -> Step:
    """The draft lost a value: ask for it, offers and read-back are void."""
    return _ask(s, draft_only(s.folded.context))


def expired(s: Situation) -> Issue | None:
    """Give the house rule that the pending read-back breaks by now, None while it stands."""
    if not isinstance(s.context.read_back, ReadBackBook):
        return None
    order = s.context.read_back.order
    return passed(s.site.policy, order.date, order.start_time, s.now)


def ask_after_too_late(s: Situation) -> Step:
    """Say which rule the read-back breaks by now and ask for that slot anew; nothing was written."""
    issue = expired(s)
    assert issue is not None and issue.slot is not None  # noqa: S101  # the guard's own condition
    slots = s.context.slots.model_copy(update={issue.slot: None})
    context = draft_only(s.context.with_(slots=slots)).with_(
        phase=Phase.COLLECTING_SLOTS, pending=Pending.CLARIFY, asks=issue.slot, proposals=_proposed(issue)
    )
    return settled(context, say(f"issue_{issue.kind}", issue=issue))


def book_room(s: Situation) -> Step:
    """Book exactly what was read back."""
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackBook)  # noqa: S101  # the guard's own condition
    return Step(s.context, (), Call("book_room", read_back.order))


def tell_booked(s: Situation) -> Step:
    """Say "booked", from the committed row."""
    booked = s.observation
    assert isinstance(booked, Booked)  # noqa: S101  # the row's own observation
    context = s.context.with_(
        phase=Phase.BOOKED,
        pending=None,
        asks=None,
        read_back=None,
        suspended=None,
        offers=(),
        rejected=(),
        proposals=(),
        errand=None,
        in_doubt=False,
        booking=booked.booking,
        last_tool_error=None,
    )
    return Step(context, (say("booked", booking=booked.booking),))
