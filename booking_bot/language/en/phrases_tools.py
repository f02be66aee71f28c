"""What the bot says in English about the planner's questions and other people's tools, one phrase an id."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from booking_bot.dialogue.inquiry import Inquiry
from booking_bot.dialogue.site import Site
from booking_bot.language.en import wording as w
from booking_bot.language.shortening import shortened

Args = Mapping[str, Any]
TOOL_PHRASES: Final[dict[str, Callable[[Args, Site, dt.date], str]]] = {}
_HINTS: Final = {
    "ask_choice": "Please reply with the number.",
    "ask_multi_choice": "You may pick several, such as “1, 2”.",
}


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
        lines.append("Please say “yes” or “no”.")
    elif asked.placeholder:
        lines.append(f"(such as: {asked.placeholder})")
    return "\n".join(lines)


def _own_question(asked: Inquiry) -> str:
    if not asked.options:
        return f"Which {asked.about or 'room'} do you mean?"
    return f"“{shortened(asked.said)}” may be one of these {asked.about or 'room'}s. Which one?"


def _option(asked: Inquiry, option: str, site: Site) -> str:
    if asked.about == "room":
        return w.room(option, site)
    if asked.about == "building":
        known = site.buildings_by_code.get(option)
        return known.name.en if known else option
    return option


@_phrase
def answer_noted(_a: Args, _s: Site, _t: dt.date) -> str:
    """An answer to the planner's question that nobody made more of."""
    return "All right, noted."


@_phrase
def nothing_called_that(a: Args, _s: Site, _t: dt.date) -> str:
    """Words that name no room or building here."""
    return f"There is no {a['about']} called “{shortened(a['said'])}” here."


@_phrase
def read_back_tool(a: Args, _s: Site, _t: dt.date) -> str:
    """Exactly what a yes would run."""
    return (
        f"Please confirm: run the outside tool {a['tool']} with exactly this.\n{_lines(a['arguments'])}\n"
        "Say “yes” to run it, “no” to leave it."
    )


@_phrase
def yes_tool(a: Args, _s: Site, _t: dt.date) -> str:
    """Run this tool."""
    return f"Run {a['tool']}"


@_phrase
def no_tool(_a: Args, _s: Site, _t: dt.date) -> str:
    """Do not run it."""
    return "Do not run it"


def _lines(arguments: str) -> str:
    given = json.loads(arguments)
    lines = [f"- {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in given.items()]
    return "\n".join(lines) or "(no arguments)"


@_phrase
def tool_not_run(_a: Args, _s: Site, _t: dt.date) -> str:
    """A call that was declined."""
    return "All right, I did not run it."


@_phrase
def tool_answered(a: Args, _s: Site, _t: dt.date) -> str:
    """What somebody else's tool answered."""
    return f"{a['tool']} answers: {a['text'] or '(nothing)'}"


@_phrase
def tool_answer_withheld(a: Args, _s: Site, _t: dt.date) -> str:
    """An answer that promises a booking, which only the bot's own record can."""
    return f"{a['tool']} answered, but with words like those of a reservation, so I left them out; see “my bookings”."


@_phrase
def tool_uncertain(a: Args, _s: Site, _t: dt.date) -> str:
    """A confirmed call whose answer was lost."""
    return f"{a['tool']} did not answer in time, and I cannot tell whether it ran. Please check before trying again."


@_phrase
def remembered(a: Args, site: Site, _t: dt.date) -> str:
    """What is remembered of the user."""
    lines = [_habit(key, value, site) for key, value in a["habits"]]
    if a["summaries"]:
        lines.append(f"- summaries of long conversations: {a['summaries']}")
    if not lines:
        return "I remember no habits of yours."
    offered = "I only ever offer these, and never use them on my own. Say “forget it” to delete all of it."
    return "\n".join(["I remember:", *lines, offered])


def _habit(key: str, value: str, site: Site) -> str:
    match key:
        case "usual_building":
            known = site.buildings_by_code.get(value)
            return f"- usual building: {known.name.en if known else value}"
        case "usual_seats":
            return f"- usual number of people: {value}"
        case "usual_minutes":
            return f"- usual length: {value} minutes"
        case _:
            return f"- {key}: {value}"


@_phrase
def forgotten(a: Args, _s: Site, _t: dt.date) -> str:
    """Everything remembered is deleted."""
    return "All right, I forgot all of it." if a["count"] else "All right; there was nothing to forget."
