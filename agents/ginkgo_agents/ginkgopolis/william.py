"""William as an agent at a seat among 2 to 5 players.

In the solo game (R9) William is part of the rules: it plays a random card, always with a random tile. Among players this agent
does the same as far as the rules for players allow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, DecisionBatch, nth_keys, sample_legal
from ginkgo_env.core.layout import Layout
from ginkgo_env.games.ginkgopolis.actions import ALONE
from ginkgo_env.games.ginkgopolis.constants import Stage


class WilliamAgent(Agent):
    """Plays a random card of its hand, with a random tile if any is legal.

    It never takes a New Hand and returns no tile (R7.1). All other choices are random.
    """

    game_name = "ginkgopolis"

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        actions = sample_legal(turn.masks, turn.keys)
        actions[turn.kinds == Stage.RETURN] = turn.game.actions["return"].stop - 1  # done
        commits = np.flatnonzero(turn.kinds == Stage.COMMIT)
        if commits.size:
            actions[commits] = build(turn.game.actions, turn.masks[commits], turn.keys[commits])
        return actions


def build(layout: Layout, masks: NDArray[np.int8], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Choose a random card, and a random legal tile with it if there is one."""
    commits = layout.view(masks, "commit")
    cards = sample_legal(commits[:, :, ALONE], nth_keys(keys, 1))
    with_tile = commits[np.arange(len(commits)), cards].copy()
    with_tile[:, ALONE] = 0
    choices = sample_legal(with_tile, nth_keys(keys, 2))
    indices = cards * commits.shape[2] + np.where(choices < 0, ALONE, choices)
    return np.asarray(layout["commit"].start + indices, np.int64)
