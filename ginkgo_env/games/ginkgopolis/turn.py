"""The turn as a machine that runs from decision to decision (R3, R8.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, add, lowest, remove
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.games.ginkgopolis.actions import (
    ALONE,
    CHOICES,
    COMMIT,
    DONE,
    DRAFT,
    NEW_HAND,
    RETURN,
    TAKE,
    TAKE_RESOURCE,
    TOKEN,
)
from ginkgo_env.games.ginkgopolis.city import place_token
from ginkgo_env.games.ginkgopolis.constants import (
    N_TILES,
    NOBODY,
    NONE,
    PLAYER,
    WILLIAM,
    WORDS,
    Action,
    Ending,
    Event,
    Item,
    Stage,
)
from ginkgo_env.games.ginkgopolis.effects import (
    can_pay,
    construct,
    count_bonus,
    discard_hand,
    draw_hand,
    draw_tiles,
    exploit,
    finish_exploit,
    gain,
    keep_card,
    lay_tile,
    new_hand,
    operate_neighbors,
    return_tiles,
    reveal,
    trigger_end,
)
from ginkgo_env.games.ginkgopolis.legal import legal_one
from ginkgo_env.games.ginkgopolis.setup import deal, keep_character, start_round
from ginkgo_env.games.ginkgopolis.solo import draw_round, score_neighbors, william_acts


@kernel
def step_one(g: Any, action: int, mask: np.ndarray, log: np.ndarray) -> None:
    """Play a legal action and run on to the next decision with a choice; write that decision's mask."""
    apply_one(g, action, log)
    run_on(g, mask, log)


@kernel
def run_on(g: Any, mask: np.ndarray, log: np.ndarray) -> None:
    """Run to the next decision: one legal action is taken, none is skipped. The mask of a finished game is all zero."""
    while True:
        while g.stage > Stage.OVER:
            run_stage(g, log)
        choose_actor(g)
        n = legal_one(g, mask)
        if n > 1 or g.stage == Stage.OVER:
            return
        if n == 1:
            action = 0
            while mask[action] == 0:
                action += 1
            apply_one(g, action, log)
        else:
            skip(g, log)


@kernel
def run_stage(g: Any, log: np.ndarray) -> None:
    """One stage in which nobody decides."""
    if g.stage == Stage.RESOLVE:
        begin_action(g, log)
    elif g.stage == Stage.DRAW:
        draw_tiles(g, log)
    elif g.stage == Stage.FINISH:
        finish_action(g, log)
    elif g.stage == Stage.WILLIAM_ACTS:
        william_acts(g, log)
    elif g.stage == Stage.PREPARE:
        prepare_round(g, log)
    else:
        deal(g, log)


@kernel
def in_turn_order(g: Any, k: int) -> int:
    """The k-th seat in turn order, k below the number of players."""
    p = g.first + k
    return p - g.players if p >= g.players else p


@kernel
def choose_actor(g: Any) -> None:
    """Who takes the decision that the game stands at."""
    if g.stage == Stage.COMMIT:
        g.actor = in_turn_order(g, int(g.cursor))
    elif g.stage == Stage.RETURN:
        g.actor = in_turn_order(g, int(g.returner))
    elif g.stage == Stage.TAKE or g.stage == Stage.TOKEN:
        g.actor = PLAYER if g.solo else g.player
    elif g.stage == Stage.OVER:
        g.actor = NOBODY


