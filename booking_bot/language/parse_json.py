"""A reading as the JSON object that `booking-bot parse` prints."""

from __future__ import annotations

from booking_bot.dialogue.reading import Reading, Values


def to_json(reading: Reading) -> dict[str, object]:
    """Give the raw reading as plain JSON types; slots of which nothing was said are absent."""
    return {
        "text": reading.text,
        "slots": slots_of(reading.values),
        "intent": reading.intent,
        "choice": reading.choice,
        "confirm": reading.confirm,
        "spans": [
            {"slot": s.slot, "text": s.text, "start": s.start, "end": s.end, "rule": s.rule} for s in reading.spans
        ],
        "unread": list(reading.unread),
        "ambiguous": [
            {"slot": a.slot, "text": a.text, "readings": list(a.readings), "settled": a.settled}
            for a in reading.ambiguous
        ],
    }


def slots_of(values: Values) -> dict[str, object]:
    """Give the slots that were said, as plain JSON types."""
    slots: dict[str, object] = {}
    if values.date is not None:
        slots["date"] = values.date.isoformat()
    if values.start_time is not None:
        slots["start_time"] = f"{values.start_time:%H:%M}"
    if values.end_time is not None:
        slots["end_time"] = f"{values.end_time:%H:%M}"
    if values.duration_minutes is not None:
        slots["duration_minutes"] = values.duration_minutes
    if values.capacity is not None:
        slots["capacity"] = values.capacity
    if values.building is not None:
        slots["building"] = values.building
    if values.equipment is not None:
        slots["equipment"] = sorted(values.equipment)
    if values.title is not None:
        slots["title"] = values.title
    return slots
