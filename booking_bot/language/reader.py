"""Reads a message: what it states, what it wants, and what was not understood.

Pure: no clock, no file; the same text in the same context gives the same reading, whatever the text.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import Final

from booking_bot.dialogue.model import Language
from booking_bot.dialogue.reading import Ambiguity, Choice, Confirm, Reading, ReadingContext, SizeWish, Values
from booking_bot.language.bare_numbers import answer_to_the_question, numbers_in_corrections
from booking_bot.language.booked_rooms import rooms_of_bookings
from booking_bot.language.composition import compose
from booking_bot.language.corrections import mark_negated
from booking_bot.language.evidence import loose_parts, spans_of, unheeded_of, unread_of
from booking_bot.language.grammar import ANSWERS, mentions_of, signals_of
from booking_bot.language.intent import Wish, is_of_everything, wish_of
from booking_bot.language.names import names_of
from booking_bot.language.normalise import Folded, fold
from booking_bot.language.picks import Chosen, pick_of
from booking_bot.language.places import refusals_of
from booking_bot.language.questions import Asked, questions_of
from booking_bot.language.quotes import titles
from booking_bot.language.rule import Mention, mask
from booking_bot.language.same_time import read_same_times
from booking_bot.language.script import Script
from booking_bot.language.settle import Settled, Settling, part_alone
from booking_bot.language.several import follows_a_booking, same_again, several_offered
from booking_bot.language.signals import Heard, SignalName
from booking_bot.language.signs import heed_signs
from booking_bot.language.sizes import BY_SIZE, picked_by_size, size_of
from booking_bot.language.syntax import A_TOTAL, BARE_NUMBER_CUES, LOOK_BACK, NEGATIONS
from booking_bot.language.values import Days, FromNow, Hour, Length, Pick, RelativeDay, RoomNamed
from booking_bot.language.weather import place_of
from booking_bot.language.whole_answers import reading_of
from booking_bot.language.zh.seats import seats_of_buildings

CUT_AT: Final = 2_000
"""Characters of a message that are read; what is longer is cut there and the reading says so."""

_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")
_ENGLISH: Final = re.compile(
    r"(?<![a-z\d])(?!(?:am|pm|h|hr|hrs|min|mins|ok|vc|tv|ppl|p|a|m|r|okay)(?![a-z]))[a-z]{2,}(?![a-z\d])"
)
_NOON_ALONE: Final = 12


def read(text: str, context: ReadingContext) -> Reading:
    """Read one message against what the bot waits for.

    Args:
        text: anything a user can send; it is never an error.

    Returns:
        The raw values, before any house rule; spans point into `text`.
    """
    cut_at = CUT_AT if len(text) > CUT_AT else None
    shown = text[:CUT_AT] if cut_at else text
    folded = fold(shown)
    script = Script(folded.text)
    asked = questions_of(folded, shown, script, context)
    reading = _read(shown, folded, script, context) if asked is None else _read_besides(shown, asked, context)
    if cut_at is None:
        return reading
    # What was cut may have taken it all back: a message that was not read whole is no whole answer.
    return replace(reading, text=text, cut_at=cut_at, confirm=None)


def _read_besides(shown: str, asked: Asked, context: ReadingContext) -> Reading:
    """Read what a message says besides its questions; an answer beside a question is no whole answer."""
    language = _language(fold(shown).text)
    reading = _read(shown, asked.rest, Script(asked.rest.text), context)
    says_more = reading.values != Values() or reading.named != Values() or reading.choice is not None
    if says_more or reading.dropped or reading.without or reading.intent in ("cancel", "reschedule", "extend"):
        return replace(reading, language=language, questions=asked.questions, confirm=None)
    room_ids = {room_id for question in asked.questions for room_id in question.room_ids}
    named = room_ids.pop() if len(room_ids) == 1 else None
    return Reading(shown, language, intent="help", choice=named, questions=asked.questions, unread=reading.unread)


def _read(shown: str, folded: Folded, script: Script, context: ReadingContext) -> Reading:
    text = folded.text
    language = _language(text)
    several = several_offered(text, script.tokens, context)
    if several is not None:
        start, end = folded.place(*several)
        return Reading(shown, language, several_rooms=shown[start:end].strip())
    # "我的预订" is made of a filler and a yes, but asks for a list, "会议室K" of the same, but names a room; "any room"
    # takes back that some are not wanted.
    no_answer = _NAMES_BOOKINGS.search(text) or (_is_narrowed(context) and _ANY_ROOM.search(text))
    answer = None if no_answer else ANSWERS.read(text)
    if answer is not None:
        whole = reading_of(answer, context)
        if whole is not None:
            small_talk = whole.intent == "smalltalk"
            thanks = small_talk and _THANKS.search(text) is not None
            farewell = small_talk and _FAREWELL.search(text) is not None
            whole = replace(whole, everything=whole.intent == "cancel" and is_of_everything(text))
            return replace(whole, text=shown, language=language, thanks=thanks, farewell=farewell)
    mentions, masked = _mentions(text, shown, folded, script, context)
    again, mentions, masked = same_again(text, masked, mentions, script.tokens)
    words = masked
    by_size, masked = picked_by_size(masked, script.tokens, context)
    mentions += by_size
    size, masked = size_of(masked, mentions, shown, folded, script.tokens, context)
    chosen, left = pick_of(mentions, text, masked, script.tokens, context)
    heard = Heard(signals_of(script), left if chosen.whole else words)
    masked = left
    wish = wish_of(heard, mentions, text, context, chosen_from=chosen.said[-1].start if chosen.said else None)
    if size is not None and wish.intent in ("book", "none") and _is_of_what_is_booked(heard, mentions, context):
        wish = Wish("change")
    masked = read_same_times(mentions, masked, wish, context)
    reading = _assemble(shown, folded, context, mentions, masked, heard, wish, chosen, language, size)
    return reading if again is None else _like_the_last(reading, folded.place(*again), context)


def _like_the_last(reading: Reading, place: tuple[int, int], context: ReadingContext) -> Reading:
    """Give the reading with the wish for one more like the last booking, its words named where there is none."""
    if follows_a_booking(context):
        return replace(reading, same_again=True)
    return replace(reading, unheeded=(*reading.unheeded, reading.text[place[0] : place[1]].strip()))


def _mentions(
    text: str, shown: str, folded: Folded, script: Script, context: ReadingContext
) -> tuple[list[Mention], str]:
    alone = answer_to_the_question(text, context)
    if alone is not None:
        return [alone], mask(text, [alone])
    found = titles(text) if _may_hold_title(text, script.tokens) else []
    masked = mask(text, found) if found else text
    original = shown if folded.origin is None else text
    names = names_of(context.site)
    named = names.find(masked, original, script.tokens)
    if named:
        masked = mask(masked, named)
        found += named
    ruled, masked = mentions_of(masked, script)
    seats_of_buildings(ruled, text, context)
    found += heed_signs(ruled, text)
    if "later" in script.tokens:
        _count_from_what_is_known(found, text, context)
    letters = names.letters
    if letters.keys().isdisjoint(script.tokens):
        letters = {}
    else:
        masked = _mask_all(text, sorted(found, key=_place))
        found += rooms_of_bookings(masked, original, letters)
    found += refusals_of(found, text, original, script.tokens, letters, context)
    found.sort(key=_place)
    asked_for_people = context.asks == "capacity"
    found = compose(found, text, masked, numbers_are_people=asked_for_people)
    masked = _mask_all(text, found)
    if not BARE_NUMBER_CUES.isdisjoint(script.tokens):
        bare = numbers_in_corrections(found, masked)
        if bare:
            found += bare
            found.sort(key=_place)
            masked = _mask_all(text, found)
    _noon_asked_for(found, context)
    if not NEGATIONS.isdisjoint(script.tokens):
        mark_negated(found, text)
    return found, masked


_LATER: Final = " later"


def _is_from_today(mention: Mention, text: str) -> bool:
    return mention.rule == "some days later" and text.startswith(_LATER, mention.end)


def _count_from_what_is_known(mentions: list[Mention], text: str, context: ReadingContext) -> None:
    """Read "an hour later" and "a week later" as counted from the start and day that are known, else from now."""
    has_start = context.moving or context.slots.start_time is not None
    has_date = context.moving or context.slots.date is not None
    shifts = {m.end for m in mentions if isinstance(m.value, Days)}
    mentions[:] = [
        m for m in mentions if m.kind != "vague" or m.start - 1 not in shifts
    ]  # the "later" of "a day later"
    for mention in mentions:
        if isinstance(mention.value, FromNow) and has_start and text.endswith(_LATER, mention.start, mention.end):
            mention.kind, mention.value = "length", Length(mention.value.minutes)
            mention.end -= len(_LATER)
        elif isinstance(mention.value, Days) and not has_date and _is_from_today(mention, text):
            mention.kind, mention.value = "day", RelativeDay(mention.value.days)
            mention.end += len(_LATER)


_TITLE_TOKENS: Final = frozenset(
    ("主", "标", "题", "名", "title", "titled", "subject", "called", "named", "topic", "name", "call", "叫")
)


_APOSTROPHES: Final = 2
"""A quote in single marks has two of them; "I'd" has one."""


def _may_hold_title(text: str, tokens: frozenset[str]) -> bool:
    if "{" in text:
        return False  # pasted JSON has quotes, but no title
    return '"' in tokens or not _TITLE_TOKENS.isdisjoint(tokens) or text.count("'") >= _APOSTROPHES


def _mask_all(text: str, mentions: list[Mention]) -> str:
    return mask(text, [m for m in mentions if m.kind != "vague"])


def _noon_asked_for(mentions: list[Mention], context: ReadingContext) -> None:
    """Take "中午" as twelve o'clock when it is the answer to "what time?"."""
    if context.asks != "start_time" or any(m.kind == "time" for m in mentions):
        return
    for mention in mentions:
        if mention.kind == "part" and mention.value == "noon":
            mention.kind, mention.value = "time", Hour(_NOON_ALONE, 0, exact=True)


