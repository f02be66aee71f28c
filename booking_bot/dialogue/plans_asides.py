"""What a row does about side questions: they keep phase, draft and prompt, which is shown again after the answer."""

from __future__ import annotations

import datetime as dt

from booking_bot.dialogue.actions import Call, Step, say
from booking_bot.dialogue.model import NoArguments, WeatherQuestion
from booking_bot.dialogue.observations import Failed, Forgotten, PlaceUnknown, Remembered, WeatherTold
from booking_bot.dialogue.plans import notices, settled
from booking_bot.dialogue.resuming import resumed
from booking_bot.dialogue.site_facts import answers
from booking_bot.dialogue.situation import Situation


def help_out(s: Situation) -> Step:
    """Say what can be done here."""
    return settled(s.context, say("help"))


def answer_questions(s: Situation) -> Step:
    """Answer what was asked about the site, from its own data; words beside the questions are named."""
    left = (say("left_unread", words=s.reading.unread[:3]),) if s.reading.unread else ()
    return settled(s.context, *answers(s), *left)


def make_smalltalk(s: Situation) -> Step:
    """Answer kindly; whoever asks for time gets it, and what is pending stands."""
    if s.reading.waits:
        return settled(s.context, say("take_your_time"))
    if s.reading.keeps:
        left = (say("left_unread", words=s.reading.unread[:3]),) if s.reading.unread else ()
        return settled(s.context, say("nothing_cancelled"), *left)
    kind = "goodbye" if s.reading.farewell else "you_are_welcome" if s.reading.thanks else "hello"
    return settled(s.context, say(kind))


def look_up_weather(s: Situation) -> Step:
    """Ask the weather service."""
    date = s.reading.values.date or s.now.date()
    return _weather(s, s.reading.place or "", date)


def look_up_weather_there(s: Situation) -> Step:
    """Ask the weather service with the place that was asked for."""
    return _weather(s, s.reading.text, s.folded.context.asks_place or s.now.date())


def _weather(s: Situation, place: str, date: dt.date) -> Step:
    question = WeatherQuestion(place=place.strip()[:80] or "?", date=date)
    return Step(s.context, (), Call("get_weather", question))


def ask_place(s: Situation) -> Step:
    """Ask for the city."""
    return settled(s.context.with_(asks_place=s.reading.values.date or s.now.date()))


def tell_weather(s: Situation) -> Step:
    """Tell the weather."""
    told = s.observation
    assert isinstance(told, WeatherTold)  # noqa: S101  # the row's own observation
    return settled(s.context, say("weather", told=told))


def place_is_unknown(s: Situation) -> Step:
    """The weather service does not know the place or has no forecast for the day."""
    unknown = s.observation
    assert isinstance(unknown, PlaceUnknown)  # noqa: S101  # the row's own observation
    return settled(s.context, say("place_unknown", unknown=unknown))


def recall_memory(s: Situation) -> Step:
    """Look up what is remembered of the user."""
    return Step(s.context, (), Call("recall_memory", NoArguments()))


def tell_remembered(s: Situation) -> Step:
    """Tell what is remembered; "forget it" in the next message means all of this."""
    remembered = s.observation
    assert isinstance(remembered, Remembered)  # noqa: S101  # the row's own observation
    context = s.context.with_(memory_shown=s.context.turn_id)
    return settled(context, say("remembered", habits=remembered.habits, summaries=remembered.summaries))


def forget_memory(s: Situation) -> Step:
    """Delete what is remembered of the user."""
    return Step(s.context, (), Call("forget_memory", NoArguments()))


def tell_forgotten(s: Situation) -> Step:
    """Say that it is deleted."""
    forgotten = s.observation
    assert isinstance(forgotten, Forgotten)  # noqa: S101  # the row's own observation
    return settled(s.context, say("forgotten", count=forgotten.count))


def aside_failed(s: Situation) -> Step:
    """A tool of a side question or of a list failed; the talk goes on where it was."""
    failed = s.observation
    assert isinstance(failed, Failed)  # noqa: S101  # the row's own observation
    context = resumed(s.context) if s.context.errand is not None else s.context
    return settled(context.with_(last_tool_error=failed.reason[:200]), say("aside_failed", tool=failed.tool))


def stay_booked(s: Situation) -> Step:
    """A yes, a no or something unclear after a booking: nothing is claimed of it, it may have been changed since."""
    unclear = say("not_understood", unread=s.reading.unread)
    answer = say("nothing_to_confirm") if s.reading.confirm == "yes" else unclear
    if s.reading.confirm == "no":
        answer = say("nothing_to_drop")
    made = (say("booked_last", booking=s.context.booking),) if s.context.booking is not None else ()
    return settled(resumed(s.context), *(notices(s) or (answer,)), *made, say("after_booking"))
