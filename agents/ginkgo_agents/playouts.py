"""Playouts of resampled worlds by a small policy network, valued by a critic where they stop.

A thread plays :data:`BLOCK` of them in step, so that the networks read that many rows at once. The result of a playout depends
on its own state, action and random key alone.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, DecisionBatch, Jobs, Keys, nth_keys, sample_actions
from ginkgo_agents.nets import BLOCK, Layers, Net, copy_columns, evaluate_block, new_layers, normalize
from ginkgo_agents.policy import PolicyNet, Slots, hidden_layers, logits_of
from ginkgo_env.core import checks
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.checks import indices, random_keys
from ginkgo_env.core.compile.bits import ONE, ZERO, lowest
from ginkgo_env.core.compile.intrinsics import borrow, read_bits
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.events import no_log
from ginkgo_env.core.game import Game
from ginkgo_env.core.loops import (
    answer,
    ask,
    features,
    no_rounds,
    observe,
    playout,
    record_of,
    resample,
    round_of,
    score,
    standing,
    step,
)
from ginkgo_env.core.masks import NO_ACTION, RUNNING, draw_legal
from ginkgo_env.core.rewards import MARGIN_UNIT, OUTCOME_UNIT, Reward, final_rewards, rewards_of, total_of
from ginkgo_env.core.rng import GOLDEN, mix

_FREE = -1
_WORD = 64  # bits
_BITS, _UNIT = np.uint64(11), 2.0**-53  # a float64 holds 53 of a key's 64 bits


class PlayoutSettings(NamedTuple):
    """How playouts go."""

    policy: PolicyNet
    """Plays all seats. Without columns, the game's playout does."""
    critic: Net
    """Values positions. Without columns, playouts end with the game."""
    horizon: int
    """The critic values a seat's first decision at least so many rounds later."""
    has_rounds: bool
    """Whether the horizon counts rounds; otherwise own decisions."""
    sharpness: float
    """The policy draws from the softmax of this times its logits; 0 for its likeliest actions."""
    belief: float
    """The same for hidden choices of others, which are made again before the playout; negative: they stay as resampled."""
    sizes: tuple[int, int, int]
    """Numbers of actions, sides and sources of points of the game."""
    offsets: tuple[NDArray[np.int64], NDArray[np.int64]]
    """The offsets of the layouts of features and observations."""
    observed: NDArray[Any]
    """(1, n) memory for an observation; n is 0 if the policy reads none."""


class PlayoutResults(NamedTuple):
    """The results of J playouts."""

    values: NDArray[np.float32]
    """(J, 2): win and margin of the seat as the critic estimates them, each -1 to 1."""
    ended: NDArray[np.int8]
    """(J,): 1 where the game ended; the values are then exact."""
    totals: NDArray[np.int32]
    standings: NDArray[np.int64]
    """(J, sides): scores and standings of games that ended."""


class Lanes(NamedTuple):
    """The playouts that are played in step, one in each of BLOCK lanes."""

    jobs: NDArray[np.int64]
    """The number of the job, _FREE for none."""
    states: NDArray[Any]
    worlds: NDArray[Any]
    """The resampled worlds, in which hidden choices of others are made again."""
    asked: NDArray[np.int64]
    """The number of the hidden choice that is asked for, _FREE once the playout has begun."""
    masks: NDArray[np.int8]
    keys: NDArray[np.uint64]
    """Streams of random keys."""
    decisions: NDArray[np.int64]
    """How many decisions the seat has had."""
    until: NDArray[np.int64]
    """The round, or the number of decisions, from which on the critic values the seat's decisions."""


class Leaves(NamedTuple):
    """Up to BLOCK positions that the critic is to value."""

    jobs: NDArray[np.int64]
    views: NDArray[np.float32]
    """(BLOCK, n) features."""
    layers: Layers


@kernel
def new_lanes(states: Any, n_actions: int) -> Lanes:
    """Make lanes that are all free, for states of this dtype."""
    keys, decisions, until = np.zeros(BLOCK, np.uint64), np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.int64)
    records, worlds, masks = np.empty(BLOCK, states.dtype), np.empty(BLOCK, states.dtype), np.empty((BLOCK, n_actions), np.int8)
    return Lanes(np.full(BLOCK, _FREE), records, worlds, np.full(BLOCK, _FREE), masks, keys, decisions, until)


