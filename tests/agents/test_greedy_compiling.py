"""What the greedy agent says of its own kernels."""

from __future__ import annotations

from ginkgo_agents.ginkgopolis import greedy
from ginkgo_agents.ginkgopolis.lookahead import LOOK_AHEAD


def test_its_kernels_are_expected_before_it_plays(monkeypatch):
    expected = []
    monkeypatch.setattr(greedy, "expect", lambda name, entries: expected.append((name, list(entries))))
    greedy.GreedyAgent(worlds=1)
    assert expected == [("greedy", list(LOOK_AHEAD.values()))]
