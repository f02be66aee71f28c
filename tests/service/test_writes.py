"""Writes over the service: prepared, confirmed by a token that holds for nothing else, carried out once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from booking_bot import BookingBot
from booking_bot.adapters.sql import StoreError
from booking_bot.dialogue.model import BookingOrder
from booking_bot.dialogue.observations import Failed
from booking_bot.service import BookingService, BookingWish, Caller, MoveWish, OperationRefused, WriteResult
from booking_bot.service.confirmation import TTL_S
from booking_bot.tools import ToolContext, service_tools
from tests.service.conftest import ALICE, BOB, MovableClock, rows, wish


async def book(
    service: BookingService, who: Caller, what: BookingWish, key: str, token: str | None = None
) -> WriteResult:
    return await service.settle(who, await service.prepare_booking(who, what, key), token)


async def booked(service: BookingService, who: Caller = ALICE, what: BookingWish | None = None, key: str = "k") -> str:
    """Book in both steps and give the booking's id."""
    what = what or wish()
    first = await book(service, who, what, key)
    second = await book(service, who, what, key, first.confirm_token)
    assert second.booking is not None
    return second.booking.id


async def test_the_first_step_writes_nothing_and_reads_back(bot: BookingBot, service: BookingService) -> None:
    first = await book(service, ALICE, wish(), "k")
    assert first.status == "confirmation_required"
    assert first.read_back is not None and "R1001" in first.read_back and "14:00–15:00" in first.read_back
    assert await rows(bot) == ()


async def test_the_second_step_books_exactly_that(bot: BookingBot, service: BookingService) -> None:
    booking_id = await booked(service, what=wish(capacity=7, title="Planning"))
    (row,) = await rows(bot)
    assert (row.id, row.room_id, row.organizer, row.people, row.title) == (booking_id, "R1001", "alice", 8, "Planning")


