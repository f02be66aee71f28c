"""Whatever is said and whatever the model answers: nothing is written without a yes, and every turn has an end.

Runs a few dozen talks by default, `BOOKING_BOT_PROPERTY_RUNS` of them where that is set.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict
from sqlalchemy import delete

from booking_bot import BookingBot
from booking_bot.adapters.scripted_model import Line, ScriptedModel
from booking_bot.adapters.sql import schema
from booking_bot.dialogue.conversation import TurnOutcome
from booking_bot.dialogue.model import Phase, ReadBackTool
from booking_bot.dialogue.observations import ToolAnswered, ToolObservation
from booking_bot.engine import Said, reading_context
from booking_bot.language.reader import read
from booking_bot.planning.budgets import Limits
from booking_bot.tools import Tool, ToolContext
from booking_bot.transcripts.invariants import Moment, check, confirms
from booking_bot.transcripts.world import bookings_of

RUNS = int(os.environ.get("BOOKING_BOT_PROPERTY_RUNS", "60"))
NOW = "2026-11-30T09:00:00+08:00"
LIMITS = Limits()

SAID = (
    *("明天下午2点8人会议室", "1小时", "选1", "2", "确认", "确认", "好的", "是", "不要", "算了", "都不要", "改成3点"),
    *(
        "明天下午2点，8人，1小时",
        "后天上午9点到10点，8个人",
        "我有哪些预订",
        "取消明天的会",
        "把会议改到4点",
        "再试一次",
    ),
    *(
        "查天气",
        "北京",
        "你好",
        "帮助",
        "等老王开完会之后",
        "给老板发个邮件",
        "你记得我什么",
        "忘掉这些",
        "R1003",
        "1和2",
    ),
    *(
        "tomorrow 2pm for 8 people, 1 hour",
        "yes",
        "no",
        "the first one",
        "cancel it",
        "yes but make it 3pm",
        "forget it",
    ),
)
TEXTS = st.one_of(st.sampled_from(SAID), st.sampled_from(SAID), st.text(max_size=40))

WORDS = st.one_of(
    st.sampled_from(("等老王开完会之后", "8人", "R2004", "预定成功", "https://example.org", "")), st.text(max_size=12)
)
PROPOSED = st.fixed_dictionaries(
    {},
    optional={
        "date": st.fixed_dictionaries({"value": st.sampled_from(("2026-12-01", "2026-11-30", "x")), "words": WORDS}),
        "start_time": st.fixed_dictionaries({"value": st.sampled_from(("15:00", "23:00", "25:00")), "words": WORDS}),
        "duration_minutes": st.fixed_dictionaries({"value": st.integers(-5, 500), "words": WORDS}),
        "capacity": st.fixed_dictionaries({"value": st.integers(-1, 20), "words": WORDS}),
        "building": st.fixed_dictionaries({"value": st.sampled_from(("A", "B", "Z")), "words": WORDS}),
        "title": st.fixed_dictionaries({"value": WORDS, "words": WORDS}),
    },
)
OPTIONS = st.lists(WORDS, max_size=4)
INPUTS = {
    "ask_user": st.fixed_dictionaries({}, optional={"message": WORDS, "slots": PROPOSED}),
    "ask_input": st.fixed_dictionaries({"message": WORDS}, optional={"placeholder": WORDS}),
    "ask_choice": st.fixed_dictionaries({"message": WORDS, "options": OPTIONS}),
    "ask_multi_choice": st.fixed_dictionaries({"message": WORDS, "options": OPTIONS}),
    "ask_confirm": st.fixed_dictionaries({"message": WORDS}),
    "search_rooms": st.fixed_dictionaries({}, optional={"slots": PROPOSED, "capacity": st.integers(0, 20)}),
    "book_room": st.fixed_dictionaries({}, optional={"room_id": st.sampled_from(("R1001", "R2004", "X"))}),
    "resolve_room": st.fixed_dictionaries({}, optional={"room": WORDS}),
    "resolve_building": st.fixed_dictionaries({}, optional={"building": WORDS}),
    "get_weather": st.fixed_dictionaries({"place": WORDS, "date": st.just("2026-12-01")}),
    "list_bookings": st.just({}),
    "cancel_booking": st.just({"booking_id": "x", "version": 1, "key": "12345678"}),
    "post.send": st.fixed_dictionaries({"to": WORDS, "text": WORDS}),
    "post.look": st.fixed_dictionaries({"to": WORDS}),
    "finish": st.fixed_dictionaries({}, optional={"message": WORDS}),
}
PLANS = st.sampled_from(sorted(INPUTS)).flatmap(
    lambda name: INPUTS[name].map(
        lambda given: json.dumps({"thought": "", "action": name, "action_input": given}, ensure_ascii=False)
    )
)
ERRORS = st.sampled_from(({"error": "timeout"}, {"error": "connection"}, {"error": "status 500"}))
ANSWERS: st.SearchStrategy[Line] = st.one_of(PLANS, PLANS, PLANS, st.text(max_size=60), ERRORS)
ARBITRARY = st.lists(st.tuples(TEXTS, st.lists(ANSWERS, max_size=3)), min_size=1, max_size=6)
MAIL = json.dumps({"thought": "", "action": "post.send", "action_input": {"to": "boss", "text": "hi"}})
BEGUN: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...] = (
    (),
    (("明天下午2点，8人，1小时", ()),),
    (("明天下午2点，8人，1小时", ()), ("选1", ())),
    (("明天下午2点，8人，1小时", ()), ("选1", ()), ("确认", ())),
    (("明天下午2点，8人，1小时", ()), ("选1", ()), ("确认", ()), ("取消明天的会", ())),
    (("给老板发个邮件", (MAIL,)),),
    (("明天下午2点，8人，1小时", ()), ("给老板发个邮件", (MAIL,))),
)
"""How a talk may begin: so that what is arbitrary also meets lists, read-backs and bookings."""
TURNS = st.builds(lambda begun, rest: [*begun, *rest], st.sampled_from(BEGUN), ARBITRARY)


class _To(BaseModel):
    model_config = ConfigDict(extra="forbid")

    to: str
    text: str = ""


class World:
    """One bot in one process; each talk has a user and a session of its own, and an empty calendar."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.model = ScriptedModel()
        self.mails = 0
        self.talks = 0

        async def send(_: _To, __: ToolContext) -> ToolObservation:
            self.mails += 1
            return ToolAnswered(tool="post.send", text="Booked: R1001 预定成功")

        async def look(_: _To, __: ToolContext) -> ToolObservation:
            return ToolAnswered(tool="post.look", text="<b>desk 7</b>")

        tools = (
            Tool("post.send", "Send a mail.", _To, "sensitive", outside=send),
            Tool("post.look", "Find somebody.", _To, "safe", outside=look),
        )
        opened = BookingBot.open(db="sqlite://", now=NOW, model=self.model, planner="llm", tools=tools)
        self.bot = self.runner.run(opened)

    def close(self) -> None:
        self.runner.run(self.bot.close())
        self.runner.close()

    async def talk(self, turns: list[tuple[str, list[Line]]]) -> None:
        await self.bot.engine.store.run(lambda tx: [tx.connection.execute(delete(t)) for t in _CALENDAR])
        self.talks += 1
        self.mails = 0
        key = f"u{self.talks}/s"
        last: TurnOutcome | None = None
        phase, confirmed, agreed = Phase.COLLECTING_SLOTS, 0, 0
        for number, (text, lines) in enumerate(turns, 1):
            if last is not None:
                reading = read(text, reading_context(last.context, self.bot.site, self.bot.engine.now()))
                confirmed += confirms(last, reading)
                agreed += isinstance(last.context.read_back, ReadBackTool) and reading.confirm == "yes"
            self.model.load(lines)
            answered = await self.bot.engine.handle(Said(key, f"u{self.talks}", text))
            bookings = await bookings_of(self.bot.engine.store)
            moment = Moment(number, phase, answered, bookings, made=len(bookings), confirmations=confirmed)
            assert check(moment) == ()
            assert self.mails <= agreed
            assert answered.reply.text.strip()
            assert answered.reply.llm_calls == self.model.calls <= LIMITS.max_steps
            assert answered.outcome is not None
            assert sum(taken.tokens for taken in answered.outcome.actions) <= LIMITS.turn_tokens
            last, phase = answered.outcome, answered.reply.phase
            event(f"ended {phase}")
            event(f"{self.mails} mails, {len(bookings)} bookings")


_CALENDAR = [schema.METADATA.tables[name] for name in ("room_claim", "booking", "write_key")]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World()
    yield made
    made.close()


@settings(
    max_examples=RUNS,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
@given(turns=TURNS)
def test_nothing_is_written_without_a_yes_and_every_turn_has_an_end(world: World, turns: list[Any]) -> None:
    world.runner.run(world.talk(turns))
