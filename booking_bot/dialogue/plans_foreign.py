"""What a row does about tools of somebody else's: read back, run behind the user's yes, tell. Pure functions."""

from __future__ import annotations

from booking_bot.dialogue.actions import Call, Say, Step, say
from booking_bot.dialogue.claims import CLAIMS
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import Pending, Phase, ReadBackTool
from booking_bot.dialogue.observations import Failed, ToolAnswered, ToolDeclined, ToolProposed
from booking_bot.dialogue.plans import settled
from booking_bot.dialogue.resuming import as_before
from booking_bot.dialogue.situation import Situation


def read_back_tool(s: Situation) -> Step:
    """Read back exactly what would be run."""
    proposed = s.observation
    assert isinstance(proposed, ToolProposed)  # noqa: S101  # the row's own observation
    read_back = ReadBackTool(tool=proposed.tool, arguments=proposed.arguments, came_from=s.context.phase, key=s.key)
    context = s.context.with_(phase=Phase.CONFIRMING, pending=Pending.CONFIRM, read_back=read_back, inquiry=None)
    return settled(context)


def run_tool(s: Situation) -> Step:
    """Run exactly what was read back."""
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackTool)  # noqa: S101  # the guard's own condition
    return Step(s.context, (), Call(read_back.tool, read_back.arguments, read_back.key))


def decline_tool(s: Situation) -> Step:
    """Do not run it; the planner hears of it and may go on."""
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackTool)  # noqa: S101  # the guard's own condition
    return Step(_back(s), (say("tool_not_run"),), observes=ToolDeclined(tool=read_back.tool))


def after_decline(s: Situation) -> Step:
    """Go on where the talk was."""
    return settled(s.context)


def leave_read_back(s: Situation) -> Step:
    """The confirmed tool came back: the talk is again where the planner left it."""
    return Step(_back(s), observes=s.observation)


def _back(s: Situation) -> BookingContext:
    read_back = s.context.read_back
    assert isinstance(read_back, ReadBackTool)  # noqa: S101  # the guard's own condition
    return as_before(s.context, read_back.came_from)


def tell_answer(s: Situation) -> Step:
    """Pass on what somebody else's tool answered, as its words and not as the bot's."""
    answered = s.observation
    assert isinstance(answered, ToolAnswered)  # noqa: S101  # the row's own observation
    return settled(s.context, answer_of(answered))


def answer_of(answered: ToolAnswered) -> Say:
    """Give the phrase for an answer; one that promises a booking is held back."""
    text = "".join(char for char in answered.text[:2_000] if char.isprintable() or char == "\n").strip()
    if any(claim.casefold() in text.casefold() for claim in CLAIMS):
        return say("tool_answer_withheld", tool=answered.tool)
    return say("tool_answered", tool=answered.tool, text=text)


def tool_failed(s: Situation) -> Step:
    """Say that it did not work, or that nobody knows whether it did."""
    failed = s.observation
    assert isinstance(failed, Failed)  # noqa: S101  # the row's own observation
    context = _back(s).with_(last_tool_error=failed.reason[:200])
    phrase = "tool_uncertain" if failed.uncertain else "aside_failed"
    return settled(context, say(phrase, tool=failed.tool))
