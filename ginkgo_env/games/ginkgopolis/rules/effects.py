"""What cards bring: gains and payments (R2.5, R8.1), parks (X3), and the three actions (R4 to R6, X6)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.ginkgopolis.components import HAS_CARD, TILE_COLOR, TILE_NUMBER, is_letter
from ginkgo_env.games.ginkgopolis.constants import (
    CONTROLLER_POINTS,
    GREEN_SPACE,
    MAX_BUILDINGS,
    N_DIRECTIONS,
    NONE,
    PARK_POINTS,
    WILLIAM,
    Action,
    Ending,
    Event,
    Expert,
    Item,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, is_expert
from ginkgo_env.games.ginkgopolis.rules.city import release, replace_token
from ginkgo_env.games.ginkgopolis.state import State

# --- gains and payments of resources and success points ----------------------------------------------------------------------


@kernel
def gain_resources(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Gain resources out of the own supply (R2.5)."""
    got = min(n, int(g.supply_resources[p]))  # what is missing there is lost
    if got > 0:
        g.supply_resources[p] -= got
        g.resources[p] += got
        emit(log, Event.GAIN, p, Item.RESOURCE, got)


@kernel
def gain_points(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Gain success points."""
    if n > 0:
        g.points[p] += n
        emit(log, Event.GAIN, p, Item.POINT, n)


@kernel
def gain(g: State, p: int, item: int, n: int, log: np.ndarray) -> None:
    """Gain n items of one kind (R1.4)."""
    if item == Item.RESOURCE:
        gain_resources(g, p, n, log)
    elif item == Item.TILE:
        g.draws += n  # R4.3: drawn together after the bonuses
    else:
        gain_points(g, p, n, log)


@kernel
def trigger_end(g: State, reason: int, log: np.ndarray) -> None:
    """Trigger the end of the game (R8.1)."""
    if g.ending == Ending.NONE:  # the first reason in time is the one reported
        g.ending = reason
        emit(log, Event.ENDING, reason, 0, 0)


@kernel
def place_resources(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Put resources from behind the screen on a building."""
    g.resources[p] -= n
    if g.resources[p] == 0 and g.supply_resources[p] == 0:  # R8.1, R9.5: all are on buildings
        trigger_end(g, Ending.WILLIAM if g.solo and p == WILLIAM else Ending.RESOURCES, log)


@kernel
def pay_points(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Pay success points (R5.2)."""
    if n > 0:
        g.points[p] -= n
        emit(log, Event.PAY, p, Item.POINT, n)


@kernel
def pay_resources(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Pay resources to the own supply (R5.2)."""
    if n > 0:
        g.resources[p] -= n
        g.supply_resources[p] += n
        emit(log, Event.PAY, p, Item.RESOURCE, n)


# --- parks: connected green spaces -------------------------------------------------------------------------------------------


@kernel
def find_parks(g: State, without: int, park: np.ndarray) -> int:
    """Number the parks (X3.2) in the order of their first tiles; return how many there are.

    Writes the park of each slot into park (slots,), NONE for buildings. The slot `without` counts as a building.
    """
    stack = np.empty(MAX_BUILDINGS, np.int64)
    for s in range(g.n_buildings):
        park[s] = NONE
    n = 0  # flood fill from each green space not reached yet
    for start in range(g.n_buildings):
        if g.top[start] != GREEN_SPACE or park[start] != NONE or start == without:
            continue
        park[start] = n
        stack[0] = start
        waiting = 1
        while waiting > 0:
            waiting -= 1
            s = stack[waiting]
            for d in range(N_DIRECTIONS):
                other = int(g.adjacent[s, d])
                if other != NONE and other != without and g.top[other] == GREEN_SPACE and park[other] == NONE:
                    park[other] = n
                    stack[waiting] = other
                    waiting += 1
        n += 1
    return n


@kernel
def gain_for_parks(g: State, p: int, slot: int, log: np.ndarray) -> None:
    """Gain SP for urbanizing beside parks (X3.2)."""
    beside = False
    for d in range(N_DIRECTIONS):
        other = int(g.adjacent[slot, d])
        beside = beside or (other != NONE and g.top[other] == GREEN_SPACE)
    if not beside:  # nearly always: parks need not be searched
        return
    park = np.empty(MAX_BUILDINGS, np.int64)
    size = np.zeros(MAX_BUILDINGS, np.int64)
    find_parks(g, slot, park)  # X3.2: parks as they were before the new tile
    for s in range(g.n_buildings):
        if park[s] != NONE:
            size[park[s]] += 1
    for d in range(N_DIRECTIONS):
        other = int(g.adjacent[slot, d])
        if other != NONE and park[other] != NONE and size[park[other]] > 0:
            n = size[park[other]]
            size[park[other]] = 0  # X3.2: a park touched on several sides pays once
            emit(log, Event.PARK, p, n, PARK_POINTS * n)
            gain_points(g, p, PARK_POINTS * n, log)


# --- the three actions of a card that is being resolved ----------------------------------------------------------------------


@kernel
def operate(g: State, p: int, slot: int, log: np.ndarray) -> None:
    """Gain the native item of a building once for each floor (R4.2, R6.4)."""
    if EXPANSION and not HAS_CARD[g.top[slot]]:  # X2, X3.1: prestige buildings and green spaces yield nothing
        return
    emit(log, Event.OPERATE, p, g.top[slot], g.floors[slot])
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
        emit(log, Event.BUY, p, missing, 0)


# --- construct (R5) ------------------------------------------------------------------------------------------------------------


@kernel
def stack_tile(g: State, p: int, slot: int, tile: int, lower: int, log: np.ndarray) -> None:
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
    emit(log, Event.PLACE, p, tile, g.floors[slot])
    place_resources(g, p, int(g.floors[slot]), log)  # R5.3


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
    stack_tile(g, p, slot, tile, lower, log)
    gain_bonus(g, p, Action.CONSTRUCT, log)  # R5.5: without the card just played
    g.stage = Stage.DRAW


# --- urbanize (R6) -------------------------------------------------------------------------------------------------------------


@kernel
def lay_tile(g: State, p: int, letter: int, tile: int, lower: int, log: np.ndarray) -> None:
    """Put up a new building in place of a token (R6.1); the token is placed next (R6.2)."""
    slot = replace_token(g, letter, tile, p)
    if EXPANSION:
        lay_under(g, p, slot, lower)
        buy_missing(g, p, int(g.floors[slot]), log)
    g.pawn[slot] = HAS_CARD[tile]  # none for prestige tiles (X2) and green spaces (X3.1)
    emit(log, Event.PLACE, p, tile, g.floors[slot])
    place_resources(g, p, int(g.floors[slot]), log)
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
