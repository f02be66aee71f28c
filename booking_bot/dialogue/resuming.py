"""Back to the draft after something about an existing booking or a tool: what is pending then. Pure functions."""

from __future__ import annotations

from booking_bot.dialogue.context import BookingContext, Proposal
from booking_bot.dialogue.model import Pending, Phase, SlotName, Slots


def set_aside(context: BookingContext) -> BookingContext:
    """Put aside what is asked and offered for the draft while it is about a booking that exists."""
    if context.errand is not None:
        return context.with_(proposals=())
    return context.with_(suspended_asks=context.asks, suspended_proposals=context.proposals, proposals=())


def resumed(context: BookingContext) -> BookingContext:
    """Let go of the errand and ask again what was asked for the draft before it."""
    asks: SlotName | None = None
    pending: Pending | None = None
    proposals: tuple[Proposal, ...] = ()
    match context.phase:
        case Phase.CONFIRMING:
            pending = Pending.CONFIRM
        case Phase.AWAITING_SELECTION:
            pending = Pending.SELECT_ROOM
        case Phase.COLLECTING_SLOTS:
            missing = context.slots.missing() if context.slots != Slots() else ()
            asks = context.suspended_asks or (missing[0] if missing else None)
            proposals = context.suspended_proposals
            pending = Pending.CLARIFY if asks is not None or proposals else None
    return context.with_(
        errand=None, asks=asks, proposals=proposals, pending=pending, suspended_asks=None, suspended_proposals=()
    )


def as_before(context: BookingContext, phase: Phase) -> BookingContext:
    """Give the context as it was before an existing booking, or a tool, was read back in `phase`."""
    return resumed(context.with_(phase=phase, read_back=context.suspended, suspended=None))
