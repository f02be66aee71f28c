"""The reply of one turn, as every channel gets it and as it is stored to be given again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final, Literal, assert_never
from zoneinfo import ZoneInfo

from pydantic import Field

from booking_bot.dialogue.context import BookingContext, Proposal, ProposedBooking
from booking_bot.dialogue.model import (
    SLOT_NAMES,
    Booking,
    Frozen,
    Language,
    Phase,
    ReadBack,
    ReadBackBook,
    ReadBackCancel,
    ReadBackCancelSeveral,
    ReadBackMove,
    ReadBackTool,
    SlotName,
)
from booking_bot.dialogue.site import Localized, Site

SlotValue = str | int | list[str]
START_GRACE: Final = dt.timedelta(minutes=5)
"""A meeting may still be confirmed this long after its start; later the question has expired."""
PLACEHOLDERS: Final[Mapping[str, str]] = {
    "date": "2026-12-01",
    "start_time": "14:30",
    "duration_minutes": "60",
    "capacity": "8",
}


class Evidence(Frozen):
    """Where a slot's value comes from: the user's words, the turn they were said in, and who read them."""

    words: str
    turn: int
    source: str


class Option(Frozen):
    """One room on the table."""

    number: int
    room_id: str
    name: Localized
    building: str
    building_name: Localized
    floor: int
    seats: int
    equipment: tuple[str, ...]


class BookedRoom(Frozen):
    """A committed booking, times as office wall time."""

    id: str
    room: str
    date: str
    start: str
    minutes: int
    people: int
    title: str
    organizer: str
    status: Literal["booked", "cancelled"]

    @classmethod
    def of(cls, booking: Booking) -> BookedRoom:
        """Show a booking."""
        return cls(
            id=booking.id,
            room=booking.room_id,
            date=booking.date.isoformat(),
            start=f"{booking.start_time:%H:%M}",
            minutes=booking.minutes,
            people=booking.people,
            title=booking.title,
            organizer=booking.organizer,
            status=booking.status,
        )


class ReadBackShown(Frozen):
    """What a yes to the pending read-back does, exactly, with words for a button each.

    Attributes:
        yes, no: what the buttons say, in the user's language.
        booking: public id of the booking to be moved or cancelled.
        room, date, start, minutes: of the booking as the yes leaves it, or of the one it cancels; as office wall time.
        tool: name of somebody else's tool.
    """

    kind: Literal["book", "move", "cancel", "cancel_several", "tool"]
    yes: str
    no: str
    booking: str | None = None
    room: str | None = None
    date: str | None = None
    start: str | None = None
    minutes: int | None = None
    tool: str | None = None

    @classmethod
    def of(cls, read_back: ReadBack, *, yes: str, no: str) -> ReadBackShown:
        """Show a read-back."""
        match read_back:
            case ReadBackBook(kind=kind, order=order):
                room, date, start, minutes = order.room_id, order.date, order.start_time, order.duration_minutes
                booking = None
            case ReadBackMove(kind=kind, change=change, booking=moved):
                room, date, start, minutes = change.room_id, change.date, change.start_time, change.duration_minutes
                booking = moved.id
            case ReadBackCancel(kind=kind, booking=item):
                room, date, start, minutes, booking = item.room_id, item.date, item.start_time, item.minutes, item.id
            case ReadBackCancelSeveral(kind=kind):
                return cls(kind=kind, yes=yes, no=no)
            case ReadBackTool(kind=kind, tool=tool):
                return cls(kind=kind, yes=yes, no=no, tool=tool)
            case _:
                assert_never(read_back)
        return cls(
            kind=kind,
            yes=yes,
            no=no,
            booking=booking,
            room=room,
            date=date.isoformat(),
            start=f"{start:%H:%M}",
            minutes=minutes,
        )


class Interrupt(Frozen):
    """The question that is pending, so that an answer can name it: by its id, or in plain text.

    Attributes:
        id: changes with every turn that asks; an answer to an older one is not taken.
        kind: how it can be answered.
        message: the question as it stands at the end of the reply.
        placeholder: a sample of what can be typed, for `ask_input`.
        options: what can be picked, in the shown order.
        labels: the numbers that may be sent as text for them.
        expires_at: ISO instant after which the answer comes too late; None where it never does by itself.
    """

    id: str
    kind: Literal["ask_input", "ask_choice", "ask_multi_choice", "ask_confirm"]
    message: str = ""
    placeholder: str = ""
    options: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    expires_at: str | None = None

    @property
    def answer_schema(self) -> dict[str, Any]:
        """The JSON schema of the payload that answers it."""
        number: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": len(self.labels)}
        match self.kind:
            case "ask_confirm":
                return _object("confirmed", {"type": "boolean"})
            case "ask_choice":
                return _object("choice", number)
            case "ask_multi_choice":
                return _object("choices", {"type": "array", "items": number, "minItems": 1, "uniqueItems": True})
            case "ask_input":
                return _object("text", {"type": "string", "minLength": 1})


def _object(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {name: schema}, "required": [name], "additionalProperties": False}


class Reply(Frozen):
    """What a turn came to.

    Attributes:
        text: what to show the user.
        slots: the draft as plain JSON types; slots without a value are absent.
        pending: what the bot waits for, None for nothing.
        asks: the slot asked for while `clarify` waits.
        options: the rooms on the table, numbered from 1; empty when there are none.
        room: id of the room read back or booked, else None.
        booking: the booking made, moved or cancelled in this turn, or the one that stands while BOOKED.
        evidence: per slot, where its value comes from.
        actions: the tools called in this turn, in order.
        choices: how many numbered things other than rooms can be chosen.
        read_back: what a yes would do, while a read-back is pending.
        streamed: lengths of the pieces in which the beginning of the text was sent while it was written.
    """

    text: str
    phase: Phase
    slots: dict[str, SlotValue] = Field(default_factory=dict)
    pending: Literal["clarify", "select_room", "confirm"] | None = None
    asks: SlotName | None = None
    options: tuple[Option, ...] = ()
    room: str | None = None
    booking: BookedRoom | None = None
    evidence: dict[str, Evidence] = Field(default_factory=dict)
    interrupt: Interrupt | None = None
    actions: tuple[str, ...] = ()
    choices: int = 0
    llm_calls: int = 0
    language: Language = "zh"
    turn_id: int = 0
    stop_reason: str | None = None
    read_back: ReadBackShown | None = None
    streamed: tuple[int, ...] = ()


def options_of(context: BookingContext, site: Site) -> tuple[Option, ...]:
    """Describe the rooms on the table."""
    if context.phase is not Phase.AWAITING_SELECTION or (context.inquiry and context.inquiry.options):
        return ()
    out = []
    for number, room_id in enumerate(context.offers, 1):
        room = site.rooms_by_id.get(room_id)
        if room is None:
            continue
        building = site.buildings_by_code[room.building]
        out.append(
            Option(
                number=number,
                room_id=room.id,
                name=room.name,
                building=building.code,
                building_name=building.name,
                floor=room.floor,
                seats=room.seats,
                equipment=room.equipment,
            )
        )
    return tuple(out)


def evidence_of(context: BookingContext) -> dict[str, Evidence]:
    """Tell where each slot's value comes from."""
    out: dict[str, Evidence] = {}
    for name in SLOT_NAMES:
        filled = getattr(context.slots, name)
        if filled is not None:
            out[name] = Evidence(words=filled.words, turn=filled.turn, source=filled.source)
    return out


