"""The interface of agents, and their view of a game.

An agent decides for many games at once: :meth:`Agent.act` takes a :class:`DecisionBatch`, which holds its decisions in
some rows of a batch, and returns an action for each. It exposes nothing hidden. For lookahead it gives *resampled* states
(determinizations), in which everything that the deciding seat cannot know is random (R10).

Agents keep no memory between turns: the observation holds everything that a seat may know. All random numbers derive from
``DecisionBatch.keys``, one random key for each row, so that a game depends on its own seed and never on other games.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, cached_property, update_wrapper, wraps
from hashlib import sha256
from inspect import signature
from pathlib import Path
from time import process_time
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.afterstates import (
    Afterstates,
    LegalActions,
    Until,
    View,
    check_worlds,
    checked_lists,
    legal_lists,
    look_ahead,
    masks_of,
)
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.checks import indices, integer, random_keys
from ginkgo_env.core.compile.threads import KernelThreads as KernelThreads
from ginkgo_env.core.errors import BatchError, ConfigError
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.layout import Observation
from ginkgo_env.core.masks import NO_ACTION, are_legal, mix_many, sample_many, sets_of
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.core.rng import GOLDEN

Keys = NDArray[np.uint64]

_LARGEST_SALT = 10**9
_BITS = np.uint64(11)  # a float64 holds 53 of a key's 64 bits


def nth_keys(keys: Keys, n: int | NDArray[np.int64]) -> Keys:
    """The n-th random key of each stream: splitmix64 of keys + n x golden, as in the games' generator."""
    out = np.asarray(keys, np.uint64) + np.array(n, np.uint64) * GOLDEN
    mix_many(out.reshape(-1))
    return out


def probabilities_of(
    legal: Afterstates | LegalActions, logits: NDArray[np.float64], shape: tuple[int, ...]
) -> NDArray[np.float64]:
    """The softmax of the logits (N,) of listed actions, as probabilities of all actions of each row.

    shape : (rows, A)
    """
    rows = np.repeat(np.arange(shape[0]), np.diff(legal.offsets))
    weights = np.zeros(shape)
    weights[rows, legal.actions] = np.exp(logits - np.maximum.reduceat(logits, legal.offsets[:-1])[rows])
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def sample_legal(masks: NDArray[np.int8], keys: Keys) -> NDArray[np.int64]:
    """Return the index of a random 1 in each row of masks (rows, n), uniformly; -1 for rows without a 1."""
    choices = np.empty(len(masks), np.int64)
    sample: Callable[..., None] = sample_many
    sample(0, len(masks), sets_of(masks), random_keys(keys, len(masks)).copy(), choices)
    return choices


def uniform_of(keys: Keys) -> NDArray[np.float64]:
    """Return a uniform number from 0 to less than 1 from each random key."""
    return np.asarray((keys >> _BITS).astype(np.float64) / 2.0**53)


def sample_actions(probabilities: NDArray[np.float64], keys: Keys) -> NDArray[np.int64]:
    """Sample an index in each row of probabilities (rows, n) from a random key (rows,).

    Rows sum to 1. An index with probability 0 is never sampled.
    """
    cumulative = probabilities.cumsum(axis=1)
    return np.asarray((cumulative > (uniform_of(keys) * cumulative[:, -1])[:, None]).argmax(axis=1), np.int64)


class Jobs(NamedTuple):
    """Actions to play in states of a turn."""

    states: NDArray[Any]
    """(rows,) with everything hidden: a loop resamples them first."""
    components: NDArray[Any] | None
    seats: NDArray[np.int64]
    """(rows,) the seats that decide."""
    rows: NDArray[np.int64]
    actions: NDArray[np.int64]
    """(J,) each: the row of a job and its action."""


