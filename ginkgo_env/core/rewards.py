"""Rewards by name. All but ``score`` are zero-sum over the sides and come at the end of a game.

* ``win``: +1 shared among the winners, -1 shared among the others; all equal: 0. Winners follow from the game's standings.
* ``margin``: own score less the mean of the other sides' scores, divided by 100.
* ``score``: the change of one's own score in points (dense). The only reward with a single side.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import ConfigError, shown

RewardName = Literal["win", "margin", "score"]
MARGIN_UNIT = 100.0


def chosen_reward(name: RewardName | None, sides: int) -> RewardName:
    """The name of a reward; None is the default: ``win``, with one side ``score``. Raises ConfigError for an unknown name."""
    if name is None:
        return "win" if sides > 1 else "score"
    if not isinstance(name, str) or name not in get_args(RewardName):
        raise ConfigError(f"invalid reward {shown(name)}; expected one of {', '.join(get_args(RewardName))}")
    if sides == 1 and name != "score":
        raise ConfigError(f"reward {name!r} compares sides and requires at least two; this game has one: use 'score'")
    return name


def win(standings: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """Standings (B, sides) to rewards (B, sides) float32."""
    best = standings == standings.max(axis=1, keepdims=True)
    winners = best.sum(axis=1, keepdims=True)
    losers = standings.shape[1] - winners
    rewards = np.where(best, 1.0 / winners, -1.0 / np.maximum(losers, 1))
    return np.where(losers == 0, 0.0, rewards).astype(np.float32)


def margin(totals: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """Total scores (B, sides) to rewards (B, sides) float32."""
    others = (totals.sum(axis=1, keepdims=True) - totals) / (totals.shape[1] - 1)
    rewards: NDArray[np.float32] = ((totals - others) / MARGIN_UNIT).astype(np.float32)
    return rewards


def final_rewards(name: RewardName, totals: NDArray[np.integer[Any]], standings: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """The reward (B, sides) that comes at the end of a game; zero for ``score``, which has been paid all along."""
    if name == "score":
        return np.zeros(totals.shape, np.float32)
    return win(standings) if name == "win" else margin(totals)
