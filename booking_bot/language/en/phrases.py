"""What the bot says in English, one phrase an id. Only a committed row is ever called booked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from booking_bot.dialogue.context import Proposal, ProposedValue
from booking_bot.dialogue.policy import Issue
from booking_bot.dialogue.site import Policy, Site
from booking_bot.language.en import wording as w
from booking_bot.language.shortening import shortened

Args = Mapping[str, Any]
PHRASES: Final[dict[str, Callable[[Args, Site, dt.date], str]]] = {}


def _phrase(function: Callable[[Args, Site, dt.date], str]) -> Callable[[Args, Site, dt.date], str]:
    PHRASES[function.__name__] = function
    return function


def _fixed(**texts: str) -> None:
    for phrase, text in texts.items():
        PHRASES[phrase] = lambda _a, _s, _t, text=text: text  # type: ignore[misc]  # the default binds each text


_fixed(
    after_booking="Say “cancel” to cancel it, “move it to 4pm” to move it, “my bookings” to see them, or tell me the "
    "next request.",
    nothing_to_change="That is how it is already; there is nothing to change.",
    stale_answer="That question is over; your choice had no effect.",
    internal_error="Sorry, something went wrong inside; your last message had no effect and everything else is still "
    "here. Please say it again.",
    session_lost="The earlier conversation could not be read; we start afresh.",
    hello="Hello! I can get you a meeting room.",
    take_your_time="No rush, tell me when you are ready.",
    nothing_cancelled="All right, nothing was changed or cancelled; every booking stands.",
    goodbye="Goodbye! Come back any time you need a room.",
    you_are_welcome="You're welcome!",
    help="I get you meeting rooms: tell me the day, the start, how long and how many people, such as “tomorrow 2pm, "
    "8 people, 1 hour”. You can also say “my bookings”, “cancel tomorrow's meeting”, “move my booking to 4pm” or "
    "“will it rain in Shanghai tomorrow?”; “never mind” drops the request at any time.",
    help_short="For a room, tell me the day, the start, how long and how many people, such as “tomorrow 2pm, 8 people, "
    "1 hour”.",
    nothing_to_confirm="Nothing is waiting for your yes, and nothing was reserved.",
    nothing_to_drop="All right. There is no request under way.",
    draft_dropped="All right, I dropped the request. Nothing was reserved.",
    draft_put_aside="The new request you were filling in is put aside; please tell me again when you need it.",
    search_failed="The search did not work: the rooms service does not answer right now. I kept what you told me.",
    ask_retry="Shall I search once more? Say “try again”, or change the wish.",
    no_other_rooms="There are no other free rooms; these are the ones:",
    booking_kept="All right, your booking stays as it was.",
    booking_gone="That booking is not there any more, or it was just changed. Say “my bookings” to see them.",
    no_such_booking="I found no such booking of yours.",
    booking_stands="Your booking stays as it was.",
    move_not_free="No room is free then; your booking stays as it was.",
    not_certain="I cannot tell yet whether it was written. Please say “yes” again in a moment: I will look first and "
    "never book twice.",
    ask_place="Which city's weather would you like?",
)


@_phrase
def cut(a: Args, _s: Site, _t: dt.date) -> str:
    """An over-long message."""
    return f"Your message is too long; I read the first {a['limit']} characters only."


@_phrase
def not_understood(a: Args, _s: Site, _t: dt.date) -> str:
    """Words nobody understood."""
    words = ", ".join(f"“{shortened(word)}”" for word in a["unread"][:3])
    return f"I did not understand {words}." if words else "I did not understand that."


@_phrase
def draft_so_far(a: Args, site: Site, today: dt.date) -> str:
    """The draft said back."""
    return f"Noted: {w.slots(a['slots'], site, today)}."


@_phrase
def end_noted(a: Args, _s: Site, _t: dt.date) -> str:
    """An end that waits for its start."""
    return f"Noted: until {w.clock(a['time'])}."


@_phrase
def part_noted(a: Args, _s: Site, _t: dt.date) -> str:
    """A part of the day that waits for its hour."""
    return f"Noted: {w.PARTS[a['part']]}."


@_phrase
def equipment_not_avoided(a: Args, _s: Site, _t: dt.date) -> str:
    """Rooms without some equipment cannot be looked for."""
    return f"I cannot look for rooms that have no {w.equipment(a['equipment'])}, so that is not taken into account."


@_phrase
def left_unread(a: Args, _s: Site, _t: dt.date) -> str:
    """Words beside what was understood that nobody understood."""
    words = ", ".join(f"“{shortened(word)}”" for word in a["words"])
    return f"I could not take {words} into account."


@_phrase
def read_roughly(a: Args, _s: Site, _t: dt.date) -> str:
    """Values said only roughly."""
    names = {"capacity": w.people(a["slots"].capacity.value) if a["slots"].capacity else ""}
    if a["slots"].start_time:
        names["start_time"] = f"{a['slots'].start_time.value:%H:%M}"
    if a["slots"].duration_minutes:
        names["duration_minutes"] = w.length(a["slots"].duration_minutes.value)
    taken = ", ".join(names[slot] for slot in a["words"] if names.get(slot))
    return f"That was a rough figure; I go by {taken}." if taken else ""


# --- questions ---------------------------------------------------------------------------------------------------


def _or_choose(question: str, proposals: tuple[Proposal, ...], site: Site, today: dt.date) -> str:
    if not proposals:
        return question
    if len(proposals) == 1 and isinstance(proposals[0], ProposedValue):
        return f"Would {w.value(proposals[0].slot, proposals[0].value, site, today)} do?"
    return f"Which one suits you?\n{w.proposals(proposals, site, today)}"


@_phrase
def ask_date(a: Args, site: Site, today: dt.date) -> str:
    """Which day."""
    window = site.policy.window
    first, last = (w.day(today + dt.timedelta(days=n), today) for n in (window.from_days, window.to_days))
    return _or_choose(f"Which day? You can book {first} to {last}.", a["proposals"], site, today)


@_phrase
def ask_start_time(a: Args, site: Site, today: dt.date) -> str:
    """From when."""
    policy = site.policy
    question = f"When shall it start? The rooms are open {policy.opens:%H:%M}–{_closes(policy)}."
    return _or_choose(question, a["proposals"], site, today)


@_phrase
def ask_duration_minutes(a: Args, site: Site, today: dt.date) -> str:
    """How long."""
    return _or_choose(f"How long do you need it? {w.lengths(site.policy)}.", a["proposals"], site, today)


@_phrase
def ask_capacity(a: Args, site: Site, today: dt.date) -> str:
    """How many people."""
    question = f"How many people? The largest room has {site.seat_counts[-1]} seats."
    return _or_choose(question, a["proposals"], site, today)


@_phrase
def ask_building(a: Args, site: Site, today: dt.date) -> str:
    """Which building."""
    return _or_choose("Which building? “Any building” will do, too.", a["proposals"], site, today)


@_phrase
def ask_floor(a: Args, site: Site, today: dt.date) -> str:
    """Which floor."""
    return _or_choose("Which floor? “Any floor” will do, too.", a["proposals"], site, today)


def _closes(policy: Policy) -> str:
    return "24:00" if policy.closes_minute == 1440 else f"{policy.closes:%H:%M}"


# --- values that were not taken as they were said ------------------------------------------------------------------


def _issue(kind: str, text: Callable[[Issue, Site, dt.date], str]) -> None:
    PHRASES[f"issue_{kind}"] = lambda a, site, today: text(_quotable(a["issue"]), site, today)


def _quotable(issue: Issue) -> Issue:
    return replace(issue, said=shortened(issue.said))


def _window(issue: Issue, today: dt.date) -> str:
    first, last = (w.day(dt.date.fromisoformat(day), today) for day in issue.limits)
    return first if first == last else f"{first} to {last}"


def _near(issue: Issue) -> str:
    return f"; {' or '.join(issue.legal)} would do" if issue.legal else ""


def _said_day(issue: Issue, today: dt.date) -> str:
    return w.day(dt.date.fromisoformat(issue.said), today)


_issue("date_past", lambda i, _s, t: f"{_said_day(i, t)} is over; you can book {_window(i, t)}.")
_issue("date_outside_window", lambda i, _s, t: f"{_said_day(i, t)} cannot be booked; you can book {_window(i, t)}.")
_issue(
    "hour_illegal",
    lambda i, _s, _t: f"There is no time “{i.said}”; the rooms are open {i.limits[0]}–{i.limits[1]}.",
)
_issue(
    "start_off_grid",
    lambda i, _s, _t: f"{i.said} does not work: starts are multiples of {i.limits[0]} minutes{_near(i)}.",
)
_issue(
    "start_out_of_hours",
    lambda i, _s, _t: f"{i.said} is outside the opening hours; the rooms are open {i.limits[0]}–{i.limits[1]}.",
)
_issue("start_past", lambda i, _s, _t: f"{i.said} today is over (it is {i.limits[0]} now).")
_issue(
    "ends_past_closing",
    lambda i, _s, _t: (
        f"From {i.said} it would run past closing at {i.limits[1]}"
        + (f" ({i.limits[2]} minutes)." if i.limits[2] else ".")
    ),
)
_issue(
    "crosses_midnight",
    lambda i, _s, _t: (
        f"{i.limits[2]} minutes from {i.said} would cross midnight; the rooms are open {i.limits[0]}–{i.limits[1]}."
    ),
)
_issue("duration_not_offered", lambda i, s, _t: f"{i.said} minutes cannot be booked. {w.lengths(s.policy)}.")
_issue(
    "capacity_not_positive",
    lambda i, _s, _t: f"“{i.said}” people does not work: at least 1; the largest room has {i.limits[1]} seats.",
)
_issue("capacity_too_large", lambda i, _s, _t: f"{i.said} are too many: the largest room has {i.limits[0]} seats.")
_issue("capacity_rounded", lambda i, _s, _t: f"No room has exactly {i.said} seats; I look for {i.legal[0]} seats.")
_issue(
    "building_unknown",
    lambda i, s, _t: f"There is no building “{i.said}”; there are {', '.join(w.building(c, s) for c in i.limits)}.",
)
_issue("floor_unknown", lambda i, _s, _t: f"There are no rooms on floor {i.said}; there are on {', '.join(i.limits)}.")
_issue("room_unknown", lambda i, _s, _t: f"There is no room “{i.said}”.")
_issue("end_before_start", lambda i, _s, _t: f"The end, {i.said}, is before the start, {i.limits[0]}.")
_issue("nothing_to_shift", lambda i, _s, _t: f"There is no time yet that “{i.said}” could be counted from.")
_issue(
    "one_room_at_a_time",
    lambda i, _s, _t: f"I book one room at a time; for “{i.said}” please book one by one.",
)
_issue(
    "when_not_understood",
    lambda i, _s, _t: f"I did not understand when “{i.said}” is; please say it another way.",
)


@_phrase
def issue_ambiguous(a: Args, site: Site, today: dt.date) -> str:
    """Words with more than one reading."""
    issue = _quotable(a["issue"])
    slot = f"which {w.SLOTS[issue.slot]}" if issue.slot else "what"
    readings = " or ".join(
        w.value(issue.slot, r, site, today) if issue.slot else w.choice(r, site) for r in issue.legal
    )
    return f"I am not sure {slot} “{issue.said}” means: {readings}."


# --- offering and reading back -------------------------------------------------------------------------------------


@_phrase
def offer_rooms(a: Args, site: Site, today: dt.date) -> str:
    """The rooms on the table, numbered."""
    wanted = a["slots"].equipment.value if a["slots"].equipment else ()
    lines = [f"{n}. {w.room_line(room_id, site, wanted)}" for n, room_id in enumerate(a["offers"], 1)]
    count = "1 room is" if len(lines) == 1 else f"{len(lines)} rooms are"
    head = f"{w.slots(a['slots'], site, today)}: {count} free:"
    tail = "Which one? A number will do; “none of them” shows others."
    return "\n".join((head, *lines, tail if len(lines) > 1 else "Shall I take this one? Say “1” or “yes”."))


@_phrase
def wanted_not_free(a: Args, site: Site, _t: dt.date) -> str:
    """The room that was wanted is not among those found."""
    return f"{w.room(a['room_id'], site)} will not do: {w.why_not(a['why'], site)}."


@_phrase
def none_of_the_size(a: Args, _s: Site, _t: dt.date) -> str:
    """No larger or smaller room is free."""
    if a["larger"]:
        return f"No room with more than {a['seats']} seats is free then and fits."
    return f"No room with fewer than {a['seats']} seats is free then that holds {w.people(a['people'])}."


@_phrase
def choice_out_of_range(a: Args, _s: Site, _t: dt.date) -> str:
    """A number that is not on the list."""
    if not a["count"]:
        return f"There is no list to take “{a['choice']}” from."
    return f"There is no number {a['choice']}; please take one from 1 to {a['count']}."


@_phrase
def none_free(a: Args, site: Site, today: dt.date) -> str:
    """Nothing fits or nothing is free."""
    wish = w.slots(a["slots"], site, today)
    if not a["fitting"]:
        return f"No room is like that: {wish}."
    rooms = "the only room that fits is" if a["fitting"] == 1 else f"all {a['fitting']} rooms that fit are"
    return f"{wish}: {rooms} taken then."


@_phrase
def alternatives(a: Args, site: Site, today: dt.date) -> str:
    """What comes near, numbered."""
    return f"This would work; a number will do:\n{w.proposals(a['proposals'], site, today)}\nOr tell me another time."


@_phrase
def read_back(a: Args, site: Site, today: dt.date) -> str:
    """Exactly what a yes would book."""
    order = a["order"]
    title = f", title {w.title(order.title)}" if order.title else ""
    when = f"{w.day(order.date, today)} {w.until(order.start_time, order.duration_minutes)}"
    what = f"{w.room(order.room_id, site)}, {when} ({order.duration_minutes} minutes), {w.people(order.people)}{title}"
    wish = w.wish_for_a_place(a["slots"], site)
    what += f" (as you wished: {wish})" if wish else ""
    return f"Please confirm: {what}. Say “yes” and I book it, “no” to choose again."


@_phrase
def read_back_move(a: Args, site: Site, today: dt.date) -> str:
    """Exactly what a yes would move."""
    change = a["change"]
    when = f"{w.day(change.date, today)} {w.until(change.start_time, change.duration_minutes)}"
    old = w.booking(a["booking"], site, today)
    heads = f", {w.people(change.people)}" if change.people else ""
    new = f"{when} {w.room(change.room_id, site)}{heads}"
    return f"Please confirm the move: {old} → {new}. Say “yes” to move it, “no” to keep it."


@_phrase
def read_back_cancel(a: Args, site: Site, today: dt.date) -> str:
    """Exactly what a yes would cancel."""
    return f"Please confirm: cancel {w.booking(a['booking'], site, today)}? Say “yes” to cancel it, “no” to keep it."


@_phrase
def booked(a: Args, site: Site, today: dt.date) -> str:
    """The committed booking."""
    item = a["booking"]
    return f"Booked: {w.booking(item, site, today)}, {w.people(item.people)}, number {item.id}."


@_phrase
def taken(a: Args, site: Site, _t: dt.date) -> str:
    """Somebody was faster."""
    return f"Sorry, {w.room(a['room_id'], site)} was just taken for that time; yours was not made."


@_phrase
def refused(a: Args, site: Site, _t: dt.date) -> str:
    """The service refused for good."""
    reason = f" ({a['reason'][:100]})" if a["reason"] else ""
    return f"{w.room(a['room_id'], site)} could not be had: the rooms service refused{reason}."


@_phrase
def write_failed(_a: Args, _s: Site, _t: dt.date) -> str:
    """A write did not take place."""
    return "That did not work: the rooms service failed and nothing was changed. You can say “yes” again to retry."


# --- weather and other answers --------------------------------------------------------------------------------


@_phrase
def weather(a: Args, _s: Site, today: dt.date) -> str:
    """A day's weather."""
    told = a["told"]
    parts = [f"{told.place}, {w.day(told.date, today)}: {w.weather(told.code)}"]
    if told.low is not None and told.high is not None:
        parts.append(f"{told.low:.0f}–{told.high:.0f} °C")
    if told.rain_chance is not None:
        parts.append(f"{told.rain_chance}% chance of rain")
    return ", ".join(parts) + "."


@_phrase
def place_unknown(a: Args, _s: Site, today: dt.date) -> str:
    """No such place, or no forecast for the day."""
    unknown = a["unknown"]
    if unknown.date is not None:
        return f"There is no forecast for {unknown.place} on {w.day(unknown.date, today)} yet."
    return f"I found no weather for “{shortened(unknown.place)}”."


@_phrase
def aside_failed(a: Args, _s: Site, _t: dt.date) -> str:
    """A side question's tool failed."""
    if a["tool"] == "get_weather":
        return "I cannot get the weather right now; please ask again later."
    return "That did not work: the service does not answer right now. Please try again later."