class DecisionBatch:
    """The decisions of one agent at a time, one for each row.

    Attributes
    ----------
    game : the game and its configuration
    masks : (rows, A) int8, 1 = legal
    kinds : (rows,) int8, kind of decision, an index into ``game.decisions``
    rows : (rows,) int64, the rows of the batch
    seats : (rows,) int64, the seat that decides
    keys : (rows,) uint64, a random key for each row, fresh each turn
    threads : threads that run compiled loops

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city"), 4)
    >>> batch.reset(seed=7)
    >>> turn = DecisionBatch(batch, np.arange(4), keys=np.arange(4, dtype=np.uint64))
    >>> len(turn), turn.masks.shape
    (4, (4, 486))
    """

    __slots__ = (
        "_configurations",
        "_part",
        "_play",
        "_resample",
        "_view",
        *("game", "kinds", "masks", "rows", "seats", "threads", "keys"),
    )

    def __init__(self, batch: Batch, rows: NDArray[np.int64], keys: Keys, threads: KernelThreads | None = None) -> None:
        game, pool = batch.game, threads or KernelThreads()
        rows = indices(rows, batch.size, "rows")
        keys = random_keys(keys, len(rows))
        # A copy that only the functions below can reach. Bytes are copied faster than records, and plain arrays passed faster.
        blob = np.dtype((np.void, game.template.itemsize))
        states = batch.states.view(np.ndarray).view(blob)[rows].view(game.template.dtype)
        self.masks, self.rows, self.keys, self.threads = batch.mask[rows], rows, keys, pool
        self._take(game, states)

    def _take(self, game: Game, states: NDArray[Any]) -> None:
        """Set the other attributes; ``states`` must be a copy that nothing else refers to."""
        keys, pool = self.keys, self.threads
        seats, blob = states["actor"].astype(np.int64), np.dtype((np.void, states.itemsize))

        def part(game: Game, own: NDArray[np.int64] | slice) -> DecisionBatch:
            turn = DecisionBatch.__new__(DecisionBatch)
            turn.masks, turn.rows, turn.keys, turn.threads = self.masks[own], self.rows[own], self.keys[own], pool
            turn._take(game, states.view(blob)[own].view(states.dtype))
            return turn

        def view(features: bool) -> NDArray[Any]:
            layout, kernel = (game.features, game.kernels.features) if features else (game.observation, game.kernels.observe)
            out = np.empty((len(states), layout.size), np.float32 if features else game.observation_dtype)
            pool.run(kernel, len(states), states, game.components, seats, out, layout.offsets)
            return out

        def resample(n: int, salt: int) -> NDArray[Any]:
            worlds: NDArray[Any] = np.repeat(states.view(blob), n).view(states.dtype)
            streams = np.repeat(keys, n) ^ nth_keys(np.tile(np.arange(n, dtype=np.uint64), len(states)), salt)
            pool.run(game.kernels.resample, len(worlds), worlds, game.components, np.repeat(seats, n), nth_keys(streams, 1))
            return worlds

        def configurations() -> NDArray[np.int64]:
            return game.configuration_of(states.view(np.recarray))

        @cache
        def legal() -> NDArray[np.uint64]:
            return sets_of(masks_of(game, states))

        def play(loop: Callable[..., None], own: NDArray[np.int64], actions: NDArray[np.int64], *arguments: Any) -> None:
            wrong = np.flatnonzero(~are_legal(legal(), own, actions))
            if wrong.size:
                row = int(own[wrong[0]])
                raise game.illegal_action(states[row : row + 1].view(np.recarray), int(actions[wrong[0]]))
            pool.run(loop, len(own), Jobs(states, game.components, seats, own, actions), *arguments)

        self._view, self._resample, self._play, self._part, self._configurations = view, resample, play, part, configurations
        self.game, self.seats, self.kinds = game, seats.copy(), game.kind(states.view(np.recarray)).copy()

    def __len__(self) -> int:
        return len(self.seats)

    def __reduce__(self) -> NoReturn:
        """Refuse to copy or pickle, since a copy would hold the hidden parts of states as plain data."""
        raise BatchError("a turn cannot be copied or pickled; copy its masks, seats and observations instead")

    def with_layouts_of(self, options: Mapping[str, Any]) -> DecisionBatch:
        """The same decisions in the layouts of other options, such as those of an agent's training.

        See :meth:`Game.with_layouts_of <ginkgo_env.core.game.Game.with_layouts_of>`. Returns the turn itself if nothing changes.
        """
        game = self.game.with_layouts_of(options)
        return self if game is self.game else self._part(game, slice(None))

    def by_configuration(self) -> Iterator[tuple[NDArray[np.int64], DecisionBatch]]:
        """The turn's rows (k,) of each configuration, with a turn of these rows in that game."""
        if not isinstance(self.game, Mixture):
            yield np.arange(len(self)), self
            return
        numbers = self._configurations()
        for number in np.unique(numbers).tolist() or [0]:
            rows = np.flatnonzero(numbers == number)
            yield rows, self._part(self.game.games[number], rows)

    def observe(self) -> NDArray[Any]:
        """The observations of the deciding seats (rows, n), with dtype ``game.observation_dtype``.

        The blocks are those of ``game.observation``.
        """
        return self._view(False)

    def features(self) -> NDArray[np.float32]:
        """The compact features of the deciding seats (rows, n) float32, in the blocks of ``game.features``."""
        return self._view(True)

    def legal_actions(self) -> LegalActions:
        """The legal actions of all rows as ids (N,), with the offsets (rows + 1,) of the rows."""
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
        """The results of each legal action, or of those in ``legal``, in resampled worlds.

        See ``ginkgo_env.core.afterstates.look_ahead`` for the arguments.
        """
        worlds, salt = integer(worlds, 1, None, "worlds"), integer(salt, 0, _LARGEST_SALT, "salt")
        n = int(np.count_nonzero(self.masks)) if legal is None else np.size(checked_lists(legal, len(self)).actions)
        check_worlds(self.game, len(self), worlds, n, view, average)
        states = self._resample(worlds, salt).reshape(len(self), worlds)
        keys = nth_keys(self.keys, 2 + salt)
        return look_ahead(self.game, states, self.seats, legal, keys, self.threads.run, until=until, view=view, average=average)

    def search(self, agent: Agent) -> Any:
        """Search with an agent such as ``make_agent("search")``.

        Returns a :class:`~ginkgo_agents.search.SearchResult`: values, visits and worlds of all candidates.
        """
        search = getattr(agent, "search", None)
        if search is None:
            raise BatchError(f'invalid agent {type(agent).__name__}; expected one that searches, such as make_agent("search")')
        return search(self)

    def resampled_states(self, n: int, salt: int = 0) -> States:
        """Resampled states for kernels (rows x n,), n for each row; those of row i begin at i x n.

        The same salt gives the same states, different salts give different ones.
        """
        n, salt = integer(n, 1, None, "n"), integer(salt, 0, _LARGEST_SALT, "salt")
        check_worlds(self.game, len(self), n, 0, "features", False)
        return cast(States, self._resample(n, salt).view(np.recarray))

    def resampled_batch(self, n: int, salt: int = 0) -> Batch:
        """The states of :meth:`resampled_states` as a batch of rows x n games that can be played on."""
        states = self.resampled_states(n, salt)
        batch = Batch(self.game, len(states))
        batch.reset(nth_keys(np.repeat(self.keys, n), 1 + salt) ^ np.arange(len(states), dtype=np.uint64))
        batch.set_states(np.arange(len(states)), states, check=False)
        return batch


