"""Numerals in words."""

from __future__ import annotations

import pytest

from booking_bot.language.en.numerals import number as english
from booking_bot.language.zh.numerals import number as chinese


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", 8), ("08", 8), ("八", 8), ("两", 2), ("俩", 2), ("十", 10), ("十五", 15), ("二十", 20),
        ("二十五", 25), ("九十九", 99),
        ("一百", 100), ("一百二", 120), ("一百零二", 102), ("一百二十", 120), ("三百五", 350),
        ("廿", 20), ("零五", 5), ("〇", 0),
        ("三五", None), ("十十", None), ("五百百", None), ("点", None), ("1234567", None), ("", None),
    ],
)  # fmt: skip
def test_a_chinese_numeral_is_its_number_or_none(text: str, value: int | None) -> None:
    assert chinese(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("8", 8), ("eight", 8), ("twelve", 12), ("twenty five", 25), ("forty-two", 42), ("a dozen", 12), ("x", None)],
)
def test_an_english_numeral_is_its_number_or_none(text: str, value: int | None) -> None:
    assert english(text) == value
