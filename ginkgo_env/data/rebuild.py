"""Rows of decisions from seeds and actions: the games are played again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import IllegalActionError
from ginkgo_env.data.metadata import DataError, DatasetInfo
from ginkgo_env.data.play import Columns, FinishedGames, Integers, Player, from_actions


def rebuilt(about: DatasetInfo, games: Columns, actions: NDArray[Any], player: Player) -> FinishedGames:
    """Play games again.

    games : rows of the table of games
    actions : all their actions, one game after the other

    Raises DataError unless they end as the table says, after the same decisions.
    """
    decisions = games["decisions"].astype(np.int64)
    starts: Integers = np.cumsum(decisions) - decisions
    numbers = games["game"].astype(np.int64)
    if len(actions) != decisions.sum():
        raise DataError(f"game {numbers[0]} and those after it have {len(actions)} actions, not {decisions.sum()}")
    seated = np.array(about.seatings, np.int64)[numbers % len(about.seatings)]
    try:
        played = player.play(numbers, games["seed"], seated, from_actions(actions, starts, decisions))
    except IllegalActionError as error:
        raise DataError(f"game {numbers[0]} and those after it cannot be played again: {error}") from None
    _require_same(about, games, played)
    return played


def _require_same(about: DatasetInfo, games: Columns, played: FinishedGames) -> None:
    """Raise DataError unless games ended as the table says."""
    same = played.games["decisions"] == games["decisions"]
    for name in ("score", "standing"):
        for side in range(len(about.sides)):
            same &= played.games[name][:, side] == games[f"{name}_{side}"]
    if not same.all():
        wrong = int(games["game"][np.flatnonzero(~same)[0]])
        raise DataError(f"game {wrong} ends otherwise when it is played again: the rules are not those that it was made with")