class Agent(ABC):
    """A way to play. One object serves any number of games, seats and threads.

    >>> class FirstAgent(Agent):
    ...     def act(self, turn):
    ...         return turn.masks.argmax(axis=1)
    >>> FirstAgent()
    FirstAgent()
    """

    game_name: ClassVar[str | None] = None
    """The only game that the agent plays; None if it plays any game."""
    plays_mixtures: ClassVar[bool] = False
    """Whether it plays the turns of a :class:`~ginkgo_env.core.mixture.Mixture` whose games all have the same number of seats.
    If not, and in other mixtures, it is called with a turn for each configuration, whose ``game`` is that configuration."""
    layouts: Mapping[str, Any] | None = None
    """Options whose layouts it reads (:meth:`DecisionBatch.with_layouts_of`), such as those of training; None: the game's."""
    held_out: bool = False
    """Whether it is reserved for evaluation: trainers refuse it, so that no agent is trained against it."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Wrap the methods that take a game or a turn, to convert it to the agent's layouts."""
        super().__init_subclass__(**options)
        for name in ("check", "act", "probabilities", "value"):
            if name in vars(cls):
                setattr(cls, name, _fitting(vars(cls)[name]))

    def __repr__(self) -> str:
        own = vars(self) | vars(self).get("_options", {})
        values = {name: own.get(name, own.get(f"_{name}")) for name in signature(type(self)).parameters}
        plain = [f"{name}={value!r}" for name, value in values.items() if isinstance(value, int | float | str)]
        return f"{type(self).__name__}({', '.join(plain)})"

    def check(self, game: Game) -> None:
        """Raise ConfigError if the agent cannot play a game in this configuration."""
        _require_game(self, game)

    @abstractmethod
    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn: (rows,) integers."""

    def probabilities(self, turn: DecisionBatch) -> NDArray[np.float64]:
        """The probability (rows, A) of each action if the agent samples its actions.

        By default the action of :meth:`act` has probability 1.
        """
        probabilities = np.zeros(turn.masks.shape)
        probabilities[np.arange(len(turn)), actions_of(self, turn)] = 1.0
        return probabilities

    def value(self, turn: DecisionBatch) -> NDArray[np.float64] | None:
        """The expected result of the deciding seats (rows,) if all seats play on as this agent does.

        This is the probability of winning, where a shared first place counts as its share; in games with one side it is the
        final score. The default is None for agents that do not evaluate positions: their games have to be played to the end.
        """
        return None

    @property
    def timed_playouts(self) -> int:
        """Number of playouts so far, if time limits them, so that decisions depend on the machine; else 0."""
        return 0

    def fast_variant(self) -> Agent:
        """A similar agent that decides faster, for playouts in many worlds; by default this one."""
        return self

    def identity(self, game: Game) -> dict[str, Any]:
        """What the agent plays a game with, besides its options, as plain data for JSON.

        Some of the keys ``version``, ``networks`` and ``files``, which are digests by name, and ``missing``, which says what
        the agent plays without. By default the digest of the file with the agent's source, if it is not of this package.
        """
        module: str = self.__module__
        path = getattr(sys.modules.get(module), "__file__", None)
        return {"files": digests_of([path])} if path and not module.startswith("ginkgo_agents.") else {}


def digests_of(paths: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of files, by the names of the files."""
    return {Path(path).name: sha256(Path(path).read_bytes()).hexdigest() for path in paths}


