"""The planner: ask the model, read, judge, ask once more with the refusal, else leave it to the rules. Never raises.

It decides nothing by itself: an accepted decision is a wish the engine carries out or not, and None means that the
row's default is done, which is what the rules would do.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from booking_bot.dialogue.actions import ActionTaken
from booking_bot.dialogue.reading import Reading, Values
from booking_bot.errors import ModelError
from booking_bot.planning import wording
from booking_bot.planning.budgets import CircuitBreaker, Limits, StopReason, TurnBudget
from booking_bot.planning.decision import Action, Decision, ParsedReply, parse
from booking_bot.planning.legal import Accepted, RefusedDecision, check, legal_actions
from booking_bot.planning.prompt import PlannerPrompt, build_prompt, estimate_tokens, with_refusal
from booking_bot.planning.question import Question
from booking_bot.planning.streaming import REPLIES, ReplyStream
from booking_bot.planning.templates import SectionName, Templates
from booking_bot.ports import Completion, Model

Mode = Literal["rules", "hybrid", "llm"]
TRIES: Final = 2
"""Answers asked for one question: the first, and one more that knows why the first was refused."""
MAX_LOGGED: Final = 500
"""Characters of an input or refusal in the action log."""
DIGEST_CHARS: Final = 12

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What came of one question.

    Attributes:
        accepted: the decision to carry out; None: do the row's default.
        log: one entry a model call, in order; the accepted one last, its observation still empty.
        stop_reason: a budget that was reached: the turn ends as the rules would end it now.
        tokens: spent on this question.
        shown: text already sent to the user while it was written; the complete reply begins with it.
    """

    accepted: Accepted | None
    log: tuple[ActionTaken, ...] = ()
    stop_reason: StopReason | None = None
    tokens: int = 0
    shown: str = ""


def wants_model(mode: Mode, reading: Reading) -> bool:
    """Tell whether a message is a question for the model at all.

    In hybrid only when the rules left words unread or understood nothing; in llm always but for an empty message.
    """
    if mode == "rules" or not reading.text.strip():
        return False
    return mode == "llm" or bool(reading.unread or reading.unread_when) or _understood_nothing(reading)


def _understood_nothing(reading: Reading) -> bool:
    return (
        reading.intent == "none"
        and reading.values == Values()
        and reading.named == Values()
        and reading.choice is None
        and reading.confirm is None
        and not (reading.dropped or reading.retry or reading.rejects_rooms or reading.ambiguous)
    )


