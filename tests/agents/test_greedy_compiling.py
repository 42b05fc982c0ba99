"""What the greedy agent says of its own kernels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ginkgo_agents.ginkgopolis import greedy


def test_each_dtype_of_records_is_announced(played, turn_of, monkeypatch):
    names = []

    @contextmanager
    def announced(name: str, seconds: int) -> Iterator[bool]:
        names.append(name)
        yield False

    monkeypatch.setattr(greedy, "announced", announced)
    for config in ({}, {"modules": ["events"]}, {"modules": ["prestige", "keep_card"], "hand_size": 5}):
        greedy.GreedyAgent(worlds=1).act(turn_of(played(0, 1, **config)))
    assert names == ["ginkgopolis for greedy", *2 * ["ginkgopolis with modules for greedy"]]
