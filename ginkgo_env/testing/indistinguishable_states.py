"""The promise that resampling depends only on what a seat knows.

Two states are indistinguishable to a seat if observation and actor are the same. A pair of such games starts as a game and a
resampled copy. The seat plays the same actions in both, the others any actions, as long as the seat does not notice a difference.
So the games of a pair can differ in all hidden choices of others, without any help from the code that resamples.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.testing.play import LONGEST, Policy, fresh

_CATCH_UP = 8
"""Largest number of decisions by which one game of a pair may be ahead, as a choice may take more steps in it."""


def indistinguishable_pairs(
    game: Game, seat: int, *, seed: int = 0, rows: int = 2, policy: Policy = Batch.sample
) -> Iterator[tuple[Batch, Batch]]:
    """Yield two batches whose running games a seat cannot tell apart, row by row, after each decision.

    policy : actions (B,) for the rows of a batch, used for both batches
    """
    one, other = fresh(game, rows, seed), Batch(game, rows)
    _part(one, other, seat, np.arange(rows), seed)
    for step in range(LONGEST):
        yield one, other
        if one.over.all():
            return
        actors = one.actor.copy()
        alike = (actors == seat) | one.over
        actions = np.asarray(policy(one))
        one_more = np.where(alike, actions, policy(other))
        one.step(actions)
        other.step(one_more)
        for _ in range(_CATCH_UP):
            apart = _apart(one, other, seat)
            for ahead, behind in ((one, other), (other, one)):
                late = apart & (behind.actor == actors) & (actors != seat) & (ahead.actor != actors)
                if late.any():
                    behind.step(np.where(late, policy(behind), NO_ACTION))
        _part(one, other, seat, np.flatnonzero(_apart(one, other, seat)), seed + step + 1)


def _apart(one: Batch, other: Batch, seat: int) -> np.ndarray:
    """Return whether the seat can tell the rows apart, (B,) bool."""
    return np.asarray((one.observe(seat) != other.observe(seat)).any(axis=1) | (one.actor != other.actor))


def _part(one: Batch, other: Batch, seat: int, rows: np.ndarray, seed: int) -> None:
    """Make rows of the second batch resampled copies of those of the first."""
    if len(rows):
        copies = Batch(one.game, len(rows))
        copies.copy_rows(one, rows, np.arange(len(rows)))
        copies.resample(seat, seed=seed)
        other.copy_rows(copies, np.arange(len(rows)), rows)


def check_resampling_is_blind(game: Game, *, seed: int = 0, rows: int = 2, policy: Policy = Batch.sample) -> None:
    """States that a seat cannot tell apart are resampled to the same bytes by the same random word.

    So resampling does not favor the true state over others that the seat cannot exclude.
    """
    first, second = Batch(game, rows), Batch(game, rows)
    everything = np.arange(rows)
    for seat in range(game.seats):
        for step, (one, other) in enumerate(indistinguishable_pairs(game, seat, seed=seed, rows=rows, policy=policy)):
            for batch, source in ((first, one), (second, other)):
                batch.copy_rows(source, everything, everything)
                batch.resample(seat, seed=step)
            live = ~one.over
            if first.states[live].tobytes() == second.states[live].tobytes():
                continue
            unlike = [
                name for name in one.states.dtype.names or () if (first.states[name][live] != second.states[name][live]).any()
            ]
            if unlike:
                kinds = sorted({game.decisions[kind] for kind in one.kind[live]})
                where = f"seat {seat}, step {step}, at {' or '.join(kinds)}"
                raise AssertionError(f"{where}: hidden information affects {', '.join(unlike)} after resampling")