def _place(mention: Mention) -> int:
    return mention.start


def _language(text: str) -> Language | None:
    if _CHINESE.search(text):
        return "zh"
    return "en" if _ENGLISH.search(text) else None


def _is_narrowed(context: ReadingContext) -> bool:
    return context.slots.excluded is not None or context.slots.floor is not None


_ANY_ROOM: Final = re.compile(r"[间室]也?都|(?<![a-z])any (?:room|of them)")
_OWN_BOOKINGS: Final = re.compile(
    r"预[订定约]|会议?(?!议?室)|日程|(?<![a-z])(?:bookings|meetings|reservations)(?![a-z])"
)
_NAMES_BOOKINGS: Final = re.compile(r"[的有]预[订定]|会议室 ?k(?![a-z])|(?<![a-z])k ?会议室")
_THANKS: Final = re.compile(r"谢|辛苦|\b(?:thank|thanks|thx|ty|tks|cheers|appreciated)\b")

_FAREWELL: Final = re.compile(
    r"再见|拜拜|^拜|回见|晚安|[次头天]见|\b(?:bye|goodbye|good night|see y(?:ou|a)|take care|ciao)\b"
)


def _assemble(
    shown: str,
    folded: Folded,
    context: ReadingContext,
    mentions: list[Mention],
    masked: str,
    heard: Heard,
    wish: Wish,
    chosen: Chosen,
    language: Language | None,
    size: SizeWish | None,
) -> Reading:
    text = folded.text
    named_room, chosen = _named_room(wish, chosen, context)
    named_mentions, new_mentions, minutes_more = _split(wish, heard, mentions, text)
    settled = Settling(new_mentions, text, context).settle()
    named = Settling(named_mentions, text, context).settle() if named_mentions else None
    values = settled.values(title=_title(mentions, shown, folded), minutes_more=minutes_more)
    named_values = named.values() if named is not None else Values()
    if wish.intent == "cancel":
        named_values = values
    values = _shifted(values, heard, new_mentions, context, settled, of_a_booking=wish.intent == "reschedule")
    settled.unresolved += loose_parts(mentions, wish, context)
    unread, unread_when = unread_of(shown, folded, mentions, masked, settled, chosen)
    if wish.intent in ("weather", "help", "list"):
        unread = unread_when
    dropped = list(settled.dropped)
    if "any building" in heard:
        dropped.append("building")
    if "any floor" in heard:
        dropped.append("floor")
    if "any room" in heard and _is_narrowed(context):
        dropped += ["excluded", "floor"]
    if "any equipment" in heard and "equipment" not in dropped:
        dropped.append("equipment")
    keeps = "keep" in heard and wish.intent == "smalltalk"
    if keeps:  # what it says names the booking that stays
        named_values, values = values, Values()
    confirm: Confirm | None = "no" if keeps and context.confirming == "cancel" else None
    place = place_of(masked, shown, folded) if wish.intent == "weather" else None
    return Reading(
        text=shown,
        language=language,
        values=values,
        named=named_values,
        intent="confirm" if confirm else wish.intent,
        choice=None if keeps else _choice(chosen, shown, folded),
        confirm=confirm,
        dropped=tuple(dict.fromkeys(dropped)),
        without=settled.without,
        place=place,
        retry="retry" in heard,
        rejects_rooms="reject rooms" in heard and not (chosen.said or settled.without or settled.excluded or size),
        this_booking=_points_at_a_booking(wish, heard, text),
        spans=spans_of(shown, folded, [*settled.used, *(named.used if named else ())], mentions, chosen),
        unread=unread,
        unread_when=unread_when,
        unheeded=unheeded_of(shown, folded, mentions, wish),
        ambiguous=tuple(
            settled.ambiguous + (named.ambiguous if named else []) + _several_chosen(chosen, shown, folded, context)
        ),
        approximate=tuple(settled.approximate),
        part=part_alone(mentions) if values.start_time is None and values.end_time is None else None,
        until=settled.until,
        keeps=keeps,
        several_rooms=_several_rooms(mentions),
        everything=wish.intent == "cancel" and is_of_everything(text),
        named_room=named_room,
        size=size,
    )


