"""The booking operations for programs: search, suggest, book, list, move, cancel, weather, today's schedule.

Every write is prepared first, which writes nothing and gives a read-back; what was read back is what is carried out,
after the user's yes. The two steps meet in `Prepared` (a channel that can ask the user itself) or in a token (one that
cannot).
"""

from __future__ import annotations

from dataclasses import dataclass

from booking_bot.adapters.sql import StoreError
from booking_bot.dialogue.actions import Call, Say, say
from booking_bot.dialogue.model import (
    Booking,
    BookingChange,
    Cancellation,
    NoArguments,
    RoomRequest,
    WeatherQuestion,
)
from booking_bot.dialogue.observations import (
    Booked,
    Cancelled,
    Failed,
    Found,
    Gone,
    Listed,
    Moved,
    NoneFree,
    PlaceUnknown,
    Refused,
    Taken,
    ToolObservation,
    WeatherTold,
)
from booking_bot.engine import Engine
from booking_bot.language.writer import write
from booking_bot.reply import BookedRoom
from booking_bot.service.confirmation import Confirmations
from booking_bot.service.conversion import meeting_of, order_of, slots_of, stands_at, stored_key_of
from booking_bot.service.errors import OperationRefused, RefusalCode
from booking_bot.service.execution import Execution, Written
from booking_bot.service.rules import Rules
from booking_bot.service.texts import text
from booking_bot.service.values import (
    AlternativeOffer,
    BookingWish,
    CalendarDate,
    Caller,
    MoveWish,
    OwnBookings,
    RoomOffer,
    RoomsFound,
    RoomWish,
    Schedule,
    WeatherReport,
    WriteResult,
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A write that only waits for the user's yes.

    Attributes:
        call: the exact write.
        read_back: what the user is asked, word for word.
        request: the search it came from, for what else would be free; None for a cancellation.
    """

    call: Call
    key: str
    read_back: str
    request: RoomRequest | None = None

    @property
    def exact(self) -> str:
        """Give the write as text: two writes with the same text are the same write."""
        return f"{self.call.tool}:{self.call.arguments.model_dump_json()}"


class BookingService:
    """The operations over one engine.

    Args:
        secret: signs confirmation tokens; with several processes they must share it. Random when None.

    Raises (all operations): `OperationRefused`.
    """

    def __init__(self, engine: Engine, *, secret: str | None = None) -> None:
        self.engine = engine
        self.site = engine.site
        self._execution = Execution(engine)
        self._confirmations = Confirmations(engine.clock, secret)

    # --- reading ---------------------------------------------------------------------------------------------------

    async def search_rooms(self, caller: Caller, wish: RoomWish) -> RoomsFound:
        """Find rooms that fit and are free; what comes near when there are none."""
        request, notes = self._rules(caller).request_of(wish)
        found = await self._search(caller, request)
        return self._found(caller, request, found).model_copy(update={"notes": notes})

    async def suggest_alternatives(self, caller: Caller, wish: RoomWish, room_id: str | None = None) -> RoomsFound:
        """Tell what comes near a wish: other rooms at that time, other times, other buildings.

        Args:
            room_id: a room the user would like to keep; other times are then its own.
        """
        request, notes = self._rules(caller).request_of(wish, room_id)
        found = await self._search(caller, request)
        result = self._found(caller, request, found).model_copy(update={"notes": notes})
        if room_id is None or isinstance(found, Found):
            return result
        others = await self._search(caller, request.model_copy(update={"room_id": None}))
        return result.model_copy(update={"rooms": self._found(caller, request, others).rooms})

    async def my_bookings(self, caller: Caller) -> OwnBookings:
        """List the caller's bookings that are not over."""
        return OwnBookings(bookings=tuple(BookedRoom.of(booking) for booking in await self._own(caller)))

    async def my_booking(self, caller: Caller, booking_id: str) -> BookedRoom:
        """Show one of the caller's bookings; anybody else's is ``not_found``."""
        return BookedRoom.of(await self._own_one(caller, booking_id))

    async def get_weather(self, caller: Caller, place: str, date: CalendarDate | None = None) -> WeatherReport:
        """Tell a day's weather at a place; today's when no day is given."""
        question = WeatherQuestion(place=place, date=date or self.engine.now().date())
        told = await self._execution.ask(caller, Call("get_weather", question))
        match told:
            case WeatherTold():
                return WeatherReport(
                    location=told.place,
                    text=self._write(caller, say("weather", told=told)),
                    **told.model_dump(include={"date", "code", "low", "high", "rain_chance"}),
                )
            case PlaceUnknown():
                raise OperationRefused("place_unknown", text("place_unknown", caller.language, place=place[:30]))
            case _:
                raise self._failed(caller, told)

    async def schedule(self, caller: Caller) -> Schedule:
        """Show today's taken stretches, others' without names; only own ones where the rooms are a remote service."""
        today = self.engine.now().date()
        if self.engine.tools["list_bookings"].inside is None:
            found: tuple[Booking, ...] = tuple(b for b in await self._own(caller) if b.date == today)
        else:
            store = self.engine.store
            try:
                found = await store.read(lambda reader: store.ledger.all_bookings(reader, date=today, everything=True))
            except StoreError:
                raise self._refusal(caller, "unavailable") from None
        meetings = tuple(meeting_of(booking, caller) for booking in found if booking.status == "booked")
        return Schedule(date=today, meetings=meetings)

    # --- writing ---------------------------------------------------------------------------------------------------

    async def prepare_booking(self, caller: Caller, wish: BookingWish, key: str) -> Prepared | WriteResult:
        """Check a booking and word its read-back. A result instead means there is nothing to confirm."""
        stored_key = stored_key_of(key)
        earlier = await self._earlier(caller, stored_key)
        if earlier is not None:
            return await self._booked_earlier(caller, wish, stored_key, earlier)
        request, _notes = self._rules(caller).booking_request(wish)
        found = await self._search(caller, request)
        if isinstance(found, NoneFree):
            return await self._taken(caller, request)
        order = order_of(wish, request.capacity, stored_key)
        read_back = self._write(caller, say("read_back", order=order, slots=slots_of(request)))
        return Prepared(Call("book_room", order), stored_key, read_back, request)

    async def prepare_move(self, caller: Caller, booking_id: str, wish: MoveWish, key: str) -> Prepared | WriteResult:
        """Check a move and word its read-back; see `prepare_booking`."""
        stored_key = stored_key_of(key)
        earlier = await self._earlier(caller, stored_key)
        if earlier is not None:
            if isinstance(earlier, Moved) and earlier.booking.id == booking_id and stands_at(earlier.booking, wish):
                return self._wrote(caller, earlier, replayed=True)
            raise self._refusal(caller, "key_reused")
        booking = await self._own_one(caller, booking_id)
        request = self._rules(caller).move_request(booking, wish)
        found = await self._search(caller, request)
        if isinstance(found, NoneFree):
            return await self._taken(caller, request)
        change = BookingChange(
            booking_id=booking.id,
            version=booking.version,
            room_id=request.room_id or booking.room_id,
            date=request.date,
            start_time=request.start_time,
            duration_minutes=request.duration_minutes,
            key=stored_key,
        )
        read_back = self._write(caller, say("read_back_move", booking=booking, change=change))
        return Prepared(Call("move_booking", change), stored_key, read_back, request)

    async def prepare_cancellation(
        self, caller: Caller, booking_id: str, key: str | None = None
    ) -> Prepared | WriteResult:
        """Check a cancellation and word its read-back; see `prepare_booking`.

        Args:
            key: may be left out, for a booking is cancelled only once.
        """
        stored_key = stored_key_of(f"cancel\0{booking_id}" if key is None else key)
        earlier = await self._earlier(caller, stored_key)
        if earlier is not None:
            if isinstance(earlier, Cancelled) and earlier.booking.id == booking_id:
                return self._wrote(caller, earlier, replayed=True)
            raise self._refusal(caller, "key_reused")
        booking = await self._own_one(caller, booking_id)
        cancellation = Cancellation(booking_id=booking.id, version=booking.version, key=stored_key)
        read_back = self._write(caller, say("read_back_cancel", booking=booking))
        return Prepared(Call("cancel_booking", cancellation), stored_key, read_back)

    async def carry_out(self, caller: Caller, prepared: Prepared) -> WriteResult:
        """Do what was read back. Only to be called after the user's yes to exactly that."""
        answer = await self._execution.write(caller, prepared.call, prepared.key)
        match answer:
            case Booked() | Moved() | Cancelled():
                return self._wrote(caller, answer)
            case Taken() if prepared.request is not None:
                return await self._taken(caller, prepared.request)
            case Gone() | Taken():
                raise self._refusal(caller, "not_found")
            case _:
                raise self._failed(caller, answer)

    async def settle(self, caller: Caller, prepared: Prepared | WriteResult, confirm_token: str | None) -> WriteResult:
        """Take the step that the token stands for: without one ask for the yes, with one carry the write out."""
        if isinstance(prepared, WriteResult):
            return prepared
        exact = f"{self.site.name}:{prepared.exact}"
        if confirm_token is None:
            return WriteResult(
                status="confirmation_required",
                message=prepared.read_back,
                read_back=prepared.read_back,
                confirm_token=self._confirmations.issue(caller.user_id, exact),
                expires_in_s=self._confirmations.ttl_s,
            )
        self._confirmations.redeem(confirm_token, caller.user_id, exact)
        try:
            return await self.carry_out(caller, prepared)
        except OperationRefused as refused:
            if refused.code in ("unavailable", "not_certain"):
                self._confirmations.give_back(confirm_token)
            raise

    def not_confirmed(self, caller: Caller) -> WriteResult:
        """Tell that the user said no."""
        return WriteResult(status="not_confirmed", message=text("not_confirmed", caller.language))

    async def close(self) -> None:
        """Finish the writes under way."""
        await self._execution.close()

    # --- inside ----------------------------------------------------------------------------------------------------

    def _rules(self, caller: Caller) -> Rules:
        return Rules(self.site, self.engine.now(), caller.language)

    async def _search(self, caller: Caller, request: RoomRequest) -> Found | NoneFree:
        found = await self._execution.ask(caller, Call("search_rooms", request))
        if isinstance(found, Found | NoneFree):
            return found
        raise self._failed(caller, found)

    async def _own(self, caller: Caller) -> tuple[Booking, ...]:
        listed = await self._execution.ask(caller, Call("list_bookings", NoArguments()))
        if isinstance(listed, Listed):
            return listed.bookings
        raise self._failed(caller, listed)

    async def _own_one(self, caller: Caller, booking_id: str) -> Booking:
        for booking in await self._own(caller):
            if booking.id == booking_id:
                return booking
        raise self._refusal(caller, "not_found")

    async def _earlier(self, caller: Caller, key: str) -> Written | None:
        found = await self._execution.earlier(caller, key)
        if isinstance(found, Failed):
            raise self._failed(caller, found)
        return found

    async def _booked_earlier(self, caller: Caller, wish: BookingWish, key: str, earlier: Written) -> WriteResult:
        """Give the booking of a used key when it stands for exactly this wish. Nothing can be written under it."""
        seats = next((count for count in self.site.seat_counts if count >= wish.capacity), None)
        if not isinstance(earlier, Booked) or seats is None:
            raise self._refusal(caller, "key_reused")
        again = await self._execution.repeat(caller, Call("book_room", order_of(wish, seats, key)))
        if isinstance(again, Booked):
            return self._wrote(caller, again, replayed=True)
        raise self._refusal(caller, "key_reused") if isinstance(again, Taken | Refused) else self._failed(caller, again)

    async def _taken(self, caller: Caller, request: RoomRequest) -> WriteResult:
        room = self.site.rooms_by_id[request.room_id or self.site.rooms[0].id]
        anywhere = await self._search(caller, request.model_copy(update={"room_id": None}))
        found = self._found(caller, request, anywhere)
        if isinstance(anywhere, Found):
            own_times = await self._search(caller, request)
            found = found.model_copy(update={"alternatives": self._found(caller, request, own_times).alternatives})
        return WriteResult(
            status="taken",
            message=text("not_free", caller.language, room=f"{room.name.in_(caller.language)} ({room.id})"),
            rooms=found.rooms,
            alternatives=found.alternatives,
        )

    def _found(self, caller: Caller, request: RoomRequest, found: Found | NoneFree) -> RoomsFound:
        if isinstance(found, Found):
            rooms = self._offers(found.room_ids)
            return RoomsFound(rooms=rooms, message=text("free", caller.language, count=len(rooms)))
        alternatives = tuple(
            AlternativeOffer(
                kind=alternative.kind,
                date=request.date,
                start_time=alternative.start_time,
                building=alternative.building,
                rooms=self._offers(alternative.room_ids[: self.site.policy.offers]),
            )
            for alternative in found.alternatives
        )
        message = self._write(caller, say("none_free", slots=slots_of(request), fitting=found.fitting))
        return RoomsFound(rooms=(), alternatives=alternatives, message=message)

    def _offers(self, room_ids: tuple[str, ...]) -> tuple[RoomOffer, ...]:
        rooms = self.site.rooms_by_id
        return tuple(RoomOffer.of(rooms[room_id]) for room_id in room_ids if room_id in rooms)

    def _wrote(self, caller: Caller, written: Written, *, replayed: bool = False) -> WriteResult:
        said = say(written.kind, booking=written.booking)
        if written.booking.status == "cancelled" and not isinstance(written, Cancelled):
            said = say("cancelled", booking=written.booking)  # what the key made was cancelled since
        return WriteResult(
            status=written.kind,
            message=self._write(caller, said),
            booking=BookedRoom.of(written.booking),
            replayed=replayed,
        )

    def _write(self, caller: Caller, *says: Say) -> str:
        return write(says, caller.language, self.site, self.engine.now().date())

    def _failed(self, caller: Caller, answer: ToolObservation) -> OperationRefused:
        match answer:
            case Refused(reason=reason):
                return self._refusal(caller, "refused", reason=reason[:200])
            case Failed(uncertain=True):
                return self._refusal(caller, "not_certain")
            case _:
                return self._refusal(caller, "unavailable")

    def _refusal(self, caller: Caller, code: RefusalCode, **values: object) -> OperationRefused:
        return OperationRefused(code, text(code, caller.language, **values))
