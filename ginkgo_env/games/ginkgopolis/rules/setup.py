"""Setup (R2, R9.1): a fresh game from a template record and a seed, up to the first decision."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import add, clear, list_into, remove
from ginkgo_env.core.game import States
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.log import emit, emit_list
from ginkgo_env.core.rng import below, shuffle
from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig
from ginkgo_env.games.ginkgopolis.constants import (
    ARCHITECT_TILES,
    DISCARDED_CARDS,
    DRAFT_PICKS,
    FEW_PLAYERS,
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    HAND_SIZE,
    N_CARDS,
    N_CHARACTER_CARDS,
    N_CHARACTERS,
    N_EVENTS,
    N_EXPERTS,
    N_GREEN_SPACES,
    N_NEW_BUILDINGS,
    N_SETS,
    N_START,
    N_TILES,
    NEW_HANDS,
    NOBODY,
    NONE,
    PACKET_EXPERTS,
    PLAYER,
    REMOVED_FOR_MODULE,
    REMOVED_TILES,
    RESOURCES,
    SOLO_START,
    SQUARE,
    WILLIAM,
    Event,
    Expert,
    Item,
    Module,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import extended, has_module, is_expert, of_expansion
from ginkgo_env.games.ginkgopolis.rules.cards import discard_from_deck, draw_hand, stack_up
from ginkgo_env.games.ginkgopolis.rules.city import add_building
from ginkgo_env.games.ginkgopolis.rules.gains import gain_points, gain_resources
from ginkgo_env.games.ginkgopolis.rules.solo import draw_round
from ginkgo_env.games.ginkgopolis.rules.tiles import draw_tile
from ginkgo_env.games.ginkgopolis.state import EXPERTS_RECORD, RECORD
from ginkgo_env.games.ginkgopolis.tables import (
    CHARACTER_ACTION,
    CHARACTER_COPIES,
    CHARACTER_GAIN,
    CHARACTER_START,
    EVENT_PAIRS,
    EVENTS_OF_EXPERT,
    SETS,
    TILE_NUMBER,
    TOKEN_X,
    TOKEN_Y,
)

_START_TILES = np.flatnonzero(TILE_NUMBER[:N_TILES] <= SQUARE)  # R2.1
_OTHER_TILES = np.flatnonzero(TILE_NUMBER[:N_TILES] > SQUARE)
_START_DECK = np.concatenate([_START_TILES, np.arange(N_TILES, N_CARDS)])  # R2.4
_CHARACTER_CARDS = np.repeat(np.arange(N_CHARACTERS), CHARACTER_COPIES)
_FIRST_PACKET = 4  # R2.7
_NOT_THERE = ("actor", "first", "player", "building", "owner", "top", "adjacent", "card", "tile", "supply", "deck", "slot")
_NO_EXPANSION_THERE = ("timing", "expert", "event", "lower", "kept", "new_buildings")


def blank_state(config: GinkgopolisConfig) -> States:
    """The record that every game of a configuration starts from: nothing on the table yet. Shape (1,)."""
    states = np.zeros(1, EXPERTS_RECORD if config.modules else RECORD).view(np.recarray)
    g = states[0]
    solo = config.players == 1
    g["players"] = 2 if solo else config.players
    g["solo"], g["advanced"] = solo, config.level == "advanced"
    g["draft"], g["strict"] = config.setup == "draft" and not solo, config.strict
    g["max_rounds"] = config.max_rounds
    for name in (*_NOT_THERE, *_NO_EXPANSION_THERE):
        g[name] = NONE
    sides = int(g["players"])
    g["supply_resources"][:sides] = RESOURCES[config.players]
    g["new_hands"][:sides] = 0 if solo else NEW_HANDS
    g["token_x"], g["token_y"] = TOKEN_X, TOKEN_Y
    if config.modules:
        g["modules"] = [module.name.lower() in config.modules for module in Module]
        g["hand_size"] = config.hand_size
    return states


@kernel
def reset_one(g: Any, seed: np.uint64, log: np.ndarray) -> None:
    """Set up a blank record (R2.1 to R2.7). The game then stands at the draft, or before start items and deal."""
    g.seed = seed
    g.rng = seed
    lay_square(g, log)
    shuffle_tiles(g, log)
    shuffle_deck(g, log)
    if extended(g):
        lay_out_stacks(g, log)
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
    gone = REMOVED_TILES if g.players <= FEW_PLAYERS else 0
    for module in (Module.NEW_BUILDINGS, Module.PRESTIGE, Module.GREEN_SPACES):
        if has_module(g, module):
            gone += REMOVED_FOR_MODULE
    if gone > 0:
        remove_last_tiles(g, gone)


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


@of_expansion
def lay_out_stacks(g: Any, log: np.ndarray) -> None:
    """The stacks of the expansion: value II face down, value III and green spaces open (X1 to X3)."""
    if has_module(g, Module.NEW_BUILDINGS):
        for i in range(N_NEW_BUILDINGS):
            g.new_buildings[i] = FIRST_NEW_BUILDING + i
        stack_up(g, g.new_buildings, N_NEW_BUILDINGS, Shuffle.NEW_BUILDINGS, log)
        g.n_new_buildings[0] = N_NEW_BUILDINGS
    if has_module(g, Module.PRESTIGE):
        for tile in range(FIRST_PRESTIGE, GREEN_SPACE):
            add(g.prestige, tile)
    if has_module(g, Module.GREEN_SPACES):
        g.green_stack[0] = N_GREEN_SPACES


# --- characters and experts (R2.7, X6) -----------------------------------------------------------------------------------------


@kernel
def deal_packets(g: Any, log: np.ndarray) -> None:
    """R2.7, draft: four characters each, and two experts with that module."""
    items = _CHARACTER_CARDS.copy()
    shuffle(g, items, N_CHARACTER_CARDS)
    emit_list(log, Event.OUTCOME, Event.ITEM, Shuffle.CHARACTERS, items, N_CHARACTER_CARDS)
    for i in range(g.players * _FIRST_PACKET):
        g.packet[i // _FIRST_PACKET, items[i]] += 1
    if has_module(g, Module.EXPERTS):
        experts = np.arange(N_EXPERTS)
        shuffle(g, experts, N_EXPERTS)
        emit_list(log, Event.OUTCOME, Event.ITEM, Shuffle.EXPERTS, experts, N_EXPERTS)
        for i in range(g.players * PACKET_EXPERTS):
            add(g.packet_experts[i // PACKET_EXPERTS], experts[i])


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
def keep_pick(g: Any, p: int, pick: int, log: np.ndarray) -> None:
    """A draft pick: a character, or an expert, which come after them."""
    if pick < N_CHARACTERS:
        g.packet[p, pick] -= 1
        g.characters[p, pick] += 1
    else:
        remove(g.packet_experts[p], pick - N_CHARACTERS)
        g.expert[p] = pick - N_CHARACTERS
    next_picker(g, log)


@kernel
def draft_picks(g: Any) -> int:
    """How many cards everybody keeps."""
    return DRAFT_PICKS + (1 if has_module(g, Module.EXPERTS) else 0)


@kernel
def next_picker(g: Any, log: np.ndarray) -> None:
    """The packets move to the left when all have picked (R2.7)."""
    g.actor += 1
    if g.actor < g.players:
        return
    g.actor = 0
    g.pick += 1
    pass_packets(g.packet, int(g.players))
    if extended(g):
        pass_packets(g.packet_experts, int(g.players))
    if g.pick < draft_picks(g):
        return
    if has_module(g, Module.EXPERTS):
        deal_random_experts(g, log)
    for seat in range(g.players):
        for c in range(N_CHARACTERS):
            g.packet[seat, c] = 0
        if extended(g):
            clear(g.packet_experts[seat])
    g.stage = Stage.DEAL


@kernel
def pass_packets(packets: np.ndarray, players: int) -> None:
    """Rows (P, n) move one seat to the left."""
    for c in range(packets.shape[1]):
        passed = packets[players - 1, c]
        for seat in range(players - 1, 0, -1):
            packets[seat, c] = packets[seat - 1, c]
        packets[0, c] = passed


@of_expansion
def deal_random_experts(g: Any, log: np.ndarray) -> None:
    """Who found no expert in the last packet gets one of those that nobody kept (X6)."""
    left = np.zeros(1, np.uint64)
    for seat in range(g.players):
        left[0] |= g.packet_experts[seat, 0]
    for seat in range(g.players):
        if g.expert[seat] == NONE:
            candidates = np.empty(N_EXPERTS, np.int64)
            n = list_into(left, candidates)
            g.expert[seat] = candidates[below(g, n)]
            remove(left, g.expert[seat])
            emit(log, Event.OUTCOME, Shuffle.RANDOM_EXPERT, 1, seat)
            emit(log, Event.ITEM, g.expert[seat], 0, 0)


# --- start items and hands (R2.8, R2.9) ----------------------------------------------------------------------------------------


@kernel
def deal(g: Any, log: np.ndarray) -> None:
    """Start items in seat order, then event hands (R2.8, X4.1); alone R9.1."""
    g.pick = 0
    g.stage = Stage.DEAL_HANDS
    if g.solo:
        gain_resources(g, PLAYER, SOLO_START, log)
        gain_points(g, PLAYER, SOLO_START, log)
        draw_start_tiles(g, PLAYER, SOLO_START, log)
        g.resources[WILLIAM] = g.supply_resources[WILLIAM]  # all at hand
        g.supply_resources[WILLIAM] = 0
        return
    for p in range(g.players):
        take_start_items(g, p, log)
    if has_module(g, Module.EVENTS) and not has_module(g, Module.EXPERTS):
        for p in range(g.players):
            g.events[p] = (1 << N_EVENTS) - 1
        g.stage = Stage.EVENTS
        g.actor = 0


@kernel
def keep_events(g: Any, p: int, pair: int) -> None:
    """Two of the four event tiles; the others leave the game unseen (X4.1)."""
    g.events[p] = EVENT_PAIRS[pair]
    g.actor += 1
    if g.actor == g.players:
        g.stage = Stage.DEAL_HANDS


@kernel
def deal_hands(g: Any, log: np.ndarray) -> None:
    """First player and hands (R2.9; alone R9.2)."""
    if g.solo:
        g.first = PLAYER
        draw_round(g, log)
    else:
        g.first = below(g, int(g.players))
        emit(log, Event.OUTCOME, Shuffle.FIRST_PLAYER, 1, 0)
        emit(log, Event.ITEM, g.first, 0, 0)
        for i in range(g.players):
            draw_hand(g, (g.first + i) % g.players, hand_size(g), 0, log)
    start_round(g, log)


@kernel
def hand_size(g: Any) -> int:
    """Cards in a full hand (R2.9, X5)."""
    return g.hand_size[0] if extended(g) else HAND_SIZE


@kernel
def take_start_items(g: Any, p: int, log: np.ndarray) -> None:
    """What the characters and the expert bring at the start and from now on (R1.6, R2.8, X4.1, X6)."""
    tiles = 0
    for c in range(N_CHARACTERS):
        n = int(g.characters[p, c])
        if n > 0:
            gain_resources(g, p, n * CHARACTER_START[c, Item.RESOURCE], log)
            gain_points(g, p, n * CHARACTER_START[c, Item.POINT], log)
            tiles += n * CHARACTER_START[c, Item.TILE]
            for item in range(CHARACTER_GAIN.shape[1]):
                g.bonus[p, CHARACTER_ACTION[c], item] += n * CHARACTER_GAIN[c, item]
    if is_expert(g, p, Expert.ARCHITECT):
        tiles += ARCHITECT_TILES
    draw_start_tiles(g, p, tiles, log)
    if has_module(g, Module.EVENTS) and has_module(g, Module.EXPERTS):
        g.events[p] = EVENTS_OF_EXPERT[g.expert[p]]


@kernel
def draw_start_tiles(g: Any, p: int, n: int, log: np.ndarray) -> None:
    """Tiles of value I at the start; the supply cannot run out here."""
    for _ in range(n):
        add(g.tiles[p], draw_tile(g, p, log))


@kernel
def start_round(g: Any, log: np.ndarray) -> None:
    """The next round's choices begin (R3.1)."""
    g.rounds += 1
    g.cursor = 0
    g.stage = Stage.COMMIT
    emit(log, Event.ROUND, g.rounds, g.first, 0)
