"""The draft while a message is folded into it: each value is judged against the house rules, the legal ones go in."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, replace
from typing import Any

from booking_bot.dialogue import policy as rules
from booking_bot.dialogue.availability import minute_of
from booking_bot.dialogue.exclusion import rooms_in, unknown_places
from booking_bot.dialogue.model import FILLED, SLOT_NAMES, Filled, SlotName, Source
from booking_bot.dialogue.policy import Issue
from booking_bot.dialogue.reading import NOWHERE, Places, Reading, Values
from booking_bot.dialogue.site import Equipment, Site


@dataclass(slots=True)
class Draft:
    """The slots being put together in one turn."""

    site: Site
    now: dt.datetime
    turn: int
    source: Source
    reading: Reading
    slots: dict[str, Filled[Any] | None]
    issues: list[Issue] = field(default_factory=list)

    def put(self, slot: SlotName, value: object) -> None:
        """Give a slot another value, with the words it was read from; the same value keeps the words it had."""
        old = self.slots.get(slot)
        if old is None or old.value != value:
            words = self.reading.words_of(slot) or (self.reading.words_of("end_time") if slot == "start_time" else "")
            words = words[:200]
            self.slots[slot] = FILLED[slot](value=value, words=words, turn=self.turn, source=self.source)

    def value(self, slot: SlotName) -> object | None:
        """Give a slot's value as it stands now."""
        filled = self.slots.get(slot)
        return None if filled is None else filled.value


def fill(draft: Draft, values: Values, ends_at: Filled[dt.time] | None) -> Filled[dt.time] | None:
    """Judge each value and put the legal ones into the draft.

    Returns:
        An end that still waits for its start.
    """
    ambiguous = {a.slot: a for a in draft.reading.ambiguous if a.settled is None}
    if values.minutes_later is not None or values.days_later is not None:
        words = draft.reading.words_of("shift")
        draft.issues.append(Issue("nothing_to_shift", None, words, blocking=False))
    for a in ambiguous.values():
        slot = a.slot if a.slot in SLOT_NAMES else None
        draft.issues.append(Issue("ambiguous", slot, a.text, a.readings[:5]))
    if values.date is not None and "date" not in ambiguous:
        _judge_date(draft, values.date)
    else:
        _judge_date_again(draft, values.start_time)
    if values.building is not None:
        _judge_building(draft, values.building)
    if values.floor is not None and "floor" not in ambiguous:
        _judge_floor(draft, values.floor)
    if values.excluded is not None or values.allowed is not None:
        _judge_excluded(draft, values.excluded or NOWHERE, values.allowed or NOWHERE)
    if values.capacity is not None and "capacity" not in ambiguous:
        _judge_capacity(draft, values.capacity)
    if values.equipment or draft.reading.without:
        _judge_equipment(draft, values.equipment or (), draft.reading.without)
    if values.title:
        draft.put("title", values.title[:100])
    start = None if "start_time" in ambiguous else values.start_time
    if start is None and "start_time" not in ambiguous:
        start = _start_before_the_end(draft, values, ends_at)
        if start is not None:
            values, ends_at = replace(values, end_time=None), None
    ends_at = _judge_length(draft, values, start, ends_at)
    _judge_start(draft, start, values.illegal_hour)
    return ends_at


def _judge_date(draft: Draft, date: dt.date) -> None:
    issue = rules.check_date(draft.site.policy, date, draft.now.date())
    if issue:
        draft.issues.append(issue)
    else:
        draft.put("date", date)


def _judge_date_again(draft: Draft, start: dt.time | None) -> None:
    """Take a date back that has passed since it was said; one that only left the booking window stands."""
    date, known_start = draft.value("date"), start or draft.value("start_time")
    if not isinstance(date, dt.date):
        return
    begins = known_start if isinstance(known_start, dt.time) else dt.time.max
    issue = rules.passed(draft.site.policy, date, begins, draft.now)
    if issue is not None and issue.slot == "date":
        draft.issues.append(issue)
        draft.slots["date"] = None


def _judge_building(draft: Draft, code: str) -> None:
    known, issue = rules.check_building(draft.site, code)
    if issue:
        draft.issues.append(issue)
    else:
        draft.put("building", known)


def _judge_floor(draft: Draft, floor: int) -> None:
    issue = rules.check_floor(draft.site, floor)
    if issue:
        draft.issues.append(issue)
    else:
        draft.put("floor", floor)


