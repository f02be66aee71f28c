"""What no constraint can say: that every booking holds all of its claims, and nothing else does."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Table, func, select
from sqlalchemy.engine import Connection

from booking_bot.adapters.sql import schema

_B: Final[Table] = schema.METADATA.tables["booking"]
_C: Final[Table] = schema.METADATA.tables["room_claim"]

_LENGTHS: Final = select(func.coalesce(func.sum(_B.c.block_to_s - _B.c.block_from_s), 0)).where(_B.c.status == "booked")
_CLAIMS: Final = select(func.count()).select_from(_C)
_PER_BOOKING: Final = (
    select(
        _B.c.public_id,
        _B.c.status,
        _B.c.block_from_s,
        _B.c.block_to_s,
        func.count(_C.c.bucket),
        func.min(_C.c.bucket),
        func.max(_C.c.bucket),
    )
    .select_from(_B.outerjoin(_C, _C.c.booking_id == _B.c.id))
    .group_by(_B.c.id, _B.c.public_id, _B.c.status, _B.c.block_from_s, _B.c.block_to_s)
    .order_by(_B.c.id)
)


def findings(connection: Connection) -> tuple[str, ...]:
    """Check bookings against claims; one line for each thing that is wrong, none when all is well."""
    wanted = int(connection.execute(_LENGTHS).scalar_one()) // schema.BUCKET_S
    held = int(connection.execute(_CLAIMS).scalar_one())
    out = [] if wanted == held else [f"bookings need {wanted} claims of {schema.BUCKET_S} s, the database holds {held}"]
    for public_id, status, from_s, to_s, count, first, last in connection.execute(_PER_BOOKING):
        if status == "cancelled":
            if count:
                out.append(f"booking {public_id} is cancelled and still holds {count} claims")
            continue
        buckets = range(from_s // schema.BUCKET_S, to_s // schema.BUCKET_S)
        if (count, first, last) != (len(buckets), buckets[0], buckets[-1]):
            out.append(f"booking {public_id} holds {count} of its {len(buckets)} claims")
    return tuple(out)
