"""One game with the least possible overhead of calls from Python, for ``raw_env``.

A :class:`~ginkgo_env.core.batch.Batch` of one row does the same and checks more; each of its calls then costs several times
the work of the rules themselves. Here the arguments of the loops are prepared once, and their types recognized once.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import game_seeds, prepare
from ginkgo_env.core.checks import int_or_none, integer
from ginkgo_env.core.compile.jit import for_types_of
from ginkgo_env.core.engine import Engine, exclusive
from ginkgo_env.core.errors import BatchError, ConfigError, IllegalActionError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.loops import PlayMode
from ginkgo_env.core.masks import ENDED, NO_ACTION, RESET, RUNNING, TRUNCATED, mix_many
from ginkgo_env.core.rewards import Reward, final_rewards, rewards_between
from ginkgo_env.core.rng import GOLDEN
from ginkgo_env.core.transitions import is_paid_each_step

OVER = -1  # the actor of a terminal game


def next_seed(seed: int | None) -> int:
    """Return the seed of the next game, as in a ``Batch`` with autoreset; a random one after None."""
    if seed is None:
        return int(game_seeds(None, 1)[0])
    following = np.array([seed], np.uint64) + GOLDEN  # core.rng.successor
    mix_many(following)
    return int(following[0])


def checked_integer(action: Any) -> int:
    """Return an action as an integer. Raises IllegalActionError if it is not one."""
    number = int_or_none(action)
    if number is None:
        raise IllegalActionError(f"invalid action {short_repr(action)}; expected an integer")
    return number


def checked_limit(limit: Any, name: str) -> int | None:
    """Return the option for a largest number of steps. Raises ConfigError."""
    return None if limit is None else integer(limit, 1, None, name, ConfigError)


class EnvState:
    """A state of an environment, for ``set_state``. It can be pickled and is used as a whole.

    >>> from ginkgo_env import raw_env
    >>> env = raw_env("my_city")
    >>> env.reset(seed=7)
    >>> state = env.get_state()
    >>> env.step(int(env.infos["player_0"]["action_mask"].argmax()))
    >>> env.set_state(state)
    >>> env.agent_selection
    'player_0'
    """

    def __init__(self, env: Restorable) -> None:
        names = [name for name in env._changing if name in vars(env)]
        self._about = type(env), env.game.name, env.game.config_dict
        self._values = {name: _saved(vars(env)[name]) for name in names}


class Restorable:
    """An environment with one game, which goes back to earlier states, as tree search does."""

    game: Game
    _changing: ClassVar[tuple[str, ...]]
    """The attributes that change in a game."""

    def get_state(self) -> EnvState:
        """Return the state of the environment, for :meth:`set_state`: what a copy would hold, at less cost."""
        return EnvState(self)

    def set_state(self, state: EnvState) -> None:
        """Go back to a state of this environment, or of another one with the same options.

        Raises BatchError for other values.
        """
        if not isinstance(state, EnvState) or state._about != (type(self), self.game.name, self.game.config_dict):
            raise BatchError(f"invalid state {short_repr(state)}; expected one from get_state of the same environment")
        for name, value in state._values.items():
            own = vars(self).get(name)
            if isinstance(value, EnvState):
                cast(Restorable, own).set_state(value)
            elif isinstance(own, Engine):
                _restore(own, value)
            else:
                setattr(self, name, copy.deepcopy(value))


def _saved(value: Any) -> Any:
    if isinstance(value, Restorable):
        return value.get_state()
    return value.__getstate__() if isinstance(value, Engine) else copy.deepcopy(value)


def _restore(engine: Engine, values: Mapping[str, Any]) -> None:
    """Write into the arrays, as what is prepared for kernels has views of them."""
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            vars(engine)[name][...] = value
        elif isinstance(value, int | list | None):
            vars(engine)[name] = copy.copy(value)
    engine.refresh()


class OneGame(Engine):
    """A game of one configuration, with rewards.

    legal : (A,) int8, 1 = legal for the actor; written in place
    actor : the seat to decide, ``OVER`` if terminal
    truncated : whether the game was truncated instead of ending by the rules
    rewards : rewards of the last step by seat, or None if all are zero
    """

    _views = (*Engine._views, "legal", "_actor", "_play", "_observe", "_play_arguments", "_seats")

    def __init__(self, game: Game, reward: Reward) -> None:
        prepare(game)
        super().__init__(game)
        self.reward = reward
        self.actor, self.truncated = OVER, False
        self.rewards: list[float] | None = None
        self._totals = [0] * game.sides
        self.reset(0)

    def _take_views(self) -> None:
        super()._take_views()
        game = self.game
        self.legal, self._actor = self.mask[0], game.actor(self.states)
        self._seats = [np.array([seat]) for seat in range(game.seats)]
        self._n_actions, self._n_observation = game.actions.size, game.observation.size
        rows = 0, 1, self._rows, game.components
        self._play_arguments = *rows, self._play_arrays, tuple(PlayMode())
        self._play = for_types_of(game.kernels.play, *self._play_arguments)
        seen = np.empty((1, self._n_observation), game.observation_dtype)
        self._observe = for_types_of(game.kernels.observe, *rows, self._seats[0], seen, game.observation.offsets)

    @exclusive
    def reset(self, seed: int) -> None:
        """Start the game of a seed. If it is over at its start, ``rewards`` are those of its end."""
        self._seeds[0], self._actions[0] = seed, RESET
        self._play(*self._play_arguments)
        self.actor, self.truncated, self.rewards = int(self._actor[0]), False, None
        if self.reward == "score" or self.actor == OVER:
            self._totals = self._scored()
        if self.actor == OVER:
            self._actions[0] = NO_ACTION
            self._pay(ENDED, self._blobs)

    def step(self, action: Any) -> None:
        """Play an action. Raises IllegalActionError, and changes nothing, if it is illegal."""
        if type(action) is not int:
            action = checked_integer(action)
        if not 0 <= action < self._n_actions:
            raise self.game.illegal_action(self.states, action)
        if not self._lock.acquire(False):  # like ``exclusive``, but faster: a tenth of the speed of ``raw_env``
            raise self._lock.refusal()
        try:
            if not self.legal[action]:
                raise self.game.illegal_action(self.states, action)
            before = self._blobs.copy() if is_paid_each_step(self.reward) else None
            self._actions[0] = action
            self._play(*self._play_arguments)
            self.actor = self._actor.item()
            done = self._done.item()
            if done != RUNNING or self.reward == "score" or before is not None:
                self._pay(done, before)
        finally:
            self._lock.release()

    def observe(self, seat: int) -> NDArray[Any]:
        """Return the observation of a seat: a new array (n,)."""
        out = np.empty((1, self._n_observation), self.game.observation_dtype)
        if not self._lock.acquire(False):
            raise self._lock.refusal()
        try:
            self._observe(0, 1, self._rows, self.game.components, self._seats[seat], out, self.game.observation.offsets)
        finally:
            self._lock.release()
        vector: NDArray[Any] = out[0]
        return vector

    def features(self, seat: int) -> NDArray[np.float32]:
        """Return the compact features of a seat: a new array (n,)."""
        game, out = self.game, np.empty((1, self.game.features.size), np.float32)
        self.run(game.kernels.features, self._seats[seat], out, game.features.offsets)
        vector: NDArray[np.float32] = out[0]
        return vector

    def legal_texts(self) -> list[str]:
        """Return the notation of the legal actions, in the order of their ids."""
        return self.game.action_texts(self.states, np.flatnonzero(self.legal))

    @exclusive
    def saved_states(self) -> bytes:
        """Return the record as bytes."""
        return self._rows.tobytes()

    # --- inside ------------------------------------------------------------------------------------------------------------

    def _scored(self) -> list[int]:
        """Return the current score of each side."""
        self.run(self.game.kernels.score, self.final, self.standings)
        return self._sums()

    def _sums(self) -> list[int]:
        totals: list[int] = np.add.reduce(self.final[0], axis=1).tolist()
        return totals

    def _pay(self, done: int, state_before: NDArray[Any] | None) -> None:
        self.truncated = done == TRUNCATED
        before, self._totals = self._totals, self._scored() if done == RUNNING else self._sums()
        if is_paid_each_step(self.reward):
            step = state_before, self._blobs.copy(), self._actions.copy(), np.array([done != RUNNING])
            self.rewards = rewards_between(self.reward, self, *step)[0].tolist()
        elif self.reward == "score":
            self.rewards = [float(now - was) for now, was in zip(self._totals, before, strict=True)]
        else:
            self.rewards = final_rewards(self.reward, np.array([self._totals]), self.standings)[0].tolist()
        del self.rewards[self.game.seats :]  # removes the automaton's reward
