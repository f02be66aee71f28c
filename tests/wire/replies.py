"""Replies to make events of."""

from __future__ import annotations

from booking_bot.dialogue.model import Phase
from booking_bot.dialogue.site import Localized
from booking_bot.reply import BookedRoom, Evidence, Interrupt, Option, Reply

SLOTS = {"date": "2026-12-01", "start_time": "14:00", "duration_minutes": 60, "capacity": 8}

ASKING = Reply(
    text="How long?",
    phase=Phase.COLLECTING_SLOTS,
    slots={"date": "2026-12-01"},
    pending="clarify",
    asks="duration_minutes",
    evidence={"date": Evidence(words="tomorrow", turn=1, source="rule")},
    interrupt=Interrupt(id="1", kind="ask_input"),
    turn_id=1,
    language="en",
)
OFFERING = Reply(
    text="Two rooms are free",
    phase=Phase.AWAITING_SELECTION,
    slots=SLOTS,
    pending="select_room",
    options=tuple(
        Option(
            number=number,
            room_id=f"R{number}",
            name=Localized(zh="会议室", en="Room"),
            building="A",
            building_name=Localized(zh="A座", en="Building A"),
            floor=1,
            seats=8,
            equipment=("whiteboard",),
        )
        for number in (1, 2)
    ),
    interrupt=Interrupt(id="2", kind="ask_choice", labels=("1", "2")),
    actions=("search_rooms",),
    turn_id=2,
)
CONFIRMING = Reply(
    text="Shall I?",
    phase=Phase.CONFIRMING,
    slots=SLOTS,
    pending="confirm",
    room="R1",
    interrupt=Interrupt(id="3", kind="ask_confirm"),
    turn_id=3,
)
BOOKED = Reply(
    text="Booked",
    phase=Phase.BOOKED,
    slots=SLOTS,
    room="R1",
    booking=BookedRoom(
        id="b1",
        room="R1",
        date="2026-12-01",
        start="14:00",
        minutes=60,
        people=8,
        title="<b>Plan</b>",
        organizer="alice",
        status="booked",
    ),
    actions=("find_booking", "book_room"),
    turn_id=4,
)
ALL = {"asking": ASKING, "offering": OFFERING, "confirming": CONFIRMING, "booked": BOOKED}
