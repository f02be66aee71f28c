"""An office assistant with three skills: booking rooms, a jukebox, and the days of leave one has left.

Each skill says how much a message is its own, and the surest gets it. `bot.wants` needs no model, and a pending
question counts: "1" belongs to the bot while its list of rooms waits. Run: python examples/office_assistant.py
"""

# ruff: noqa: ARG002  # a skill need not look at all it is given
from __future__ import annotations

import asyncio
import sys
from typing import Protocol

from booking_bot import BookingBot

NOBODY = "Sorry, I can book rooms, play music, and count your days of leave."
SURE_ENOUGH = 0.4


class Skill(Protocol):
    """What the assistant needs of a skill."""

    async def wants(self, text: str, session: str, user: str) -> float:
        """Score a message from 0 to 1."""

    async def answer(self, text: str, session: str, user: str) -> str:
        """Answer it."""


class Rooms:
    """The booking bot as a skill."""

    def __init__(self, bot: BookingBot) -> None:
        self._bot = bot

    async def wants(self, text: str, session: str, user: str) -> float:
        return await self._bot.wants(text, session, user)

    async def answer(self, text: str, session: str, user: str) -> str:
        return (await self._bot.handle(session, text, user_id=user)).text


class Words:
    """A skill that knows its own words."""

    def __init__(self, answer: str, *words: str) -> None:
        self._answer = answer
        self._words = words

    async def wants(self, text: str, session: str, user: str) -> float:
        return 0.8 if any(word in text.lower() for word in self._words) else 0.0

    async def answer(self, text: str, session: str, user: str) -> str:
        return self._answer


class Assistant:
    """Gives each message to the skill that wants it most."""

    def __init__(self, **skills: Skill) -> None:
        self._skills = skills

    async def answer(self, text: str, session: str, user: str) -> tuple[str, str]:
        """Answer and tell which skill did."""
        scores = {name: await skill.wants(text, session, user) for name, skill in self._skills.items()}
        best = max(scores, key=lambda name: scores[name])
        if scores[best] < SURE_ENOUGH:
            return "nobody", NOBODY
        return best, await self._skills[best].answer(text, session, user)


MESSAGES = (
    "how many days of leave do I have left?",
    "I need a room tomorrow at 2pm for 8 people, 1 hour",
    "play some music meanwhile",
    "1",
    "yes",
    "translate this into French",
)


async def main(now: str | None = None) -> None:
    """Hold a talk in which the skills take turns."""
    async with await BookingBot.open(site="demo", db="sqlite://", now=now) as bot:
        assistant = Assistant(
            rooms=Rooms(bot),
            music=Words("Playing something quiet.", "music", "song"),
            leave=Words("You have 12 days left.", "leave", "vacation"),
        )
        for message in MESSAGES:
            skill, text = await assistant.answer(message, "main", "alice")
            print(f"alice: {message}\n  {skill}: {text}")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