def _judge_excluded(draft: Draft, excluded: Places, allowed: Places) -> None:
    """Leave out the rooms that are not wanted, and let those in again that are."""
    draft.issues += unknown_places(draft.site, excluded)
    already = draft.value("excluded") or ()
    assert isinstance(already, tuple)  # noqa: S101  # the slot's own type, for the checker
    back = rooms_in(draft.site, allowed)
    left_out = tuple(dict.fromkeys((*already, *rooms_in(draft.site, excluded))))
    left_out = tuple(room_id for room_id in left_out if room_id not in back)
    if left_out:
        draft.put("excluded", left_out)
    elif already:
        draft.slots["excluded"] = None


def _judge_capacity(draft: Draft, people: int) -> None:
    seats, issue = rules.check_capacity(draft.site, people)
    if issue:
        draft.issues.append(issue)
    if seats is not None:
        draft.put("capacity", seats)


def _judge_equipment(draft: Draft, wanted: tuple[Equipment, ...], without: tuple[Equipment, ...]) -> None:
    already = draft.value("equipment") or ()
    assert isinstance(already, tuple)  # noqa: S101  # the slot's own type, for the checker
    kept = tuple(sorted({*already, *wanted}.difference(without)))
    if kept:
        draft.put("equipment", kept)
    elif already:
        draft.slots["equipment"] = None


def _start_before_the_end(draft: Draft, values: Values, ends_at: Filled[dt.time] | None) -> dt.time | None:
    """Give the start that follows from an end and a length ("到5点，2小时"), where no start is known."""
    if draft.value("start_time") is not None or (values.end_time is None and values.duration_minutes is None):
        return None
    end = values.end_time or (ends_at.value if ends_at is not None else None)
    minutes = values.duration_minutes or draft.value("duration_minutes")
    if end is None or not isinstance(minutes, int) or minute_of(end) < minutes:
        return None
    return dt.time(*divmod(minute_of(end) - minutes, 60))


def _judge_length(
    draft: Draft, values: Values, start: dt.time | None, ends_at: Filled[dt.time] | None
) -> Filled[dt.time] | None:
    """Take the length as said, or from an end and the start, or as a difference to the length so far."""
    minutes = values.duration_minutes
    if values.end_time is not None:
        words = draft.reading.words_of("end_time")
        ends_at = Filled[dt.time](value=values.end_time, words=words[:200], turn=draft.turn, source=draft.source)
    if minutes is not None and values.end_time is None:
        ends_at = None
    known_start = start or draft.value("start_time")
    until = draft.reading.until
    if minutes is None and ends_at is not None and isinstance(known_start, dt.time):
        until = ends_at.value
        minutes = (minute_of(ends_at.value) - minute_of(known_start)) % 1440 or None
        ends_at = None
    so_far = draft.value("duration_minutes")
    if values.minutes_more is not None and isinstance(so_far, int):
        minutes = max(1, so_far + values.minutes_more)
    if minutes is not None:
        issue = rules.check_end(known_start, until, minutes) if isinstance(known_start, dt.time) else None
        issue = issue or rules.check_duration(draft.site.policy, minutes)
        if issue:
            draft.issues.append(issue)
        else:
            draft.put("duration_minutes", minutes)
    return ends_at


def _judge_start(draft: Draft, start: dt.time | None, illegal_hour: str | None) -> None:
    """Judge a new start, and an old one again when the date or the length moved under it."""
    policy = draft.site.policy
    if illegal_hour is not None:
        hours = (f"{policy.opens:%H:%M}", rules.closing(policy))
        draft.issues.append(Issue("hour_illegal", "start_time", illegal_hour, (), hours))
    old = draft.value("start_time")
    candidate = start or old
    if not isinstance(candidate, dt.time):
        return
    date, minutes = draft.value("date"), draft.value("duration_minutes")
    if start is not None and any(i.slot == "duration_minutes" and i.blocking for i in draft.issues):
        minutes = None  # the length said with it was rejected, and the old one does not belong to it
    issue = rules.check_start(
        policy,
        candidate,
        date=date if isinstance(date, dt.date) else None,
        duration_minutes=minutes if isinstance(minutes, int) else None,
        now=draft.now,
    )
    if issue is None:
        draft.put("start_time", candidate)
        return
    draft.issues.append(issue)
    if start is None:
        draft.slots["start_time"] = None
