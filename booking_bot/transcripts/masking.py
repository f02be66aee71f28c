"""Takes personal details out of what is recorded: people get stand-ins, titles numbers, addresses a mask."""

from __future__ import annotations

import re
from typing import Final

STAND_INS: Final = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")
_MAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE: Final = re.compile(
    r"(?<![\d:.-])(?:\+\d{1,3}[ -]?)?"
    r"(?:1[3-9]\d[ -]?\d{4}[ -]?\d{4}|0\d{2,3}-\d{7,8}|\(?\d{3}\)?[ -]\d{3}[ -]\d{4})(?!\d)"
)
"""Mobile and fixed-line numbers of mainland China, and North American ones; dates and times do not look like them."""
PHONE_MASK: Final = "13800000000"
MAIL_MASK: Final = "name@example.com"


class Mask:
    """Replaces people, titles, phone numbers and e-mail addresses, the same one always by the same stand-in."""

    def __init__(self) -> None:
        self._people: dict[str, str] = {}
        self._titles: dict[str, str] = {}

    def person(self, user_id: str) -> str:
        """Give the stand-in of a person."""
        if user_id not in self._people:
            count = len(self._people)
            self._people[user_id] = STAND_INS[count] if count < len(STAND_INS) else f"user-{count + 1}"
        return self._people[user_id]

    def title(self, title: str) -> str:
        """Give the stand-in of a title."""
        if title not in self._titles:
            self._titles[title] = f"Title {len(self._titles) + 1}"
        return self._titles[title]

    def text(self, text: str) -> str:
        """Replace in free text whatever is known so far, and what looks like a number or an address."""
        text = _PHONE.sub(PHONE_MASK, _MAIL.sub(MAIL_MASK, text))
        known = [*self._titles.items(), *self._people.items()]
        for real, stand_in in sorted(known, key=lambda pair: -len(pair[0])):
            pattern = re.escape(real)
            if real.isascii():
                pattern = rf"(?<![a-zA-Z0-9]){pattern}(?![a-zA-Z0-9])"
            text = re.sub(pattern, lambda _match, to=stand_in: to, text, flags=re.IGNORECASE)  # type: ignore[misc]  # bound now
        return text
