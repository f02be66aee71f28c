"""A room service over the store, one transaction a call."""

from __future__ import annotations

from booking_bot.adapters.sql import SqlStore
from booking_bot.dialogue.model import BookingChange, BookingOrder, Cancellation, RoomRequest
from booking_bot.dialogue.observations import Booked, Cancelled, Found, Gone, Listed, Moved, NoneFree, Taken


class StoreRooms:
    def __init__(self, store: SqlStore) -> None:
        self.store = store
        self.ledger = store.ledger

    async def search_rooms(self, request: RoomRequest) -> Found | NoneFree:
        return await self.store.run(lambda tx: self.ledger.search_rooms(tx, request))

    async def book_room(self, order: BookingOrder, organizer: str) -> Booked | Taken:
        return await self.store.run(lambda tx: self.ledger.book_room(tx, order, organizer))

    async def move_booking(self, change: BookingChange, organizer: str) -> Moved | Taken | Gone:
        return await self.store.run(lambda tx: self.ledger.move_booking(tx, change, organizer))

    async def cancel_booking(self, cancellation: Cancellation, organizer: str) -> Cancelled | Gone:
        return await self.store.run(lambda tx: self.ledger.cancel_booking(tx, cancellation, organizer))

    async def list_bookings(self, organizer: str) -> Listed:
        return await self.store.run(lambda tx: self.ledger.list_bookings(tx, organizer))

    async def find_booking(self, key: str, organizer: str) -> Booked | Moved | Cancelled | Gone:
        return await self.store.run(lambda tx: self.ledger.find_booking(tx, key, organizer))
