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
from ginkgo_env.core.jit import entry, kernel

RewardName = Literal["win", "margin", "score"]
MARGIN_UNIT = 100.0
UNITS = {name: unit for unit, name in enumerate(get_args(RewardName))}
"""Names of rewards as numbers, for :func:`pay_many`."""


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


@kernel
def rewards_of(points: Any, standings: Any, side: int) -> tuple[float, float]:
    """The rewards ``win`` and ``margin`` of one side, from points (sides, sources) and standings (sides,) of a finished game."""
    sides = standings.shape[0]
    best, winners, own, total = standings[0], 0, np.int64(0), np.int64(0)
    for p in range(sides):
        best = max(best, standings[p])
        for source in range(points.shape[1]):
            total += points[p, source]
            if p == side:
                own += points[p, source]
    for p in range(sides):
        winners += 1 if standings[p] == best else 0
    if sides == 1 or winners == sides:
        won = 0.0
    else:
        won = 1.0 / winners if standings[side] == best else -1.0 / (sides - winners)
    return won, (own - (total - own) / max(1, sides - 1)) / MARGIN_UNIT


@entry
def pay_many(done: Any, points: Any, standings: Any, unit: int, totals: Any, rewards: Any) -> None:
    """Write rewards (B, seats) float32: those of games that ended in this step, else 0.

    done (B,) int8 says which games ended; points (B, sides, sources) int32 are their scores, whose sums go to totals (B, sides)
    int32, and standings (B, sides) int64. unit : 0 for the reward ``win``, 1 for ``margin``, else all rewards are 0
    """
    for i in range(done.shape[0]):
        for p in range(rewards.shape[1]):
            rewards[i, p] = 0.0
        if done[i] == 0:
            continue
        for p in range(totals.shape[1]):
            totals[i, p] = 0
            for source in range(points.shape[2]):
                totals[i, p] += points[i, p, source]
        for p in range(rewards.shape[1] if unit < 2 else 0):
            win_reward, margin_reward = rewards_of(points[i], standings[i], p)
            rewards[i, p] = margin_reward if unit == 1 else win_reward


def final_rewards(name: RewardName, totals: NDArray[np.integer[Any]], standings: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """The reward (B, sides) that comes at the end of a game; zero for ``score``, which has been paid all along."""
    if name == "score":
        return np.zeros(totals.shape, np.float32)
    return win(standings) if name == "win" else margin(totals)
