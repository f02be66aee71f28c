"""`memory`, `doctor --prompt`, `trace` and the terminal's progress, and the planner's counts in the metrics."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from booking_bot import BookingBot
from booking_bot.adapters.scripted_model import ScriptedModel
from booking_bot.channels.cli import main
from booking_bot.channels.cli.progress import ProgressShown
from booking_bot.channels.planner_metrics import PlannerCollector
from booking_bot.ports import TextDelta, Thinking, ToolFinished, ToolStarted, TurnRestarted

NOW = "2026-11-30T09:00:00+08:00"
ASK = json.dumps(
    {"thought": "缺时长", "action": "ask_user", "action_input": {"message": "开多久？"}}, ensure_ascii=False
)


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'b.db'}"


def test_what_is_remembered_is_shown_and_forgotten(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def remember() -> None:
        async with await BookingBot.open(db=db, now=NOW) as bot:
            items = {"usual_building": "B", "summary/1": json.dumps({"turn": 8, "text": "问过天气"})}
            await bot.engine.store.remember("alice", items, 0)

    asyncio.run(remember())
    command = ["memory", "--user", "alice", "--db", db]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines() == ["summary/1\t问过天气", "usual_building\tB"]
    assert main([*command, "--forget"]) == 0
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines() == ["forgot 2 of alice", "nothing is remembered of alice"]


def test_the_prompts_sections_are_shown_with_their_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--prompt"]) == 0
    lines = capsys.readouterr().out.splitlines()
    sizes = {line.split()[0]: int(line.split()[2]) for line in lines if line.endswith("tokens")}
    assert {
        "role",
        "examples",
        "phase",
        "date",
        "memory",
        "summary",
        "earlier",
        "slots",
        "rooms",
        "recent",
        "user",
    } <= set(sizes)
    assert all(sizes.values())


def test_the_prompt_is_shown_without_what_is_switched_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOOKING_BOT_PROMPT_OFF", "memory,examples")
    assert main(["doctor", "--prompt"]) == 0
    names = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line.endswith("tokens")}
    assert "role" in names and not names & {"memory", "examples"}


def test_a_trace_shows_thought_action_level_tokens_and_why_it_stopped(
    db: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def talk() -> None:
        model = ScriptedModel([ASK])
        async with await BookingBot.open(db=db, now=NOW, user="alice", model=model, planner="llm") as bot:
            await bot.handle("s", "明天下午2点8人会议室")

    asyncio.run(talk())
    assert main(["trace", "--session", "alice/s", "--db", db]) == 0
    shown = capsys.readouterr().out
    assert [piece in shown for piece in ("缺时长", "ask_user", "level=1", "tokens=", "开多久")] == [True] * 5
    assert main(["trace", "--session", "alice/s", "--db", db, "--json"]) == 0
    (turn,) = json.loads(capsys.readouterr().out)
    (model_step, *_) = turn["steps"]
    assert (model_step["source"], model_step["parse_level"], turn["stop_reason"]) == ("model", 1, None)
    assert model_step["tokens"] > 0


def test_progress_is_shown_and_the_reply_is_written_once(capsys: pytest.CaptureFixture[str]) -> None:
    shown = ProgressShown("zh")
    for each in (Thinking(), ToolStarted("get_weather"), ToolFinished("get_weather", True, 0.1), TextDelta("请问")):
        shown(each)
    shown.finish("请问开多久？")
    assert capsys.readouterr().out.endswith("请问开多久？\n")


def test_a_turn_that_began_anew_shows_its_own_reply(capsys: pytest.CaptureFixture[str]) -> None:
    shown = ProgressShown("en")
    shown(TextDelta("How lo"))
    shown(TurnRestarted())
    shown.finish("Which day?")
    assert capsys.readouterr().out == "How lo\nWhich day?\n"


async def test_the_planners_counts_are_there_for_the_servers(db: str) -> None:
    model = ScriptedModel([ASK])
    async with await BookingBot.open(db=db, now=NOW, model=model, planner="llm") as bot:
        await bot.handle("s", "明天下午2点8人会议室")
        assert bot.engine.planner_counts() == {"calls": 1, "level_1": 1}
        (family,) = PlannerCollector(bot.engine.planner_counts).collect()
    assert {sample.labels["event"]: sample.value for sample in family.samples} == {"calls": 1, "level_1": 1}
