"""The flat action space, declared as named blocks (G11.4).

Ids are frozen by ``tests/golden_city/frozen_ids.json``.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.golden_city.constants import (
    MAX_PAIRS,
    N_BONUS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_PLACES,
    N_SOURCES_OF_TWO,
)

ACTIONS = Layout(
    [
        Block("bid", (MAX_PAIRS,), "lay the hand on pair a to d (G4)"),
        Block("build", (N_PLACES + 1,), "build on a place, or done (G5)"),
        Block("pay_one", (N_LANDSCAPES,), "the source of the card for a coast place (G5.5)"),
        Block(
            "pay_two",
            (N_SOURCES_OF_TWO,),
            "the sources of the two cards for another place: coast+coast, coast+forest, ... (G5.5)",
        ),
        Block("goods", (N_GOODS_KINDS + 1,), "take a kind of goods card from the display, or the top one of the stack (G6.2)"),
        Block("box", (N_GOODS_KINDS,), "the kind of goods card to put out of the game (G6.3)"),
        Block("bonus", (N_BONUS,), "take a bonus card (G6.4)"),
        Block("discard", (N_LANDSCAPES,), "discard a card of a landscape (G5.8)"),
    ]
)
BID, BUILD, PAY_ONE, PAY_TWO, GOODS, BOX, BONUS, DISCARD = (ACTIONS[name].start for name in ACTIONS)
"""The first action of each block."""
DONE = BUILD + N_PLACES
STACK = GOODS + N_GOODS_KINDS
_SIZE = ACTIONS.size

SOURCES_OF_TWO = np.array([(a, b) for a in range(N_LANDSCAPES) for b in range(a, N_LANDSCAPES)], np.int64)
"""The two sources, landscapes, of each action of the block ``pay_two``: (15, 2)."""
SOURCES_OF_TWO.setflags(write=False)


@kernel
def clear_mask(mask: np.ndarray) -> None:
    """Make no action legal."""
    for a in range(_SIZE):  # a constant for the compiler, which makes this fast
        mask[a] = 0
