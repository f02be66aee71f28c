"""The machine as a table: one row a line, the first row that fits wins. Read it top to bottom.

`phases` says where the row holds, `seeing` which observation it answers, `only_if` when, `go_to` the phase afterwards
(`SAME` stays), `do` what happens. Rows marked `open_to_planner` let a configured language model choose among the
legal actions of the phase; without one, or when its choice is not legal, `do` happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from booking_bot.dialogue import guards as g
from booking_bot.dialogue import guards_observed as seen
from booking_bot.dialogue import plans as p
from booking_bot.dialogue import plans_asides as aside
from booking_bot.dialogue import plans_asking as asking
from booking_bot.dialogue import plans_changing as change
from booking_bot.dialogue import plans_existing as own
from booking_bot.dialogue import plans_foreign as foreign
from booking_bot.dialogue import plans_searching as find
from booking_bot.dialogue import plans_several as several
from booking_bot.dialogue import plans_undone as undone
from booking_bot.dialogue.guards import Guard
from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.plans import Plan

COLLECTING, SEARCHING, AWAITING, CONFIRMING, BOOKED = Phase

WAITING: Final = (COLLECTING, AWAITING, CONFIRMING, BOOKED)
"""Phases in which a turn can end and the user is heard; `SEARCHING` is passed within a turn."""
PROPOSING: Final = (COLLECTING, AWAITING, BOOKED)
"""Phases in which no read-back waits: a planner may ask, or propose a tool that needs a yes."""
SAME: Final = None
ALWAYS: Final = g.always


@dataclass(frozen=True, slots=True)
class Row:
    """One transition of the machine."""

    phases: tuple[Phase, ...]
    seeing: str
    only_if: Guard
    go_to: Phase | None
    do: Plan
    open_to_planner: bool = False

    @property
    def name(self) -> str:
        """What the row is called in logs and coverage: the phases apart from it, its guard and plan tell it."""
        where = "WAITING" if self.phases == WAITING else "|".join(self.phases)
        return f"{where} {self.seeing} {self.only_if.__name__} {self.go_to or 'SAME'} {self.do.__name__}"


def _row(
    phases: Phase | tuple[Phase, ...],
    seeing: str,
    only_if: Guard,
    go_to: Phase | None,
    do: Plan,
    open_to_planner: bool = False,
) -> Row:
    return Row((phases,) if isinstance(phases, Phase) else phases, seeing, only_if, go_to, do, open_to_planner)


PLANNER: Final = True

# fmt: off
TRANSITIONS: Final[tuple[Row, ...]] = (
    # in phase        seeing           only if                      go to            and do

    # what the bot remembers of the user: whole messages only, whatever else waits
    _row(WAITING,    "heard",          g.asks_what_is_remembered,   SAME,            aside.recall_memory),
    _row(WAITING,    "heard",          g.wants_forgetting,          SAME,            aside.forget_memory),

    # what the site's own data answers
    _row(WAITING,    "heard",          g.asks_about_the_site,       SAME,            aside.answer_questions),

    # a question about an existing booking that is called off
    _row(WAITING,    "heard",          g.lets_go_of_an_errand,      SAME,            own.drop_errand),

    # a pending read-back: only a whole yes writes
    _row(CONFIRMING, "heard",          g.affirmed_too_late,         COLLECTING,      p.ask_after_too_late),
    _row(CONFIRMING, "heard",          g.affirmed_booking,          SAME,            p.book_room),
    *(_row(CONFIRMING, "heard",        g.affirmed_move_too_late_from(o), o,  undone.move_is_too_late) for o in WAITING),
    _row(CONFIRMING, "heard",          g.affirmed_move,             SAME,            change.move_booking),
    _row(CONFIRMING, "heard",          g.affirmed_cancellation,     SAME,            change.cancel_booking),
    _row(CONFIRMING, "heard",          g.affirmed_cancellations,    SAME,            several.cancel_bookings),
    _row(CONFIRMING, "heard",          g.declined_booking,          SEARCHING,       find.search_others),
    _row(CONFIRMING, "heard",          g.affirmed_tool,             SAME,            foreign.run_tool),
    *(_row(CONFIRMING, "heard",        g.declined_change_from(o),   o,       undone.keep_booking) for o in WAITING),
    *(_row(CONFIRMING, "heard",        g.declined_tool_from(o),     o,       foreign.decline_tool) for o in PROPOSING),

    _row(CONFIRMING, "heard",          g.wants_some_of_several,     SAME,            several.say_all_or_none),

    # a question of the planner's that waited for this message
    _row(WAITING,    "heard",          g.answered_a_question,       SAME,            asking.take_answer,      PLANNER),

    _row(CONFIRMING, "heard",          g.repeats_the_cancellation,  SAME,            p.read_back_again),

    # in every phase: commands about bookings that exist, and side questions
    _row(WAITING,    "heard",          g.picked_a_booking,          SAME,            own.find_picked_booking),
    _row(WAITING,    "heard",          g.abandoned,                 COLLECTING,      p.drop_draft),
    _row(WAITING,    "heard",          g.cancels_a_booking,         SAME,            own.find_booking_to_cancel),
    _row(WAITING,    "heard",          g.moves_a_booking,           SAME,            own.find_booking_to_move),
    _row(WAITING,    "heard",          g.wants_list,                SAME,            own.list_bookings),
    _row(WAITING,    "heard",          g.asks_weather_somewhere,    SAME,            aside.look_up_weather),
    _row(WAITING,    "heard",          g.asks_weather_nowhere,      SAME,            aside.ask_place),
    _row(WAITING,    "heard",          g.named_the_place,           SAME,            aside.look_up_weather_there),
    _row(WAITING,    "heard",          g.wants_help,                SAME,            aside.help_out),
    _row(WAITING,    "heard",          g.makes_smalltalk,           SAME,            aside.make_smalltalk),

    # filling the slots
    _row(COLLECTING, "heard",          g.complete,                  SEARCHING,       find.search_rooms,       PLANNER),
    _row(COLLECTING, "heard",          g.wants_a_retry,             SAME,            p.not_understood),
    _row(COLLECTING, "heard",          g.told,                      SAME,            p.ask_next,              PLANNER),
    _row(COLLECTING, "heard",          g.said_yes,                  SAME,            p.nothing_to_confirm),
    _row(COLLECTING, "heard",          g.said_no,                   SAME,            p.ask_again),
    _row(COLLECTING, "heard",          ALWAYS,                      SAME,            p.not_understood,        PLANNER),

    # the search
    _row(SEARCHING,  "found",          seen.wanted_room_is_free,    CONFIRMING,      p.read_back_wanted),
    _row(SEARCHING,  "found",          seen.none_of_the_size,       CONFIRMING,      find.keep_read_back),
    _row(SEARCHING,  "found",          ALWAYS,                      AWAITING,        find.offer_rooms),
    _row(SEARCHING,  "none_free",      ALWAYS,                      COLLECTING,      find.offer_alternatives),
    _row(SEARCHING,  "failed",         ALWAYS,                      COLLECTING,      find.search_did_not_work),

    # choosing
    _row(AWAITING,   "heard",          g.changed,                   SEARCHING,       find.search_rooms,       PLANNER),
    _row(AWAITING,   "heard",          g.changed_into_a_gap,        COLLECTING,      p.ask_after_gap),
    _row(AWAITING,   "heard",          g.wants_a_retry,             SEARCHING,       find.search_rooms),
    _row(AWAITING,   "heard",          g.chose_a_room,              CONFIRMING,      p.read_back_choice),
    _row(AWAITING,   "heard",          g.agreed_to_the_only_room,   CONFIRMING,      p.read_back_choice),
    _row(AWAITING,   "heard",          g.named_a_room,              SEARCHING,       find.search_wanted),
    _row(AWAITING,   "heard",          g.wants_another_size,        SEARCHING,       find.search_another_size),
    _row(AWAITING,   "heard",          g.wants_other_rooms,         SEARCHING,       find.search_others),
    _row(AWAITING,   "heard",          ALWAYS,                      SAME,            find.list_again,         PLANNER),

    # changing at the read-back, and answers that are neither yes nor no
    _row(CONFIRMING, "heard",          g.requested_meanwhile_whole, SEARCHING,       find.search_rooms),
    _row(CONFIRMING, "heard",          g.requested_meanwhile,       COLLECTING,      p.start_anew),
    _row(CONFIRMING, "heard",          g.changed,                   SEARCHING,       find.search_rooms),
    _row(CONFIRMING, "heard",          g.changed_into_a_gap,        COLLECTING,      p.ask_after_gap),
    _row(CONFIRMING, "heard",          g.chose_another_room,        SAME,            p.read_back_choice),
    _row(CONFIRMING, "heard",          g.named_a_room,              SEARCHING,       find.search_wanted),
    _row(CONFIRMING, "heard",          g.wants_another_size,        SEARCHING,       find.search_another_size),
    _row(CONFIRMING, "heard",          ALWAYS,                      SAME,            p.read_back_again,       PLANNER),

    # booking: "booked" is said of a committed row only
    _row(CONFIRMING, "booked",         ALWAYS,                      BOOKED,          p.tell_booked),
    _row(CONFIRMING, "taken",          seen.booking,                SEARCHING,       find.search_after_taken),
    _row(CONFIRMING, "refused",        seen.booking,                SEARCHING,       find.search_after_taken),
    *(_row(CONFIRMING, "tool_answered",  g.ran_from(o), o, foreign.leave_read_back) for o in PROPOSING),
    *(_row(CONFIRMING, "failed",         g.ran_from(o), o, foreign.tool_failed) for o in PROPOSING),
    _row(CONFIRMING, "failed",         seen.uncertain,              SAME,            undone.look_up_write),
    _row(CONFIRMING, "failed",         seen.lookup_failed,          SAME,            undone.say_not_certain),
    _row(CONFIRMING, "failed",         seen.write_failed,           SAME,            undone.say_write_failed),
    _row(CONFIRMING, "gone",           seen.booking,                SAME,            undone.say_not_written),
    _row(CONFIRMING, "gone",           seen.cancelling_several,     SAME,            undone.say_not_written),

    # moving and cancelling: the same care
    _row(CONFIRMING, "moved",          ALWAYS,                      BOOKED,          change.tell_moved),
    _row(CONFIRMING, "cancelled",      seen.cancelling_several,     SAME,            several.see_what_is_left),
    _row(CONFIRMING, "cancelled",      ALWAYS,                      COLLECTING,      change.tell_cancelled),
    _row(CONFIRMING, "cancelled_several", ALWAYS,                   COLLECTING,      several.tell_cancelled),
    *(_row(CONFIRMING, "taken",          g.changing_from(o), o, undone.move_was_taken) for o in WAITING),
    *(_row(CONFIRMING, "gone",           g.changing_from(o), o, undone.booking_is_gone) for o in WAITING),
    *(_row(CONFIRMING, "refused",        g.changing_from(o), o, undone.change_was_refused) for o in WAITING),

    # after the booking: only a new request leaves
    _row(BOOKED,     "heard",          g.said_yes,                  SAME,            aside.stay_booked),
    _row(BOOKED,     "heard",          g.complete_anew,             SEARCHING,       find.search_rooms,       PLANNER),
    _row(BOOKED,     "heard",          g.told_anew,                 COLLECTING,      p.start_anew),
    _row(BOOKED,     "heard",          ALWAYS,                      SAME,            aside.stay_booked),

    # answers to the commands and side questions
    _row(WAITING,    "listed",         g.wants_list,                SAME,            own.tell_bookings),
    _row(CONFIRMING, "listed",         seen.sees_what_is_left,      COLLECTING,      several.tell_what_is_left),
    _row(WAITING,    "listed",         seen.none_matches,           SAME,            own.no_such_booking),
    _row(WAITING,    "listed",         seen.all_to_cancel,          CONFIRMING,      several.read_back_all),
    _row(WAITING,    "listed",         seen.several_match,          SAME,            own.ask_which_booking),
    _row(WAITING,    "listed",         seen.one_to_cancel,          CONFIRMING,      change.read_back_cancellation),
    _row(WAITING,    "listed",         seen.one_to_move_nowhere,    SAME,            own.ask_where_to),
    _row(WAITING,    "listed",         seen.one_to_move,            SAME,            change.check_move),
    _row(WAITING,    "listed",         ALWAYS,                      SAME,            own.tell_bookings),
    _row(WAITING,    "found",          seen.moving,                 CONFIRMING,      change.read_back_move),
    _row(WAITING,    "none_free",      seen.moving,                 SAME,            change.move_is_not_free),
    _row(WAITING,    "weather_told",   ALWAYS,                      SAME,            aside.tell_weather),
    _row(WAITING,    "place_unknown",  ALWAYS,                      SAME,            aside.place_is_unknown),
    _row(WAITING,    "tool_answered",  ALWAYS,                      SAME,            foreign.tell_answer,     PLANNER),
    _row(WAITING,    "tool_declined",  ALWAYS,                      SAME,            foreign.after_decline,   PLANNER),

    # what the planner wants to know, and what it wants to run
    _row((COLLECTING, AWAITING), "asked", ALWAYS,                   SAME,            asking.put_question),
    _row(PROPOSING,  "tool_proposed",  ALWAYS,                      CONFIRMING,      foreign.read_back_tool),
    _row(WAITING,    "resolved",       seen.resolved_to_one,        SAME,            asking.take_resolved),
    _row(WAITING,    "resolved",       seen.resolved_to_several,    SAME,            asking.ask_which),
    _row(WAITING,    "resolved",       ALWAYS,                      SAME,            asking.say_unresolved),
    _row(WAITING,    "remembered",     ALWAYS,                      SAME,            aside.tell_remembered),
    _row(WAITING,    "forgotten",      ALWAYS,                      SAME,            aside.tell_forgotten),
    _row(WAITING,    "failed",         ALWAYS,                      SAME,            aside.aside_failed),
)
# fmt: on
