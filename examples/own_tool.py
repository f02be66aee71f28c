"""A tool of your own, chosen by a model of your own. Run: python examples/own_tool.py

The tool is safe: it only reads, so a model may choose it. What writes is declared ``sensitive`` or ``destructive`` and
then waits for the user's yes. Here the model is a few lines that know one word; any class with `complete` will do, and
without one the bot works by its rules.
"""

# ruff: noqa: ARG002  # the port's signature
from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import BaseModel, Field

from booking_bot import BookingBot
from booking_bot.dialogue.observations import ToolAnswered
from booking_bot.ports import Prompt
from booking_bot.tools import Tool, ToolContext


class MenuQuestion(BaseModel):
    """What the tool takes; its schema is what a model is shown."""

    day: str = Field(default="today", description="today or tomorrow")


async def canteen_menu(question: MenuQuestion, context: ToolContext) -> ToolAnswered:
    """Answer with text for the user. `context` tells who asks, in which language, and when."""
    dishes = {"zh": "番茄炒蛋、青菜、米饭", "en": "tomato and egg, greens, rice"}[context.language]
    return ToolAnswered(tool="canteen_menu", text=f"{question.day}: {dishes}")


CANTEEN = Tool("canteen_menu", "Tell what the canteen serves.", MenuQuestion, "safe", outside=canteen_menu)


@dataclass
class Answer:
    """What a model gives back."""

    text: str
    tokens: int = 0


class OneIdea:
    """A model with one idea: whoever speaks of the canteen wants its menu."""

    async def complete(self, prompt: Prompt, on_text: Callable[[str], None] | None = None) -> Answer:
        """Answer in the form that the prompt asks for."""
        asked = prompt.messages[-1]["content"]
        if "canteen" in asked.lower() or "食堂" in asked:
            return Answer(json.dumps({"thought": "menu", "action": "canteen_menu", "action_input": {"day": "today"}}))
        return Answer(json.dumps({"thought": "leave it to the rules", "action": "finish", "action_input": {}}))


async def main(now: str | None = None) -> None:
    """Ask about the canteen in the middle of a booking; the booking goes on where it was."""
    async with await BookingBot.open(
        site="demo", db="sqlite://", now=now, tools=(CANTEEN,), model=OneIdea(), planner="hybrid"
    ) as bot:
        for message in ("tomorrow at 2pm, 8 people, 1 hour", "what does the canteen serve?", "1", "yes"):
            reply = await bot.handle("main", message, user_id="alice")
            print(f"alice: {message}\n  bot: {reply.text}")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
