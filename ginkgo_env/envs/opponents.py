"""Opponents of a learner.

An opponent is one of

* ``"random"``: a uniform legal action;
* the name of another agent, as ``ginkgo_agents.make_agent`` takes it, or a ``ginkgo_agents.Agent``;
* a function ``opponent(observations, masks) -> actions`` that decides for k games at once: observations of the deciding seats,
  of the kind that the learner gets, k along the first axis; masks (k, A) int8; actions (k,) integers. The games differ
  from call to call, so the function must not keep any memory.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, ConfigError, IllegalActionError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import mix_many
from ginkgo_env.core.rng import GOLDEN
from ginkgo_env.envs.observation_writer import ObservationWriter, RowSubset

Rows = NDArray[np.int64]
Keys = NDArray[np.uint64]
Player = Callable[[RowSubset, Rows, Keys], NDArray[np.int64]]
"""(subset, rows (k,), keys (B,)) -> the actions (k,) of the seats that decide; advances the random keys of these rows."""

RANDOM = "random"
_AGENTS = "ginkgo_agents"  # a layer above this one: imported only if an opponent needs it


class Opponents:
    """The opponents of one learner.

    opponents : one for all other seats; or a list with one for each, beginning with the seat after the learner's
    """

    def __init__(self, game: Game, opponents: Any, view: ObservationWriter) -> None:
        self._arguments = game, opponents, view
        listed = opponents if isinstance(opponents, list | tuple) else [opponents] * (game.seats - 1)
        if len(listed) != game.seats - 1:
            raise ConfigError(f"invalid opponents of length {len(listed)}; expected {game.seats - 1}, one for each other seat")
        different = {_key(one): one for one in listed}
        self._players = [_player(game, one, view) for one in different.values()]
        keys = list(different)
        self._indices = np.array([keys.index(_key(one)) for one in listed], np.int64)
        """(seats - 1,): the number of the opponent k + 1 seats after the learner."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments."""
        return type(self), self._arguments

    def __deepcopy__(self, memo: dict[int, Any]) -> Opponents:
        """Return the same object, as opponents keep no memory."""
        return self

    def decide(self, subset: RowSubset, rows: Rows, learners: NDArray[np.int64], keys: Keys) -> NDArray[np.int64]:
        """Return the actions (k,) of the seats that decide in rows (k,).

        learners : (k,) the seats of the learner
        """
        if len(self._players) == 1:
            return self._players[0](subset, rows, keys)
        batch, actions = subset.batch, np.empty(rows.size, np.int64)
        players = self._indices[(batch.actor[rows] - learners - 1) % batch.game.seats]
        for k, player in enumerate(self._players):
            mine = np.flatnonzero(players == k)
            if mine.size:
                actions[mine] = player(subset, rows[mine], keys)
        return actions


def _key(opponent: Any) -> Any:
    return opponent if isinstance(opponent, str) else id(opponent)


def _player(game: Game, opponent: Any, view: ObservationWriter) -> Player:
    if isinstance(opponent, str):
        if opponent == RANDOM:
            return _play_at_random
        return _AgentOpponent(game, _agents("registry", opponent).make_agent(opponent, game.name), opponent)
    if hasattr(opponent, "act"):
        return _AgentOpponent(game, opponent, type(opponent).__name__)
    if callable(opponent):
        return _FunctionOpponent(opponent, view)
    raise ConfigError(f"invalid opponent {short_repr(opponent)}; expected the name of an agent, an agent or a function")


def _agents(module: str, opponent: str) -> Any:
    """Return a module of the package of agents. Raises ConfigError if it is not installed."""
    try:
        return import_module(f"{_AGENTS}.{module}")
    except ImportError as error:
        raise ConfigError(
            f"the opponent {short_repr(opponent)} requires the package {_AGENTS}, which is missing: {error}"
        ) from None


def _play_at_random(subset: RowSubset, rows: Rows, keys: Keys) -> NDArray[np.int64]:
    return subset.batch._sample_rows(rows, keys)


class _AgentOpponent:
    """An opponent that plays the actions of an agent."""

    def __init__(self, game: Game, agent: Any, name: str) -> None:
        self._agent, self._name = agent, name
        base = _agents("base", name)
        self._turn, self._actions_of = base.DecisionBatch, base.actions_of

    def __call__(self, subset: RowSubset, rows: Rows, keys: Keys) -> NDArray[np.int64]:
        keys[rows] += GOLDEN
        fresh = keys[rows]
        mix_many(fresh)
        return _checked(subset.batch, rows, self._actions_of(self._agent, self._turn(subset.batch, rows, fresh)), self._name)


class _FunctionOpponent:
    """An opponent that plays the actions of a function."""

    def __init__(self, function: Callable[..., Any], view: ObservationWriter) -> None:
        self._function, self._view = function, view
        self._name = getattr(function, "__name__", type(function).__name__)

    def __call__(self, subset: RowSubset, rows: Rows, keys: Keys) -> NDArray[np.int64]:
        batch = subset.batch
        seen = self._view.rows(subset, rows, batch.actor[rows].astype(np.int64))
        actions = np.asarray(self._function(seen, batch.mask[rows]))
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise BatchError(f"opponent {self._name} must return ({rows.size},) integers, got {actions.dtype} {actions.shape}")
        return _checked(batch, rows, actions.astype(np.int64), self._name)


def _checked(batch: Batch, rows: Rows, actions: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    """Return the actions of an opponent. Raises IllegalActionError if one of them is not legal."""
    bad = np.flatnonzero(~batch.are_legal(rows, actions))
    if bad.size:
        error = batch.game.illegal_action(batch.state(int(rows[bad[0]])), int(actions[bad[0]]))
        raise IllegalActionError(f"opponent {name}: {error}")
    return actions
