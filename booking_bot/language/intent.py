"""What a message wants, decided from its signals and from what it states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from booking_bot.dialogue.model import REQUIRED_SLOTS
from booking_bot.dialogue.reading import Intent, ReadingContext
from booking_bot.language.names import names_of
from booking_bot.language.rule import Mention
from booking_bot.language.signals import Heard
from booking_bot.language.values import RoomNamed

_STATED: Final = frozenset(("count", "length", "time", "end", "day", "building", "equipment", "title", "allowed"))
_WIDENING: Final = frozenset(("any building", "any floor", "any equipment", "change"))
_CHANGE_WITHIN: Final = re.compile(r"改|换成|变成")
_MORE_WITHIN: Final = re.compile(r" (?:more|extra|additional) ")
_FIRM_CANCEL: Final = re.compile(
    r"不(?:想|用|先)?(?:再)?[订约定开]了|退订|取消(?:预[订定约]|会议)|cancel (?:it|the (?:booking|meeting))"
)
_TO_EQUIPMENT: Final = re.compile(r"(?:掉|了|那个|这个| ?(?:the|an?|that|my|any|our|about|with))?\s?")
_FROM_EQUIPMENT: Final = re.compile(r"\s?(?:也|就|都|可以|先|给)?")
_CANCELS: Final = re.compile(r"取消|退订|退掉|撤|删|不[订定约开]|(?<![a-z])(?:cancel|delete|remove)(?![a-z])")
"""Words that cancel or refuse for good."""
_SOFT_CANCEL: Final = re.compile(r"算了|开了|没了|never ?mind|nvm|forget|scrap|drop|不[订约定]了")


@dataclass(frozen=True, slots=True)
class Wish:
    """The intent, and where in the text the words end that name an existing booking (None: nothing is named)."""

    intent: Intent
    named_until: int | None = None


def wish_of(
    heard: Heard, mentions: list[Mention], text: str, context: ReadingContext, *, chosen_from: int | None
) -> Wish:
    """Decide the intent of a message that is more than a whole answer.

    Args:
        text: the folded text, with nothing masked.
        chosen_from: where a room or a number of the list is said, None when none is.
    """
    stated = [m for m in mentions if m.kind in _STATED]
    if "weather" in heard and not _asks_for_a_room(heard, stated):
        return Wish("weather")
    if "help" in heard and not stated:
        return Wish("help")
    changes_instead = "keep" in heard and _goes_on_to_change(heard, stated)
    if "keep" in heard and not changes_instead:
        return Wish("smalltalk")
    if "cancel" in heard and not changes_instead:
        if context.offered and _chooses_after_all(heard.at["cancel"], mentions, text, chosen_from):
            return Wish("choose" if chosen_from is not None else "change")
        return _cancel(heard, stated, text)
    move = _move(heard, stated, mentions, text, context)
    if move is not None:
        return move
    if "list" in heard:
        return Wish("list")
    if chosen_from is not None and not any(m.kind in ("time", "day", "length", "count", "end") for m in stated):
        return Wish("choose")
    if stated and ("change" in heard or any(_CHANGE_WITHIN.search(text, m.start, m.end) for m in stated)):
        return Wish("change")
    if stated and "book" not in heard and all(m.negated for m in stated):
        return Wish("change")
    if stated or "book" in heard:
        return Wish("book")
    if any(m.kind in ("room", "floor") and m.negated for m in mentions):
        return Wish("change")
    if not heard.at.keys().isdisjoint(_WIDENING):
        return Wish("change")
    return Wish("none")


def _goes_on_to_change(heard: Heard, stated: list[Mention]) -> bool:
    """Tell whether something else is wanted in place of a cancellation ("别取消，改到3点")."""
    kept = heard.end("keep")
    words = any(name in heard and heard.start(name) >= kept for name in ("change", "move words", "later", "earlier"))
    return words and any(m.start >= kept for m in stated)


def _asks_for_a_room(heard: Heard, stated: list[Mention]) -> bool:
    kinds = {m.kind for m in stated}
    return bool(kinds & {"count", "length", "equipment"}) or ("book" in heard and "time" in kinds)


def _chooses_after_all(words: re.Match[str], mentions: list[Mention], text: str, chosen_from: int | None) -> bool:
    """Tell whether the words only wave aside what was said before ("算了，就会议室C", "forget it, room B")."""
    refused = [m.start for m in mentions if m.kind == "room" and m.negated]
    said_at = chosen_from if chosen_from is not None else max(refused, default=-1)
    soft = _SOFT_CANCEL.fullmatch(words[0]) or words[0] in ("forget it", "forget about it", "scrap that")
    return bool(soft) and said_at >= words.end() and _CANCELS.search(text, words.end()) is None


def _cancel(heard: Heard, stated: list[Mention], text: str) -> Wish:
    words = heard.at["cancel"]
    if _drops_equipment(words, stated, text):
        return Wish("change")
    later = [m for m in stated if m.start >= words.end() and not m.negated]
    if later and _SOFT_CANCEL.search(words[0]):
        return Wish("change")
    if later and "move words" in heard and heard.start("move words") > words.start():
        return Wish("change")
    return Wish("cancel")


def _drops_equipment(words: re.Match[str], stated: list[Mention], text: str) -> bool:
    """Tell whether the cancelling words take back equipment and not a booking ("算了，不要电话了", "cancel the TV")."""
    dropped = [m for m in stated if m.kind == "equipment" and m.negated]
    if not dropped or _FIRM_CANCEL.search(text) is not None:
        return False
    attached = any(
        _TO_EQUIPMENT.fullmatch(text, words.end(), m.start) or _FROM_EQUIPMENT.fullmatch(text, m.end, words.start())
        for m in dropped
    )
    if _SOFT_CANCEL.search(words[0]) is None:
        return attached
    after = [m for m in stated if m.start >= words.end()] or stated
    return attached or all(m in dropped for m in after)


def _move(
    heard: Heard, stated: list[Mention], mentions: list[Mention], text: str, context: ReadingContext
) -> Wish | None:
    longer = any(m.kind == "length" and _MORE_WITHIN.search(text, m.start, m.end) for m in stated)
    by_how_much = not stated or any(m.kind in ("length", "end") for m in stated)
    if longer or (by_how_much and ("extend" in heard or "shorten" in heard)):
        return Wish("extend")
    if _MOVING.isdisjoint(heard.at):
        return None
    drafting = context.pending is not None or context.slots.missing() != REQUIRED_SLOTS
    named = "existing" in heard or _names_a_booked_room(heard, mentions, context)
    if "move words" in heard:
        if heard.at["move words"][0].startswith("make") and not named:
            return Wish("change") if stated or drafting else None
        if named or ("this" in heard and not drafting):
            return Wish("reschedule", named_until=heard.end("move words"))
        return Wish("change") if stated or drafting else Wish("reschedule")
    if "later" in heard or "earlier" in heard:
        return Wish("change" if drafting and not named else "reschedule")
    if named and _BOOKING_VERB.search(heard.at["change"][0]):
        return Wish("reschedule", named_until=len(text))
    return None


def _names_a_booked_room(heard: Heard, mentions: list[Mention], context: ReadingContext) -> bool:
    """Tell whether a room stands where the thing to be moved does ("move Room D to 4pm", "把会议室D改到4点").

    A room on the table is moved as part of the draft.
    """
    words = next((heard.at[name] for name in ("move words", "later", "earlier") if name in heard), None)
    rooms = [
        m.value.room
        for m in mentions
        if isinstance(m.value, RoomNamed) and not m.negated and words is not None and m.start < words.end()
    ]
    ids = names_of(context.site).ids
    return any(ids.get(room, room) not in context.offered for room in rooms)


_MOVING: Final = frozenset(("move words", "later", "earlier", "change"))
_BOOKING_VERB: Final = re.compile(
    r"改|换|调|挪|移|变更|move|reschedule|push|shift|postpone|change|modify|update|edit|推|延|提"
)
_EVERYTHING: Final = re.compile(
    r"(?:都|全部?|统统|通通|所有|一起|一并)(?:的|我的)?(?:预订|预定|预约|会议?|日程)?(?:都|全部?|一起)?(?:给我|帮我)?"
    r"(?:取消|退|删|撤|不要了|不开了)"
    r"|(?:取消|退掉|退订|删掉|撤销)(?:掉|我)?(?:的)?(?:所有|全部|一切|它们)"
    r"|(?<![a-z])(?:cancel|delete|remove|drop|scrap)(?: me)? (?:all|everything|both|every|each"
    r"|(?:them|these|those)(?: all)?)(?![a-z])|(?<![a-z])cancel (?:my|the) (?:bookings|meetings|reservations)(?![a-z])"
)


def is_of_everything(text: str) -> bool:
    """Tell whether a message that cancels means all bookings that it may mean, not one of them."""
    return _EVERYTHING.search(text) is not None
