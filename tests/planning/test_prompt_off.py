"""Sections of the prompt can be left out by a setting; those that must be there cannot."""

from __future__ import annotations

import pytest

from booking_bot import BookingBot
from booking_bot.adapters.prompt_folder import sections_off
from booking_bot.adapters.scripted_model import ScriptedModel
from booking_bot.errors import ConfigurationError


async def test_a_section_that_is_off_is_not_in_the_prompt() -> None:
    sizes = {}
    for off in ("", "examples, memory"):
        model = ScriptedModel()
        opened = BookingBot.open(
            db="sqlite://", now="2026-11-30T09:00:00+08:00", model=model, planner="llm", prompt_off=off
        )
        async with await opened as bot:
            await bot.handle("s", "明天下午2点8人会议室")
        sizes[off] = "never use them" in model.prompts[0].messages[0]["content"]
    assert sizes == {"": True, "examples, memory": False}


@pytest.mark.parametrize("name", ["role", "user", "refusal", "nothing"])
def test_a_section_that_must_stay_is_named(name: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        sections_off(name)
