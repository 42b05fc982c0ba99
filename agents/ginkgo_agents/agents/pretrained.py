"""Pretrained agents: checkpoints in the folder ``models``, chosen by game and configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import as_file, files
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import WORLDS, Agent, Turn
from ginkgo_agents.agents.checkpoints import Checkpoint, differing_options, digests_of, read_checkpoint
from ginkgo_agents.agents.lookahead import LookaheadAgent
from ginkgo_agents.agents.playouts import Playouts
from ginkgo_agents.agents.ppo import PpoAgent
from ginkgo_agents.agents.search import SIMULATIONS, SearchAgent, SearchResult
from ginkgo_env.core.arguments import checked
from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.registry import game_class, make_game

T = TypeVar("T")
VERSIONS = 2  # of pretrained models
_PRIOR_WEIGHTS = {1: 1.0, 2: 1.5}
"""The weight of each version of ``ppo`` as prior of ``lookahead`` with several players: the stronger policy counts more."""
_PRIOR_WEIGHT_ALONE = 0.3
"""The same for a single player, where a weight of 1 made ``lookahead`` weaker."""
HELD_OUT = "held_out"
"""The folder of models for evaluation only."""


@cache
def pretrained(kind: str, folder: str = "") -> tuple[Checkpoint, ...]:
    """The checkpoints of a kind that are part of the package.

    folder : a folder of ``models``: ``held_out`` for evaluation only, ``version_2`` for later ones than those at the top
    """
    return tuple(checkpoint for checkpoint in _checkpoints(folder) if checkpoint.kind == kind)


@cache
def _checkpoints(folder: str) -> tuple[Checkpoint, ...]:
    """The checkpoints of all kinds, cached so that each file is read once."""
    checkpoints = []
    for entry in sorted(files(__package__).joinpath("models", folder).iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".npz"):
            with as_file(entry) as path:
                checkpoints.append(read_checkpoint(path))
    return tuple(checkpoints)


def best_checkpoint(kind: str, game: Game, folder: str = "") -> Checkpoint:
    """The pretrained checkpoint that fits the layouts of a game, and whose configuration differs least.

    folder : see :func:`pretrained`

    Raises ConfigError if no model was trained for such a game, or if the layouts of the game have changed since.
    """
    layouts, config = digests_of(game), game.config_dict
    models = [checkpoint for checkpoint in pretrained(kind, folder) if checkpoint.game == game.name]
    models.sort(key=lambda model: sum(config.get(name) != _plain(value) for name, value in model.config.items()))
    if fitting := [model for model in models if model.layouts.items() <= layouts.items()]:
        return fitting[0]
    for model in models:
        today = digests_of(make_game(game_class(model.game), **model.config))
        changed = [name for name, digest in model.layouts.items() if today.get(name) != digest]
        if changed and all(today.get(name) == layouts.get(name) for name in model.layouts):
            raise ConfigError(
                f"the pretrained {kind} agent for {game.name} with {game.sides} sides no longer fits: the layout of "
                f"{' and '.join(changed)} has changed since it was trained; train a new one"
            )
    missing = f"there is no pretrained {kind} agent for {game.name}"
    raise ConfigError(f"{missing}{_difference(models[0], game) if models else ''}; train one")


def _difference(model: Checkpoint, game: Game) -> str:
    """Describe why the closest model cannot play a game: its options, and the first block that differs."""
    given, expected = differing_options(model, game)
    text = f" with {expected}; the closest was trained with {given}"
    trained = make_game(game_class(model.game), **model.config)
    for name in model.layouts:
        ours, theirs = getattr(trained, name), getattr(game, name)
        for block in theirs:
            shapes = [layout[block].shape if block in layout else "none" for layout in (ours, theirs)]
            if shapes[0] != shapes[1]:
                return f"{text} ({name}, block {block}: {shapes[0]}, here {shapes[1]})"
    return text


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


class _PretrainedAgent(Agent):
    """Plays each game with the checkpoint that fits it best."""

    layouts = MappingProxyType[str, Any]({})  # the models have been trained without layout options
    kind: ClassVar[str]
    player: ClassVar[Callable[..., Agent]]
    folder = ""

    def __init__(self, **options: Any) -> None:
        self._options, self._agents = options, dict[str, Agent]()
        self.player(next(iter(pretrained(self.kind, self.folder)), None), **options)  # refuses invalid options now

    def agent_for(self, game: Game) -> Agent:
        """The agent that plays a game. Raises ConfigError if no model fits the game."""
        game = game.with_layouts_of(self.layouts)
        key = repr((game.name, game.config_dict))
        if key not in self._agents:
            self._agents[key] = self.make(game)
        return self._agents[key]

    def make(self, game: Game) -> Agent:
        """Make a new agent for a game."""
        return self.player(best_checkpoint(self.kind, game, self.folder), **self._options)

    def check(self, game: Game) -> None:
        """Raise ConfigError if no model fits the game."""
        self.agent_for(game).check(game)

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        return self.agent_for(turn.game).act(turn)

    def probabilities(self, turn: Turn) -> NDArray[np.float64]:
        """The probability (rows, A) of each action if the agent samples its actions."""
        return self.agent_for(turn.game).probabilities(turn)

    def value(self, turn: Turn) -> NDArray[np.float64] | None:
        """The expected result of the deciding seats (rows,)."""
        return self.agent_for(turn.game).value(turn)


class PretrainedLookahead(_PretrainedAgent):
    """The pretrained lookahead agent, for every configuration that has a model.

    worlds : number of resampled worlds for each decision, see :class:`~ginkgo_agents.agents.lookahead.LookaheadAgent`
    prior : whether to use the pretrained policy ``ppo`` as prior, where there is one for as many players
    version : version of that policy, see :class:`PretrainedPpo`; where there is no later one, the first. Version 1 has no prior
        in games for a single player
    """

    kind, player = "lookahead", LookaheadAgent

    def __init__(self, worlds: int = WORLDS, prior: bool = True, version: int = 1) -> None:
        super().__init__(worlds=worlds)
        if type(prior) is not bool:
            raise ConfigError(f"prior must be true or false, got {shown(prior)}")
        self._prior, self._version = prior, integer(version, 1, VERSIONS, "version", ConfigError)

    def make(self, game: Game) -> Agent:
        """Make a new agent for a game."""
        has_prior = self._prior and (game.seats > 1 or self._version > 1)
        prior, version = _policy(game, range(self._version, 0, -1) if has_prior else ())
        weight = _PRIOR_WEIGHTS[version] if game.seats > 1 else _PRIOR_WEIGHT_ALONE
        return self.player(best_checkpoint(self.kind, game), prior=prior, prior_weight=weight, **self._options)

    def fast_variant(self) -> PretrainedLookahead:
        """The same agent with one world for each decision."""
        return PretrainedLookahead(1, self._prior, self._version)


class PretrainedSearch(_PretrainedAgent):
    """The agent ``search`` with the pretrained networks that fit a game.

    Without a policy for the game, ``lookahead`` ranks the actions, its critic values playouts, and the game's own playout plays
    them; without that as well, playouts go to the end. For a single player ``lookahead`` ranks the actions in any case.

    version : 2 for actions that version 2 of ``ppo`` ranks, where there is one, see :class:`PretrainedPpo`; for a single player
        version 2 of ``lookahead`` ranks them

    See :class:`~ginkgo_agents.agents.search.SearchAgent` for the other options.
    """

    kind, player = "search", SearchAgent

    def __init__(
        self,
        simulations: int = SIMULATIONS,
        milliseconds: float | None = None,
        horizon: int = 4,
        candidates: int = 8,
        temperature: float = 0.3,
        version: int = 1,
    ) -> None:
        options = {"simulations": simulations, "milliseconds": milliseconds, "horizon": horizon, "candidates": candidates}
        super().__init__(**options, temperature=temperature)
        self._root, self._version = PretrainedLookahead(version=version), version

    def make(self, game: Game) -> Agent:
        """Make a new agent for a game."""
        checkpoint = _or_none(best_checkpoint, "search", game)
        root, _ = _policy(game, range(self._version, 1, -1))
        if root is None and (checkpoint is None or game.seats == 1):  # in solo games the candidates of lookahead were better
            root = _or_none(self._root.make, game)
        return self.player(checkpoint, root=root, **self._options)

    def search(self, turn: Turn) -> SearchResult:
        """Search, and return the values, visits and worlds of all candidates."""
        return self._searcher(turn.game).search(turn)

    def playouts(self, game: Game, decisions: int) -> Playouts:
        """See :meth:`SearchAgent.playouts <ginkgo_agents.agents.search.SearchAgent.playouts>`."""
        return self._searcher(game).playouts(game, decisions)

    def fast_variant(self) -> Agent:
        """The pretrained ``lookahead`` with one world for each decision."""
        return self._root.fast_variant()

    def _searcher(self, game: Game) -> SearchAgent:
        return cast(SearchAgent, self.agent_for(game))


@checked(ConfigError)
def folder_of(version: int) -> str:
    """Return the folder of ``models`` with a version's checkpoints.

    Raises ConfigError for an unknown version.
    """
    return f"version_{version}" if integer(version, 1, VERSIONS, "version", ConfigError) > 1 else ""


def _policy(game: Game, versions: Iterable[int]) -> tuple[Agent | None, int]:
    """Return the first of these versions of ``ppo`` that was trained for as many seats, and its number; else None and 1."""
    for version in versions:
        checkpoint = _or_none(best_checkpoint, "ppo", game, folder_of(version))
        if checkpoint and make_game(game_class(checkpoint.game), **checkpoint.config).seats == game.seats:
            return PpoAgent(checkpoint), version
    return None, 1


def _or_none(function: Callable[..., T], *arguments: Any) -> T | None:
    """Return the result of a function; None if there is no pretrained agent."""
    try:
        return function(*arguments)
    except ConfigError:
        return None


class PretrainedPpo(_PretrainedAgent):
    """The pretrained policy that plays without lookahead.

    sample : whether to sample actions by their probability instead of taking the likeliest one, see
        :class:`~ginkgo_agents.agents.ppo.PpoAgent`
    version : 1, or 2 for the stronger policy, so far in Ginkgopolis for two players. The benchmark's opponents and the prior of
        ``lookahead`` are of version 1
    """

    kind, player = "ppo", PpoAgent

    def __init__(self, sample: bool = False, version: int = 1) -> None:
        self.folder = folder_of(version)
        super().__init__(sample=sample)


class HeldOutLookahead(_PretrainedAgent):
    """Lookahead for evaluation only, trained with recipes and seeds of its own.

    worlds : number of resampled worlds for each decision, see :class:`~ginkgo_agents.agents.lookahead.LookaheadAgent`
    """

    kind, player, folder = "lookahead", LookaheadAgent, HELD_OUT

    def __init__(self, worlds: int = WORLDS) -> None:
        super().__init__(worlds=worlds)


class HeldOutPpo(_PretrainedAgent):
    """A policy for evaluation only, trained in self-play from scratch.

    sample : see :class:`PretrainedPpo`
    """

    kind, player, folder = "ppo", PpoAgent, HELD_OUT

    def __init__(self, sample: bool = False) -> None:
        super().__init__(sample=sample)
