"""Which modules of The Experts a game is played with, and who has which expert."""

from __future__ import annotations

from ginkgo_env.core.jit import kernel
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def has_module(g: State, module: int) -> bool:
    """Whether the game is played with this module."""
    return g.modules[module] != 0


@kernel
def is_expert(g: State, p: int, expert: int) -> bool:
    """Whether a player has this expert (X6)."""
    return g.expert[p] == expert
