"""All ways of playing of the comparison with the oracle, as policies for batches."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

import ginkgo_env
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.testing.play import Policy

from ..oracle.ginkgopolis.styles import Style, seat_styles


def styled(game: ginkgo_env.Game, seed: int) -> Policy:
    """A policy that gives each row of a batch and each seat a style of its own, a new one now and then."""
    chance = random.Random(seed)
    styles: dict[int, list[Style]] = {}

    def choose(batch: ginkgo_env.Batch) -> NDArray[np.int64]:
        actions = np.full(batch.size, NO_ACTION)
        for row in np.flatnonzero(~batch.over).tolist():
            if row not in styles or chance.random() < 0.02:
                styles[row] = seat_styles(chance, game.seats)
            legal = np.flatnonzero(batch.mask[row]).tolist()
            texts = [game.action_text(batch.state(row), action) for action in legal]
            wanted = styles[row][int(batch.actor[row])](chance, texts)
            actions[row] = legal[texts.index(wanted)]
        return actions

    return choose
