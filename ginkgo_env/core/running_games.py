"""The running games of a batch as seeds and actions, from which the same rows can be set up again.

States are never stored: a kernel trusts the record that it is given, and a file may hold anything. Actions are replayed instead,
and the masks check each of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.masks import NO_ACTION, RESET, RUNNING

_FIRST_WIDTH = 64  # initial capacity in actions of a game

Actions: TypeAlias = NDArray[np.int32]


class SeedsAndActions(NamedTuple):
    """k games, each with its seed and its actions so far."""

    seeds: NDArray[np.uint64]
    """(k,) seeds of the games."""
    counts: NDArray[np.int64]
    """(k,) numbers of their actions."""
    actions: Actions
    """(counts.sum(),) int32, all actions: game by game, in the order in which they were played."""


class RunningGames:
    """Keeps the actions of the running game in each row of a batch.

    It records rows that are reset after it was made.

    Rows that are changed by anything but ``reset`` and ``step`` cannot be set up again.

    batch : the batch; it calls :meth:`add`

    >>> import ginkgo_env
    >>> batch, twin = (ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 3) for _ in range(2))
    >>> games = RunningGames(batch)
    >>> batch.reset(seed=1)
    >>> for _ in range(20):
    ...     batch.step(batch.sample())
    >>> replay(twin, games.of(batch))
    >>> bool((twin.states == batch.states).all())
    True
    """

    def __init__(self, batch: Batch) -> None:
        self._actions: Actions = np.zeros((batch.size, _FIRST_WIDTH), np.int32)
        self._counts: NDArray[np.int64] = np.zeros(batch.size, np.int64)
        batch.running_games = self

    def add(self, actions: NDArray[np.int64], done: NDArray[np.int8], autoreset: bool) -> None:
        """Add the actions (size,) of a step; done (size,) says which games the step ended."""
        played, counts = np.flatnonzero(actions >= 0), self._counts
        at = counts[played]
        if at.max(initial=0) >= self._actions.shape[1]:
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)], axis=1)
        self._actions[played, at] = actions[played]
        counts[played] = at + 1
        counts[actions == RESET] = 0
        if autoreset:
            counts[done != RUNNING] = 0

    def of(self, batch: Batch, rows: slice = slice(None)) -> SeedsAndActions:
        """Return copies of the games in rows of the batch."""
        counts = self._counts[rows].copy()
        inside = np.arange(self._actions.shape[1]) < counts[:, None]
        return SeedsAndActions(np.array(batch.states["seed"][rows], np.uint64), counts, self._actions[rows][inside])


def replay(batch: Batch, games: SeedsAndActions, rows: slice = slice(None)) -> None:
    """Set up rows of a batch by replaying games.

    The other rows stay as they are.

    Raises BatchError or IllegalActionError for anything but running games of the batch's game; rows may have changed then.
    """
    chosen = np.arange(batch.size)[rows]
    starts = _checked(games, len(chosen))
    autoreset, batch.autoreset = batch.autoreset, False  # no action may follow the end of a game
    try:
        batch.reset(games.seeds, rows=chosen)
        for step in range(int(games.counts.max(initial=0))):
            left = games.counts > step
            actions = np.full(batch.size, NO_ACTION)
            actions[chosen[left]] = games.actions[starts[left] + step]
            batch.step(actions)
    finally:
        batch.autoreset = autoreset
    if autoreset and (batch.over[chosen] & (games.counts > 0)).any():
        raise BatchError("invalid games; expected running ones, as the batch has autoreset")


def _checked(games: SeedsAndActions, n: int) -> NDArray[np.int64]:
    """Return the place of each game's first action. Raises BatchError unless these are the arrays of n games."""
    arrays: tuple[NDArray[Any], ...] = tuple(games)
    for array, dtype, name in zip(arrays, (np.uint64, np.int64, np.int32), games._fields, strict=True):
        if array.dtype != dtype or array.ndim != 1 or (name != "actions" and len(array) != n):
            raise BatchError(f"invalid {name} of games; expected {n if name != 'actions' else 'any number of'} {np.dtype(dtype)}")
    most = len(games.actions)
    if ((games.counts < 0) | (games.counts > most)).any() or games.counts.sum() != most or (games.actions < 0).any():
        raise BatchError("invalid actions of games; expected their number to be the sum of counts, and each to be at least 0")
    starts: NDArray[np.int64] = np.cumsum(games.counts) - games.counts
    return starts
