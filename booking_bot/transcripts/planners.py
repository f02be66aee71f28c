"""Which planner a transcript runs with: none, a scripted model, or the configured endpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from booking_bot.adapters.scripted_model import ScriptedModel
from booking_bot.app import endpoint_of
from booking_bot.ports import Model
from booking_bot.settings import PlannerMode, Settings, load_settings
from booking_bot.transcripts.model import ModelLine, PlannerName, Transcript, UserStep

if TYPE_CHECKING:
    from booking_bot.adapters.openai_model import OpenAIModel


@dataclass(frozen=True, slots=True)
class Planning:
    """A model, how it is used, and where its answers are put for the next turn.

    Attributes:
        settings: those of the configured endpoint; None for a scripted one, which takes the defaults.
        endpoint: the configured endpoint, to be closed after the run.
    """

    model: Model | None
    mode: PlannerMode
    load: Callable[[Sequence[ModelLine]], None]
    settings: Settings | None = None
    endpoint: OpenAIModel | None = None

    async def close(self) -> None:
        """Close the endpoint's connections."""
        if self.endpoint is not None:
            await self.endpoint.close()


def planning_of(name: PlannerName, transcript: Transcript) -> Planning:
    """Make the planner of a run.

    A transcript with `llm` lines, and every run where no endpoint is configured, is answered from those lines; once
    they are used up the model is down, and the rules go on alone.
    """
    if name == "rules":
        return Planning(None, "rules", lambda _lines: None)
    mode: Literal["hybrid", "llm"] = "hybrid" if name == "hybrid" else "llm"
    has_lines = any(isinstance(step, UserStep) and step.llm for step in transcript.steps)
    settings = load_settings(planner=mode)
    endpoint = None if name == "script" or has_lines else endpoint_of(settings)
    if endpoint is not None:
        return Planning(endpoint, mode, lambda _lines: None, settings, endpoint)
    scripted = ScriptedModel()

    def load(lines: Sequence[ModelLine]) -> None:
        scripted.load(line if isinstance(line, str) else {"error": line.error} for line in lines)

    return Planning(scripted, mode, load)
