"""Which of a model's words may be shown. A model phrases; it never announces what only the code can know."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.planning.question import Question, comparable

MAX_SHOWN: Final = 500
"""Characters of a model's message that are shown at most; a longer one is not shown at all."""
LONGEST_CLAIM: Final = 40
"""Characters held back while streaming, so that no part of a claim or a link is ever sent."""

_CLAIM: Final = re.compile(
    r"(?:预订|预定|订房|预约)\s*(?:已经?)?\s*(?:成功|完成|好了)"
    r"|(?:已经?|成功|顺利)[^。！？?!\n]{0,10}(?:预订|预定|订好|订下|订了|锁定|预留|取消|改到|改为|改成)"
    r"|(?:订好|订到|预留好|锁定)了"
    r"|\b(?:is|are|was|been|be|have|has|i've|now|successfully)\s+(?:\w+\s+){0,2}(?:booked|reserved|cancell?ed|moved|confirmed)\b"
    r"|\bbooked\s*[:：]|\bbooking\s+(?:is\s+)?(?:confirmed|complete)",
    re.IGNORECASE,
)
_LINK: Final = re.compile(r"https?:|www\.|\]\(|<\s*[a-z/!]|javascript:|\bdata:\w+/", re.IGNORECASE)
_SYSTEM: Final = re.compile(r"(?:^|\n)\s*(?:system|assistant|user|系统)\s*[:：]|<\|", re.IGNORECASE)


def unfit(message: str) -> str | None:
    """Give the reason why a message must not be shown, or None."""
    if len(message) > MAX_SHOWN:
        return "too_long"
    if _CLAIM.search(message):
        return "claims_a_booking"
    if _LINK.search(message) or _SYSTEM.search(message):
        return "link_or_markup"
    return None


def claims_a_booking(text: str) -> bool:
    """Tell whether a text says that something is booked, moved or cancelled."""
    return bool(_CLAIM.search(text))


def shown(message: str | None, question: Question) -> str | None:
    """Give the message as it may be shown, or None: then the code's own words are all there is."""
    if not message or not (message := _printable(message).strip()) or unfit(message):
        return None
    return None if names_hidden_room(message, question) else message


def names_hidden_room(text: str, question: Question) -> bool:
    """Tell whether a text names a room by id that neither the user named nor the bot offered."""
    said = comparable(text)
    return any(
        comparable(room.id) in said and room.id not in question.on_the_table and not question.user_said(room.id)
        for room in question.site.rooms
    )


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable() or char == "\n")
