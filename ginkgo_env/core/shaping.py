"""Potential-based shaping of rewards (Ng, Harada and Russell 1999).

It leaves the best policies as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.rewards import Reward, chosen_reward, rewards_of_step
from ginkgo_env.core.transitions import StateBatch, Transition

Potential = Callable[[StateBatch], NDArray[Any]]
"""Returns the potentials (n, sides) of the sides in n states."""


@dataclass(frozen=True)
class shaped:
    """A reward plus discount x potential(after) - potential(before) at each step.

    The potential of a terminal state is 0. So undiscounted, the rewards of a game sum to its base reward less the potential of
    its start.

    base : the reward to shape; None: ``"win"`` or, with one side, ``"score"``
    potential : a function of a :class:`~ginkgo_env.core.transitions.StateBatch` of n states that returns (n, sides)
    discount : that of the learner, from one call of ``step`` to the next. Where a seat adds up the rewards of several steps
        (PettingZoo, ``ginkgo train ppo`` with several seats), only 1 leaves the best policies as they are

    >>> import ginkgo_env
    >>> def lead(states):
    ...     return (states.totals - states.totals.mean(axis=1, keepdims=True)) / 30
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city", players=2), 4, reward=ginkgo_env.shaped("win", lead))
    """

    base: Reward | None
    potential: Potential
    discount: float = 1.0
    each_step = True

    def __call__(self, transition: Transition) -> NDArray[Any]:
        """Return the rewards (n, sides)."""
        base = rewards_of_step(chosen_reward(self.base, transition.before.game.sides), transition)
        rewards: NDArray[Any] = base + self.shaping(transition)
        return rewards

    def shaping(self, transition: Transition) -> NDArray[Any]:
        """Return what is added to the base reward, (n, sides)."""
        earlier, later = (
            np.where(states.actor[:, None] < 0, 0.0, self.potential(states))
            for states in (transition.before, cast(StateBatch, transition.after))
        )
        added: NDArray[Any] = self.discount * later - earlier
        return added
