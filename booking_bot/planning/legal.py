"""Which actions a model may take in which phase, and the judge of its decisions. A table, then a few checks.

An accepted decision is still only a wish: proposed slot values pass the house rules, ``book_room`` stands only for the
yes the user just gave, and a tool that confirms runs behind the user's yes to its exact arguments.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from pydantic import BaseModel, ValidationError

from booking_bot.dialogue.model import Phase, SlotName
from booking_bot.dialogue.reading import Values
from booking_bot.dialogue.resolution import ResolveBuilding, ResolveRoom
from booking_bot.planning.actions import (
    OWN_ACTIONS,
    AskChoice,
    AskConfirm,
    AskInput,
    AskUser,
    BookRoom,
    Finish,
    SearchRooms,
)
from booking_bot.planning.decision import Action, Decision, Effect
from booking_bot.planning.evidence import Evidence, NoEvidence, repeats_only, weigh
from booking_bot.planning.question import Question, comparable
from booking_bot.planning.wording import claims_a_booking, names_hidden_room, shown, unfit

_ASKS: Final = ("ask_user", "ask_input", "ask_choice", "ask_multi_choice", "ask_confirm")
_LOOKS: Final = ("resolve_room", "resolve_building", "get_weather", "list_bookings")
_READ: Final[frozenset[Effect]] = frozenset({"read"})
_ANY: Final[frozenset[Effect]] = frozenset({"read", "write"})
_NONE: Final[frozenset[Effect]] = frozenset()


@dataclass(frozen=True, slots=True)
class Legal:
    """What is legal in one phase: the bot's own actions by name, foreign tools by effect."""

    own: tuple[str, ...]
    foreign: frozenset[Effect]


LEGAL: Final[Mapping[Phase, Legal]] = {
    Phase.COLLECTING_SLOTS: Legal((*_ASKS, "search_rooms", *_LOOKS, "finish"), _ANY),
    Phase.SEARCHING: Legal(("ask_user", "search_rooms", "finish"), _NONE),
    Phase.AWAITING_SELECTION: Legal((*_ASKS, "search_rooms", *_LOOKS, "finish"), _ANY),
    # One prompt waits already: nothing may put another question in its place but plain words.
    Phase.CONFIRMING: Legal(("ask_user", "search_rooms", *_LOOKS, "book_room", "finish"), _READ),
    # Nothing is done on a model's word; what writes here waits for the user's yes like anywhere.
    Phase.BOOKED: Legal(("ask_user", "get_weather", "list_bookings", "finish"), _ANY),
}

MAX_READ_BACK: Final = 1_500
"""Characters of arguments a user can be asked to agree to."""
_KNOWN_TOOLS: Final = OWN_ACTIONS | {"get_weather", "list_bookings"}
"""Actions with a row of their own in the table; every other tool is foreign."""

Refusal = Literal[
    "illegal_action",
    "bad_arguments",
    "room_not_offered",
    "slot_never_said",
    "slot_missing",
    "not_confirmed",
    "nothing_changed",
    "place_never_said",
    "unfit_words",
]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A decision that may be carried out.

    Attributes:
        arguments: the validated input.
        values: slot values proposed with evidence; to be folded and checked like any other, source ``llm``.
        words: the user's words for each of them.
        message: the model's words as they may be shown; None: the code's own words are all there is.
        needs_confirmation: runs only behind the user's yes to these exact arguments.
    """

    decision: Decision
    arguments: BaseModel
    values: Values = field(default_factory=Values)
    words: Mapping[SlotName, str] = field(default_factory=dict)
    message: str | None = None
    needs_confirmation: bool = False

    @property
    def action(self) -> str:
        """The action's name."""
        return self.decision.action


@dataclass(frozen=True, slots=True)
class RefusedDecision:
    """A decision that is not carried out, and what to tell the model."""

    decision: Decision
    reason: Refusal
    detail: str


def legal_actions(actions: Mapping[str, Action], phase: Phase) -> tuple[Action, ...]:
    """Give the actions that are legal in a phase, in the order in which they are shown."""
    row = LEGAL[phase]
    return tuple(
        action
        for action in actions.values()
        if (action.name in row.own if action.name in _KNOWN_TOOLS else action.effect in row.foreign)
    )


