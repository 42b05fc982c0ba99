"""Legal actions of the decision that the game stands at."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, count, has, lowest
from ginkgo_env.core.jit import kernel
from ginkgo_env.games.ginkgopolis.actions import (
    COMMIT,
    DRAFT,
    EVENT,
    EVENTS,
    KEEP,
    LOWER,
    NEW_HAND,
    NOTHING,
    PAY,
    RETURN,
    SPLIT,
    TAKE,
    TAKE_RESOURCE,
    TAKE_TILE,
    TIMING,
    TOKEN,
    first,
    n_actions,
    n_tiles,
    tile_index,
)
from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    GREEN_SPACE,
    N_CHARACTERS,
    N_DIRECTIONS,
    N_EVENT_PAIRS,
    N_EVENTS,
    N_EXPERTS,
    NOBODY,
    NONE,
    WORDS,
    EventTile,
    Module,
    Side,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.modules import extended, has_module, of_expansion
from ginkgo_env.games.ginkgopolis.rules.city import is_free
from ginkgo_env.games.ginkgopolis.rules.effects import can_pay
from ginkgo_env.games.ginkgopolis.rules.events import control_due
from ginkgo_env.games.ginkgopolis.rules.tiles import can_split
from ginkgo_env.games.ginkgopolis.tables import RANK, is_letter


@kernel
def legal_one(g: Any, mask: np.ndarray) -> int:
    """Write the mask (A,) int8 of the actor's legal actions, 1 = legal; return how many there are."""
    for a in range(n_actions(g)):
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
    return legal_more(g, mask) if extended(g) else 0


@kernel
def legal_commits(g: Any, mask: np.ndarray) -> int:
    """Any card, alone or with any tile (R3.3), green spaces only to urbanize (X3.1); a New Hand (R3.2)."""
    p = int(g.actor)
    cards = count(g.hand[p])
    if cards == 0:
        return 0
    n = cards
    choices = 1 + n_tiles(g)
    for k in range(cards):
        mask[first(g, COMMIT) + k * choices] = 1
    if g.strict or (extended(g) and has(g.tiles[p], GREEN_SPACE)):
        n += legal_pairs(g, mask)
    else:
        for w in range(WORDS):
            rest = g.tiles[p, w]
            while rest != ZERO:
                start = first(g, COMMIT) + 1 + tile_index(g, (w << 6) + lowest(rest))
                rest &= rest - ONE
                for k in range(cards):
                    mask[start + k * choices] = 1
                n += cards
    if g.new_hands[p] > 0:
        mask[first(g, NEW_HAND)] = 1
        n += 1
    return n


@kernel
def legal_pairs(g: Any, mask: np.ndarray) -> int:
    """Cards with tiles one by one: green spaces with letters only, and if strict what could be paid now (R3.3)."""
    p = int(g.actor)
    n = 0
    start = first(g, COMMIT) + 1
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
                    if can_go(g, card, tile) and (g.strict == 0 or can_pay(g, p, card, tile, NONE)):
                        mask[start + tile_index(g, tile)] = 1
                        n += 1
            start += 1 + n_tiles(g)
    return n


@kernel
def can_go(g: Any, card: int, tile: int) -> bool:
    """Whether a tile may be committed with a card: nothing is built of green spaces (X3.1)."""
    return not extended(g) or tile != GREEN_SPACE or is_letter(card)


@kernel
def legal_takes(g: Any, mask: np.ndarray) -> int:
    """What the supply still holds (R4.1)."""
    n = 0
    if g.supply_resources[g.player] > 0:
        mask[first(g, TAKE) + TAKE_RESOURCE] = 1
        n += 1
    if g.supply_size > 0:
        mask[first(g, TAKE) + TAKE_TILE] = 1
        n += 1
    return n


@kernel
def legal_tokens(g: Any, mask: np.ndarray) -> int:
    """An empty cell beside the new tile (R6.2); without one the two places on the edge (R6.3)."""
    n = 0
    start = first(g, TOKEN)
    for side in range(N_DIRECTIONS):
        if is_free(g, int(g.building), side):
            mask[start + side] = 1
            n += 1
    if n > 0:
        return n
    mask[start + Side.AFTER] = 1
    mask[start + Side.BEFORE] = 1
    return 2


