"""Rewards, by name, as a function, or as ``module:function``.

All but ``score`` are paid at the end of a game.

* ``win``: +1 shared among the winners, -1 shared among the others; 0 if all win. Zero-sum. The standings decide who wins.
* ``margin``: own score less the mean of the other sides' scores, divided by 100. Zero-sum.
* ``outcome``: WIN_SHARE x win + (1 - WIN_SHARE) x tanh(margin in points / OUTCOME_UNIT): between -1 and 1, and a high win is
  worth more than a narrow one. Zero-sum with two sides.
* ``score``: the change of the own score in points, at each step. The only reward by name with a single side.

A function gets a :class:`~ginkgo_env.core.transitions.Transition` of n games and returns the rewards of their sides, (n, sides).
It is called for games that ended, of which it knows ``after.totals`` and ``after.standings``, (n, sides) each. A function that is
decorated with ``ginkgo_env.each_step`` is called at each step instead, and knows the states before and after it as well.

In a batch of games with different numbers of sides (:class:`~ginkgo_env.core.mixture.Mixture`) the standing of a side that a game
does not have is ``ABSENT``. It is not counted, and its reward is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core import checks
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.errors import BatchError, ConfigError, short_repr
from ginkgo_env.core.imports import imported
from ginkgo_env.core.masks import RUNNING, TRUNCATED
from ginkgo_env.core.transitions import FinalResults, RewardFunction, StateBatch, Transition, is_paid_each_step

RewardName = Literal["win", "margin", "outcome", "score"]
Reward = RewardName | RewardFunction  # chosen_reward also imports module:function
UNKNOWN = -1
"""The version of a score that is not known, see ``core.loops.Scalars.score_version``."""
ABSENT = int(np.iinfo(np.int64).min)
"""The standing of a side that a game does not have."""
MARGIN_UNIT = 100.0
WIN_SHARE, OUTCOME_UNIT = 0.7, 30.0
UNITS = {name: unit for unit, name in enumerate(get_args(RewardName))}
"""Numbers of the rewards by name, for :func:`pay_many`."""
LATER = len(UNITS)
"""The number for rewards that are functions: ``pay_many`` writes 0, and the function is called afterwards."""
_WIN, _MARGIN, _OUTCOME, _SCORE = (UNITS[name] for name in ("win", "margin", "outcome", "score"))


NO_GAINS: tuple[NDArray[Any], ...] = (np.zeros(0, np.int64), np.zeros((0, 0), np.int32), np.zeros((0, 0), np.float32))
"""Empty arrays for rewards other than ``score``, see ``core.loops.PlayMode``."""


def chosen_reward(name: Reward | str | None, sides: int) -> RewardName | RewardFunction:
    """Return the reward by its name; for None ``win`` or, with one side, ``score``. Raises ConfigError."""
    if name is None:
        return "win" if sides > 1 else "score"
    if isinstance(name, str) and ":" in name:
        function: RewardFunction = imported(name, "reward")
        return chosen_reward(function, sides)
    if callable(name):
        return name
    if not isinstance(name, str) or name not in get_args(RewardName):
        names = ", ".join(get_args(RewardName))
        raise ConfigError(f"invalid reward {short_repr(name)}; expected one of {names}, a function or module:function")
    if sides == 1 and name != "score":
        raise ConfigError(f"reward {name!r} compares sides and requires at least two; this game has one: use 'score'")
    return cast(RewardName, name)


def win(standings: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """Return the rewards ``win`` (B, sides) float32 of standings (B, sides)."""
    standings = checks.shaped(standings, (None, None), "standings")
    if not standings.shape[1]:
        raise BatchError("invalid standings; expected at least one side")
    present, best = standings != ABSENT, standings == standings.max(axis=1, keepdims=True)
    winners = best.sum(axis=1, keepdims=True)
    losers = present.sum(axis=1, keepdims=True) - winners
    rewards = np.where(best, 1.0 / winners, -1.0 / np.maximum(losers, 1))
    return np.where(present & (losers > 0), rewards, 0.0).astype(np.float32)


def margin(totals: NDArray[np.integer[Any]], standings: NDArray[np.integer[Any]] | None = None) -> NDArray[np.float32]:
    """Return the rewards ``margin`` (B, sides) float32 of total scores (B, sides).

    standings : (B, sides), which show the sides that are absent; None if no side is absent
    """
    totals = checks.shaped(totals, (None, None), "totals")
    present = (
        np.ones(totals.shape, np.bool_) if standings is None else checks.shaped(standings, totals.shape, "standings") != ABSENT
    )
    others = (totals.sum(axis=1, keepdims=True) - totals) / np.maximum(1, present.sum(axis=1, keepdims=True) - 1)
    return np.asarray(np.where(present, (totals - others) / MARGIN_UNIT, 0.0), np.float32)


@kernel(inline=True)
def total_of(points: Any) -> np.int64:
    """Return the total score of a side from its points by source (sources,)."""
    total = np.int64(0)
    for source in range(points.shape[0]):
        total += np.int64(points[source])
    return total


@kernel
def rewards_of(points: Any, standings: Any, side: int) -> tuple[float, float]:
    """Return the rewards ``win`` and ``margin`` of a side.

    points (sides, sources), standings (sides,) : of a finished game
    """
    if standings[side] == ABSENT:
        return 0.0, 0.0
    sides = 0
    best, winners, own, total = standings[0], 0, np.int64(0), np.int64(0)
    for p in range(standings.shape[0]):
        sides += 1 if standings[p] != ABSENT else 0
        best = max(best, standings[p])
        points_here = total_of(points[p])
        total += points_here
        own = points_here if p == side else own
    for p in range(standings.shape[0]):
        winners += 1 if standings[p] == best else 0
    if sides == 1 or winners == sides:
        won = 0.0
    else:
        won = 1.0 / winners if standings[side] == best else -1.0 / (sides - winners)
    return won, (own - (total - own) / max(1, sides - 1)) / MARGIN_UNIT


@entry
def pay_many(endings: Any, points: Any, standings: Any, unit: int, results: Any) -> None:
    """Write the results of a step.

    endings, points, standings : what ``core.loops.play_many`` wrote: (B,) int8, (B, sides, sources) int32, (B, sides) int64
    unit : the reward's number in UNITS, or LATER; with ``score`` the rewards are left as they are
    results : a tuple of done and truncated (B,) bool, written for all rows, totals (B, sides) int32, written for games that
        ended, and rewards (B, seats) float32, 0 for games that did not end
    """
    done, truncated, totals, rewards = results
    for i in range(done.shape[0]):
        done[i], truncated[i] = endings[i] != RUNNING, endings[i] == TRUNCATED
        for p in range(0 if unit == _SCORE else rewards.shape[1]):
            rewards[i, p] = 0.0
        if not done[i]:
            continue
        for p in range(totals.shape[1]):
            totals[i, p] = total_of(points[i, p])
        for p in range(rewards.shape[1] if unit <= _OUTCOME else 0):
            won, ahead = rewards_of(points[i], standings[i], p)
            if unit == _WIN:
                rewards[i, p] = won
            elif unit == _MARGIN:
                rewards[i, p] = ahead
            else:
                rewards[i, p] = WIN_SHARE * won + (1 - WIN_SHARE) * math.tanh(ahead * (MARGIN_UNIT / OUTCOME_UNIT))


def outcome(totals: NDArray[np.integer[Any]], standings: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """Return the rewards ``outcome`` (B, sides) float32 of total scores and standings (B, sides)."""
    standings = checks.shaped(standings, totals.shape, "standings")
    ahead = np.tanh(margin(totals, standings) * (MARGIN_UNIT / OUTCOME_UNIT))
    return np.asarray(WIN_SHARE * win(standings) + (1 - WIN_SHARE) * ahead, np.float32)


def final_rewards(reward: Reward, totals: NDArray[np.integer[Any]], standings: NDArray[np.integer[Any]]) -> NDArray[np.float32]:
    """Return the rewards (B, sides) float32 at the end of games.

    They are 0 for ``score``, which has been paid at each step.

    Raises BatchError if a function returns anything but finite numbers of that shape, ConfigError for a function that is paid at
    each step.
    """
    if callable(reward):
        require_final(reward)
        results = FinalResults(np.asarray(totals, np.int32), np.asarray(standings, np.int64))
        paid = checked_rewards(reward(Transition(np.ones(len(totals), np.bool_), results)), totals.shape)
        return np.where(results.standings == ABSENT, 0, paid).astype(np.float32)
    if reward == "score":
        return np.zeros(totals.shape, np.float32)
    if reward == "outcome":
        return outcome(totals, standings)
    return win(standings) if reward == "win" else margin(totals, standings)


def require_final(reward: Reward | None) -> None:
    """Raise ConfigError for a reward function that is paid at each step."""
    if is_paid_each_step(reward):
        raise ConfigError("invalid reward, which is paid at each step; expected one that is paid at the end of a game")


def checked_rewards(given: Any, shape: tuple[int, ...], what: str = "the reward function") -> NDArray[Any]:
    """Return rewards as an array. Raises BatchError unless they are finite and have the shape."""
    paid: NDArray[Any] = np.asarray(given)
    if paid.shape != shape or paid.dtype.kind not in "fiub":
        raise BatchError(f"{what} must return numbers of shape {shape}, got {paid.dtype} of shape {paid.shape}")
    if not np.isfinite(paid).all():
        raise BatchError(f"{what} must return finite numbers")
    return paid


# --- rewards of steps, and potential-based shaping (Ng, Harada and Russell 1999) ----------------------------------------------


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
    reward: Reward, engine: Any, before: Any, after: Any, actions: Any, ended: Any, seats: Any = None
) -> NDArray[np.float32]:
    """Return the rewards (n, sides) of steps, from copies of states (n,) before and after.

    engine : the ``Engine`` that computes what the reward asks for
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
