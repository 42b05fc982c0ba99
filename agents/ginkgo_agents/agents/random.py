"""The agent that chooses uniformly among the legal actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn, pick


class RandomAgent(Agent):
    """Chooses uniformly among all legal actions. Plays any game."""

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """A legal action for each row of the turn."""
        return pick(turn.masks, turn.words)