def interrupt_of(context: BookingContext, site: Site, message: str = "") -> Interrupt | None:
    """Describe the pending question.

    Args:
        message: the question as text.
    """
    kind: Literal["ask_input", "ask_choice", "ask_multi_choice", "ask_confirm"] = "ask_input"
    options: tuple[str, ...] = ()
    inquiry = context.inquiry
    if inquiry is not None:
        kind, options = inquiry.kind, inquiry.options
    elif context.pending is None:
        return None
    elif any(isinstance(p, ProposedBooking) for p in context.proposals) or context.pending == "select_room":
        kind, options = "ask_choice", tuple(map(_name, context.proposals)) or context.offers
    elif context.pending == "confirm":
        kind = "ask_confirm"
    elif context.proposals:
        kind, options = "ask_choice", tuple(map(_name, context.proposals))
    placeholder = inquiry.placeholder if inquiry else PLACEHOLDERS.get(context.asks or "", "")
    return Interrupt(
        id=f"{context.turn_id}",
        kind=kind,
        message=message,
        placeholder=placeholder if kind == "ask_input" else "",
        options=options,
        labels=tuple(str(number) for number in range(1, len(options) + 1)),
        expires_at=expires_at(context.slots.plain(), site.policy.zone),
    )


def _name(proposal: Proposal) -> str:
    match proposal.kind:
        case "value":
            return proposal.value
        case "alternative":
            return f"{proposal.alternative.start_time:%H:%M} {' '.join(proposal.alternative.room_ids[:1])}".strip()
        case "booking":
            booking = proposal.booking
            return f"{booking.date.isoformat()} {booking.start_time:%H:%M} {booking.room_id}"
        case "retry":
            return "retry"


def expires_at(slots: Mapping[str, object], zone: ZoneInfo) -> str | None:
    """Give the instant at which a question about a draft comes too late: a little after its start, when that is set."""
    date, start = slots.get("date"), slots.get("start_time")
    if not isinstance(date, str) or not isinstance(start, str):
        return None
    begins = dt.datetime.combine(dt.date.fromisoformat(date), dt.time.fromisoformat(start), zone)
    return (begins + START_GRACE).isoformat()
