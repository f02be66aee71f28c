"""What a mock service does wrong on purpose: a seeded plan of faults. Knows no sockets."""

from __future__ import annotations

import random
import threading
from collections import Counter
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

Operation = Literal[
    "list_rooms",
    "search_rooms",
    "book_room",
    "move_booking",
    "cancel_booking",
    "list_bookings",
    "find_booking",
    "geocode",
    "forecast",
]

FaultKind = Literal[
    "latency",  # answers properly after `seconds`
    "status",  # answers `status` with a problem
    "rate_limit",  # answers 429 with Retry-After: `seconds`
    "conflict",  # answers 409 taken
    "redirect",  # answers 307 to elsewhere
    "drop",  # closes the connection without a word
    "timeout",  # says nothing for `seconds`, then closes
    "timeout_after_commit",  # carries the request out, then as `timeout`
    "malformed",  # carries out, answers with the first half of the JSON as if it were all
    "html",  # carries out, answers 200 with a page
    "wrong_shape",  # carries out, answers 200 with JSON of another shape
    "huge",  # carries out, answers without end
    "drip",  # carries out, answers one byte every `seconds`
    "cut",  # carries out, closes in the middle of the answer
]
_NOT_CARRIED_OUT: Final = frozenset({"status", "rate_limit", "conflict", "redirect", "drop", "timeout"})
MAX_FAULTS: Final = 100
"""Faults of one plan; each request looks through them."""


class Fault(BaseModel):
    """One thing that goes wrong.

    Attributes:
        operation: for which operation, ``*`` for all.
        call: the first matching call it strikes, counted from 1.
        times: how many matching calls from there on, None for all.
        chance: how likely it strikes each of them, drawn from the plan's seed.
        seconds: how long latency, silence, drips and Retry-After are.
        status: of kind ``status``.
        carried_out: whether the request has its effect first; None for what the kind says.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FaultKind
    operation: Operation | Literal["*"] = "*"
    call: int = Field(default=1, ge=1)
    times: int | None = Field(default=1, ge=1)
    chance: float = Field(default=1.0, ge=0, le=1)
    seconds: float = Field(default=30.0, ge=0, le=600)
    status: int = Field(default=503, ge=400, le=599)
    carried_out: bool | None = None

    @property
    def has_effect(self) -> bool:
        """Tell whether the request is carried out."""
        return self.kind not in _NOT_CARRIED_OUT if self.carried_out is None else self.carried_out


class Plan(BaseModel):
    """Faults with the seed of their chances, as posted to ``/faults``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = 0
    faults: tuple[Fault, ...] = Field(default=(), max_length=MAX_FAULTS)


class FaultPlan:
    """Hands out the faults of a plan and counts the calls; safe to share between threads."""

    def __init__(self, plan: Plan | None = None) -> None:
        self._lock = threading.Lock()
        self.replace(plan or Plan())

    def replace(self, plan: Plan) -> None:
        """Start again with another plan; calls count from 1."""
        with self._lock:
            self._plan = plan
            self._rng = random.Random(plan.seed)  # noqa: S311 # faults are to be repeatable, not secret
            self._calls: Counter[str] = Counter()

    def take(self, operation: Operation) -> Fault | None:
        """Count a call and give the fault that strikes it; the first of the plan that does."""
        with self._lock:
            self._calls[operation] += 1
            struck = [fault for fault in self._plan.faults if self._strikes(fault, operation)]
            return struck[0] if struck else None

    def report(self) -> dict[str, object]:
        """Give the plan and the calls so far, as JSON types."""
        with self._lock:
            return {**self._plan.model_dump(mode="json"), "calls": dict(self._calls)}

    def _strikes(self, fault: Fault, operation: Operation) -> bool:
        if fault.operation not in ("*", operation):
            return False
        nth = self._calls[operation] if fault.operation != "*" else self._calls.total()
        if nth < fault.call or (fault.times is not None and nth >= fault.call + fault.times):
            return False
        return fault.chance >= 1 or self._rng.random() < fault.chance