_NEW_ONE: Final = re.compile(r"[订约]|预定|book|reserve|schedule|arrange")


def _is_of_what_is_booked(heard: Heard, mentions: list[Mention], context: ReadingContext) -> bool:
    """Tell whether a size is said of the room just booked ("太小了"): all is known, nothing waits, nothing is said."""
    anew = "book" in heard and _NEW_ONE.search(heard.at["book"][0]) is not None
    return follows_a_booking(context) and not anew and not mentions


def _several_rooms(mentions: list[Mention]) -> str | None:
    return next((str(mention.value) for mention in mentions if mention.rule == "several rooms"), None)


def _named_room(wish: Wish, chosen: Chosen, context: ReadingContext) -> tuple[str | None, Chosen]:
    """Give the room that names the booking to be changed ("把D的会改到4点"), and what is chosen besides."""
    if wish.intent not in ("reschedule", "extend"):
        return None, chosen
    rooms = [m for m in chosen.said if m.kind == "room"]
    named = [m for m in rooms if wish.named_until is None or m.start < wish.named_until]
    if not named:
        return None, chosen
    ids = names_of(context.site).ids
    said = [ids.get(m.value.room, m.value.room) for m in rooms if isinstance(m.value, RoomNamed)]
    if len(named) == len(rooms):
        return said[len(named) - 1], Chosen(None, None, [])
    return said[len(named) - 1], Chosen(said[-1], rooms[-1], rooms[len(named) :])


