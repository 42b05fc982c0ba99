"""How lookahead goes on: as a builder does (M15)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ginkgo_env.core.batch import Batch

from ..rules.my_city.positions import game_of, table
from .playing import as_builder, batch_of, in_play


@pytest.mark.parametrize("players", [1, 3])
def test_a_placement_then_a_pass_then_the_end(players: int) -> None:
    random, kinds = np.random.default_rng(players), Counter[str]()
    for batch in in_play(players, rows=16, seed=3, every=1):
        actions, before = as_builder(batch, random), batch.states.tobytes()
        for row in np.flatnonzero(~batch.over):
            mask, action = batch.mask[row], actions[row]
            assert mask[action]
            kind = "place" if action < 484 else "pass" if action == 484 else "end"
            assert kind == ("place" if mask[:484].any() else "pass" if mask[484] else "end")
            kinds[kind] += 1
        assert batch.states.tobytes() == before and (actions[batch.over] == -1).all()
    assert kinds["place"] > 100 and kinds["pass"] > 3


def test_all_placements_are_as_likely() -> None:
    found = table("Y1")
    batch = batch_of(game_of(), np.repeat(found.state, 4200).view(np.recarray))
    counts = Counter(as_builder(batch, np.random.default_rng(0)).tolist())
    assert set(counts) == set(np.flatnonzero(found.mask[0, :484])) and 60 < min(counts.values()) <= max(counts.values()) < 145


def test_it_scores_far_more_than_uniform_play() -> None:
    """-3 against -32 points on average (M15)."""
    batch, random = Batch(game_of(2), 40), np.random.default_rng(1)
    batch.reset(seed=1)
    while not batch.over.all():
        batch.step(as_builder(batch, random))
    assert -8 < batch.totals.mean() < 2
