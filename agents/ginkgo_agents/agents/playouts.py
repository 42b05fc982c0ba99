"""Playouts of resampled worlds by a small policy network, valued by a critic where they stop.

A thread plays :data:`BLOCK` of them in step, so that the networks read that many rows at once. The result of a playout depends
on its own state, action and random word alone.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Turn, Words
from ginkgo_agents.agents.evaluate import BLOCK, Net, evaluate_block
from ginkgo_agents.agents.policy import PolicyNet, Slots, hidden_block, logits_of
from ginkgo_env.core import checks
from ginkgo_env.core.checks import indices, random_words
from ginkgo_env.core.compile.intrinsics import record_of
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.game import Game
from ginkgo_env.core.log import SILENT
from ginkgo_env.core.loops import features, no_rounds, observe, playout, resample, round_of, score, standing, step
from ginkgo_env.core.masks import RUNNING
from ginkgo_env.core.rewards import MARGIN_UNIT, OUTCOME_UNIT, Reward, final_rewards, rewards_of, total_of
from ginkgo_env.core.rng import GOLDEN, mix

_FREE = -1
_BITS, _UNIT = np.uint64(11), 2.0**-53  # a float64 holds 53 of a word's 64 bits


@kernel
def draw_by_logits(
    mask: Any, policy: PolicyNet, x: Any, z: Any, sharpness: float, word: np.uint64, ids: Any, units: Any, weights: Any
) -> int:
    """Draw a legal action by the softmax of its logits times ``sharpness``; the likeliest if it is 0.

    x, z, units : as for ``logits_of``
    ids (A + 1,) int64, weights (A,) float32 : workspace
    """
    n, best = 0, 0
    for a in range(mask.shape[0]):
        ids[n] = a
        n += 1 if mask[a] != 0 else 0
    logits_of(policy, x, z, ids, n, units, weights)
    for k in range(n):
        best = k if weights[k] > weights[best] else best
    if sharpness <= 0.0:
        return int(ids[best])
    top, total = weights[best], 0.0
    for k in range(n):
        weights[k] = math.exp(np.float32(sharpness) * (weights[k] - top))
        total += weights[k]
    rest = np.float64(word >> _BITS) * _UNIT * total
    for k in range(n):
        rest -= weights[k]
        if rest < 0.0:
            return int(ids[k])
    return int(ids[best])


def playouts_many(
    start: int,
    stop: int,
    states: Any,
    tables: Any,
    seats: Any,
    rows: Any,
    actions: Any,
    words: Any,
    horizon: int,
    has_rounds: bool,
    sharpness: float,
    n_actions: int,
    n_sides: int,
    n_sources: int,
    feature_offsets: Any,
    observation_offsets: Any,
    n_features: int,
    observed: Any,
    log: Any,
    policy: PolicyNet,
    critic: Net,
    values: Any,
    ended: Any,
    totals: Any,
    standings: Any,
) -> None:
    """Play actions (J,) in resampled worlds of the states in rows (J,), and value the resulting positions.

    After the action the policy plays all seats. A job is an action in a world: what the seat of its row (in seats (B,)) cannot
    know is resampled once, before the action. The same word (J,) uint64 gives the same world and the same random choices.

    A job ends with its game, or at the seat's first decision at least ``horizon`` rounds later (decisions of its own in games
    without rounds). Without a critic (no columns) it ends with the game. Without a policy, the game's playout chooses.

    observed (1, n) : memory for an observation, of its dtype; n is 0 if the policy reads no observation
    values (J, 2) float32 : receives win and margin of the seat as a critic estimates them, each -1 to 1
    ended (J,) int8, totals (J, sides) int32, standings (J, sides) int64 : receive which games ended, and their results
    """
    t = record_of(tables)
    slots, masks = np.empty(BLOCK, states.dtype), np.empty((BLOCK, n_actions), np.int8)
    views = np.zeros((BLOCK, n_features + observed.shape[1]), np.float32)
    leaves, leaf_jobs, n_leaves = np.zeros((BLOCK, n_features), np.float32), np.zeros(BLOCK, np.int64), 0
    net, has_policy, has_critic = policy.net, policy.net.columns.size > 0, critic.columns.size > 0
    x, h1 = np.empty((BLOCK, net.columns.size), np.float32), np.empty((BLOCK, net.b1.size), np.float32)
    h2, units = np.zeros((BLOCK, net.b2.size), np.float32), np.empty((2, net.b2.size), np.float32)
    critic_x, critic_h1 = np.empty((BLOCK, critic.columns.size), np.float32), np.empty((BLOCK, critic.b1.size), np.float32)
    critic_h2, estimates = np.empty((BLOCK, critic.b2.size), np.float32), np.empty((BLOCK, 2), np.float32)
    seen = np.empty((1, observed.shape[1]), observed.dtype)
    points = np.empty((1, n_sides, n_sources), np.int32)
    ids, weights = np.empty(n_actions + 1, np.int64), np.empty(n_actions, np.float32)
    jobs, passed, until = np.full(BLOCK, _FREE), np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.int64)
    streams, following, running = np.zeros(BLOCK, np.uint64), start, 0
    while following < stop or running > 0:
        for lane in range(BLOCK):
            while jobs[lane] != _FREE or following < stop:
                if jobs[lane] == _FREE:
                    job = following
                    following, running = following + 1, running + 1
                    slots[lane] = states[rows[job]]
                    g = slots[lane]
                    jobs[lane], passed[lane], streams[lane] = job, 0, mix(words[job])
                    until[lane] = horizon + (round_of(g, t) if has_rounds else 0)
                    resample(g, t, seats[rows[job]], words[job])
                    action = actions[job]
                else:
                    job, g = jobs[lane], slots[lane]
                    streams[lane] += GOLDEN
                    word = mix(streams[lane])
                    if has_policy:
                        action = draw_by_logits(masks[lane], policy, x[lane], h2[lane], sharpness, word, ids, units, weights)
                    else:
                        action = playout(g, t, g.actor, masks[lane], word)
                seat = seats[rows[job]]
                if step(g, t, action, masks[lane], log) != RUNNING:
                    score(g, t, points[0])
                    standing(g, t, points[0], standings[job])
                    won, margin = rewards_of(points[0], standings[job], seat)
                    ended[job] = 1
                    for p in range(n_sides):
                        totals[job, p] = total_of(points[0, p])
                    values[job, 0], values[job, 1] = won, math.tanh(margin * (MARGIN_UNIT / OUTCOME_UNIT))
                elif g.actor == seat and has_critic:
                    passed[lane] += 1
                    if (round_of(g, t) if has_rounds else passed[lane]) < until[lane]:
                        break
                    features(g, t, seat, leaves[n_leaves], feature_offsets)
                    leaf_jobs[n_leaves] = job
                    n_leaves += 1
                else:
                    break
                jobs[lane] = _FREE
                running -= 1
                if n_leaves == BLOCK or (n_leaves > 0 and running == 0 and following == stop):
                    evaluate_block(leaves, 0, n_leaves, critic, critic_x, critic_h1, critic_h2, estimates)
                    for k in range(n_leaves):
                        values[leaf_jobs[k], 0], values[leaf_jobs[k], 1] = estimates[k, 0], estimates[k, 1]
                    n_leaves = 0
        if running > 0 and has_policy:
            for lane in range(BLOCK):
                if jobs[lane] == _FREE:
                    continue
                g = slots[lane]
                features(g, t, g.actor, views[lane, :n_features], feature_offsets)
                if observed.shape[1] > 0:
                    observe(g, t, g.actor, seen[0], observation_offsets)
                    for n in range(observed.shape[1]):
                        views[lane, n_features + n] = seen[0, n]
            hidden_block(views, 0, BLOCK, net, x, h1, h2)


_NO_NET = Net(np.zeros(0, np.int64), *(np.zeros((0,) * axes, np.float32) for axes in (1, 1, 2, 1, 2, 1, 2, 1)))
_NO_POLICY = PolicyNet(
    *(_NO_NET, np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32)),
    Slots(np.zeros((0, 0), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)),
)


class Playouts:
    """Playouts of a game by networks.

    policy : plays all seats; None: the game's playout
    critic : values positions; None: playouts go to the end
    horizon : number of rounds after which the critic values a playout, or of own decisions in games without rounds
    temperature : of the policy; 0 plays its likeliest action
    by_rounds : whether the horizon counts rounds in games that have them; otherwise own decisions
    reward : the reward, -1 to 1, that both outputs of the critic estimate and that finished games pay; None: win and margin
    """

    def __init__(
        self,
        game: Game,
        policy: PolicyNet | None,
        critic: Net | None,
        horizon: int,
        temperature: float,
        *,
        by_rounds: bool = True,
        reward: Reward | None = None,
    ) -> None:
        self._game, self._loop, self._reward = game, game.kernels.bind(playouts_many), reward
        policy, critic = policy or _NO_POLICY, critic or _NO_NET
        observed = game.observation.size if (policy.net.columns >= game.features.size).any() else 0
        self._arguments = (
            *(horizon, by_rounds and game.kernels.scalars.round_of is not no_rounds, 1 / temperature if temperature else 0.0),
            *(game.actions.size, game.sides, len(game.sources), game.features.offsets, game.observation.offsets),
            *(game.features.size, np.empty((1, observed), game.observation_dtype), SILENT, policy, critic),
        )

    def values(self, turn: Turn, rows: NDArray[np.int64], actions: NDArray[np.int64], words: Words) -> NDArray[np.float32]:
        """Play legal actions (n,) in rows (n,) of a turn, each in a resampled world.

        words : (n,) random words, from which the worlds follow

        Returns win and margin (n, 2) of the deciding seats, or twice the reward, each -1 to 1: as estimated or, where the game
        ended, exact.
        """
        if turn.game is not self._game:
            raise BatchError("turn must be of the game of these playouts, got another game")
        rows = indices(rows, len(turn), "rows")
        n, sides = len(rows), self._game.sides
        arrays = rows, checks.actions(actions, n).astype(np.int64), np.ascontiguousarray(random_words(words, n))
        values, ended = np.empty((n, 2), np.float32), np.zeros(n, np.int8)
        totals, standings = np.zeros((n, sides), np.int32), np.zeros((n, sides), np.int64)
        turn._play(self._loop, *arrays, *self._arguments, values, ended, totals, standings)
        if self._reward is not None:
            over = np.flatnonzero(ended)
            paid = final_rewards(self._reward, totals[over], standings[over])[np.arange(len(over)), turn.seats[rows[over]]]
            values[over] = np.clip(paid, -1, 1)[:, None]
        return values
