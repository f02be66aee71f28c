"""From mentions to values: one value a slot, or an ambiguity that the user is asked about."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace
from typing import Final

from booking_bot.dialogue.model import SlotName
from booking_bot.dialogue.reading import Ambiguity, Part, Places, ReadingContext, Values
from booking_bot.dialogue.site import Equipment
from booking_bot.language.corrections import corrected
from booking_bot.language.places import places_of
from booking_bot.language.resolve import DAY, date_of, first_after, is_open, minute_of, pair, readings
from booking_bot.language.rule import Mention
from booking_bot.language.syntax import A_WINDOW
from booking_bot.language.values import (
    Count,
    Day,
    Floor,
    FromNow,
    Hour,
    IllegalHour,
    Length,
    RelativeDay,
    Stretch,
    Weekday,
)
from booking_bot.language.zh.seats import SEATS_OR_BUILDING

_HOURS_OF: Final[dict[Part, tuple[int, int]]] = {
    "dawn": (0, 6),
    "morning": (5, 12),
    "noon": (11, 14),
    "afternoon": (12, 19),
    "evening": (17, 24),
}
"""Hours [from, to) in which a bare hour can lie when only the part of the day was said before."""
_WINDOW_CUE: Final = 8
"""Characters beside two hours in which a word makes a window of them: "between 2 and 4", "2点到4点之间"."""
_WINDOW_STARTS: Final = 5
_WINDOW_STEPS: Final = (30, 60, 120, 180)
"""Minutes between the starts that a window leaves, so that no more than five are asked about."""
_PLACES: Final = ("room", "building", "floor")
_MOST_PEOPLE: Final = 1_000_000
_LONGEST: Final = 100_000
_EQUIPMENT: Final[tuple[Equipment, ...]] = ("phone", "projector", "screen", "video", "whiteboard")


@dataclass(slots=True)
class Settled:
    """What the mentions come to.

    Attributes:
        used: slot, mention and [start, end) for each place that gave a value.
        unresolved: mentions that look like a value and have none (31 June).
    """

    date: dt.date | None = None
    start: int | None = None
    end: int | None = None
    length: int | None = None
    people: int | None = None
    building: str | None = None
    floor: int | None = None
    excluded: Places | None = None
    allowed: Places | None = None
    equipment: tuple[Equipment, ...] | None = None
    illegal_hour: str | None = None
    until: dt.time | None = None
    used: list[tuple[str, int, int, str]] = field(default_factory=list)
    ambiguous: list[Ambiguity] = field(default_factory=list)
    approximate: list[str] = field(default_factory=list)
    dropped: list[SlotName] = field(default_factory=list)
    without: tuple[Equipment, ...] = ()
    unresolved: list[Mention] = field(default_factory=list)

    def values(self, *, title: str | None = None, minutes_more: int | None = None) -> Values:
        """Give the values in the shape of a reading, with what is settled elsewhere."""
        return Values(
            date=self.date,
            start_time=_clock(self.start),
            end_time=_clock(self.end) if self.start is None else None,
            duration_minutes=self.length,
            capacity=self.people,
            building=self.building,
            floor=self.floor,
            excluded=self.excluded,
            allowed=self.allowed,
            equipment=self.equipment,
            title=title,
            illegal_hour=self.illegal_hour,
            minutes_more=minutes_more,
        )


def _clock(minute: int | None) -> dt.time | None:
    return None if minute is None else dt.time(minute % DAY // 60, minute % 60)


def _hhmm(minute: int) -> str:
    return f"{minute % DAY // 60:02d}:{minute % 60:02d}"


class Settling:
    """Settles the mentions of one message, or of the part of it that names an existing booking."""

    def __init__(self, mentions: list[Mention], text: str, context: ReadingContext) -> None:
        """Take the mentions in order of place."""
        self._mentions = mentions
        self._text = text
        self._context = context
        usual = context.site.policy.usual_hours_from
        self._usual_from = usual.hour * 60 + usual.minute
        self._out = Settled()
        self._window: Mention | None = None

    def settle(self) -> Settled:
        """Settle every slot; the day comes after the hour, since "Monday" on a Monday depends on it."""
        self._times()
        self._day()
        self._lengths()
        self._people()
        self._building()
        self._floor()
        self._refused_places()
        self._equipment()
        return self._out

    def _of(self, *kinds: str) -> list[Mention]:
        return [m for m in self._mentions if m.kind in kinds and not m.negated]

    def _taken_back(self, *kinds: str) -> bool:
        return any(m.negated and m.kind in kinds for m in self._mentions)

    def _latest(self, mentions: list[Mention]) -> list[Mention]:
        """Leave out the mentions that a later one corrects."""
        kept: list[Mention] = []
        for mention in mentions:
            if kept and corrected(kept[-1], mention, self._text):
                kept.pop()
            kept.append(mention)
        return kept

    def _use(self, slot: str, mention: Mention, start: int | None = None, end: int | None = None) -> None:
        self._out.used.append(
            (slot, mention.start if start is None else start, mention.end if end is None else end, mention.rule)
        )

    def _words(self, mentions: list[Mention]) -> str:
        return self._text[mentions[0].start : mentions[-1].end]

    def _ask(self, slot: str, mentions: list[Mention], possible: list[str]) -> None:
        self._out.ambiguous.append(Ambiguity(slot, self._words(mentions), tuple(possible), None))
        for mention in mentions:
            self._use(slot, mention)

    # Hours

    def _times(self) -> None:
        self._read_by_what_is_proposed()
        self._read_by_the_part()
        starts = self._latest(self._of("time"))
        ends = self._latest(self._of("end"))
        illegal = [m for m in starts + ends if isinstance(m.value, IllegalHour)]
        if illegal:
            value = illegal[-1].value
            self._out.illegal_hour = value.written if isinstance(value, IllegalHour) else None
            self._use("start_time", illegal[-1])
            starts = [m for m in starts if not isinstance(m.value, IllegalHour)]
            ends = [m for m in ends if not isinstance(m.value, IllegalHour)]
        if not starts and not ends and self._taken_back("time"):
            self._out.dropped.append("start_time")
        different = {self._settled(m.value) for m in starts}
        if len(different) > 1:
            self._ask("start_time", starts, sorted(_hhmm(d) for d in different if d is not None))
            return
        if starts:
            self._start(starts[-1], ends)
        elif ends:
            self._only_end(ends[-1])

    def _read_by_what_is_proposed(self) -> None:
        """Read a bare hour as the proposed start that has it: "那就7点半" after "19:30可以吗"."""
        proposed = {start.hour * 60 + start.minute for start in self._context.proposed_starts}
        if not proposed:
            return
        for mention in self._of("time"):
            hour = mention.value
            if isinstance(hour, Hour) and is_open(hour):
                meant = proposed.intersection(readings(hour))
                if len(meant) == 1:
                    mention.value = Hour(*divmod(meant.pop(), 60), exact=True, approximate=hour.approximate)

    def _read_by_the_part(self) -> None:
        """Read a bare hour in the part of the day that was said before it, where it has one reading there."""
        part = self._context.part
        if part is None or self._context.slots.start_time is not None or any(m.kind == "part" for m in self._mentions):
            return
        first, last = _HOURS_OF[part]
        for mention in self._of("time"):
            hour = mention.value.start if isinstance(mention.value, Stretch) else mention.value
            if not isinstance(hour, Hour) or not is_open(hour):
                continue
            inside = [minute for minute in readings(hour) if first * 60 <= minute < last * 60]
            if len(inside) == 1:
                said = replace(hour, half_of_day=part)
                mention.value = replace(mention.value, start=said) if isinstance(mention.value, Stretch) else said
            else:
                mention.negated = True
                self._ask("start_time", [mention], [_hhmm(minute) for minute in readings(hour)])

    def _settled(self, value: object) -> int | None:
        if isinstance(value, Stretch):
            return pair(value.start, value.end, self._usual_from)[0]
        if isinstance(value, Hour):
            return minute_of(value, self._usual_from)
        return -value.minutes if isinstance(value, FromNow) else None

    def _start(self, mention: Mention, ends: list[Mention]) -> None:
        value = mention.value
        if isinstance(value, FromNow):
            moment = self._context.now + dt.timedelta(minutes=value.minutes)
            self._out.start = moment.hour * 60 + moment.minute
            self._out.date = moment.date()
            self._use("date", mention)
            self._use("start_time", mention)
        elif isinstance(value, Stretch):
            self._out.start, self._out.length = pair(value.start, value.end, self._usual_from)
            self._out.until = _clock(self._out.start + self._out.length)
            around = self._text[max(0, mention.start - _WINDOW_CUE) : mention.end + _WINDOW_CUE]
            self._window = mention if A_WINDOW.search(around) else None
            self._use("start_time", mention, end=value.turn)
            self._use("duration_minutes", mention, start=value.turn)
            if is_open(value.end):
                self._note_open(value.start, self._out.start, self._text[mention.start : value.turn])
            self._note_approximate(value.start)
        elif isinstance(value, Hour):
            if ends and isinstance(ends[-1].value, Hour):
                self._out.start, self._out.length = pair(value, ends[-1].value, self._usual_from)
                self._out.until = _clock(self._out.start + self._out.length)
                self._use("duration_minutes", ends[-1])
            else:
                self._out.start = minute_of(value, self._usual_from)
                if self._out.start is None:
                    self._ask("start_time", [mention], [_hhmm(r) for r in readings(value)])
                    return
            self._use("start_time", mention)
            self._note_open(value, self._out.start, self._text[mention.start : mention.end])
            self._note_approximate(value)

    def _note_open(self, hour: Hour, settled: int | None, words: str) -> None:
        if settled is not None and is_open(hour):
            possible = tuple(_hhmm(r) for r in readings(hour))
            self._out.ambiguous.append(Ambiguity("start_time", words, possible, _hhmm(settled)))

    def _note_approximate(self, hour: Hour) -> None:
        if hour.approximate:
            self._out.approximate.append("start_time")

    def _only_end(self, mention: Mention) -> None:
        hour = mention.value
        if not isinstance(hour, Hour):
            return
        known = self._context.slots.start_time
        if known is not None:
            self._out.end = first_after(hour, known.value.hour * 60 + known.value.minute) % DAY
        else:
            settled = minute_of(hour, self._usual_from, ending=True)
            self._out.end = readings(hour)[0] if settled is None else settled
            if is_open(hour):
                possible = tuple(_hhmm(r) for r in readings(hour))
                words = self._text[mention.start : mention.end]
                self._out.ambiguous.append(Ambiguity("end_time", words, possible, _hhmm(self._out.end)))
        self._use("end_time", mention)

    # Days

    def _day(self) -> None:
        mentions = self._latest(self._of("day"))
        if not mentions:
            if self._taken_back("day"):
                self._out.dropped.append("date")
            return
        start = self._out.start
        if start is None and self._context.slots.start_time is not None:
            known = self._context.slots.start_time.value
            start = known.hour * 60 + known.minute
        part = next((m.value for m in self._mentions if m.kind == "part"), None)
        dates: list[tuple[Mention, dt.date]] = []
        for mention in mentions:
            date = date_of(mention.value, self._context.now, start, part)  # type: ignore[arg-type]  # kinds say so
            if date is None:
                self._out.unresolved.append(mention)
            else:
                dates.append((mention, date))
        dates = _without_loose_weekdays(dates)
        different = sorted({date for _, date in dates})
        if len(different) == 1:
            self._out.date = different[0]
            for mention in mentions:
                if mention not in self._out.unresolved:
                    self._use("date", mention)
        elif different:
            self._ask("date", [m for m, _ in dates], [d.isoformat() for d in different])

    # Lengths, people, place

    def _lengths(self) -> None:
        mentions = self._latest(self._of("length"))
        if not mentions:
            if self._taken_back("length"):
                self._out.dropped.append("duration_minutes")
            return
        possible: set[int] = set()
        for mention in mentions:
            if isinstance(mention.value, Length):
                possible.add(min(mention.value.minutes, _LONGEST))
                if mention.value.or_else is not None:
                    possible.add(min(mention.value.or_else, _LONGEST))
        if len(possible) == 1 and self._lies_in_a_window(min(possible)):
            for mention in mentions:
                self._use("duration_minutes", mention)
            return
        if self._out.length is not None:
            possible.add(self._out.length)
        if len(possible) == 1:
            self._out.length = possible.pop()
            for mention in mentions:
                self._use("duration_minutes", mention)
        else:
            self._out.length = None
            self._out.used = [u for u in self._out.used if u[0] != "duration_minutes"]
            self._ask("duration_minutes", mentions, [str(p) for p in sorted(possible)])

    def _lies_in_a_window(self, minutes: int) -> bool:
        """Ask for the start when a shorter length is to lie between two hours ("2点到4点之间找一小时")."""
        window, first, length = self._window, self._out.start, self._out.length
        if window is None or first is None or length is None or minutes >= length:
            return False
        last = first + length - minutes
        step = next((s for s in _WINDOW_STEPS if (last - first) // s < _WINDOW_STARTS), last - first)
        self._out.start, self._out.until, self._out.length = None, None, minutes
        self._out.used = [u for u in self._out.used if u[0] not in ("start_time", "duration_minutes")]
        self._out.ambiguous = [a for a in self._out.ambiguous if a.slot != "start_time"]
        self._ask("start_time", [window], [_hhmm(start % DAY) for start in range(first, last + 1, step)])
        return True

    def _people(self) -> None:
        mentions = self._latest(self._of("count"))
        counts = [(m, m.value) for m in mentions if isinstance(m.value, Count)]
        if not counts:
            if self._taken_back("count"):
                self._out.dropped.append("capacity")
            return
        known = self._context.slots.capacity
        possible: set[int] = set()
        for _, count in counts:
            if count.more and known is not None:
                possible.add(max(0, known.value + count.people))
            elif count.more:
                self._out.unresolved += [m for m in mentions if m.value is count]
            else:
                possible.add(count.people)
            if count.or_else is not None:
                possible.add(count.or_else)
        if not possible:
            return
        if len(possible) > 1:
            self._ask("capacity", mentions, [str(p) for p in sorted(possible)])
            return
        self._out.people = min(possible.pop(), _MOST_PEOPLE)
        for mention, count in counts:
            if mention in self._out.unresolved:
                continue
            self._use("capacity", mention)
            if count.approximate and "capacity" not in self._out.approximate:
                self._out.approximate.append("capacity")

    def _building(self) -> None:
        for mention in self._of("building"):
            if mention.rule == SEATS_OR_BUILDING:
                self._ask("seats or building", [mention], [f"{mention.value}号楼", f"{mention.value}个座位"])
        buildings = self._latest([m for m in self._of("building") if m.rule != SEATS_OR_BUILDING])
        codes = sorted({str(m.value) for m in buildings})
        if len(codes) == 1:
            self._out.building = codes[0]
            self._use("building", buildings[-1])
        elif codes:
            self._ask("building", buildings, codes)
        else:
            refused = {str(m.value).casefold() for m in self._mentions if m.kind == "building" and m.negated}
            known = self._context.slots.building
            if refused and (known is None or known.value.casefold() in refused):
                self._out.dropped.append("building")

    def _floor(self) -> None:
        floors = self._latest(
            [m for m in self._of("floor") if isinstance(m.value, Floor) and m.value.number is not None]
        )
        numbers = sorted({m.value.number for m in floors if isinstance(m.value, Floor) and m.value.number is not None})
        if len(numbers) == 1:
            self._out.floor = numbers[0]
            self._use("floor", floors[-1])
        elif numbers:
            self._ask("floor", floors, [str(number) for number in numbers])

    def _refused_places(self) -> None:
        """Take what is not wanted; not wanting one and naming another of its kind is a correction and no more."""
        if not any(m.negated or m.kind == "allowed" for m in self._mentions):
            return
        named = {m.kind for m in self._mentions if not m.negated}
        refused = [m for m in self._mentions if m.negated and m.kind in _PLACES and m.kind not in named]
        allowed = [m for m in self._mentions if m.kind == "allowed"]
        for mention in refused + allowed:
            self._use("excluded", mention)
        self._out.excluded = places_of(refused, self._context.site) if refused else None
        self._out.allowed = places_of(allowed, self._context.site) if allowed else None
        floor = self._context.slots.floor
        if self._out.excluded is not None and floor is not None and floor.value in self._out.excluded.floors:
            self._out.dropped.append("floor")

    def _equipment(self) -> None:
        wanted: set[str] = set()
        refused: set[str] = set()
        for mention in self._mentions:  # what is said last of a piece counts
            if mention.kind == "equipment":
                now, no_more = (refused, wanted) if mention.negated else (wanted, refused)
                now.update(_names(mention))
                no_more.difference_update(_names(mention))
        for mention in self._of("equipment"):
            if not wanted.isdisjoint(_names(mention)):
                self._use("equipment", mention)
        self._out.without = tuple(e for e in _EQUIPMENT if e in refused)
        known = self._context.slots.equipment
        if wanted:
            self._out.equipment = tuple(e for e in _EQUIPMENT if e in wanted)
        elif refused and (known is None or refused.issuperset(known.value)):
            self._out.dropped.append("equipment")


def _names(mention: Mention) -> tuple[str, ...]:
    return mention.value if isinstance(mention.value, tuple) else ()


def _without_loose_weekdays(dates: list[tuple[Mention, dt.date]]) -> list[tuple[Mention, dt.date]]:
    """Leave out a bare weekday that only repeats a date ("12月8日周二"); one that contradicts it stays."""
    named = [d for m, d in dates if not (isinstance(m.value, Weekday) and m.value.weeks is None)]
    if not named:
        return dates
    return [
        (m, d)
        for m, d in dates
        if not (isinstance(m.value, Weekday) and m.value.weeks is None and m.value.day == named[0].isoweekday())
    ]


def part_alone(mentions: list[Mention]) -> Part | None:
    """Give the part of the day that no hour took, if any."""
    for mention in mentions:
        if mention.kind == "part":
            part: Part = mention.value  # type: ignore[assignment]  # a part mention holds a Part
            return part
        if isinstance(mention.value, RelativeDay) and mention.value.part is not None:
            return mention.value.part
    return None


DayValue = Day
