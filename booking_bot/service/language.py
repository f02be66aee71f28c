"""In which language a program's caller is answered."""

from __future__ import annotations

from booking_bot.dialogue.model import Language


def preferred_language(accepted: str | None, default: Language) -> Language:
    """Choose by an Accept-Language header: the first of Chinese and English that it names."""
    for part in (accepted or "").lower().split(","):
        tag = part.split(";")[0].strip()
        if tag.startswith("zh"):
            return "zh"
        if tag.startswith("en"):
            return "en"
    return default
