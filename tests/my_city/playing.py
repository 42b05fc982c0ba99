"""Batches in play, and builders, for tests of the kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.jit import entry
from ginkgo_env.core.game import States
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.playout import playout

from ..rules.my_city.positions import game_of

COLORS = ("yellow", "red", "blue", "church")


def batch_of(game: MyCity, states: States) -> Batch:
    """States as a batch."""
    batch = Batch(game, len(states))
    batch.set_states(np.arange(len(states)), states)
    return batch


def in_play(players: int, rows: int = 4, seed: int = 0, every: int = 3, game: MyCity | None = None) -> Iterator[Batch]:
    """The same batch again and again, every so many decisions, until all games are over, and then.

    Half of the choices are uniform, but an end is mostly drawn again: else games would be short.
    """
    batch = Batch(game or game_of(players), rows)
    batch.reset(seed=seed)
    end, step = batch.mask.shape[1] - 1, 0
    while not batch.over.all():
        if step % every == 0:
            yield batch
        actions = batch.sample()
        for _ in range(3):
            again = batch.sample()
            actions = np.where(actions == end, again, actions)
        batch.step(actions)
        step += 1
    yield batch


@entry
def choose_many(states: Any, components: Any, masks: Any, keys: Any, out: Any) -> None:
    """The playout's action for each row whose mask (B, A) is not empty, from random keys (B,) uint64, into out (B,) int64."""
    for i in range(masks.shape[0]):
        if masks[i].any():
            out[i] = playout(states[i], components[0], 0, masks[i], keys[i])


def as_builder(batch: Batch, random: np.random.Generator) -> np.ndarray:
    """For each row a random placement, a pass if there is none, the end if there is neither."""
    out = np.full(batch.size, NO_ACTION, np.int64)
    choose_many(batch.states, batch.game.components, batch.mask, random.integers(2**63, size=batch.size).astype(np.uint64), out)
    return out
