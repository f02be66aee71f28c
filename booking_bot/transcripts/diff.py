"""Compares what was seen with what a transcript expects. A difference has a type, a place and two values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from booking_bot.dialogue.model import Booking
from booking_bot.reply import Reply
from booking_bot.transcripts.model import Expect, ExpectedBooking

DiffType = Literal["PHASE", "SLOTS", "PENDING", "OPTIONS", "ACTIONS", "REPLY", "BOOKINGS"]
AT_THE_END: Final = 0
"""The number that stands for the end of a transcript where a step is named."""
COLOURS: Final[dict[DiffType, str]] = {
    "PHASE": "\x1b[31m",
    "SLOTS": "\x1b[33m",
    "PENDING": "\x1b[35m",
    "OPTIONS": "\x1b[36m",
    "ACTIONS": "\x1b[34m",
    "REPLY": "\x1b[32m",
    "BOOKINGS": "\x1b[91m",
}
RESET: Final = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as expected.

    Attributes:
        type: what sort of thing.
        step: number of the step, from 1; 0 at the end.
        key: the key of `expect` or `end`, or `invariant` for what holds whatever a transcript says.
        expected: what should be, as plain JSON types.
        got: what is.
    """

    type: DiffType
    step: int
    key: str
    expected: object
    got: object

    def line(self, *, coloured: bool = False) -> str:
        """Write it on one line."""
        label = f"{self.type:<8}"
        if coloured:
            label = f"{COLOURS[self.type]}{label}{RESET}"
        return f"{label} {self.key}: expected {_shown(self.expected)}, got {_shown(self.got)}"


def _shown(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool() | int():
            return str(value)
        case str():
            return value if value.isidentifier() else f"“{value}”"
        case list() | tuple():
            return "[" + ", ".join(_shown(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) + "}"
        case _:
            return str(value)


def compare(step: int, expect: Expect, reply: Reply, bookings: int) -> tuple[Difference, ...]:
    """Compare a reply with what a step expects.

    Args:
        step: number of the step, from 1.
        bookings: how many bookings stand now, seeded ones too.
    """
    return tuple(_differences(step, expect, reply, bookings))


def _differences(step: int, expect: Expect, reply: Reply, bookings: int) -> Iterator[Difference]:
    plain: tuple[tuple[DiffType, str, object, object], ...] = (
        ("PHASE", "phase", expect.phase and expect.phase.value, reply.phase.value),
        ("PENDING", "pending", expect.pending, reply.pending),
        ("PENDING", "asks", expect.asks, reply.asks),
        ("OPTIONS", "options", expect.options, len(reply.options)),
        ("OPTIONS", "room", expect.room, reply.room),
        ("ACTIONS", "actions", list(expect.actions), list(reply.actions)),
        ("ACTIONS", "llm_calls", expect.llm_calls, reply.llm_calls),
        ("BOOKINGS", "bookings", expect.bookings, bookings),
    )
    for kind, key, wanted, got in plain:
        if key in expect.model_fields_set and wanted != got:
            yield Difference(kind, step, key, wanted, got)
    for slot, wanted in expect.slots.plain().items():
        if reply.slots.get(slot) != wanted:
            yield Difference("SLOTS", step, f"slots.{slot}", wanted, reply.slots.get(slot))
    for slot in expect.slots_absent:
        if slot in reply.slots:
            yield Difference("SLOTS", step, f"slots_absent.{slot}", None, reply.slots[slot])
    for piece in expect.reply.has:
        if piece not in reply.text:
            yield Difference("REPLY", step, "reply.has", piece, reply.text)
    for piece in expect.reply.lacks:
        if piece in reply.text:
            yield Difference("REPLY", step, "reply.lacks", f"no {piece}", reply.text)


def plain_booking(booking: Booking) -> dict[str, object]:
    """Give a booking by the keys of `end.bookings`."""
    return {
        "room": booking.room_id,
        "date": booking.date.isoformat(),
        "start": f"{booking.start_time:%H:%M}",
        "minutes": booking.minutes,
        "organizer": booking.organizer,
        "status": booking.status,
    }


def plain_expected(expected: ExpectedBooking) -> dict[str, object]:
    """Give an expected booking by the keys that were written down."""
    out: dict[str, object] = {}
    for key in type(expected).model_fields:
        if key in expected.model_fields_set:
            value = getattr(expected, key)
            out[key] = value if value is None or isinstance(value, str | int) else _iso(value)
    return out


def _iso(value: object) -> str:
    return str(value)[:5] if str(value).count(":") == 2 else str(value)


def compare_bookings(expected: Sequence[ExpectedBooking], bookings: Iterable[Booking]) -> tuple[Difference, ...]:
    """Compare all bookings at the end, in any order, each expected one with exactly one that is there."""
    wanted = [plain_expected(each) for each in expected]
    there = [plain_booking(each) for each in bookings]
    pairs = _pairs(wanted, there)
    out = [
        Difference("BOOKINGS", AT_THE_END, "end.bookings", each, None)
        for place, each in enumerate(wanted)
        if place not in pairs
    ]
    taken = set(pairs.values())
    out += [
        Difference("BOOKINGS", AT_THE_END, "end.bookings", None, each)
        for place, each in enumerate(there)
        if place not in taken
    ]
    return tuple(out)


def _pairs(wanted: list[dict[str, object]], there: list[dict[str, object]]) -> dict[int, int]:
    """Match as many as can be matched: a loose description must not take the only fit of a tight one."""
    owner: dict[int, int] = {}

    def place(want: int, tried: set[int]) -> bool:
        for at, booking in enumerate(there):
            if at in tried or any(booking[key] != value for key, value in wanted[want].items()):
                continue
            tried.add(at)
            if at not in owner or place(owner[at], tried):
                owner[at] = want
                return True
        return False

    for want in range(len(wanted)):
        place(want, set())
    return {want: at for at, want in owner.items()}
