"""The place that a weather question names."""

from __future__ import annotations

import re
from typing import Final

from booking_bot.language.en import commands as en
from booking_bot.language.normalise import Folded
from booking_bot.language.zh import commands as zh

_ZH: Final = re.compile(zh.WEATHER_PLACE)
_NO_PLACE_SIGN: Final = re.compile("[冷热不会有什怎吗呢我你]")
_EN: Final = re.compile(en.WEATHER_PLACE)


def place_of(masked: str, shown: str, folded: Folded) -> str | None:
    """Give the place as typed, None when none is named.

    Args:
        masked: the folded text with dates and times used up.
        shown: the user's own text.
    """
    for match in _ZH.finditer(masked):
        place = match["place"]
        if place not in zh.NO_PLACE and _NO_PLACE_SIGN.search(place) is None:
            start, end = folded.place(*match.span("place"))
            return shown[start:end]
    for match in _EN.finditer(masked):
        group = "place" if match["place"] else "before"
        if match[group].split(" ")[0] not in en.NO_PLACE:
            start, end = folded.place(*match.span(group))
            return shown[start:end].strip(" .,'-")
    return None
