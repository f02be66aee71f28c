"""The session's context: the single source of truth of one conversation, bounded in size, stored as JSON."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from booking_bot.dialogue.inquiry import Inquiry
from booking_bot.dialogue.model import (
    CONTEXT_SCHEMA,
    Booking,
    Filled,
    Frozen,
    Language,
    Pending,
    Phase,
    ReadBack,
    ReadBackBook,
    ReadBackCancelSeveral,
    ReadBackTool,
    SlotName,
    Slots,
    Status,
)
from booking_bot.dialogue.observations import Alternative
from booking_bot.dialogue.reading import Part
from booking_bot.dialogue.site import Equipment


class ProposedValue(Frozen):
    """A legal value for a slot, offered in place of one that was not legal or not clear.

    Attributes:
        value: as plain text: ISO date, HH:MM, or a whole number.
    """

    kind: Literal["value"] = "value"
    slot: SlotName
    value: str


class ProposedAlternative(Frozen):
    """A change of the wish under which rooms are free."""

    kind: Literal["alternative"] = "alternative"
    alternative: Alternative


class ProposedRetry(Frozen):
    """The last search once more."""

    kind: Literal["retry"] = "retry"


class ProposedBooking(Frozen):
    """One of the user's bookings, when it is asked which is meant."""

    kind: Literal["booking"] = "booking"
    booking: Booking


Proposal = ProposedValue | ProposedAlternative | ProposedRetry | ProposedBooking


class Errand(Frozen):
    """What is to be done to an existing booking, while it is being found out which one or what to.

    Attributes:
        kind: cancel it or move it.
        everything: all bookings that are like that are meant, not one of them.
        date, start_time, room_id: name the booking meant; None is not said.
        booking_id: the public id of the booking meant, when it was pointed at.
        booking: the booking meant, once it was found.
        new_*: where it moves to; None keeps what it has.
        minutes_more: how much longer; negative is shorter.
        minutes_later, days_later: how much later; negative is earlier.
        awaits: new values that were rejected while the rest of the change stands; nothing is looked for without them.
    """

    kind: Literal["cancel", "move"]
    everything: bool = False
    date: dt.date | None = None
    start_time: dt.time | None = None
    room_id: str | None = None
    booking_id: str | None = None
    booking: Booking | None = None
    new_date: dt.date | None = None
    new_start_time: dt.time | None = None
    new_duration_minutes: int | None = None
    new_room_id: str | None = None
    new_building: str | None = None
    new_floor: int | None = None
    new_equipment: tuple[Equipment, ...] = ()
    new_excluded: tuple[str, ...] = ()
    new_capacity: int | None = None
    new_end_time: dt.time | None = None
    minutes_more: int | None = None
    minutes_later: int | None = None
    days_later: int | None = None
    awaits: tuple[SlotName, ...] = ()

    @property
    def says_which_room(self) -> bool:
        """Whether anything is said of the new room besides its equipment."""
        return self.new_building is not None or self.new_floor is not None or bool(self.new_excluded)

    @property
    def says_where_to(self) -> bool:
        """Whether anything is said of the new place or time."""
        return any(
            value is not None
            for value in (
                self.new_date,
                self.new_start_time,
                self.new_duration_minutes,
                self.new_room_id,
                self.new_building,
                self.new_floor,
                self.new_capacity,
                self.new_end_time,
                self.minutes_more,
                self.minutes_later,
                self.days_later,
            )
        ) or bool(self.new_equipment or self.new_excluded)


class BookingContext(Frozen):
    """Where one conversation stands.

    Attributes:
        turn_id: number of the last turn, from 1; 0 before the first.
        slots: the draft.
        ends_at: an end said before any start ("开到四点"); becomes the length once the start is known.
        part: a part of the day said before any start ("明天上午"); it tells how the hour is read.
        offers: room ids on the table, in the shown order.
        rejected: room ids the user said no to for this wish.
        wanted_room: a room the user named before or besides the search.
        read_back: what a whole yes would do, exactly.
        suspended: the draft's read-back while an existing booking is being changed.
        suspended_asks, suspended_proposals: what was asked and offered for the draft meanwhile.
        in_doubt: a write of the pending read-back got no answer and could not be looked up yet.
        asks: the slot asked for while `clarify` waits.
        proposals: what numbers stand for while `clarify` waits.
        errand: what is to be done to an existing booking, until its read-back.
        asks_place: day of a weather question whose place is being asked.
        inquiry: a question besides the draft's own, which waits for the next message.
        booking: the booking made, moved or named last.
        listed: public ids of the bookings listed last, in the shown order.
        memory_shown: number of the turn that last told what is remembered of the user.
        tokens_used: model tokens spent in this session.
        summary: what was said before the window the planner sees.
    """

    schema_version: Literal[1] = CONTEXT_SCHEMA
    session_id: str
    user_id: str
    turn_id: int = 0
    phase: Phase = Phase.COLLECTING_SLOTS
    status: Status = Status.IDLE
    stop_reason: str | None = None
    language: Language | None = None
    slots: Slots = Slots()
    ends_at: Filled[dt.time] | None = None
    part: Part | None = None
    offers: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    wanted_room: str | None = None
    read_back: ReadBack | None = None
    suspended: ReadBackBook | None = None
    suspended_asks: SlotName | None = None
    suspended_proposals: tuple[Proposal, ...] = ()
    in_doubt: bool = False
    pending: Pending | None = None
    asks: SlotName | None = None
    proposals: tuple[Proposal, ...] = ()
    errand: Errand | None = None
    asks_place: dt.date | None = None
    inquiry: Inquiry | None = None
    booking: Booking | None = None
    listed: tuple[str, ...] = ()
    last_tool_error: str | None = None
    memory_shown: int = 0
    tokens_used: int = 0
    summary: str = ""

    @property
    def selected(self) -> str | None:
        """The room of the pending read-back, or of the booking just made; None otherwise."""
        match self.read_back:
            case ReadBackBook(order=order):
                return order.room_id
            case None:
                return self.booking.room_id if self.phase is Phase.BOOKED and self.booking else None
            case ReadBackTool() | ReadBackCancelSeveral():
                return None
            case _:
                return self.read_back.booking.room_id

    def with_(self, **changes: object) -> BookingContext:
        """Give a copy with these attributes in place; the values are trusted to be of their types."""
        return self.model_copy(update=changes)

    def without_draft(self) -> BookingContext:
        """Give a copy with nothing of the draft left; who speaks and the last booking stay."""
        return self.with_(
            slots=Slots(),
            ends_at=None,
            part=None,
            offers=(),
            rejected=(),
            wanted_room=None,
            read_back=None,
            suspended=None,
            suspended_asks=None,
            suspended_proposals=(),
            in_doubt=False,
            pending=None,
            asks=None,
            proposals=(),
            errand=None,
            inquiry=None,
            last_tool_error=None,
        )
