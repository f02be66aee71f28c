"""The planner: one question, at most two answers, inside its budgets, and never an exception."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest

from booking_bot.adapters.openai_model import OpenAIModel, OpenAISettings
from booking_bot.adapters.scripted_model import Line, ScriptedModel
from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.reading import Reading, Values
from booking_bot.planning.budgets import CircuitBreaker, Limits
from booking_bot.planning.decision import Action
from booking_bot.planning.planner import Mode, Planner, wants_model
from booking_bot.planning.templates import Templates
from booking_bot.ports import Completion, Model
from tests.planning.conftest import WHOLE, AskAbout
from tests.stub_model_server import Answer, StubModelServer

ASK = '{"thought": "缺时长", "action": "ask_user", "action_input": {"message": "请问开多久？"}}'
SEARCH = '{"thought": "齐了", "action": "search_rooms", "action_input": {}}'
BOOK = '{"thought": "直接订", "action": "book_room", "action_input": {"room_id": "R1001"}}'


class Ticks:
    """A clock that moves by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


Make = Callable[..., tuple[Planner, ScriptedModel]]


@pytest.fixture
def clock() -> Ticks:
    return Ticks()


@pytest.fixture
def make(templates: Templates, actions: dict[str, Action], clock: Ticks) -> Make:
    def planner(*lines: Line, **rest: Any) -> tuple[Planner, ScriptedModel]:
        model = ScriptedModel(lines)
        return Planner(model, templates, actions, clock=clock, mode="llm", **rest), model

    return planner


async def test_a_good_answer_is_accepted_at_once(make: Make, ask_about: AskAbout) -> None:
    planner, model = make("```json\n" + ASK[:-2] + ",},}\n```")
    result = await planner.think(ask_about("明天下午2点8人"), planner.start_turn())
    assert result.accepted
    assert (result.accepted.action, result.accepted.message) == ("ask_user", "请问开多久？")
    assert model.calls == 1
    (entry,) = result.log
    assert (entry.action, entry.source, entry.parse_level, entry.thought) == ("ask_user", "model", 2, "缺时长")
    assert entry.tokens == result.tokens > 0
    assert planner.counts["level_2"] == 1


async def test_a_refusal_is_told_and_the_second_answer_counts(make: Make, ask_about: AskAbout) -> None:
    planner, model = make(BOOK, SEARCH)
    result = await planner.think(ask_about("1小时", slots=WHOLE), planner.start_turn())
    assert result.accepted
    assert result.accepted.action == "search_rooms"
    assert [(e.action, e.source) for e in result.log] == [("book_room", "refused"), ("search_rooms", "model")]
    assert "illegal_action" in model.prompts[1].messages[-1]["content"]


async def test_after_two_refusals_the_rules_go_on(make: Make, ask_about: AskAbout) -> None:
    planner, model = make(BOOK, BOOK, SEARCH)
    result = await planner.think(ask_about("1小时", slots=WHOLE), planner.start_turn())
    assert (result.accepted, result.stop_reason, model.calls) == (None, None, 2)
    assert all(entry.source == "refused" for entry in result.log)


@pytest.mark.parametrize("text", ["抱歉，我不明白。", "", '{"action": "rm"}', BOOK[:60], "[" * 5_000])
async def test_an_unreadable_answer_is_asked_again_with_its_reason(make: Make, ask_about: AskAbout, text: str) -> None:
    planner, _ = make(text, SEARCH)
    result = await planner.think(ask_about("1小时", slots=WHOLE), planner.start_turn())
    assert result.accepted
    assert result.log[0].parse_level == 3
    assert planner.counts["level_3"] == 1


@pytest.mark.parametrize("error", ["timeout", "connection", "status 500"])
async def test_a_model_that_fails_leaves_it_to_the_rules(make: Make, ask_about: AskAbout, error: str) -> None:
    planner, model = make({"error": error}, SEARCH)
    result = await planner.think(ask_about("1小时", slots=WHOLE), planner.start_turn())
    assert (result.accepted, result.stop_reason, model.calls) == (None, None, 1)
    assert error in result.log[0].observation
    assert planner.counts["failed"] == 1


