"""What guards and plans look at: the context, what came in, and the site, at one moment of a turn."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from booking_bot.dialogue.context import BookingContext
from booking_bot.dialogue.fold import Folded
from booking_bot.dialogue.observations import Observation
from booking_bot.dialogue.reading import Reading
from booking_bot.dialogue.site import Site


@dataclass(frozen=True, slots=True)
class Situation:
    """One moment of a turn.

    Attributes:
        context: as it is before the row is taken.
        observation: what just came in.
        reading: the user's message of this turn.
        folded: what the message did to the draft.
        now: the site's wall clock, aware.
        key: a fresh random idempotency key for a read-back made in this turn.
    """

    context: BookingContext
    observation: Observation
    reading: Reading
    folded: Folded
    site: Site
    now: dt.datetime
    key: str
