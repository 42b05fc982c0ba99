"""Replay games from their seeds and actions to rebuild the rows of their decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import IllegalActionError
from ginkgo_env.data.metadata import DataError, DatasetInfo
from ginkgo_env.data.play import Columns, FinishedGames, GameRunner, Integers, replay_policy


def rebuild_games(info: DatasetInfo, games: Columns, actions: NDArray[Any], runner: GameRunner) -> FinishedGames:
    """Replay games.

    games : rows of the table of games
    actions : (n,), the actions of these games, one game after the other

    Raises DataError if the number of decisions, the scores or the standings differ from the table.
    """
    decisions = games["decisions"].astype(np.int64)
    starts: Integers = np.cumsum(decisions) - decisions
    numbers = games["game"].astype(np.int64)
    if len(actions) != decisions.sum():
        raise DataError(f"from game {numbers[0]}: expected {decisions.sum()} actions, got {len(actions)}")
    seating = np.array(info.seatings, np.int64)[numbers % len(info.seatings)]
    try:
        finished = runner.play(numbers, games["seed"], seating, replay_policy(actions, starts, decisions))
    except IllegalActionError as error:
        raise DataError(f"the games from game {numbers[0]} cannot be replayed: {error}") from None
    _require_same_results(info, games, finished)
    return finished


def _require_same_results(info: DatasetInfo, games: Columns, finished: FinishedGames) -> None:
    same = finished.games["decisions"] == games["decisions"]
    for name in ("score", "standing"):
        for side in range(len(info.sides)):
            same &= finished.games[name][:, side] == games[f"{name}_{side}"]
    if not same.all():
        wrong = int(games["game"][np.flatnonzero(~same)[0]])
        raise DataError(f"game {wrong} has another result when it is replayed: the data set was made with other rules")
