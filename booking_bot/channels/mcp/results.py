"""What the tools give beside the service's own values, and how a refusal becomes a tool error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from booking_bot.dialogue.model import Frozen, Phase
from booking_bot.reply import BookedRoom, Option, Reply, SlotValue
from booking_bot.service import OperationRefused


class TalkReply(Frozen):
    """What the bot answered: show `text` to the user.

    Attributes:
        slots: what is known of the wish so far.
        pending: what the bot waits for, null for nothing.
        options: the rooms on the table, numbered from 1.
        booking: the booking that was made or changed.
    """

    text: str
    phase: Phase
    slots: dict[str, SlotValue]
    pending: Literal["clarify", "select_room", "confirm"] | None
    options: tuple[Option, ...]
    booking: BookedRoom | None

    @classmethod
    def of(cls, reply: Reply) -> TalkReply:
        """Show a reply."""
        return cls(
            text=reply.text,
            phase=reply.phase,
            slots=reply.slots,
            pending=reply.pending,
            options=reply.options,
            booking=reply.booking,
        )


class Confirm(BaseModel):
    """The user's answer to a read-back."""

    confirm: bool = Field(description="Yes: do exactly this.", title="Confirm")


@contextmanager
def refusals() -> Iterator[None]:
    """Turn a refusal into a tool error that names the code, the message and the legal values."""
    try:
        yield
    except OperationRefused as refused:
        legal = [f"{issue.field}: use {' or '.join(issue.legal)}" for issue in refused.issues if issue.legal]
        tail = f" ({'; '.join(legal)})" if legal else ""
        raise ToolError(f"{refused.code}: {refused.message}{tail}") from refused
