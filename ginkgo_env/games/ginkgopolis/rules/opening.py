"""The opening: start items, event tiles, first player and hands (R2.8, R2.9, R9.1, R9.2, X4.1)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.core.rng import below
from ginkgo_env.games.ginkgopolis.actions import EVENTS, allow, first
from ginkgo_env.games.ginkgopolis.constants import (
    ARCHITECT_TILES,
    N_CHARACTERS,
    N_EVENT_PAIRS,
    N_EVENTS,
    PLAYER,
    SOLO_START,
    WILLIAM,
    Expert,
    Item,
    Log,
    Module,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module, is_expert
from ginkgo_env.games.ginkgopolis.rules.cards import draw_hand
from ginkgo_env.games.ginkgopolis.rules.draws import draw_tile
from ginkgo_env.games.ginkgopolis.rules.gains import gain_points, gain_resources
from ginkgo_env.games.ginkgopolis.rules.round import start_round
from ginkgo_env.games.ginkgopolis.rules.solo import draw_round
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CHARACTER_ACTION, CHARACTER_GAIN, CHARACTER_START, EVENT_PAIRS, EVENTS_OF_EXPERT


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
        emit(log, Log.OUTCOME, Shuffle.FIRST_PLAYER, 1, 0)
        emit(log, Log.ITEM, g.first, 0, 0)
        for i in range(g.players):  # in turn order, a whole hand at a time
            draw_hand(g, (g.first + i) % g.players, int(g.hand_size), 0, log)
    start_round(g, log)
