"""What the user takes back: "不要明天，后天", "not 3 but 4", "8人，不对，10人"."""

from __future__ import annotations

from booking_bot.language.rule import Mention
from booking_bot.language.syntax import (
    CORRECTION,
    JOINED_EQUIPMENT,
    LOOK_BACK,
    NEGATED_AFTER,
    NEGATED_BEFORE,
)


def mark_negated(mentions: list[Mention], text: str) -> None:
    """Mark the mentions that the words around them take back; a list of equipment is taken back as a whole."""
    previous: Mention | None = None
    for mention in mentions:
        if mention.kind in ("claim", "title"):
            continue
        joined = (
            previous is not None
            and previous.negated
            and previous.kind == mention.kind == "equipment"
            and JOINED_EQUIPMENT.fullmatch(text, previous.end, mention.start) is not None
        )
        mention.negated = joined or _taken_back(mention, text)
        previous = mention


def _taken_back(mention: Mention, text: str) -> bool:
    before = NEGATED_BEFORE.search(text, max(0, mention.start - LOOK_BACK), mention.start)
    return before is not None or NEGATED_AFTER.match(text, mention.end) is not None


def corrected(earlier: Mention, later: Mention, text: str) -> bool:
    """Tell whether words between two mentions say that the later one is meant."""
    return CORRECTION.search(text, earlier.end, later.start) is not None
