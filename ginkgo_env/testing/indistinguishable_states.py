"""The promise that resampling is blind: what a seat cannot tell apart, it is dealt anew alike.

*Twins* are two games that a seat cannot tell apart: the same observation, the same actor. They start as a game and a resampled
copy, and are played on side by side: the seat acts alike in both, the others as they like, as long as the seat does not notice.
So twins differ in whatever others have chosen unseen, without the code that resamples having any part in it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.testing.play import LONGEST, Policy, fresh

_CATCH_UP = 8
"""Decisions that one twin may take alone, since a choice of several steps may take more of them in one than in the other."""


def twins(game: Game, seat: int, *, seed: int = 0, rows: int = 2, policy: Policy = Batch.sample) -> Iterator[tuple[Batch, Batch]]:
    """Yield batches (the same two each time) whose live rows are twins to the seat, decision by decision to the end.

    policy : actions (B,) for the rows of a batch; both twins are played by it
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
    """(B,) whether the seat can tell the rows apart."""
    return np.asarray((one.observe(seat) != other.observe(seat)).any(axis=1) | (one.actor != other.actor))


def _part(one: Batch, other: Batch, seat: int, rows: np.ndarray, seed: int) -> None:
    """Let rows of the second batch be resampled copies of those of the first."""
    if len(rows):
        copies = Batch(one.game, len(rows))
        copies.copy_rows(one, rows, np.arange(len(rows)))
        copies.resample(seat, seed=seed)
        other.copy_rows(copies, np.arange(len(rows)), rows)


def check_resampling_is_blind(game: Game, *, seed: int = 0, rows: int = 2, policy: Policy = Batch.sample) -> None:
    """From the same random word two states that a seat cannot tell apart are resampled to the same bytes.

    So nothing hidden stays as it is because it is so: whatever else the seat may take for true comes out as often.
    """
    first, second = Batch(game, rows), Batch(game, rows)
    everything = np.arange(rows)
    for seat in range(game.seats):
        for step, (one, other) in enumerate(twins(game, seat, seed=seed, rows=rows, policy=policy)):
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
                raise AssertionError(f"{where}: something hidden shows in {', '.join(unlike)} after resampling")
