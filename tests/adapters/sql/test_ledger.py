"""Bookings in the database: days and clock changes, what stands in the rows, and what an administrator sees."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from booking_bot.adapters.sql import LedgerService, SqlStore, schema
from booking_bot.dialogue.model import Booking
from booking_bot.dialogue.observations import Booked, Found, Moved, NoneFree
from booking_bot.dialogue.site import Site
from tests.adapters.room_service_contract import (
    DAY,
    TODAY,
    at,
    booked,
    cancellation,
    change,
    order,
    wish,
)
from tests.adapters.sql.conftest import HandClock

BOOKING = schema.METADATA.tables["booking"]
CLAIM = schema.METADATA.tables["room_claim"]


def site_in(site: Site, timezone: str, opens: str = "00:00", closes: str = "00:00") -> Site:
    hours = {"timezone": timezone, "opens": at(opens), "closes": at(closes)}
    return site.model_copy(update={"policy": site.policy.model_copy(update=hours)})


@pytest.fixture
async def london(tmp_path: Path, site: Site, clock: HandClock) -> AsyncIterator[LedgerService]:
    """An office in London that never closes, asked about its clock changes of 2027 (28 March, 31 October)."""
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'london.db'}", site_in(site, "Europe/London"), clock)
    yield LedgerService(store)
    await store.close()


async def rows(store: SqlStore, table: Any) -> list[dict[str, Any]]:
    return await store.read(lambda r: [dict(row) for row in r.connection.execute(select(table)).mappings()])


async def test_a_booking_claims_each_of_its_buckets_once(store: SqlStore) -> None:
    await booked(LedgerService(store), order("1", "14:00", 30))
    start_s = int(dt.datetime.fromisoformat("2026-12-01T14:00:00+08:00").timestamp())
    assert [(c["room_id"], c["bucket"]) for c in await rows(store, CLAIM)] == [
        ("R1001", start_s // 300 + i) for i in range(6)
    ]
    (row,) = await rows(store, BOOKING)
    assert (row["start_s"], row["end_s"], row["tz"]) == (start_s, start_s + 1800, "Asia/Shanghai")
    assert (row["block_from_s"], row["block_to_s"]) == (start_s, start_s + 1800)


async def test_the_calendar_sequence_rises_with_each_change(store: SqlStore) -> None:
    service = LedgerService(store)
    made = await booked(service, order("1"))
    (before,) = await rows(store, BOOKING)
    moved = await service.move_booking(change(made, "2", "16:00"), "alice")
    assert isinstance(moved, Moved)
    await service.cancel_booking(cancellation(moved.booking, "3"), "alice")
    (after,) = await rows(store, BOOKING)
    assert (before["ical_seq"], after["ical_seq"]) == (0, 2)
    assert after["ical_uid"] == before["ical_uid"]
    assert await rows(store, CLAIM) == []


async def test_the_claims_refuse_an_overlap_whoever_writes_it(store: SqlStore) -> None:
    await booked(LedgerService(store), order("1"))
    (row,) = await rows(store, BOOKING)
    other = {k: v for k, v in row.items() if k != "id"} | {"public_id": "other", "idem_key": "other-key"}

    def write(tx: Any) -> None:
        key = tx.connection.execute(insert(BOOKING), other).inserted_primary_key[0]
        bucket = row["start_s"] // 300 + 3
        with pytest.raises(IntegrityError), tx.connection.begin_nested():
            tx.connection.execute(insert(CLAIM), {"room_id": "R1001", "bucket": bucket, "booking_id": key})
        with pytest.raises(IntegrityError), tx.connection.begin_nested():
            tx.connection.execute(insert(CLAIM), {"room_id": "R1002", "bucket": bucket, "booking_id": key})
        raise InterruptedError

    with pytest.raises(InterruptedError):
        await store.run(write)


async def test_the_database_refuses_bookings_that_cannot_be(store: SqlStore) -> None:
    await booked(LedgerService(store), order("1"))
    for wrong in ({"end_s": 0}, {"start_s": 7}, {"status": "held"}, {"block_to_s": 0}):
        with pytest.raises(Exception, match=r"(?i)check|constraint"):
            await store.run(lambda tx, wrong=wrong: tx.connection.execute(update(BOOKING).values(wrong)))


async def test_a_booking_until_midnight_and_one_from_midnight_do_not_meet(london: LedgerService) -> None:
    await booked(london, order("1", "22:00", 120))
    await booked(london, order("2", "00:00", 120, date=DAY + dt.timedelta(days=1)))
    assert (await london.book_room(order("3", "23:00", 120), "bob")).kind == "taken"


async def test_what_reaches_over_midnight_is_busy_on_both_days(tmp_path: Path, site: Site, clock: HandClock) -> None:
    """The bot makes none, a calendar import may: 20:00 to 00:30."""
    store = await SqlStore.open(f"sqlite:///{tmp_path / 'x.db'}", site_in(site, "Asia/Shanghai"), clock)
    service = LedgerService(store)
    made = await booked(service, order("1", "20:00", 240))
    longer = {"end_s": BOOKING.c.end_s + 1800, "block_to_s": BOOKING.c.block_to_s + 1800}
    await store.run(lambda tx: tx.connection.execute(update(BOOKING).values(longer)))
    answers = [
        await service.search_rooms(wish("19:30", room_id="R1001")),
        await service.search_rooms(wish("00:15", date=DAY + dt.timedelta(days=1), room_id="R1001")),
        await service.search_rooms(wish("00:30", date=DAY + dt.timedelta(days=1), room_id="R1001")),
    ]
    assert [answer.kind for answer in answers] == ["none_free", "none_free", "found"]
    assert made.minutes == 240
    await store.close()


async def test_a_long_booking_is_busy_in_its_midst(store: SqlStore) -> None:
    service = LedgerService(store)
    await booked(service, order("1"))
    week = {"start_s": BOOKING.c.start_s - 259_200, "block_from_s": BOOKING.c.block_from_s - 259_200}
    longer = {"end_s": BOOKING.c.end_s + 259_200, "block_to_s": BOOKING.c.block_to_s + 259_200}
    await store.run(lambda tx: tx.connection.execute(update(BOOKING).values(week | longer)))
    assert isinstance(await service.search_rooms(wish("08:00", room_id="R1001")), NoneFree)


SPRING, AUTUMN = dt.date(2027, 3, 28), dt.date(2027, 10, 31)


@pytest.mark.parametrize("date", [SPRING, AUTUMN])
@pytest.mark.parametrize("taken", ["00:00", "00:30", "01:00", "02:00", "03:00", "12:00"])
async def test_on_days_of_a_clock_change_nothing_taken_is_offered(
    london: LedgerService, date: dt.date, taken: str
) -> None:
    first = await london.book_room(order("1", taken, date=date), "alice")
    if not isinstance(first, Booked):
        assert (date, taken) == (SPRING, "01:00")
        return
    assert first.booking.start_time == at(taken)
    assert first.booking.minutes == 60
    offered, kept = 0, 0
    for number, minute in enumerate(range(0, 1440 - 60, 30)):
        start = f"{minute // 60:02d}:{minute % 60:02d}"
        found = await london.search_rooms(wish(start, date=date, room_id="R1001"))
        if isinstance(found, Found):
            offered += 1
            again = await london.book_room(order(str(10 + number), start, date=date), "bob")
            assert isinstance(again, Booked), start
            kept += again.booking.start_time == at(start)
            await london.cancel_booking(cancellation(again.booking, str(100 + number)), "bob")
    assert offered == kept >= 36


async def test_opening_hours_are_wall_time_after_a_clock_change(tmp_path: Path, site: Site, clock: HandClock) -> None:
    toronto = site_in(site, "America/Toronto", "09:00", "17:00")
    store = await SqlStore.open(f"sqlite:///{tmp_path / 't.db'}", toronto, clock)
    service = LedgerService(store)
    for number, date in enumerate((dt.date(2027, 3, 12), dt.date(2027, 3, 15))):
        made = await booked(service, order(str(number), "09:00", date=date))
        assert made.start_time == at("09:00")
    starts = [row["start_s"] for row in await rows(store, BOOKING)]
    assert starts[1] - starts[0] == 3 * 86_400 - 3_600
    await store.close()


async def test_what_is_over_is_not_listed_and_stays_as_it_was(store: SqlStore, clock: HandClock) -> None:
    service = LedgerService(store)
    made = await booked(service, order("1"))
    clock.now += dt.timedelta(days=1, hours=5, minutes=30)  # 14:30, in its midst
    assert (await service.list_bookings("alice")).kind == "listed"
    extended = await service.move_booking(change(made, "2", "14:00", 90), "alice")
    assert isinstance(extended, Moved)
    clock.now += dt.timedelta(hours=1)
    assert getattr(await service.list_bookings("alice"), "bookings", None) == ()
    assert (await service.cancel_booking(cancellation(extended.booking, "3"), "alice")).kind == "gone"
    assert (await service.move_booking(change(extended.booking, "4", "18:00"), "alice")).kind == "gone"


async def test_the_same_order_again_is_found_even_when_its_time_has_passed(store: SqlStore, clock: HandClock) -> None:
    service = LedgerService(store)
    made = await booked(service, order("1"))
    clock.now += dt.timedelta(days=3)
    assert await booked(service, order("1")) == made


async def test_ids_differ_by_case(store: SqlStore) -> None:
    service = LedgerService(store)
    await booked(service, order("1"), "alice")
    assert getattr(await service.list_bookings("Alice"), "bookings", None) == ()
    assert (await booked(service, order("1", "18:00"), "Alice")).organizer == "Alice"


async def test_an_administrator_sees_all_bookings_by_user_and_day(store: SqlStore, clock: HandClock) -> None:
    service = LedgerService(store)
    first = await booked(service, order("1", "10:00", date=TODAY), "alice")
    second = await booked(service, order("2"), "bob")
    third = await booked(service, order("3", "16:00"), "alice")
    dropped = await service.cancel_booking(cancellation(second, "4"), "bob")
    clock.now += dt.timedelta(hours=5)

    async def ids(**filters: Any) -> list[str]:
        found: tuple[Booking, ...] = await store.read(lambda r: store.ledger.all_bookings(r, **filters))
        return [b.id for b in found]

    assert dropped.kind == "cancelled"
    assert await ids() == [third.id]
    assert await ids(everything=True) == [first.id, second.id, third.id]
    assert await ids(everything=True, organizer="alice") == [first.id, third.id]
    assert await ids(everything=True, date=DAY) == [second.id, third.id]
    assert await ids(date=TODAY) == []


async def test_the_check_finds_what_no_constraint_forbids(store: SqlStore) -> None:
    service = LedgerService(store)
    made = await booked(service, order("1"))
    other = await booked(service, order("2", "18:00"))
    assert await store.findings() == ()
    one = (await rows(store, CLAIM))[0]["bucket"]
    await store.run(lambda tx: tx.connection.execute(delete(CLAIM).where(CLAIM.c.bucket == one)))
    cancelled = update(BOOKING).where(BOOKING.c.public_id == other.id).values(status="cancelled")
    await store.run(lambda tx: tx.connection.execute(cancelled))
    assert await store.findings() == (
        "bookings need 12 claims of 300 s, the database holds 23",
        f"booking {made.id} holds 11 of its 12 claims",
        f"booking {other.id} is cancelled and still holds 12 claims",
    )
