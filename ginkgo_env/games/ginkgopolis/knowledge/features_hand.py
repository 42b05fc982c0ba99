"""Features of the own hand, card by card."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest
from ginkgo_env.core.compile.intrinsics import increment
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE, N_COLORS, N_TILES, NOBODY, NONE, NOWHERE, WORDS, Endgame
from ginkgo_env.games.ginkgopolis.knowledge.features_layout import HAND, HAND_IDS, FeatureBlock, HandFeature, HandId
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.scoring import card_points
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CARD_ACTION, CARD_ENDGAME, CARD_GAIN, TILE_COLOR, TILE_NUMBER, is_letter

_N_HAND, _N_IDS = len(HAND), len(HAND_IDS)


@kernel
def write_hand(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write blocks hand and hand_ids: the cards in the order that actions use."""
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
                write_building_card(g, seat, card, out[k:])
                out[ids + HandId.BONUS_ACTION] = CARD_ACTION[card] + 1
                out[ids + HandId.ENDGAME] = CARD_ENDGAME[card]
            k += _N_HAND
            ids += _N_IDS


@kernel
def write_letter(g: State, seat: int, letter: int, out: np.ndarray) -> None:
    """Write the features of an urbanization card: what would work beside its token (R6.4)."""
    out[HandFeature.LETTER] = 1
    if g.token_x[letter] == NOWHERE:  # in hand while it is being placed (R6.2)
        return
    x, y = int(g.token_x[letter]), int(g.token_y[letter])
    s = NONE
    while s < g.n_buildings - 1:
        s = increment(s)
        if abs(g.x[s] - x) + abs(g.y[s] - y) != 1 or (EXPANSION and g.top[s] == GREEN_SPACE):  # X3.1: yields nothing
            continue
        out[HandFeature.FLOORS_BESIDE_RED + TILE_COLOR[g.top[s]]] += g.floors[s]
        out[HandFeature.OWN_BESIDE] += g.owner[s] == seat


@kernel
def write_building_card(g: State, seat: int, card: int, out: np.ndarray) -> None:
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
        out[HandFeature.ENDGAME_POINTS] = card_points(g, seat, card)
