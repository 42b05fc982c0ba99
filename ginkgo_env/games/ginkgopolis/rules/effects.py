"""The three actions of a card that is being resolved (R4 to R6, X6)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.games.ginkgopolis.constants import (
    CONTROLLER_POINTS,
    GREEN_SPACE,
    N_DIRECTIONS,
    NONE,
    Action,
    Ending,
    Expert,
    Log,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, is_expert
from ginkgo_env.games.ginkgopolis.rules.city import release, replace_token
from ginkgo_env.games.ginkgopolis.rules.gains import gain, gain_points, pay_points, pay_resources, place_resources
from ginkgo_env.games.ginkgopolis.rules.parks import gain_for_parks
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import HAS_CARD, TILE_COLOR, TILE_NUMBER, is_letter


@kernel
def operate(g: State, p: int, slot: int, log: np.ndarray) -> None:
    """Gain the native item of a building once for each floor (R4.2, R6.4)."""
    if EXPANSION and not HAS_CARD[g.top[slot]]:  # X2, X3.1: prestige buildings and green spaces yield nothing
        return
    emit(log, Log.OPERATE, p, g.top[slot], g.floors[slot])
    gain(g, p, TILE_COLOR[g.top[slot]], int(g.floors[slot]), log)


@kernel
def gain_bonus(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Gain all own bonuses of an action (R4.3, R5.5, R6.5)."""
    for item in range(g.bonus.shape[2]):
        gain(g, p, item, int(g.bonus[p, action, item]), log)


# --- costs (R5.2, R5.7) --------------------------------------------------------------------------------------------------------


@kernel
def points_due(g: State, p: int, tile: int, covered: int) -> int:
    """Return the SP due for a lower number (R5.2)."""
    # X6.2: the artist pays none.
    return 0 if is_expert(g, p, Expert.ARTIST) else max(0, TILE_NUMBER[covered] - TILE_NUMBER[tile])


@kernel
def resource_due(g: State, p: int, tile: int, covered: int) -> int:
    """Return the resources due for another color (R5.2)."""
    # X6.2: the mayor pays none.
    return 1 if TILE_COLOR[tile] != TILE_COLOR[covered] and not is_expert(g, p, Expert.MAYOR) else 0


@kernel
def can_pay(g: State, p: int, card: int, tile: int, lower: int) -> bool:
    """Whether a card with a tile, and `lower` under it or NONE, could be paid now (R5.7, X6.3)."""
    points, color, place, have = 0, 0, 1, int(g.resources[p])
    if not is_letter(card):
        slot = int(g.slot[card])
        floors = int(g.floors[slot])
        if g.owner[slot] == p:  # own resources come back first (R5.1)
            have += floors
        place += floors
        points, color = points_due(g, p, tile, card), resource_due(g, p, tile, card)
    if lower != NONE:  # X6.4: one floor more
        place += 1
    missing = place + color - have
    if is_expert(g, p, Expert.BANKER) and missing > 0:  # X6.3: the resource for the color can be bought back
        return missing <= g.supply_resources[p] + color and g.points[p] >= points + missing
    return g.points[p] >= points and missing <= 0


