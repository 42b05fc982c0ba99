"""From round to round, and the secret choices of a round (R3.1 to R3.5, R8.1, R8.4, X4 to X6)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, add, count, has, lowest, nth, remove
from ginkgo_env.core.compile.intrinsics import write_bits
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.ginkgopolis.actions import (
    ALONE,
    COMMIT,
    EVENT,
    KEEP,
    LOWER,
    NEW_HAND,
    NOTHING,
    allow,
    first,
    high_indices,
    low_indices,
    n_tiles,
    tile_at,
    tile_index,
)
from ginkgo_env.games.ginkgopolis.components import is_letter
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    N_EVENTS,
    NOBODY,
    NONE,
    WORDS,
    Ending,
    Event,
    EventTile,
    Expert,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module, is_expert
from ginkgo_env.games.ginkgopolis.rules.cards import draw_hand, new_hand
from ginkgo_env.games.ginkgopolis.rules.effects import can_pay, trigger_end
from ginkgo_env.games.ginkgopolis.rules.solo import draw_round
from ginkgo_env.games.ginkgopolis.rules.tiles import take_from_behind
from ginkgo_env.games.ginkgopolis.state import State

# --- from round to round -----------------------------------------------------------------------------------------------------


@kernel
def in_turn_order(g: State, k: int) -> int:
    """Return the k-th seat in turn order (R2.9), k below the number of players."""
    p = g.first + k
    return p - g.players if p >= g.players else p


@kernel
def start_round(g: State, log: np.ndarray) -> None:
    """Begin a round with its choices (R3.1)."""
    g.rounds += 1
    g.cursor = 0
    g.stage = Stage.COMMIT
    emit(log, Event.ROUND, g.rounds, g.first, 0)


@kernel
def prepare_round(g: State, log: np.ndarray) -> None:
    """End the game (R8.1, R8.4), or prepare the next round (R3.5)."""
    g.cursor = 0
    if g.ending == Ending.NONE and g.rounds >= g.max_rounds:  # R8.4: cut off
        trigger_end(g, Ending.MAX_ROUNDS, log)
    if g.ending != Ending.NONE:
        g.stage = Stage.OVER
        return
    if g.solo:
        draw_round(g, log)
    else:
        pass_hands(g)  # R3.5
        if EXPANSION and has_module(g, Module.KEEP_CARD):
            take_kept_cards(g)
        g.first = in_turn_order(g, 1)
        for k in range(g.players):  # the new first player first
            draw_hand(g, in_turn_order(g, k), 1, 0, log)
    start_round(g, log)


@kernel
def pass_hands(g: State) -> None:
    """Pass what is left of each hand to the left (R3.5)."""
    last = int(g.players) - 1
    for w in range(WORDS):
        for p in range(g.players):
            g.passed[p, w] = g.hand[p, w]  # R10.3: who passes cards knows them
        kept = g.hand[last, w]
        for p in range(last, 0, -1):
            g.hand[p, w] = g.hand[p - 1, w]
        g.hand[0, w] = kept


@kernel
def take_kept_cards(g: State) -> None:
    """Add kept cards to the hands that came from the right (X5.1)."""
    for p in range(g.players):
        if g.kept[p] != NONE:
            add(g.hand[p], g.kept[p])
            g.kept[p] = NONE


# --- choices: card and tile, second tile, event, card to keep ----------------------------------------------------------------


# --- card and tile -----------------------------------------------------------------------------------------------------------


@kernel
def chooser(g: State) -> int:
    """Return the seat that chooses a card next (R3.1)."""
    return in_turn_order(g, int(g.cursor))


@kernel
def is_free_choice(g: State) -> bool:
    """Whether every card may be committed alone or with every tile (R3.3)."""
    # A strict mask tests payment; green spaces go with urbanization cards only (X3.1).
    return g.strict == 0 and not (EXPANSION and has(g.tiles[g.actor], GREEN_SPACE))


@kernel
def count_commits(g: State) -> int:
    """Count the actions of a free choice, including a New Hand (R3.2)."""
    cards = count(g.hand[g.actor])
    return cards * (1 + count(g.tiles[g.actor])) + (1 if cards > 0 and g.new_hands[g.actor] > 0 else 0)


@kernel
def legal_commits(g: State, mask: np.ndarray) -> int:
    """Allow each card, alone or with a tile (R3.3), and a New Hand (R3.2)."""
    p = int(g.actor)
    cards = count(g.hand[p])
    if cards == 0:  # R3.6: passed over
        return 0
    n, choices = cards, 1 + n_tiles()
    if is_free_choice(g):
        low, high = low_indices(g.tiles[p, 0], g.tiles[p, 1]), high_indices(g.tiles[p, 1])
        for k in range(cards):  # R3.4: alone, to exploit, or with a tile; zeros go beyond the end
            write_bits(mask, first(COMMIT) + k * choices, low << ONE | ONE)
            if EXPANSION:
                write_bits(mask, first(COMMIT) + k * choices + 64, high << ONE | low >> np.uint64(63))
        n += cards * count(g.tiles[p])
    else:
        for k in range(cards):
            mask[first(COMMIT) + k * choices] = 1
        n += legal_pairs(g, mask)
    if g.new_hands[p] > 0:  # R3.2: also a second time in the same round
        mask[first(NEW_HAND)] = 1
        n += 1
    return n


@kernel
def legal_pairs(g: State, mask: np.ndarray) -> int:
    """Allow pairs of card and tile one by one: for green spaces (X3.1) and strict masks (R3.3)."""
    p = int(g.actor)
    n = 0
    start = first(COMMIT) + 1
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
                    if can_go(card, tile) and (g.strict == 0 or can_pay(g, p, card, tile, NONE)):
                        mask[start + tile_index(tile)] = 1
                        n += 1
            start += 1 + n_tiles()
    return n


@kernel
def can_go(card: int, tile: int) -> bool:
    """Whether a tile may be committed with a card: a green space cannot construct (X3.1)."""
    return tile != GREEN_SPACE or is_letter(card)


@kernel
def choose_card(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Take a New Hand, or commit a card from the hand, alone or with a tile (R3.1, R3.2)."""
    if action == first(NEW_HAND):
        new_hand(g, p, log)
        return  # R3.2: the player goes on choosing
    choices = 1 + n_tiles()
    place, choice = (action - first(COMMIT)) // choices, (action - first(COMMIT)) % choices
    card = nth(g.hand[p], place)
    remove(g.hand[p], card)
    g.card[p] = card
    if choice != ALONE:
        g.tile[p] = tile_at(choice - 1)
        take_from_behind(g, p, int(g.tile[p]))
    next_question(g, p)


