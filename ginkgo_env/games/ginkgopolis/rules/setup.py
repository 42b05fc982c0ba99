"""Setup (R2.1 to R2.6, R9.1), draft (R2.7, X6) and opening (R2.8, R2.9, R9.2, X4.1)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add, clear, has, list_into, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit, emit_outcome
from ginkgo_env.core.kernels import stack_up
from ginkgo_env.core.rng import below, shuffle
from ginkgo_env.games.ginkgopolis.actions import DRAFT, EVENTS, allow, first
from ginkgo_env.games.ginkgopolis.components import (
    CHARACTER_ACTION,
    CHARACTER_COPIES,
    CHARACTER_GAIN,
    CHARACTER_START,
    EVENT_PAIRS,
    EVENTS_OF_EXPERT,
    SETS,
    TILE_NUMBER,
)
from ginkgo_env.games.ginkgopolis.constants import (
    ARCHITECT_TILES,
    DISCARDED_CARDS,
    DRAFT_PICKS,
    FEW_PLAYERS,
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_CARDS,
    N_CHARACTER_CARDS,
    N_CHARACTERS,
    N_EVENT_PAIRS,
    N_EVENTS,
    N_EXPERTS,
    N_GREEN_SPACES,
    N_NEW_BUILDINGS,
    N_SETS,
    N_START,
    N_TILES,
    NOBODY,
    NONE,
    PACKET_EXPERTS,
    PLAYER,
    REMOVED_FOR_MODULE,
    REMOVED_TILES,
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
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module, is_expert
from ginkgo_env.games.ginkgopolis.rules.cards import discard_from_deck, draw_hand
from ginkgo_env.games.ginkgopolis.rules.city import add_building
from ginkgo_env.games.ginkgopolis.rules.effects import gain_points, gain_resources
from ginkgo_env.games.ginkgopolis.rules.round import start_round
from ginkgo_env.games.ginkgopolis.rules.solo import draw_round
from ginkgo_env.games.ginkgopolis.rules.tiles import draw_tile
from ginkgo_env.games.ginkgopolis.state import State

# --- characters and experts: packets and picks, or introductory sets (R2.7, X6) ----------------------------------------------


_CHARACTER_CARDS = np.repeat(np.arange(N_CHARACTERS), CHARACTER_COPIES)
_FIRST_PACKET = 4  # R2.7


@kernel
def deal_packets(g: State, log: np.ndarray) -> None:
    """Deal packets of four characters (R2.7), with module 6 also of two experts (X6.1)."""
    items = _CHARACTER_CARDS.copy()
    shuffle(g, items, N_CHARACTER_CARDS)
    emit_outcome(log, Shuffle.CHARACTERS, items, N_CHARACTER_CARDS)
    for i in range(g.players * _FIRST_PACKET):
        g.packet[i // _FIRST_PACKET, items[i]] += 1
    if has_module(g, Module.EXPERTS):
        experts = np.arange(N_EXPERTS)
        shuffle(g, experts, N_EXPERTS)
        emit_outcome(log, Shuffle.EXPERTS, experts, N_EXPERTS)
        for i in range(g.players * PACKET_EXPERTS):
            add(g.packet_experts[i // PACKET_EXPERTS], experts[i])


@kernel
def deal_sets(g: State, log: np.ndarray) -> None:
    """Deal an introductory set to each player (R2.7)."""
    items = np.arange(N_SETS)
    shuffle(g, items, N_SETS)
    emit_outcome(log, Shuffle.SETS, items + 1, N_SETS)  # sets are numbered from 1
    for p in range(g.players):
        for i in range(SETS.shape[1]):
            g.characters[p, SETS[items[p], i]] += 1


@kernel
def draft_picks(g: State) -> int:
    """Return how many cards each player keeps (R2.7, X6.1)."""
    return DRAFT_PICKS + (1 if has_module(g, Module.EXPERTS) else 0)


@kernel
def legal_picks(g: State, mask: np.ndarray) -> int:
    """Allow each different character of the packet (R2.7) and each expert (X6.1)."""
    n = 0
    start = first(DRAFT)
    kept = 0
    for c in range(N_CHARACTERS):
        kept += int(g.characters[g.actor, c])
    for c in range(N_CHARACTERS):
        if g.packet[g.actor, c] > 0 and kept < DRAFT_PICKS:  # X6.1: no fourth character
            mask[start + c] = 1
            n += 1
    if EXPANSION and has_module(g, Module.EXPERTS) and g.expert[g.actor] == NONE:  # no second expert
        for e in range(N_EXPERTS):
            if has(g.packet_experts[g.actor], e):
                mask[start + N_CHARACTERS + e] = 1
                n += 1
    return n


@kernel
def keep_pick(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Keep a character or an expert of the packet."""
    pick = action - first(DRAFT)
    if pick < N_CHARACTERS:  # experts come after characters
        g.packet[p, pick] -= 1
        g.characters[p, pick] += 1
    else:
        remove(g.packet_experts[p], pick - N_CHARACTERS)
        g.expert[p] = pick - N_CHARACTERS
    next_picker(g, log)


