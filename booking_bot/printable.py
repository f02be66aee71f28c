"""Other people's text made fit for a terminal: what would steer it is shown as an escape instead."""

from __future__ import annotations

import re
from typing import Final

_STEERING: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Control characters, line breaks, marks that turn the reading direction, and halves of characters."""


def printable(text: str, *, keep: str = "") -> str:
    """Show control characters as escapes, such as ``\\x1b``.

    Args:
        keep: characters that stay as they are, such as a line break where the text may have several lines.
    """
    return _STEERING.sub(lambda match: match[0] if match[0] in keep else _escaped(match[0]), text)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
