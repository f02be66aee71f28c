"""Tools of somebody else's in a talk: what reads runs, what does not waits for the user's yes to its arguments."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from sqlalchemy import select

from booking_bot import BookingBot
from booking_bot.adapters.scripted_model import Line, ScriptedModel
from booking_bot.adapters.sql import schema
from booking_bot.dialogue.observations import Failed, ToolAnswered, ToolObservation
from booking_bot.engine import Said
from booking_bot.ports import Progress, TextDelta, ToolFinished, ToolStarted, TurnRestarted
from booking_bot.reply import Reply
from booking_bot.tools import Tool, ToolContext

NOW = "2026-11-30T09:00:00+08:00"
MAIL = {"to": "boss@example.org", "text": "明天的会改到三点"}


def call(action: str, **given: Any) -> str:
    return json.dumps({"thought": "", "action": action, "action_input": given}, ensure_ascii=False)


class Mail(BaseModel):
    model_config = ConfigDict(extra="forbid")

    to: str
    text: str


class Post:
    """A mail service that writes down what it was asked for."""

    def __init__(self, answer: Callable[[Mail], ToolObservation] | None = None) -> None:
        self.sent: list[tuple[Mail, str]] = []
        self._answer = answer or (lambda mail: ToolAnswered(tool="post.send", text=f"sent to {mail.to}"))

    @property
    def tools(self) -> tuple[Tool, ...]:
        async def send(mail: Mail, context: ToolContext) -> ToolObservation:
            self.sent.append((mail, context.key))
            return self._answer(mail)

        async def look(mail: Mail, _: ToolContext) -> ToolObservation:
            return ToolAnswered(tool="post.look", text=f"{mail.to} is at desk 7")

        return (
            Tool("post.send", "Send a mail.", Mail, "sensitive", outside=send),
            Tool("post.look", "Find somebody.", Mail, "safe", outside=look),
        )


class Talk:
    def __init__(self, bot: BookingBot, model: ScriptedModel) -> None:
        self.bot, self.model = bot, model

    async def __call__(self, text: str, *lines: Line, **more: Any) -> Reply:
        self.model.load(lines)
        return (await self.bot.engine.handle(Said("alice/s", "alice", text, **more))).reply


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
async def talk(post: Post) -> Any:
    model = ScriptedModel()
    async with await BookingBot.open(db="sqlite://", now=NOW, model=model, planner="llm", tools=post.tools) as bot:
        yield Talk(bot, model)


async def test_a_tool_that_reads_runs_at_once_and_its_answer_is_shown_as_its_own(talk: Talk) -> None:
    reply = await talk("问问老板坐哪儿", call("post.look", **MAIL), call("finish"))
    assert reply.actions == ("post.look",)
    assert "post.look 的回答：boss@example.org is at desk 7" in reply.text


async def test_a_tool_that_writes_waits_for_a_yes_to_its_exact_arguments(talk: Talk, post: Post) -> None:
    asked = await talk("给老板发个邮件", call("post.send", **MAIL))
    assert (asked.phase, asked.pending, post.sent) == ("CONFIRMING", "confirm", [])
    assert asked.interrupt is not None
    assert asked.interrupt.kind == "ask_confirm"
    assert asked.read_back is not None
    assert (asked.read_back.kind, asked.read_back.yes) == ("tool", "运行 post.send")
    assert all(value in asked.text for value in ("post.send", *MAIL.values()))
    done = await talk("确认", call("finish"))
    assert [mail.model_dump() for mail, _ in post.sent] == [MAIL]
    assert (done.phase, done.pending) == ("COLLECTING_SLOTS", None)
    assert "sent to boss@example.org" in done.text


async def test_a_no_is_told_to_the_model_and_the_talk_goes_on(talk: Talk, post: Post) -> None:
    await talk("给老板发个邮件", call("post.send", **MAIL))
    reply = await talk("不要", call("ask_user", message="那我就不发了。"))
    assert post.sent == []
    assert "那我就不发了" in reply.text
    assert "用户拒绝执行" in talk.model.prompts[0].messages[0]["content"]
    actions = await talk.bot.engine.store.actions_of("alice/s")
    assert ("post.send", "用户拒绝执行") in {(a.action, a.observation) for a in actions}


@pytest.mark.parametrize("text", ["好的，不过发给小李", "嗯嗯再想想", "yes but later", "1"])
async def test_anything_but_a_whole_yes_runs_nothing(talk: Talk, post: Post, text: str) -> None:
    await talk("给老板发个邮件", call("post.send", **MAIL))
    await talk(text, call("post.send", **MAIL), call("post.send", **MAIL))
    assert post.sent == []


async def test_a_yes_counts_once_and_each_read_back_has_a_key_of_its_own(talk: Talk, post: Post) -> None:
    for _ in range(2):
        await talk("给老板发个邮件", call("post.send", **MAIL))
        await talk("确认", call("finish"))
        await talk("确认", call("finish"))
    keys = [key for _, key in post.sent]
    assert len(keys) == len(set(keys)) == 2


async def test_a_yes_to_an_older_question_runs_nothing(talk: Talk, post: Post) -> None:
    first = await talk("你好呀在吗", call("ask_confirm", message="要发邮件吗？"))
    await talk("给老板发个邮件", call("post.send", **MAIL))
    reply = await talk("确认", interrupt_id=first.interrupt.id if first.interrupt else "0")
    assert (post.sent, reply.pending) == ([], "confirm")


async def test_the_draft_and_the_list_survive_a_tool(talk: Talk, post: Post) -> None:
    listed = await talk("明天下午2点，8人，1小时", call("search_rooms"))
    await talk("顺便给老板发个邮件", call("post.send", **MAIL))
    back = await talk("确认", call("finish"))
    assert (back.phase, back.options) == ("AWAITING_SELECTION", listed.options)
    assert len(post.sent) == 1
    assert (await talk("选1")).phase == "CONFIRMING"
    assert (await talk("确认")).phase == "BOOKED"


async def test_the_read_back_survives_a_restart(tmp_path: Path, post: Post) -> None:
    db = f"sqlite:///{tmp_path / 'b.db'}"
    model = ScriptedModel()
    for text, lines in (("给老板发个邮件", [call("post.send", **MAIL)]), ("确认", [call("finish")])):
        async with await BookingBot.open(db=db, now=NOW, model=model, planner="llm", tools=post.tools) as bot:
            await Talk(bot, model)(text, *lines)
    assert len(post.sent) == 1


async def test_a_tool_that_is_gone_meanwhile_is_said_to_have_failed(tmp_path: Path, post: Post) -> None:
    db = f"sqlite:///{tmp_path / 'b.db'}"
    model = ScriptedModel()
    async with await BookingBot.open(db=db, now=NOW, model=model, planner="llm", tools=post.tools) as bot:
        await Talk(bot, model)("给老板发个邮件", call("post.send", **MAIL))
    async with await BookingBot.open(db=db, now=NOW) as bot:
        reply = await Talk(bot, model)("确认")
    assert (reply.phase, reply.pending) == ("COLLECTING_SLOTS", None)
    assert "没有查成" in reply.text


async def test_a_call_that_may_have_run_before_a_crash_does_not_run_again(tmp_path: Path, post: Post) -> None:
    db = f"sqlite:///{tmp_path / 'b.db'}"
    model = ScriptedModel()
    async with await BookingBot.open(db=db, now=NOW, model=model, planner="llm", tools=post.tools) as bot:
        await Talk(bot, model)("给老板发个邮件", call("post.send", **MAIL))
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(bot.engine.store, "save_turn", lambda *_: 1 / 0)  # the turn is lost after the tool ran
            await Talk(bot, model)("确认")
    async with await BookingBot.open(db=db, now=NOW, model=model, planner="llm", tools=post.tools) as bot:
        reply = await Talk(bot, model)("确认")
    assert len(post.sent) == 1
    assert "不确定有没有执行" in reply.text


async def test_a_confirmed_call_leaves_intent_decision_and_outcome(talk: Talk) -> None:
    await talk("给老板发个邮件", call("post.send", **MAIL))
    await talk("确认", call("finish"))
    query = select(schema.METADATA.tables["audit"].c.step)
    rows = await talk.bot.engine.store.read(lambda reader: reader.connection.execute(query).scalars().all())
    assert rows == ["intent", "decision", "outcome"]


async def test_a_lost_answer_is_said_to_be_uncertain() -> None:
    post = Post(lambda _: Failed(tool="post.send", reason="timeout", uncertain=True))
    model = ScriptedModel()
    async with await BookingBot.open(db="sqlite://", now=NOW, model=model, planner="llm", tools=post.tools) as bot:
        talk = Talk(bot, model)
        await talk("给老板发个邮件", call("post.send", **MAIL))
        assert "不确定有没有执行" in (await talk("确认")).text
    assert len(post.sent) == 1


async def test_an_answer_that_promises_a_booking_is_not_passed_on() -> None:
    post = Post(lambda _: ToolAnswered(tool="post.send", text="预定成功！R1001 is booked"))
    model = ScriptedModel()
    async with await BookingBot.open(db="sqlite://", now=NOW, model=model, planner="llm", tools=post.tools) as bot:
        talk = Talk(bot, model)
        await talk("给老板发个邮件", call("post.send", **MAIL))
        reply = await talk("确认", call("finish"))
    assert "预定成功" not in reply.text
    assert "没有转给您" in reply.text


async def test_what_goes_on_is_told_while_it_goes_on(talk: Talk) -> None:
    told: list[Progress] = []
    talk.model.load([call("post.look", **MAIL), call("finish")])
    await talk.bot.engine.handle(Said("alice/s", "alice", "问问老板坐哪儿"), told.append)
    kinds = [type(each) for each in told]
    assert kinds.index(ToolStarted) < kinds.index(ToolFinished)
    assert TurnRestarted not in kinds


async def test_the_reply_begins_with_what_was_sent_while_it_was_written(talk: Talk) -> None:
    told: list[Progress] = []
    words = "请问您打算开多久呢？这里可以订半小时到两小时，整点或者半点开始都行，先告诉我大概的时长就好，别的稍后再说。"
    talk.model.load([call("ask_user", message=words)])
    answered = await talk.bot.engine.handle(Said("alice/s", "alice", "明天下午2点8人会议室"), told.append)
    deltas = [each.text for each in told if isinstance(each, TextDelta)]
    assert len(deltas) > 1
    assert answered.reply.text.startswith("".join(deltas))
    assert "".join(deltas) == words


async def test_no_text_is_sent_before_a_tool_call(talk: Talk) -> None:
    told: list[Progress] = []
    talk.model.load(["我来查一下。" + call("post.look", **MAIL), call("finish")])
    await talk.bot.engine.handle(Said("alice/s", "alice", "问问老板坐哪儿"), told.append)
    assert [each for each in told if isinstance(each, TextDelta)] == []


async def test_the_same_call_twice_ends_the_turn_with_its_reason(talk: Talk) -> None:
    reply = await talk("问问老板坐哪儿", call("post.look", **MAIL), call("post.look", **MAIL))
    assert (reply.actions, reply.stop_reason) == (("post.look",), "repeat")
    assert "desk 7" in reply.text
    stored = await talk.bot.engine.store.load_session("alice/s")
    assert stored is not None
    assert stored.stop_reason == "repeat"
    assert (await talk("明天下午2点8人会议室", call("finish"))).stop_reason is None


async def test_a_turn_asks_the_model_a_bounded_number_of_times(talk: Talk) -> None:
    reply = await talk("问问老板坐哪儿", *(call("post.look", to=f"{n}", text="") for n in range(20)))
    assert reply.llm_calls <= 6
    assert reply.text


async def test_what_a_foreign_tool_says_of_itself_is_data_in_the_prompt(talk: Talk) -> None:
    await talk("问问老板坐哪儿", call("finish"))
    assert "<data>Send a mail.</data>" in talk.model.prompts[0].messages[0]["content"]


async def test_an_observer_that_raises_stops_nothing(talk: Talk) -> None:
    talk.model.load([call("ask_user", message="好")])
    answered = await talk.bot.engine.handle(Said("alice/s", "alice", "问问"), lambda _: 1 / 0)
    assert answered.reply.text


async def test_tools_of_a_real_mcp_server_are_used_in_a_talk(tmp_path: Path) -> None:
    root = Path(__file__).parents[1]
    log = tmp_path / "mail.log"
    server = {
        "name": "post",
        "transport": "stdio",
        "command": [sys.executable, "-m", "tests.foreign_mcp_server", "stdio"],
        "env": {"PYTHONPATH": str(root), "MAIL_LOG": str(log)},
    }
    model = ScriptedModel()
    opened = BookingBot.open(db="sqlite://", now=NOW, model=model, planner="llm", mcp_servers=json.dumps([server]))
    async with await opened as bot:
        talk = Talk(bot, model)
        looked = await talk("老王坐哪儿呀", call("post.find_colleague", name="老王"), call("finish"))
        assert "老王 sits at desk 7" in looked.text
        asked = await talk("给老板发个邮件", call("post.send_mail", **MAIL))
        assert (asked.pending, log.exists()) == ("confirm", False)
        assert "sent to boss@example.org" in (await talk("确认", call("finish"))).text
    assert log.read_text("utf-8") == f"{MAIL['to']}: {MAIL['text']}\n"
