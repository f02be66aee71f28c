"""One question to a planner: the session, the message just read, and what happened before, as plain values."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from dataclasses import dataclass

from booking_bot.dialogue.actions import ActionTaken
from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.model import ReadBackBook
from booking_bot.dialogue.reading import Reading
from booking_bot.dialogue.site import Site


@dataclass(frozen=True, slots=True)
class Question:
    """What a planner is asked about. The code makes it; nothing in here is the model's word.

    Attributes:
        context: after this turn's message was folded in.
        reading: of this turn's message.
        now: the site's wall clock, aware.
        earlier: the user's messages of earlier turns, oldest first; a window.
        recent: what was done lately with what came back, oldest first; a window.
        memory: lines about the user's habits, to be offered and never silently used.
        default: the action the rules would take.
    """

    context: BookingContext
    reading: Reading
    site: Site
    now: dt.datetime
    earlier: tuple[str, ...] = ()
    recent: tuple[ActionTaken, ...] = ()
    memory: tuple[str, ...] = ()
    default: str = "ask_user"

    @property
    def said(self) -> tuple[str, ...]:
        """Everything the user said that is at hand, this turn's message first."""
        return (self.reading.text, *reversed(self.earlier))

    @property
    def affirmed_room(self) -> str | None:
        """The room of the new booking the user just said a whole yes to, else None."""
        if self.reading.confirm != "yes" or not isinstance(self.context.read_back, ReadBackBook):
            return None
        return self.context.read_back.order.room_id

    @property
    def on_the_table(self) -> frozenset[str]:
        """Ids of the rooms the user has been shown: offers, read-back, the booking just made."""
        selected = self.context.selected
        return frozenset((*self.context.offers, *((selected,) if selected else ())))

    def user_said(self, words: str) -> bool:
        """Tell whether these words occur in a message of the user, apart from width, case and spacing."""
        wanted = comparable(words)
        return bool(wanted) and any(wanted in comparable(text) for text in self.said)


def comparable(text: str) -> str:
    """Give text without width, case and space differences, for comparing what was said."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).casefold())
