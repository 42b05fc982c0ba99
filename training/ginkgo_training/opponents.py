"""Opponents for a share of the games of a trainer: agents, and snapshots of the learner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, DecisionBatch, KernelThreads, actions_of
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.rewards import ABSENT
from ginkgo_training.settings import OpponentSettings
from ginkgo_training.trainer import Arrays, array_of

LEARNER = 0
"""The number of the learner among the players."""
_LEARNER = "learner"  # in the pay-off matrix
_POOL = "pool/"
_STATE = ("players", "rates", "games_played", "past_rates")
_STREAM = 1  # of random numbers, apart from the trainer's
_RECENT = 0.05  # weight of the last game in a win rate
_UNKNOWN, _UNMET = 0.5, -1.0  # stands for a win rate before the first game, and in the matrix
_LEAST = 0.01  # least share of lost games that an opponent counts with when opponents are drawn

Decide = Callable[[NDArray[np.int64], NDArray[np.uint64]], NDArray[np.int64]]
"""(rows (k,), random keys (k,)) -> actions (k,) in these rows of the batch."""


class OpponentPool:
    """Draws the player of each seat in the games of a batch, as ``OpponentSettings`` describes.

    Player 0 is the learner, the next ones are the baselines, then the slots of snapshots. The players of a game are drawn when
    it begins. Raises ConfigError for a baseline that cannot play the game.

    batch : the games
    seed : seed of everything drawn
    player_of : makes the function that decides for a snapshot from its weights
    threads : threads that run the agents' compiled loops

    Attributes
    ----------
    players : (games, seats) int64, the number of the player of each seat
    rates : (players,) how often the learner has recently finished above each player, 0 to 1; a tie counts a half
    games_played : (players,) int64, number of the learner's games with each; its own number counts all its games
    past_rates : (snapshots, players) the rates of each snapshot when it was the learner; -1 for players that it had not met
    added : number of snapshots so far
    random : the generator of everything drawn
    """

    def __init__(
        self,
        batch: Batch,
        settings: OpponentSettings,
        seed: int,
        player_of: Callable[[Arrays], Decide],
        threads: KernelThreads | None = None,
    ) -> None:
        self._batch, self._settings, self._player_of = batch, settings, player_of
        agents = [agent_to_train_with(name, batch.game) for name in settings.baselines]
        self._baselines = [player_of_agent(agent, batch, threads) for agent in agents]
        self._snapshots: list[tuple[Arrays, Decide]] = []
        self.random = np.random.Generator(np.random.PCG64([seed, _STREAM]))
        self.added = 0
        self.rates = np.full(1 + len(self._baselines) + settings.snapshots, _UNKNOWN)
        self.games_played = np.zeros(len(self.rates), np.int64)
        self.past_rates = np.full((settings.snapshots, len(self.rates)), _UNMET)
        self.players = np.zeros((batch.size, batch.game.seats), np.int64)
        self._draw(np.arange(batch.size))

    @property
    def names(self) -> dict[int, str]:
        """The names of the current opponents by number; snapshots are counted from 0."""
        size, first = self._settings.snapshots, 1 + len(self._baselines)
        past = range(max(0, self.added - size), self.added)
        return dict(enumerate(self._settings.baselines, 1)) | {first + k % size: f"snapshot_{k}" for k in past}

    # --- playing -------------------------------------------------------------------------------------------------------------

    def decide(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Overwrite the actions (B,) of rows in which an opponent decides.

        Each opponent is asked once, for all its rows. Returns the seats (B,) that decide, -1 where the learner does not.
        """
        seats = self._batch.actor.astype(np.int64)
        deciding = np.where(seats < 0, -1, self.players[np.arange(len(seats)), seats])
        deciders = [*self._baselines, *(decide for _, decide in self._snapshots)]
        for player in np.unique(deciding[deciding > LEARNER]).tolist():
            rows = np.flatnonzero(deciding == player)
            actions[rows] = deciders[player - 1](rows, self.random.integers(2**64, size=len(rows), dtype=np.uint64))
        seats[deciding != LEARNER] = -1
        return seats

    def update(self) -> None:
        """Count the games that the last step ended, and draw the players of those that follow them."""
        rows = np.flatnonzero(self._batch.done)
        self.games_played[LEARNER] += len(rows)
        for players, standings in zip(self.players[rows], self._batch.standings[rows], strict=True):
            own = standings[: len(players)][(players == LEARNER) & (standings[: len(players)] != ABSENT)]
            for player, standing in zip(players.tolist(), standings.tolist(), strict=False):
                if player != LEARNER and standing != ABSENT:
                    result = np.mean((own > standing) + 0.5 * (own == standing))
                    self.rates[player] += _RECENT * (result - self.rates[player])
                    self.games_played[player] += 1
        self._draw(rows)

    def numbers(self) -> dict[str, float]:
        """The rates by the names of the opponents that the learner has met, for a log."""
        return {f"win_rate/{name}": rate for name, rate in self.payoff().get(_LEARNER, {}).items()}

    def payoff(self) -> dict[str, dict[str, float]]:
        """The pay-off matrix: how often each player of a row finished above each opponent.

        Rows are the learner, and the snapshots at the time when they were the learner. Opponents that one of them has not met are
        left out of its row.
        """
        names, first = self.names, 1 + len(self._baselines)
        rows = {LEARNER: self._rates_of_met()} | {k: self.past_rates[k - first] for k in names if k >= first}
        matrix = {
            names.get(k, _LEARNER): {name: float(row[player]) for player, name in names.items() if row[player] >= 0}
            for k, row in rows.items()
        }
        return {name: row for name, row in matrix.items() if row}

    def _rates_of_met(self) -> NDArray[np.float64]:
        return np.where(self.games_played > 0, self.rates, _UNMET)

    def _draw(self, rows: NDArray[np.int64]) -> None:
        """Draw the player of each seat in rows (k,); the learner has at least one seat."""
        settings, seats, n = self._settings, self.players.shape[1], len(self._baselines)
        drawn = np.zeros((len(rows), seats), np.int64)
        point, start = self.random.random(drawn.shape), 0.0
        past = np.arange(1 + n, 1 + n + len(self._snapshots))
        for share, numbers, weights in (
            (settings.baseline_share, np.arange(1, 1 + n), np.array(settings.weights or np.ones(n))),
            (settings.past_share, past, np.ones(len(past))),
        ):
            here, start = (start <= point) & (point < start + share), start + share
            if len(numbers):
                chances = weights * np.maximum(1 - self.rates[numbers], _LEAST) ** settings.priority
                drawn[here] = self.random.choice(numbers, here.sum(), p=chances / chances.sum())
        own = self.random.integers(seats, size=len(rows))
        present = self._batch.game.seats_of(cast(States, self._batch.states[rows]))
        if (absent := own >= present).any():  # in a mixture
            own[absent] = self.random.integers(present[absent])
        drawn[np.arange(len(rows)), own] = LEARNER
        self.players[rows] = drawn

    # --- snapshots -----------------------------------------------------------------------------------------------------------

    def update_snapshots(self, rollouts: int, weights: Callable[[], Arrays]) -> None:
        """Add a snapshot if one is due after a number of rollouts."""
        if self._settings.past_share and rollouts % self._settings.snapshot_every == 0:
            self.add(weights())

    def add(self, weights: Arrays) -> None:
        """Add a snapshot; it replaces the oldest one if there are too many."""
        slot = self.added % self._settings.snapshots
        player = 1 + len(self._baselines) + slot
        self._snapshots[slot : slot + 1] = [(weights, self._player_of(weights))]
        self.past_rates[slot], self.past_rates[:, player] = self._rates_of_met(), _UNMET
        self.rates[player], self.games_played[player] = _UNKNOWN, 0
        self.added += 1

    def arrays(self) -> Arrays:
        """The state as arrays of a checkpoint, without the random generator."""
        arrays: Arrays = {_POOL + name: getattr(self, name).copy() for name in _STATE}
        return arrays | {
            f"{_POOL}{k}/{name}": array for k, (weights, _) in enumerate(self._snapshots) for name, array in weights.items()
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]], like: Arrays, rollouts: int) -> None:
        """Take over stored arrays. Raises ConfigError if they do not fit.

        like : weights of a snapshot, whose names and shapes are expected
        rollouts : number of rollouts so far
        """
        self.added, self._snapshots = -(-rollouts // self._settings.snapshot_every) if self._settings.past_share else 0, []
        for k in range(min(self.added, self._settings.snapshots)):
            weights = {name: array_of(arrays, f"{_POOL}{k}/{name}", own) for name, own in like.items()}
            self._snapshots.append((weights, self._player_of(weights)))
        state = {name: array_of(arrays, _POOL + name, getattr(self, name)) for name in _STATE}
        players, rates, past = state["players"], state["rates"], state["past_rates"]
        if not (np.isin(players, [LEARNER, *self.names]).all() and (players == LEARNER).any(axis=1).all()):
            raise ConfigError(f"invalid checkpoint; array {_POOL}players must hold current players, the learner in each game")
        if not ((rates >= 0) & (rates <= 1)).all() or not ((past == _UNMET) | (past >= 0) & (past <= 1)).all():
            raise ConfigError(f"invalid checkpoint; array {_POOL}rates or {_POOL}past_rates is out of range")
        if (state["games_played"] < 0).any():
            raise ConfigError(f"invalid checkpoint; array {_POOL}games_played is out of range")
        vars(self).update(state)


def agent_to_train_with(name: str, game: Game) -> Agent:
    """Make an agent to play against, or to learn from.

    Raises ConfigError if it cannot play the game, or if it is held out for evaluation.
    """
    agent = make_agent(name, game.name)
    if agent.held_out:
        raise ConfigError(f"agent {short_repr(name)} is held out for evaluation; train with other agents")
    agent.check(game)
    return agent


def player_of_agent(agent: Agent, batch: Batch, threads: KernelThreads | None = None) -> Decide:
    """Return the function that decides for an agent in a batch. Raises ConfigError if it cannot play."""
    agent.check(batch.game)
    return lambda rows, keys: actions_of(agent, DecisionBatch(batch, rows, keys, threads))
