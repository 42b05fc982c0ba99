"""Rewards by name, from scores. All but ``score`` are zero-sum over the sides and come at the end of a game.

* ``win``: +1 shared among the winners, -1 shared among the others; all equal: 0.
* ``margin``: own score less the mean of the other sides' scores, divided by 100.
* ``score``: the change of one's own score in points (dense).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import ConfigError

RewardName = Literal["win", "margin", "score"]
MARGIN_UNIT = 100.0


def check_reward(name: str) -> None:
    """Raise ConfigError for a reward that does not exist."""
    if name not in get_args(RewardName):
        raise ConfigError(f"reward must be one of {', '.join(get_args(RewardName))}, not {name!r}")


def win(totals: NDArray[np.int64]) -> NDArray[np.float32]:
    """Totals (B, sides) to rewards (B, sides) float32."""
    best = totals == totals.max(axis=1, keepdims=True)
    winners = best.sum(axis=1, keepdims=True)
    losers = totals.shape[1] - winners
    rewards = np.where(best, 1.0 / winners, -1.0 / np.maximum(losers, 1))
    return np.where(losers == 0, 0.0, rewards).astype(np.float32)


def margin(totals: NDArray[np.int64]) -> NDArray[np.float32]:
    """Totals (B, sides) to rewards (B, sides) float32."""
    others = (totals.sum(axis=1, keepdims=True) - totals) / (totals.shape[1] - 1)
    rewards: NDArray[np.float32] = ((totals - others) / MARGIN_UNIT).astype(np.float32)
    return rewards


def final_rewards(name: RewardName, totals: NDArray[np.int64]) -> NDArray[np.float32]:
    """The reward that comes at the end of a game; zero for ``score``, which has been paid all along."""
    if name == "score":
        return np.zeros(totals.shape, np.float32)
    return win(totals) if name == "win" else margin(totals)
