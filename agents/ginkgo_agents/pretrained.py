"""Pretrained agents: networks in the folder ``models``, whose manifest says what an agent is made of.

A clone has the networks; else the package ``ginkgo-env-models`` puts them there.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import as_file, files
from re import fullmatch
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import WORLDS, Agent, DecisionBatch
from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint
from ginkgo_agents.lookahead import LookaheadAgent
from ginkgo_agents.playouts import Playouts
from ginkgo_agents.ppo import PpoAgent
from ginkgo_agents.registry import make_agent
from ginkgo_agents.search import SIMULATIONS, SearchAgent, SearchResult
from ginkgo_env.core.errors import ConfigError, MissingPackageError, join_names, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.strict_json import StrictStruct, convert, parse

_MODELS, _PACKAGE = "models", "ginkgo-env-models"
_PLAYERS: dict[str, Callable[[Checkpoint], Agent]] = {"lookahead": LookaheadAgent, "ppo": PpoAgent, "search": SearchAgent}


class Model(StrictStruct):
    """What a version of a pretrained agent is made of in some configurations of a game.

    game : the name of the game; empty for every game
    configurations : options that the configurations have; true and false stand for any value and for none, a text is a pattern
    roles : files of networks by their role
    prior_weight : the weight of the network with the role ``prior``
    root : the agent that chooses the candidates of a search
    belief : the temperature at which the network with the role ``policy`` fits the choices of players best, for analyses; by
        default that of its file
    critic : the file of the critic with which training from the policy starts; nothing plays with it
    """

    agent: str
    version: int
    game: str
    configurations: dict[str, int | bool | str]
    roles: dict[str, str]
    prior_weight: float = 1.0
    root: str = ""
    belief: float | None = None
    critic: str = ""

    def is_for(self, game: Game) -> bool:
        """Whether it is made for a game in this configuration."""
        options = game.config_dict
        wanted = ((value, options.get(name)) for name, value in self.configurations.items())
        same = all(bool(own) == value if isinstance(value, bool) else fullmatch(str(value), str(own)) for value, own in wanted)
        return self.game in ("", game.name) and same


class _Manifest(StrictStruct):
    agents: list[Model]
    files: dict[str, str]
    """The SHA-256 of each file."""


@cache
def manifest() -> _Manifest:
    """The pretrained agents, as ``models/manifest.json`` states them."""
    return convert(parse(files(__package__).joinpath(_MODELS, "manifest.json").read_text("utf-8")), _Manifest)


@cache
def pretrained(file: str) -> Checkpoint:
    """A pretrained network by the name of its file.

    Raises MissingPackageError without the networks, ConfigError if the manifest has another digest.
    """
    entry = files(__package__).joinpath(_MODELS, file)
    if not entry.is_file():
        raise MissingPackageError(f"{_PACKAGE} is not installed: pip install {_PACKAGE}")
    if sha256(entry.read_bytes()).hexdigest() != manifest().files.get(file):
        raise ConfigError(f"{file} is not the file that the manifest of the pretrained agents names; install {_PACKAGE} again")
    with as_file(entry) as path:
        return read_checkpoint(path)


def models_of(agent: str, game: Game | None = None) -> dict[int, Model]:
    """The models of a pretrained agent by version, in all games or in one."""
    models = dict[int, Model]()
    for model in manifest().agents:
        if model.agent == agent and (game is None or model.is_for(game)):
            models.setdefault(model.version, model)
    return dict(sorted(models.items()))


class _PretrainedAgent(Agent):
    """Plays each configuration of a game with the model of its version, by default the latest."""

    layouts = MappingProxyType[str, Any]({})  # the models have been trained without layout options
    name: ClassVar[str]
    roles: ClassVar[tuple[str, ...]] = ()
    """The roles that networks have in some models and not in others."""

    def __init__(self, version: int | None = None) -> None:
        self._version, self._agents = version, dict[str, Agent]()
        models = models_of(self.name)
        if version is not None and version not in models:
            raise ConfigError(f"version must be {join_names(models)}, got {short_repr(version)}")
        self.make(models[version or max(models)])  # refuses invalid options now

    def model_for(self, game: Game) -> Model:
        """The model that plays a game. Raises ConfigError if there is none, or none of this version."""
        models = models_of(self.name, game)
        model = models.get(self._version or max(models, default=0))
        if model is not None:
            return model
        names = {name for model in manifest().agents if model.game == game.name for name in model.configurations}
        own = ((name, value) for name, value in game.config_dict.items() if name in names)
        options = ", ".join(f"{name}={' and '.join(value) if isinstance(value, list) else value}" for name, value in own)
        versions = join_names(f"{self.name}:version={version}" for version in models)
        missing = f"{self.name}:version={self._version}, only {versions}," if versions else f"pretrained {self.name} agent"
        raise ConfigError(f"there is no {missing} for {game.name} with {options}{'' if versions else '; train one'}")

    def agent_for(self, game: Game) -> Agent:
        """The agent that plays a game. Raises ConfigError if there is no model, or if a file does not fit."""
        game = game.with_layouts_of(self.layouts)
        key = repr((game.name, game.config_dict))
        if key not in self._agents:
            model = self.model_for(game)
            for file in model.roles.values():
                try:
                    checkpoint = pretrained(file)
                    _PLAYERS[checkpoint.kind](checkpoint).check(game)
                except ConfigError as error:
                    raise ConfigError(f"the pretrained network {file} does not fit this game: {error}") from None
            agent = self.make(model)
            agent.check(game)
            self._agents[key] = agent
        return self._agents[key]

    def make(self, model: Model) -> Agent:
        """Make the agent that plays with a model."""
        raise NotImplementedError

    def identity(self, game: Game) -> dict[str, Any]:
        """The version that plays a game, the digests of the files that it reads, and what it plays without."""
        game = game.with_layouts_of(self.layouts)
        model = self.model_for(game)
        networks = {file: manifest().files[file] for file in model.roles.values()}
        if model.root:
            networks |= make_agent(model.root).identity(game)["networks"]
        missing = [f"{self.name} without {role}" for role in self.roles if role not in model.roles]
        if not networks:
            missing = [f"{self.name} without networks"]
        return {"version": model.version, "networks": networks, "missing": missing}

    def check(self, game: Game) -> None:
        """Raise ConfigError if no model fits the game."""
        self.agent_for(game)

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        return self.agent_for(turn.game).act(turn)

    def probabilities(self, turn: DecisionBatch) -> NDArray[np.float64]:
        """The probability (rows, A) of each action if the agent samples its actions."""
        return self.agent_for(turn.game).probabilities(turn)

    def value(self, turn: DecisionBatch) -> NDArray[np.float64] | None:
        """The expected result of the deciding seats (rows,)."""
        return self.agent_for(turn.game).value(turn)


class PretrainedLookahead(_PretrainedAgent):
    """The pretrained lookahead agent, for every configuration that has a model.

    worlds : number of resampled worlds for each decision, see :class:`~ginkgo_agents.lookahead.LookaheadAgent`
    prior : whether to use a policy as prior, where the model has one
    version : 2 for the prior ``ppo:version=2`` with two players of Ginkgopolis, and for a prior of small weight alone against
        William; by default the latest
    """

    name = "lookahead"
    roles: ClassVar[tuple[str, ...]] = ("prior",)

    def __init__(self, worlds: int = WORLDS, prior: bool = True, version: int | None = None) -> None:
        if type(prior) is not bool:
            raise ConfigError(f"prior must be true or false, got {short_repr(prior)}")
        self._worlds, self._prior = worlds, prior
        super().__init__(version)

    def make(self, model: Model) -> Agent:
        """Make the agent that plays with a model."""
        file = model.roles.get("prior") if self._prior else None
        prior = None if file is None else PpoAgent(pretrained(file))
        return LookaheadAgent(pretrained(model.roles["networks"]), self._worlds, prior, prior_weight=model.prior_weight)

    def fast_variant(self) -> Self:
        """The same agent with one world for each decision."""
        variant = copy(self)
        variant._worlds, variant._agents = 1, {}
        return variant


class PretrainedSearch(_PretrainedAgent):
    """The agent ``search`` with the pretrained networks that are made for a game.

    Where there is no policy, but ``lookahead`` has networks, these choose the candidates and value playouts, which the game's own
    kernel plays. Without any network all actions are candidates, and playouts go to the end; its identity says so.

    version : 2 for networks distilled from a stronger policy in My City and The Golden City, and for candidates of
        ``lookahead:version=1`` on their generated boards; in Ginkgopolis for candidates of ``ppo:version=2`` with two players,
        for stronger networks with three to five and for two with modules, and for candidates of ``lookahead:version=2`` alone
        against William; 3 for still stronger networks with four; by default the latest

    See :class:`~ginkgo_agents.search.SearchAgent` for the other options.
    """

    name = "search"
    roles: ClassVar[tuple[str, ...]] = ("policy",)

    def __init__(
        self,
        simulations: int = SIMULATIONS,
        milliseconds: float | None = None,
        horizon: int = 4,
        candidates: int = 8,
        temperature: float = 0.3,
        belief: float | None = None,
        version: int | None = None,
    ) -> None:
        options = {"simulations": simulations, "milliseconds": milliseconds, "horizon": horizon, "candidates": candidates}
        self._options: dict[str, Any] = options | {"temperature": temperature, "belief": belief}
        super().__init__(version)

    def make(self, model: Model) -> Agent:
        """Make the agent that plays with a model."""
        policy = pretrained(model.roles["policy"]) if "policy" in model.roles else None
        if policy and model.belief is not None:
            policy = replace(policy, settings={**policy.settings, "belief": model.belief})
        return SearchAgent(policy, root=make_agent(model.root) if model.root else None, **self._options)

    @property
    def timed_playouts(self) -> int:
        """Number of playouts so far, with ``milliseconds``; else 0."""
        return sum(agent.timed_playouts for agent in self._agents.values())

    def search(self, turn: DecisionBatch) -> SearchResult:
        """Search, and return the values, visits and worlds of all candidates."""
        return self._searcher(turn.game).search(turn)

    def playouts(self, game: Game, decisions: int, *, again: bool = True) -> Playouts:
        """See :meth:`SearchAgent.playouts <ginkgo_agents.search.SearchAgent.playouts>`."""
        return self._searcher(game).playouts(game, decisions, again=again)

    def fast_variant(self) -> Agent:
        """The pretrained ``lookahead`` with one world for each decision."""
        return PretrainedLookahead(1, version=self._version)

    def _searcher(self, game: Game) -> SearchAgent:
        return cast(SearchAgent, self.agent_for(game))


class PretrainedPpo(_PretrainedAgent):
    """The pretrained policy that plays without lookahead.

    sample : whether to sample actions by their probability instead of taking the likeliest one, see
        :class:`~ginkgo_agents.ppo.PpoAgent`
    version : 2 for the stronger policy, in Ginkgopolis for two to four players; by default the latest
    """

    name = "ppo"

    def __init__(self, sample: bool = False, version: int | None = None) -> None:
        self._sample = sample
        super().__init__(version)

    def make(self, model: Model) -> Agent:
        """Make the agent that plays with a model."""
        return PpoAgent(pretrained(model.roles["policy"]), sample=self._sample)

    def checkpoint_for(self, game: Game) -> Checkpoint:
        """The policy that plays a game, with its critic if there is one.

        Raises ConfigError if there is no policy.
        """
        model = self.model_for(game)
        policy, critic = pretrained(model.roles["policy"]), pretrained(model.critic).arrays if model.critic else {}
        return replace(policy, arrays={**policy.arrays, **critic})


class HeldOutLookahead(PretrainedLookahead):
    """Lookahead for evaluation only, trained with recipes and seeds of its own.

    worlds : number of resampled worlds for each decision, see :class:`~ginkgo_agents.lookahead.LookaheadAgent`
    """

    name = "held_out_lookahead"
    roles: ClassVar[tuple[str, ...]] = ()

    def __init__(self, worlds: int = WORLDS) -> None:
        super().__init__(worlds)


class HeldOutPpo(PretrainedPpo):
    """A policy for evaluation only, trained in self-play from scratch.

    sample : see :class:`PretrainedPpo`
    """

    name = "held_out_ppo"

    def __init__(self, sample: bool = False) -> None:
        super().__init__(sample)


class BestResponse(HeldOutPpo):
    """A policy for evaluation only, trained against ``lookahead:version=1`` alone by ``ginkgo exploit``.

    sample : see :class:`PretrainedPpo`
    """

    name = "best_response"
