"""From the office's wall times to instants and back, safe on the days the clocks change. Pure arithmetic."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from booking_bot.adapters.sql.schema import BUCKET_S
from booking_bot.dialogue.availability import minute_of, time_of
from booking_bot.dialogue.site import Site


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time [start_s, end_s) in epoch seconds."""

    start_s: int
    end_s: int

    def buckets(self) -> range:
        """Give the numbers of the 300-second buckets it covers, ascending."""
        return range(self.start_s // BUCKET_S, self.end_s // BUCKET_S)


class OfficeCalendar:
    """One site's days in epoch seconds."""

    def __init__(self, site: Site) -> None:
        self._policy = site.policy
        self._zone = site.policy.zone

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

    def day(self, date: dt.date) -> Span:
        """Give the local day [midnight, next midnight): 23 to 25 hours long."""
        return Span(self._instant(date, 0), self._instant(date + dt.timedelta(days=1), 0))

    def minutes_of(self, date: dt.date, span: Span) -> tuple[int, int]:
        """Give a span as minutes after midnight of `date`; it may reach past either end.

        On a day whose clocks change within the opening hours it is widened by the change, so that a wish on either
        side of the change meets it: the list may then hide a free hour, but never shows a taken one.
        """
        first, last = self._origins(date)
        return (span.start_s - max(first, last)) // 60, -((min(first, last) - span.end_s) // 60)

    def skipped(self, date: dt.date) -> tuple[int, int] | None:
        """Give the wall minutes [from, to) within the opening hours that the clock change skips on this day."""
        first, last = self._origins(date)
        if first == last:
            return None
        gone = [m for m in range(self._policy.opens_minute, self._policy.closes_minute, 5) if not self._exists(date, m)]
        return (gone[0], gone[-1] + 5) if gone else None

    def _origins(self, date: dt.date) -> tuple[int, int]:
        """Give the instant of minute 0 as counted back from opening and from closing time."""
        opens, closes = self._policy.opens_minute, self._policy.closes_minute
        return self._instant(date, opens) - 60 * opens, self._instant(date, closes) - 60 * closes

    def _instant(self, date: dt.date, minute: int) -> int:
        days, minute = divmod(minute, 1440)
        wall = dt.datetime.combine(date + dt.timedelta(days=days), time_of(minute), self._zone)
        return int(wall.timestamp())

    def _exists(self, date: dt.date, minute: int) -> bool:
        wall = self.wall(self._instant(date, minute))
        return wall.date() == date and minute_of(wall.time()) == minute
