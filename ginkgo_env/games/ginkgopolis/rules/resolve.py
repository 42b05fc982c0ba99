"""The turns of players: cards are revealed and their actions carried out (R3.4, R4 to R6, X7.1)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, add, clear, has, list_into, lowest, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.core.kernels import stack_up
from ginkgo_env.games.ginkgopolis.actions import (
    RETURN,
    TAKE,
    TAKE_RESOURCE,
    TAKE_TILE,
    TOKEN,
    first,
    n_tiles,
    tile_at,
    tile_index,
)
from ginkgo_env.games.ginkgopolis.components import RANK, is_letter
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_DIRECTIONS,
    N_TILES,
    NOBODY,
    NONE,
    PLAYER,
    WILLIAM,
    WORDS,
    Action,
    Ending,
    Event,
    Expert,
    Item,
    Phase,
    Shuffle,
    Side,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, is_expert
from ginkgo_env.games.ginkgopolis.rules.cards import count_bonus, discard_hand, keep_card, reveal
from ginkgo_env.games.ginkgopolis.rules.city import is_free, place_token
from ginkgo_env.games.ginkgopolis.rules.effects import (
    can_pay,
    construct,
    exploit,
    finish_exploit,
    gain,
    gain_points,
    lay_tile,
    operate_neighbors,
    trigger_end,
)
from ginkgo_env.games.ginkgopolis.rules.events import show_event
from ginkgo_env.games.ginkgopolis.rules.round import in_turn_order
from ginkgo_env.games.ginkgopolis.rules.solo import score_neighbors
from ginkgo_env.games.ginkgopolis.rules.tiles import (
    count_tiles,
    forget_tiles,
    know_greens,
    put_behind,
    see_behind,
    see_played,
    take_from_behind,
)
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def begin_action(g: State, log: np.ndarray) -> None:
    """Reveal the card and tile of the next player in turn order and begin the action (R3.4)."""
    if g.cursor == g.players:
        g.stage = Stage.PREPARE
        return
    p = in_turn_order(g, int(g.cursor))
    if g.card[p] == NONE:  # R3.6: passed over when choosing
        g.cursor += 1
        if g.solo:
            g.stage = Stage.WILLIAM_ACTS
        return
    g.player = p
    reveal(g, p, log)
    if EXPANSION and g.lower[p] != NONE:
        emit(log, Event.SHOW_LOWER, p, 0, 0)
    if EXPANSION and g.event[p] != NONE:
        show_event(g, p, log)
    else:
        act(g, log)


@kernel
def act(g: State, log: np.ndarray) -> None:
    """Carry out the action of the card revealed (R3.4)."""
    p = int(g.player)
    card, tile, lower = int(g.card[p]), int(g.tile[p]), int(g.lower[p])
    g.tile[p], g.lower[p] = NONE, NONE
    g.action = Action.EXPLOIT
    if EXPANSION and g.timing != NONE:
        emit(log, Event.ACT, p, card, (1 if tile != NONE else 0) + (1 if lower != NONE else 0))
    if tile == NONE:
        exploit(g, p, card, log)
    elif not can_pay(g, p, card, tile, lower):  # R5.7: tiles go back, and the card is exploited
        emit(log, Event.FALLBACK, p, card, tile)
        put_behind(g, p, tile)
        see_behind(g, p, tile)
        if lower != NONE:
            put_behind(g, p, lower)  # X7.4: only the upper tile was shown
        exploit(g, p, card, log)
    else:
        see_played(g, p, tile)
        if lower != NONE:
            forget_tiles(g, p)  # X7.4: any known tile may be the lower one
        if is_letter(card):
            g.action = Action.URBANIZE
            lay_tile(g, p, card - N_TILES, tile, lower, log)
        else:
            g.action = Action.CONSTRUCT
            construct(g, p, card, tile, lower, log)


@kernel
def finish_action(g: State, log: np.ndarray) -> None:
    """Put the card away (R4.4, R5.6, R6.6); an event may follow (X4.2)."""
    p = int(g.player)
    card = int(g.card[p])
    if g.action == Action.CONSTRUCT:
        keep_card(g, p, card, log)
        if not (g.solo and p == WILLIAM):  # permanent bonuses never give William anything (R9.3)
            count_bonus(g, p, card)
    else:
        add(g.discard, card)
    g.card[p] = NONE
    if EXPANSION and g.event[p] != NONE:
        g.phase = Phase.AFTER
        g.stage = Stage.RUN_EVENT
    else:
        end_turn(g, log)


@kernel
def end_turn(g: State, log: np.ndarray) -> None:
    """End a turn and go on to the next player, or to William."""
    p = int(g.player)
    g.player = NOBODY
    g.action = Action.EXPLOIT
    if EXPANSION:
        g.phase = Phase.ACTION
        g.timing = NONE
        g.green_drawn = 0
    if not g.solo:
        g.cursor += 1
        g.stage = Stage.RESOLVE
    elif p == PLAYER:
        discard_hand(g, PLAYER)  # R9.2
        g.stage = Stage.WILLIAM_ACTS
    else:
        g.stage = Stage.PREPARE


# --- an urbanization card alone (R4.1) ---------------------------------------------------------------------------------------


@kernel
def taker(g: State) -> int:
    """Return the seat that decides about the action under way."""
    return PLAYER if g.solo else int(g.player)  # R9.3: the player places tokens for William


@kernel
def choose_take(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Take a resource or a tile for an urbanization card alone (R4.1)."""
    gain(g, p, Item.RESOURCE if action == first(TAKE) + TAKE_RESOURCE else Item.TILE, 1, log)
    finish_exploit(g, p, log)


