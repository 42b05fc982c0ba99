"""The greedy agent for Ginkgopolis, which looks one action ahead."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import WORLDS, DecisionBatch, ResamplingAgent
from ginkgo_agents.ginkgopolis.lookahead import EXPERT_WEIGHTS, LOOK_AHEAD, Weight
from ginkgo_env.core.afterstates import masks_of
from ginkgo_env.core.errors import ConfigError, short_repr

WEIGHTS: Mapping[Weight, float] = {
    Weight.RESOURCE: 1.5,
    Weight.TILE: 1.3,
    Weight.FADE: 8.0,
    Weight.EXPLOIT: 10.5,
    Weight.URBANIZE: 1.2,
    Weight.CONSTRUCT: 10.0,
    Weight.WIN: 7.5,
    Weight.NEW_BUILDING: 1.3,
    Weight.PRESTIGE: 1.3,
    Weight.GREEN_SPACE: 1.3,
    Weight.DESIGN: 5.0,
    Weight.PRESS: 5.0,
    Weight.EXPROPRIATION: 5.0,
    Weight.CONTROL: 5.0,
    **dict.fromkeys(EXPERT_WEIGHTS, 0.0),
}
"""Tuned in games against earlier versions, ``random`` and ``william``."""


class GreedyAgent(ResamplingAgent):
    """Plays the action with the best average value at the end of the round over resampled worlds.

    Each legal action is played in each of a few resampled worlds, followed by random actions to the end of the round, and the
    result is evaluated (:mod:`~ginkgo_agents.ginkgopolis.lookahead`). All actions meet the same worlds and random numbers.
    Ties go to the action with the lower id.

    worlds : number of resampled worlds for each decision
    weights : weights of the evaluation; the defaults are in :data:`WEIGHTS`
    """

    game_name, plays_mixtures = "ginkgopolis", True

    def __init__(self, worlds: int = WORLDS, weights: Mapping[Weight, float] | None = None) -> None:
        super().__init__(worlds)
        for unknown in set(weights or {}) - set(Weight):
            raise ConfigError(f"weights must be numbered 0..{len(Weight) - 1}, got {short_repr(unknown)}")
        chosen = {**WEIGHTS, **(weights or {})}
        self._weights = np.array([chosen[weight] for weight in Weight], np.float64)

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        return np.asarray(self.values(turn).argmax(axis=1), np.int64)

    def values(self, turn: DecisionBatch) -> NDArray[np.float64]:
        """The value of each action in points: (rows, A), minus infinity where it is not legal."""
        worlds = turn.resampled_states(self.worlds).reshape(len(turn), self.worlds)
        masks = turn.masks & masks_of(turn.game, worlds[:, 0])  # the caller may have written to the masks of the turn
        values = np.where(masks != 0, 0.0, -np.inf)
        look_ahead = LOOK_AHEAD[bool(turn.game.template["expansion"][0])]
        turn.threads.run(look_ahead, len(turn), worlds, turn.keys, self._weights, values)
        return values
