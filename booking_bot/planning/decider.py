"""Between the turn and the planner: a `Think` becomes a question, an accepted decision what it adds to the turn."""

from __future__ import annotations

import datetime as dt
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final

from booking_bot.dialogue.actions import ActionTaken, Call, Think
from booking_bot.dialogue.conversation import Decided
from booking_bot.dialogue.fold import Folded, fold
from booking_bot.dialogue.inquiry import Inquiry, InquiryKind
from booking_bot.dialogue.model import SLOT_NAMES, ForeignArguments, Phase
from booking_bot.dialogue.observations import ToolProposed
from booking_bot.dialogue.reading import Reading, Span
from booking_bot.dialogue.site import Site
from booking_bot.planning.actions import OWN_ACTIONS, RESOLVING, AskChoice, AskConfirm, AskInput
from booking_bot.planning.budgets import TurnBudget
from booking_bot.planning.legal import Accepted
from booking_bot.planning.planner import Planner, PlanResult
from booking_bot.planning.question import Question

MODEL_RULE: Final = "model, on the user's words"
"""Name of the rule of spans that a model proposed."""
TURNS_TIMED: Final = 4_096
"""Turns under way whose start is remembered; a forgotten one starts its wall clock again."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What came before, as the prompt shows it; oldest first."""

    earlier: tuple[str, ...] = ()
    recent: tuple[ActionTaken, ...] = ()
    memory: tuple[str, ...] = ()
    summary: str = ""


Recall = Callable[[str, str], Awaitable[Recalled]]
"""Gives what came before: session id, user id."""


Prepare = Callable[[], Awaitable[None]]
"""Is awaited before a model is asked: what takes long to get ready is got ready on first use."""


async def recall_nothing(_session_id: str, _user_id: str) -> Recalled:
    """Recall nothing: every message stands alone."""
    return Recalled()


class Decider:
    """Answers the turn's questions with a planner's decisions."""

    def __init__(
        self, planner: Planner, site: Site, recall: Recall = recall_nothing, prepare: Prepare | None = None
    ) -> None:
        self.planner = planner
        self.prepare = prepare
        self._site = site
        self._recall = recall
        self._started: OrderedDict[str, float] = OrderedDict()

    async def decide(
        self, think: Think, now: dt.datetime, on_delta: Callable[[str], None] | None = None
    ) -> Decided | None:
        """Decide, or leave it to the row's default with None. Never raises for anything a model does.

        Args:
            now: the site's wall clock, aware.
            on_delta: gets user-visible text while the model still writes.
        """
        if think.context.inquiry is None and not self.planner.wants(think.reading):
            return None
        budget = self._budget(think)
        if self.prepare is not None:
            await self.prepare()
        question = await self._question(think, now)
        result = await self.planner.think(question, budget, on_delta)
        return self._decided(think, now, result)

    def counts(self) -> dict[str, int]:
        """Count model calls, answers by parse level, refusals, failures and stop reasons since the start."""
        return dict(self.planner.counts)

    def _budget(self, think: Think) -> TurnBudget:
        """Give what is left of the turn's budget. What it spent is read off the turn, so a rerun starts afresh."""
        session_id = think.context.session_id
        if not any(entry.source != "table" for entry in think.actions):
            self._started[session_id] = self.planner.now()
            self._started.move_to_end(session_id)
            while len(self._started) > TURNS_TIMED:
                self._started.popitem(last=False)
        budget = self.planner.start_turn(so_far=think.actions, started=self._started.get(session_id))
        budget.session_tokens = max(0, think.context.tokens_used - budget.tokens)
        return budget

    async def _question(self, think: Think, now: dt.datetime) -> Question:
        recalled = await self._recall(think.context.session_id, think.context.user_id)
        context = think.folded
        if context.phase is Phase.BOOKED and think.default == "search_rooms":
            context = context.with_(phase=Phase.COLLECTING_SLOTS)  # a new request has left the booking behind
        if recalled.summary:
            context = context.with_(summary=recalled.summary)
        return Question(
            context=context,
            reading=think.reading,
            site=self._site,
            now=now,
            earlier=recalled.earlier,
            recent=(*recalled.recent, *think.actions),
            memory=recalled.memory,
            default=think.default if think.default in OWN_ACTIONS else "ask_user",
        )

    def _decided(self, think: Think, now: dt.datetime, result: PlanResult) -> Decided:
        decided = Decided(
            message=result.shown,
            log=result.log,
            calls=len(result.log),
            tokens=result.tokens,
            stop_reason=result.stop_reason,
        )
        accepted = result.accepted
        if accepted is None:
            return decided
        inquiry = _inquiry(accepted)
        return replace(
            decided,
            message="" if inquiry else accepted.message or result.shown,
            folded=_folded(think, accepted, self._site, now) if accepted.words else None,
            call=_call(accepted),
            inquiry=inquiry,
            proposed=_proposed(accepted),
        )


def _call(accepted: Accepted) -> Call | None:
    """Give the tool to call besides the row's default: only one that reads and that no row calls by itself."""
    if (accepted.action in OWN_ACTIONS and accepted.action not in RESOLVING) or accepted.needs_confirmation:
        return None
    return Call(accepted.action, accepted.arguments)


def _proposed(accepted: Accepted) -> ToolProposed | None:
    """Give the call that needs the user's yes, with its arguments exactly as they would run."""
    if not accepted.needs_confirmation:
        return None
    text = json.dumps(accepted.decision.action_input, ensure_ascii=False, sort_keys=True)
    return ToolProposed(tool=accepted.action, arguments=ForeignArguments(text=text))


def _inquiry(accepted: Accepted) -> Inquiry | None:
    """Give the question that stands in the place of the row's own."""
    kind: InquiryKind = "ask_multi_choice" if accepted.action == "ask_multi_choice" else "ask_choice"
    match accepted.arguments:
        case AskChoice(options=options):
            return Inquiry(kind=kind, message=accepted.message or "", options=options)
        case AskConfirm():
            return Inquiry(kind="ask_confirm", message=accepted.message or "")
        case AskInput(placeholder=placeholder):
            return Inquiry(kind="ask_input", message=accepted.message or "", placeholder=placeholder or "")
        case _:
            return None


def _folded(think: Think, accepted: Accepted, site: Site, now: dt.datetime) -> Folded:
    """Fold the proposed values in after the rules' own, so that the house rules judge both and no issue is lost."""
    by_rules = Folded(think.folded)
    if think.context.phase is not Phase.BOOKED:
        by_rules = fold(think.context, think.reading, site, now)
    words = tuple(accepted.words.items())
    proposed = Reading(
        text=think.reading.text,
        language=think.reading.language,
        values=accepted.values,
        spans=tuple(Span(slot, said, 0, len(said), MODEL_RULE) for slot, said in words),
    )
    by_model = fold(think.folded, proposed, site, now, source="llm")
    before, after = think.context.slots, by_model.context.slots
    understood = "".join(said for _, said in words)
    return replace(
        by_rules,
        context=by_model.context,
        changed=frozenset(name for name in SLOT_NAMES if getattr(before, name) != getattr(after, name)),
        issues=tuple(i for i in by_rules.issues if not (i.kind == "when_not_understood" and i.said in understood))
        + by_model.issues,
        told=True,
    )
