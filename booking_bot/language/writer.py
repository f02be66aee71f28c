"""Writes what is to be said: phrase ids and their values become text in the user's language.

Every fact in a reply stands in the phrase's arguments; nothing is decided here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from booking_bot.dialogue.actions import Say
from booking_bot.dialogue.model import Language
from booking_bot.dialogue.site import Site
from booking_bot.language.en.phrases import PHRASES as ENGLISH
from booking_bot.language.en.phrases_bookings import BOOKING_PHRASES as ENGLISH_BOOKINGS
from booking_bot.language.en.phrases_site import SITE_PHRASES as ENGLISH_SITE
from booking_bot.language.en.phrases_tools import TOOL_PHRASES as ENGLISH_TOOLS
from booking_bot.language.zh.phrases import PHRASES as CHINESE
from booking_bot.language.zh.phrases_bookings import BOOKING_PHRASES as CHINESE_BOOKINGS
from booking_bot.language.zh.phrases_site import SITE_PHRASES as CHINESE_SITE
from booking_bot.language.zh.phrases_tools import TOOL_PHRASES as CHINESE_TOOLS

Phrase = Callable[[Mapping[str, Any], Site, dt.date], str]
PHRASES: Mapping[Language, Mapping[str, Phrase]] = {
    "zh": {**CHINESE, **CHINESE_BOOKINGS, **CHINESE_SITE, **CHINESE_TOOLS},
    "en": {**ENGLISH, **ENGLISH_BOOKINGS, **ENGLISH_SITE, **ENGLISH_TOOLS},
}


def write(says: Iterable[Say], language: Language, site: Site, today: dt.date) -> str:
    """Write a reply.

    Args:
        today: the site's current date, for "today" and "tomorrow".

    Returns:
        The text, phrases on lines of their own; a phrase that comes out empty or twice is left out.
    """
    phrases = PHRASES[language]
    lines = (phrases[item.phrase](item.args, site, today) for item in says)
    return "\n".join(dict.fromkeys(line for line in lines if line))