def _points_at_a_booking(wish: Wish, heard: Heard, text: str) -> bool:
    if wish.intent == "cancel" and is_of_everything(text):
        return _OWN_BOOKINGS.search(text) is not None
    if wish.intent == "cancel" and "mine" in heard:
        return True
    return wish.intent in ("cancel", "reschedule", "extend") and "this" in heard


def _choice(chosen: Chosen, shown: str, folded: Folded) -> Choice | None:
    """Give the choice; a room id that the site does not have is given as the user wrote it."""
    mention = chosen.mention
    if mention is None or isinstance(chosen.choice, int):
        return chosen.choice if mention is not None else None
    if folded.text[mention.start : mention.end] != chosen.choice:
        return chosen.choice
    start, end = folded.place(mention.start, mention.end)
    return shown[start:end]


def _several_chosen(chosen: Chosen, shown: str, folded: Folded, context: ReadingContext) -> list[Ambiguity]:
    """Ask when two rooms or numbers are said ("R1003和R1001")."""
    if chosen.mention is not None or not chosen.said:
        return []
    if all(m.rule == BY_SIZE for m in chosen.said):
        start, end = folded.place(chosen.said[0].start, chosen.said[0].end)
        rooms = tuple(context.offered[m.value.number - 1] for m in chosen.said if isinstance(m.value, Pick))
        return [Ambiguity("choice", shown[start:end].strip(), rooms, None)]
    said = [
        m.value.room if isinstance(m.value, RoomNamed) else str(m.value.number)
        for m in chosen.said
        if isinstance(m.value, RoomNamed | Pick)
    ]
    return [Ambiguity("choice", " ".join(said), tuple(dict.fromkeys(said)), None)]


