"""The quick choice of a card and tile is the one that a look at the mask would give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.afterstates import look_ahead
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.jit import entry
from ginkgo_env.core.compile.specialize import specialize
from ginkgo_env.core.compile.threads import KernelThreads
from ginkgo_env.core.masks import draw_legal, mix_many
from ginkgo_env.core.rng import GOLDEN, mix
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.ginkgopolis.constants import Stage
from ginkgo_env.games.ginkgopolis.playout import playout


def choose_many(states: Any, seats: Any, masks: Any, words: Any, out: Any) -> None:
    """The playout's action and that drawn from the mask, for each row."""
    for i in range(states.shape[0]):
        out[i, 0] = playout(states[i], None, seats[i], masks[i], words[i])
        out[i, 1] = draw_legal(masks[i], mix(words[i]))


CHOOSE = {expansion: entry(specialize(choose_many, EXPANSION=expansion)) for expansion in (False, True)}
NOBODY = np.full(64, -1)
MODULES = {"players": 2, "modules": ("green_spaces", "keep_card", "new_buildings")}


@pytest.mark.full
@pytest.mark.parametrize("config", [{"players": 1}, {"players": 2}, {"players": 4}, MODULES], ids=str)
def test_commits_are_drawn_as_from_the_mask(config: dict[str, Any]) -> None:
    batch = Batch(ginkgo_env.make_game("ginkgopolis", **config), 64, autoreset=True)
    choose = CHOOSE["modules" in config]
    batch.reset(seed=1)
    random, seen, actions = np.random.default_rng(0), 0, set()
    for _ in range(60):
        rows = np.flatnonzero(batch.kind == Stage.COMMIT)
        out = np.zeros((len(rows), 2), np.int64)
        words = random.integers(2**63, size=len(rows)).astype(np.uint64)
        choose(batch.states[rows].view(np.ndarray), NOBODY, batch.mask[rows], words, out)
        np.testing.assert_array_equal(out[:, 0], out[:, 1])
        seen += len(rows)
        actions |= set(out[:, 0].tolist())
        batch.step(batch.sample())
    assert seen > 500 and len(actions) > 60


@pytest.mark.full
@pytest.mark.parametrize("config", [{"players": 2}, {"players": 3}, {"players": 2, "modules": MODULE_NAMES}], ids=str)
def test_lookahead_is_stepping_on(config: dict[str, Any]) -> None:
    """Lookahead writes no mask where it needs none: what it finds is what a batch finds, which writes all masks."""
    game = ginkgo_env.make_game("ginkgopolis", **config)
    batch = Batch(game, 6)
    batch.reset(seed=4)
    for _ in range(50):
        batch.step(batch.sample())
    seats, legal, words = batch.actor.astype(np.int64), batch.legal_actions(), np.arange(6).astype(np.uint64)
    worlds = batch.states.copy().view(np.ndarray).reshape(6, 1)
    found = look_ahead(game, worlds, seats, legal, words, KernelThreads(1).run)
    mix_many(words)
    steps, one, choose, out = 0, Batch(game, 1), CHOOSE["modules" in config], np.zeros((1, 2), np.int64)
    for row in range(6):
        for j in range(legal.offsets[row], legal.offsets[row + 1]):
            one.set_states([0], batch.state(row))
            now, word = int(one.states["rounds"][0]), words[row : row + 1].copy()
            one.step(legal.actions[j : j + 1])
            while not one.over[0] and one.states["rounds"][0] == now:
                word += GOLDEN
                choose(one._rows, seats[row : row + 1], one.mask, word, out)
                one.step(out[0, :1])
                steps += 1
            np.testing.assert_array_equal(found.views[j, 0], one.features(int(seats[row]))[0])
    assert steps > 100
