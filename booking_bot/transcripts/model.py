"""The format of a transcript, version 1. Every key is closed; reading the file is `source`'s job.

All values arrive as text (YAML's own guesses would read 14:30 as 870) and are converted here.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.site import Equipment

MAX_ID: Final = 128
"""Characters of a session label, message id or user, as the engine takes them."""
NULLS: Final = frozenset({"", "null", "~", "Null", "NULL"})
"""How YAML writes "nothing"."""
FIRST_YEAR: Final = 1970
LAST_YEAR: Final = 8000
"""Dates end with the year 9999, and a site's window may reach a thousand years ahead."""
_WAIT: Final = re.compile(r"(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?")
_CLOCK: Final = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")

PlannerName = Literal["rules", "script", "hybrid", "llm"]
ToolName = Literal[
    "search_rooms",
    "book_room",
    "move_booking",
    "cancel_booking",
    "cancel_bookings",
    "list_bookings",
    "find_booking",
    "get_weather",
]
FaultKind = Literal["error", "timeout", "timeout_after_commit", "conflict", "refused", "down"]
ExpectedSlot = Literal[
    "date",
    "start_time",
    "duration_minutes",
    "capacity",
    "building",
    "floor",
    "equipment",
    "excluded",
    "title",
    "organizer_id",
]


_Day = TypeVar("_Day", bound=dt.date)


def _null(value: object) -> object:
    return None if isinstance(value, str) and value in NULLS else value


def _length(value: object) -> object:
    if not isinstance(value, str):
        return value
    match = _WAIT.fullmatch(value)
    if not value or match is None:
        raise PydanticCustomError(
            "wait", "{value} is no length of time; write it like 20m, 15h30m or 2d", {"value": repr(value)}
        )
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return dt.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


def _wall_time(value: object) -> object:
    if isinstance(value, str) and not _CLOCK.fullmatch(value):
        raise PydanticCustomError(
            "wall_time", "{value} is no time; write it like 09:30 (24 hours)", {"value": repr(value)}
        )
    return value


def _one_or_many(value: object) -> object:
    return value if isinstance(value, list | tuple) else [value]


def _in_reach(value: _Day) -> _Day:
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise PydanticCustomError("year", f"use one of the years {FIRST_YEAR} to {LAST_YEAR}")
    return value


Id = Annotated[str, Field(min_length=1, max_length=MAX_ID)]
WallTime = Annotated[dt.time, BeforeValidator(_wall_time)]
Wait = Annotated[dt.timedelta, BeforeValidator(_length)]


