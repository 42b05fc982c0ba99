"""The turn as a machine that runs from decision to decision (R3, R8.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, add, count, lowest, remove
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.games.ginkgopolis.actions import (
    ALONE,
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
    TIMING,
    TOKEN,
    first,
    n_tiles,
    tile_at,
)
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
    Expert,
    Item,
    Module,
    Phase,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import extended, has_module, is_expert, of_expansion
from ginkgo_env.games.ginkgopolis.rules.cards import count_bonus, discard_hand, draw_hand, keep_card, new_hand, reveal
from ginkgo_env.games.ginkgopolis.rules.city import place_token
from ginkgo_env.games.ginkgopolis.rules.effects import can_pay, construct, exploit, finish_exploit, lay_tile, operate_neighbors
from ginkgo_env.games.ginkgopolis.rules.events import choose_timing, end_event, pay_control, payer, run_event, show_event
from ginkgo_env.games.ginkgopolis.rules.gains import gain, trigger_end
from ginkgo_env.games.ginkgopolis.rules.legal import legal_one
from ginkgo_env.games.ginkgopolis.rules.setup import deal, deal_hands, keep_events, keep_pick, next_picker, start_round
from ginkgo_env.games.ginkgopolis.rules.solo import draw_round, score_neighbors, william_acts
from ginkgo_env.games.ginkgopolis.rules.tiles import (
    draw_tiles,
    forget_tiles,
    put_behind,
    return_tiles,
    see_behind,
    see_played,
    set_aside,
    split_draw,
    take_from_behind,
)
from ginkgo_env.games.ginkgopolis.tables import is_letter


@kernel
def step_one(g: Any, action: int, mask: np.ndarray, log: np.ndarray) -> None:
    """Play a legal action and run on to the next decision with a choice; write that decision's mask."""
    apply_one(g, action, log)
    run_on(g, mask, log)


@kernel
def run_on(g: Any, mask: np.ndarray, log: np.ndarray) -> None:
    """Run to the next decision: one legal action is taken, none is skipped. The mask of a finished game is all zero."""
    while True:
        while g.stage >= Stage.DEAL:
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
    elif g.stage == Stage.DEAL:
        deal(g, log)
    elif g.stage == Stage.DEAL_HANDS:
        deal_hands(g, log)
    elif extended(g):
        run_event_stage(g, log)


@of_expansion
def run_event_stage(g: Any, log: np.ndarray) -> None:
    """The stages that a turn with an event has besides (X7.1)."""
    if g.stage == Stage.RUN_EVENT:
        run_event(g, log)
    elif g.stage == Stage.END_EVENT:
        end_event(g)
    elif g.stage == Stage.ACT:
        act(g, log)
    else:
        end_turn(g)


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
    elif extended(g):
        if g.stage == Stage.TIMING or g.stage == Stage.SPLIT:
            g.actor = g.player
        elif g.stage == Stage.PAY:
            g.actor = payer(g)


