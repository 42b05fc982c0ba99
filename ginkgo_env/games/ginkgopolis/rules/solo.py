"""William, the automated opponent of a single player (R9)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.ginkgopolis.components import DX, DY
from ginkgo_env.games.ginkgopolis.constants import (
    N_DIRECTIONS,
    N_TILES,
    NONE,
    PLAYER,
    SOLO_HAND_SIZE,
    WILLIAM,
    Action,
    Ending,
    Event,
    Stage,
)
from ginkgo_env.games.ginkgopolis.rules.cards import draw_card, draw_hand
from ginkgo_env.games.ginkgopolis.rules.city import building_at, release
from ginkgo_env.games.ginkgopolis.rules.effects import gain_points, lay_tile, stack_tile, trigger_end
from ginkgo_env.games.ginkgopolis.rules.tiles import draw_tile
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def draw_round(g: State, log: np.ndarray) -> None:
    """Draw three cards for the player and one for William (R9.2)."""
    draw_hand(g, PLAYER, SOLO_HAND_SIZE, 1, log)  # R3.6: all four are one draw
    g.card[WILLIAM] = draw_card(g, 0, log)


@kernel
def items_beside(g: State, x: int, y: int) -> int:
    """Count the items that the buildings beside a cell yield (R9.3)."""
    n = 0
    for d in range(N_DIRECTIONS):
        slot = building_at(g, x + DX[d], y + DY[d])
        if slot != NONE:
            n += int(g.floors[slot])
    return n


@kernel
def items_at_token(g: State, letter: int) -> int:
    """Count the SP that an urbanization card would bring William (R9.4)."""
    return items_beside(g, int(g.token_x[letter]), int(g.token_y[letter]))


@kernel
def look_for_better_card(g: State, log: np.ndarray) -> None:
    """Draw a second card for William and use the better one (R9.4)."""
    first = int(g.card[WILLIAM])
    second = draw_card(g, 0, log)
    if second == NONE:
        return
    # A building card, or strictly more SP; a second urbanization card does not bring a third.
    better = second < N_TILES or items_at_token(g, second - N_TILES) > items_at_token(g, first - N_TILES)
    used = second if better else first
    add(g.discard, first if better else second)
    g.card[WILLIAM] = used
    emit(log, Event.REPLACED, first, second, used)


@kernel
def william_acts(g: State, log: np.ndarray) -> None:
    """Play William's turn (R9.3 to R9.5)."""
    if g.supply_size == 0 or g.card[WILLIAM] == NONE:  # R9.5: it skips its part, and its card is not revealed
        g.stage = Stage.PREPARE
        return
    g.player = WILLIAM
    emit(log, Event.REVEAL, WILLIAM, g.card[WILLIAM], NONE)
    if g.advanced and g.card[WILLIAM] >= N_TILES:
        look_for_better_card(g, log)
    card = int(g.card[WILLIAM])
    tile = draw_tile(g, WILLIAM, log)  # R9.4: after its card is settled
    have = int(g.resources[WILLIAM])
    if card >= N_TILES:
        g.action = Action.URBANIZE
        if have < 1:
            give_up(g, tile, log)
        else:
            lay_tile(g, WILLIAM, card - N_TILES, tile, NONE, log)
        return
    g.action = Action.CONSTRUCT
    slot = int(g.slot[card])
    if g.owner[slot] == WILLIAM:  # R9.3: what comes back to it counts
        have += int(g.floors[slot])
    if have < g.floors[slot] + 1:
        give_up(g, tile, log)
    else:
        release(g, slot, WILLIAM, log)
        stack_tile(g, WILLIAM, slot, tile, NONE, log)  # R9.3: without the costs of R5.2
        g.stage = Stage.FINISH


@kernel
def give_up(g: State, tile: int, log: np.ndarray) -> None:
    """End the game as William has too few resources (R9.5)."""
    add(g.removed, tile)  # the tile counts for nothing and leaves the game
    g.action = Action.EXPLOIT  # so that its card is discarded
    trigger_end(g, Ending.WILLIAM, log)
    g.stage = Stage.FINISH


@kernel
def score_neighbors(g: State, slot: int, log: np.ndarray) -> None:
    """Give William 1 SP for each item that the neighbors yield (R9.3)."""
    gain_points(g, WILLIAM, items_beside(g, int(g.x[slot]), int(g.y[slot])), log)
    g.stage = Stage.FINISH
