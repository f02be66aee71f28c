"""Numbers that are not what their digits say: less than nothing (-5个人) and powers (1e9人)."""

from __future__ import annotations

from typing import Final

from booking_bot.language.rule import Mention
from booking_bot.language.values import Count

_SIGNED: Final = frozenset({"count", "length"})


def heed_signs(mentions: list[Mention], text: str) -> list[Mention]:
    """Give the mentions with a negative head count as none, and without negative lengths and powers, left unread."""
    if "-" not in text and "e" not in text:
        return mentions
    kept = []
    for mention in mentions:
        sign = _sign_before(text, mention.start) if mention.kind in _SIGNED else ""
        if sign == "-" and mention.kind == "count":
            mention.value = Count(0)
        elif sign:
            continue
        kept.append(mention)
    return kept


def _sign_before(text: str, start: int) -> str:
    before, further = text[start - 1 : start], text[start - 2 : start - 1] if start > 1 else ""
    if before == "-" and not further.isalnum():
        return "-"
    return "e" if before == "e" and further.isdigit() and text[start : start + 1].isdigit() else ""
