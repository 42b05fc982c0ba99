"""Which modules of The Experts a game is played with, and who has which expert."""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.jit import kernel


@kernel
def has_module(g: Any, module: int) -> bool:
    """Whether the game is played with this module."""
    return g.modules[module] != 0


@kernel
def is_expert(g: Any, p: int, expert: int) -> bool:
    """Whether a player has this expert (X6)."""
    return g.expert[p] == expert
