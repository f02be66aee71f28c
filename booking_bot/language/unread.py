"""What was not understood: words that no rule took and that ordinary requests do not hold."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.en.commands import FILLERS as ENGLISH
from booking_bot.language.rule import MASK
from booking_bot.language.zh.commands import FILLERS as CHINESE

_ENGLISH: Final = frozenset(ENGLISH)
_CHINESE: Final = re.compile("|".join(sorted(set(CHINESE), key=len, reverse=True)))
_RUN: Final = re.compile(r"[\u3400-\u9fff]+|[a-z][a-z']*(?:-[a-z]+)*|\d+(?:[.:/]\d+)*|[^\W\d_a-z\u3400-\u9fff]+")
_PIECES: Final = re.compile(rf"[^{MASK}]+")
_PARTS_OF_WORDS: Final = frozenset("会小大上下里内中前后见谈办弄搞做场次位名座楼单间得能坐空整加减选挑占叫点多几些人谁")
"""Fillers of one character that are as often part of a longer word."""
_MOST: Final = 20
"""No more unread pieces than this are reported."""


def unread_places(text: str, unclear: tuple[tuple[int, int], ...] = ()) -> list[tuple[int, int]]:
    """Give the [start, end) of each unread piece of a folded text whose mentions are masked.

    Args:
        unclear: places that are known to say something that is not understood, whatever their words.
    """
    found = list(unclear)
    for start, end in unclear:
        text = text[:start] + MASK * (end - start) + text[end:]
    for run in _RUN.finditer(text):
        word = run[0]
        if word[0] >= "\u3400":
            found += _unread_chinese(word, run.start())
        elif word in _ENGLISH or (len(word) == 1 and not word.isdigit()):
            continue
        else:
            found.append(run.span())
        if len(found) >= _MOST:
            break
    found.sort()
    return _joined(found, text)


def _unread_chinese(word: str, offset: int) -> list[tuple[int, int]]:
    """Give what is left of a run, with single characters that may belong to it (小 and 包 in 吃小笼包, 见 in 意见)."""
    left = _CHINESE.sub(lambda m: m[0] if m[0] in _PARTS_OF_WORDS else MASK * len(m[0]), word)
    kept = [m.span() for m in _PIECES.finditer(left) if not _PARTS_OF_WORDS.issuperset(m[0])]
    return [(offset + start, offset + end) for start, end in kept]


def _joined(places: list[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Join neighbours that only a space or nothing parts."""
    joined: list[tuple[int, int]] = []
    for start, end in places:
        if joined and text[joined[-1][1] : start] in ("", " ", "-", "'"):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
