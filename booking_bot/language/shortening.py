"""Quotes of what the user said: whole, and cut between words only where they are too long to show."""

from __future__ import annotations

import re
from typing import Final

MOST: Final = 80
"""Characters of a quote: long enough for what people write in one breath."""
_LAST_WORD: Final = re.compile(r"[a-zA-Z0-9]+$")


def shortened(text: str, most: int = MOST) -> str:
    """Give `text`, or as many whole words of it as fit with an ellipsis behind them."""
    if len(text) <= most:
        return text
    cut = text[:most]
    if text[most].isascii() and text[most].isalnum():
        cut = _LAST_WORD.sub("", cut) or cut
    return cut.rstrip() + "…"
