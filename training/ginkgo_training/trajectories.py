"""Returns and advantages of each seat's own trajectory, in games in which seats take turns.

In each step of a batch one seat acts in each row. Rewards between two decisions of a seat, including those from others' moves
and the end of the game, belong to its earlier decision: a loss reaches the loser, and a seat's value is bootstrapped from its own
next value, never from an opponent's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import shaped
from ginkgo_env.core.errors import BatchError

Array = NDArray[np.floating[Any]]


def advantages_of(
    rewards: Array,
    values: Array,
    actors: NDArray[np.integer[Any]],
    done: NDArray[np.bool_],
    last_values: Array,
    *,
    gamma: float = 1.0,
    lam: float = 0.95,
) -> tuple[Array, Array]:
    """Compute generalized advantages (Schulman et al. 2016) and returns, for the seat that decided.

    rewards : (T, B, seats, ...) rewards of each seat in each step, terminal rewards of all seats included
    values : (T, B, ...) the critic's value for the actor before it decided
    actors : (T, B) the seat that decided, -1 for none (a finished row without autoreset)
    done : (T, B) whether the step ended the game; the next step of the row then belongs to another game
    last_values : (B, seats, ...) the critic's value for each seat after the last step, whether or not it decides next
    gamma : discount from one own decision to the next
    lam : lambda of the generalized advantages

    Axes after the seats, if any, are components of the reward, each treated alike. Returns two arrays of the shape of values.
    """
    steps, rows = shaped(actors, (None, None), "actors").shape
    components = values.shape[2:]
    shaped(values, (steps, rows, *components), "values")
    shaped(done, (steps, rows), "done")
    shaped(rewards, (steps, rows, None, *components), "rewards")
    shaped(last_values, rewards.shape[1:], "last_values")
    for name, share in {"gamma": gamma, "lam": lam}.items():
        if not 0 <= share <= 1:
            raise BatchError(f"invalid {name} {share}; expected 0 to 1")
    if actors.max(initial=0) >= last_values.shape[1]:
        raise BatchError(f"invalid actors; expected seats below {last_values.shape[1]}, or -1")
    row = np.arange(rows)
    advantages = np.zeros(values.shape, np.float64)
    ahead_value = np.array(last_values, np.float64)  # of each seat's next decision
    ahead_advantage = np.zeros_like(ahead_value)
    pending = np.zeros_like(ahead_value)  # rewards since the seat's previous decision, which this backward loop has yet to reach
    extra = (1,) * (values.ndim - 2)
    for t in range(steps - 1, -1, -1):
        over = done[t].reshape(rows, 1, *extra)
        ahead_value, ahead_advantage = np.where(over, 0.0, ahead_value), np.where(over, 0.0, ahead_advantage)
        pending = np.where(over, 0.0, pending) + rewards[t]
        live = actors[t] >= 0
        at = (row[live], actors[t][live])
        delta = pending[at] + gamma * ahead_value[at] - values[t][live]
        advantages[t][live] = delta + gamma * lam * ahead_advantage[at]
        ahead_value[at], ahead_advantage[at], pending[at] = values[t][live], advantages[t][live], 0.0
    return advantages, advantages + np.where((actors >= 0).reshape(steps, rows, *extra), values, 0.0)
