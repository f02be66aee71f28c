"""What goes out of the core: things to say, tools to call, and a question to the planner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel

from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.observations import Observation
from booking_bot.dialogue.reading import Reading

ToolName = str
_NOTHING: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Say:
    """One phrase to say: its id and what stands in it. Text is made by the writer, in the user's language."""

    phrase: str
    args: Mapping[str, object] = field(default_factory=lambda: _NOTHING)


def say(phrase: str, **args: object) -> Say:
    """Make a `Say`."""
    return Say(phrase, args)


@dataclass(frozen=True, slots=True)
class Call:
    """One tool to call with exact arguments. The answer comes back as an observation.

    Attributes:
        key: of the read-back that was confirmed, for somebody else's tool that does not run twice.
    """

    tool: ToolName
    arguments: BaseModel
    key: str = ""


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """One entry of the action log.

    Attributes:
        source: ``table`` for a row's own default, ``model`` for a planner's decision, ``refused`` for one not taken.
        key: of the read-back behind which somebody else's tool ran.
        observation: the kind of observation that came back, or the text of a refusal.
    """

    action: str
    input: str = ""
    observation: str = ""
    thought: str = ""
    source: Literal["table", "model", "refused"] = "table"
    parse_level: int | None = None
    tokens: int = 0
    key: str = ""


@dataclass(frozen=True, slots=True)
class Think:
    """A question to the planner where the table leaves a row open to it.

    Attributes:
        context: the session before this message.
        folded: the same with the draft as the grammar understood the message.
        default: the name of the plan the row would follow by itself.
        actions: what was done in this turn so far, with what came back.
    """

    context: BookingContext
    folded: BookingContext
    reading: Reading
    default: str
    actions: tuple[ActionTaken, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What a row does: the context afterwards, things to say, and at most one tool to call.

    Without a call the turn is over, unless the row itself observes something the table goes on with.
    """

    context: BookingContext
    says: tuple[Say, ...] = ()
    call: Call | None = None
    observes: Observation | None = None
