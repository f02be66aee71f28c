"""The house rules as checks. A rejected value is an `Issue`: which slot, what was said, what is legal instead.

One check a rule, each value by itself. Nothing is changed for the user here except seats, which round up.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final, Literal

from booking_bot.dialogue.availability import minute_of, time_of
from booking_bot.dialogue.model import SlotName
from booking_bot.dialogue.site import Policy, Site

IssueKind = Literal[
    "date_past",
    "date_outside_window",
    "hour_illegal",
    "start_off_grid",
    "start_out_of_hours",
    "start_past",
    "ends_past_closing",
    "crosses_midnight",
    "duration_not_offered",
    "capacity_not_positive",
    "capacity_too_large",
    "capacity_rounded",
    "building_unknown",
    "floor_unknown",
    "room_unknown",
    "ambiguous",
    "when_not_understood",
    "end_before_start",
    "nothing_to_shift",
    "one_room_at_a_time",
]


LONGEST_OVER_MIDNIGHT: Final = 480
"""Minutes from a start to an end on the next day, beyond which the end is taken for one before the start: nobody meets
for more than a working day through the night."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One value that policy rejected, rounded or could not settle.

    Attributes:
        slot: the slot it leaves empty (or as it was); None when it touches none.
        said: the value as the user put it.
        legal: the next legal values as plain text, below first, then above; empty when there are none near.
        limits: what the rule says, for the phrase: numbers and times as plain text.
        blocking: False for values that were taken all the same (rounded) or only named.
    """

    kind: IssueKind
    slot: SlotName | None
    said: str
    legal: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    blocking: bool = True


def window_of(policy: Policy, today: dt.date) -> tuple[dt.date, dt.date]:
    """Give the first and last date that can be booked, both included."""
    window = policy.window
    return today + dt.timedelta(days=window.from_days), today + dt.timedelta(days=window.to_days)


def check_date(policy: Policy, date: dt.date, today: dt.date) -> Issue | None:
    """Check the booking window."""
    first, last = window_of(policy, today)
    if first <= date <= last:
        return None
    limits = (first.isoformat(), last.isoformat())
    legal = limits if (last - first).days == 1 else ((first if date < first else last).isoformat(),)
    kind: IssueKind = "date_past" if date < today else "date_outside_window"
    return Issue(kind, "date", date.isoformat(), tuple(dict.fromkeys(legal)), limits)


def check_duration(policy: Policy, minutes: int) -> Issue | None:
    """Check the legal lengths; the next below and the next above are offered."""
    durations = policy.durations
    if minutes in durations:
        return None
    below = [d for d in durations if d < minutes][-1:]
    above = [d for d in durations if d > minutes][:1]
    return Issue(
        "duration_not_offered",
        "duration_minutes",
        str(minutes),
        tuple(str(d) for d in below + above),
        _named_durations(policy),
    )


def _named_durations(policy: Policy) -> tuple[str, ...]:
    durations = policy.durations
    if len(durations) <= 6:
        return tuple(str(d) for d in durations)
    return (str(durations[0]), str(durations[-1]), str(durations[1] - durations[0]))


def check_end(start: dt.time, until: dt.time | None, minutes: int) -> Issue | None:
    """Check an end that was said: before the start it is a mistake, unless the meeting goes over midnight.

    Args:
        until: the end as said, None when a length was.
        minutes: the length that start and end come to.
    """
    if until is None or until >= start or minutes <= LONGEST_OVER_MIDNIGHT:
        return None
    return Issue("end_before_start", "duration_minutes", f"{until:%H:%M}", (), (f"{start:%H:%M}",))


def check_capacity(site: Site, people: int) -> tuple[int | None, Issue | None]:
    """Round seats up to the least seat count there is.

    Returns:
        The seats to look for and an issue: a rejection with None, or a note that it was rounded.
    """
    counts = site.seat_counts
    if people <= 0:
        return None, Issue("capacity_not_positive", "capacity", str(people), (), (str(counts[0]), str(counts[-1])))
    if people > counts[-1]:
        return None, Issue("capacity_too_large", "capacity", str(people), (), (str(counts[-1]),))
    seats = next(count for count in counts if count >= people)
    if seats == people:
        return seats, None
    limits = tuple(str(count) for count in counts)
    return seats, Issue("capacity_rounded", "capacity", str(people), (str(seats),), limits, blocking=False)


def check_building(site: Site, code: str) -> tuple[str | None, Issue | None]:
    """Match a building's code, whatever its case."""
    for building in site.buildings:
        if building.code.casefold() == code.casefold():
            return building.code, None
    legal = tuple(building.code for building in site.buildings)
    return None, Issue("building_unknown", "building", code, (), legal)


