"""What a message says, before any house rule looks at it: the readers' result and what they read it against."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Final, Literal

from booking_bot.dialogue.model import Booking, Language, Pending, SlotName, Slots
from booking_bot.dialogue.site import Equipment, Site

Intent = Literal[
    "book",
    "change",
    "cancel",
    "list",
    "reschedule",
    "extend",
    "weather",
    "help",
    "choose",
    "confirm",
    "smalltalk",
    "none",
]
Part = Literal["dawn", "morning", "noon", "afternoon", "evening"]
"""Part of the day; "am" is read as morning and "pm" as afternoon."""
Confirm = Literal["yes", "no"]
Choice = int | str
"""A 1-based number, -1 for the last, or a room id as the user wrote it."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value was read: [start, end) in characters of the user's own text, and the rule's human name."""

    slot: str
    text: str
    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Two or more readings of the same words.

    Attributes:
        readings: the possible values as plain JSON types, e.g. ("03:00", "15:00").
        settled: the one taken, or None when the user must be asked.
    """

    slot: str
    text: str
    readings: tuple[str, ...]
    settled: str | None


@dataclass(frozen=True, slots=True)
class Places:
    """Rooms, buildings and floors as said, whether the site has them or not."""

    rooms: tuple[str, ...] = ()
    buildings: tuple[str, ...] = ()
    floors: tuple[int, ...] = ()


NOWHERE: Final = Places()


@dataclass(frozen=True, slots=True)
class Values:
    """The raw values of a message. `None` means nothing was said of it.

    Attributes:
        end_time: only when no start is said ("开到四点").
        duration_minutes: may be illegal for the site; policy judges later. Always 1 … 100,000.
        capacity: as said, 0 … 1,000,000.
        building: the bare code as said ("A", "3"), whether the site has it or not.
        excluded: what is not wanted ("不要A", "anything but Building B").
        allowed: what was not wanted and is again ("A也可以").
        illegal_hour: an hour that no clock has ("25点", "13:75"), as written.
        minutes_more: how much longer an existing booking or the draft shall be ("延长半小时"); negative for shorter.
        minutes_later: how much later it shall start ("推迟半小时"); negative for earlier. When the draft's start is
            known the new start stands in `start_time` instead.
        days_later: the same in days ("推迟一天", "a week earlier"), for the date.
    """

    date: dt.date | None = None
    start_time: dt.time | None = None
    end_time: dt.time | None = None
    duration_minutes: int | None = None
    capacity: int | None = None
    building: str | None = None
    floor: int | None = None
    equipment: tuple[Equipment, ...] | None = None
    excluded: Places | None = None
    allowed: Places | None = None
    title: str | None = None
    illegal_hour: str | None = None
    minutes_more: int | None = None
    minutes_later: int | None = None
    days_later: int | None = None


QuestionAbout = Literal["rooms", "room", "hours", "lengths", "window", "buildings"]
"""rooms: which rooms there are, or are like that. room: what one room has. window: which days can be booked."""
Aspect = Literal["equipment", "seats", "place", "everything"]


@dataclass(frozen=True, slots=True)
class SiteQuestion:
    """A question that the site's own data answers.

    Attributes:
        aspect: with room, what is asked of it.
        room_ids: with room, the rooms asked about; empty with `the_chosen` and `unknown`.
        the_chosen: "it", the room that is read back or booked, or those on the table; without one, any room.
        unknown: a room as named that the site does not have.
        equipment, seats, building, floor: with rooms, what they must have; with room, whether it has that.
        extreme: only the largest or the smallest rooms.
    """

    about: QuestionAbout
    aspect: Aspect = "everything"
    room_ids: tuple[str, ...] = ()
    the_chosen: bool = False
    unknown: str | None = None
    equipment: tuple[Equipment, ...] = ()
    seats: int | None = None
    building: str | None = None
    floor: int | None = None
    extreme: Literal["largest", "smallest"] | None = None


@dataclass(frozen=True, slots=True)
class SizeWish:
    """A room of another size than the one under discussion ("大一点的", "that's too small").

    Attributes:
        larger: a larger one; else a smaller one.
        words: as typed.
        than: id of the room it is compared with ("比D大的"); None is the one under discussion.
    """

    larger: bool
    words: str
    than: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One message, read.

    Attributes:
        text: the message as typed (cut at `cut_at` characters when longer).
        language: the language to answer in; None when the message does not tell (digits, a room id, an emoji).
        values: raw values. With intent cancel or list they name the booking meant, with reschedule and extend the
            new values; with weather the day asked about. They then never enter the draft.
        named: for intent reschedule, cancel and extend: what names the existing booking ("把明天3点的会改到5点":
            date and start_time of the old one here, the new start in `values`).
        confirm: only for a whole answer. "yes" never with any other content beside it.
        dropped: slots the user takes back without a new value ("不要投影了", "哪座楼都行").
        without: equipment the user takes back ("不要电话了", "never mind the projector"); what else is wanted stays.
        place: the city or place a weather question names, as typed.
        retry: the message asks to try the same thing again ("再试一次", "try again").
        rejects_rooms: the user refuses what is shown ("都不要", "换一批", "show me others").
        this_booking: with cancel, reschedule, extend: the user points at the booking just made or last listed
            ("这个", "my booking", "刚才订的").
        unread: words that carried content and were not understood, as typed.
        unread_when: those of `unread` that look like a date or time ("下个节气", "每周三"), and a part of the day that
            gives no start ("下午" when the hour is asked or set).
        unheeded: what was read but cannot be heeded, as typed: a floor without a number, or one that names a booking.
        approximate: slots said only roughly and read as the plain value ("三四点", "十来个人", "8到10人").
        thanks, farewell: small talk that thanks, or says good-bye.
        waits: the user asks for time ("等等", "let me think"); a message like that is small talk, never a yes or a no.
        keeps: nothing shall be cancelled ("别取消", "don't cancel it") while no read-back asks for it; small talk too.
        part: a part of the day that no hour took ("明天上午").
        until: the end of a range, as said; it tells an end before the start from a meeting over midnight.
        everything: with cancel, all bookings are meant ("都取消", "cancel all my meetings").
        several_rooms: words that ask for more than one room.
        same_again: one more like the one just booked ("再来一间一样的"); what else is said differs from it.
        named_room: for intent reschedule and extend, the room of the existing booking.
        questions: about the site itself ("有哪些会议室", "when do you close"); their words are read as nothing else. A
            message that says nothing besides has intent help.
        memory: with the whole message, what is remembered of the user is asked for, or shall be forgotten.
        size: a larger or smaller room is wanted, as a comparison.
        cut_at: length in characters at which an over-long message was cut, else None.
    """

    text: str
    language: Language | None = None
    values: Values = field(default_factory=Values)
    named: Values = field(default_factory=Values)
    intent: Intent = "none"
    choice: Choice | None = None
    confirm: Confirm | None = None
    dropped: tuple[SlotName, ...] = ()
    without: tuple[Equipment, ...] = ()
    place: str | None = None
    retry: bool = False
    rejects_rooms: bool = False
    this_booking: bool = False
    spans: tuple[Span, ...] = ()
    unread: tuple[str, ...] = ()
    unread_when: tuple[str, ...] = ()
    unheeded: tuple[str, ...] = ()
    ambiguous: tuple[Ambiguity, ...] = ()
    approximate: tuple[str, ...] = ()
    thanks: bool = False
    farewell: bool = False
    waits: bool = False
    keeps: bool = False
    part: Part | None = None
    until: dt.time | None = None
    everything: bool = False
    several_rooms: str | None = None
    same_again: bool = False
    named_room: str | None = None
    questions: tuple[SiteQuestion, ...] = ()
    size: SizeWish | None = None
    cut_at: int | None = None
    memory: Literal["show", "forget"] | None = None

    def words_of(self, slot: str) -> str:
        """Give the user's words that a slot was read from, joined by a space; empty when there are none."""
        return " ".join(s.text for s in self.spans if s.slot == slot)


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """What a message is read against. The reader reads no clock and no file of its own.

    Attributes:
        now: the site's wall clock at reading time, aware.
        site: rooms, buildings and usual hours.
        language: the language spoken so far, for messages that do not tell.
        pending: what the bot waits for.
        asks: the slot asked for while `clarify` waits; gives a bare number its meaning.
        offered: room ids on the table, in the shown order; gives "1", "A" and "第二个" their meaning.
        choices: how many numbered things are on the table in all (rooms, alternatives or listed bookings).
        slots: the draft so far (a new end or "半小时" more needs the start).
        part: the part of the day said before, without an hour ("明天上午").
        moving: it is about where a booking that exists shall move to.
        confirming: what the pending read-back is about.
        proposed_starts: the starts put to choose from or asked about; a bare hour that one of them has means that one.
        last_booking: the booking made, moved or named last ("跟上次一样的时间").
    """

    now: dt.datetime
    site: Site
    language: Language | None = None
    pending: Pending | None = None
    asks: SlotName | None = None
    offered: tuple[str, ...] = ()
    choices: int = 0
    slots: Slots = field(default_factory=Slots)
    part: Part | None = None
    moving: bool = False
    confirming: Literal["book", "move", "cancel"] | None = None
    proposed_starts: tuple[dt.time, ...] = ()
    last_booking: Booking | None = None