@kernel
def list_ids(mask: Any, ids: Any) -> int:
    """Write the legal actions into ids (A + 1,) int64 and return their number."""
    n, whole = 0, mask.shape[0] - mask.shape[0] % _WORD
    for first in range(0, whole, _WORD):
        rest = read_bits(mask, first)
        while rest != ZERO:
            ids[n] = first + lowest(rest)
            rest &= rest - ONE
            n += 1
    for a in range(whole, mask.shape[0]):
        ids[n] = a
        n += 1 if mask[a] != 0 else 0
    return n


@kernel
def ask_next(lanes: Lanes, lane: int, t: Any, seat: int) -> bool:
    """Turn the state of a lane into the next hidden choice that has alternatives, if any is left."""
    k = lanes.asked[lane]
    n = ask(lanes.states[lane], t, seat, k, lanes.masks[lane])
    while n == 0 or n == 1:
        if n == 1:
            make_choice(lanes, lane, t, k, draw_legal(lanes.masks[lane], ZERO))
        k += 1
        n = ask(lanes.states[lane], t, seat, k, lanes.masks[lane])
    lanes.asked[lane] = k if n > 0 else _FREE
    return bool(n > 0)


@kernel
def make_choice(lanes: Lanes, lane: int, t: Any, k: int, action: int) -> None:
    """Make the k-th hidden choice in the world of a lane, which becomes its state."""
    answer(lanes.worlds[lane], t, k, action)
    lanes.states[lane] = lanes.worlds[lane]


@kernel
def draw_by_logits(logits: Any, sharpness: float, key: np.uint64) -> int:
    """Draw an index by the softmax of logits (n,) float32.

    sharpness : multiplies the logits; 0 for the likeliest index

    The logits are overwritten.
    """
    best = 0
    for k in range(logits.shape[0]):
        best = k if logits[k] > logits[best] else best
    if sharpness <= 0.0:
        return best
    top, total = logits[best], 0.0
    for k in range(logits.shape[0]):
        logits[k] = math.exp(np.float32(sharpness) * (logits[k] - top))
        total += logits[k]
    rest = np.float64(key >> _BITS) * _UNIT * total
    for k in range(logits.shape[0]):
        rest -= logits[k]
        if rest < 0.0:
            return k
    return best


@kernel
def write_result(g: Any, t: Any, seat: int, points: Any, job: int, results: PlayoutResults) -> None:
    """Write the result of a finished game for a seat; points (sides, sources) are workspace."""
    score(g, t, points)
    standing(g, t, points, results.standings[job])
    won, margin = rewards_of(points, results.standings[job], seat)
    results.ended[job] = 1
    for p in range(points.shape[0]):
        results.totals[job, p] = total_of(points[p])
    results.values[job, 0], results.values[job, 1] = won, math.tanh(margin * (MARGIN_UNIT / OUTCOME_UNIT))


@kernel
def value_leaves(leaves: Leaves, n: int, critic: Net, values: Any) -> None:
    """Write the critic's values of the first n leaves."""
    evaluate_block(leaves.views, 0, n, critic, leaves.layers)
    for k in range(n):
        for i in range(2):
            values[leaves.jobs[k], i] = leaves.layers.out[k, i]


@kernel
def write_inputs(g: Any, t: Any, offsets: Any, viewed: Any, observed: Any, net: Net, x: Any) -> None:
    """Write the inputs (n,) of a policy for the actor: features and, if it reads them, observations.

    viewed, observed : memory for features and an observation; without items the policy reads no observation
    """
    features(g, t, g.actor, viewed, offsets[0])
    n = 0
    while n < net.columns.shape[0] and net.columns[n] < viewed.shape[0]:
        n += 1
    copy_columns(viewed, net.columns[:n], 0, x)
    if observed.shape[0] > 0:
        observe(g, t, g.actor, observed, offsets[1])
        copy_columns(observed, net.columns[n:], viewed.shape[0], x[n:])
    normalize(x, net)


