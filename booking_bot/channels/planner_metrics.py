"""The planner's counts for Prometheus: `registry.register(PlannerCollector(engine.planner_counts))`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector


class PlannerCollector(Collector):
    """Shows counts as one counter with a label: calls, level_1 to level_3, refused, failed, skipped, stop reasons."""

    def __init__(self, counts: Callable[[], Mapping[str, int]]) -> None:
        self._counts = counts

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Give the counts as they are now."""
        family = CounterMetricFamily("booking_bot_planner", "What the planner did, by event", labels=["event"])
        for event, count in sorted(self._counts().items()):
            family.add_metric([event], count)
        yield family
