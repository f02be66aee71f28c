"""What a message of nothing but answer words means to what the bot waits for."""

from __future__ import annotations

from typing import Final

from booking_bot.dialogue.reading import Confirm, Reading, ReadingContext
from booking_bot.language.answers import Answer


def reading_of(answer: Answer, context: ReadingContext) -> Reading | None:
    """Read a message of nothing but answer words; None when they answer nothing."""
    if answer.has("help"):
        return Reading("", intent="help")
    if answer.has("retry") and answer.only("retry", "yes", "weak yes"):
        return Reading("", retry=True)
    if answer.has("wait") and answer.only("wait", "yes", "weak yes", "unclear", "question"):
        return Reading("", intent="smalltalk", waits=True)
    if answer.has("unclear"):
        return Reading("", intent="none")
    if answer.has("smalltalk") and answer.only("question"):
        return Reading("", intent="smalltalk")
    if answer.has("question"):
        return None if answer.has(*_MEANINGFUL) else Reading("", intent="help")
    if answer.has("reject") and not answer.has("yes", "weak yes", "cancel", "cancel this", "any"):
        return Reading("", intent="confirm", confirm="no", rejects_rooms=True)
    cancelling = context.confirming == "cancel"
    if answer.has("keep") and answer.only("keep", "no", "cancel", "wait"):
        kept = context.confirming in ("cancel", "move")
        if kept:
            return Reading("", intent="confirm", confirm="no")
        return Reading("", intent="smalltalk", keeps=True)
    if answer.has("never mind") and context.confirming in ("cancel", "move"):
        return Reading("", intent="confirm", confirm="no")
    if answer.has("cancel", "cancel this", "never mind"):
        return _cancel_answer(answer, cancelling=cancelling)
    if answer.has("any") and answer.only("any", "yes", "weak yes"):
        if context.asks is not None and not context.choices:
            return Reading("", intent="none")
        return Reading("", intent="choose", choice=1)
    confirm = _confirm(answer, waiting=context.pending is not None)
    if confirm is not None:
        return Reading("", intent="confirm", confirm=confirm)
    if answer.has("smalltalk") and answer.only():
        return Reading("", intent="smalltalk")
    return Reading("", intent="none") if answer.has("unclear", "yes", "no") else None


_MEANINGFUL: Final = (
    "yes",
    "weak yes",
    "no",
    "reject",
    "cancel",
    "cancel this",
    "keep",
    "any",
    "retry",
    "smalltalk",
    "filler",
)


def _cancel_answer(answer: Answer, *, cancelling: bool) -> Reading | None:
    if cancelling and answer.only("yes", "weak yes", "cancel", "cancel this"):
        if answer.has("yes", "cancel this"):
            return Reading("", intent="confirm", confirm="yes")
    elif cancelling and answer.has("no"):
        return Reading("", intent="confirm", confirm="no")
    if not answer.only("cancel", "cancel this", "never mind", "no", "yes", "weak yes", "wait"):
        return None
    return Reading("", intent="cancel", this_booking=answer.has("cancel this"))


def _confirm(answer: Answer, *, waiting: bool) -> Confirm | None:
    yes, no = answer.has("yes") or (waiting and answer.has("weak yes")), answer.has("no")
    if yes and not no and answer.only("yes", "weak yes"):
        return "yes"
    if (
        no
        and not yes
        and answer.sorts["no"] >= 1
        and answer.only("no", "weak yes", "wait")
        and not answer.has("weak yes")
    ):
        return "no"
    return None