async def test_a_used_up_script_is_a_model_that_is_down(make: Make, ask_about: AskAbout) -> None:
    planner, model = make()
    result = await planner.think(ask_about("1小时", slots=WHOLE), planner.start_turn())
    assert (result.accepted, model.calls) == (None, 1)
    model.load([SEARCH])
    assert model.calls == 0
    assert (await planner.think(ask_about("1小时", slots=WHOLE), planner.start_turn())).accepted
    assert model.total_calls == 2


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(max_steps=1), "max_steps"), (Limits(turn_tokens=2_000), "budget_tokens")],
)
async def test_a_spent_budget_stops_the_turn_with_its_reason(
    make: Make, ask_about: AskAbout, limits: Limits, reason: str
) -> None:
    planner, model = make(BOOK, SEARCH, limits=limits)
    result = await planner.think(ask_about("1小时", slots=WHOLE), planner.start_turn())
    assert (result.accepted, result.stop_reason, model.calls) == (None, reason, 1)
    assert planner.counts[reason] == 1


async def test_a_session_that_has_spent_its_tokens_asks_no_more(make: Make, ask_about: AskAbout) -> None:
    planner, model = make(SEARCH)
    result = await planner.think(ask_about("1小时", slots=WHOLE), planner.start_turn(session_tokens=200_000))
    assert (result.stop_reason, model.calls) == ("budget_tokens", 0)


async def test_a_turn_out_of_time_asks_no_more(make: Make, ask_about: AskAbout, clock: Ticks) -> None:
    planner, model = make(SEARCH)
    budget = planner.start_turn()
    clock.now += 20
    result = await planner.think(ask_about("1小时", slots=WHOLE), budget)
    assert (result.stop_reason, model.calls) == ("budget_wallclock", 0)


async def test_a_call_that_hangs_is_cut_off(
    templates: Templates, actions: dict[str, Action], ask_about: AskAbout
) -> None:
    class Hanging:
        async def complete(self, prompt: Any, on_text: Any = None) -> Any:
            await asyncio.sleep(60)

    clock = asyncio.get_running_loop().time
    planner = Planner(Hanging(), templates, actions, clock=clock, limits=Limits(wallclock_s=0.05))
    result = await planner.think(ask_about("x"), planner.start_turn())
    assert (result.accepted, result.stop_reason) == (None, "budget_wallclock")


async def test_the_same_action_twice_in_one_turn_stops_it(make: Make, ask_about: AskAbout) -> None:
    planner, _ = make(SEARCH, SEARCH)
    budget, question = planner.start_turn(), ask_about("1小时", slots=WHOLE)
    assert (await planner.think(question, budget)).accepted
    again = await planner.think(question, budget)
    assert (again.accepted, again.stop_reason) == (None, "repeat")


async def test_the_same_action_in_the_next_turn_is_fine(make: Make, ask_about: AskAbout) -> None:
    planner, _ = make(SEARCH, SEARCH)
    question = ask_about("1小时", slots=WHOLE)
    for _turn in range(2):
        assert (await planner.think(question, planner.start_turn())).accepted


async def test_a_failing_model_is_left_alone_for_a_while(make: Make, ask_about: AskAbout, clock: Ticks) -> None:
    planner, model = make(breaker=CircuitBreaker(clock, failures=2, rest_s=30))
    question = ask_about("1小时", slots=WHOLE)
    for _turn in range(5):
        assert (await planner.think(question, planner.start_turn())).accepted is None
    assert (model.calls, planner.counts["skipped"]) == (2, 3)
    clock.now += 31
    model.load([SEARCH, SEARCH])
    assert (await planner.think(question, planner.start_turn())).accepted
    assert (await planner.think(question, planner.start_turn())).accepted


def test_a_breaker_lets_one_try_through_when_its_rest_is_over(clock: Ticks) -> None:
    breaker = CircuitBreaker(clock, failures=1, rest_s=10)
    breaker.failed()
    assert not breaker.lets_through()
    clock.now += 11
    assert [breaker.lets_through(), breaker.lets_through()] == [True, False]


async def test_a_reply_is_streamed_and_its_message_complete(make: Make, ask_about: AskAbout) -> None:
    planner, _ = make(ASK)
    deltas: list[str] = []
    result = await planner.think(ask_about("明天"), planner.start_turn(), deltas.append)
    assert result.accepted
    assert result.shown == "".join(deltas) == result.accepted.message == "请问开多久？"


async def test_words_that_are_out_stand_although_what_they_propose_does_not(make: Make, ask_about: AskAbout) -> None:
    given = {"message": "请问开多久？", "slots": {"capacity": {"value": 30, "words": "三十人"}}}
    planner, model = make(json.dumps({"thought": "", "action": "ask_user", "action_input": given}))
    result = await planner.think(ask_about("明天"), planner.start_turn(), lambda _: None)
    assert result.accepted
    assert (result.accepted.message, result.accepted.values, model.calls) == ("请问开多久？", Values(), 1)
    assert result.log[0].source == "refused"


