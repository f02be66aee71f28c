"""`booking-bot doctor --prompt`: how large each section of the planner's prompt is, for a message in a full talk."""

from __future__ import annotations

import datetime as dt
import sys
from typing import Final

from booking_bot.adapters.prompt_folder import load_templates, sections_off
from booking_bot.adapters.site_folder import load_site
from booking_bot.app import clock_at
from booking_bot.dialogue.actions import ActionTaken
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.fold import fold
from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.site import Site
from booking_bot.language.reader import read
from booking_bot.planning.actions import actions_of
from booking_bot.planning.legal import legal_actions
from booking_bot.planning.planner import TRIES
from booking_bot.planning.prompt import MAX_SUMMARY, PlannerPrompt, build_prompt
from booking_bot.planning.question import Question
from booking_bot.settings import Settings
from booking_bot.tools import ToolRegistry, known_tools
from booking_bot.turns.contexts import reading_context

MESSAGE: Final = "8个人，1小时，等老王开完会之后"
EARLIER: Final = ("你好", "明天开会用", "要投影", "还是靠近电梯的好")
MEMORY: Final = ("usual building: A", "usual number of people: 8", "usual length: 60 minutes")


def show_prompt_sizes(settings: Settings) -> int:
    """Print the estimated tokens of each section, and of all, with and without what comes up over time."""
    site = load_site(settings.site)
    now = clock_at(settings.now)().astimezone(site.policy.zone)
    for phase in (Phase.COLLECTING_SLOTS, Phase.AWAITING_SELECTION):
        prompt = sample_prompt(settings, site, now, phase)
        versions = dict(version.split("@") for version in prompt.versions)
        sys.stdout.write(f"{phase}\n")
        for section in prompt.sections:
            sys.stdout.write(f"  {section.name:<10} v{versions.get(section.name, '?')} {section.tokens:>6} tokens\n")
        sys.stdout.write(f"  {'together':<10}    {prompt.tokens:>6} tokens, at most {TRIES} tries a question\n")
    return 0


def sample_prompt(settings: Settings, site: Site, now: dt.datetime, phase: Phase) -> PlannerPrompt:
    """Build the prompt for a sample message in a talk that has everything a prompt can show."""
    offers = tuple(room.id for room in site.rooms[: site.policy.offers])
    context = BookingContext(
        session_id="doctor", user_id=settings.user, phase=phase, language="zh", summary="话" * MAX_SUMMARY
    )
    if phase is Phase.AWAITING_SELECTION:
        context = context.with_(offers=offers)
    reading = read(MESSAGE, reading_context(context, site, now))
    question = Question(
        context=fold(context, reading, site, now).context,
        reading=reading,
        site=site,
        now=now,
        earlier=EARLIER,
        recent=(ActionTaken("search_rooms", "{}", "found"),) * 6,
        memory=MEMORY,
    )
    actions = actions_of(ToolRegistry(known_tools()))
    off = sections_off(settings.prompt_off)
    return build_prompt(load_templates(settings.site), question, legal_actions(actions, phase), off=off)