@kernel
def skip_take(g: State, log: np.ndarray) -> None:
    """Go on where the supply holds nothing to take (R4.1)."""
    finish_exploit(g, int(g.player), log)


@kernel
def legal_takes(g: State, mask: np.ndarray) -> int:
    """Allow the items that the supply still holds (R4.1)."""
    n = 0
    if g.supply_resources[g.player] > 0:
        mask[first(TAKE) + TAKE_RESOURCE] = 1
        n += 1
    if g.supply_size > 0:  # X0.2: prestige tiles alone do not count
        mask[first(TAKE) + TAKE_TILE] = 1
        n += 1
    return n


# --- where the token goes (R6.2, R6.3) ---------------------------------------------------------------------------------------


@kernel
def legal_tokens(g: State, mask: np.ndarray) -> int:
    """Allow each empty cell beside the new tile (R6.2), or two places on the edge (R6.3)."""
    n = 0
    start = first(TOKEN)
    for side in range(N_DIRECTIONS):
        if is_free(g, int(g.building), side):
            mask[start + side] = 1
            n += 1
    if n > 0:
        return n
    mask[start + Side.AFTER] = 1  # R6.3: both, even where they lead to the same position
    mask[start + Side.BEFORE] = 1
    return 2


@kernel
def choose_token(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Place the token (R6.2, R6.3) and go on with the urbanization."""
    slot, letter = int(g.building), int(g.card[g.player]) - N_TILES
    place_token(g, letter, action - first(TOKEN), log)
    if g.solo and g.player == WILLIAM:
        score_neighbors(g, slot, log)  # R9.3
    else:
        operate_neighbors(g, int(g.player), slot, log)


# --- the first exhaustion of the supply: tiles given back become the new supply (R7.1, R7.2, X0.4) ---------------------------


@kernel
def returner(g: State) -> int:
    """Return the seat that sets tiles aside next, in turn order (R7.1)."""
    return in_turn_order(g, int(g.returner))


@kernel
def legal_returns(g: State, mask: np.ndarray) -> int:
    """Allow the tiles above those already set aside, and done (R7.1)."""
    p = int(g.actor)
    start = first(RETURN)
    mask[start + n_tiles()] = 1
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
            if RANK[tile] >= highest:  # ascending order; equal are only green spaces (X0.4)
                mask[start + tile_index(tile)] = 1
                n += 1
    return n


@kernel
def choose_return(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Set one tile aside, or finish (R7.1); tiles are returned once all have finished."""
    index = action - first(RETURN)
    if index != n_tiles():
        set_aside(g, p, tile_at(index))
        return
    g.returner += 1
    if g.returner == g.players:
        g.returner = 0
        return_tiles(g, log)


@kernel
def set_aside(g: State, p: int, tile: int) -> None:
    """Set a tile aside, to be returned when all have chosen (R7.1)."""
    take_from_behind(g, p, tile)
    add(g.aside[p], tile)
    if EXPANSION and tile == GREEN_SPACE:
        g.green_aside[p] += 1


@kernel
def return_tiles(g: State, log: np.ndarray) -> None:
    """Return the tiles set aside for SP and make the new supply (R7.1, R7.2, X0.4)."""
    clear(g.returned)
    for p in range(g.players):
        n = count_tiles(g.aside[p], int(g.green_aside[p]))
        if n > 0:
            emit(log, Event.GIVE_BACK, p, n, 0)
            gain_points(g, p, 2 * n if is_expert(g, p, Expert.ENGINEER) else n, log)  # X6.2
        if EXPANSION:
            know_greens(g, p, int(g.green_known[p]) - int(g.green_aside[p]))  # X7.4: they were shown
            g.green_stack += g.green_aside[p]
            g.green_aside[p] = 0
            remove(g.aside[p], GREEN_SPACE)
        for w in range(WORDS):
            g.returned[w] |= g.aside[p, w]
            g.known_tiles[p, w] &= ~g.aside[p, w]
            g.aside[p, w] = ZERO
    came_back = EXPANSION and return_special(g)
    g.supply_size = list_into(g.returned, g.supply)  # X0.4: base tiles only
    g.stage = Stage.DRAW
    if g.supply_size == 0:  # R7.2: this already is the second exhaustion
        g.exhaustions = 2
        emit(log, Event.EXHAUSTED, 2, 0, 0)
        trigger_end(g, Ending.TILES, log)
    else:
        stack_up(g, g.supply, int(g.supply_size), Shuffle.RETURNED_TILES, log)
    if came_back:  # X7.5: shuffled after the supply
        stack_up(g, g.new_buildings, int(g.n_new_buildings), Shuffle.NEW_BUILDINGS, log)


@kernel
def return_special(g: State) -> bool:
    """Put returned tiles of value II and III on their stacks (X0.4); return whether any was of value II."""
    for tile in range(FIRST_PRESTIGE, GREEN_SPACE):
        if has(g.returned, tile):
            remove(g.returned, tile)
            add(g.prestige, tile)
    stack = np.zeros(WORDS, np.uint64)
    came_back = False
    for i in range(g.n_new_buildings):
        add(stack, g.new_buildings[i])
    for tile in range(FIRST_NEW_BUILDING, FIRST_PRESTIGE):
        if has(g.returned, tile):
            remove(g.returned, tile)
            add(stack, tile)
            came_back = True
    if came_back:
        g.n_new_buildings = list_into(stack, g.new_buildings)
    return came_back
