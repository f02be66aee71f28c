"""What the bot says in Chinese about the planner's questions and other people's tools, one phrase an id."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from booking_bot.dialogue.inquiry import Inquiry
from booking_bot.dialogue.site import Site
from booking_bot.language.shortening import shortened
from booking_bot.language.zh import wording as w

Args = Mapping[str, Any]
TOOL_PHRASES: Final[dict[str, Callable[[Args, Site, dt.date], str]]] = {}
_WHAT: Final = {"room": "会议室", "building": "楼"}
_HINTS: Final = {"ask_choice": "请回复序号。", "ask_multi_choice": "可以选几个，请回复序号，比如“1、2”。"}


def _phrase(function: Callable[[Args, Site, dt.date], str]) -> Callable[[Args, Site, dt.date], str]:
    TOOL_PHRASES[function.__name__] = function
    return function


@_phrase
def planner_message(a: Args, _s: Site, _t: dt.date) -> str:
    """A model's own wording of a question."""
    return str(a["text"])


@_phrase
def inquiry(a: Args, site: Site, _t: dt.date) -> str:
    """A question besides the draft's own, with its options numbered."""
    asked: Inquiry = a["inquiry"]
    lines = [asked.message or _own_question(asked)]
    lines += [f"{number}. {_option(asked, option, site)}" for number, option in enumerate(asked.options, 1)]
    if asked.kind in _HINTS:
        lines.append(_HINTS[asked.kind])
    elif asked.kind == "ask_confirm":
        lines.append("请回复“是”或“不是”。")
    elif asked.placeholder:
        lines.append(f"（比如：{asked.placeholder}）")
    return "\n".join(lines)


def _own_question(asked: Inquiry) -> str:
    what = _WHAT[asked.about or "room"]
    if not asked.options:
        return f"请问是哪个{what}？"
    return f"“{shortened(asked.said)}”可能是这几个{what}，请问是哪个？"


def _option(asked: Inquiry, option: str, site: Site) -> str:
    if asked.about == "room":
        return w.room(option, site)
    if asked.about == "building":
        known = site.buildings_by_code.get(option)
        return known.name.zh if known else option
    return option


@_phrase
def answer_noted(_a: Args, _s: Site, _t: dt.date) -> str:
    """An answer to the planner's question that nobody made more of."""
    return "好的，知道了。"


@_phrase
def nothing_called_that(a: Args, _s: Site, _t: dt.date) -> str:
    """Words that name no room or building here."""
    return f"这里没有叫“{shortened(a['said'])}”的{_WHAT[a['about']]}。"


@_phrase
def read_back_tool(a: Args, _s: Site, _t: dt.date) -> str:
    """Exactly what a yes would run."""
    return (
        f"请确认：要运行外部工具 {a['tool']}，参数如下。\n{_lines(a['arguments'])}\n回复“确认”就运行，“不要”就不运行。"
    )


@_phrase
def yes_tool(a: Args, _s: Site, _t: dt.date) -> str:
    """Run this tool."""
    return f"运行 {a['tool']}"


@_phrase
def no_tool(_a: Args, _s: Site, _t: dt.date) -> str:
    """Do not run it."""
    return "不运行"


def _lines(arguments: str) -> str:
    given = json.loads(arguments)
    lines = [f"- {key}：{json.dumps(value, ensure_ascii=False)}" for key, value in given.items()]
    return "\n".join(lines) or "（没有参数）"


@_phrase
def tool_not_run(_a: Args, _s: Site, _t: dt.date) -> str:
    """A call that was declined."""
    return "好的，没有运行。"


@_phrase
def tool_answered(a: Args, _s: Site, _t: dt.date) -> str:
    """What somebody else's tool answered."""
    return f"{a['tool']} 的回答：{a['text'] or '（空）'}"


@_phrase
def tool_answer_withheld(a: Args, _s: Site, _t: dt.date) -> str:
    """An answer that promises a booking, which only the bot's own record can."""
    return f"{a['tool']} 有回答，但里面有像是订房结果的话，没有转给您；是否订上以“我的预订”为准。"


@_phrase
def tool_uncertain(a: Args, _s: Site, _t: dt.date) -> str:
    """A confirmed call whose answer was lost."""
    return f"{a['tool']} 没有及时回应，不确定有没有执行。需要的话请先核实，再决定要不要再来一次。"


@_phrase
def remembered(a: Args, site: Site, _t: dt.date) -> str:
    """What is remembered of the user."""
    lines = [_habit(key, value, site) for key, value in a["habits"]]
    if a["summaries"]:
        lines.append(f"- {a['summaries']} 段长对话的摘要")
    if not lines:
        return "我没有记住关于您的任何习惯。"
    return "\n".join(["我记得：", *lines, "这些只会提议，不会自作主张。回复“忘掉这些”就全部删除。"])


def _habit(key: str, value: str, site: Site) -> str:
    match key:
        case "usual_building":
            known = site.buildings_by_code.get(value)
            return f"- 常用的楼：{known.name.zh if known else value}"
        case "usual_seats":
            return f"- 常见人数：{value}人"
        case "usual_minutes":
            return f"- 常开时长：{value}分钟"
        case _:
            return f"- {key}：{value}"


@_phrase
def forgotten(a: Args, _s: Site, _t: dt.date) -> str:
    """Everything remembered is deleted."""
    return "好的，都忘掉了。" if a["count"] else "好的，本来也没有记住什么。"
