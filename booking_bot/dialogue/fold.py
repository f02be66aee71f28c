"""Folds what was said into the draft: the only place where slots change.

Each value is judged by itself (in `draft`); a rejected one leaves only its own slot. One message gives one new `Slots`.
What a slot had before stands only where the message changes nothing else: with other values beside it, it is what
nobody asked for.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any

from booking_bot.dialogue.context import (
    BookingContext,
    Proposal,
    ProposedAlternative,
    ProposedBooking,
    ProposedRetry,
    ProposedValue,
)
from booking_bot.dialogue.draft import Draft, fill
from booking_bot.dialogue.model import (
    SLOT_NAMES,
    Filled,
    Phase,
    SlotName,
    Slots,
    Source,
)
from booking_bot.dialogue.policy import Issue
from booking_bot.dialogue.reading import NOWHERE, Reading, Values
from booking_bot.dialogue.site import Site
from booking_bot.dialogue.topics import ASIDE_INTENTS, speaks_of_a_booking, takes_new_value


@dataclass(frozen=True, slots=True)
class Folded:
    """What a message did to the draft.

    Attributes:
        context: the context with the new slots; everything but slots, `ends_at` and `wanted_room` is as before.
        changed: slots whose value is another one than before.
        issues: values that were rejected, rounded or not clear, in the order of the slots.
        accepted: the proposal the user took, if any.
        chosen: the room id a choice of a room on the table means, None when there is no such choice.
        named_room: a room of the site that is not on the table but was named.
        bad_choice: a choice that means nothing here, as plain text.
        told: whether the message said anything for the draft at all, legal or not.
    """

    context: BookingContext
    changed: frozenset[SlotName] = frozenset()
    issues: tuple[Issue, ...] = ()
    accepted: Proposal | None = None
    chosen: str | None = None
    named_room: str | None = None
    bad_choice: str | None = None
    told: bool = False

    @property
    def rejections(self) -> tuple[Issue, ...]:
        """The issues that kept a value out of the draft."""
        return tuple(issue for issue in self.issues if issue.blocking)


def fold(context: BookingContext, reading: Reading, site: Site, now: dt.datetime, *, source: Source = "rule") -> Folded:
    """Put what was said into the draft.

    Args:
        context: the context before this message.
        now: the site's wall clock, aware.
        source: who read the values.

    Returns:
        The new draft and what became of each value. The context given is not touched.
    """
    accepted = _accepted(context, reading)
    chosen, named_room, bad_choice = _choice(context, reading, site) if accepted is None else (None, None, None)
    if reading.intent in ASIDE_INTENTS or speaks_of_a_booking(context, reading):
        return Folded(context, issues=_not_understood(reading), bad_choice=bad_choice)
    if takes_new_value(context, accepted):
        return Folded(context, issues=_not_understood(reading), accepted=accepted)
    values = _with_picked(with_proposal(reading.values, accepted), context, reading)
    values = _like_the_last(values, context, reading)
    values = _with_named_allowed(values, chosen or named_room)
    base = context.slots
    draft = Draft(site, now, context.turn_id, "user" if accepted else source, reading, _as_dict(base))
    for slot in reading.dropped:
        draft.slots[slot] = None
    if isinstance(accepted, ProposedAlternative):
        _take_alternative(draft, accepted)
    ends_at = fill(draft, values, context.ends_at)
    _leave_rejected_empty(draft, base)
    part = None if draft.slots["start_time"] is not None else reading.part or context.part
    slots = base.model_copy(update=draft.slots)
    changed = frozenset(name for name in SLOT_NAMES if _value(base, name) != _value(slots, name))
    bad_room = (Issue("room_unknown", None, bad_choice),) if bad_choice and _looks_like_room(bad_choice) else ()
    taken_back = bool(reading.dropped or reading.without)
    return Folded(
        context=context.with_(slots=slots, ends_at=ends_at, part=part, wanted_room=named_room or context.wanted_room),
        changed=changed,
        issues=(*draft.issues, *bad_room, *_not_understood(reading)),
        accepted=accepted,
        chosen=chosen,
        named_room=named_room,
        bad_choice=bad_choice,
        told=_says_more(values, chosen) or taken_back or accepted is not None or named_room is not None,
    )


def _leave_rejected_empty(draft: Draft, base: Slots) -> None:
    """Take the old value of a rejected slot back where the same message changes another slot.

    "9 to 11 pm" that is past closing must not leave two hours at the old start behind, nor "next Friday at 3" the new
    start on the old day: nobody asked for either.
    """
    if all(_value(base, name) == _plain(draft.slots[name]) for name in SLOT_NAMES):
        return
    for issue in draft.issues:
        slot = issue.slot
        if issue.blocking and slot is not None and _value(base, slot) == _plain(draft.slots[slot]):
            draft.slots[slot] = None


def _says_more(values: Values, chosen: str | None) -> bool:
    """Tell whether anything was said besides the choice of a room on the table."""
    return (values if chosen is None else replace(values, allowed=None)) != Values()


def _as_dict(slots: Slots) -> dict[str, Filled[Any] | None]:
    return {name: getattr(slots, name) for name in SLOT_NAMES}


def _value(slots: Slots, name: str) -> object:
    return _plain(getattr(slots, name))


def _plain(filled: Filled[Any] | None) -> object:
    return None if filled is None else filled.value


def _looks_like_room(text: str) -> bool:
    return not text.lstrip("-").isdigit() or len(text) > 2


def _not_understood(reading: Reading) -> tuple[Issue, ...]:
    unclear = tuple(Issue("when_not_understood", None, words, blocking=False) for words in reading.unread_when[:3])
    if reading.several_rooms is None:
        return unclear
    return (*unclear, Issue("one_room_at_a_time", None, reading.several_rooms, blocking=False))


def _accepted(context: BookingContext, reading: Reading) -> Proposal | None:
    """Give the proposal the message takes: by number, or by a plain yes when there is only one."""
    proposals = context.proposals
    if not proposals or context.inquiry is not None:
        return None
    if reading.retry:
        return next((p for p in proposals if isinstance(p, ProposedRetry)), None)
    if reading.confirm == "yes" and len(proposals) == 1:
        return proposals[0]
    if isinstance(reading.choice, int):
        index = len(proposals) - 1 if reading.choice == -1 else reading.choice - 1
        if 0 <= index < len(proposals):
            return proposals[index]
    if isinstance(reading.choice, str):
        for proposal in proposals:
            if isinstance(proposal, ProposedBooking) and proposal.booking.room_id == reading.choice.upper():
                return proposal
    return None


def _choice(context: BookingContext, reading: Reading, site: Site) -> tuple[str | None, str | None, str | None]:
    """Resolve a choice against the table.

    Returns:
        A room on the table, a room of the site that is not on it, or the text of a choice that means nothing.
    """
    choice = reading.choice
    if choice is None:
        return None, None, None
    if isinstance(choice, int) and context.inquiry is not None and context.inquiry.options:
        picked = context.inquiry.picked(choice)
        if picked is None or context.inquiry.about != "room":
            return None, None, str(choice) if picked is None else None
        choice = picked
    if isinstance(choice, int):
        index = len(context.offers) - 1 if choice == -1 else choice - 1
        if 0 <= index < len(context.offers):
            return context.offers[index], None, None
        return None, None, str(choice)
    for room_id in site.rooms_by_id:
        if room_id.casefold() == choice.casefold():
            return (room_id, None, None) if room_id in context.offers else (None, room_id, None)
    return None, None, choice


def _with_picked(values: Values, context: BookingContext, reading: Reading) -> Values:
    """Give what was said with the building that was picked where it was asked which one is meant."""
    inquiry, choice = context.inquiry, reading.choice
    if inquiry is None or inquiry.about != "building" or not isinstance(choice, int):
        return values
    return replace(values, building=inquiry.picked(choice) or values.building)


def _like_the_last(values: Values, context: BookingContext, reading: Reading) -> Values:
    """Give what was said with day, start, length and people of the last booking, where one more like it is wanted."""
    last = context.booking
    if not reading.same_again or last is None or context.phase is not Phase.BOOKED:
        return values
    length = values.duration_minutes or (last.minutes if values.end_time is None else None)
    return replace(
        values,
        date=values.date or last.date,
        start_time=values.start_time or last.start_time,
        duration_minutes=length,
        capacity=values.capacity if values.capacity is not None else last.people,
    )


def _with_named_allowed(values: Values, room_id: str | None) -> Values:
    """Give what was said with the room that is chosen wanted again, if it was not before."""
    if room_id is None:
        return values
    allowed = values.allowed or NOWHERE
    return replace(values, allowed=replace(allowed, rooms=(*allowed.rooms, room_id)))


def with_proposal(values: Values, accepted: Proposal | None) -> Values:
    """Give what was said with the value that was taken from those proposed."""
    if not isinstance(accepted, ProposedValue):
        return values
    value = accepted.value
    match accepted.slot:
        case "date":
            return replace(values, date=dt.date.fromisoformat(value))
        case "start_time":
            return replace(values, start_time=dt.time.fromisoformat(value))
        case "duration_minutes":
            return replace(values, duration_minutes=int(value))
        case "capacity":
            return replace(values, capacity=int(value))
        case "building":
            return replace(values, building=value)
        case "floor":
            return replace(values, floor=int(value))
        case "equipment" | "excluded" | "title":
            return values


def _take_alternative(draft: Draft, accepted: ProposedAlternative) -> None:
    alternative = accepted.alternative
    match alternative.kind:
        case "time":
            draft.put("start_time", alternative.start_time)
        case wish:
            draft.slots[wish] = None


def leaves_a_gap(folded: Folded) -> bool:
    """Tell whether a rejected value left its slot empty."""
    slots = folded.context.slots
    return any(issue.slot is not None and getattr(slots, issue.slot) is None for issue in folded.rejections)
