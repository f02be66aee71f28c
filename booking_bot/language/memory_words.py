"""Reads the two commands about what the bot remembers. Whole messages only: a talk about memories is none."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.reading import Reading

_END: Final = "。.!！?？~～ "
_SHOW: Final = re.compile(
    r"(?:你|您)?(?:还|都)*(?:记得|记住了?|知道)(?:关于)?我(?:的)?(?:什么|啥|哪些(?:事|东西|信息|习惯)?)"
    r"|(?:你|您)(?:还)?记得我(?:吗|么)"
    r"|what (?:do|can) you (?:still )?(?:remember|know)(?: (?:about|of) me)?",
    re.IGNORECASE,
)
_FORGET: Final = re.compile(
    r"(?:请|麻烦)?(?:把)?(?:你)?(?:忘掉|忘了|忘记|删掉|删除|清除|清空)"
    r"(?:你记得的|关于我的|我的|所有)?(?:记忆|个人信息|偏好|习惯|记录的习惯)(?:吧)?"
    r"|(?:请|麻烦)?(?:你)?把?(?:关于我的|你记得的)(?:一切|东西|事|信息)?(?:都)?(?:忘掉|忘了|忘记|删掉|删除|清除)(?:吧)?"
    r"|(?:please )?(?:forget|delete|erase) (?:me|everything (?:about|of) me"
    r"|(?:all |everything )?you (?:know|remember)(?: about me)?|my (?:habits|preferences|memory))",
    re.IGNORECASE,
)
_FORGET_THESE: Final = re.compile(
    r"(?:请)?(?:把)?(?:这些|它们|这个)?(?:都|全)?(?:忘掉|忘了|忘记|删掉|删了|删除|清除)(?:这些|它们|吧|它)*"
    r"|(?:please )?(?:forget|delete|erase) (?:it|that|this|these|them|everything|it all|all of it)",
    re.IGNORECASE,
)
"""Said in answer to what is remembered; "forget it" means something else at any other time."""
_LONGEST: Final = 60


def with_memory_command(reading: Reading, context: BookingContext) -> Reading:
    """Give the reading with the command it is, if it is one.

    Args:
        context: where the session stands before this message.
    """
    text = reading.text.strip()
    if not text or len(text) > _LONGEST:
        return reading
    if _is(_SHOW, text):
        return replace(reading, memory="show")
    just_shown = context.memory_shown == context.turn_id != 0
    if _is(_FORGET, text) or _is(_FORGET_THESE_ALWAYS, text) or (just_shown and _is(_FORGET_THESE, text)):
        return replace(reading, memory="forget")
    return reading


_FORGET_THESE_ALWAYS: Final = re.compile(r"忘掉这些")
"""What the bot itself tells the user to say."""


def _is(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.fullmatch(text.rstrip(_END)) is not None
