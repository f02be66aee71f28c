"""How often a model is asked for one booking."""

from __future__ import annotations

import pytest

from benchmarks.model_calls import MODES, TALKS, Mode, count


@pytest.mark.parametrize("talk", ["canonical zh", "canonical en"])
async def test_the_canonical_talk_asks_nothing_in_hybrid_and_once_a_turn_at_most_in_llm(talk: str) -> None:
    calls = {mode: (await count(talk, mode, "obliging")).calls for mode in MODES}
    assert calls["rules"] == calls["hybrid"] == (0, 0, 0, 0)
    assert max(calls["llm"]) == 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("talk", TALKS)
async def test_every_talk_ends_booked_whatever_the_model_wants(talk: str, mode: Mode) -> None:
    counted = await count(talk, mode, "contrary")
    assert counted.booked
    assert max(counted.calls) <= 2
