"""Trained agents that come with the package: checkpoints in ``models/``, chosen by game and configuration."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, Turn
from ginkgo_agents.checkpoints import Checkpoint, digests_of, read_checkpoint
from ginkgo_agents.lookahead import LookaheadAgent
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game


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
    return min(fitting, key=lambda checkpoint: sum(config[name] != _plain(value) for name, value in checkpoint.config.items()))


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


class ShippedLookahead(Agent):
    """The trained lookahead agent, for every configuration that one was trained for.

    worlds : how many resampled worlds for each decision, see :class:`~ginkgo_agents.lookahead.LookaheadAgent`
    """

    def __init__(self, worlds: int = 8) -> None:
        self.worlds = worlds
        self._agents: dict[str, LookaheadAgent] = {}
        LookaheadAgent(shipped("lookahead")[0], worlds)  # so that a bad option is refused now

    def agent_for(self, game: Game) -> LookaheadAgent:
        """The agent that plays a game. Raises ConfigError if none was trained for it."""
        key = repr((game.name, game.config_dict))
        if key not in self._agents:
            self._agents[key] = LookaheadAgent(best_for("lookahead", game), self.worlds)
        return self._agents[key]

    def entries(self, game: Game) -> list[Any]:
        """The loops of the agent that plays the game."""
        return list(self.agent_for(game).entries(game))

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """A legal action for each row of the turn."""
        return self.agent_for(turn.game).act(turn)
