"""From the office's wall times to instants and back, safe on the days the clocks change. Pure arithmetic."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from booking_bot.adapters.sql.schema import BUCKET_S
from booking_bot.dialogue.availability import minute_of, time_of
from booking_bot.dialogue.site import Site

REMEMBERED_DAYS: Final = 128
"""Days whose instants are kept: a booking window is rarely longer."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time [start_s, end_s) in epoch seconds."""

    start_s: int
    end_s: int

    def buckets(self) -> range:
        """Give the numbers of the 300-second buckets it covers, ascending."""
        return range(self.start_s // BUCKET_S, self.end_s // BUCKET_S)


@dataclass(frozen=True, slots=True)
class OfficeDay:
    """One local day of the office.

    Attributes:
        whole: [midnight, next midnight), 23 to 25 hours long.
        first, last: the instant of minute 0, counted back from opening and from closing time; they differ on a day
            whose clocks change between the two.
        skipped: the wall minutes [from, to) that the clock change leaves out, None on all other days.
    """

    whole: Span
    first: int
    last: int
    skipped: tuple[int, int] | None

    def minutes_of(self, start_s: int, end_s: int) -> tuple[int, int]:
        """Give [start_s, end_s) as minutes after midnight; they may reach past either end of the day.

        On a day whose clocks change within the opening hours it is widened by the change, so that a wish on either
        side of the change meets it: the list may then hide a free hour, but never shows a taken one.
        """
        return (start_s - max(self.first, self.last)) // 60, -((min(self.first, self.last) - end_s) // 60)


class OfficeCalendar:
    """One site's days in epoch seconds."""

    def __init__(self, site: Site) -> None:
        self._policy = site.policy
        self._zone = site.policy.zone
        self.day = lru_cache(maxsize=REMEMBERED_DAYS)(self._day)

    def span(self, date: dt.date, start_time: dt.time, minutes: int) -> Span | None:
        """Give the instants of a meeting, or None when the office cannot hold one then.

        That is so off the 5-minute grid, outside of the opening hours, and at a wall time that the clock change skips.
        The length is elapsed time.
        """
        start = minute_of(start_time)
        if start_time.second or start_time.microsecond or start % 5 or minutes % 5 or minutes <= 0:
            return None
        if start < self._policy.opens_minute or start + minutes > self._policy.closes_minute:
            return None
        if not self._exists(date, start):
            return None
        start_s = self._instant(date, start)
        return Span(start_s, start_s + minutes * 60)

    def wall(self, at_s: int) -> dt.datetime:
        """Give the office's wall time of an instant."""
        return dt.datetime.fromtimestamp(at_s, self._zone)

    def _day(self, date: dt.date) -> OfficeDay:
        opens, closes = self._policy.opens_minute, self._policy.closes_minute
        first, last = self._instant(date, opens) - 60 * opens, self._instant(date, closes) - 60 * closes
        gone = [m for m in range(opens, closes, 5) if not self._exists(date, m)] if first != last else []
        return OfficeDay(
            whole=Span(self._instant(date, 0), self._instant(date, 1440)),
            first=first,
            last=last,
            skipped=(gone[0], gone[-1] + 5) if gone else None,
        )

    def _instant(self, date: dt.date, minute: int) -> int:
        days, minute = divmod(minute, 1440)
        wall = dt.datetime.combine(date + dt.timedelta(days=days), time_of(minute), self._zone)
        return int(wall.timestamp())

    def _exists(self, date: dt.date, minute: int) -> bool:
        wall = self.wall(self._instant(date, minute))
        return wall.date() == date and minute_of(wall.time()) == minute
