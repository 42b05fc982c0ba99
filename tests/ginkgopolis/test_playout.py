"""The quick choice of a card and tile is the one that a look at the mask would give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.jit import entry
from ginkgo_env.core.masks import draw_legal
from ginkgo_env.core.rng import mix
from ginkgo_env.core.variant import variant
from ginkgo_env.games.ginkgopolis.constants import Stage
from ginkgo_env.games.ginkgopolis.knowledge.playout import playout

playout_base = variant(playout, EXPANSION=False)


@entry
def choose_many(states: Any, masks: Any, words: Any, out: Any) -> None:
    """The playout's action and that drawn from the mask, for each row."""
    for i in range(states.shape[0]):
        out[i, 0] = playout_base(states[i], None, -1, masks[i], words[i])
        out[i, 1] = draw_legal(masks[i], mix(words[i]))


@pytest.mark.parametrize("players", [1, 2, 4])
def test_commits_are_drawn_as_from_the_mask(players: int) -> None:
    batch = Batch(ginkgo_env.make_game("ginkgopolis", players=players), 64, autoreset=True)
    batch.reset(seed=1)
    random, seen, actions = np.random.default_rng(0), 0, set()
    for _ in range(40):
        rows = np.flatnonzero(batch.kind == Stage.COMMIT)
        out = np.zeros((len(rows), 2), np.int64)
        words = random.integers(2**63, size=len(rows)).astype(np.uint64)
        choose_many(batch.states[rows].view(np.ndarray), batch.mask[rows], words, out)
        np.testing.assert_array_equal(out[:, 0], out[:, 1])
        seen += len(rows)
        actions |= set(out[:, 0].tolist())
        batch.step(batch.sample())
    assert seen > 500 and len(actions) > 60