@kernel
def skip_chooser(g: State, log: np.ndarray) -> None:
    """Pass over a player without cards (R3.6)."""
    next_chooser(g)


# --- the second tile of an architect (X6) ------------------------------------------------------------------------------------


@kernel
def legal_lowers(g: State, mask: np.ndarray) -> int:
    """Allow no second tile, or any tile left (X6.4)."""
    p = int(g.actor)
    start = first(LOWER)
    mask[start + NOTHING] = 1
    n = 1
    for w in range(WORDS):
        rest = g.tiles[p, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if g.strict == 0 or can_pay(g, p, int(g.card[p]), int(g.tile[p]), tile):  # X7.2: both together
                mask[start + 1 + tile_index(tile)] = 1
                n += 1
    return n


@kernel
def choose_lower(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Put the architect's second tile under the first, or none (X6.4)."""
    choice = action - first(LOWER)
    if choice != NOTHING:
        g.lower[p] = tile_at(choice - 1)
        take_from_behind(g, p, int(g.lower[p]))
    next_question(g, p)


# --- an event tile (X4.2) ----------------------------------------------------------------------------------------------------


@kernel
def legal_events(g: State, mask: np.ndarray) -> int:
    """Allow no event, or any event tile left (X4.2)."""
    p = int(g.actor)
    start = first(EVENT)
    mask[start + NOTHING] = 1
    n = 1
    for kind in range(N_EVENTS):
        if g.events[p] >> kind & 1 == 0:
            continue
        if kind == EventTile.EXPROPRIATION and not is_of_another(g, p, int(g.card[p])):  # X4.4
            continue
        mask[start + 1 + kind] = 1
        n += 1
    return n


@kernel
def is_of_another(g: State, p: int, card: int) -> bool:
    """Whether a card names a building that another player owns."""
    if is_letter(card):
        return False
    owner = g.owner[g.slot[card]]
    return owner != NOBODY and owner != p


@kernel
def choose_event(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Put an event tile on the card, or none (X4.2)."""
    choice = action - first(EVENT)
    if choice != NOTHING:
        g.event[p] = choice - 1
        g.events[p] &= ~(1 << g.event[p])
    next_question(g, p)


# --- a card to keep (X5) ------------------------------------------------------------------------------------------------------


@kernel
def legal_kept(g: State, mask: np.ndarray) -> int:
    """Allow each card left in the hand (X5.1)."""
    return allow(mask, first(KEEP), count(g.hand[g.actor]))


@kernel
def choose_kept(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Keep a card of the hand for the next round (X5.1)."""
    g.kept[p] = nth(g.hand[p], action - first(KEEP))
    remove(g.hand[p], g.kept[p])
    next_question(g, p)


# --- the next decision -------------------------------------------------------------------------------------------------------


@kernel
def next_question(g: State, p: int) -> None:
    """Go on with the next choice of the same player (X7.3), or with the next player."""
    if not EXPANSION:  # only a card is chosen
        next_chooser(g)
        return
    stage = int(g.stage)  # order of X7.3: card, lower tile, event, card to keep
    if stage == Stage.COMMIT and g.tile[p] != NONE and is_expert(g, p, Expert.ARCHITECT):
        g.stage = Stage.LOWER
    elif (stage == Stage.COMMIT or stage == Stage.LOWER) and g.events[p] != 0:
        g.stage = Stage.EVENT
    elif stage != Stage.KEEP and has_module(g, Module.KEEP_CARD) and count(g.hand[p]) > 0:  # X5.1: compulsory
        g.stage = Stage.KEEP
    else:
        g.stage = Stage.COMMIT
        next_chooser(g)


@kernel
def next_chooser(g: State) -> None:
    """Let the next player choose, or begin to resolve (R3.4)."""
    g.cursor += 1
    if g.cursor == g.players or g.solo:  # R9.2: William does not choose
        g.cursor = 0
        g.stage = Stage.RESOLVE