@kernel
def apply_one(g: Any, action: int, log: np.ndarray) -> None:
    """The actor plays a legal action."""
    p = int(g.actor)
    if g.stage == Stage.COMMIT:
        if action == NEW_HAND:
            new_hand(g, p, log)
        else:
            commit(g, p, (action - COMMIT) // CHOICES, (action - COMMIT) % CHOICES)
    elif g.stage == Stage.TAKE:
        gain(g, p, Item.RESOURCE if action == TAKE + TAKE_RESOURCE else Item.TILE, 1, log)
        finish_exploit(g, p, log)
    elif g.stage == Stage.TOKEN:
        place(g, action - TOKEN, log)
    elif g.stage == Stage.RETURN:
        set_aside(g, p, action - RETURN, log)
    else:
        keep_character(g, p, action - DRAFT)


@kernel
def skip(g: Any, log: np.ndarray) -> None:
    """A decision without any legal action: a player without cards (R3.6), or nothing left to take (R4.1)."""
    if g.stage == Stage.COMMIT:
        next_chooser(g)
    else:
        finish_exploit(g, int(g.player), log)


# --- choosing (R3.1) -------------------------------------------------------------------------------------------------------


@kernel
def commit(g: Any, p: int, place: int, choice: int) -> None:
    """The card in the hand's place, alone or with a tile."""
    card = nth(g.hand[p], place)
    remove(g.hand[p], card)
    g.card[p] = card
    if choice != ALONE:
        g.tile[p] = choice - 1
        remove(g.tiles[p], choice - 1)
    next_chooser(g)


@kernel
def nth(words: np.ndarray, k: int) -> int:
    """The k-th number of a set, from 0."""
    for w in range(WORDS):
        rest = words[w]
        while rest != ZERO:
            if k == 0:
                return (w << 6) + lowest(rest)
            rest &= rest - ONE
            k -= 1
    return NONE


@kernel
def next_chooser(g: Any) -> None:
    """The next player chooses, or actions are resolved. Alone only the player chooses."""
    g.cursor += 1
    if g.cursor == g.players or g.solo:
        g.cursor = 0
        g.stage = Stage.RESOLVE


# --- resolving (R3.4) ------------------------------------------------------------------------------------------------------


@kernel
def begin_action(g: Any, log: np.ndarray) -> None:
    """The next player in turn order reveals card and tile and begins the action."""
    if g.cursor == g.players:
        g.stage = Stage.PREPARE
        return
    p = in_turn_order(g, int(g.cursor))
    card, tile = int(g.card[p]), int(g.tile[p])
    if card == NONE:
        g.cursor += 1
        if g.solo:
            g.stage = Stage.WILLIAM_ACTS
        return
    g.player = p
    reveal(g, p, log)
    g.tile[p] = NONE
    g.action = Action.EXPLOIT
    if tile == NONE:
        exploit(g, p, card, log)
    elif not can_pay(g, p, card, tile):
        emit(log, Event.FALLBACK, p, card, tile)
        add(g.tiles[p], tile)
        add(g.known_tiles[p], tile)
        exploit(g, p, card, log)
    else:
        remove(g.known_tiles[p], tile)
        if card >= N_TILES:
            g.action = Action.URBANIZE
            lay_tile(g, p, card - N_TILES, tile, Ending.RESOURCES, log)
        else:
            g.action = Action.CONSTRUCT
            construct(g, p, card, tile, log)


@kernel
def place(g: Any, side: int, log: np.ndarray) -> None:
    """The token is placed; then the urbanization goes on (R6.2 to R6.5, for William R9.3)."""
    slot, letter = int(g.building), int(g.card[g.player]) - N_TILES
    place_token(g, letter, side, log)
    if g.solo and g.player == WILLIAM:
        score_neighbors(g, slot, log)
    else:
        operate_neighbors(g, int(g.player), slot, log)


@kernel
def set_aside(g: Any, p: int, tile: int, log: np.ndarray) -> None:
    """R7.1, one tile at a time; the last one's "done" ends it."""
    if tile != DONE:
        remove(g.tiles[p], tile)
        add(g.aside[p], tile)
        return
    g.returner += 1
    if g.returner == g.players:
        g.returner = 0
        return_tiles(g, log)


@kernel
def finish_action(g: Any, log: np.ndarray) -> None:
    """The card becomes a bonus card or goes to the discard pile (R4.4, R5.6, R6.6); the next player is on."""
    p = int(g.player)
    card = int(g.card[p])
    if g.action == Action.CONSTRUCT:
        keep_card(g, p, card, log)
        if not (g.solo and p == WILLIAM):  # permanent bonuses never give William anything (R9.3)
            count_bonus(g, p, card)
    else:
        add(g.discard, card)
    g.card[p] = NONE
    g.player = NOBODY
    g.action = Action.EXPLOIT
    if not g.solo:
        g.cursor += 1
        g.stage = Stage.RESOLVE
    elif p == PLAYER:
        discard_hand(g, PLAYER)  # R9.2
        g.stage = Stage.WILLIAM_ACTS
    else:
        g.stage = Stage.PREPARE


# --- the next round (R3.5) -------------------------------------------------------------------------------------------------


@kernel
def prepare_round(g: Any, log: np.ndarray) -> None:
    """The end (R8.1, R8.4), or the next round."""
    g.cursor = 0
    if g.ending == Ending.NONE and g.rounds >= g.max_rounds:
        trigger_end(g, Ending.MAX_ROUNDS, log)
    if g.ending != Ending.NONE:
        g.stage = Stage.OVER
        return
    if g.solo:
        draw_round(g, log)
    else:
        pass_hands(g)
        g.first = in_turn_order(g, 1)
        for k in range(g.players):
            draw_hand(g, in_turn_order(g, k), 1, 0, log)
    start_round(g, log)


@kernel
def pass_hands(g: Any) -> None:
    """Each player takes the unused cards of the right-hand neighbor, who knows them from now on (R3.5, R10.3)."""
    last = int(g.players) - 1
    for w in range(WORDS):
        for p in range(g.players):
            g.passed[p, w] = g.hand[p, w]
        kept = g.hand[last, w]
        for p in range(last, 0, -1):
            g.hand[p, w] = g.hand[p - 1, w]
        g.hand[0, w] = kept
