"""The chat protocol as values: events made from replies, and the frames a client may send. Pure; no sockets here."""

from booking_bot.wire.events import (
    Event,
    RunBegun,
    TurnShown,
    count_events,
    error_event,
    interrupt_event,
    prompt_events,
    session_event,
    snapshot_event,
    turn_events,
)
from booking_bot.wire.frames import Frame, Hello, Message, Ping, Resume, Speak, id_in, parse_frame, text_of_resume

__all__ = [
    "Event",
    "Frame",
    "Hello",
    "Message",
    "Ping",
    "Resume",
    "RunBegun",
    "Speak",
    "TurnShown",
    "count_events",
    "error_event",
    "id_in",
    "interrupt_event",
    "parse_frame",
    "prompt_events",
    "session_event",
    "snapshot_event",
    "text_of_resume",
    "turn_events",
]
