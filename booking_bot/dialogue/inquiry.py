"""A question of the planner's that waits for the next message, and what counts as its answer. Pure."""

from __future__ import annotations

import re
from typing import Final, Literal

from booking_bot.dialogue.model import Frozen
from booking_bot.dialogue.reading import Reading, Values

InquiryKind = Literal["ask_input", "ask_choice", "ask_multi_choice", "ask_confirm"]
_SEVERAL: Final = re.compile(r"[\s选和与及and,，、;；+&第个号]*")
"""What stands between the numbers of an answer that picks several."""


class Inquiry(Frozen):
    """What is asked besides the draft's own questions. It waits for one message only.

    Attributes:
        message: the question as it may be shown; empty where the code's own words ask.
        placeholder: a sample of the text asked for.
        options: what can be picked, numbered from 1 in this order.
        about: what the options stand for, when the code can act on them itself.
        said: the words that were not clear, for the code's own question.
    """

    kind: InquiryKind
    message: str = ""
    placeholder: str = ""
    options: tuple[str, ...] = ()
    about: Literal["room", "building"] | None = None
    said: str = ""

    def picked(self, number: int) -> str | None:
        """Give the option of a number (-1 is the last), None when there is none."""
        index = len(self.options) - 1 if number == -1 else number - 1
        return self.options[index] if 0 <= index < len(self.options) else None


def answer_to(inquiry: Inquiry, reading: Reading) -> str | None:
    """Give a message's answer as plain text, None when the message is about something else."""
    match inquiry.kind:
        case "ask_confirm":
            return reading.confirm
        case "ask_multi_choice":
            return _several(inquiry, reading) or _one(inquiry, reading)
        case "ask_choice":
            return _one(inquiry, reading)
        case "ask_input":
            understood = reading.intent != "none" or reading.values != Values() or reading.choice is not None
            return None if understood or not reading.text.strip() else reading.text.strip()[:500]


def _one(inquiry: Inquiry, reading: Reading) -> str | None:
    if isinstance(reading.choice, int):
        return inquiry.picked(reading.choice)
    said = reading.text.strip().casefold()
    return next((option for option in inquiry.options if option.strip().casefold() == said), None)


def _several(inquiry: Inquiry, reading: Reading) -> str | None:
    numbers = re.findall(r"\d+", reading.text[:200])
    if not numbers or not _SEVERAL.fullmatch(re.sub(r"\d+", "", reading.text[:200])):
        return None
    picked = [inquiry.picked(int(number)) for number in dict.fromkeys(numbers) if len(number) < 4]
    return " / ".join(option for option in picked if option) if picked and all(picked) else None
