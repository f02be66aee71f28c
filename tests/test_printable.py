"""Text of other people on a terminal."""

from __future__ import annotations

import pytest

from booking_bot.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("会议室 A, 3 pm 👩‍💻", "会议室 A, 3 pm 👩‍💻"),
        ("\x1b[2Jgone\x07", "\\x1b[2Jgone\\x07"),
        ("\x9b31mred\x7f", "\\x9b31mred\\x7f"),
        ("one\r\ntwo", "one\\x0d\\x0atwo"),
        ("a\u202eb\u2066c\u2028d", "a\\u202eb\\u2066c\\u2028d"),
        ("\ud83d", "\\ud83d"),
    ],
    ids=["plain", "escapes", "C1", "lines", "direction", "half"],
)
def test_what_would_steer_a_terminal_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_line_breaks_stay_where_there_may_be_several_lines() -> None:
    assert printable("one\ntwo\x1b", keep="\n") == "one\ntwo\\x1b"
