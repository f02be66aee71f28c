"""English number words and the pattern pieces that match them."""

from __future__ import annotations

from typing import Final

_ONES: Final[list[str]] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS: Final = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fourty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
WORDS: Final[dict[str, int]] = {
    **{w: i for i, w in enumerate(_ONES)},
    **_TENS,
    "a dozen": 12,
    "dozen": 12,
    "hundred": 100,
    "a hundred": 100,
}
ORDINALS: Final[dict[str, int]] = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "thirteenth": 13,
    "fourteenth": 14,
    "fifteenth": 15,
    "sixteenth": 16,
    "seventeenth": 17,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
    "twenty-first": 21,
    "twenty first": 21,
    "twenty-second": 22,
    "twenty second": 22,
    "twenty-third": 23,
    "twenty third": 23,
    "twenty-fourth": 24,
    "twenty-fifth": 25,
    "thirtieth": 30,
}

_ONE_TO_NINE: Final = "one|two|three|four|five|six|seven|eight|nine"
WORD: Final = (
    rf"(?:(?:twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:{_ONE_TO_NINE}))?"
    rf"|{'|'.join(sorted(_ONES[1:], key=len, reverse=True))}|a dozen|dozen|a hundred|hundred)(?![a-z])"
)
COUNT: Final = rf"(?:(?<![\d.])(?<!\d:)(?:(?<!\d,)|(?!\d{{3}}(?!\d)))\d{{1,6}}|(?<![a-z])(?<!ty-){WORD})"
HOUR_WORD: Final = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![a-z])"
WORD_TOKENS: Final = frozenset(" ".join([*WORDS, "a", "an"]).split())


def number(text: str) -> int | None:
    """Read a whole number in digits or words.

    Returns:
        The number, or None when the characters are no number.
    """
    if text.isdigit():
        return int(text) if len(text) <= 6 else None
    if text in WORDS:
        return WORDS[text]
    tens, _, ones = text.replace("-", " ").partition(" ")
    if tens in _TENS and WORDS.get(ones, 0) in range(1, 10):
        return _TENS[tens] + WORDS[ones]
    return None
