"""The agent that plays a policy of ``ginkgo train ppo``, with numpy alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn, sample_actions
from ginkgo_agents.agents.checkpoints import (
    Checkpoint,
    columns_in,
    networks_of,
    read_checkpoint,
    read_settings,
    require_arrays,
    require_fit,
)
from ginkgo_agents.agents.network import CRITIC, LAYOUTS, Network, NetworkSettings
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.checks import flag
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game

KIND = "ppo"
POLICY = "policy/"
"""Prefix of the names of the arrays that are weights of the policy."""
_CHUNK = 256  # rows at a time: bounds memory


class PpoAgent(Agent):
    """Plays the likeliest action of a policy network, with one forward pass and no lookahead.

    An action depends on its own row alone, neither on the other rows of a turn nor on their number (see ``network``).

    checkpoint : a checkpoint of kind ``ppo``, or the path of its file
    sample : sample actions by the network's probabilities instead

    Raises ConfigError for an invalid checkpoint, and when it is to play a game that it does not fit.
    """

    plays_mixtures = True

    def __init__(self, checkpoint: Checkpoint | str | Path, *, sample: bool = False) -> None:
        self.checkpoint = checkpoint if isinstance(checkpoint, Checkpoint) else read_checkpoint(checkpoint)
        self.layouts = self.checkpoint.options
        self._settings = read_settings(self.checkpoint, KIND, NetworkSettings)
        self._weights = {name.removeprefix(POLICY): array for name, array in self.checkpoint.arrays.items()}
        self._sample = flag(sample, "sample", ConfigError)
        self._last: tuple[Game, Network, NDArray[np.int64] | None] | None = None

    def check(self, game: Game) -> None:
        """Raise ConfigError unless the checkpoint fits the game."""
        self._network(game)

    def identity(self, game: Game) -> dict[str, Any]:
        """The digest of the network that the agent reads."""
        return networks_of(self.checkpoint, game)

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        if self._sample:
            return sample_actions(self.probabilities(turn), turn.words)
        return np.asarray(np.where(turn.masks != 0, self.all_logits(turn), -np.inf).argmax(axis=1), np.int64)

    def probabilities(self, turn: Turn) -> NDArray[np.float64]:
        """The network's probability (rows, A) of each action."""
        logits = np.where(turn.masks != 0, self.all_logits(turn).astype(np.float64), -np.inf)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def logits(self, turn: Turn) -> tuple[LegalActions, NDArray[np.float64]]:
        """The legal actions, and the logit (N,) of each."""
        legal = turn.legal_actions()
        rows = np.repeat(np.arange(len(turn)), np.diff(legal.offsets))
        return legal, self.all_logits(turn)[rows, legal.actions].astype(np.float64)

    def all_logits(self, turn: Turn) -> NDArray[np.float32]:
        """The logits (rows, A) of all actions, legal or not."""
        turn = turn.with_layouts_of(self.checkpoint.options)
        network, columns = self._network(turn.game)
        x = network.input_of(turn)
        x = x if columns is None else x[:, columns]
        parts = [network.forward(np, self._weights, x[i : i + _CHUNK])[0] for i in range(0, len(x), _CHUNK)]
        return np.concatenate(parts) if parts else np.zeros((0, network.actions), np.float32)

    def _network(self, game: Game) -> tuple[Network, NDArray[np.int64] | None]:
        """The network, and where the input of a game has the numbers that it reads, if not at their places in training.

        Those of the last game are cached.
        """
        last = self._last
        if last is None or last[0] is not game:
            layouts = LAYOUTS[self._settings.observation]
            require_fit(self.checkpoint, game, ("actions", *layouts))
            network = Network(self.checkpoint.trained, self._settings)
            shapes = {POLICY + name: shape for name, shape in network.shapes.items() if not name.startswith(CRITIC)}
            require_arrays(self.checkpoint.arrays, shapes)
            starts = np.cumsum([0, *(getattr(game, name).size for name in layouts)])
            found = [start + columns_in(self.checkpoint, game, name) for name, start in zip(layouts, starts, strict=False)]
            columns = np.concatenate(found)
            self._last = last = game, network, None if np.array_equal(columns, np.arange(starts[-1])) else columns
        return last[1], last[2]
