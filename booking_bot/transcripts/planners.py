"""Which planner a transcript runs with: none, a scripted model, or the configured one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from booking_bot.engine import Planner
from booking_bot.transcripts.model import ModelLine, PlannerName
from booking_bot.transcripts.source import TranscriptError
from booking_bot.transcripts.world import World


@dataclass(frozen=True, slots=True)
class Planning:
    """A planner and where the answers of its model are put for the next turn."""

    planner: Planner | None
    load: Callable[[Sequence[ModelLine]], None]


def planning_of(name: PlannerName, world: World) -> Planning:  # noqa: ARG001  # TMP
    """Make the planner of a run.

    Raises:
        TranscriptError: it is not configured.
    """
    if name == "rules":
        return Planning(None, lambda _lines: None)
    raise TranscriptError(f"planner: {name!r} is not there; legal is rules")
