"""Bookings inside an open transaction: the one place that writes bookings and their claims."""

from __future__ import annotations

import datetime as dt
from typing import Final, NamedTuple, Protocol

from sqlalchemy import RowMapping, select
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import bookings as rows
from booking_bot.adapters.sql.office_calendar import OfficeCalendar, Span
from booking_bot.adapters.sql.prepared import ConstraintRefused, DriverCursor
from booking_bot.dialogue import availability
from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import Booked, Cancelled, Found, Gone, Listed, Moved, NoneFree, Taken
from booking_bot.dialogue.site import Site
from booking_bot.ports import Clock

GRACE_S: Final = 300
"""A start this far back may still be booked: the time it takes to say yes, one step of the finest grid."""
_WHOLE_DAY: Final = 1440


class Connected(Protocol):
    """What the ledger needs of a transaction."""

    @property
    def connection(self) -> Connection:
        """The connection the transaction is open on."""

    @property
    def cursor(self) -> DriverCursor:
        """A cursor of the driver's in the same transaction, for what is on a turn's path."""


class _Earlier(NamedTuple):
    """What an idempotency key did before: the kind of write, the hash of its arguments, the booking as it is now."""

    did: str
    arguments: str
    booking: Booking


class SqlLedger:
    """The rooms of a site over the booking tables; a `RoomLedger`.

    Only the organizer sees and changes a booking: everybody else's is `Gone`. A write with a key that has been used
    for exactly these arguments gives what it gave the first time, the booking shown as it is now (look at its status).

    Raises (all methods): `sqlalchemy.exc.SQLAlchemyError` when the database fails.
    """

    def __init__(self, site: Site, clock: Clock) -> None:
        self._site = site
        self._clock = clock
        self._calendar = OfficeCalendar(site)

    def search_rooms(self, tx: Connected, request: RoomRequest) -> Found | NoneFree:
        """Find rooms that fit and are free, with one SELECT."""
        day = self._calendar.day(request.date)
        busy: dict[str, list[tuple[int, int]]] = {}
        wanted = (day.whole.start_s, day.whole.end_s, request.ignoring_booking or "")
        for room_id, start_s, end_s in tx.cursor.rows(rows.BUSY, wanted):
            busy.setdefault(room_id, []).append(day.minutes_of(start_s, end_s))
        if day.skipped:
            for room in self._site.rooms:
                busy.setdefault(room.id, []).append(day.skipped)
        return availability.search(
            self._site, request, busy, not_before=0 if request.running else self._not_before(request.date)
        )

    def book_room(self, tx: Connected, order: BookingOrder, organizer: str) -> Booked | Taken:
        """Write the booking and its claims, or nothing.

        `Taken` also answers what the office cannot hold: a start in the past, outside of the opening hours or off the
        grid, an unknown room, more people than seats, and a key that has been used for something else.
        """
        span = self._bookable(order.room_id, order.date, order.start_time, order.duration_minutes, order.people)
        if span is None or self._is_past(span) or self._clashes(tx, order.room_id, span):
            return self._booked_before(tx, order, organizer)
        row = rows.new_row(order, organizer, span, self._site.policy.timezone)
        cursor = tx.cursor
        try:
            with cursor.savepoint():
                (booking_id,) = cursor.first(rows.INSERT_BOOKING, tuple(row.values()))
                cursor.run_each(rows.INSERT_CLAIM, rows.claims(booking_id, order.room_id, span))
                self._remember(tx, "book", organizer, order.key, row["idem_hash"], booking_id)
        except ConstraintRefused:
            return self._booked_before(tx, order, organizer)
        return Booked(booking=rows.booking_of(row, self._calendar))

    def move_booking(self, tx: Connected, change: BookingChange, organizer: str) -> Moved | Taken | Gone:
        """Move an own booking to its whole new place and time, or leave it as it was.

        Its own claims never block it. A running meeting may be made longer or shorter from its old start.
        """
        row = self._own(tx, change.booking_id, organizer, change.version)
        if row is None:
            return self._moved_before(tx, change, organizer) or Gone(booking_id=change.booking_id)
        span = self._bookable(
            change.room_id, change.date, change.start_time, change.duration_minutes, change.people or row["people"]
        )
        if span is None or (span.start_s != row["start_s"] and self._is_past(span)) or span.end_s <= self._now_s():
            return Taken(room_id=change.room_id)
        if self._clashes(tx, change.room_id, span, own_id=row["id"]):
            return Taken(room_id=change.room_id)
        return self._move(tx, row, change, span) or (
            self._moved_before(tx, change, organizer) or Taken(room_id=change.room_id)
        )

    def cancel_booking(self, tx: Connected, cancellation: Cancellation, organizer: str) -> Cancelled | Gone:
        """Cancel an own booking, or nothing. A meeting that is over stays as it was."""
        row = self._own(tx, cancellation.booking_id, organizer, cancellation.version)
        if row is not None:
            arguments = rows.fingerprint("cancel", cancellation)
            try:
                with tx.cursor.savepoint():
                    tx.connection.execute(rows.DELETE_CLAIMS, {"of": row["id"]})
                    tx.connection.execute(rows.CANCEL, {"of": row["id"], "read_at": row["version"]})
                    self._remember(tx, "cancel", organizer, cancellation.key, arguments, row["id"])
            except ConstraintRefused:
                return Gone(booking_id=cancellation.booking_id)  # the key has been used for another write
            after = dict(row) | {"status": "cancelled", "version": row["version"] + 1}
            return Cancelled(booking=rows.booking_of(after, self._calendar))
        earlier = self._earlier(tx, cancellation.key, organizer)
        if earlier and earlier.did == "cancel" and earlier.arguments == rows.fingerprint("cancel", cancellation):
            return Cancelled(booking=earlier.booking)
        return Gone(booking_id=cancellation.booking_id)

    def list_bookings(self, tx: Connected, organizer: str) -> Listed:
        """List the organizer's bookings that are not over, by start."""
        found = tx.connection.execute(rows.UPCOMING, {"who": organizer, "now_s": self._now_s()}).mappings()
        return Listed(bookings=tuple(rows.booking_of(row, self._calendar) for row in found))

    def find_booking(self, tx: Connected, key: str, organizer: str) -> Booked | Moved | Cancelled | Gone:
        """Look up what the write with this idempotency key did; the booking is shown as it is now."""
        earlier = self._earlier(tx, key, organizer)
        match earlier:
            case None:
                return Gone(booking_id="")
            case _Earlier(did="book"):
                return Booked(booking=earlier.booking)
            case _Earlier(did="move"):
                return Moved(booking=earlier.booking)
            case _:
                return Cancelled(booking=earlier.booking)

    def all_bookings(
        self, tx: Connected, *, organizer: str | None = None, date: dt.date | None = None, everything: bool = False
    ) -> tuple[Booking, ...]:
        """List bookings for an administrator, by start and room.

        Args:
            organizer: only this person's, None for everybody's.
            date: only those that touch this day of the office.
            everything: past and cancelled ones too.
        """
        table = rows.BOOKING.c
        query = select(rows.BOOKING).order_by(table.start_s, table.room_id, table.id)
        if organizer is not None:
            query = query.where(table.organizer == organizer)
        if date is not None:
            day = self._calendar.day(date).whole
            query = query.where(table.end_s > day.start_s, table.start_s < day.end_s)
        if not everything:
            query = query.where(table.status == "booked", table.end_s > self._now_s())
        return tuple(rows.booking_of(row, self._calendar) for row in tx.connection.execute(query).mappings())

    def _move(self, tx: Connected, row: RowMapping, change: BookingChange, span: Span) -> Moved | None:
        people = change.people or row["people"]
        place = {"room": change.room_id, "from_s": span.start_s, "to_s": span.end_s, "heads": people}
        try:
            with tx.cursor.savepoint():
                tx.connection.execute(rows.DELETE_CLAIMS, {"of": row["id"]})
                tx.connection.execute(rows.MOVE, place | {"of": row["id"], "read_at": row["version"]})
                tx.cursor.run_each(rows.INSERT_CLAIM, rows.claims(row["id"], change.room_id, span))
                arguments = rows.fingerprint("move", change)
                self._remember(tx, "move", row["organizer"], change.key, arguments, row["id"])
        except ConstraintRefused:
            return None
        moved = {"room_id": change.room_id, "start_s": span.start_s, "end_s": span.end_s, "people": people}
        after = dict(row) | moved | {"version": row["version"] + 1}
        return Moved(booking=rows.booking_of(after, self._calendar))

    def _own(self, tx: Connected, booking_id: str, organizer: str, version: int) -> RowMapping | None:
        """Lock the booking when it is this organizer's, not over, and as it was read."""
        found = tx.connection.execute(rows.OWN_LOCKED, {"booking": booking_id, "who": organizer}).mappings().first()
        if found is None or found["status"] != "booked" or found["version"] != version:
            return None
        return found if found["end_s"] > self._now_s() else None

    def _bookable(self, room_id: str, date: dt.date, start: dt.time, minutes: int, people: int) -> Span | None:
        room = self._site.rooms_by_id.get(room_id)
        if room is None or room.seats < people:
            return None
        return self._calendar.span(date, start, minutes)

    def _clashes(self, tx: Connected, room_id: str, span: Span, own_id: int = 0) -> bool:
        return tx.cursor.first(rows.CLASH, (room_id, own_id, span.start_s, span.end_s)) is not None

    def _booked_before(self, tx: Connected, order: BookingOrder, organizer: str) -> Booked | Taken:
        earlier = self._earlier(tx, order.key, organizer)
        if earlier and earlier.did == "book" and earlier.arguments == rows.fingerprint("book", order):
            return Booked(booking=earlier.booking)
        return Taken(room_id=order.room_id)

    def _moved_before(self, tx: Connected, change: BookingChange, organizer: str) -> Moved | None:
        earlier = self._earlier(tx, change.key, organizer)
        if earlier and earlier.did == "move" and earlier.arguments == rows.fingerprint("move", change):
            return Moved(booking=earlier.booking)
        return None

    def _earlier(self, tx: Connected, key: str, organizer: str) -> _Earlier | None:
        found = tx.connection.execute(rows.BY_KEY, {"who": organizer, "key": key}).mappings().first()
        if found is None:
            return None
        return _Earlier(found["did"], found["did_hash"], rows.booking_of(found, self._calendar))

    def _remember(self, tx: Connected, kind: str, organizer: str, key: str, arguments: str, of: int) -> None:
        tx.cursor.run(rows.INSERT_KEY, (organizer, key, arguments, kind, of, self._now_s()))

    def _now_s(self) -> int:
        return int(self._clock().timestamp())

    def _is_past(self, span: Span) -> bool:
        return span.start_s + GRACE_S < self._now_s()

    def _not_before(self, date: dt.date) -> int:
        """Give the first minute of `date` that is offered: the current one; the grace is for saying yes."""
        now = self._calendar.wall(self._now_s())
        if date == now.date():
            return availability.minute_of(now.time())
        return 0 if date > now.date() else _WHOLE_DAY
