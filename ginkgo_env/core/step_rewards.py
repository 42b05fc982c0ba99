"""Rewards of steps, and potential-based shaping (Ng, Harada and Russell 1999)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.engine import Engine
from ginkgo_env.core.rewards import Reward, checked_rewards, chosen_reward, final_rewards
from ginkgo_env.core.transitions import RewardFunction, StateBatch, Transition, is_paid_each_step


def rewards_of_step(reward: Reward, step: Transition) -> NDArray[np.float32]:
    """Return the rewards (n, sides) float32 of a step, of which the states before and after are known.

    Raises BatchError if a function returns anything but finite numbers of that shape.
    """
    game, after = step.after.game, step.after
    if is_paid_each_step(reward):
        paid = checked_rewards(cast(RewardFunction, reward)(step), (len(step.ended), game.sides))
        absent = np.arange(game.sides) >= game.seats_of(after.states)[:, None]  # in a mixture
        return np.where(absent & (game.sides == game.seats), 0, paid).astype(np.float32)
    if reward == "score":
        return np.asarray(after.totals - step.before.totals, np.float32)
    paid = np.zeros((len(step.ended), game.sides), np.float32)
    if step.ended.any():
        paid[step.ended] = final_rewards(reward, after.totals[step.ended], after.standings[step.ended])
    return paid


def rewards_between(
    reward: Reward, engine: Engine, before: Any, after: Any, actions: Any, ended: Any, seats: Any = None
) -> NDArray[np.float32]:
    """Return the rewards (n, sides) of steps, from copies of states (n,) before and after.

    engine : computes what the reward asks for
    seats : (n,) the seats that played the actions; None for those that decided before
    """
    was, now = (StateBatch(engine.game, states, engine.run) for states in (before, after))
    return rewards_of_step(reward, Transition(ended, now, was, actions, was.actor if seats is None else seats))


@dataclass(frozen=True)
class shaped:
    """A reward plus discount x potential(after) - potential(before) at each step.

    The potential of a terminal state is 0. So undiscounted, the rewards of a game sum to its base reward less the potential of
    its start, and the best policies stay the same.

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
    potential: Callable[[StateBatch], NDArray[Any]]
    discount: float = 1.0
    each_step = True

    def __call__(self, step: Transition) -> NDArray[Any]:
        """Return the rewards (n, sides)."""
        base = rewards_of_step(chosen_reward(self.base, step.before.game.sides), step)
        rewards: NDArray[Any] = base + self.discount * self._potentials(step.after) - self._potentials(step.before)
        return rewards

    def _potentials(self, states: StateBatch) -> NDArray[Any]:
        shape = len(states.actor), states.game.sides
        return np.where(states.actor[:, None] < 0, 0, checked_rewards(self.potential(states), shape, "the potential"))
