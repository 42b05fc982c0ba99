"""Which modules of The Experts a game is played with, and who has which expert."""

from __future__ import annotations

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.state import State

EXPANSION = True
"""Whether kernels are compiled for games with modules: what ``if EXPANSION:`` guards is left out of those of the base game.

``kernels`` makes both (``core.compile.specialize``). It is what ``g.expansion`` is in every record that they get.
"""

BLIND = False
"""Whether kernels are compiled for lookahead, which chooses cards and tiles without a look at the mask (``knowledge.playout``).

The mask of such a choice is not written then.
"""


@kernel
def has_module(g: State, module: int) -> bool:
    """Whether the game is played with this module."""
    return EXPANSION and g.modules[module] != 0


@kernel
def is_expert(g: State, p: int, expert: int) -> bool:
    """Whether a player has this expert (X6)."""
    return EXPANSION and g.expert[p] == expert