def check(decision: Decision, actions: Mapping[str, Action], question: Question) -> Accepted | RefusedDecision:
    """Judge a decision against the phase, the offers and the user's words."""
    phase = question.context.phase
    legal = {action.name for action in legal_actions(actions, phase)}
    if decision.action not in legal:
        return RefusedDecision(decision, "illegal_action", f"{phase} allows {', '.join(sorted(legal))}")
    action = actions[decision.action]
    try:
        arguments = action.arguments.model_validate(decision.action_input)
    except ValidationError:
        return RefusedDecision(decision, "bad_arguments", decision.action)
    if decision.action not in OWN_ACTIONS:
        return _foreign(decision, action, arguments, question)
    match arguments:
        case AskUser(message=message, slots=slots):
            evidence = weigh(slots, question)
            return _with(evidence, decision, arguments, shown(message, question))
        case SearchRooms():
            return _search(decision, arguments, question)
        case BookRoom(room_id=room):
            return _book(decision, arguments, room, question)
        case ResolveRoom(room=room):
            return _resolve_room(decision, arguments, room, question)
        case ResolveBuilding(building=building):
            if building and not question.user_said(building):
                return RefusedDecision(decision, "slot_never_said", f"the user never said {building[:40]!r}")
            return Accepted(decision, arguments)
        case AskInput() | AskChoice() | AskConfirm():
            return _ask(decision, arguments, question)
        case Finish(message=message):
            return Accepted(decision, arguments, message=shown(message, question))
    return RefusedDecision(decision, "illegal_action", decision.action)


def _with(
    evidence: Evidence | NoEvidence, decision: Decision, arguments: BaseModel, message: str | None = None
) -> Accepted | RefusedDecision:
    if isinstance(evidence, NoEvidence):
        return RefusedDecision(decision, "slot_never_said", f"{evidence.slot}: {evidence.why}")
    return Accepted(decision, arguments, evidence.values, evidence.words, message)


def _search(decision: Decision, arguments: SearchRooms, question: Question) -> Accepted | RefusedDecision:
    objection = repeats_only(arguments, question)
    evidence = objection or weigh(arguments.slots, question)
    if isinstance(evidence, NoEvidence):
        return _with(evidence, decision, arguments)
    missing = [name for name in question.context.slots.missing() if name not in evidence.words]
    if missing:
        return RefusedDecision(decision, "slot_missing", ", ".join(missing))
    if question.context.phase is Phase.CONFIRMING and not evidence.words:
        return RefusedDecision(decision, "nothing_changed", "a read-back is waiting for the user's answer")
    return _with(evidence, decision, arguments)


def _book(decision: Decision, arguments: BookRoom, room: str | None, question: Question) -> Accepted | RefusedDecision:
    affirmed = question.affirmed_room
    if affirmed is None:
        return RefusedDecision(decision, "not_confirmed", "the user has not said yes to a read-back")
    if room is not None and room != affirmed:
        return RefusedDecision(decision, "room_not_offered", f"the read-back is of {affirmed}")
    return Accepted(decision, arguments)


def _resolve_room(
    decision: Decision, arguments: ResolveRoom, room: str, question: Question
) -> Accepted | RefusedDecision:
    offered = {
        comparable(name)
        for id_ in question.on_the_table
        if (known := question.site.rooms_by_id.get(id_))
        for name in (known.id, known.name.zh, known.name.en)
    }
    if room and comparable(room) not in offered and not question.user_said(room):
        return RefusedDecision(decision, "room_not_offered", f"{room[:40]!r} was neither offered nor said by the user")
    return Accepted(decision, arguments)


def _ask(
    decision: Decision, arguments: AskInput | AskChoice | AskConfirm, question: Question
) -> Accepted | RefusedDecision:
    options = arguments.options if isinstance(arguments, AskChoice) else ()
    extra = arguments.placeholder or "" if isinstance(arguments, AskInput) else ""
    if any(names_hidden_room(text, question) for text in options):
        return RefusedDecision(decision, "room_not_offered", "an option names a room that was not offered")
    message = shown(arguments.message, question)
    if message is None or any(unfit(text) for text in (*options, extra)):
        return RefusedDecision(decision, "unfit_words", "no links, no markup, and no claim that anything is booked")
    return Accepted(decision, arguments, message=message)


def _foreign(
    decision: Decision, action: Action, arguments: BaseModel, question: Question
) -> Accepted | RefusedDecision:
    place = getattr(arguments, "place", None) if action.name == "get_weather" else None
    if isinstance(place, str) and not (question.user_said(place) or _is_building(place, question)):
        return RefusedDecision(decision, "place_never_said", f"the user never said {place[:40]!r}")
    if action.confirm and (unfit_for_read_back := _unfit_arguments(decision)):
        return RefusedDecision(decision, "unfit_words", unfit_for_read_back)
    return Accepted(decision, arguments, needs_confirmation=action.confirm)


def _unfit_arguments(decision: Decision) -> str | None:
    """Give the reason why arguments cannot be read back to the user as they are, or None."""
    text = json.dumps(decision.action_input, ensure_ascii=False)
    if len(text) > MAX_READ_BACK:
        return f"the arguments are longer than {MAX_READ_BACK} characters, too long to read back"
    return "no claim that anything is booked" if claims_a_booking(text) else None


def _is_building(place: str, question: Question) -> bool:
    return any(place in (b.code, b.name.zh, b.name.en) for b in question.site.buildings)
