"""Whatever a model says and fails to say: no exception, no write without a yes, always inside the budgets.

``BOOKING_BOT_PLANS=10000`` runs as many plans; the default keeps the suite quick.
"""

from __future__ import annotations

import asyncio
import json
import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from booking_bot.adapters.scripted_model import ScriptedModel
from booking_bot.dialogue.model import Phase, Slots
from booking_bot.planning.decision import Action
from booking_bot.planning.planner import Planner
from booking_bot.planning.templates import Templates
from booking_bot.planning.wording import unfit
from tests.planning.conftest import WHOLE, AskAbout

PLANS = int(os.environ.get("BOOKING_BOT_PLANS", "300"))
NAMES = [
    *("ask_user", "ask_input", "ask_choice", "ask_confirm", "search_rooms", "book_room", "finish", "resolve_room"),
    *("get_weather", "list_bookings", "cancel_booking", "send_mail", "move_booking", "预订会议室", "rm -rf"),
]
WORDS = st.sampled_from(
    ["8人", "等老王开完会之后", "R1001", "R2004", "15:00", "预定成功", "https://x.example", "A", ""]
)
SCALARS = st.none() | st.booleans() | st.integers(-5, 10**6) | st.floats() | st.text(max_size=20) | WORDS
PROPOSED = st.fixed_dictionaries({"value": SCALARS, "words": WORDS})
INPUTS = st.dictionaries(
    st.sampled_from(["message", "room_id", "room", "capacity", "start_time", "options", "place", "date", "title"]),
    SCALARS | st.lists(SCALARS, max_size=3),
    max_size=3,
) | st.fixed_dictionaries(
    {"slots": st.dictionaries(st.sampled_from(["start_time", "capacity", "building", "title"]), PROPOSED, max_size=2)},
    optional={"message": SCALARS},
)
PLAUSIBLE = st.builds(
    lambda name, given, thought: json.dumps({"thought": thought, "action": name, "action_input": given}),
    st.sampled_from(NAMES),
    INPUTS | SCALARS,
    SCALARS,
)
ANSWERS = st.text(max_size=200) | PLAUSIBLE | PLAUSIBLE.map(lambda text: f"<think>x</think>```json\n{text}\n```")
LINES = st.lists(ANSWERS | st.sampled_from([{"error": "timeout"}, {"error": "status 500"}]), max_size=3)


@settings(max_examples=PLANS, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(lines=LINES, phase=st.sampled_from(Phase), yes=st.booleans(), whole=st.booleans(), streamed=st.booleans())
def test_whatever_a_model_says_the_turn_is_safe_and_ends(
    lines: list[str | dict[str, str]],
    phase: Phase,
    yes: bool,
    whole: bool,
    streamed: bool,
    ask_about: AskAbout,
    templates: Templates,
    actions: dict[str, Action],
) -> None:
    model, deltas = ScriptedModel(lines), list[str]()
    planner = Planner(model, templates, actions, clock=lambda: 0.0, mode="llm")
    waiting = phase is Phase.CONFIRMING
    question = ask_about(
        "确认" if yes else "8人，等老王开完会之后",
        phase=phase,
        slots=WHOLE if whole else Slots(),
        offers=("R1001", "R1002"),
        read_back="R1001" if waiting else None,
        confirm="yes" if yes else None,
    )
    budget = planner.start_turn()
    result = asyncio.run(planner.think(question, budget, deltas.append if streamed else None))

    assert model.calls <= 2
    assert result.tokens == budget.tokens == sum(entry.tokens for entry in result.log)
    assert result.shown == "".join(deltas)
    assert unfit(result.shown) is None
    for entry in result.log:
        json.dumps([entry.thought, entry.input, entry.observation]).encode("utf-8")
    if result.accepted:
        accepted = result.accepted
        if actions[accepted.action].effect == "write":
            assert accepted.needs_confirmation or (accepted.action == "book_room" and waiting and yes)
        assert accepted.action not in ("cancel_booking", "move_booking")
        assert all(question.user_said(words) for words in accepted.words.values())
        assert (accepted.message or "").startswith(result.shown)
        assert accepted.message is None or (accepted.message.strip() and unfit(accepted.message) is None)
