"""The builder, the scripted opponent of My City (M15)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn, sample_legal


class BuilderAgent(Agent):
    """Places the building at random, with the same probability for each placement.

    It passes if there is no placement, and never chooses to end.
    """

    game_name = "my_city"

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        masks = turn.masks.copy()
        actions = turn.game.actions
        masks[:, actions["end"].start] = 0  # a seat that decides can place or pass
        masks[masks[:, actions["place"].slice].any(axis=1), actions["pass"].start] = 0
        return sample_legal(masks, turn.words)