@kernel
def apply_one(g: Any, action: int, log: np.ndarray) -> None:
    """The actor plays a legal action."""
    p = int(g.actor)
    if g.stage == Stage.COMMIT:
        if action == first(g, NEW_HAND):
            new_hand(g, p, log)
        else:
            choices = 1 + n_tiles(g)
            commit(g, p, (action - first(g, COMMIT)) // choices, (action - first(g, COMMIT)) % choices)
    elif g.stage == Stage.TAKE:
        gain(g, p, Item.RESOURCE if action == first(g, TAKE) + TAKE_RESOURCE else Item.TILE, 1, log)
        finish_exploit(g, p, log)
    elif g.stage == Stage.TOKEN:
        place(g, action - first(g, TOKEN), log)
    elif g.stage == Stage.RETURN:
        choose_return(g, p, action - first(g, RETURN), log)
    elif g.stage == Stage.DRAFT:
        keep_pick(g, p, action - first(g, DRAFT), log)
    elif extended(g):
        apply_more(g, p, action, log)


@of_expansion
def apply_more(g: Any, p: int, action: int, log: np.ndarray) -> None:
    """The decisions of the expansion."""
    if g.stage == Stage.LOWER:
        commit_lower(g, p, action - first(g, LOWER))
    elif g.stage == Stage.EVENT:
        commit_event(g, p, action - first(g, EVENT))
    elif g.stage == Stage.KEEP:
        g.kept[p] = nth(g.hand[p], action - first(g, KEEP))
        remove(g.hand[p], g.kept[p])
        next_question(g, p)
    elif g.stage == Stage.SPLIT:
        split_draw(g, action - first(g, SPLIT), log)
    elif g.stage == Stage.TIMING:
        choose_timing(g, action - first(g, TIMING))
    elif g.stage == Stage.PAY:
        pay_control(g, p, action - first(g, PAY), log)
    else:
        keep_events(g, p, action - first(g, EVENTS))


@kernel
def skip(g: Any, log: np.ndarray) -> None:
    """A decision without any legal action.

    A player without cards (R3.6), nothing left to take (R4.1), or no expert in the last packet (X6).
    """
    if g.stage == Stage.COMMIT:
        next_chooser(g)
    elif g.stage == Stage.DRAFT:
        next_picker(g, log)
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
        g.tile[p] = tile_at(g, choice - 1)
        take_from_behind(g, p, int(g.tile[p]))
    if extended(g):
        next_question(g, p)
    else:
        next_chooser(g)


@kernel
def commit_lower(g: Any, p: int, choice: int) -> None:
    """The architect's second tile under the first, or none (X6)."""
    if choice != NOTHING:
        g.lower[p] = tile_at(g, choice - 1)
        take_from_behind(g, p, int(g.lower[p]))
    next_question(g, p)


@kernel
def commit_event(g: Any, p: int, choice: int) -> None:
    """An event tile on the card, or none (X4.2)."""
    if choice != NOTHING:
        g.event[p] = choice - 1
        g.events[p] &= ~(1 << g.event[p])
    next_question(g, p)


@of_expansion
def next_question(g: Any, p: int) -> None:
    """What the player who has just committed is asked next (X7.3)."""
    asked = int(g.stage)
    if asked == Stage.COMMIT and g.tile[p] != NONE and is_expert(g, p, Expert.ARCHITECT):
        g.stage = Stage.LOWER
    elif (asked == Stage.COMMIT or asked == Stage.LOWER) and g.events[p] != 0:
        g.stage = Stage.EVENT
    elif asked != Stage.KEEP and has_module(g, Module.KEEP_CARD) and count(g.hand[p]) > 0:
        g.stage = Stage.KEEP
    else:
        g.stage = Stage.COMMIT
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
    if g.card[p] == NONE:
        g.cursor += 1
        if g.solo:
            g.stage = Stage.WILLIAM_ACTS
        return
    g.player = p
    reveal(g, p, log)
    if extended(g):
        if g.lower[p] != NONE:
            emit(log, Event.SHOW_LOWER, p, 0, 0)
        if g.event[p] != NONE:
            show_event(g, p, log)
            return
    act(g, log)


@kernel
def act(g: Any, log: np.ndarray) -> None:
    """The action of the card revealed; what cannot be paid goes back and the card is exploited (R5.7)."""
    p = int(g.player)
    card, tile, lower = int(g.card[p]), int(g.tile[p]), NONE
    g.tile[p] = NONE
    g.action = Action.EXPLOIT
    if extended(g):
        lower = int(g.lower[p])
        g.lower[p] = NONE
        if g.timing[0] != NONE:
            emit(log, Event.ACT, p, card, (1 if tile != NONE else 0) + (1 if lower != NONE else 0))
    if tile == NONE:
        exploit(g, p, card, log)
    elif not can_pay(g, p, card, tile, lower):
        emit(log, Event.FALLBACK, p, card, tile)
        put_behind(g, p, tile)
        see_behind(g, p, tile)
        if lower != NONE:
            put_behind(g, p, lower)
        exploit(g, p, card, log)
    else:
        see_played(g, p, tile)
        if lower != NONE:
            forget_tiles(g, p)
        if is_letter(card):
            g.action = Action.URBANIZE
            lay_tile(g, p, card - N_TILES, tile, lower, Ending.RESOURCES, log)
        else:
            g.action = Action.CONSTRUCT
            construct(g, p, card, tile, lower, log)


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
def choose_return(g: Any, p: int, index: int, log: np.ndarray) -> None:
    """R7.1, one tile at a time; the last one's "done" ends it."""
    if index != n_tiles(g):
        set_aside(g, p, tile_at(g, index))
        return
    g.returner += 1
    if g.returner == g.players:
        g.returner = 0
        return_tiles(g, log)


@kernel
def finish_action(g: Any, log: np.ndarray) -> None:
    """The card becomes a bonus card or goes to the discard pile (R4.4, R5.6, R6.6); an event may follow (X4.2)."""
    p = int(g.player)
    card = int(g.card[p])
    if g.action == Action.CONSTRUCT:
        keep_card(g, p, card, log)
        if not (g.solo and p == WILLIAM):  # permanent bonuses never give William anything (R9.3)
            count_bonus(g, p, card)
    else:
        add(g.discard, card)
    g.card[p] = NONE
    if extended(g) and g.event[p] != NONE:
        g.phase[0] = Phase.AFTER
        g.stage = Stage.RUN_EVENT
    else:
        end_turn(g)


@kernel
def end_turn(g: Any) -> None:
    """The next player is on."""
    p = int(g.player)
    g.player = NOBODY
    g.action = Action.EXPLOIT
    if extended(g):
        g.phase[0] = Phase.ACTION
        g.timing[0] = NONE
        g.green_drawn[0] = 0
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
        if has_module(g, Module.KEEP_CARD):
            take_kept_cards(g)
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


@of_expansion
def take_kept_cards(g: Any) -> None:
    """Kept cards join the hands that have come from the right (X5)."""
    for p in range(g.players):
        if g.kept[p] != NONE:
            add(g.hand[p], g.kept[p])
            g.kept[p] = NONE