def _split(
    wish: Wish, heard: Heard, mentions: list[Mention], text: str
) -> tuple[list[Mention], list[Mention], int | None]:
    """Part the mentions that name an existing booking from the new values; give how much longer, if that is said."""
    if wish.intent == "extend":
        lengths = [m for m in mentions if m.kind == "length"]
        ends = [m for m in mentions if m.kind == "end"]
        minutes = None
        if lengths and A_TOTAL.search(text, max(0, lengths[-1].start - LOOK_BACK), lengths[-1].start):
            return [m for m in mentions if m not in lengths], lengths, None
        if lengths and isinstance(lengths[-1].value, Length):
            minutes = lengths[-1].value.minutes * (-1 if "shorten" in heard else 1)
        return [m for m in mentions if m not in lengths and m not in ends], ends, minutes
    if wish.intent == "reschedule" and wish.named_until is None and ("later" in heard or "earlier" in heard):
        by_how_much = [m for m in mentions if m.kind in ("length", "shift")]
        return [m for m in mentions if m not in by_how_much], by_how_much, None
    if wish.intent == "reschedule" and wish.named_until is not None:
        named = [m for m in mentions if m.start < wish.named_until]
        return named, [m for m in mentions if m.start >= wish.named_until], None
    return [], mentions, None


def _shifted(
    values: Values,
    heard: Heard,
    mentions: list[Mention],
    context: ReadingContext,
    settled: Settled,
    *,
    of_a_booking: bool,
) -> Values:
    """Read the length of "推迟半小时", and the days of "推迟一天", as a shift.

    The draft's start or day is shifted where it is known and no existing booking is being moved; else the shift stands
    by itself.
    """
    # A Chinese direction stands before its length: what stands before each of them goes with one that is taken back
    # ("不是推迟一天，是推迟一小时").
    chinese = (name for name in _DIRECTIONS if name in heard and not heard.at[name][0].isascii())
    since = min(map(heard.start, chinese), default=0)
    shifts = (m for m in mentions if isinstance(m.value, Days) and not m.negated)
    days = next((m for m in shifts if m.end > since), None)
    if days is not None and isinstance(days.value, Days):
        by = -days.value.days if _is_earlier(heard) else days.value.days
        known_date = None if context.moving or of_a_booking else context.slots.date
        settled.used.append(("shift" if known_date is None else "date", days.start, days.end, days.rule))
        if known_date is None:
            return replace(values, days_later=by)
        return replace(values, date=_some_days_on(known_date.value, by))
    later, earlier = "later" in heard, "earlier" in heard
    length = values.duration_minutes
    if not (later or earlier) or length is None or any(m.kind in ("time", "end") for m in mentions):
        return values
    shift = -length if _is_earlier(heard) else length
    known = None if context.moving or of_a_booking else context.slots.start_time
    if known is not None:
        minute = known.value.hour * 60 + known.value.minute + shift
        if 0 <= minute < 1440:
            settled.used += [("start_time", *where) for where in _places_of_lengths(mentions)]
            return replace(values, duration_minutes=None, start_time=dt.time(minute // 60, minute % 60))
    settled.used += [("shift", *where) for where in _places_of_lengths(mentions)]
    return replace(values, duration_minutes=None, minutes_later=shift)


_DIRECTIONS: Final[tuple[SignalName, ...]] = ("later", "earlier")


def _is_earlier(heard: Heard) -> bool:
    """Tell whether the shift is to earlier; of two directions the last said counts ("推迟……不对，提前一小时")."""
    return "earlier" in heard and ("later" not in heard or heard.start("earlier") > heard.start("later"))


def _places_of_lengths(mentions: list[Mention]) -> list[tuple[int, int, str]]:
    return [(m.start, m.end, m.rule) for m in mentions if m.kind == "length"]


def _some_days_on(date: dt.date, days: int) -> dt.date:
    return dt.date.fromordinal(min(dt.date.max.toordinal(), max(1, date.toordinal() + days)))


def _title(mentions: list[Mention], shown: str, folded: Folded) -> str | None:
    for mention in mentions:
        if mention.kind == "title" and isinstance(mention.value, tuple):
            start, end = folded.place(int(mention.value[0]), int(mention.value[1]))
            return shown[start:end].strip() or None
    return None