@kernel
def buy_missing(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Buy what a banker lacks of the n resources to place (X6.3)."""
    missing = n - int(g.resources[p])
    if missing > 0 and is_expert(g, p, Expert.BANKER):
        g.supply_resources[p] -= missing
        g.resources[p] += missing
        g.points[p] -= missing
        emit(log, Log.BUY, p, missing, 0)


# --- construct (R5) ------------------------------------------------------------------------------------------------------------


@kernel
def stack_tile(g: State, p: int, slot: int, tile: int, lower: int, reason: int, log: np.ndarray) -> None:
    """Put a tile on a building, with pawn and resources (R5.2 to R5.4); `lower` under it or NONE."""
    add(g.buried, g.top[slot])  # R10.1: everybody saw it
    g.slot[g.top[slot]] = NONE
    g.slot[tile] = slot
    g.top[slot] = tile
    g.floors[slot] += 1
    g.owner[slot] = p
    if EXPANSION:
        lay_under(g, p, slot, lower)
        buy_missing(g, p, int(g.floors[slot]), log)
    g.pawn[slot] = HAS_CARD[tile]  # R5.4; none for prestige tiles (X2)
    emit(log, Log.PLACE, p, tile, g.floors[slot])
    place_resources(g, p, int(g.floors[slot]), reason, log)  # R5.3


@kernel
def lay_under(g: State, p: int, slot: int, lower: int) -> None:
    """Put the architect's second tile under the first, hidden for good (X6.4)."""
    if lower == NONE:
        return
    g.floors[slot] += 1
    add(g.lower_tiles[p], lower)
    if lower == GREEN_SPACE:
        g.green_lower[p] += 1


@kernel
def construct(g: State, p: int, card: int, tile: int, lower: int, log: np.ndarray) -> None:
    """Construct a floor (R5.1 to R5.5); the card stays committed until it is put away (R5.6)."""
    slot = int(g.slot[card])
    release(g, slot, p, log)  # R5.1
    pay_points(g, p, points_due(g, p, tile, card), log)  # R5.2: a building card has the color and number of its top tile
    pay_resources(g, p, resource_due(g, p, tile, card), log)
    stack_tile(g, p, slot, tile, lower, Ending.RESOURCES, log)
    gain_bonus(g, p, Action.CONSTRUCT, log)  # R5.5: without the card just played
    g.stage = Stage.DRAW


# --- urbanize (R6) -------------------------------------------------------------------------------------------------------------


@kernel
def lay_tile(g: State, p: int, letter: int, tile: int, lower: int, reason: int, log: np.ndarray) -> None:
    """Put up a new building in place of a token (R6.1); the token is placed next (R6.2)."""
    slot = replace_token(g, letter, tile, p)
    if EXPANSION:
        lay_under(g, p, slot, lower)
        buy_missing(g, p, int(g.floors[slot]), log)
    g.pawn[slot] = HAS_CARD[tile]  # none for prestige tiles (X2) and green spaces (X3.1)
    emit(log, Log.PLACE, p, tile, g.floors[slot])
    place_resources(g, p, int(g.floors[slot]), reason, log)
    g.stage = Stage.TOKEN


@kernel
def operate_neighbors(g: State, p: int, slot: int, log: np.ndarray) -> None:
    """Let the neighbors of a new building work (R6.4), then gain urbanize bonuses (R6.5)."""
    for d in range(N_DIRECTIONS):
        if g.adjacent[slot, d] != NONE:
            operate(g, p, int(g.adjacent[slot, d]), log)
    if EXPANSION:
        gain_for_parks(g, p, slot, log)  # X7.1: paid with R6.4
        if is_expert(g, p, Expert.CONTROLLER) and joins_color(g, slot):
            gain_points(g, p, CONTROLLER_POINTS, log)
    gain_bonus(g, p, Action.URBANIZE, log)
    g.stage = Stage.DRAW


@kernel
def joins_color(g: State, slot: int) -> bool:
    """Whether a new building lies beside one of its color (X6, controller)."""
    for d in range(N_DIRECTIONS):
        other = int(g.adjacent[slot, d])
        if other != NONE and g.top[slot] != GREEN_SPACE and TILE_COLOR[g.top[other]] == TILE_COLOR[g.top[slot]]:
            return True
    return False


# --- exploit (R4) --------------------------------------------------------------------------------------------------------------


@kernel
def exploit(g: State, p: int, card: int, log: np.ndarray) -> None:
    """Exploit a card (R4): an urbanization card asks what to take first (R4.1)."""
    if is_letter(card):
        g.stage = Stage.TAKE
        return
    operate(g, p, int(g.slot[card]), log)
    finish_exploit(g, p, log)


@kernel
def finish_exploit(g: State, p: int, log: np.ndarray) -> None:
    """Gain exploit bonuses (R4.3), then draw."""
    gain_bonus(g, p, Action.EXPLOIT, log)
    g.stage = Stage.DRAW