class Closed(BaseModel):
    """A mapping with no other keys than its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=False)

    @model_validator(mode="before")
    @classmethod
    def _knows_its_keys(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise PydanticCustomError(
                "mapping", "a mapping is wanted here, with the keys {legal}", {"legal": cls._legal()}
            )
        names = {info.alias or name for name, info in cls.model_fields.items()}
        for key in data:
            if key not in names:
                raise PydanticCustomError(
                    "unknown_key",
                    "unknown key {key}; legal are {legal}",
                    {"key": repr(str(key)), "legal": cls._legal()},
                )
        return data

    @classmethod
    def _legal(cls) -> str:
        return ", ".join(info.alias or name for name, info in cls.model_fields.items())


class Defaulting(Closed):
    """A mapping in which a key that is left empty means its default."""

    @model_validator(mode="before")
    @classmethod
    def _leaves_out_nulls(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        fields = {info.alias or name: info for name, info in cls.model_fields.items()}
        # What a model answers is text, the word null too.
        optional = {key for key, info in fields.items() if not info.is_required() and key != "llm"}
        return {key: value for key, value in data.items() if key not in optional or _null(value) is not None}


class ClockAt(Closed):
    """When the conversation takes place; moved only by `wait`."""

    now: Annotated[AwareDatetime, AfterValidator(_in_reach)]


class SeededBooking(Defaulting):
    """A booking that stands before the first step, house rules or not."""

    room: str
    date: Annotated[dt.date, AfterValidator(_in_reach)]
    start: WallTime
    minutes: int = Field(gt=0, le=7 * 1440)
    organizer: Id = "somebody"

    @model_validator(mode="after")
    def _fits_the_buckets(self) -> SeededBooking:
        if self.start.minute % 5 or self.minutes % 5:
            raise PydanticCustomError("grid", "start and minutes of a seeded booking are multiples of 5 minutes")
        return self


class Fault(Defaulting):
    """What goes wrong.

    Attributes:
        call: number of the tool's call, counted from 1 over the whole transcript, restarts included.
        kind: error: nothing happened. timeout: nothing happened, and the answer was lost. timeout_after_commit: it
            took effect, and the answer was lost. conflict: somebody else was faster. refused: a rule of the service's
            own. down: an error from that call on.
    """

    tool: ToolName
    call: int = Field(default=1, gt=0)
    kind: FaultKind


class World(Defaulting):
    """What the conversation meets."""

    bookings: tuple[SeededBooking, ...] = ()
    faults: tuple[Fault, ...] = ()


class ModelFault(Closed):
    """A call of the model that fails."""

    error: str = Field(pattern=r"^(timeout|connection|status [1-5]\d\d)$")


ModelLine = Annotated[
    Annotated[str, Tag("str")] | Annotated[ModelFault, Tag("ModelFault")],
    Discriminator(lambda line: "str" if isinstance(line, str) else "ModelFault"),
]


class ExpectedSlots(Closed):
    """Slots and their values; `null` for a slot without one."""

    date: Annotated[dt.date | None, BeforeValidator(_null)] = None
    start_time: Annotated[WallTime | None, BeforeValidator(_null)] = None
    duration_minutes: Annotated[int | None, BeforeValidator(_null)] = None
    capacity: Annotated[int | None, BeforeValidator(_null)] = None
    building: Annotated[str | None, BeforeValidator(_null)] = None
    floor: Annotated[int | None, BeforeValidator(_null)] = None
    equipment: Annotated[tuple[Equipment, ...] | None, BeforeValidator(_null)] = None
    excluded: Annotated[tuple[str, ...] | None, BeforeValidator(_null)] = None
    title: Annotated[str | None, BeforeValidator(_null)] = None
    organizer_id: Annotated[str | None, BeforeValidator(_null)] = None

    def plain(self) -> dict[str, object]:
        """Give the slots that were written down, as a reply has them."""
        out: dict[str, object] = {}
        for name in sorted(self.model_fields_set, key=list(type(self).model_fields).index):
            value = getattr(self, name)
            if isinstance(value, dt.date):
                value = value.isoformat()
            elif isinstance(value, dt.time):
                value = f"{value:%H:%M}"
            out[name] = list(value) if isinstance(value, tuple) else value
        return out


class ExpectedReply(Closed):
    """Pieces of text that stand in a reply, and that do not."""

    has: Annotated[tuple[str, ...], BeforeValidator(_one_or_many)] = ()
    lacks: Annotated[tuple[str, ...], BeforeValidator(_one_or_many)] = ()


class Expect(Closed):
    """What must be seen after a step. Only the keys that are written down are compared (`model_fields_set`)."""

    phase: Phase | None = None
    slots: ExpectedSlots = ExpectedSlots()
    slots_absent: tuple[ExpectedSlot, ...] = ()
    pending: Annotated[Literal["clarify", "select_room", "confirm"] | None, BeforeValidator(_null)] = None
    asks: Annotated[
        Literal["date", "start_time", "duration_minutes", "capacity", "building", "floor", "equipment", "title"] | None,
        BeforeValidator(_null),
    ] = None
    options: int = Field(default=0, ge=0)
    room: Annotated[str | None, BeforeValidator(_null)] = None
    actions: tuple[str, ...] = ()
    bookings: int = Field(default=0, ge=0)
    llm_calls: int = Field(default=0, ge=0)
    reply: ExpectedReply = ExpectedReply()


class UserStep(Defaulting):
    """A message. `llm` is what the model answers in this turn, in the order of its calls."""

    user: str
    session: Id = "main"
    speaker: Id | None = Field(default=None, alias="as")
    message_id: Id | None = None
    llm: Annotated[tuple[ModelLine, ...], BeforeValidator(_one_or_many)] = ()
    expect: Expect = Expect()


class WaitStep(Closed):
    """Time goes by."""

    wait: Wait


class RestartStep(Closed):
    """The process dies and comes back; only the database stays."""

    restart: Literal[True]

    @model_validator(mode="before")
    @classmethod
    def _reads_true(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "restart" in data:
            if data["restart"] not in ("true", "True", True):
                raise PydanticCustomError("restart", "restart can only be true")
            return {**data, "restart": True}
        return data


def _kind_of_step(step: object) -> str | None:
    if isinstance(step, UserStep | WaitStep | RestartStep):
        return next(iter(type(step).model_fields))
    if not isinstance(step, Mapping):
        return None
    return next((key for key in ("user", "wait", "restart") if key in step), None)


Step = Annotated[
    Annotated[UserStep, Tag("user")] | Annotated[WaitStep, Tag("wait")] | Annotated[RestartStep, Tag("restart")],
    Discriminator(
        _kind_of_step,
        custom_error_type="step",
        custom_error_message="a step is a mapping with one of the keys user, wait, restart",
    ),
]


class ExpectedBooking(Closed):
    """A booking at the end, compared on the keys that are written down."""

    room: str | None = None
    date: dt.date | None = None
    start: WallTime | None = None
    minutes: int | None = None
    organizer: str | None = None
    status: Literal["booked", "cancelled"] | None = None


class End(Closed):
    """What must stand in the database at the end."""

    bookings: tuple[ExpectedBooking, ...] = ()


class Transcript(Defaulting):
    """One conversation."""

    transcript: Annotated[int, Field(ge=1, le=1)]
    name: str = Field(min_length=1)
    about: str = ""
    site: str = "demo"
    clock: ClockAt
    user: Id = "guest"
    world: World = World()
    planner: PlannerName = "rules"
    steps: tuple[Step, ...] = Field(min_length=1)
    end: End = End()

    @field_validator("steps")
    @classmethod
    def _stay_in_reach(cls, steps: tuple[Step, ...], given: ValidationInfo) -> tuple[Step, ...]:
        clock = given.data.get("clock")
        # As numbers: a length of time has a bound of its own.
        waits_s = sum(step.wait.total_seconds() for step in steps if isinstance(step, WaitStep))
        end = dt.datetime(LAST_YEAR + 1, 1, 1, tzinfo=dt.UTC)
        if isinstance(clock, ClockAt) and waits_s >= (end - clock.now).total_seconds():
            raise PydanticCustomError("waits", f"the waits together pass the year {LAST_YEAR}; wait less")
        return steps
