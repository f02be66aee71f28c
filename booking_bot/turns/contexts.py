"""Contexts between turns: loading, reading a message against one, and the reply that shows one."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from typing import Final, Literal

from pydantic import ValidationError

from booking_bot.dialogue.actions import Say, say
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import Language, Pending, Phase, ReadBackCancelSeveral, ReadBackMove, ReadBackTool
from booking_bot.dialogue.prompts import answers, prompt
from booking_bot.dialogue.reading import ReadingContext
from booking_bot.dialogue.site import Site
from booking_bot.language.writer import write
from booking_bot.reply import BookedRoom, ReadBackShown, Reply, evidence_of, interrupt_of, options_of
from booking_bot.turns.values import Live

log = logging.getLogger(__name__)


def reading_context(context: BookingContext, site: Site, now: dt.datetime) -> ReadingContext:
    """Give what a message is read against."""
    awaited = context.errand.awaits if context.errand is not None else ()
    return ReadingContext(
        now=now,
        site=site,
        language=context.language,
        pending=Pending.CLARIFY if awaited else context.pending,
        asks=awaited[0] if awaited else context.asks,
        offered=context.offers,
        choices=_choices(context),
        slots=context.slots,
        part=context.part,
        moving=isinstance(context.read_back, ReadBackMove)
        or (context.errand is not None and context.errand.booking is not None),
        confirming=_confirming(context),
        proposed_starts=_proposed_starts(context),
        last_booking=context.booking,
    )


def _choices(context: BookingContext) -> int:
    asked = len(context.inquiry.options) if context.inquiry else 0
    return asked or len(context.proposals) or len(context.offers) or len(context.listed)


def _proposed_starts(context: BookingContext) -> tuple[dt.time, ...]:
    starts = []
    for proposal in context.proposals:
        if proposal.kind == "value" and proposal.slot == "start_time":
            starts.append(dt.time.fromisoformat(proposal.value))
        elif proposal.kind == "alternative" and proposal.alternative.kind == "time":
            starts.append(proposal.alternative.start_time)
    return tuple(starts)


def _confirming(context: BookingContext) -> Literal["book", "move", "cancel"] | None:
    match context.read_back:
        case None | ReadBackTool():
            return None
        case ReadBackCancelSeveral():
            return "cancel"
        case read_back:
            return read_back.kind


def dump(context: BookingContext) -> bytes:
    """Give a context as JSON, what is empty left out."""
    return context.__pydantic_serializer__.to_json(context, exclude_none=True)


MAX_TEXT: Final = 100_000
"""Characters of a message that are kept: fifty times what is read, and far below what any database's column holds."""


def clean(text: str) -> str:
    """Give text that can be stored and sent anywhere: bounded, no lone surrogates, no NUL."""
    text = text[:MAX_TEXT]
    if text.isascii():
        return text.replace("\0", " ")
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def standing(session_id: str, live: Live) -> tuple[BookingContext, tuple[Say, ...]]:
    """Load a session's context; one that cannot be read is never half read: the talk starts afresh and says so."""
    try:
        return load(live.context), ()
    except ValidationError:
        log.exception("stored context refused", extra={"session_id": session_id})
    afresh = BookingContext(session_id=session_id, user_id=live.user_id, turn_id=live.version)
    return afresh, (say("session_lost"),)


def load(data: bytes) -> BookingContext:
    """Read a context back.

    Raises:
        ValidationError: it is of another version, or not a context.
    """
    return BookingContext.model_validate_json(data)


def reply_of(
    context: BookingContext,
    site: Site,
    today: dt.date,
    text: str,
    tools: Sequence[str] = (),
    *,
    language: Language,
    llm_calls: int = 0,
    streamed: Sequence[int] = (),
) -> Reply:
    """Show a context as a reply.

    Args:
        tools: the tools called in the turn, in order.
        streamed: lengths of the pieces of the text that were sent while it was written.
    """
    asked = write(prompt(context), language, site, today)
    booking = context.booking if context.phase is Phase.BOOKED else None
    return Reply(
        text=text,
        phase=context.phase,
        slots=context.slots.plain(),
        pending=context.pending.value if context.pending else None,
        asks=context.asks if context.pending == "clarify" else None,
        options=options_of(context, site),
        room=context.selected,
        booking=BookedRoom.of(booking) if booking else None,
        evidence=evidence_of(context),
        interrupt=interrupt_of(context, site, asked),
        actions=tuple(tools),
        choices=len(context.inquiry.options if context.inquiry else context.proposals),
        llm_calls=llm_calls,
        language=language,
        turn_id=context.turn_id,
        stop_reason=context.stop_reason,
        read_back=_read_back(context, site, today, language),
        streamed=tuple(streamed),
    )


def _read_back(context: BookingContext, site: Site, today: dt.date, language: Language) -> ReadBackShown | None:
    said = answers(context)
    if said is None or context.read_back is None:
        return None
    yes, no = (write((each,), language, site, today) for each in said)
    return ReadBackShown.of(context.read_back, yes=yes, no=no)
