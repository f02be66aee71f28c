"""Chinese numerals up to 9,999 and the pattern pieces that match them."""

from __future__ import annotations

from typing import Final

DIGIT: Final = {
    **{c: i for i, c in enumerate("零一二三四五六七八九")},
    "〇": 0,
    "两": 2,
    "俩": 2,
    "仨": 3,
    "壹": 1,
    "贰": 2,
    "叁": 3,
    "肆": 4,
    "伍": 5,
    "陆": 6,
    "柒": 7,
    "捌": 8,
    "玖": 9,
}
_UNIT: Final = {"十": 10, "拾": 10, "百": 100, "千": 1000}

SIGNS: Final = "零〇一二两三四五六七八九十百"
"""Characters that a numeral is written with in chat."""
NUMBER_START: Final = frozenset("0123456789" + SIGNS)

UP_TO_99: Final = rf"(?:(?<![\d.])\d{{1,2}}(?!\d)|(?<![{SIGNS}])[零〇一二两三四五六七八九十]{{1,3}})"
"""A number of at most two digits that does not begin inside another."""
COUNT: Final = rf"(?:(?<![\d.])(?<!\d[:/])\d{{1,6}}|(?<![{SIGNS}])[{SIGNS}俩仨]{{1,6}})"


def number(text: str) -> int | None:
    """Read a whole number in digits or Chinese numerals.

    Returns:
        The number, or None when the characters are no number ("三四", "十十").
    """
    if text.isascii():
        return int(text) if text.isdigit() and len(text) <= 6 else None
    if len(text) > 9:
        return None
    total, digit, last_unit = 0, None, 10_000
    for sign in text.replace("廿", "二十"):
        if sign in DIGIT:
            value = DIGIT[sign]
            if digit not in (None, 0):
                return None
            if digit == 0 and value == 0:
                return None
            digit = value
        elif sign in _UNIT:
            unit = _UNIT[sign]
            if unit >= last_unit or (digit is None and unit != 10) or digit == 0:
                return None
            total += (1 if digit is None else digit) * unit
            digit, last_unit = None, unit
        else:
            return None
    if digit and last_unit in (100, 1000) and text[-2] in _UNIT:
        digit *= last_unit // 10  # "一百二" is 120; 102 is said "一百零二"
    return total + (digit or 0)


def year(text: str) -> int | None:
    """Read a year written digit by digit ("2026", "二〇二六")."""
    if text.isascii():
        return int(text) if text.isdigit() and len(text) == 4 else None
    digits = [DIGIT.get(sign) for sign in text]
    if len(digits) != 4 or any(d is None for d in digits):
        return None
    return int("".join(map(str, digits)))
