"""What the server counts, in a registry of its own."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from booking_bot.dialogue.model import Phase

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counters of one server. Labels take few values: nothing a user types becomes one."""

    def __init__(self, connections: Callable[[], int], sessions: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        turns = Counter(
            "booking_bot_turns", "Turns answered, by the phase they ended in", ["phase"], registry=self.registry
        )
        self.turns = {phase: turns.labels(phase.value) for phase in Phase}
        self.turn_seconds = Histogram(
            "booking_bot_turn_seconds",
            "Time from a message to its committed answer",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
            registry=self.registry,
        )
        self.repeats = Counter(
            "booking_bot_repeated_messages", "Messages that had been answered before", registry=self.registry
        )
        self.replayed = Counter(
            "booking_bot_replayed_turns", "Turns sent again to who came back", registry=self.registry
        )
        self.refused = Counter(
            "booking_bot_refused_frames", "Frames not taken, by error code", ["code"], registry=self.registry
        )
        self.dropped = Counter(
            "booking_bot_dropped_connections",
            "Connections closed by the server, by reason",
            ["reason"],
            registry=self.registry,
        )
        self.hellos = Counter(
            "booking_bot_hellos", "Sessions opened, by whether they were new", ["session"], registry=self.registry
        )
        Gauge("booking_bot_connections", "Open connections", registry=self.registry).set_function(connections)
        Gauge("booking_bot_open_sessions", "Sessions with a connection", registry=self.registry).set_function(sessions)

    def text(self) -> bytes:
        """Give all values in the text format."""
        return generate_latest(self.registry)
