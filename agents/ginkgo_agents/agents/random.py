"""The agent that samples uniformly among the legal actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn, sample_legal


class RandomAgent(Agent):
    """Samples uniformly among all legal actions of any game."""

    plays_mixtures = True

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        return sample_legal(turn.masks, turn.words)
