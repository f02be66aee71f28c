"""A demo office, a frozen clock and ways to make situations."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from booking_bot.adapters.prompt_folder import load_templates
from booking_bot.adapters.site_folder import load_site
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import BookingOrder, Filled, Pending, Phase, ReadBackBook, Slots
from booking_bot.dialogue.reading import Reading
from booking_bot.dialogue.site import Site
from booking_bot.planning.actions import actions_of
from booking_bot.planning.decision import Action
from booking_bot.planning.question import Question
from booking_bot.planning.templates import Templates
from booking_bot.tools import NoArguments, Tool, ToolRegistry, WeatherQuestion

AskAbout = Callable[..., Question]

WHOLE = Slots(
    date=Filled[dt.date](value=dt.date(2026, 12, 1), words="明天", turn=1),
    start_time=Filled[dt.time](value=dt.time(14), words="下午2点", turn=1),
    duration_minutes=Filled[int](value=60, words="1小时", turn=1),
    capacity=Filled[int](value=8, words="8人", turn=1),
)


async def _unused(*_: Any) -> Any:
    raise AssertionError("the planner runs no tool")


@pytest.fixture(scope="session")
def site() -> Site:
    return load_site("demo")


@pytest.fixture(scope="session")
def templates() -> Templates:
    return load_templates("demo")


@pytest.fixture(scope="session")
def actions() -> dict[str, Action]:
    return actions_of(
        ToolRegistry(
            [
                Tool("get_weather", "Tell the weather.", WeatherQuestion, "safe", outside=_unused),
                Tool("list_bookings", "List bookings.", NoArguments, "safe", outside=_unused),
                Tool("cancel_booking", "Cancel a booking.", NoArguments, "destructive", outside=_unused),
                Tool("find_booking", "Look up a write.", NoArguments, "safe", outside=_unused),
                Tool("look_up_colleague", "Find a colleague.", NoArguments, "safe", outside=_unused),
                Tool("send_mail", "Send a mail.", NoArguments, "sensitive", outside=_unused),
            ]
        )
    )


@pytest.fixture(scope="session")
def ask_about(site: Site) -> AskAbout:
    """Make a question: `ask_about("text", phase=…, slots=…, offers=…, read_back="R1001", **reading)`."""

    def make(
        text: str = "嗯",
        *,
        phase: Phase = Phase.COLLECTING_SLOTS,
        slots: Slots | None = None,
        offers: tuple[str, ...] = (),
        read_back: str | None = None,
        earlier: tuple[str, ...] = (),
        context: dict[str, Any] | None = None,
        about: dict[str, Any] | None = None,
        **reading: Any,
    ) -> Question:
        order = read_back and ReadBackBook(
            order=BookingOrder(
                room_id=read_back,
                date=dt.date(2026, 12, 1),
                start_time=dt.time(14),
                duration_minutes=60,
                people=8,
                key="key-of-the-read-back",
            )
        )
        pending = {Phase.CONFIRMING: Pending.CONFIRM, Phase.AWAITING_SELECTION: Pending.SELECT_ROOM}.get(phase)
        return Question(
            context=BookingContext(
                session_id="s",
                user_id="u",
                phase=phase,
                slots=slots or Slots(),
                offers=offers,
                read_back=order or None,
                pending=pending,
                **(context or {}),
            ),
            reading=Reading(text=text, **reading),
            site=site,
            now=dt.datetime(2026, 11, 30, 9, tzinfo=site.policy.zone),
            earlier=earlier,
            **(about or {}),
        )

    return make
