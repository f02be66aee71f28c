"""Dates of festivals. Fixed ones are arithmetic; those of the lunar calendar count only in years whose statutory
holidays `chinesecalendar` knows, so that no date is ever guessed."""

from __future__ import annotations

import datetime as dt
from typing import Final

from chinese_calendar.constants import holidays as _statutory

_FIXED: Final = {
    "new year": (1, 1),
    "valentine": (2, 14),
    "women's day": (3, 8),
    "labour day": (5, 1),
    "children's day": (6, 1),
    "national day": (10, 1),
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "december 31": (12, 31),
}

# First day of the lunar year, fifth day of the fifth month, fifteenth of the eighth. Source: Hong Kong Observatory,
# Gregorian-lunar calendar conversion tables.
_LUNAR: Final = {
    "spring festival": {
        2024: (2, 10),
        2025: (1, 29),
        2026: (2, 17),
        2027: (2, 6),
        2028: (1, 26),
        2029: (2, 13),
        2030: (2, 3),
    },
    "dragon boat": {
        2024: (6, 10),
        2025: (5, 31),
        2026: (6, 19),
        2027: (6, 9),
        2028: (5, 28),
        2029: (6, 16),
        2030: (6, 5),
    },
    "mid-autumn": {
        2024: (9, 17),
        2025: (10, 6),
        2026: (9, 25),
        2027: (9, 15),
        2028: (10, 3),
        2029: (9, 22),
        2030: (9, 12),
    },
    "tomb sweeping": {2024: (4, 4), 2025: (4, 4), 2026: (4, 5), 2027: (4, 5), 2028: (4, 4), 2029: (4, 4), 2030: (4, 5)},
}


def festival_date(key: str, year: int) -> dt.date | None:
    """Give the day of a festival in a year, None when it is not known for sure."""
    if key in _FIXED:
        return dt.date(year, *_FIXED[key])
    if key == "new year's eve":
        first = festival_date("spring festival", year)
        return first - dt.timedelta(days=1) if first is not None else None
    known = _LUNAR.get(key, {}).get(year)
    if known is None:
        return None
    date = dt.date(year, *known)
    return date if date in _statutory else None