class Planner:
    """Asks a model what to do next.

    Args:
        actions: every action there is; see `actions_of`.
        clock: a monotonic clock in seconds.
        breaker: leaves a failing model alone; None for scripted ones, whose failures are on purpose.
        off: sections of the prompt to leave out.
    """

    def __init__(
        self,
        model: Model,
        templates: Templates,
        actions: Mapping[str, Action],
        *,
        clock: Callable[[], float],
        mode: Mode = "hybrid",
        limits: Limits | None = None,
        breaker: CircuitBreaker | None = None,
        off: frozenset[SectionName] = frozenset(),
    ) -> None:
        self.mode = mode
        self.counts: Counter[str] = Counter()
        """How often: calls, level_1, level_2, level_3, refused, failed, skipped (breaker open), and stop reasons."""
        self._model = model
        self._templates = templates
        self._actions = actions
        self._clock = clock
        self._limits = limits or Limits()
        self._breaker = breaker
        self._off = off

    def learn(self, actions: Mapping[str, Action]) -> None:
        """Know these actions from now on, in place of those before."""
        self._actions = actions

    def wants(self, reading: Reading) -> bool:
        """Tell whether to ask at all for this message; see `wants_model`."""
        return wants_model(self.mode, reading)

    def start_turn(
        self, session_tokens: int = 0, *, so_far: Sequence[ActionTaken] = (), started: float | None = None
    ) -> TurnBudget:
        """Open the budget of a turn, or go on with it where a turn asks more than once.

        Args:
            session_tokens: what the session has spent before this turn.
            so_far: what was done in this turn; the entries of earlier `PlanResult`s count.
            started: when the turn began on the planner's clock; None is now.
        """
        asked = [entry for entry in so_far if entry.source != "table"]
        return TurnBudget(
            self._limits,
            self.now() if started is None else started,
            session_tokens,
            calls=len(asked),
            tokens=sum(entry.tokens for entry in asked),
            done={(entry.action, entry.input) for entry in asked if entry.source == "model"},
        )

    def now(self) -> float:
        """Give the planner's own clock in seconds; only differences mean anything."""
        return self._clock()

    def prompt(self, question: Question) -> PlannerPrompt:
        """Build the prompt of a question, for asking and for showing its sizes."""
        legal = legal_actions(self._actions, question.context.phase)
        return build_prompt(self._templates, question, legal, off=self._off)

    async def think(
        self, question: Question, budget: TurnBudget, on_delta: Callable[[str], None] | None = None
    ) -> PlanResult:
        """Ask what to do next.

        Args:
            budget: of this turn; kept up to date.
            on_delta: gets user-visible text while the model still writes.
        """
        if self._breaker and not self._breaker.lets_through():
            self.counts["skipped"] += 1
            return PlanResult(None)
        prompt = self.prompt(question)
        stream = ReplyStream(on_delta, lambda message: wording.shown(message, question)) if on_delta else None
        result = PlanResult(None)
        for _ in range(TRIES):
            if stop := budget.stop(self._clock(), prompt.tokens):
                return self._stopped(result, stop)
            spent = budget.tokens
            try:
                answer = await self._ask(prompt, budget, stream)
            except ModelError as error:
                return self._failed(result, error, budget, budget.tokens - spent, stream)
            result = self._judged(result, answer.text, question, budget, budget.tokens - spent, stream)
            if result.accepted or result.stop_reason:
                return result
            prompt = with_refusal(prompt, self._templates, answer.text, result.log[-1].observation)
            stream = None  # one try may show text; a second one after it would contradict it
        return result

    async def _ask(self, prompt: PlannerPrompt, budget: TurnBudget, stream: ReplyStream | None) -> Completion:
        budget.calls += 1
        self.counts["calls"] += 1
        budget.tokens += prompt.tokens  # held while the call runs, so that a call that fails has its price too
        seconds = min(self._limits.call_s, budget.seconds_left(self._clock()))
        try:
            async with asyncio.timeout(seconds):
                answer = await self._model.complete(prompt, stream.feed if stream else None)
        except TimeoutError:
            raise ModelError(f"no answer within {seconds:.1f} s") from None
        except ModelError:
            raise
        except Exception as error:
            log.exception("the model raised what is not its to raise")
            raise ModelError(f"{type(error).__name__}: {error}"[:MAX_LOGGED]) from error
        budget.tokens += (answer.tokens - prompt.tokens) if answer.tokens else estimate_tokens(answer.text)
        return answer

    def _judged(
        self,
        before: PlanResult,
        text: str,
        question: Question,
        budget: TurnBudget,
        tokens: int,
        stream: ReplyStream | None,
    ) -> PlanResult:
        if self._breaker:
            self._breaker.worked()
        parsed = parse(text, self._actions)
        self.counts[f"level_{parsed.level}"] += 1
        shown = before.shown or (stream.shown if stream else "")
        result = replace(before, tokens=before.tokens + tokens, shown=shown)
        if parsed.decision is None:
            return self._refused(result, _entry(None, tokens, parsed, f"{parsed.reason}: {parsed.detail}"))
        verdict = check(parsed.decision, self._actions, question)
        if isinstance(verdict, RefusedDecision):
            entry = _entry(parsed.decision, tokens, parsed, f"{verdict.reason}: {verdict.detail}")
            spoken = _only_words(parsed.decision, self._actions, question) if shown and not before.shown else None
            if spoken is None:
                return self._refused(result, entry)
            # Its words are out already: they stand, what it proposed besides does not.
            self.counts["refused"] += 1
            return replace(result, accepted=spoken, log=(*result.log, entry))
        entry = _entry(parsed.decision, tokens, parsed, "")
        step = (verdict.action, entry.input)
        if step in budget.done:
            return self._stopped(replace(result, log=(*result.log, replace(entry, source="refused"))), "repeat")
        budget.done.add(step)
        if shown and not (verdict.message or "").startswith(shown):
            # What the user has read already stands; a second answer's words come after it.
            verdict = replace(verdict, message="\n".join(filter(None, (shown, verdict.message))))
        return replace(result, accepted=verdict, log=(*result.log, entry))

    def _refused(self, result: PlanResult, entry: ActionTaken) -> PlanResult:
        self.counts["refused"] += 1
        return replace(result, log=(*result.log, entry))

    def _failed(
        self, result: PlanResult, error: ModelError, budget: TurnBudget, tokens: int, stream: ReplyStream | None
    ) -> PlanResult:
        self.counts["failed"] += 1
        if self._breaker:
            self._breaker.failed()
        entry = ActionTaken("none", observation=f"model_failed: {error}"[:MAX_LOGGED], source="refused", tokens=tokens)
        result = replace(
            result,
            log=(*result.log, entry),
            tokens=result.tokens + tokens,
            shown=result.shown or (stream.shown if stream else ""),
        )
        late = budget.seconds_left(self._clock()) <= 0
        return self._stopped(result, "budget_wallclock") if late else result

    def _stopped(self, result: PlanResult, reason: StopReason) -> PlanResult:
        self.counts[reason] += 1
        return replace(result, accepted=None, stop_reason=reason)


def _only_words(decision: Decision, actions: Mapping[str, Action], question: Question) -> Accepted | None:
    """Give a reply's words without anything it proposed, when they may be shown."""
    if decision.action not in REPLIES:
        return None
    bare = replace(decision, action_input={"message": decision.action_input.get("message")})
    verdict = check(bare, actions, question)
    return verdict if isinstance(verdict, Accepted) else None


def _entry(decision: Decision | None, tokens: int, parsed: ParsedReply, refusal: str) -> ActionTaken:
    return ActionTaken(
        action=decision.action if decision else "none",
        input=_as_text(decision.action_input) if decision else "",
        observation=refusal[:MAX_LOGGED],
        thought=decision.thought if decision else "",
        source="refused" if refusal else "model",
        parse_level=parsed.level,
        tokens=tokens,
    )


def _as_text(action_input: Mapping[str, object]) -> str:
    text = json.dumps(action_input, ensure_ascii=False, sort_keys=True)
    if len(text) <= MAX_LOGGED:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]  # two long inputs that begin alike stay two
    return f"{text[: MAX_LOGGED - DIGEST_CHARS - 2]}…#{digest}"