async def test_a_second_try_after_shown_words_shows_none(make: Make, ask_about: AskAbout) -> None:
    second = ASK.replace("请问开多久？", "还是一个小时？")
    planner, _ = make(ASK[:-1] + ', "action": "book_room"}', second)
    deltas: list[str] = []
    result = await planner.think(ask_about("明天"), planner.start_turn(), deltas.append)
    assert deltas == ["请问开多久？"]
    assert result.accepted
    assert result.accepted.message == "请问开多久？\n还是一个小时？"


async def test_a_model_over_a_real_socket_is_planned_with(
    templates: Templates, actions: dict[str, Action], ask_about: AskAbout
) -> None:
    async with StubModelServer() as server:
        server.say(BOOK, SEARCH, Answer(status=500), Answer(status=500), Answer(ASK, cut="stream"))
        model: Model = OpenAIModel(OpenAISettings("stub-model", server.base_url, timeout_s=3, tries=1))
        planner = Planner(model, templates, actions, clock=asyncio.get_running_loop().time)
        question = ask_about("1小时", slots=WHOLE)
        good = await planner.think(question, planner.start_turn())
        assert good.accepted
        assert (good.accepted.action, good.tokens) == ("search_rooms", 200)
        assert server.requests[0]["response_format"]["json_schema"]["schema"] == planner.prompt(question).schema
        for _turn in range(3):
            bad = await planner.think(question, planner.start_turn(), lambda _: None)
            assert bad.accepted is None
        await model.close()


READINGS: dict[str, tuple[Reading, bool]] = {
    "a whole wish": (Reading("明天2点8人", values=Values(date=dt.date(2026, 12, 1)), intent="book"), False),
    "a bare value": (Reading("1小时", values=Values(duration_minutes=60)), False),
    "a choice": (Reading("选1", intent="choose", choice=1), False),
    "a yes": (Reading("确认", intent="confirm", confirm="yes"), False),
    "weather": (Reading("上海天气", intent="weather", place="上海"), False),
    "a refusal of the list": (Reading("换一批", rejects_rooms=True), False),
    "words left unread": (
        Reading("1小时，等老王开完会", values=Values(duration_minutes=60), unread=("等老王开完会",)),
        True,
    ),
    "nothing understood": (Reading("投影仪怎么连？"), True),
    "nothing": (Reading("  "), False),
}


@pytest.mark.parametrize(("reading", "hybrid"), READINGS.values(), ids=READINGS.keys())
def test_hybrid_asks_only_what_the_rules_did_not_understand(reading: Reading, hybrid: bool) -> None:
    assert wants_model("hybrid", reading) is hybrid
    assert not wants_model("rules", reading)


@pytest.mark.parametrize(("mode", "asked"), [("rules", 0), ("hybrid", 0), ("llm", 4)])
def test_the_canonical_talk_costs_no_call_in_hybrid_and_one_a_turn_in_llm(mode: Mode, asked: int) -> None:
    talk = ["a whole wish", "a bare value", "a choice", "a yes"]
    assert sum(wants_model(mode, READINGS[turn][0]) for turn in talk) == asked


async def test_nothing_is_booked_whatever_the_phase_without_a_yes(make: Make, ask_about: AskAbout) -> None:
    for phase in Phase:
        planner, _ = make(BOOK, BOOK)
        question = ask_about("嗯", phase=phase, slots=WHOLE, offers=("R1001",), read_back="R1001")
        assert (await planner.think(question, planner.start_turn())).accepted is None


async def test_a_model_that_raises_anything_leaves_it_to_the_rules(
    templates: Templates, actions: dict[str, Action], clock: Ticks, ask_about: AskAbout
) -> None:
    class Broken:
        async def complete(self, _prompt: object, _on_text: object = None) -> Completion:
            raise RuntimeError("boom")

    planner = Planner(Broken(), templates, actions, clock=clock, mode="llm")
    result = await planner.think(ask_about("明天下午2点8人"), planner.start_turn())
    assert result.accepted is None
    assert "RuntimeError: boom" in result.log[-1].observation


async def test_two_long_inputs_that_begin_alike_are_no_repetition(make: Make, ask_about: AskAbout) -> None:
    asks = [
        json.dumps({"thought": "", "action": "ask_user", "action_input": {"message": "请" * 390 + n}}) for n in "ab"
    ]
    planner, _ = make(*asks)
    budget = planner.start_turn()
    results = [await planner.think(ask_about("明天下午2点8人"), budget) for _ in asks]
    assert [result.stop_reason for result in results] == [None, None]