@kernel
def legal_returns(g: Any, mask: np.ndarray) -> int:
    """Tiles above those already set aside, several green spaces one after the other, or done (R7.1, X0.4)."""
    p = int(g.actor)
    start = first(g, RETURN)
    mask[start + n_tiles(g)] = 1
    n = 1
    highest = NONE
    for w in range(WORDS):
        rest = g.aside[p, w]
        while rest != ZERO:
            highest = max(highest, RANK[(w << 6) + lowest(rest)])
            rest &= rest - ONE
    for w in range(WORDS):
        rest = g.tiles[p, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if RANK[tile] >= highest:
                mask[start + tile_index(g, tile)] = 1
                n += 1
    return n


@kernel
def legal_picks(g: Any, mask: np.ndarray) -> int:
    """Each different character of the packet (R2.7); three of them and one expert with that module (X6)."""
    n = 0
    start = first(g, DRAFT)
    kept = 0
    for c in range(N_CHARACTERS):
        kept += int(g.characters[g.actor, c])
    for c in range(N_CHARACTERS):
        if g.packet[g.actor, c] > 0 and kept < DRAFT_PICKS:
            mask[start + c] = 1
            n += 1
    if has_module(g, Module.EXPERTS) and g.expert[g.actor] == NONE:
        for e in range(N_EXPERTS):
            if has(g.packet_experts[g.actor], e):
                mask[start + N_CHARACTERS + e] = 1
                n += 1
    return n


# --- the expansion (X7.6) ------------------------------------------------------------------------------------------------------


@of_expansion
def legal_more(g: Any, mask: np.ndarray) -> int:
    """The decisions of the expansion."""
    if g.stage == Stage.LOWER:
        return legal_lowers(g, mask)
    if g.stage == Stage.EVENT:
        return legal_events(g, mask)
    if g.stage == Stage.KEEP:
        return allow(mask, first(g, KEEP), count(g.hand[g.actor]))
    if g.stage == Stage.TIMING:
        return allow(mask, first(g, TIMING), 1 + Timing.AFTER)
    if g.stage == Stage.SPLIT:
        return legal_splits(g, mask)
    if g.stage == Stage.PAY:
        return legal_pays(g, mask)
    if g.stage == Stage.EVENTS:
        return allow(mask, first(g, EVENTS), N_EVENT_PAIRS)
    return 0


@kernel
def allow(mask: np.ndarray, start: int, n: int) -> int:
    """N actions from start on are legal."""
    for a in range(start, start + n):
        mask[a] = 1
    return n


@kernel
def legal_lowers(g: Any, mask: np.ndarray) -> int:
    """No second tile, or any that is left (X6); if strict, only if both could be paid (X7.2)."""
    p = int(g.actor)
    start = first(g, LOWER)
    mask[start + NOTHING] = 1
    n = 1
    for w in range(WORDS):
        rest = g.tiles[p, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if g.strict == 0 or can_pay(g, p, int(g.card[p]), int(g.tile[p]), tile):
                mask[start + 1 + tile_index(g, tile)] = 1
                n += 1
    return n


@kernel
def legal_events(g: Any, mask: np.ndarray) -> int:
    """No event, or one that is left; expropriation only for a building of another player (X4.4)."""
    p = int(g.actor)
    start = first(g, EVENT)
    mask[start + NOTHING] = 1
    n = 1
    for kind in range(N_EVENTS):
        if g.events[p] >> kind & 1 == 0:
            continue
        if kind == EventTile.EXPROPRIATION and not is_of_another(g, p, int(g.card[p])):
            continue
        mask[start + 1 + kind] = 1
        n += 1
    return n


@kernel
def is_of_another(g: Any, p: int, card: int) -> bool:
    """Whether a card names a building of another player."""
    if is_letter(card):
        return False
    owner = g.owner[g.slot[card]]
    return owner != NOBODY and owner != p


@kernel
def legal_splits(g: Any, mask: np.ndarray) -> int:
    """What the rights that are left can be spent on, or done (X0.1)."""
    start = first(g, SPLIT)
    mask[start + Split.DONE] = 1
    n = 1
    for choice in range(Split.DONE):
        if can_split(g, choice):
            mask[start + choice] = 1
            n += 1
    return n


@kernel
def legal_pays(g: Any, mask: np.ndarray) -> int:
    """How many of what is due are resources, the rest being SP (X4.4)."""
    p = int(g.actor)
    due = control_due(g, p)
    n = 0
    for resources in range(max(0, due - int(g.points[p])), min(due, int(g.resources[p])) + 1):
        mask[first(g, PAY) + resources] = 1
        n += 1
    return n