def playouts_many(start: int, stop: int, jobs: Jobs, keys: Any, settings: PlayoutSettings, results: PlayoutResults) -> None:
    """Play actions of J jobs in resampled worlds of their states, and value the resulting positions.

    After the action the policy plays all seats. What the seat of a job cannot know is resampled once, before the action; then the
    policy makes hidden choices of others again, if the settings say so, each from what its own seat sees of the world. The same
    key (J,) uint64 gives the same world and the same random choices.

    A job ends with its game, or at the seat's first decision beyond the horizon, which the critic values.
    """
    log, (states, _, seats, rows, actions) = no_log(), borrow(jobs)
    results, (policy, critic, horizon, has_rounds, sharpness, belief, sizes, offsets, observed) = (
        borrow(results),
        borrow(settings),
    )
    has_policy, has_critic, (n_actions, n_sides, n_sources) = policy.net.columns.size > 0, critic.columns.size > 0, sizes
    n_features = offsets[0][-1]
    leaves = Leaves(np.zeros(BLOCK, np.int64), np.zeros((BLOCK, n_features), np.float32), new_layers(critic))
    viewed, seen = np.empty(n_features, np.float32), np.empty(observed.shape, observed.dtype)
    ids, logits = np.empty(n_actions + 1, np.int64), np.empty(n_actions, np.float32)
    points = np.empty((n_sides, n_sources), np.int32)
    owned = new_lanes(states, n_actions), new_layers(policy.net), leaves, viewed, seen, ids, logits, points
    lanes, layers, leaves, viewed, seen, ids, logits, points = borrow(owned)
    following, running, n_leaves = start, 0, 0
    while following < stop or running > 0:
        for lane in range(BLOCK):
            g, mask = lanes.states[lane], lanes.masks[lane]
            while lanes.jobs[lane] != _FREE or following < stop:
                if lanes.jobs[lane] == _FREE:
                    job = following
                    following, running = following + 1, running + 1
                    lanes.states[lane] = states[rows[job]]
                    t = record_of(g, jobs.components)
                    lanes.jobs[lane], lanes.decisions[lane], lanes.keys[lane] = job, 0, mix(keys[job])
                    lanes.until[lane] = horizon + (round_of(g, t) if has_rounds else 0)
                    resample(g, t, seats[rows[job]], keys[job])
                    if belief >= 0.0:
                        lanes.worlds[lane] = g
                        lanes.asked[lane] = 0
                    action = actions[job]
                else:
                    job, t = lanes.jobs[lane], record_of(g, jobs.components)
                    lanes.keys[lane] += GOLDEN
                    key = mix(lanes.keys[lane])
                    if has_policy:
                        n = list_ids(mask, ids)
                        logits_of(policy, layers, lane, ids[:n], logits[:n])
                        action = ids[draw_by_logits(logits[:n], sharpness if lanes.asked[lane] == _FREE else belief, key)]
                    else:
                        action = playout(g, t, g.actor, mask, key)
                    if lanes.asked[lane] != _FREE:
                        make_choice(lanes, lane, t, lanes.asked[lane], action)
                        lanes.asked[lane] += 1
                        action = actions[job]
                seat = seats[rows[job]]
                if lanes.asked[lane] != _FREE and ask_next(lanes, lane, t, seat):
                    break
                if step(g, t, action, mask, log) != RUNNING:
                    write_result(g, t, seat, points, job, results)
                elif g.actor == seat and has_critic:
                    lanes.decisions[lane] += 1
                    if (round_of(g, t) if has_rounds else lanes.decisions[lane]) < lanes.until[lane]:
                        break
                    features(g, t, seat, leaves.views[n_leaves], offsets[0])
                    leaves.jobs[n_leaves] = job
                    n_leaves += 1
                else:
                    break
                lanes.jobs[lane] = _FREE
                running -= 1
                if n_leaves == BLOCK or (n_leaves > 0 and running == 0 and following == stop):
                    value_leaves(leaves, n_leaves, critic, results.values)
                    n_leaves = 0
        if running > 0 and has_policy:
            for lane in range(BLOCK):
                if lanes.jobs[lane] != _FREE:
                    g = lanes.states[lane]
                    write_inputs(g, record_of(g, jobs.components), offsets, viewed, seen[0], policy.net, layers.x[lane])
            hidden_layers(policy.net, layers)
    owned[-1][0, 0] = 0  # Numba frees an array after its last use, although another name borrows it


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
    belief : the temperature at which the policy makes hidden choices of others again in a resampled world, as those seats would
        see it; without a policy the game's playout makes them. None: they stay as resampled

    >>> from ginkgo_env import make_game
    >>> playouts = Playouts(make_game("my_city"), None, None, horizon=4, temperature=1.0)
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
        belief: float | None = None,
    ) -> None:
        self._game, self._loop, self._reward = game, game.kernels.bind(playouts_many), reward
        policy, critic = policy or _NO_POLICY, critic or _NO_NET
        observed = game.observation.size if (policy.net.columns >= game.features.size).any() else 0
        has_rounds = by_rounds and game.kernels.scalars.round_of is not no_rounds
        sharpness, sharp_belief = (1 / each if each else 0.0 for each in (temperature, belief or 0.0))
        sizes = game.actions.size, game.sides, len(game.sources)
        offsets, seen = (game.features.offsets, game.observation.offsets), np.empty((1, observed), game.observation_dtype)
        draws = sharpness, -1.0 if belief is None else sharp_belief
        self._settings = PlayoutSettings(policy, critic, horizon, has_rounds, *draws, sizes, offsets, seen)

    def values(self, turn: DecisionBatch, rows: NDArray[np.int64], actions: NDArray[np.int64], keys: Keys) -> NDArray[np.float32]:
        """Play legal actions (n,) in rows (n,) of a turn, each in a resampled world.

        keys : (n,) random keys, from which the worlds follow

        Returns win and margin (n, 2) of the deciding seats, or twice the reward, each -1 to 1: as estimated or, where the game
        ended, exact.
        """
        if turn.game is not self._game:
            raise BatchError("turn must be of the game of these playouts, got another game")
        rows = indices(rows, len(turn), "rows")
        n, sides = len(rows), self._game.sides
        values, ended = np.empty((n, 2), np.float32), np.zeros(n, np.int8)
        totals, standings = np.zeros((n, sides), np.int32), np.zeros((n, sides), np.int64)
        actions, keys = checks.actions(actions, n).astype(np.int64), np.ascontiguousarray(random_keys(keys, n))
        turn._play(self._loop, rows, actions, keys, self._settings, PlayoutResults(values, ended, totals, standings))
        if self._reward is not None:
            over = np.flatnonzero(ended)
            paid = final_rewards(self._reward, totals[over], standings[over])[np.arange(len(over)), turn.seats[rows[over]]]
            values[over] = np.clip(paid, -1, 1)[:, None]
        return values


