"""The table itself: total, deterministic, every phase reachable and leavable, writes behind a yes."""

from __future__ import annotations

import typing

import pytest

from booking_bot.dialogue import guards as g
from booking_bot.dialogue import observations
from booking_bot.dialogue.diagram import mermaid
from booking_bot.dialogue.machine import MACHINE
from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.table import ALWAYS, TRANSITIONS, WAITING, Row

WRITES = {"book_room", "move_booking", "cancel_booking", "cancel_bookings", "run_tool"}
SEEN = (*typing.get_args(observations.ToolObservation), *typing.get_args(observations.Signal))
KINDS = {member.model_fields["kind"].default for member in SEEN}
ANSWERS = {
    "search_rooms": {"found", "none_free", "failed"},
    "search_others": {"found", "none_free", "failed"},
    "search_wanted": {"found", "none_free", "failed"},
    "search_after_taken": {"found", "none_free", "failed"},
    "book_room": {"booked", "taken", "refused", "failed"},
    "move_booking": {"moved", "taken", "gone", "refused", "failed"},
    "cancel_booking": {"cancelled", "gone", "refused", "failed"},
    "cancel_bookings": {"cancelled_several", "refused", "failed"},
    "see_what_is_left": {"listed", "failed"},
    "look_up_write": {"booked", "moved", "cancelled", "gone", "failed"},
    "list_bookings": {"listed", "failed"},
    "find_booking_to_cancel": {"listed", "failed"},
    "find_booking_to_move": {"listed", "failed"},
    "find_picked_booking": {"listed", "failed"},
    "check_move": {"found", "none_free", "failed"},
    "look_up_weather": {"weather_told", "place_unknown", "failed"},
    "look_up_weather_there": {"weather_told", "place_unknown", "failed"},
    "run_tool": {"tool_answered", "failed"},
}
"""What may come back to a plan that calls a tool."""


def rows_for(phase: Phase, seeing: str) -> list[Row]:
    return [row for row in TRANSITIONS if phase in row.phases and row.seeing == seeing]


@pytest.mark.parametrize("phase", WAITING)
def test_the_user_is_heard_in_every_phase_a_turn_can_end_in(phase: Phase) -> None:
    assert rows_for(phase, "heard")[-1].only_if is ALWAYS


@pytest.mark.parametrize("phase", list(Phase))
@pytest.mark.parametrize("kind", sorted(KINDS | {"heard"}))
def test_a_row_behind_an_unconditional_one_does_not_exist(phase: Phase, kind: str) -> None:
    for row in rows_for(phase, kind)[:-1]:
        assert row.only_if is not ALWAYS, row.name


@pytest.mark.parametrize("row", [row for row in TRANSITIONS if row.do.__name__ in ANSWERS], ids=lambda row: row.name)
def test_a_plan_that_calls_a_tool_has_a_row_for_each_answer(row: Row) -> None:
    for phase in row.phases:
        arrived = row.go_to or phase
        for kind in ANSWERS[row.do.__name__]:
            assert rows_for(arrived, kind), f"{row.name}: nothing handles {kind} in {arrived}"


def test_every_observation_a_tool_can_give_is_handled_somewhere() -> None:
    handled = {row.seeing for row in TRANSITIONS}
    assert KINDS | {"heard"} == handled


@pytest.mark.parametrize("row", [row for row in TRANSITIONS if row.do.__name__ in WRITES], ids=lambda row: row.name)
def test_writes_stand_only_behind_a_whole_yes_to_a_read_back(row: Row) -> None:
    assert row.phases == (Phase.CONFIRMING,)
    assert row.only_if in (
        g.affirmed_booking,
        g.affirmed_move,
        g.affirmed_cancellation,
        g.affirmed_cancellations,
        g.affirmed_tool,
    )
    assert not row.open_to_planner


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_can_be_reached_and_left(phase: Phase) -> None:
    reached = phase is Phase.COLLECTING_SLOTS or any(row.go_to is phase for row in TRANSITIONS)
    left = any(phase in row.phases and row.go_to not in (None, phase) for row in TRANSITIONS)
    assert reached
    assert left


def test_booked_is_entered_only_on_a_booking_moved_or_booked_or_back_from_a_question() -> None:
    ways = {(row.seeing, row.do.__name__) for row in TRANSITIONS if row.go_to is Phase.BOOKED}
    back = {
        ("heard", "keep_booking"),
        ("taken", "move_was_taken"),
        ("gone", "booking_is_gone"),
        ("heard", "move_is_too_late"),
    }
    foreign = {("heard", "decline_tool"), ("tool_answered", "leave_read_back"), ("failed", "tool_failed")}
    written = {("booked", "tell_booked"), ("moved", "tell_moved"), ("refused", "change_was_refused")}
    assert ways == written | back | foreign


def test_the_machine_has_no_automatic_triggers() -> None:
    assert set(MACHINE.events) == {row.seeing for row in TRANSITIONS}


def test_row_names_are_unique() -> None:
    names = [row.name for row in TRANSITIONS]
    assert len(names) == len(set(names))


def test_the_diagram_shows_every_way_between_two_phases() -> None:
    drawn = mermaid()
    for row in TRANSITIONS:
        for phase in row.phases:
            if row.go_to is not None and row.go_to is not phase:
                assert f"{phase} --> {row.go_to}:" in drawn
