"""Whole answers: messages made of nothing but yes-words, no-words, thanks and the like.

A word list per language says which sort each word is; a word of no list makes the message more than an answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Sort = Literal[
    "yes",
    "weak yes",
    "no",
    "reject",
    "cancel",
    "cancel this",
    "never mind",
    "keep",
    "wait",
    "any",
    "smalltalk",
    "help",
    "retry",
    "question",
    "unclear",
    "filler",
]
LONGEST: Final = 60
"""No whole answer is longer, in characters; longer messages are not looked at."""


def listed(sort: Sort, words: str) -> dict[str, Sort]:
    """Give the comma-separated `words` their sort."""
    return dict.fromkeys(words.split(", "), sort)


_DRAWN_OUT: Final = re.compile(r"([a-z])\1{2,60}")
"""A letter held on: "yesss", "nooo"."""

SIGNS: Final[dict[str, Sort]] = {
    **dict.fromkeys("👍👌✅🆗💯✔☑🙆", "yes"),
    **dict.fromkeys("👎❌🚫🙅✖", "no"),
    **dict.fromkeys("🙏😊😀😄🙂❤🌹", "smalltalk"),
    **dict.fromkeys("?", "question"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """How many words of each sort a whole answer has."""

    sorts: Counter[Sort]

    def has(self, *sorts: Sort) -> bool:
        """Tell whether a word of one of the sorts is there."""
        return any(self.sorts[s] for s in sorts)

    def only(self, *sorts: Sort) -> bool:
        """Tell whether no word is of another sort; fillers and thanks do not count."""
        allowed = {*sorts, "filler", "smalltalk"}
        return all(s in allowed for s, n in self.sorts.items() if n)


class AnswerWords:
    """The word lists of all languages in one pattern, longest word first."""

    def __init__(self, *lists: Mapping[str, Sort]) -> None:
        """Compile the lists; the first list that has a word decides its sort."""
        self._sorts: dict[str, Sort] = {}
        for words in lists:
            for word, sort in words.items():
                self._sorts.setdefault(word, sort)
        ordered = sorted(self._sorts, key=len, reverse=True)
        latin = "|".join(re.escape(w) for w in ordered if w.isascii() and w[0].isalpha())
        other = "|".join(re.escape(w) for w in ordered if not (w.isascii() and w[0].isalpha()))
        self._pattern = re.compile(rf"(?<![a-z])(?:{latin})(?![a-z\d])|{other}")

    def read(self, text: str) -> Answer | None:
        """Read a folded text as an answer.

        Returns:
            The sorts of its words, or None when there is anything else in it.
        """
        if len(text) > LONGEST:
            return None
        text = _DRAWN_OUT.sub(r"\1", text)
        sorts: Counter[Sort] = Counter()
        at = 0
        while at < len(text):
            match = self._pattern.match(text, at)
            if match is not None:
                sorts[self._sorts[match[0]]] += 1
                at = match.end()
            elif text[at].isalnum():
                return None
            else:
                at += 1
        return Answer(sorts)
