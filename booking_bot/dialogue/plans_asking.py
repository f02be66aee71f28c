"""What a row does about the planner's own questions and about words that may name several things. Pure functions."""

from __future__ import annotations

from dataclasses import replace

from booking_bot.dialogue.actions import Step, say
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.inquiry import Inquiry
from booking_bot.dialogue.model import Pending, Phase
from booking_bot.dialogue.observations import Asked, Heard, Resolved
from booking_bot.dialogue.plans import draft_only, notices, settled
from booking_bot.dialogue.reading import Reading, Values
from booking_bot.dialogue.situation import Situation


def put_question(s: Situation) -> Step:
    """Ask what the planner wants to know; what was told in the same message stays told."""
    asked = s.observation
    assert isinstance(asked, Asked)  # noqa: S101  # the row's own observation
    return settled(_asking(s, asked.inquiry), *notices(s))


def _asking(s: Situation, inquiry: Inquiry) -> BookingContext:
    context = s.context
    if context.phase is Phase.COLLECTING_SLOTS:
        told = draft_only(s.folded.context) if s.folded.told else context
        missing = told.slots.missing()
        context = told.with_(pending=Pending.CLARIFY, asks=told.asks or (missing[0] if missing else None))
    return context.with_(inquiry=inquiry)


def take_answer(s: Situation) -> Step:
    """Take the answer to the planner's question; nobody made anything of it, so the talk goes on where it was."""
    return settled(s.context, say("answer_noted"))


def take_resolved(s: Situation) -> Step:
    """Go on as if the user had named the one thing that was meant."""
    resolved = s.observation
    assert isinstance(resolved, Resolved)  # noqa: S101  # the row's own observation
    match = resolved.matches[0]
    named = Reading(text=resolved.said, language=s.reading.language, intent="choose", choice=match)
    if resolved.about == "building":
        named = replace(named, intent="book", choice=None, values=Values(building=match))
    return Step(s.context, observes=Heard(named))


def ask_which(s: Situation) -> Step:
    """Let the user pick from what the words may name."""
    resolved = s.observation
    assert isinstance(resolved, Resolved)  # noqa: S101  # the row's own observation
    inquiry = Inquiry(kind="ask_choice", options=resolved.matches, about=resolved.about, said=resolved.said)
    return settled(_asking(s, inquiry))


def say_unresolved(s: Situation) -> Step:
    """Say that nothing here is called like that; where nothing was named at all, ask for it."""
    resolved = s.observation
    assert isinstance(resolved, Resolved)  # noqa: S101  # the row's own observation
    if resolved.said:
        return settled(s.context, say("nothing_called_that", about=resolved.about, said=resolved.said))
    return settled(_asking(s, Inquiry(kind="ask_input", about=resolved.about)))
