"""What a turn and a session may spend on a model, and the breaker that leaves a failing one alone for a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

StopReason = Literal["max_steps", "budget_wallclock", "budget_tokens", "repeat"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be spent.

    Attributes:
        max_steps: model calls a turn.
        wallclock_s: seconds a turn may spend on the model, all calls together.
        call_s: seconds one call may take.
        turn_tokens: tokens a turn, prompts and answers together.
        session_tokens: tokens a session.
    """

    max_steps: int = 6
    wallclock_s: float = 20.0
    call_s: float = 10.0
    turn_tokens: int = 16_000
    session_tokens: int = 200_000


@dataclass(slots=True)
class TurnBudget:
    """What one turn has spent so far; made anew by the planner for each turn, never stored.

    Attributes:
        started: on the planner's monotonic clock, in seconds.
        session_tokens: what the session had spent before this turn.
        done: the actions accepted in this turn with their inputs.
    """

    limits: Limits
    started: float
    session_tokens: int = 0
    calls: int = 0
    tokens: int = 0
    done: set[tuple[str, str]] = field(default_factory=set)

    def stop(self, now: float, next_tokens: int = 0) -> StopReason | None:
        """Tell why there may be no further call, or None.

        Args:
            next_tokens: what the next prompt costs at least.
        """
        if self.calls >= self.limits.max_steps:
            return "max_steps"
        if self.seconds_left(now) <= 0:
            return "budget_wallclock"
        if self.tokens + next_tokens > self.limits.turn_tokens:
            return "budget_tokens"
        if self.session_tokens + self.tokens + next_tokens > self.limits.session_tokens:
            return "budget_tokens"
        return None

    def seconds_left(self, now: float) -> float:
        """Give the seconds left of this turn's wall clock."""
        return self.started + self.limits.wallclock_s - now


class CircuitBreaker:
    """Leaves a model alone after some failures in a row, then lets single tries through until one works.

    Args:
        failures: in a row that open it.
        rest_s: seconds it stays open.
        clock: a monotonic clock in seconds.
    """

    def __init__(self, clock: Callable[[], float], *, failures: int = 3, rest_s: float = 30.0) -> None:
        self._clock = clock
        self._failures = failures
        self._rest_s = rest_s
        self._in_a_row = 0
        self._open_until = 0.0

    def lets_through(self) -> bool:
        """Tell whether a call may be made now; when its rest is over, one call is let through and the rest goes on."""
        if self._in_a_row < self._failures:
            return True
        if self._clock() < self._open_until:
            return False
        self._open_until = self._clock() + self._rest_s
        return True

    def worked(self) -> None:
        """Note a call that was answered."""
        self._in_a_row = 0

    def failed(self) -> None:
        """Note a call that failed."""
        self._in_a_row += 1
        if self._in_a_row >= self._failures:
            self._open_until = self._clock() + self._rest_s
