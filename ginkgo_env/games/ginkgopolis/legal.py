"""Legal actions of the decision that the game stands at."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, count, lowest
from ginkgo_env.core.jit import kernel
from ginkgo_env.games.ginkgopolis.actions import (
    CHOICES,
    COMMIT,
    DONE,
    DRAFT,
    N_ACTIONS,
    NEW_HAND,
    RETURN,
    TAKE,
    TAKE_RESOURCE,
    TAKE_TILE,
    TOKEN,
)
from ginkgo_env.games.ginkgopolis.city import is_free
from ginkgo_env.games.ginkgopolis.constants import N_CHARACTERS, N_DIRECTIONS, WORDS, Side, Stage
from ginkgo_env.games.ginkgopolis.effects import can_pay


@kernel
def legal_one(g: Any, mask: np.ndarray) -> int:
    """Write the mask (A,) int8 of the actor's legal actions, 1 = legal; return how many there are."""
    for a in range(N_ACTIONS):
        mask[a] = 0
    if g.stage == Stage.COMMIT:
        return legal_commits(g, mask)
    if g.stage == Stage.TAKE:
        return legal_takes(g, mask)
    if g.stage == Stage.TOKEN:
        return legal_tokens(g, mask)
    if g.stage == Stage.RETURN:
        return legal_returns(g, mask)
    if g.stage == Stage.DRAFT:
        return legal_picks(g, mask)
    return 0


@kernel
def legal_commits(g: Any, mask: np.ndarray) -> int:
    """Any card, alone or with any tile (R3.3); a New Hand (R3.2)."""
    p = int(g.actor)
    cards = count(g.hand[p])
    if cards == 0:
        return 0
    n = cards
    for k in range(cards):
        mask[COMMIT + k * CHOICES] = 1
    if g.strict:
        n += legal_payable(g, mask)
    else:
        for w in range(WORDS):
            rest = g.tiles[p, w]
            while rest != ZERO:
                first = COMMIT + 1 + (w << 6) + lowest(rest)
                rest &= rest - ONE
                for k in range(cards):
                    mask[first + k * CHOICES] = 1
                n += cards
    if g.new_hands[p] > 0:
        mask[NEW_HAND] = 1
        n += 1
    return n


@kernel
def legal_payable(g: Any, mask: np.ndarray) -> int:
    """Only cards with tiles that could be paid now (R3.3, strict)."""
    p = int(g.actor)
    n = 0
    k = 0
    for w in range(WORDS):
        cards = g.hand[p, w]
        while cards != ZERO:
            card = (w << 6) + lowest(cards)
            cards &= cards - ONE
            for v in range(WORDS):
                tiles = g.tiles[p, v]
                while tiles != ZERO:
                    tile = (v << 6) + lowest(tiles)
                    tiles &= tiles - ONE
                    if can_pay(g, p, card, tile):
                        mask[COMMIT + k * CHOICES + 1 + tile] = 1
                        n += 1
            k += 1
    return n


@kernel
def legal_takes(g: Any, mask: np.ndarray) -> int:
    """What the supply still holds (R4.1)."""
    n = 0
    if g.supply_resources[g.player] > 0:
        mask[TAKE + TAKE_RESOURCE] = 1
        n += 1
    if g.supply_size > 0:
        mask[TAKE + TAKE_TILE] = 1
        n += 1
    return n


@kernel
def legal_tokens(g: Any, mask: np.ndarray) -> int:
    """An empty cell beside the new tile (R6.2); without one the two places on the edge (R6.3)."""
    n = 0
    for side in range(N_DIRECTIONS):
        if is_free(g, int(g.building), side):
            mask[TOKEN + side] = 1
            n += 1
    if n > 0:
        return n
    mask[TOKEN + Side.AFTER] = 1
    mask[TOKEN + Side.BEFORE] = 1
    return 2


@kernel
def legal_returns(g: Any, mask: np.ndarray) -> int:
    """Tiles above those already set aside, or done (R7.1)."""
    p = int(g.actor)
    mask[RETURN + DONE] = 1
    n = 1
    for w in range(WORDS - 1, -1, -1):
        rest = g.tiles[p, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if not above(g.aside[p], tile):
                mask[RETURN + tile] = 1
                n += 1
    return n


@kernel
def above(words: np.ndarray, i: int) -> bool:
    """Whether the set holds a number above i."""
    w = i >> 6
    if words[w] >> np.uint64(i & 63) > ONE:
        return True
    for v in range(w + 1, WORDS):  # noqa: SIM110 -- compiled
        if words[v] != ZERO:
            return True
    return False


@kernel
def legal_picks(g: Any, mask: np.ndarray) -> int:
    """Each different character of the packet (R2.7)."""
    n = 0
    for c in range(N_CHARACTERS):
        if g.packet[g.actor, c] > 0:
            mask[DRAFT + c] = 1
            n += 1
    return n