@pytest.mark.parametrize(
    "change",
    [
        {"room_id": "R1002"},
        {"start_time": "14:05"},
        {"duration_minutes": 90},
        {"date": "2026-12-02"},
        {"title": "Other"},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_a_token_holds_for_no_other_arguments(
    bot: BookingBot, service: BookingService, change: dict[str, object]
) -> None:
    first = await book(service, ALICE, wish(), "k")
    with pytest.raises(OperationRefused, match="not for these arguments") as refused:
        await book(service, ALICE, wish(**change), "k", first.confirm_token)
    assert refused.value.code == "confirmation_invalid"
    assert await rows(bot) == ()


@pytest.mark.parametrize(("who", "key"), [(BOB, "k"), (ALICE, "other")], ids=["another user", "another key"])
async def test_a_token_holds_for_nobody_else(bot: BookingBot, service: BookingService, who: Caller, key: str) -> None:
    first = await book(service, ALICE, wish(), "k")
    with pytest.raises(OperationRefused):
        await book(service, who, wish(), key, first.confirm_token)
    assert await rows(bot) == ()


@pytest.mark.parametrize("token", ["x", "äöü", "A" * 70, "=" * 12, "-_" * 30])
async def test_made_up_tokens_are_refused(bot: BookingBot, service: BookingService, token: str) -> None:
    with pytest.raises(OperationRefused):
        await book(service, ALICE, wish(), "k", token)
    assert await rows(bot) == ()


async def test_a_token_runs_out(bot: BookingBot, service: BookingService, clock: MovableClock) -> None:
    first = await book(service, ALICE, wish(), "k")
    clock.wait(TTL_S)
    with pytest.raises(OperationRefused, match="run out"):
        await book(service, ALICE, wish(), "k", first.confirm_token)
    assert await rows(bot) == ()


async def test_a_token_is_used_once(bot: BookingBot, service: BookingService) -> None:
    """A cancelled hour is not booked again by an old yes: its key gives the old booking, its token nothing."""
    first = await book(service, ALICE, wish(), "k")
    second = await book(service, ALICE, wish(), "k", first.confirm_token)
    again = await book(service, ALICE, wish(), "k", first.confirm_token)
    assert again.replayed and again.booking == second.booking
    assert len(await rows(bot)) == 1


async def test_a_used_key_gives_its_booking_even_after_it_was_cancelled(
    bot: BookingBot, service: BookingService
) -> None:
    booking_id = await booked(service)
    asked = await service.settle(ALICE, await service.prepare_cancellation(ALICE, booking_id), None)
    await service.settle(ALICE, await service.prepare_cancellation(ALICE, booking_id), asked.confirm_token)
    again = await book(service, ALICE, wish(), "k")
    assert again.replayed and again.booking is not None and again.booking.status == "cancelled"
    assert "Booked:" not in again.message
    assert [row.status for row in await rows(bot)] == ["cancelled"]


async def test_a_key_is_for_one_wish(bot: BookingBot, service: BookingService) -> None:
    await booked(service)
    with pytest.raises(OperationRefused) as refused:
        await book(service, ALICE, wish(start_time="16:00"), "k")
    assert refused.value.code == "key_reused"
    assert len(await rows(bot)) == 1


async def test_two_users_may_choose_the_same_key(bot: BookingBot, service: BookingService) -> None:
    await booked(service, ALICE, wish(), "k")
    await booked(service, BOB, wish(room_id="R1002"), "k")
    assert {row.organizer for row in await rows(bot)} == {"alice", "bob"}


async def test_who_confirms_second_is_told_and_given_others(bot: BookingBot, service: BookingService) -> None:
    for_alice, for_bob = await book(service, ALICE, wish(), "k"), await book(service, BOB, wish(), "k")
    await book(service, ALICE, wish(), "k", for_alice.confirm_token)
    late = await book(service, BOB, wish(), "k", for_bob.confirm_token)
    assert late.status == "taken" and late.booking is None
    assert late.rooms and "R1001" not in {room.room_id for room in late.rooms}
    assert {alternative.rooms[0].room_id for alternative in late.alternatives} == {"R1001"}
    assert [row.organizer for row in await rows(bot)] == ["alice"]


async def test_ten_racing_for_one_room_make_one_booking(bot: BookingBot, service: BookingService) -> None:
    users = [Caller(user_id=f"user-{n}") for n in range(10)]
    asked = [await book(service, user, wish(), "k") for user in users]
    done = await asyncio.gather(
        *(book(service, user, wish(), "k", first.confirm_token) for user, first in zip(users, asked, strict=True))
    )
    assert sorted(result.status for result in done) == ["booked"] + ["taken"] * 9
    assert len(await rows(bot)) == 1


async def test_a_double_click_makes_one_booking(bot: BookingBot, service: BookingService) -> None:
    first = await book(service, ALICE, wish(), "k")
    done = await asyncio.gather(
        *(book(service, ALICE, wish(), "k", first.confirm_token) for _ in range(4)), return_exceptions=True
    )
    assert any(isinstance(result, WriteResult) and result.status == "booked" for result in done)
    assert len(await rows(bot)) == 1


async def test_a_move_keeps_what_is_not_said(bot: BookingBot, service: BookingService) -> None:
    booking_id = await booked(service)
    to = MoveWish.model_validate({"start_time": "14:30"})
    asked = await service.settle(ALICE, await service.prepare_move(ALICE, booking_id, to, "m"), None)
    assert [f"{row.start_time:%H:%M}" for row in await rows(bot)] == ["14:00"]
    moved = await service.settle(ALICE, await service.prepare_move(ALICE, booking_id, to, "m"), asked.confirm_token)
    assert moved.status == "moved"
    (row,) = await rows(bot)
    assert (row.room_id, f"{row.start_time:%H:%M}", row.minutes) == ("R1001", "14:30", 60)
    again = await service.settle(ALICE, await service.prepare_move(ALICE, booking_id, to, "m"), None)
    assert again.replayed and again.status == "moved"


async def test_a_move_into_a_taken_room_leaves_the_booking(bot: BookingBot, service: BookingService) -> None:
    booking_id = await booked(service)
    await booked(service, BOB, wish(start_time="16:00"), "b")
    to = MoveWish.model_validate({"start_time": "15:30"})
    result = await service.settle(ALICE, await service.prepare_move(ALICE, booking_id, to, "m"), None)
    assert result.status == "taken" and result.rooms
    assert [f"{row.start_time:%H:%M}" for row in await rows(bot) if row.organizer == "alice"] == ["14:00"]


async def test_a_yes_to_a_move_does_not_move_what_changed_meanwhile(bot: BookingBot, service: BookingService) -> None:
    booking_id = await booked(service)
    to = MoveWish.model_validate({"start_time": "16:00"})
    asked = await service.settle(ALICE, await service.prepare_move(ALICE, booking_id, to, "m"), None)
    other = MoveWish.model_validate({"room_id": "R1002"})
    first = await service.settle(ALICE, await service.prepare_move(ALICE, booking_id, other, "m2"), None)
    await service.settle(ALICE, await service.prepare_move(ALICE, booking_id, other, "m2"), first.confirm_token)
    with pytest.raises(OperationRefused) as refused:
        await service.settle(ALICE, await service.prepare_move(ALICE, booking_id, to, "m"), asked.confirm_token)
    assert refused.value.code == "confirmation_invalid"
    assert [(row.room_id, f"{row.start_time:%H:%M}") for row in await rows(bot)] == [("R1002", "14:00")]


async def test_nobody_touches_or_sees_anothers_booking(bot: BookingBot, service: BookingService) -> None:
    booking_id = await booked(service)
    for attempt in (
        service.my_booking(BOB, booking_id),
        service.prepare_cancellation(BOB, booking_id),
        service.prepare_move(BOB, booking_id, MoveWish.model_validate({"start_time": "16:00"}), "m"),
    ):
        with pytest.raises(OperationRefused) as refused:
            await attempt
        assert refused.value.code == "not_found"
    assert (await service.my_bookings(BOB)).bookings == ()


async def test_a_cancellation_takes_two_steps_and_needs_no_key(bot: BookingBot, service: BookingService) -> None:
    booking_id = await booked(service)
    asked = await service.settle(ALICE, await service.prepare_cancellation(ALICE, booking_id), None)
    assert asked.status == "confirmation_required" and [row.status for row in await rows(bot)] == ["booked"]
    done = await service.settle(ALICE, await service.prepare_cancellation(ALICE, booking_id), asked.confirm_token)
    assert done.status == "cancelled" and [row.status for row in await rows(bot)] == ["cancelled"]
    again = await service.settle(ALICE, await service.prepare_cancellation(ALICE, booking_id), None)
    assert again.status == "cancelled" and again.replayed


async def test_a_schedule_names_only_ones_own(bot: BookingBot, service: BookingService, clock: MovableClock) -> None:
    await booked(service, ALICE, wish(title="Secret"), "a")
    await booked(service, BOB, wish(start_time="16:00", title="Mine"), "b")
    clock.wait(86_400)
    meetings = (await service.schedule(BOB)).meetings
    assert [(meeting.own, meeting.title) for meeting in meetings] == [(False, None), (True, "Mine")]


class Unsteady:
    """Loses the first answer of every booking; commits it all the same when `commits`."""

    def __init__(self, bot: BookingBot, *, commits: bool, finds: bool = True) -> None:
        self._ledger, self._store = bot.engine.store.ledger, bot.engine.store
        self.commits, self.finds, self.lost = commits, finds, 0

    async def book_room(self, order: BookingOrder, organizer: str) -> object:
        if self.lost == 0:
            self.lost = 1
            if self.commits:
                await self._store.run(lambda tx: self._ledger.book_room(tx, order, organizer))
            return Failed(tool="book_room", reason="lost", uncertain=True)
        return await self._store.run(lambda tx: self._ledger.book_room(tx, order, organizer))

    async def find_booking(self, key: str, organizer: str) -> object:
        if self.lost and not self.finds:
            return Failed(tool="find_booking", reason="down")
        return await self._store.read(lambda tx: self._ledger.find_booking(tx, key, organizer))


def unsteady(bot: BookingBot, **how: bool) -> tuple[BookingService, Unsteady]:
    """Put an unsteady service under the write and the look-up."""
    world = Unsteady(bot, **how)
    tools = {tool.name: tool for tool in service_tools(world)}  # type: ignore[arg-type]  # two of its verbs
    bot.engine.tools = bot.engine.tools.with_tools(tools["book_room"], tools["find_booking"])
    return BookingService(bot.engine), world


async def test_a_lost_answer_is_looked_up(bot: BookingBot) -> None:
    service, _ = unsteady(bot, commits=True)
    first = await book(service, ALICE, wish(), "k")
    assert (await book(service, ALICE, wish(), "k", first.confirm_token)).status == "booked"
    assert len(await rows(bot)) == 1


async def test_a_write_that_did_not_happen_can_be_tried_with_the_same_yes(bot: BookingBot) -> None:
    service, _ = unsteady(bot, commits=False)
    first = await book(service, ALICE, wish(), "k")
    with pytest.raises(OperationRefused) as refused:
        await book(service, ALICE, wish(), "k", first.confirm_token)
    assert refused.value.code == "unavailable"
    assert (await book(service, ALICE, wish(), "k", first.confirm_token)).status == "booked"
    assert len(await rows(bot)) == 1


async def test_what_nobody_knows_is_called_uncertain_and_found_later(bot: BookingBot) -> None:
    service, world = unsteady(bot, commits=True, finds=False)
    first = await book(service, ALICE, wish(), "k")
    with pytest.raises(OperationRefused) as refused:
        await book(service, ALICE, wish(), "k", first.confirm_token)
    assert refused.value.code == "not_certain"
    world.finds = True
    later = await book(service, ALICE, wish(), "k", first.confirm_token)
    assert later.status == "booked" and later.replayed
    assert len(await rows(bot)) == 1


async def test_giving_up_waiting_does_not_stop_a_write(bot: BookingBot, service: BookingService) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()
    plain = bot.engine.tools["book_room"].inside
    assert plain is not None
    store = bot.engine.store

    async def slow(order: object, context: ToolContext) -> object:
        begun.set()
        await go_on.wait()
        return await store.run(lambda tx: plain(tx, order, context))

    bot.engine.tools = bot.engine.tools.with_tools(replace(bot.engine.tools["book_room"], inside=None, outside=slow))  # type: ignore[arg-type]  # a plain coroutine
    first = await book(service, ALICE, wish(), "k")
    waiting = asyncio.ensure_future(book(service, ALICE, wish(), "k", first.confirm_token))
    await begun.wait()
    waiting.cancel()
    go_on.set()
    await asyncio.gather(waiting, return_exceptions=True)
    await service.close()
    assert len(await rows(bot)) == 1


async def test_every_direct_write_is_written_down(bot: BookingBot, service: BookingService) -> None:
    await booked(service, Caller(user_id="alice", channel="mcp"))
    await book(service, ALICE, wish(), "k")
    store = bot.engine.store
    found = await store.read(lambda reader: reader.connection.exec_driver_sql("SELECT * FROM audit").mappings().all())
    assert [(row["step"], row["tool"], row["user_id"], row["channel"]) for row in found] == [
        ("intent", "book_room", "alice", "mcp"),
        ("decision", "book_room", "alice", "mcp"),
        ("outcome", "book_room", "alice", "mcp"),
    ]
    assert found[2]["after"].startswith("booked ") and "R1001" in found[0]["before"]


async def test_a_schedule_that_cannot_be_read_is_refused_like_everything_else(
    service: BookingService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(service.engine.store, "read", broken)
    with pytest.raises(OperationRefused) as refused:
        await service.schedule(BOB)
    assert refused.value.code == "unavailable"
