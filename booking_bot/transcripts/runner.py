"""Runs a transcript through the bot on a database file of its own and says what differs."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from booking_bot.app import BookingBot, session_key
from booking_bot.dialogue.conversation import TurnOutcome
from booking_bot.dialogue.model import Booking, Phase
from booking_bot.engine import Answered, reading_context
from booking_bot.language.reader import read
from booking_bot.transcripts.diff import Difference, compare, compare_bookings
from booking_bot.transcripts.invariants import KEY, Moment, check, confirms
from booking_bot.transcripts.model import PlannerName, RestartStep, Transcript, UserStep, WaitStep
from booking_bot.transcripts.planners import Planning, planning_of
from booking_bot.transcripts.world import World, bookings_of

RESTART_CHANCE: Final = 0.35
AGAIN_CHANCE: Final = 0.35
"""Chances of a disturbance before and after a message: most transcripts of three steps then meet one of each."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one message.

    Attributes:
        number: of the step, from 1.
    """

    number: int
    step: UserStep
    answered: Answered


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a transcript.

    Attributes:
        differences: what is not as expected, in order.
        seen: the messages with their answers, in order.
        bookings: those the conversation made, as they are at the end.
    """

    transcript: Transcript
    differences: tuple[Difference, ...]
    seen: tuple[Seen, ...]
    bookings: tuple[Booking, ...]

    @property
    def ok(self) -> bool:
        """Whether everything is as expected."""
        return not self.differences


@dataclass(slots=True)
class _Session:
    """What the runner knows of a session, from its answers."""

    phase: Phase = Phase.COLLECTING_SLOTS
    last: TurnOutcome | None = None
    replies: dict[str, tuple[UserStep, Answered]] = field(default_factory=dict)


async def run(
    transcript: Transcript,
    *,
    beside: Path | None = None,
    planner: PlannerName | None = None,
    disturb: int | None = None,
) -> Run:
    """Run a transcript.

    Args:
        beside: the folder of its file, from which a site may be given.
        planner: used in place of the transcript's own.
        disturb: a seed; messages are then sent again under their ids and the process dies between steps at random,
            which must change nothing.

    Raises:
        TranscriptError: its site, its rooms or its planner do not exist, or its bookings overlap.
    """
    with tempfile.TemporaryDirectory(prefix="booking-bot-transcript-") as directory:
        world = World.of(transcript, Path(directory), beside)
        planning = planning_of(planner or transcript.planner, transcript)
        runner = _Runner(world, planning, random.Random(disturb) if disturb is not None else None)  # noqa: S311  # a seed
        try:
            return await runner.run()
        finally:
            await planning.close()


class _Runner:
    def __init__(self, world: World, planning: Planning, chance: random.Random | None) -> None:
        self._world = world
        self._planning = planning
        self._chance = chance
        self._sessions: dict[str, _Session] = {}
        self._confirmations = 0
        self._differences: list[Difference] = []
        self._seen: list[Seen] = []
        self._bot: BookingBot

    async def run(self) -> Run:
        self._bot = await self._open()
        try:
            await self._world.seed(self._bot.engine.store)
            for number, step in enumerate(self._world.transcript.steps, 1):
                match step:
                    case WaitStep():
                        self._world.now += step.wait
                    case RestartStep():
                        await self._restart()
                    case UserStep():
                        await self._say(number, step)
            bookings = await self._made()
        finally:
            await self._bot.close()
        if "bookings" in self._world.transcript.end.model_fields_set:
            self._differences += compare_bookings(self._world.transcript.end.bookings, bookings)
        return Run(self._world.transcript, tuple(self._differences), tuple(self._seen), bookings)

    async def _open(self) -> BookingBot:
        return await self._world.open(self._planning.model, self._planning.mode, self._planning.settings)

    async def _restart(self) -> None:
        await self._bot.close()
        self._bot = await self._open()

    async def _made(self) -> tuple[Booking, ...]:
        everything = await bookings_of(self._bot.engine.store)
        return tuple(b for b in everything if b.id not in self._world.seeded)

    # --- one message -----------------------------------------------------------------------------------------------

    async def _say(self, number: int, step: UserStep) -> None:
        await self._disturb(self._chance, RESTART_CHANCE, self._restart)
        key = session_key(step.speaker or self._world.transcript.user, step.session)
        session = self._sessions.setdefault(key, _Session())
        message_id = step.message_id or (f"step-{number}" if self._chance else None)
        self._planning.load(step.llm)
        confirming = self._is_confirming(step, session)
        answered = await self._answer(step, message_id)
        self._confirmations += confirming and not answered.repeated
        await self._judge(number, step, session, answered)
        if answered.outcome is not None:
            session.last = answered.outcome
        session.phase = answered.reply.phase if not answered.repeated else session.phase
        self._seen.append(Seen(number, step, answered))
        if message_id is not None and self._chance is not None:
            session.replies.setdefault(message_id, (step, answered))
            await self._disturb(self._chance, AGAIN_CHANCE, lambda: self._say_again(number, session))

    async def _answer(self, step: UserStep, message_id: str | None) -> Answered:
        return await self._bot.answer(
            step.session,
            step.user,
            user_id=step.speaker or self._world.transcript.user,
            message_id=message_id,
            channel="transcript",
        )

    def _is_confirming(self, step: UserStep, session: _Session) -> bool:
        """Judge by the reader alone, not by the rows the bot took."""
        if session.last is None:
            return False
        reading = read(step.user, reading_context(session.last.context, self._world.site, self._world.now))
        return confirms(session.last, reading)

    async def _judge(self, number: int, step: UserStep, session: _Session, answered: Answered) -> None:
        everything = await bookings_of(self._bot.engine.store)
        booked = sum(b.status == "booked" for b in everything)
        made = sum(b.id not in self._world.seeded for b in everything)
        self._differences += compare(number, step.expect, answered.reply, booked)
        self._differences += check(
            Moment(number, session.phase, answered, everything, made, confirmations=self._confirmations)
        )

    # --- disturbances ----------------------------------------------------------------------------------------------

    async def _disturb(self, chance: random.Random | None, how_often: float, what: Callable[[], object]) -> None:
        if chance is not None and chance.random() < how_often:
            await what()  # type: ignore[misc]  # one of the two coroutines of this class

    async def _say_again(self, number: int, session: _Session) -> None:
        """Send an earlier message of the session again: the same reply, and no other effect."""
        assert self._chance is not None  # noqa: S101  # only called where chance is
        message_id = self._chance.choice(list(session.replies))
        step, before = session.replies[message_id]
        stood = await bookings_of(self._bot.engine.store)
        again = await self._answer(step, message_id)
        if again.reply != before.reply:
            self._differences.append(Difference("REPLY", number, KEY, before.reply.text, again.reply.text))
        if await bookings_of(self._bot.engine.store) != stood:
            self._differences.append(
                Difference("BOOKINGS", number, KEY, "no effect of a repeated message", "another one")
            )
