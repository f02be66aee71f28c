"""The reply of one turn, as every channel gets it and as it is stored to be given again."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from booking_bot.dialogue.context import BookingContext, ProposedBooking
from booking_bot.dialogue.model import SLOT_NAMES, Booking, Frozen, Language, Phase, SlotName
from booking_bot.dialogue.site import Localized, Site

SlotValue = str | int | list[str]


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


class Interrupt(Frozen):
    """The question that is pending, so that an answer can name it.

    Attributes:
        id: changes with every turn that asks; an answer to an older one is not taken.
        kind: how it can be answered.
        labels: numbered answers that may be sent as text, in the shown order.
    """

    id: str
    kind: Literal["ask_input", "ask_choice", "ask_confirm"]
    labels: tuple[str, ...] = ()


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


def options_of(context: BookingContext, site: Site) -> tuple[Option, ...]:
    """Describe the rooms on the table."""
    if context.phase is not Phase.AWAITING_SELECTION:
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


def interrupt_of(context: BookingContext) -> Interrupt | None:
    """Describe the pending question."""
    if context.pending is None:
        return None
    kind: Literal["ask_input", "ask_choice", "ask_confirm"] = "ask_input"
    labels: tuple[str, ...] = ()
    if any(isinstance(p, ProposedBooking) for p in context.proposals) or context.pending == "select_room":
        kind = "ask_choice"
        labels = tuple(str(n) for n in range(1, (len(context.proposals) or len(context.offers)) + 1))
    elif context.pending == "confirm":
        kind = "ask_confirm"
    elif context.proposals:
        kind = "ask_choice"
        labels = tuple(str(n) for n in range(1, len(context.proposals) + 1))
    return Interrupt(id=f"{context.turn_id}", kind=kind, labels=labels)
