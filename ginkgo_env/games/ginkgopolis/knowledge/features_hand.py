"""Features of the own hand, card by card."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest
from ginkgo_env.core.compile.intrinsics import equal_bits
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE, N_COLORS, N_TILES, NOBODY, NONE, NOWHERE, WORDS, Endgame
from ginkgo_env.games.ginkgopolis.knowledge.features_layout import HAND, HAND_IDS, FeatureBlock, HandFeature, HandId
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.scoring import LAST_SHIFT, LAST_SLOTS, card_points
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CARD_ACTION, CARD_ENDGAME, CARD_GAIN, TILE_COLOR, TILE_NUMBER, is_letter

_N_HAND, _N_IDS = len(HAND), len(HAND_IDS)


@kernel(inline=True)
def write_hand(g: State, seat: int, facts: np.ndarray, out: np.ndarray, at: np.ndarray) -> None:
    """Write blocks hand and hand_ids: the cards in the order that actions use; facts are the seat's."""
    k, ids = at[FeatureBlock.HAND], at[FeatureBlock.HAND_IDS]
    for w in range(WORDS):
        rest = g.hand[seat, w]
        while rest != ZERO:
            card = (w << 6) + lowest(rest)
            rest &= rest - ONE
            out[k + HandFeature.CARD] = 1
            out[ids + HandId.CARD] = card + 1  # 0: no card
            if is_letter(card):
                write_letter(g, seat, card - N_TILES, out[k:])
            else:
                write_building_card(g, seat, card, facts, out[k:])
                out[ids + HandId.BONUS_ACTION] = CARD_ACTION[card] + 1
                out[ids + HandId.ENDGAME] = CARD_ENDGAME[card]
            k += _N_HAND
            ids += _N_IDS


@kernel(inline=True)
def write_letter(g: State, seat: int, letter: int, out: np.ndarray) -> None:
    """Write the features of an urbanization card: what would work beside its token (R6.4)."""
    out[HandFeature.LETTER] = 1
    if g.token_x[letter] == NOWHERE:  # in hand while it is being placed (R6.2)
        return
    for w in range(WORDS if EXPANSION else 1):
        rest = slots_beside(g, int(g.token_x[letter]), int(g.token_y[letter]), w)
        while rest != ZERO:
            s = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if EXPANSION and g.top[s] == GREEN_SPACE:  # X3.1: yields nothing
                continue
            out[HandFeature.FLOORS_BESIDE_RED + TILE_COLOR[g.top[s]]] += g.floors[s]
            out[HandFeature.OWN_BESIDE] += g.owner[s] == seat


@kernel(inline=True)
def slots_beside(g: State, x: int, y: int, w: int) -> np.uint64:
    """Return the places in the city beside a cell, as word w of a set."""
    n = int(g.n_buildings) - (w << 6)
    if n <= 0:
        return ZERO
    start = LAST_SLOTS if w > 0 else 0
    beside = equal_bits(g.x, start, x) & (equal_bits(g.y, start, y - 1) | equal_bits(g.y, start, y + 1))
    beside |= equal_bits(g.y, start, y) & (equal_bits(g.x, start, x - 1) | equal_bits(g.x, start, x + 1))
    if w > 0:
        beside >>= LAST_SHIFT
    return beside & ~((~ZERO << ONE) << np.uint64(min(n, 64) - 1))  # a shift by 64 is undefined


@kernel(inline=True)
def write_building_card(g: State, seat: int, card: int, facts: np.ndarray, out: np.ndarray) -> None:
    """Write the features of a building card: its building (R4.2, R5) and its bonus (R1.5)."""
    s = int(g.slot[card])
    owner = int(g.owner[s])
    if owner == NOBODY:
        out[HandFeature.UNOWNED] = 1
    else:
        out[HandFeature.MINE if owner == seat else HandFeature.THEIRS] = 1
    out[HandFeature.RED + TILE_COLOR[card]] = 1
    out[HandFeature.NUMBER] = TILE_NUMBER[card]
    out[HandFeature.FLOORS] = g.floors[s]
    if CARD_ACTION[card] != NONE:
        out[HandFeature.BONUS_EXPLOIT + CARD_ACTION[card]] = 1
        for item in range(N_COLORS):
            out[HandFeature.BONUS_RESOURCE + item] = CARD_GAIN[card, item]
    if CARD_ENDGAME[card] != Endgame.NONE:  # R1.5: what it would count now
        out[HandFeature.ENDGAME] = 1
        out[HandFeature.ENDGAME_POINTS] = card_points(card, facts)
