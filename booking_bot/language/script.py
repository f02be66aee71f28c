"""Which scripts a text is in, what can trigger a rule in it, and where its numbers and Latin words stand."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.en.numerals import WORDS
from booking_bot.language.rule import MANY_DIGITS, MASK, NUMBER, RUN_OF_3, RUN_OF_5

_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")
_PLACED: Final = re.compile(r"[a-z]+|\d+|[@半再过零〇一二两三四五六七八九十百俩仨]")
_LATIN: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_NUMBER_WORDS: Final = frozenset(w for w in WORDS if " " not in w) | frozenset("零〇一二两三四五六七八九十百俩仨")


class Script:
    """What a folded text is made of.

    Attributes:
        chinese: it holds Chinese characters.
        latin: it holds Latin words.
        tokens: its characters and Latin words, and markers for long runs of digits and for what gets used up; they
            trigger rules and signals.
        places: where its Latin words begin, and under `NUMBER` where a number in digits or words can begin.
    """

    __slots__ = ("chinese", "latin", "places", "tokens")

    def __init__(self, text: str) -> None:
        """Look at a folded text."""
        self.chinese = _CHINESE.search(text) is not None
        self.latin = False
        self.places: dict[str, list[int]] = {}
        tokens = set(text)
        tokens -= _LATIN
        tokens.add(MASK)
        longest = digits = 0
        for match in _PLACED.finditer(text):
            piece = match[0]
            if piece[0] in _LATIN:
                self.latin = True
                tokens.add(piece)
            elif piece[0] < "\u3400" and piece != "@":
                length = len(piece)
                longest = max(longest, length)
                digits += length
                piece = NUMBER
            self.places.setdefault(NUMBER if piece in _NUMBER_WORDS else piece, []).append(match.start())
        if longest >= 3:
            tokens.add(RUN_OF_3)
            if longest >= 5:
                tokens.add(RUN_OF_5)
            if longest >= 4 and digits >= 7:
                tokens.add(MANY_DIGITS)
        self.tokens = frozenset(tokens)
