"""Each seat's own trajectory through games in which seats take turns: returns and advantages.

A batch is stepped with one actor a row. What happens between two decisions of a seat, others' moves and the end of the game
included, belongs to its earlier decision: the reward of a loss reaches the loser, and a seat's value follows from its own next
value, never from an opponent's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    """Generalized advantages (Schulman et al. 2016) and returns of each decision, for the seat that took it.

    rewards : (T, B, seats, ...) what each seat got in each step, terminal rewards of all seats included
    values : (T, B, ...) what the actor expected before it decided
    actors : (T, B) who decided, -1 where nobody did (a finished row without autoreset)
    done : (T, B) whether the step ended the game; the next step of the row then belongs to another one
    last_values : (B, seats, ...) what each seat expects after the last step, whether or not it is to decide
    gamma : discount from one own decision to the next
    lam : weight of longer returns

    Axes after the seats, if any, are components of the reward, each treated alike. Returns advantages and returns, like values.
    """
    steps, rows = actors.shape
    row = np.arange(rows)
    advantages = np.zeros(values.shape, np.float64)
    ahead_value = np.array(last_values, np.float64)  # of each seat's next decision
    ahead_advantage = np.zeros_like(ahead_value)
    pending = np.zeros_like(ahead_value)  # rewards since the seat's decision that is still to come in this walk backward
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
