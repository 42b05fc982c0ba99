"""Values of actions, from playouts in resampled worlds.

All actions meet the same worlds and the same random numbers.

Nothing here reads a true state: worlds come from a :class:`~ginkgo_agents.agents.base.Turn`, which resamples what its seat cannot
know.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn, Words, actions_of, nth_words
from ginkgo_agents.agents.lookahead import win_chance
from ginkgo_agents.agents.playouts import Playouts
from ginkgo_agents.evaluation.statistics import win_shares
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.masks import NO_ACTION

_MOST_ROWS = 2048  # games side by side: bounds memory, and the delay of Ctrl-C
_TRIAL_WORLDS = 4  # in which all actions are tried, to choose the candidates
_VALUES, _TRIALS = 0, 1  # salts: the worlds that choose candidates are not those that value them
_ROLLOUT_WORDS = 1 << 20  # numbers of random words beyond those that a turn uses itself

Ids = NDArray[np.int64]
Values = NDArray[np.float64]


class Evaluator(NamedTuple):
    """The agents that value actions."""

    agent: Agent
    """Chooses the candidates, and evaluates positions."""
    player: Agent
    """Plays on, at all seats."""
    ahead: int
    """The number of own decisions after which the agent evaluates the position; 0 plays the game to its end."""
    playouts: Playouts | None = None
    """Compiled playouts that play on and evaluate, in place of agent and player."""


def values_of(evaluator: Evaluator, turn: Turn, actions: Ids, worlds: int, salt: int = _VALUES) -> Values:
    """The value (n, worlds) of actions (n,) in each world, for the single row of a turn.

    A value is the probability that the deciding seat wins (a shared first place counts as its share), or the final score in
    games with one side: as estimated by the agent, or exact where the game has ended. More worlds do not change the first ones.
    """
    streams = _streams(turn, worlds, salt)
    if evaluator.playouts is not None:
        tried = np.repeat(actions, worlds)
        won = evaluator.playouts.values(turn, np.zeros(len(tried), np.int64), tried, np.tile(streams, len(actions)))[:, 0]
        return win_chance(won, turn.game.sides).reshape(len(actions), worlds).astype(np.float64)
    start_states = turn.resampled_batch(worlds, salt)
    each = max(1, _MOST_ROWS // len(actions))
    parts = []
    for start in range(0, worlds, each):
        part = np.arange(start, min(worlds, start + each))
        rollouts = _Rollouts(start_states, part, len(actions), int(turn.seats[0]), streams[part])
        parts.append(rollouts.play(evaluator, np.repeat(actions, len(part))).reshape(len(actions), -1))
    return np.concatenate(parts, axis=1)


def top_candidates(evaluator: Evaluator, turn: Turn, top: int) -> Ids:
    """The most promising legal actions for the single row of a turn, the agent's own choice first.

    These are at most `top`, the likeliest ones. Actions that the agent never plays are ranked by their values in a few further
    worlds; for an agent that does not sample its actions these are all but one.
    """
    legal = turn.legal_actions().actions
    probabilities = evaluator.agent.probabilities(turn)[0, legal]
    if len(legal) > top > np.count_nonzero(probabilities):
        trials = values_of(evaluator, turn, legal, _TRIAL_WORLDS, _TRIALS).mean(axis=1)
    else:
        trials = np.zeros(len(legal))
    return np.asarray(legal[np.lexsort((-trials, -probabilities))[:top]], np.int64)


def final_values(totals: NDArray[Any], standings: NDArray[Any], seat: int) -> Values:
    """The value (n,) of finished games to a seat: its share of the win, or its score as the only side.

    totals, standings : (n, sides)
    """
    if totals.shape[1] == 1:
        return totals[:, seat].astype(np.float64)
    return win_shares(standings)[:, seat]


def _streams(turn: Turn, worlds: int, salt: int) -> Words:
    """(worlds,) random words, from which the random numbers of the players derive."""
    each = np.arange(worlds, dtype=np.uint64) + np.uint64(_ROLLOUT_WORDS * (1 + salt))
    return nth_words(np.repeat(turn.words, worlds) ^ nth_words(each, 1), 1)


class _Rollouts:
    """Games in which each action is taken in each world: row a x worlds + k has action a in world k."""

    def __init__(self, start_states: Batch, worlds: Ids, actions: int, seat: int, streams: Words) -> None:
        n = actions * len(worlds)
        self.batch, self.seat, self.streams = Batch(start_states.game, n), seat, np.tile(streams, actions)
        self.batch.copy_rows(start_states, np.tile(worlds, actions), np.arange(n))
        self.values, self.own_decisions = np.full(n, np.nan), np.zeros(n, np.int64)

    def play(self, evaluator: Evaluator, first: Ids) -> Values:
        """Take the first actions (rows,) and play on until every row has a value."""
        actions, step = first, 0
        while True:
            self.batch.step(actions)
            step += 1
            ended = np.flatnonzero(np.isnan(self.values) & self.batch.over)
            self.values[ended] = final_values(self.batch.totals[ended], self.batch.standings[ended], self.seat)
            if evaluator.ahead > 0:
                self._evaluate(evaluator.agent, evaluator.ahead, step)
            rows = np.flatnonzero(np.isnan(self.values))
            if not rows.size:
                return self.values
            actions = np.full(self.batch.size, NO_ACTION, np.int64)
            actions[rows] = actions_of(evaluator.player, self._turn(rows, step))

    def _evaluate(self, agent: Agent, ahead: int, step: int) -> None:
        deciding = np.isnan(self.values) & (self.batch.actor == self.seat)
        self.own_decisions += deciding
        rows = np.flatnonzero(deciding & (self.own_decisions >= ahead))
        if rows.size:
            estimates = agent.value(self._turn(rows, step))
            values = np.asarray(np.nan if estimates is None else estimates, np.float64)
            if values.shape != (len(rows),) or np.isnan(values).any():
                raise BatchError(f"{type(agent).__name__}.value must return a number for each of {len(rows)} rows")
            self.values[rows] = values

    def _turn(self, rows: Ids, step: int) -> Turn:
        return Turn(self.batch, rows, nth_words(self.streams[rows], step))
