"""Trained agents that come with the package: checkpoints in ``models/``, chosen by game and configuration."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import as_file, files
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn
from ginkgo_agents.agents.checkpoints import Checkpoint, digests_of, read_checkpoint
from ginkgo_agents.agents.lookahead import LookaheadAgent
from ginkgo_agents.agents.ppo import PpoAgent
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.registry import make_game


@cache
def shipped(kind: str) -> tuple[Checkpoint, ...]:
    """The checkpoints of a kind that come with the package."""
    found = []
    for entry in sorted((files(__package__) / "models").iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".npz"):
            with as_file(entry) as path:
                found.append(read_checkpoint(path))
    return tuple(checkpoint for checkpoint in found if checkpoint.kind == kind)


def best_for(kind: str, game: Game) -> Checkpoint:
    """The checkpoint whose game and layouts fit, and whose configuration differs least. Raises ConfigError if none fits."""
    now, config = digests_of(game), game.config_dict
    fitting = [
        checkpoint
        for checkpoint in shipped(kind)
        if checkpoint.game == game.name and all(now.get(name) == digest for name, digest in checkpoint.layouts.items())
    ]
    if not fitting:
        raise ConfigError(f"no trained {kind} agent comes with the package for {game.name} with {game.sides} sides; train one")
    return min(
        fitting, key=lambda checkpoint: sum(config.get(name) != _plain(value) for name, value in checkpoint.config.items())
    )


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


class _Shipped(Agent):
    """Plays each game with the checkpoint that fits it best."""

    kind: ClassVar[str]
    player: ClassVar[Callable[..., Agent]]

    def __init__(self, **options: Any) -> None:
        self._options, self._agents = options, dict[str, Agent]()
        self.player(shipped(self.kind)[0], **options)  # so that a bad option is refused now

    def agent_for(self, game: Game) -> Agent:
        """The agent that plays a game. Raises ConfigError if none was trained for it."""
        key = repr((game.name, game.config_dict))
        if key not in self._agents:
            self._agents[key] = self.make(game)
        return self._agents[key]

    def make(self, game: Game) -> Agent:
        """A new agent for a game."""
        return self.player(best_for(self.kind, game), **self._options)

    def check(self, game: Game) -> None:
        """Raises ConfigError if none was trained for the game."""
        self.agent_for(game).check(game)

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """A legal action for each row of the turn."""
        return self.agent_for(turn.game).act(turn)

    def chances(self, turn: Turn) -> NDArray[np.float64]:
        """The probability (rows, A) of each action if the agent draws its actions."""
        return self.agent_for(turn.game).chances(turn)

    def outlook(self, turn: Turn) -> NDArray[np.float64] | None:
        """What the deciding seats may expect, (rows,)."""
        return self.agent_for(turn.game).outlook(turn)


class ShippedLookahead(_Shipped):
    """The trained lookahead agent, for every configuration that one was trained for.

    worlds : how many resampled worlds for each decision, see :class:`~ginkgo_agents.agents.lookahead.LookaheadAgent`
    prior : whether the trained policy ``ppo`` is its prior, where that was trained for as many players
    """

    kind, player = "lookahead", LookaheadAgent

    def __init__(self, worlds: int = 8, prior: bool = True) -> None:
        super().__init__(worlds=worlds)
        if type(prior) is not bool:
            raise ConfigError(f"invalid prior {shown(prior)}; expected true or false")
        self._prior = prior

    def make(self, game: Game) -> Agent:
        """A new agent for a game."""
        return self.player(best_for(self.kind, game), prior=self._policy(game), **self._options)

    def hasty(self) -> ShippedLookahead:
        """The same agent with one world for each decision."""
        return ShippedLookahead(worlds=1, prior=self._prior)

    def _policy(self, game: Game) -> Agent | None:
        try:
            found = best_for("ppo", game) if self._prior else None
        except ConfigError:
            return None
        return PpoAgent(found) if found and make_game(found.game, **found.config).seats == game.seats else None


class ShippedPpo(_Shipped):
    """The trained policy that plays without lookahead.

    sample : whether actions are drawn by their probability instead of taking the likeliest, see
        :class:`~ginkgo_agents.agents.ppo.PpoAgent`
    """

    kind, player = "ppo", PpoAgent

    def __init__(self, sample: bool = False) -> None:
        super().__init__(sample=sample)
