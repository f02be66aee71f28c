"""Rows of the booking table: prepared statements, and rows as the dialogue's bookings. Decides nothing."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any, Final

from sqlalchemy import RowMapping, Table, bindparam, delete, literal_column, select, update

from booking_bot.adapters.sql import schema
from booking_bot.adapters.sql.office_calendar import OfficeCalendar, Span
from booking_bot.adapters.sql.prepared import Prepared, insert_into
from booking_bot.dialogue.model import Booking, BookingChange, BookingOrder, Cancellation

BOOKING: Final[Table] = schema.METADATA.tables["booking"]
CLAIM: Final[Table] = schema.METADATA.tables["room_claim"]
WRITE_KEY: Final[Table] = schema.METADATA.tables["write_key"]

_B: Final = BOOKING.c
_BOOKED: Final = _B.status == "booked"

_IS_BOOKED: Final = _B.status == literal_column("'booked'")

BUSY: Final = Prepared(
    select(_B.room_id, _B.block_from_s, _B.block_to_s).where(
        _IS_BOOKED,
        _B.block_to_s > bindparam("from_s"),
        _B.block_from_s < bindparam("to_s"),
        _B.public_id != bindparam("but"),
    ),
    "from_s",
    "to_s",
    "but",
)
"""Bookings that overlap [from_s, to_s), without the one that is about to move."""

CLASH: Final = Prepared(
    select(_B.id).where(
        _IS_BOOKED,
        _B.room_id == bindparam("room"),
        _B.id != bindparam("own_id"),
        _B.block_to_s > bindparam("from_s"),
        _B.block_from_s < bindparam("to_s"),
    ),
    "room",
    "own_id",
    "from_s",
    "to_s",
)
"""The bookings of this room that overlap [from_s, to_s), other than `own_id` (0 for none)."""

OWN: Final = select(BOOKING).where(_B.public_id == bindparam("booking"), _B.organizer == bindparam("who"))
OWN_LOCKED: Final = OWN.with_for_update()
BY_KEY: Final = (
    select(BOOKING, WRITE_KEY.c.kind.label("did"), WRITE_KEY.c.idem_hash.label("did_hash"))
    .join(WRITE_KEY, WRITE_KEY.c.booking_id == _B.id)
    .where(WRITE_KEY.c.organizer == bindparam("who"), WRITE_KEY.c.idem_key == bindparam("key"))
)
UPCOMING: Final = (
    select(BOOKING)
    .where(_B.organizer == bindparam("who"), _BOOKED, _B.end_s > bindparam("now_s"))
    .order_by(_B.start_s, _B.id)
)

INSERT_BOOKING: Final = insert_into(BOOKING, _B.id)
"""Gives back the new row's id."""
INSERT_CLAIM: Final = insert_into(CLAIM)
INSERT_KEY: Final = insert_into(WRITE_KEY)
DELETE_CLAIMS: Final = delete(CLAIM).where(CLAIM.c.booking_id == bindparam("of"))
_CHANGE: Final = update(BOOKING).where(_B.id == bindparam("of"), _B.version == bindparam("read_at"), _BOOKED)
MOVE: Final = _CHANGE.values(
    room_id=bindparam("room"),
    people=bindparam("heads"),
    start_s=bindparam("from_s"),
    end_s=bindparam("to_s"),
    block_from_s=bindparam("from_s"),
    block_to_s=bindparam("to_s"),
    version=_B.version + 1,
    ical_seq=_B.ical_seq + 1,
)
CANCEL: Final = _CHANGE.values(status="cancelled", version=_B.version + 1, ical_seq=_B.ical_seq + 1)


def fingerprint(kind: str, arguments: BookingOrder | BookingChange | Cancellation) -> str:
    """Hash the exact arguments of a write, its key apart: one key must never stand for two different writes."""
    text = f"{kind}:{arguments.model_dump_json(exclude={'key'})}"
    return hashlib.sha256(text.encode()).hexdigest()


def new_row(order: BookingOrder, organizer: str, span: Span, timezone: str) -> dict[str, Any]:
    """Make the row of a new booking, in the order of `INSERT_BOOKING`."""
    public_id = secrets.token_hex(8)
    return {
        "public_id": public_id,
        "room_id": order.room_id,
        "organizer": organizer,
        "title": order.title[: schema.TITLE_LENGTH],
        "people": order.people,
        "start_s": span.start_s,
        "end_s": span.end_s,
        "block_from_s": span.start_s,
        "block_to_s": span.end_s,
        "tz": timezone,
        "status": "booked",
        "series_id": None,
        "version": 1,
        "ical_uid": f"{public_id}@booking-bot",
        "ical_seq": 0,
        "idem_key": order.key,
        "idem_hash": fingerprint("book", order),
    }


def claims(booking_id: int, room_id: str, span: Span) -> list[tuple[str, int, int]]:
    """Make a booking's claims, in ascending order so that racing writers meet in the same order."""
    return [(room_id, bucket, booking_id) for bucket in span.buckets()]


def booking_of(row: RowMapping | dict[str, Any], calendar: OfficeCalendar) -> Booking:
    """Give a row as the dialogue's booking, in the office's wall time."""
    start = calendar.wall(row["start_s"])
    return Booking(
        id=row["public_id"],
        room_id=row["room_id"],
        date=start.date(),
        start_time=start.time().replace(fold=0),
        minutes=(row["end_s"] - row["start_s"]) // 60,
        people=row["people"],
        organizer=row["organizer"],
        title=row["title"],
        status=row["status"],
        version=row["version"],
    )
