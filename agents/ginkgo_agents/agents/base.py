"""The interface of agents, and what they see.

An agent decides for many games at once: :meth:`Agent.act` takes a :class:`Turn`, the decisions that the agent has to take in
some rows of a batch, and returns an action for each. A turn holds nothing hidden. For lookahead it gives *resampled*
states (determinizations), in which everything that the deciding seat cannot know has been dealt anew (R10).

Agents keep no memory between turns: what a seat may know is in its observation. All randomness comes from ``Turn.words``,
one random word for each row, so that a game depends on its own seed and never on the games beside it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.afterstates import Afterstates, LegalActions, Until, View, legal_lists, look_ahead
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.threads import KernelThreads as KernelThreads
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.masks import NO_ACTION, mix_many, sample_many
from ginkgo_env.core.rng import GOLDEN

Words = NDArray[np.uint64]

_BITS = np.uint64(11)  # a float64 holds 53 of a word's 64 bits


def nth_words(words: Words, n: int) -> Words:
    """The n-th random word of each stream: splitmix64 of words + n x golden (as in ``ginkgo_env.core.rng``)."""
    out = np.asarray(words, np.uint64) + np.array(n, np.uint64) * GOLDEN
    mix_many(out.reshape(-1))
    return out


def pick(masks: NDArray[np.int8], words: Words) -> NDArray[np.int64]:
    """A uniform choice among the ones of each row of masks (rows, n); -1 in rows without any."""
    choices = np.empty(len(masks), np.int64)
    sample: Callable[..., None] = sample_many
    sample(0, len(masks), np.ascontiguousarray(masks, np.int8), words.copy(), choices)
    return choices


def draw(chances: NDArray[np.float64], words: Words) -> NDArray[np.int64]:
    """A choice in each row of chances (rows, n), which sum to 1, from a random word (rows,); never one without a chance."""
    reached = chances.cumsum(axis=1)
    drawn = (words >> _BITS).astype(np.float64) / 2.0**53
    # The first whose sum exceeds the number drawn.
    return np.asarray((reached > (drawn * reached[:, -1])[:, None]).argmax(axis=1), np.int64)


class Turn:
    """The decisions that one agent has to take now, one for each row.

    Attributes
    ----------
    game : the game and its configuration
    masks : (rows, A) int8, 1 = legal
    kinds : (rows,) int8, kind of decision, an index into ``game.decisions``
    seats : (rows,) int64, the seat that decides
    words : (rows,) uint64, a random word for each row, fresh each turn
    threads : threads that run compiled loops
    """

    __slots__ = ("_features", "_observe", "_resample", "game", "kinds", "masks", "seats", "threads", "words")

    def __init__(self, batch: Batch, rows: NDArray[np.int64], words: Words, threads: KernelThreads | None = None) -> None:
        game, pool = batch.game, threads or KernelThreads()
        states = cast(States, batch.states[rows])  # a copy, reachable by the two functions below only
        seats = game.actor(states).astype(np.int64)

        def observe() -> NDArray[Any]:
            out = np.empty((len(states), game.observation.size), game.observation_dtype)
            pool.run(game.kernels.observe, len(states), states, game.tables, seats, out, game.observation.offsets)
            return out

        def resample(n: int, salt: int) -> States:
            worlds = np.repeat(states, n).view(np.recarray)
            streams = np.repeat(words, n) ^ nth_words(np.tile(np.arange(n, dtype=np.uint64), len(states)), salt)
            pool.run(game.kernels.resample, len(worlds), worlds, game.tables, np.repeat(seats, n), nth_words(streams, 1))
            return worlds

        def features() -> NDArray[np.float32]:
            out = np.empty((len(states), game.features.size), np.float32)
            pool.run(game.kernels.features, len(states), states, game.tables, seats, out, game.features.offsets)
            return out

        self._observe, self._resample, self._features = observe, resample, features
        self.game, self.threads, self.words, self.seats = game, pool, words, seats
        self.masks, self.kinds = batch.mask[rows], game.kind(states).copy()

    def __len__(self) -> int:
        return len(self.seats)

    def __reduce__(self) -> NoReturn:
        """A copy would hold the hidden parts of states as plain data."""
        raise BatchError("a turn cannot be copied or pickled: keep its masks, seats and observations instead")

    @property
    def observations(self) -> NDArray[Any]:
        """The observations of the deciding seats: (rows, n) of ``game.observation_dtype``, blocks as in ``game.observation``."""
        return self._observe()

    @property
    def features(self) -> NDArray[np.float32]:
        """The compact features of the deciding seats: (rows, n) float32, blocks as in ``game.features``."""
        return self._features()

    def legal_actions(self) -> LegalActions:
        """The legal actions as lists: offsets (rows + 1,) and ids (N,)."""
        return legal_lists(self.masks)

    def afterstates(
        self,
        worlds: int = 2,
        *,
        salt: int = 0,
        legal: LegalActions | None = None,
        until: Until = "round",
        view: View = "features",
        average: bool = False,
    ) -> Afterstates:
        """Where each legal action (or those given) leads, in resampled worlds: see ``ginkgo_env.core.afterstates.look_ahead``."""
        states = self.resampled_states(worlds, salt).reshape(len(self), worlds)
        tried = self.legal_actions() if legal is None else legal
        words = nth_words(self.words, 2 + salt)
        return look_ahead(self.game, states, self.seats, tried, words, self.threads.run, until=until, view=view, average=average)

    def resampled_states(self, n: int, salt: int = 0) -> States:
        """Resampled states for kernels: n for each row, (rows x n,), those of row i at i x n to i x n + n - 1.

        The same salt gives the same deals, another salt different ones.
        """
        return self._resample(n, salt)

    def resampled_batch(self, n: int, salt: int = 0) -> Batch:
        """The same deals as a batch to play on, rows x n games."""
        states = self.resampled_states(n, salt)
        batch = Batch(self.game, len(states))
        batch.reset(nth_words(np.repeat(self.words, n), 1 + salt) ^ np.arange(len(states), dtype=np.uint64))
        batch.set_states(np.arange(len(states)), states)
        return batch


class Agent(ABC):
    """A way to play. One object serves any number of games, seats and threads."""

    def check(self, game: Game) -> None:
        """Raises ConfigError if the agent cannot play a game in this configuration."""
        return None

    @abstractmethod
    def act(self, turn: Turn) -> NDArray[np.int64]:
        """A legal action for each row of the turn."""

    def probabilities(self, turn: Turn) -> NDArray[np.float64]:
        """The probability (rows, A) of each action if the agent draws its actions; by default that of :meth:`act` is 1."""
        found = np.zeros(turn.masks.shape)
        found[np.arange(len(turn)), ask(self, turn)] = 1.0
        return found

    def value(self, turn: Turn) -> NDArray[np.float64] | None:
        """What the deciding seats may expect (rows,) if all play on as this agent does: the chance to win, 0 to 1.

        A shared first place counts as a share. Where a side plays alone, its final score instead. None, the default: the agent
        does not judge positions, and who wants to know has to play on to the end.
        """
        return None

    def fast_variant(self) -> Agent:
        """An agent that plays alike and decides faster, for playing on in many worlds; by default this one."""
        return self


def ask(agent: Agent, turn: Turn) -> NDArray[np.int64]:
    """The agent's actions for a turn. Raises BatchError unless there is one for each row."""
    actions = np.asarray(agent.act(turn))
    if actions.shape != (len(turn),) or actions.dtype.kind not in "iu":
        name = type(agent).__name__
        raise BatchError(f"{name} must return ({len(turn)},) integers, not {actions.dtype} of shape {actions.shape}")
    return actions.astype(np.int64)


def act(agent: Agent, batch: Batch, words: Words, threads: KernelThreads | None = None) -> NDArray[np.int64]:
    """The agent's actions (size,) for all rows of a batch whose game is not over; NO_ACTION in the others.

    words : (size,) uint64, a random word for each row: pass new ones at each step

    >>> import numpy as np, ginkgo_env
    >>> from ginkgo_agents import act, make_agent
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=3), 2)
    >>> batch.step(act(make_agent("random"), batch, np.arange(2, dtype=np.uint64)))
    """
    actions = np.full(batch.size, NO_ACTION, np.int64)
    rows = np.flatnonzero(~batch.over)
    if rows.size:
        actions[rows] = ask(agent, Turn(batch, rows, words[rows], threads))
    return actions
