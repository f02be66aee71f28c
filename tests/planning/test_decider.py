"""What a decision adds to a turn: proposed values folded under the house rules, words, or a tool that reads."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from booking_bot.adapters.scripted_model import ScriptedModel
from booking_bot.dialogue.actions import Think
from booking_bot.dialogue.conversation import Decided
from booking_bot.dialogue.fold import fold
from booking_bot.dialogue.model import Slots
from booking_bot.dialogue.reading import Reading, Span, Values
from booking_bot.dialogue.site import Site
from booking_bot.planning.budgets import Limits
from booking_bot.planning.decider import Decider, Recalled
from booking_bot.planning.decision import Action
from booking_bot.planning.planner import Mode, Planner
from booking_bot.planning.templates import Templates
from tests.planning.conftest import WHOLE, AskAbout

LATER = "等老王开完会之后"
TEXT = f"1小时，{LATER}"
READING = Reading(
    TEXT,
    values=Values(duration_minutes=60),
    spans=(Span("duration_minutes", "1小时", 0, 3, "length"),),
    unread=(LATER,),
    unread_when=(LATER,),
    intent="book",
)


@pytest.fixture
def decided(templates: Templates, actions: dict[str, Action], site: Site, ask_about: AskAbout) -> Any:
    async def decide(
        name: str, given: dict[str, Any], *, slots: Slots, reading: Reading = READING, mode: Mode = "hybrid"
    ) -> Decided | None:
        model = ScriptedModel([json.dumps({"thought": "想", "action": name, "action_input": given})])
        now = dt.datetime(2026, 11, 30, 9, tzinfo=site.policy.zone)
        context = ask_about("x", slots=slots).context
        think = Think(context, fold(context, reading, site, now).context, reading, "ask_next")
        planner = Planner(model, templates, actions, clock=lambda: 0.0, mode=mode)
        return await Decider(planner, site).decide(think, now)

    return decide


def without(*names: str) -> Slots:
    return WHOLE.model_copy(update=dict.fromkeys(names))


async def test_a_proposed_value_enters_the_draft_as_the_models(decided: Any) -> None:
    slots = {"start_time": {"value": "15:00", "words": LATER}}
    made = await decided("search_rooms", {"slots": slots}, slots=without("start_time", "duration_minutes"))
    start, length = made.folded.context.slots.start_time, made.folded.context.slots.duration_minutes
    assert (start.value, start.source, start.words) == (dt.time(15), "llm", LATER)
    assert (length.value, length.source) == (60, "rule")
    assert made.folded.changed == {"start_time", "duration_minutes"}
    assert made.folded.issues == ()
    assert made.calls == 1
    assert made.tokens > 0


async def test_a_proposed_value_passes_the_house_rules(decided: Any) -> None:
    slots = {"start_time": {"value": "23:00", "words": LATER}}
    made = await decided("ask_user", {"slots": slots}, slots=without("start_time"))
    assert made.folded.context.slots.start_time is None
    assert made.folded.rejections


async def test_a_value_never_said_leaves_everything_to_the_rules(decided: Any) -> None:
    slots = {"start_time": {"value": "15:00", "words": "下午三点"}}
    made = await decided("ask_user", {"slots": slots}, slots=without("start_time"))
    assert (made.folded, made.call, made.message) == (None, None, "")
    assert [entry.source for entry in made.log] == ["refused", "refused"]  # the second is the script used up


async def test_a_tool_that_reads_is_called_besides(decided: Any) -> None:
    reading = Reading("上海那边呢", unread=("上海那边呢",))
    made = await decided("get_weather", {"place": "上海", "date": "2026-12-01"}, slots=WHOLE, reading=reading)
    assert made.call.tool == "get_weather"
    assert made.call.arguments.place == "上海"


async def test_a_tool_that_writes_is_never_called_on_a_models_word(decided: Any) -> None:
    made = await decided("send_mail", {}, slots=WHOLE)
    assert made.call is None


async def test_the_rules_are_not_interrupted_where_they_understood(decided: Any) -> None:
    plain = Reading("1小时", values=Values(duration_minutes=60), intent="book")
    assert await decided("search_rooms", {}, slots=WHOLE, reading=plain) is None
    assert await decided("search_rooms", {}, slots=WHOLE, reading=plain, mode="llm") is not None


async def test_what_came_before_is_evidence_too(
    templates: Templates, actions: dict[str, Action], site: Site, ask_about: AskAbout
) -> None:
    async def recall(_session_id: str, _user_id: str) -> Recalled:
        return Recalled(earlier=(LATER,))

    given = {"slots": {"start_time": {"value": "15:00", "words": LATER}}}
    model = ScriptedModel([json.dumps({"thought": "", "action": "ask_user", "action_input": given})])
    planner = Planner(model, templates, actions, clock=lambda: 0.0, mode="llm")
    now = dt.datetime(2026, 11, 30, 9, tzinfo=site.policy.zone)
    context = ask_about("x", slots=without("start_time")).context
    think = Think(context, context, Reading("他三点完"), "ask_next")
    made = await Decider(planner, site, recall).decide(think, now)
    assert made
    assert made.folded
    assert made.folded.context.slots.start_time


async def test_one_budget_holds_for_all_questions_of_a_turn(
    templates: Templates, actions: dict[str, Action], site: Site, ask_about: AskAbout
) -> None:
    answer = '{"thought": "", "action": "look_up_colleague", "action_input": {}}'
    model, clock = ScriptedModel([answer, answer, answer]), [0.0]
    planner = Planner(model, templates, actions, clock=lambda: clock[0], mode="llm", limits=Limits(wallclock_s=20))
    decider, now = Decider(planner, site), dt.datetime(2026, 11, 30, 9, tzinfo=site.policy.zone)
    context = ask_about("x").context
    first = Think(context, context, Reading("老王是谁"), "not_understood")
    made = await decider.decide(first, now)
    assert made
    assert made.call

    spent = context.with_(tokens_used=made.tokens)
    again = Think(spent, spent, first.reading, "tell_answer", made.log)
    repeated = await decider.decide(again, now)
    assert repeated
    assert (repeated.call, repeated.stop_reason) == (None, "repeat")
    clock[0] = 21.0
    late = await decider.decide(again, now)
    assert late
    assert (late.stop_reason, late.calls) == ("budget_wallclock", 0)
    rerun = await decider.decide(first, now)
    assert rerun
    assert rerun.call
