"""A weather service that answers when it is told to: for turns that are under way."""

from __future__ import annotations

import asyncio
import datetime as dt

from booking_bot.dialogue.observations import WeatherTold


class SlowWeather:
    """A `Weather` that waits for `answer`."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.answer = asyncio.Event()

    async def get_weather(self, place: str, date: dt.date, language: str) -> WeatherTold:
        """Wait, then tell of sunshine."""
        self.asked.set()
        await self.answer.wait()
        return WeatherTold(place=place, date=date, code=0)
