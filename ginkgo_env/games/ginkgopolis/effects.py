"""Gains, payments, draws and the three actions (R4 to R6) of a card that is being resolved."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import ZERO, add, clear, count, list_into, remove
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.log import emit, emit_list
from ginkgo_env.core.rng import shuffle
from ginkgo_env.games.ginkgopolis.city import release, replace_token
from ginkgo_env.games.ginkgopolis.constants import (
    DISCARDED_CARDS,
    FEW_PLAYERS,
    N_DIRECTIONS,
    N_TILES,
    NONE,
    WORDS,
    Action,
    Ending,
    Event,
    Item,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.tables import CARD_ACTION, CARD_GAIN, TILE_COLOR, TILE_NUMBER

# --- gains and payments ----------------------------------------------------------------------------------------------------


@kernel
def gain_resources(g: Any, p: int, n: int, log: np.ndarray) -> None:
    """Resources out of the own supply; what is missing there is lost (R2.5)."""
    got = min(n, int(g.supply_resources[p]))
    if got > 0:
        g.supply_resources[p] -= got
        g.resources[p] += got
        emit(log, Event.GAIN, p, Item.RESOURCE, got)


@kernel
def gain_points(g: Any, p: int, n: int, log: np.ndarray) -> None:
    """Success points."""
    if n > 0:
        g.points[p] += n
        emit(log, Event.GAIN, p, Item.POINT, n)


@kernel
def gain(g: Any, p: int, item: int, n: int, log: np.ndarray) -> None:
    """N items of one kind; tiles are only counted, and drawn together at the end of the action (R4.3)."""
    if item == Item.RESOURCE:
        gain_resources(g, p, n, log)
    elif item == Item.TILE:
        g.draws += n
    else:
        gain_points(g, p, n, log)


@kernel
def trigger_end(g: Any, reason: int, log: np.ndarray) -> None:
    """The end of the game is triggered; the first reason stays (R8.1)."""
    if g.ending == Ending.NONE:
        g.ending = reason
        emit(log, Event.ENDING, reason, 0, 0)


@kernel
def place_resources(g: Any, p: int, n: int, reason: int, log: np.ndarray) -> None:
    """Resources from behind the screen onto a building; the last one triggers the end (R8.1, R9.5)."""
    g.resources[p] -= n
    if g.resources[p] == 0 and g.supply_resources[p] == 0:
        trigger_end(g, reason, log)


# --- cards -----------------------------------------------------------------------------------------------------------------


@kernel
def rebuild_deck(g: Any, need: int, log: np.ndarray) -> None:
    """Reconstitute the deck (R3.6); `need` cards are still to be drawn in the draw under way."""
    for s in range(g.n_buildings):
        if g.pawn[s]:
            add(g.discard, g.top[s])
            g.pawn[s] = 0
    size = list_into(g.discard, g.deck)
    if size == 0:
        return
    clear(g.discard)
    stack_up(g, g.deck, size, Shuffle.DECK, log)
    g.deck_size = size
    if g.players <= FEW_PLAYERS:
        discard_from_deck(g, max(0, min(DISCARDED_CARDS, size - need)))


@kernel
def stack_up(g: Any, pile: np.ndarray, size: int, which: int, log: np.ndarray) -> None:
    """Shuffle a list and turn it over into a pile whose next item is the last: lists are drawn from index 0 (R11.3)."""
    shuffle(g, pile, size)
    emit_list(log, Event.OUTCOME, Event.ITEM, which, pile, size)
    for i in range(size // 2):
        kept = pile[i]
        pile[i] = pile[size - 1 - i]
        pile[size - 1 - i] = kept


@kernel
def pop_card(g: Any) -> int:
    """Take the next card off a deck that is not empty."""
    g.deck_size -= 1
    card = int(g.deck[g.deck_size])
    g.deck[g.deck_size] = NONE
    return card


@kernel
def discard_from_deck(g: Any, n: int) -> None:
    """The top n cards go to the discard pile, face up (R2.4)."""
    for _ in range(n):
        add(g.discard, pop_card(g))


@kernel
def draw_card(g: Any, more: int, log: np.ndarray) -> int:
    """The next card, or NONE if there is none at all; `more` cards are to be drawn after it in the same draw (R3.6)."""
    if g.deck_size == 0:
        rebuild_deck(g, more + 1, log)
        if g.deck_size == 0:
            return NONE
    card = pop_card(g)
    if g.deck_size == 0:
        rebuild_deck(g, more, log)
    return card


@kernel
def draw_hand(g: Any, p: int, n: int, later: int, log: np.ndarray) -> None:
    """A player draws n cards in one draw; `later` further cards belong to the same draw (alone: William's)."""
    for i in range(n):
        card = draw_card(g, n - 1 - i + later, log)
        if card != NONE:
            add(g.hand[p], card)


@kernel
def discard_hand(g: Any, p: int) -> None:
    """The whole hand goes to the discard pile."""
    for w in range(WORDS):
        g.discard[w] |= g.hand[p, w]
        g.hand[p, w] = ZERO


@kernel
def right_of(g: Any, p: int) -> int:
    """The right-hand neighbor, who passed cards to p (R3.5)."""
    return p - 1 if p > 0 else g.players - 1


@kernel
def new_hand(g: Any, p: int, log: np.ndarray) -> None:
    """Spend a New Hand token (R3.2); nobody knows any card of the new hand."""
    n = count(g.hand[p])
    g.new_hands[p] -= 1
    emit(log, Event.NEW_HAND, p, n, 0)
    discard_hand(g, p)
    clear(g.passed[right_of(g, p)])
    draw_hand(g, p, n, 0, log)


@kernel
def reveal(g: Any, p: int, log: np.ndarray) -> None:
    """The committed card and tile are shown (R3.4)."""
    emit(log, Event.REVEAL, p, g.card[p], g.tile[p])
    remove(g.passed[right_of(g, p)], g.card[p])


@kernel
def keep_card(g: Any, p: int, card: int, log: np.ndarray) -> None:
    """A building card stays in front of the screen (R5.6)."""
    add(g.tableau[p], card)
    emit(log, Event.KEEP_CARD, p, card, 0)


@kernel
def count_bonus(g: Any, p: int, card: int) -> None:
    """From now on a permanent bonus card brings its items (R1.5)."""
    action = CARD_ACTION[card]
    if action != NONE:
        for item in range(CARD_GAIN.shape[1]):
            g.bonus[p, action, item] += CARD_GAIN[card, item]


# --- tiles -----------------------------------------------------------------------------------------------------------------


@kernel
def draw_tile(g: Any, p: int, log: np.ndarray) -> int:
    """Take the next tile of a supply that is not empty; an emptied supply is counted (R7, R9.5)."""
    g.supply_size -= 1
    tile = int(g.supply[g.supply_size])
    g.supply[g.supply_size] = NONE
    emit(log, Event.DRAW, p, tile, 0)
    if g.supply_size == 0:
        g.exhaustions += 1
        emit(log, Event.EXHAUSTED, g.exhaustions, 0, 0)
        if g.exhaustions == 2 or g.solo:
            trigger_end(g, Ending.TILES, log)
    return tile


@kernel
def draw_tiles(g: Any, log: np.ndarray) -> None:
    """Draw what the action brought; the first exhaustion interrupts at once (R7.1), later draws give nothing (R7.3)."""
    while g.draws > 0:
        if g.supply_size == 0:
            g.draws = 0
            break
        add(g.tiles[g.player], draw_tile(g, int(g.player), log))
        g.draws -= 1
        if g.supply_size == 0 and g.exhaustions == 1 and not g.solo:
            g.stage = Stage.RETURN
            g.returner = 0
            return
    g.stage = Stage.FINISH


@kernel
def return_tiles(g: Any, log: np.ndarray) -> None:
    """All have chosen: SP for the tiles set aside, which are shuffled and become the supply (R7.1, R7.2)."""
    clear(g.returned)
    for p in range(g.players):
        n = count(g.aside[p])
        if n > 0:
            emit(log, Event.GIVE_BACK, p, n, 0)
            gain_points(g, p, n, log)
        for w in range(WORDS):
            g.returned[w] |= g.aside[p, w]
            g.known_tiles[p, w] &= ~g.aside[p, w]
            g.aside[p, w] = ZERO
    g.supply_size = list_into(g.returned, g.supply)
    g.stage = Stage.DRAW
    if g.supply_size == 0:
        g.exhaustions = 2
        emit(log, Event.EXHAUSTED, 2, 0, 0)
        trigger_end(g, Ending.TILES, log)
    else:
        stack_up(g, g.supply, int(g.supply_size), Shuffle.RETURNED_TILES, log)


# --- actions ---------------------------------------------------------------------------------------------------------------


@kernel
def operate(g: Any, p: int, slot: int, log: np.ndarray) -> None:
    """A building gives its native item once for each floor (R4.2, R6.4)."""
    emit(log, Event.OPERATE, p, g.top[slot], g.floors[slot])
    gain(g, p, TILE_COLOR[g.top[slot]], int(g.floors[slot]), log)


@kernel
def gain_bonus(g: Any, p: int, action: int, log: np.ndarray) -> None:
    """All own bonuses of an action (R4.3, R5.5, R6.5)."""
    for item in range(g.bonus.shape[2]):
        gain(g, p, item, int(g.bonus[p, action, item]), log)


@kernel
def points_due(tile: int, covered: int) -> int:
    """SP for building a lower number (R5.2)."""
    return max(0, TILE_NUMBER[covered] - TILE_NUMBER[tile])


@kernel
def resource_due(tile: int, covered: int) -> int:
    """Resources for changing the color (R5.2)."""
    return 1 if TILE_COLOR[tile] != TILE_COLOR[covered] else 0


@kernel
def can_pay(g: Any, p: int, card: int, tile: int) -> bool:
    """R5.7: whether card and tile could be paid now; own resources on the building count."""
    if card >= N_TILES:
        return g.resources[p] >= 1
    slot = int(g.slot[card])
    floors = int(g.floors[slot])
    have = int(g.resources[p])
    if g.owner[slot] == p:
        have += floors
    return g.points[p] >= points_due(tile, card) and have >= floors + 1 + resource_due(tile, card)


@kernel
def stack_tile(g: Any, p: int, slot: int, tile: int, reason: int, log: np.ndarray) -> None:
    """The tile goes on top, with pawn and one resource for each floor (R5.2 to R5.4); costs are paid elsewhere."""
    add(g.buried, g.top[slot])
    g.slot[g.top[slot]] = NONE
    g.slot[tile] = slot
    g.top[slot] = tile
    g.floors[slot] += 1
    g.owner[slot] = p
    g.pawn[slot] = 1
    emit(log, Event.PLACE, p, tile, g.floors[slot])
    place_resources(g, p, int(g.floors[slot]), reason, log)


@kernel
def construct(g: Any, p: int, card: int, tile: int, log: np.ndarray) -> None:
    """R5.1 to R5.5. The card stays committed until it is put away (R5.6)."""
    slot = int(g.slot[card])
    release(g, slot, p, log)
    points, resources = points_due(tile, card), resource_due(tile, card)
    if points > 0:
        g.points[p] -= points
        emit(log, Event.PAY, p, Item.POINT, points)
    if resources > 0:
        g.resources[p] -= resources
        g.supply_resources[p] += resources
        emit(log, Event.PAY, p, Item.RESOURCE, resources)
    stack_tile(g, p, slot, tile, Ending.RESOURCES, log)
    gain_bonus(g, p, Action.CONSTRUCT, log)
    g.stage = Stage.DRAW


@kernel
def lay_tile(g: Any, p: int, letter: int, tile: int, reason: int, log: np.ndarray) -> None:
    """R6.1: the tile replaces the token, with one resource and a pawn; then the token is to be placed (R6.2)."""
    replace_token(g, letter, tile, p)
    emit(log, Event.PLACE, p, tile, 1)
    place_resources(g, p, 1, reason, log)
    g.stage = Stage.TOKEN


@kernel
def operate_neighbors(g: Any, p: int, slot: int, log: np.ndarray) -> None:
    """R6.4 and R6.5: every building beside the new one is operated, then urbanize bonuses."""
    for d in range(N_DIRECTIONS):
        if g.adjacent[slot, d] != NONE:
            operate(g, p, int(g.adjacent[slot, d]), log)
    gain_bonus(g, p, Action.URBANIZE, log)
    g.stage = Stage.DRAW


@kernel
def exploit(g: Any, p: int, card: int, log: np.ndarray) -> None:
    """R4: a card by itself. An urbanization card asks what to take first."""
    if card >= N_TILES:
        g.stage = Stage.TAKE
        return
    operate(g, p, int(g.slot[card]), log)
    finish_exploit(g, p, log)


@kernel
def finish_exploit(g: Any, p: int, log: np.ndarray) -> None:
    """R4.3: every own exploit bonus."""
    gain_bonus(g, p, Action.EXPLOIT, log)
    g.stage = Stage.DRAW
