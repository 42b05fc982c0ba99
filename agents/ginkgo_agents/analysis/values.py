"""What actions are worth: each is taken in the same resampled worlds, with the same random numbers, and the game goes on there.

Nothing here sees a true state: worlds come from a :class:`~ginkgo_agents.agents.base.Turn`, which resamples what its seat cannot
know.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn, Words, ask, nth_words
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.masks import NO_ACTION

_MOST_ROWS = 2048  # games side by side: bounds memory, and the time that Ctrl-C has to wait
_FEW = 4  # worlds in which all actions are tried, to find those that deserve more
_DEALS, _TRIALS = 0, 1  # salts: worlds that choose actions are not those that value them
_PLAYING_ON = 1 << 20  # numbers of random words beyond those that a turn uses itself

Ids = NDArray[np.int64]
Values = NDArray[np.float64]


class Judge(NamedTuple):
    """Who values actions, and how."""

    agent: Agent
    """Chooses which actions deserve a look, and judges positions."""
    player: Agent
    """Plays on, at all seats."""
    ahead: int
    """At which own decision after this one the agent judges the position; 0: the game is played to its end."""


def values_of(judge: Judge, turn: Turn, actions: Ids, worlds: int, salt: int = _DEALS) -> Values:
    """The value (n, worlds) of actions (n,) for the one row of a turn, in each world.

    That is the chance of the deciding seat to win (1 for a win, a shared first place its share), or its final score where a
    side plays alone: as judged by the agent, or known where the game ended before. The first worlds do not depend on how many are
    asked for.
    """
    deals, streams = turn.worlds(worlds, salt), _streams(turn, worlds, salt)
    each = max(1, _MOST_ROWS // len(actions))
    parts = []
    for start in range(0, worlds, each):
        chosen = np.arange(start, min(worlds, start + each))
        games = _Games(deals, chosen, len(actions), int(turn.seats[0]), streams[chosen])
        parts.append(games.play(judge, np.repeat(actions, len(chosen))).reshape(len(actions), -1))
    return np.concatenate(parts, axis=1)


def top_candidates(judge: Judge, turn: Turn, top: int) -> Ids:
    """The most promising legal actions of the one row of a turn, at most `top`, the agent's own choice first.

    These are the likeliest. Among those that an agent never plays, which is all but one where it does not draw its actions, they
    are those that do best in a few further worlds.
    """
    legal = turn.legal_actions().actions
    chances = judge.agent.chances(turn)[0, legal]
    if len(legal) > top > np.count_nonzero(chances):
        tried = values_of(judge, turn, legal, _FEW, _TRIALS).mean(axis=1)
    else:
        tried = np.zeros(len(legal))
    return np.asarray(legal[np.lexsort((-tried, -chances))[:top]], np.int64)


def final_values(totals: NDArray[Any], standings: NDArray[Any], seat: int) -> Values:
    """What finished games were worth to a seat (n,): its share of the win, or its score where it played alone.

    totals, standings : (n, sides) scores, and what ranked the sides
    """
    if totals.shape[1] == 1:
        return totals[:, seat].astype(np.float64)
    best = standings == standings.max(axis=1, keepdims=True)
    return np.asarray((best / best.sum(axis=1, keepdims=True))[:, seat], np.float64)


def _streams(turn: Turn, worlds: int, salt: int) -> Words:
    """(worlds,): the start of the random numbers of whoever plays on."""
    each = np.arange(worlds, dtype=np.uint64) + np.uint64(_PLAYING_ON * (1 + salt))
    return nth_words(np.repeat(turn.words, worlds) ^ nth_words(each, 1), 1)


class _Games:
    """Each action in each world: row a x worlds + k is action a in world k."""

    def __init__(self, deals: Batch, chosen: Ids, actions: int, seat: int, streams: Words) -> None:
        n = actions * len(chosen)
        self.batch, self.seat, self.streams = Batch(deals.game, n), seat, np.tile(streams, actions)
        self.batch.copy_rows(deals, np.tile(chosen, actions), np.arange(n))
        self.values, self.own = np.full(n, np.nan), np.zeros(n, np.int64)

    def play(self, judge: Judge, first: Ids) -> Values:
        """Take the first actions and play on until every row has a value."""
        actions, step = first, 0
        while True:
            self.batch.step(actions)
            step += 1
            self._end()
            if judge.ahead > 0:
                self._judge(judge.agent, judge.ahead, step)
            rows = self._open()
            if not rows.size:
                return self.values
            actions = np.full(self.batch.size, NO_ACTION, np.int64)
            actions[rows] = ask(judge.player, self._turn(rows, step))

    def _open(self) -> Ids:
        return np.flatnonzero(np.isnan(self.values))

    def _end(self) -> None:
        rows = np.flatnonzero(np.isnan(self.values) & self.batch.over)
        self.values[rows] = final_values(self.batch.totals[rows], self.batch.standings[rows], self.seat)

    def _judge(self, agent: Agent, ahead: int, step: int) -> None:
        deciding = np.isnan(self.values) & (self.batch.actor == self.seat)
        self.own += deciding
        rows = np.flatnonzero(deciding & (self.own >= ahead))
        if rows.size:
            outlook = agent.outlook(self._turn(rows, step))
            judged = np.asarray(np.nan if outlook is None else outlook, np.float64)
            if judged.shape != (len(rows),) or np.isnan(judged).any():
                raise BatchError(f"{type(agent).__name__} must judge all of {len(rows)} positions with a number each")
            self.values[rows] = judged

    def _turn(self, rows: Ids, step: int) -> Turn:
        return Turn(self.batch, rows, nth_words(self.streams[rows], step))
