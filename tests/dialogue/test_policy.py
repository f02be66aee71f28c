"""House rules: each value by itself, the next legal ones named."""

from __future__ import annotations

import datetime as dt

import pytest

from booking_bot.adapters.site_folder import load_site
from booking_bot.dialogue import policy as rules
from booking_bot.dialogue.site import Policy, Steps

SITE = load_site("demo")
NOW = dt.datetime(2026, 11, 30, 9, 0, tzinfo=SITE.policy.zone)


def policy(**changes: object) -> Policy:
    return Policy.model_validate({name: getattr(SITE.policy, name) for name in Policy.model_fields} | changes)


@pytest.mark.parametrize(
    ("days", "kind"),
    [(-1, "date_past"), (0, "date_outside_window"), (1, None), (2, None), (3, "date_outside_window")],
)
def test_only_the_window_can_be_booked(days: int, kind: str | None) -> None:
    issue = rules.check_date(SITE.policy, NOW.date() + dt.timedelta(days=days), NOW.date())
    assert (issue.kind if issue else None) == kind


@pytest.mark.parametrize(
    ("minutes", "legal"),
    [(25, ("30",)), (45, ("30", "60")), (75, ("60", "90")), (150, ("120",)), (30, None), (120, None)],
)
def test_a_length_is_never_changed_but_its_neighbours_are_offered(minutes: int, legal: tuple[str, ...] | None) -> None:
    issue = rules.check_duration(SITE.policy, minutes)
    assert (issue.legal if issue else None) == legal


def test_lengths_may_be_steps() -> None:
    stepped = policy(durations_minutes=Steps(min=15, max=480, step=15))
    assert rules.check_duration(stepped, 45) is None
    issue = rules.check_duration(stepped, 50)
    assert issue is not None
    assert issue.legal == ("45", "60")
    assert issue.limits == ("15", "480", "15")


@pytest.mark.parametrize(
    ("people", "seats", "kind"),
    [
        (6, 8, "capacity_rounded"),
        (8, 8, None),
        (9, 10, "capacity_rounded"),
        (10, 10, None),
        (11, None, "capacity_too_large"),
        (0, None, "capacity_not_positive"),
    ],
)
def test_seats_round_up_and_never_down(people: int, seats: int | None, kind: str | None) -> None:
    found, issue = rules.check_capacity(SITE, people)
    assert found == seats
    assert (issue.kind if issue else None) == kind


@pytest.mark.parametrize(
    ("start", "minutes", "kind", "legal"),
    [
        ("08:00", 60, None, None),
        ("07:30", 60, "start_out_of_hours", ("08:00",)),
        ("22:00", 60, "start_out_of_hours", ("21:00",)),
        ("14:07", 60, "start_off_grid", ("14:05", "14:10")),
        ("21:00", 60, None, None),
        ("21:30", 60, "ends_past_closing", ("21:00",)),
        ("21:30", None, None, None),
        ("21:45", None, "ends_past_closing", ("21:30",)),
    ],
)
def test_starts_keep_to_hours_grid_and_closing(
    start: str, minutes: int | None, kind: str | None, legal: tuple[str, ...] | None
) -> None:
    issue = rules.check_start(SITE.policy, dt.time.fromisoformat(start), date=None, duration_minutes=minutes, now=NOW)
    assert (issue.kind if issue else None) == kind
    assert (issue.legal if issue else None) == legal


def test_a_length_past_midnight_is_named_as_such() -> None:
    issue = rules.check_start(SITE.policy, dt.time(21, 30), date=None, duration_minutes=300, now=NOW)
    assert issue is not None
    assert issue.kind == "crosses_midnight"


def test_a_start_today_that_is_over_offers_the_next_one() -> None:
    issue = rules.check_start(
        policy(start_grid_minutes=15), dt.time(8, 30), date=NOW.date(), duration_minutes=60, now=NOW.replace(minute=7)
    )
    assert issue is not None
    assert (issue.kind, issue.legal) == ("start_past", ("09:15",))


def test_a_room_open_to_midnight_may_be_booked_to_midnight() -> None:
    open_late = policy(closes=dt.time(0, 0))
    assert rules.check_start(open_late, dt.time(23, 0), date=None, duration_minutes=60, now=NOW) is None


@pytest.mark.parametrize(("said", "code"), [("A", "A"), ("a", "A"), ("b", "B"), ("C", None)])
def test_buildings_are_found_whatever_their_case(said: str, code: str | None) -> None:
    found, issue = rules.check_building(SITE, said)
    assert found == code
    assert (issue is None) == (code is not None)
