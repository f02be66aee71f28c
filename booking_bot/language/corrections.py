"""What the user takes back: "不要明天，后天", "not 3 but 4", "8人，不对，10人"."""

from __future__ import annotations

from itertools import pairwise

from booking_bot.language.rule import ONLY_ONE, Mention
from booking_bot.language.syntax import (
    CORRECTION,
    DROPPED_AFTER,
    DROPPED_BEFORE,
    JOINED_BEFORE_DROPPED,
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
        mention.negated = mention.negated or joined or (mention.rule != ONLY_ONE and taken_back(mention, text))
        previous = mention
    for later, earlier in pairwise(reversed(mentions)):  # "白板和投影都不要了"
        if later.negated and later.kind == earlier.kind == "equipment" and _dropped_after(later, text):
            earlier.negated |= JOINED_BEFORE_DROPPED.fullmatch(text, earlier.end, later.start) is not None


def taken_back(mention: Mention, text: str) -> bool:
    """Tell whether the words right before or after a mention take it back."""
    back = max(0, mention.start - LOOK_BACK)
    if NEGATED_BEFORE.search(text, back, mention.start) is not None:
        return True
    if mention.kind != "equipment":
        return NEGATED_AFTER.match(text, mention.end) is not None
    return DROPPED_BEFORE.search(text, back, mention.start) is not None or _dropped_after(mention, text)


def _dropped_after(mention: Mention, text: str) -> bool:
    return (NEGATED_AFTER.match(text, mention.end) or DROPPED_AFTER.match(text, mention.end)) is not None


def corrected(earlier: Mention, later: Mention, text: str) -> bool:
    """Tell whether words between two mentions say that the later one is meant; "3点还是4点" asks which."""
    if text[earlier.end : later.start].strip() == "还是" and not text.startswith("吧", later.end):
        return False
    return CORRECTION.search(text, earlier.end, later.start) is not None
