"""States of games in play, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import States
from ginkgo_env.core.testing import at

from ..tiers import by_tier

EVERY = (2, 3, 4)
PLAYERS = by_tier(EVERY, (3,))
FIELDS_BY_SEAT = (
    *("houses", "reach", "letters", "blocked", "coins", "keys", "houses_left", "hand", "known", "goods"),
)  # fmt: skip
SEATS = ("actor", "first", "pair_seat", "bonus_seat")


def in_play(players: int, rows: int = 4, seed: int = 0, every: int = 5) -> Iterator[Batch]:
    """The same batch of random games again and again, every so many decisions, until all are over, and then."""
    batch = Batch(ginkgo_env.make_game("golden_city", players=players), rows)
    batch.reset(seed=seed)
    step = 0
    while not batch.over.all():
        if step % every == 0:
            yield batch
        batch.step(batch.sample())
        step += 1
    yield batch


def crafted(players: int, seed: int = 0, decisions: int = 30, **fields: Any) -> States:
    """One state after some random decisions, with fields changed."""
    batch = Batch(ginkgo_env.make_game("golden_city", players=players), 1)
    batch.reset(seed=seed)
    for _ in range(decisions):
        batch.step(batch.sample())
    state = batch.state(0).copy().view(np.recarray)
    for name, value in fields.items():
        state[name][0] = value
    return state


def pad(values: list[int], size: int) -> list[int]:
    """A list as fields hold it: -1 after its items."""
    return [*values, *[-1] * (size - len(values))]


def repeated(players: int, state: States, n: int) -> Batch:
    """A batch of n copies of a state."""
    return at(ginkgo_env.make_game("golden_city", players=players), np.repeat(state, n).view(np.recarray))


def rotated(states: States, players: int) -> States:
    """The same games with every seat one further to the left."""
    turned = states.copy()
    for name in FIELDS_BY_SEAT:
        turned[name][:, :players] = np.roll(states[name][:, :players], 1, axis=1)
    for name in SEATS:
        turned[name] = np.where(states[name] >= 0, (states[name] + 1) % players, states[name])
    return turned
