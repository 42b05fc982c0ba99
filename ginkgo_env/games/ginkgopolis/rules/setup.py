"""Setup of city, tiles and cards (R2.1 to R2.6, R9.1), up to the draft or to the deal of start items."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit_outcome
from ginkgo_env.core.piles import stack_up
from ginkgo_env.core.rng import shuffle
from ginkgo_env.games.ginkgopolis.constants import (
    DISCARDED_CARDS,
    FEW_PLAYERS,
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_CARDS,
    N_GREEN_SPACES,
    N_NEW_BUILDINGS,
    N_START,
    N_TILES,
    NOBODY,
    NONE,
    REMOVED_FOR_MODULE,
    REMOVED_TILES,
    SQUARE,
    Module,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module
from ginkgo_env.games.ginkgopolis.rules.cards import discard_from_deck
from ginkgo_env.games.ginkgopolis.rules.city import add_building
from ginkgo_env.games.ginkgopolis.rules.draft import deal_packets, deal_sets
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import TILE_NUMBER

_START_TILES = np.flatnonzero(TILE_NUMBER[:N_TILES] <= SQUARE)  # R2.1
_OTHER_TILES = np.flatnonzero(TILE_NUMBER[:N_TILES] > SQUARE)
_START_DECK = np.concatenate([_START_TILES, np.arange(N_TILES, N_CARDS)])  # R2.4


@kernel
def set_up(g: State, t: None, log: np.ndarray) -> None:
    """Set up a blank record (R2.1 to R2.7), up to the draft or to the deal of start items."""
    lay_square(g, log)  # R11.4: random outcomes in this order
    shuffle_tiles(g, log)
    shuffle_deck(g, log)
    if EXPANSION:
        lay_out_stacks(g, log)
    if g.solo:  # R9.1: no characters
        g.stage = Stage.DEAL
    elif g.draft:
        deal_packets(g, log)
        g.stage = Stage.DRAFT
        g.actor = 0
    else:
        deal_sets(g, log)
        g.stage = Stage.DEAL


@kernel
def lay_square(g: State, log: np.ndarray) -> None:
    """Lay out the start square (R2.1)."""
    items = _START_TILES.copy()
    shuffle(g, items, N_START)
    emit_outcome(log, Shuffle.START_TILES, items, N_START)
    for i in range(N_START):
        add_building(g, i % SQUARE, i // SQUARE, items[i], NOBODY, 0)  # no pawn: its card is in the deck (R2.4)


@kernel
def shuffle_tiles(g: State, log: np.ndarray) -> None:
    """Shuffle the supply and remove tiles from the game (R2.3)."""
    n = _OTHER_TILES.size
    for i in range(n):
        g.supply[i] = _OTHER_TILES[i]
    stack_up(g, g.supply, n, Shuffle.TILES, log)
    g.supply_size = n
    gone = REMOVED_TILES if g.players <= FEW_PLAYERS else 0
    for module in (Module.NEW_BUILDINGS, Module.PRESTIGE, Module.GREEN_SPACES):
        if has_module(g, module):
            gone += REMOVED_FOR_MODULE  # tiles of the module take their place
    if gone > 0:
        remove_last_tiles(g, gone)


@kernel
def remove_last_tiles(g: State, n: int) -> None:
    """Remove the tiles that would be drawn last, unseen (R11.3)."""
    for i in range(n):
        add(g.removed, g.supply[i])
    g.supply_size -= n
    for i in range(g.supply_size):
        g.supply[i] = g.supply[i + n]
    for i in range(n):
        g.supply[g.supply_size + i] = NONE


@kernel
def shuffle_deck(g: State, log: np.ndarray) -> None:
    """Shuffle the deck and discard cards from it (R2.4)."""
    n = _START_DECK.size
    for i in range(n):
        g.deck[i] = _START_DECK[i]
    stack_up(g, g.deck, n, Shuffle.DECK, log)
    g.deck_size = n
    if g.players <= FEW_PLAYERS:
        discard_from_deck(g, DISCARDED_CARDS)


@kernel
def lay_out_stacks(g: State, log: np.ndarray) -> None:
    """Lay out the stacks of the expansion (X1 to X3)."""
    if has_module(g, Module.NEW_BUILDINGS):
        for i in range(N_NEW_BUILDINGS):  # face down, unlike the others
            g.new_buildings[i] = FIRST_NEW_BUILDING + i
        stack_up(g, g.new_buildings, N_NEW_BUILDINGS, Shuffle.NEW_BUILDINGS, log)
        g.n_new_buildings = N_NEW_BUILDINGS
    if has_module(g, Module.PRESTIGE):
        for tile in range(FIRST_PRESTIGE, GREEN_SPACE):
            add(g.prestige, tile)
    if has_module(g, Module.GREEN_SPACES):
        g.green_stack = N_GREEN_SPACES
