"""Setup (R2, R9.1): a fresh game from a template record and a seed, up to the first decision."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import add
from ginkgo_env.core.game import States
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.log import emit, emit_list
from ginkgo_env.core.rng import below, shuffle
from ginkgo_env.games.ginkgopolis.city import add_building
from ginkgo_env.games.ginkgopolis.constants import (
    DISCARDED_CARDS,
    DRAFT_PICKS,
    FEW_PLAYERS,
    HAND_SIZE,
    N_CARDS,
    N_CHARACTER_CARDS,
    N_CHARACTERS,
    N_SETS,
    N_START,
    N_TILES,
    NEW_HANDS,
    NOBODY,
    NONE,
    PLAYER,
    REMOVED_TILES,
    RESOURCES,
    SOLO_START,
    SQUARE,
    WILLIAM,
    Event,
    Item,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.effects import discard_from_deck, draw_hand, draw_tile, gain_points, gain_resources, stack_up
from ginkgo_env.games.ginkgopolis.solo import draw_round
from ginkgo_env.games.ginkgopolis.state import RECORD, STATE
from ginkgo_env.games.ginkgopolis.tables import (
    CHARACTER_ACTION,
    CHARACTER_COPIES,
    CHARACTER_GAIN,
    CHARACTER_START,
    SETS,
    TILE_NUMBER,
    TOKEN_X,
    TOKEN_Y,
)

_START_TILES = np.flatnonzero(TILE_NUMBER <= SQUARE)  # R2.1
_OTHER_TILES = np.flatnonzero(TILE_NUMBER > SQUARE)
_START_DECK = np.concatenate([_START_TILES, np.arange(N_TILES, N_CARDS)])  # R2.4
_CHARACTER_CARDS = np.repeat(np.arange(N_CHARACTERS), CHARACTER_COPIES)
_FIRST_PACKET = 4  # R2.7


def blank_state(*, players: int, draft: bool, advanced: bool, strict: bool, max_rounds: int) -> States:
    """The record that every game of a configuration starts from: nothing on the table yet. Shape (1,)."""
    states = np.zeros(1, STATE)
    g = states[0]
    solo = players == 1
    g["players"] = 2 if solo else players
    g["solo"], g["advanced"], g["draft"], g["strict"] = solo, solo and advanced, draft and not solo, strict
    g["max_rounds"] = max_rounds
    for name in ("actor", "first", "player", "building", "owner", "top", "adjacent", "card", "tile", "supply", "deck", "slot"):
        g[name] = NONE
    sides = int(g["players"])
    g["supply_resources"][:sides] = RESOURCES[players]
    g["new_hands"][:sides] = 0 if solo else NEW_HANDS
    g["token_x"], g["token_y"] = TOKEN_X, TOKEN_Y
    return states.view(RECORD).view(np.recarray)


@kernel
def reset_one(g: Any, seed: np.uint64, log: np.ndarray) -> None:
    """Set up a blank record (R2.1 to R2.7). The game then stands at the draft, or before start items and deal."""
    g.seed = seed
    g.rng = seed
    lay_square(g, log)
    shuffle_tiles(g, log)
    shuffle_deck(g, log)
    if g.solo:
        g.stage = Stage.DEAL
    elif g.draft:
        deal_packets(g, log)
        g.stage = Stage.DRAFT
        g.actor = 0
    else:
        deal_sets(g, log)
        g.stage = Stage.DEAL


@kernel
def lay_square(g: Any, log: np.ndarray) -> None:
    """R2.1."""
    items = _START_TILES.copy()
    shuffle(g, items, N_START)
    emit_list(log, Event.OUTCOME, Event.ITEM, Shuffle.START_TILES, items, N_START)
    for i in range(N_START):
        add_building(g, i % SQUARE, i // SQUARE, items[i], NOBODY, 0)


@kernel
def shuffle_tiles(g: Any, log: np.ndarray) -> None:
    """R2.3; the tiles removed are the last ones of the shuffled list (R11.3)."""
    n = _OTHER_TILES.size
    for i in range(n):
        g.supply[i] = _OTHER_TILES[i]
    stack_up(g, g.supply, n, Shuffle.TILES, log)
    g.supply_size = n
    if g.players <= FEW_PLAYERS:
        remove_last_tiles(g, REMOVED_TILES)


@kernel
def remove_last_tiles(g: Any, n: int) -> None:
    """The tiles that would be drawn last leave the game unseen."""
    for i in range(n):
        add(g.removed, g.supply[i])
    g.supply_size -= n
    for i in range(g.supply_size):
        g.supply[i] = g.supply[i + n]
    for i in range(n):
        g.supply[g.supply_size + i] = NONE


@kernel
def shuffle_deck(g: Any, log: np.ndarray) -> None:
    """R2.4."""
    n = _START_DECK.size
    for i in range(n):
        g.deck[i] = _START_DECK[i]
    stack_up(g, g.deck, n, Shuffle.DECK, log)
    g.deck_size = n
    if g.players <= FEW_PLAYERS:
        discard_from_deck(g, DISCARDED_CARDS)


@kernel
def deal_packets(g: Any, log: np.ndarray) -> None:
    """R2.7, draft: four characters each."""
    items = _CHARACTER_CARDS.copy()
    shuffle(g, items, N_CHARACTER_CARDS)
    emit_list(log, Event.OUTCOME, Event.ITEM, Shuffle.CHARACTERS, items, N_CHARACTER_CARDS)
    for i in range(g.players * _FIRST_PACKET):
        g.packet[i // _FIRST_PACKET, items[i]] += 1


@kernel
def deal_sets(g: Any, log: np.ndarray) -> None:
    """R2.7, introductory: a set each."""
    items = np.arange(N_SETS)
    shuffle(g, items, N_SETS)
    emit_list(log, Event.OUTCOME, Event.ITEM, Shuffle.SETS, items + 1, N_SETS)
    for p in range(g.players):
        for i in range(SETS.shape[1]):
            g.characters[p, SETS[items[p], i]] += 1


@kernel
def keep_character(g: Any, p: int, character: int) -> None:
    """A draft pick; the packets move to the left when all have picked (R2.7)."""
    g.packet[p, character] -= 1
    g.characters[p, character] += 1
    g.actor = p + 1
    if g.actor < g.players:
        return
    g.actor = 0
    g.pick += 1
    last = int(g.players) - 1
    for c in range(N_CHARACTERS):
        passed = g.packet[last, c]
        for seat in range(last, 0, -1):
            g.packet[seat, c] = g.packet[seat - 1, c]
        g.packet[0, c] = passed
    if g.pick == DRAFT_PICKS:
        for seat in range(g.players):
            for c in range(N_CHARACTERS):
                g.packet[seat, c] = 0
        g.stage = Stage.DEAL


@kernel
def deal(g: Any, log: np.ndarray) -> None:
    """Start items in seat order, first player, hands (R2.8, R2.9; alone R9.1, R9.2)."""
    g.pick = 0
    if g.solo:
        gain_resources(g, PLAYER, SOLO_START, log)
        gain_points(g, PLAYER, SOLO_START, log)
        draw_start_tiles(g, PLAYER, SOLO_START, log)
        g.resources[WILLIAM] = g.supply_resources[WILLIAM]  # all at hand
        g.supply_resources[WILLIAM] = 0
        g.first = PLAYER
        draw_round(g, log)
    else:
        for p in range(g.players):
            take_start_items(g, p, log)
        g.first = below(g, int(g.players))
        emit(log, Event.OUTCOME, Shuffle.FIRST_PLAYER, 1, 0)
        emit(log, Event.ITEM, g.first, 0, 0)
        for i in range(g.players):
            draw_hand(g, (g.first + i) % g.players, HAND_SIZE, 0, log)
    start_round(g, log)


@kernel
def take_start_items(g: Any, p: int, log: np.ndarray) -> None:
    """What the characters bring at the start and from now on (R1.6, R2.8)."""
    tiles = 0
    for c in range(N_CHARACTERS):
        n = int(g.characters[p, c])
        if n > 0:
            gain_resources(g, p, n * CHARACTER_START[c, Item.RESOURCE], log)
            gain_points(g, p, n * CHARACTER_START[c, Item.POINT], log)
            tiles += n * CHARACTER_START[c, Item.TILE]
            for item in range(CHARACTER_GAIN.shape[1]):
                g.bonus[p, CHARACTER_ACTION[c], item] += n * CHARACTER_GAIN[c, item]
    draw_start_tiles(g, p, tiles, log)


@kernel
def draw_start_tiles(g: Any, p: int, n: int, log: np.ndarray) -> None:
    """Tiles at the start; the supply cannot run out here."""
    for _ in range(n):
        add(g.tiles[p], draw_tile(g, p, log))


@kernel
def start_round(g: Any, log: np.ndarray) -> None:
    """The next round's choices begin (R3.1)."""
    g.rounds += 1
    g.cursor = 0
    g.stage = Stage.COMMIT
    emit(log, Event.ROUND, g.rounds, g.first, 0)
