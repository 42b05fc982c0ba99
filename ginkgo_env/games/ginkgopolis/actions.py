"""The flat action spaces, declared as named blocks.

Ids are frozen by ``tests/ginkgopolis/frozen_ids.json``. Without modules, actions are ``ACTIONS``; with any module they are
``EXPANSION_ACTIONS``, the same for every combination. In blocks, tiles are counted without the gap that letters leave among the
ids: the index of a tile of the expansion is its id - 12 (:func:`tile_index`).
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.ginkgopolis.constants import (
    HAND_SIZE,
    MAX_HAND,
    N_ALL_TILES,
    N_CARDS,
    N_CHARACTERS,
    N_EVENT_PAIRS,
    N_EVENTS,
    N_EXPERTS,
    N_LETTERS,
    N_TILES,
    NONE,
    RESOURCES,
    Side,
    Split,
    Timing,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION

ALONE = 0  # second index of a commit: no tile; otherwise 1 + tile index
TAKE_RESOURCE, TAKE_TILE = 0, 1
NOTHING = 0  # index in the blocks "lower" and "event": none; otherwise 1 + tile index, 1 + EventTile


def _base_blocks(hand: int, tiles: int, picks: int) -> list[Block]:
    return [
        Block("commit", (hand, 1 + tiles), "card in the hand's k-th place (hands are sorted); alone or with a tile"),
        Block("new_hand", (1,), "spend a New Hand token (R3.2)"),
        Block("take", (2,), "for an urbanization card alone: a resource or a tile (R4.1)"),
        Block("token", (len(Side),), "where the token goes: N E S W of the new tile, after, before (R6.2, R6.3)"),
        Block("return", (tiles + 1,), "set a tile aside for the new supply, or done (R7.1)"),
        Block("draft", (picks,), "keep a character (R2.7)" + ("" if picks == N_CHARACTERS else " or an expert (X6)")),
    ]


ACTIONS = Layout(_base_blocks(HAND_SIZE, N_TILES, N_CHARACTERS))

EXPANSION_ACTIONS = Layout(
    [
        *_base_blocks(MAX_HAND, N_ALL_TILES, N_CHARACTERS + N_EXPERTS),
        Block("events", (N_EVENT_PAIRS,), "keep two of the four event tiles (X4.1)"),
        Block("lower", (1 + N_ALL_TILES,), "no second tile, or which one under the first (X6, architect)"),
        Block("event", (1 + N_EVENTS,), "no event with the card, or which one (X4.2)"),
        Block("keep", (MAX_HAND - 1,), "keep the card in the hand's k-th place (X5)"),
        Block("timing", (len(Timing),), "the event before or after the action (X4.2)"),
        Block("split", (len(Split),), "draw a red, blue, yellow prestige tile, a tile of value II, a green space; done (X0.1)"),
        Block("pay", (max(RESOURCES) + 1,), "how many resources to pay for a quality control, the rest in SP (X4.4)"),
    ]
)

# First actions of the blocks: row 0 without modules, row 1 with modules; columns by the numbers below.
_STARTS = np.array(
    [[layout[name].start if name in layout else NONE for name in EXPANSION_ACTIONS] for layout in (ACTIONS, EXPANSION_ACTIONS)]
)
(COMMIT, NEW_HAND, TAKE, TOKEN, RETURN, DRAFT, EVENTS, LOWER, EVENT, KEEP, TIMING, SPLIT, PAY) = range(len(EXPANSION_ACTIONS))
"""Blocks by number, for :func:`first`."""
_SIZES = (ACTIONS.size, EXPANSION_ACTIONS.size)


@kernel
def first(block: int) -> int:
    """Return the first action of a block."""
    return _STARTS[1, block] if EXPANSION else _STARTS[0, block]


@kernel
def clear_mask(mask: np.ndarray) -> None:
    """Clear a mask (A,). The size is a constant to the compiler, which makes this fast."""
    for a in range(_SIZES[1] if EXPANSION else _SIZES[0]):
        mask[a] = 0


@kernel
def n_tiles() -> int:
    """Return the number of different tiles, which is also the index of "done" in block "return"."""
    return N_ALL_TILES if EXPANSION else N_TILES


@kernel
def tile_index(tile: int) -> int:
    """Return the index of a tile in blocks."""
    return tile - N_LETTERS if EXPANSION and tile >= N_CARDS else tile


@kernel
def tile_at(index: int) -> int:
    """Return the tile at an index in blocks."""
    return index + N_LETTERS if EXPANSION and index >= N_TILES else index


@kernel(inline=True)
def low_indices(low: np.uint64, high: np.uint64) -> np.uint64:
    """Return the low word of a set of tiles by index in blocks, from both words of the set by id."""
    return low | high >> np.uint64(N_CARDS - 64) << np.uint64(N_TILES) if EXPANSION else low


@kernel(inline=True)
def high_indices(high: np.uint64) -> np.uint64:
    """Return the high word of a set of tiles by index in blocks."""
    return high >> np.uint64(N_LETTERS) if EXPANSION else high


@kernel
def allow(mask: np.ndarray, start: int, n: int) -> int:
    """Make n actions from start on legal in a mask (A,); return n."""
    for a in range(start, start + n):
        mask[a] = 1
    return n
