"""The modules of The Experts that a game is played with, as kernels ask for them."""

from __future__ import annotations

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.state import State

EXPANSION = True
"""Whether kernels are compiled for games with modules; those of the base game omit code under ``if EXPANSION:``.

``kernels`` makes both (``core.compile.specialize``). It equals ``g.expansion`` of every record that they get.
"""

BLIND = False
"""Whether kernels are compiled for lookahead, which chooses cards and tiles without reading the mask (``playout``).

The mask of such a choice is then not written.
"""


@kernel
def has_module(g: State, module: int) -> bool:
    """Whether the game is played with a module."""
    return EXPANSION and g.modules[module] != 0


@kernel
def is_expert(g: State, p: int, expert: int) -> bool:
    """Whether a player has an expert (X6)."""
    return EXPANSION and g.expert[p] == expert