def choose_again(worlds: Batch, seats: NDArray[np.int64], agent: Agent, keys: Keys) -> None:
    """Let an agent make choices again that are hidden from seats (B,) in their resampled worlds.

    It draws each from its probabilities, by what the seat that chooses sees of the world. Decisions that cannot be played on,
    as agents that look ahead would, are left as they are.

    keys : (B,) random keys
    """
    decisions, counts, masks = Batch(worlds.game, worlds.size), np.zeros(worlds.size, np.int64), worlds.mask.copy()
    k, every = 0, np.arange(worlds.size)
    rows = every
    while (counts >= 0).any():
        if rows.size:  # asking changes these alone
            decisions.copy_rows(worlds, every, every)
        decisions.run(worlds.game.kernels.ask, seats, k, masks, counts)
        rows = np.flatnonzero(counts > 0)
        own = rows[worlds.game.flaw_numbers(decisions.states[rows].view(np.recarray)) == 0]
        if own.size:
            decisions.mask[own], actions = masks[own], np.full(worlds.size, NO_ACTION, np.int64)
            turn = DecisionBatch(decisions, own, nth_keys(keys[own], k))
            actions[own] = sample_actions(agent.probabilities(turn), nth_keys(turn.keys, 1))
            worlds.run(worlds.game.kernels.answer, k, actions)
        k += 1
