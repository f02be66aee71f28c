"""The bookings of the database as a room service of its own: every call is its own transaction."""

from __future__ import annotations

from booking_bot.adapters.sql.ledger import SqlLedger
from booking_bot.adapters.sql.records import StoreError
from booking_bot.adapters.sql.store import SqlStore
from booking_bot.dialogue.model import BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import (
    Booked,
    Cancelled,
    Failed,
    Found,
    Gone,
    Listed,
    Moved,
    NoneFree,
    Refused,
    Taken,
)


class LedgerService:
    """A `RoomService` over the store, for who has no turn to write bookings with. A failing database is `Failed`."""

    def __init__(self, store: SqlStore, ledger: SqlLedger | None = None) -> None:
        self._store = store
        self._ledger = ledger or store.ledger

    async def search_rooms(self, request: RoomRequest) -> Found | NoneFree | Failed:
        """Find rooms that fit and are free."""
        try:
            return await self._store.read(lambda tx: self._ledger.search_rooms(tx, request))
        except StoreError as exc:
            return Failed(tool="search_rooms", reason=str(exc))

    async def book_room(self, order: BookingOrder, organizer: str) -> Booked | Taken | Refused | Failed:
        """Book exactly this order; the same key again gives the booking made the first time."""
        try:
            return await self._store.run(lambda tx: self._ledger.book_room(tx, order, organizer))
        except StoreError as exc:
            return Failed(tool="book_room", reason=str(exc), uncertain=True)

    async def move_booking(self, change: BookingChange, organizer: str) -> Moved | Taken | Gone | Refused | Failed:
        """Move an own booking; on `Taken` it stays as it was."""
        try:
            return await self._store.run(lambda tx: self._ledger.move_booking(tx, change, organizer))
        except StoreError as exc:
            return Failed(tool="move_booking", reason=str(exc), uncertain=True)

    async def cancel_booking(self, cancellation: Cancellation, organizer: str) -> Cancelled | Gone | Refused | Failed:
        """Cancel an own booking."""
        try:
            return await self._store.run(lambda tx: self._ledger.cancel_booking(tx, cancellation, organizer))
        except StoreError as exc:
            return Failed(tool="cancel_booking", reason=str(exc), uncertain=True)

    async def list_bookings(self, organizer: str) -> Listed | Failed:
        """List the organizer's bookings that are not over."""
        try:
            return await self._store.read(lambda tx: self._ledger.list_bookings(tx, organizer))
        except StoreError as exc:
            return Failed(tool="list_bookings", reason=str(exc))

    async def find_booking(self, key: str, organizer: str) -> Booked | Moved | Cancelled | Gone | Failed:
        """Look up what the write with this idempotency key did; `Gone` when it never took effect."""
        try:
            return await self._store.read(lambda tx: self._ledger.find_booking(tx, key, organizer))
        except StoreError as exc:
            return Failed(tool="find_booking", reason=str(exc))