WORLDS = 8
"""The default number of resampled worlds in which agents try their actions."""


class ResamplingAgent(Agent):
    """Base of the agents that try their actions in a number of resampled worlds."""

    def __init__(self, worlds: int) -> None:
        self.worlds = integer(worlds, 1, None, "worlds", ConfigError)

    def fast_variant(self) -> Self:
        """The same agent with one world for each decision."""
        variant = copy(self)
        variant.worlds = 1
        return variant


def _fitting(method: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Wrap a method of an agent, so that it gets its game or turn in the agent's layouts.

    For a mixture that the agent does not play as a whole, the method is called once for each configuration.
    """

    @wraps(method)
    def call(agent: Agent, *given: Game | DecisionBatch, **named: Game | DecisionBatch) -> Any:
        (subject,) = (*given, *named.values())
        game = subject if isinstance(subject, Game) else subject.game
        _require_game(agent, game)
        if not isinstance(game, Mixture) or (agent.plays_mixtures and game.has_equal_seats):
            return method(agent, subject if agent.layouts is None else subject.with_layouts_of(agent.layouts))
        if isinstance(subject, Game):
            for one in game.games:
                call(agent, one)
            return None
        parts = [(rows, call(agent, part)) for rows, part in subject.by_configuration()]
        if any(part is None for _, part in parts):
            return None
        joined = np.concatenate([np.asarray(part) for _, part in parts])
        return joined[np.argsort(np.concatenate([rows for rows, _ in parts]))] if len(joined) == len(subject) else joined

    return call


def _require_game(agent: Agent, game: Game) -> None:
    if agent.game_name not in (None, game.name):
        raise ConfigError(f"this {type(agent).__name__} plays {agent.game_name}, not {game.name}; see make_agent(name, game)")


def actions_of(agent: Agent, turn: DecisionBatch) -> NDArray[np.int64]:
    """Call an agent and check the shape and dtype of its actions.

    Raises ConfigError if it does not play the game, BatchError if the actions are wrong.
    """
    actions = np.asarray(agent.act(turn))
    if actions.shape != (len(turn),) or actions.dtype.kind not in "iu":
        name = type(agent).__name__
        raise BatchError(f"{name} must return integers of shape ({len(turn)},), got {actions.dtype} of shape {actions.shape}")
    return actions.astype(np.int64)


def best_actions(after: Afterstates, values: NDArray[Any]) -> NDArray[np.int64]:
    """The legal action with the highest of the values (N,) in each row, (rows,); ties go to the lower id."""
    starts = after.offsets[:-1]
    best = np.flatnonzero(values == np.repeat(np.maximum.reduceat(values, starts), np.diff(after.offsets)))
    return after.actions[best[np.searchsorted(best, starts)]]


class Seating(NamedTuple):
    """The agents of some games."""

    agents: Sequence[Agent]
    seated: NDArray[np.int64]
    """(games, seats) the index of the agent at each seat."""
    streams: Keys
    """(games, seats) random keys, from which those of its decisions derive."""
    threads: KernelThreads

    def decide(
        self, batch: Batch, rows: NDArray[np.int64], games: NDArray[np.int64], step: int, spent: NDArray[np.float64] | None = None
    ) -> NDArray[np.int64]:
        """The actions in rows (n,) of a batch, which hold these games (n,).

        Each agent is called once, with all its rows.

        spent : (agents, 3); the numbers of decisions, the seconds of processor time (of all threads) and the numbers of
            ``timed_playouts`` are added to it
        """
        actions, seats = np.full(len(rows), NO_ACTION, np.int64), batch.actor[rows]
        acting, keys = self.seated[games, seats], nth_keys(self.streams[games, seats], step)
        for k, agent in enumerate(self.agents):
            own = acting == k
            if own.any():
                started, before = process_time(), agent.timed_playouts
                actions[own] = actions_of(agent, DecisionBatch(batch, rows[own], keys[own], self.threads))
                if spent is not None:
                    spent[k] += np.count_nonzero(own), process_time() - started, agent.timed_playouts - before
        return actions


def act(agent: Agent, batch: Batch, keys: Keys, threads: KernelThreads | None = None) -> NDArray[np.int64]:
    """The actions (size,) of an agent in all rows of a batch; NO_ACTION where the game is over.

    keys : (size,) uint64, a random key for each row; pass new ones at each step

    >>> import numpy as np, ginkgo_env
    >>> from ginkgo_agents import act, make_agent
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=3), 2)
    >>> batch.step(act(make_agent("random"), batch, np.arange(2, dtype=np.uint64)))
    """
    actions = np.full(batch.size, NO_ACTION, np.int64)
    rows, keys = np.flatnonzero(~batch.over), random_keys(keys, batch.size)
    if rows.size:
        actions[rows] = actions_of(agent, DecisionBatch(batch, rows, keys[rows], threads))
    return actions


class RandomAgent(Agent):
    """Samples uniformly among all legal actions of any game."""

    plays_mixtures = True

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        return sample_legal(turn.masks, turn.keys)


@dataclass(frozen=True, eq=False)
class Decision:
    """One decision with everything that the deciding seat may know.

    >>> def choose(decision):
    ...     return decision.random.choice(decision.legal)
    >>> FunctionAgent(choose)
    FunctionAgent()
    """

    game: Game
    state: States
    """(1,) state in which everything that the seat cannot know is resampled, so that it differs from call to call."""
    seat: int
    """The deciding seat."""
    legal: NDArray[np.int64]
    """(n,) ids of the legal actions, ascending."""
    observation: Observation
    """The observation of the seat, by the names of blocks; see ``game.observation``."""
    key: int
    """A random number below 2**64."""

    @property
    def kind(self) -> str:
        """The kind of decision, one of ``game.decisions``."""
        return self.game.decisions[int(self.game.kind(self.state)[0])]

    @cached_property
    def texts(self) -> list[str]:
        """The notation of each legal action."""
        return [self.game.action_text(self.state, int(action)) for action in self.legal]

    @cached_property
    def random(self) -> np.random.Generator:
        """A random generator for this decision, which keeps games reproducible."""
        return np.random.default_rng(self.key)


class FunctionAgent(Agent):
    """Plays the actions that a function returns, one decision at a time.

    The function takes a :class:`Decision`, returns the id of a legal action and must keep no memory. Such an agent makes a few
    thousand decisions a second; an agent that decides for many games at once is faster.

    >>> from ginkgo_agents import Decision, FunctionAgent
    >>> @FunctionAgent
    ... def last_one(decision: Decision) -> int:
    ...     return decision.legal[-1]
    """

    def __init__(self, choose: Callable[[Decision], Any]) -> None:
        self.choose = choose
        agent: Any = self
        update_wrapper(agent, choose, updated=())  # name, module and docstring

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        offsets, legal = turn.legal_actions()
        states, observations = turn.resampled_states(1), turn.observe()
        actions = []
        for i in range(len(turn)):
            observation = Observation(turn.game.observation, observations[i])
            state, ids = cast(States, states[i : i + 1]), legal[offsets[i] : offsets[i + 1]]
            decision = Decision(turn.game, state, int(turn.seats[i]), ids, observation, int(turn.keys[i]))
            actions.append(self.choose(decision))
        return np.asarray(actions)
