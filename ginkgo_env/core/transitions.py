"""Transitions: what a reward function gets to see of the steps of several games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginkgo_env.core import checks
from ginkgo_env.core.state import States


class FinalResults(NamedTuple):
    """The final results of n games."""

    totals: NDArray[np.int32]
    """(n, sides) the total scores."""
    standings: NDArray[np.int64]
    """(n, sides) what ranked the sides, higher is better."""


class StateBatch:
    """The states of n games, and what is computed from them when it is first asked for.

    game : the :class:`~ginkgo_env.core.game.Game`
    states : (n,) copies of the records
    run : runs a loop over rows, see ``Engine.run``
    """

    def __init__(self, game: Any, states: NDArray[Any], run: Callable[..., None]) -> None:
        self.game, self._rows, self._run = game, states.view(game.template.dtype), run

    @property
    def states(self) -> States:
        """(n,) the records, hidden fields included."""
        return cast(States, self._rows.view(np.recarray))

    @cached_property
    def _scored(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        shape = len(self._rows), self.game.sides
        points, standings = np.zeros((*shape, len(self.game.sources)), np.int32), np.zeros(shape, np.int64)
        self._run(self.game.kernels.score, points, standings, rows=self._rows)
        return points, standings

    @property
    def scores(self) -> NDArray[np.int32]:
        """(n, sides, sources) the scores by source."""
        return self._scored[0]

    @cached_property
    def totals(self) -> NDArray[np.int32]:
        """(n, sides) the total scores."""
        totals: NDArray[np.int32] = self.scores.sum(axis=2, dtype=np.int32)
        return totals

    @property
    def standings(self) -> NDArray[np.int64]:
        """(n, sides) what ranks the sides, higher is better, as if the games were over."""
        return self._scored[1]

    @property
    def actor(self) -> NDArray[np.int8]:
        """(n,) the seats to decide, -1 in terminal states."""
        actors: NDArray[np.int8] = self.game.actor(self.states)
        return actors

    def features(self, seat: int | ArrayLike) -> NDArray[np.float32]:
        """Return the compact features (n, size) of a seat, or of one seat for each row."""
        out = np.empty((len(self._rows), self.game.features.size), np.float32)
        seats = checks.seats(np.broadcast_to(seat, len(self._rows)), len(self._rows), 0, self.game.seats - 1)
        self._run(self.game.kernels.features, seats, out, self.game.features.offsets, rows=self._rows)
        return out


@dataclass(frozen=True)
class Transition:
    """A step of n games, as a reward function gets it.

    ended : (n,) bool, whether the step ended the game
    after : the results after the step: :class:`FinalResults`; for rewards that are paid at each step a :class:`StateBatch`

    Only for rewards that are paid at each step (:func:`each_step`), else None:

    before : the :class:`StateBatch` before the step
    actions : (n,) int64, the actions; -1 for a game that was over at its start
    seats : (n,) the seats that played them; -1 likewise
    """

    ended: NDArray[np.bool_]
    after: Any
    before: Any = None
    actions: Any = None
    seats: Any = None


RewardFunction = Callable[[Transition], NDArray[Any]]


def each_step(reward: RewardFunction) -> RewardFunction:
    """Mark a reward function as one that is paid at each step: a decorator."""
    reward.each_step = True  # type: ignore[attr-defined]
    return reward


def is_paid_each_step(reward: object) -> bool:
    """Return whether a reward is a function that is paid at each step."""
    return getattr(reward, "each_step", False) is True