def check_floor(site: Site, floor: int) -> Issue | None:
    """Check that the site has rooms on the floor."""
    floors = sorted({room.floor for room in site.rooms})
    if floor in floors:
        return None
    return Issue("floor_unknown", "floor", str(floor), (), tuple(str(known) for known in floors))


def check_start(
    policy: Policy, start: dt.time, *, date: dt.date | None, duration_minutes: int | None, now: dt.datetime
) -> Issue | None:
    """Check the grid, the opening hours, the end of the day, and that it is still ahead.

    Args:
        date: the draft's date, None while unknown.
        duration_minutes: the draft's length, None while unknown.
        now: the site's wall clock, aware.
    """
    minute = minute_of(start)
    said = f"{start:%H:%M}"
    hours = (f"{policy.opens:%H:%M}", closing(policy))
    last = policy.closes_minute - (duration_minutes or policy.durations[0])
    if not policy.opens_minute <= minute < policy.closes_minute:
        legal = _on_grid(policy, policy.opens_minute if minute < policy.opens_minute else last)
        return Issue("start_out_of_hours", "start_time", said, legal, hours)
    if minute % policy.start_grid_minutes:
        below = minute - minute % policy.start_grid_minutes
        both = _on_grid(policy, below) + _on_grid(policy, below + policy.start_grid_minutes, at_most=last)
        return Issue("start_off_grid", "start_time", said, both, (str(policy.start_grid_minutes),))
    if date == now.date() and minute <= now.hour * 60 + now.minute - 1:
        grid = policy.start_grid_minutes
        next_start = -(-(now.hour * 60 + now.minute) // grid) * grid
        return Issue("start_past", "start_time", said, _on_grid(policy, next_start, at_most=last), (f"{now:%H:%M}",))
    if minute > last:
        kind: IssueKind = "ends_past_closing"
        if duration_minutes and minute + duration_minutes > 1440:
            kind = "crosses_midnight"
        return Issue(kind, "start_time", said, _on_grid(policy, last), (*hours, str(duration_minutes or "")))
    return None


def passed(policy: Policy, date: dt.date, start: dt.time, now: dt.datetime) -> Issue | None:
    """Check once more what was legal when it was said: has its start passed since?

    A date that only left the booking window stands: it was inside when it was said.

    Returns:
        The date's issue where its day can no longer be booked, else the start's; None while it is ahead.
    """
    today = now.date()
    if date > today or (date == today and minute_of(start) >= now.hour * 60 + now.minute):
        return None
    issue = check_date(policy, date, today)
    return issue or check_start(policy, start, date=date, duration_minutes=None, now=now)


def closing(policy: Policy) -> str:
    """Give the closing time as it is said, midnight as 24:00."""
    return "24:00" if policy.closes_minute == 1440 else f"{policy.closes:%H:%M}"


def _on_grid(policy: Policy, minute: int, *, at_most: int | None = None) -> tuple[str, ...]:
    last = policy.closes_minute - policy.durations[0] if at_most is None else at_most
    minute -= minute % policy.start_grid_minutes
    if policy.opens_minute <= minute <= last:
        return (f"{time_of(minute):%H:%M}",)
    return ()
