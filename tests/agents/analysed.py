"""Games that the tests of analysis share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game
from ginkgo_env.core.playback import Playback
from ginkgo_env.records import Record
from ginkgo_env.registry import make_game


def actions_of(game: Game, seed: int, steps: int | None = None) -> list[int]:
    """The first actions of a random game, or all."""
    batch = Batch(game, 1)
    batch.reset([seed])
    taken: list[int] = []
    while not batch.over.all() and (steps is None or len(taken) < steps):
        actions = batch.sample()
        taken.append(int(actions[0]))
        batch.step(actions)
    return taken


@cache
def record_of(name: str, seed: int = 3, steps: int | None = None, **config: Any) -> Record:
    """The record of a random game, or of its first steps."""
    game = make_game(name, **config)
    return Record.from_actions(game, seed, actions_of(game, seed, steps))


def before_last(game: Game, seed: int) -> dict[str, Any]:
    """The position before the last decision of a random game."""
    batch = after(game, seed, actions_of(game, seed)[:-1])
    return batch.position(0)


def after(game: Game, seed: int, actions: Sequence[int]) -> Batch:
    """A batch of one game in which these actions were taken."""
    batch = Batch(game, 1)
    batch.reset([seed])
    for action in actions:
        batch.step([action])
    return batch


def paired_records(game: Game, seed: int, actions: Sequence[int]) -> list[tuple[int, Record, Record]]:
    """Records that differ in one choice of another, which the seat that decides next has not learned: step and two records.

    Pairs are made from choices alone: nothing that resamples takes part.
    """
    playback, pairs = Playback(game), []
    playback.start(seed)
    for k, action in enumerate(actions[:-1]):
        chooser, others = playback.actor, np.flatnonzero(playback.mask[0])
        for other in others[others != action][:3]:
            one, two = after(game, seed, [*actions[:k], action]), after(game, seed, [*actions[:k], int(other)])
            seat = int(one.actor[0])
            blind = seat >= 0 and seat != chooser and seat == int(two.actor[0])
            if blind and (one.observe(seat) == two.observe(seat)).all() and (one.mask == two.mask).all():
                both = [[*actions[:k], int(choice), actions[k + 1]] for choice in (action, other)]
                pairs.append((k + 2, *(Record.from_actions(game, seed, taken) for taken in both)))
                break
        playback.play(action)
    return pairs