@kernel
def next_picker(g: State, log: np.ndarray) -> None:
    """Let the next player pick; when all have picked, packets move to the left (R2.7)."""
    g.actor += 1
    if g.actor < g.players:
        return
    g.actor = 0
    g.pick += 1
    pass_packets(g.packet, int(g.players))
    if EXPANSION:
        pass_packets(g.packet_experts, int(g.players))
    if g.pick < draft_picks(g):
        return
    if EXPANSION and has_module(g, Module.EXPERTS):
        deal_random_experts(g, log)
    for seat in range(g.players):  # the rest goes back to the box
        for c in range(N_CHARACTERS):
            g.packet[seat, c] = 0
        clear(g.packet_experts[seat])
    g.stage = Stage.DEAL


@kernel
def pass_packets(packets: np.ndarray, players: int) -> None:
    """Move rows (P, n) one seat to the left, in place."""
    for c in range(packets.shape[1]):
        passed = packets[players - 1, c]
        for seat in range(players - 1, 0, -1):
            packets[seat, c] = packets[seat - 1, c]
        packets[0, c] = passed


@kernel
def deal_random_experts(g: State, log: np.ndarray) -> None:
    """Give a random expert to each player without one, out of those that nobody kept (X6.1)."""
    left = np.zeros(1, np.uint64)  # the experts that nobody kept
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


# --- up to the draft, or to the deal of start items --------------------------------------------------------------------------


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


# --- the opening: start items, event tiles, first player and hands -----------------------------------------------------------


@kernel
def deal(g: State, log: np.ndarray) -> None:
    """Deal start items in seat order (R2.8; alone R9.1), then event tiles (X4.1)."""
    g.pick = 0
    g.stage = Stage.DEAL_HANDS
    if g.solo:  # R9.1: no characters
        gain_resources(g, PLAYER, SOLO_START, log)
        gain_points(g, PLAYER, SOLO_START, log)
        draw_start_tiles(g, PLAYER, SOLO_START, log)
        g.resources[WILLIAM] = g.supply_resources[WILLIAM]  # all at hand
        g.supply_resources[WILLIAM] = 0
        return
    for p in range(g.players):
        take_start_items(g, p, log)
    if EXPANSION and has_module(g, Module.EVENTS) and not has_module(g, Module.EXPERTS):
        for p in range(g.players):  # one of each kind, of which two are kept
            g.events[p] = (1 << N_EVENTS) - 1
        g.stage = Stage.EVENTS
        g.actor = 0


@kernel
def take_start_items(g: State, p: int, log: np.ndarray) -> None:
    """Take what characters and expert bring, at the start and as bonuses (R1.6, R2.8, X6)."""
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
        tiles += ARCHITECT_TILES  # X6.4
    draw_start_tiles(g, p, tiles, log)
    if has_module(g, Module.EVENTS) and has_module(g, Module.EXPERTS):
        g.events[p] = EVENTS_OF_EXPERT[g.expert[p]]  # X4.1: nobody chooses


@kernel
def draw_start_tiles(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Draw tiles of value I at the start (X0.3)."""
    for _ in range(n):  # the supply cannot run out here
        add(g.tiles[p], draw_tile(g, p, log))


# --- event tiles (X4.1) ------------------------------------------------------------------------------------------------------


@kernel
def legal_event_pairs(g: State, mask: np.ndarray) -> int:
    """Allow each pair of the four event tiles (X4.1)."""
    return allow(mask, first(EVENTS), N_EVENT_PAIRS)


@kernel
def keep_events(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Keep two of the four event tiles; the others leave the game unseen (X4.1)."""
    g.events[p] = EVENT_PAIRS[action - first(EVENTS)]
    g.actor += 1
    if g.actor == g.players:
        g.stage = Stage.DEAL_HANDS


# --- hands -------------------------------------------------------------------------------------------------------------------


@kernel
def deal_hands(g: State, log: np.ndarray) -> None:
    """Pick the first player and deal hands (R2.9; alone R9.2)."""
    if g.solo:
        g.first = PLAYER
        draw_round(g, log)
    else:
        g.first = below(g, int(g.players))
        emit(log, Event.OUTCOME, Shuffle.FIRST_PLAYER, 1, 0)
        emit(log, Event.ITEM, g.first, 0, 0)
        for i in range(g.players):  # in turn order, a whole hand at a time
            draw_hand(g, (g.first + i) % g.players, int(g.hand_size), 0, log)
    start_round(g, log)
