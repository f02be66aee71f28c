"""The house rules over typed arguments: the same checks as in the conversation, gathered instead of asked about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from booking_bot.dialogue.actions import say
from booking_bot.dialogue.model import Booking, Language, RoomRequest
from booking_bot.dialogue.policy import (
    Issue,
    check_building,
    check_capacity,
    check_date,
    check_duration,
    check_start,
)
from booking_bot.dialogue.site import Site
from booking_bot.language.writer import write
from booking_bot.service.errors import OperationRefused
from booking_bot.service.texts import text
from booking_bot.service.values import BookingWish, IssueShown, MoveWish, RoomWish


class Rules:
    """Judges wishes for one site at one moment.

    Args:
        now: the site's wall clock, aware.
        language: of the messages.
    """

    def __init__(self, site: Site, now: dt.datetime, language: Language) -> None:
        self._site = site
        self._now = now
        self._language = language

    def request_of(self, wish: RoomWish, room_id: str | None = None) -> tuple[RoomRequest, tuple[IssueShown, ...]]:
        """Give the search for a wish, seats rounded up, and what has to be said of it.

        Args:
            room_id: only this room.

        Raises:
            OperationRefused: ``rule_broken``, with every issue there is.
        """
        policy, today = self._site.policy, self._now.date()
        seats, rounded = check_capacity(self._site, wish.capacity)
        building, unknown = (None, None) if wish.building is None else check_building(self._site, wish.building)
        start = check_start(
            policy, wish.start_time, date=wish.date, duration_minutes=wish.duration_minutes, now=self._now
        )
        found = (
            check_date(policy, wish.date, today),
            start,
            check_duration(policy, wish.duration_minutes),
            rounded,
            unknown,
            self._unknown_room(room_id),
        )
        notes = self._passed(issue for issue in found if issue is not None)
        request = RoomRequest(
            date=wish.date,
            start_time=wish.start_time,
            duration_minutes=wish.duration_minutes,
            capacity=seats or wish.capacity,
            building=building,
            equipment=tuple(sorted(set(wish.equipment))),
            room_id=room_id,
        )
        return request, notes

    def booking_request(self, wish: BookingWish) -> tuple[RoomRequest, tuple[IssueShown, ...]]:
        """Give the search for exactly this booking; see `request_of`.

        Raises:
            OperationRefused: ``rule_broken``; also when the room is not like the wish, free or not.
        """
        request, notes = self.request_of(wish, wish.room_id)
        room = self._site.rooms_by_id[wish.room_id]
        if room.seats < request.capacity:
            raise self._mismatch("capacity", str(wish.capacity), str(room.seats))
        if request.building not in (None, room.building):
            raise self._mismatch("building", wish.building or "", room.building)
        lacking = sorted(set(request.equipment) - set(room.equipment))
        if lacking:
            raise self._mismatch("equipment", ", ".join(lacking), ", ".join(room.equipment) or "none")
        return request, notes

    def move_request(self, booking: Booking, wish: MoveWish) -> RoomRequest:
        """Give the search for where a booking moves to; what is not said stays.

        Raises:
            OperationRefused: ``rule_broken`` or ``nothing_to_change``.
        """
        date = wish.date or booking.date
        start = wish.start_time or booking.start_time
        minutes = wish.duration_minutes or booking.minutes
        room_id = wish.room_id or booking.room_id
        if (date, start, minutes, room_id) == (booking.date, booking.start_time, booking.minutes, booking.room_id):
            raise OperationRefused("nothing_to_change", text("nothing_to_change", self._language))
        policy = self._site.policy
        found = (
            check_date(policy, date, self._now.date()) if date != booking.date else None,
            check_start(policy, start, date=date, duration_minutes=minutes, now=self._now),
            check_duration(policy, minutes) if minutes != booking.minutes else None,
            self._unknown_room(room_id),
        )
        self._passed(issue for issue in found if issue is not None)
        seats = self._site.rooms_by_id[room_id].seats
        if seats < booking.people:
            raise self._mismatch("capacity", str(booking.people), str(seats))
        return RoomRequest(
            date=date,
            start_time=start,
            duration_minutes=minutes,
            capacity=booking.people,
            room_id=room_id,
            ignoring_booking=booking.id,
        )

    def shown(self, issue: Issue) -> IssueShown:
        """Show an issue with its message."""
        field = "room_id" if issue.kind == "room_unknown" else issue.slot
        message = write((say(f"issue_{issue.kind}", issue=issue),), self._language, self._site, self._now.date())
        return IssueShown(code=issue.kind, field=field, said=issue.said, legal=issue.legal, message=message)

    def _unknown_room(self, room_id: str | None) -> Issue | None:
        if room_id is None or room_id in self._site.rooms_by_id:
            return None
        return Issue("room_unknown", None, room_id)

    def _passed(self, issues: Iterable[Issue]) -> tuple[IssueShown, ...]:
        found = tuple(issues)
        blocking = tuple(self.shown(issue) for issue in found if issue.blocking)
        if blocking:
            raise OperationRefused("rule_broken", " ".join(issue.message for issue in blocking), blocking)
        return tuple(self.shown(issue) for issue in found)

    def _mismatch(self, field: str, said: str, has: str) -> OperationRefused:
        message = text("does_not_fit", self._language, field=field, said=said, has=has)
        issue = IssueShown(code="room_does_not_fit", field=field, said=said, legal=(), message=message)
        return OperationRefused("rule_broken", message, (issue,))
