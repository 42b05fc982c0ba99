"""Random games: step by step, or as batches in play; and states of them with fields changed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.testing import at

from ..rules.golden_city.positions import game_of
from ..tiers import by_tier

EVERY = (2, 3, 4)
PLAYERS = by_tier(EVERY, (3,))
FIELDS_BY_SEAT = (
    *("houses", "reach", "letters", "blocked", "coins", "keys", "houses_left", "hand", "known", "goods"),
)  # fmt: skip
SEATS = ("actor", "first", "pair_seat", "bonus_seat")


class Step(NamedTuple):
    """A step of a game: the setup has no state before it."""

    before: States | None
    action: int
    after: States
    rows: Rows
    legal: list[int]
    """The legal actions after it."""


def played(table: Game, seed: int) -> Iterator[Step]:
    """A game at random."""
    rng, playback = random.Random(seed), Playback(table)
    rows, before, action = playback.start(seed), None, -1
    while True:
        after = playback.state()
        legal = np.flatnonzero(playback.mask[0]).tolist()
        yield Step(before, action, after, rows, legal)
        if not legal:
            return
        before, action = after, rng.choice(legal)
        rows = playback.play(action)


@cache
def steps(players: int, seed: int = 1) -> list[Step]:
    return list(played(game_of(players), seed))


@cache
def states(players: int) -> dict[str, States]:
    """A state of each kind of decision that came up in a few games, and a final one."""
    found: dict[str, States] = {}
    for seed in range(3):
        for step in reversed(steps(players, seed)):
            found[game_of(players).position(step.after)["decision"]["kind"]] = step.after
    return found


def in_play(players: int, rows: int = 4, seed: int = 0, every: int = 5) -> Iterator[Batch]:
    """The same batch of random games again and again, every so many decisions, until all are over, and then."""
    batch = Batch(game_of(players), rows)
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
    batch = Batch(game_of(players), 1)
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


def repeated(players: int, state: States, n: int, check: bool = True) -> Batch:
    """A batch of n copies of a state."""
    return at(game_of(players), np.repeat(state, n).view(np.recarray), check=check)


def rotated(states: States, players: int) -> States:
    """The same games with every seat one further to the left."""
    turned = states.copy()
    for name in FIELDS_BY_SEAT:
        turned[name][:, :players] = np.roll(states[name][:, :players], 1, axis=1)
    for name in SEATS:
        turned[name] = np.where(states[name] >= 0, (states[name] + 1) % players, states[name])
    return turned
