"""What holds after every step whatever a transcript says. Judged from the outside, not by the bot's own word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from booking_bot.dialogue.claims import CLAIMS
from booking_bot.dialogue.conversation import TurnOutcome
from booking_bot.dialogue.model import Booking, Phase, ReadBackBook
from booking_bot.dialogue.reading import Reading
from booking_bot.dialogue.table import TRANSITIONS
from booking_bot.engine import Answered
from booking_bot.reply import Reply
from booking_bot.transcripts.diff import Difference

PROMPTS: Final = frozenset(
    {
        "alternatives",
        "ask_building",
        "ask_capacity",
        "ask_date",
        "ask_duration_minutes",
        "ask_floor",
        "ask_place",
        "ask_retry",
        "ask_start_time",
        "change_to_what",
        "inquiry",
        "offer_rooms",
        "read_back",
        "read_back_cancel_several",
        "read_back_cancel",
        "read_back_move",
        "read_back_tool",
        "which_booking",
    }
)
"""Phrases that ask for something; see `dialogue.prompts`."""
PENDING_OF: Final[dict[Phase, tuple[str | None, ...]]] = {
    Phase.COLLECTING_SLOTS: (None, "clarify"),
    Phase.SEARCHING: (),
    Phase.AWAITING_SELECTION: ("select_room",),
    Phase.CONFIRMING: ("confirm",),
    Phase.BOOKED: (None, "clarify"),
}
"""What may be waited for in each phase in which a turn ends."""
KEY: Final = "invariant"


@dataclass(frozen=True, slots=True)
class Moment:
    """One step as the invariants see it.

    Attributes:
        number: of the step, from 1.
        before: the phase the session was in.
        bookings: all committed bookings after the step.
        made: how many of them the conversation made.
        confirmations: whole yeses to the read-back of a new booking so far.
    """

    number: int
    before: Phase
    answered: Answered
    bookings: tuple[Booking, ...]
    made: int
    confirmations: int


def confirms(before: TurnOutcome | None, reading: Reading) -> bool:
    """Tell whether a message is a whole yes to the read-back of a new booking, shown in the reply just before it."""
    if before is None or not isinstance(before.context.read_back, ReadBackBook):
        return False
    return reading.confirm == "yes" and any(each.phrase == "read_back" for each in before.says)


def check(moment: Moment) -> tuple[Difference, ...]:
    """Check everything that must hold."""
    return tuple(_check(moment))


def _check(moment: Moment) -> Iterator[Difference]:
    number, reply = moment.number, moment.answered.reply
    if moment.made > moment.confirmations:
        yield Difference("BOOKINGS", number, KEY, f"at most {moment.confirmations} bookings made", moment.made)
    for claim in false_claims(reply, moment.bookings, repeated=moment.answered.repeated):
        yield Difference("REPLY", number, KEY, f"“{claim}” only of a committed booking", reply.text)
    for first, second in overlapping(moment.bookings):
        clash = f"{first.room_id} {first.date} {first.start_time:%H:%M} and {second.start_time:%H:%M}"
        yield Difference("BOOKINGS", number, KEY, "no two bookings that overlap", clash)
    if moment.answered.repeated:
        return
    outcome = moment.answered.outcome
    if outcome is None:
        yield Difference("REPLY", number, KEY, "an answer", f"an internal error: {reply.text}")
        return
    if reply.pending not in PENDING_OF[reply.phase]:
        yield Difference("PENDING", number, KEY, f"what fits {reply.phase}", reply.pending)
    asked = [each.phrase for each in outcome.says if each.phrase in PROMPTS]
    if len(asked) > 1 or (reply.pending is not None and not asked):
        yield Difference("PENDING", number, KEY, "exactly one prompt", asked)
    yield from _illegal_changes(number, moment.before, outcome, reply)


def false_claims(reply: Reply, bookings: Iterable[Booking], *, repeated: bool = False) -> tuple[str, ...]:
    """Give the words in a reply that promise a booking which no committed row stands for.

    Args:
        repeated: the reply was given before; its booking may have been changed since.
    """
    said = tuple(claim for claim in CLAIMS if claim in reply.text)
    if not said or reply.booking is None:
        return said
    claimed = reply.booking
    for booking in bookings:
        place = (booking.room_id, booking.date.isoformat(), f"{booking.start_time:%H:%M}", booking.minutes)
        stands = booking.status == "booked" and place == (claimed.room, claimed.date, claimed.start, claimed.minutes)
        if booking.id == claimed.id and (stands or repeated):
            return ()
    return said


def overlapping(bookings: Iterable[Booking]) -> tuple[tuple[Booking, Booking], ...]:
    """Give the pairs of booked bookings of one room that share a minute (half-open)."""
    booked = [b for b in bookings if b.status == "booked"]
    return tuple(
        (a, b)
        for a, b in combinations(booked, 2)
        if a.room_id == b.room_id and _start(a) < _start(b) + b.minutes and _start(b) < _start(a) + a.minutes
    )


def _start(booking: Booking) -> int:
    return booking.date.toordinal() * 1440 + booking.start_time.hour * 60 + booking.start_time.minute


def _illegal_changes(number: int, before: Phase, outcome: TurnOutcome, reply: Reply) -> Iterator[Difference]:
    phase = before
    legal: Sequence[object] = TRANSITIONS
    for row in outcome.rows:
        if row not in legal or phase not in row.phases:
            yield Difference("PHASE", number, KEY, f"a row of the table that holds in {phase}", row.name)
        phase = row.go_to or phase
    if reply.phase is not phase:
        yield Difference("PHASE", number, KEY, f"{phase}, where the table leads from {before}", reply.phase.value)
