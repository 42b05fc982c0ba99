"""Rewards of houses: coins, cards, keys, letters, goods cards and bonus cards (G6)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, bit
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.golden_city.actions import BONUS, BOX, GOODS, STACK
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import (
    MOST_GOODS,
    N_BONUS,
    N_GOODS_KINDS,
    NONE,
    Event,
    Kind,
    Reward,
    Source,
    Stage,
)
from ginkgo_env.games.golden_city.rules.cards import draw_unseen, gain_coins
from ginkgo_env.games.golden_city.rules.scoring import goods_cards
from ginkgo_env.games.golden_city.rules.setup import lay_out_goods, pop_goods
from ginkgo_env.games.golden_city.state import State


@kernel
def reward(g: State, t: Components, log: np.ndarray) -> None:
    """Give the reward of the house just built (G6)."""
    p, kind = g.actor, t.reward[g.place]  # G6: at once and only once, and it cannot be refused
    g.stage = Stage.GO_ON_BUILDING
    if kind == NONE:
        reward_district(g, t, p, log)
    elif kind == Reward.CARD:
        draw_unseen(g, p, log)
    elif kind == Reward.COIN:
        gain_coins(g, p, 1, log)
    elif kind == Reward.TWO_COINS:
        gain_coins(g, p, 2, log)
    elif kind == Reward.KEY:
        if g.key_stack > 0:
            g.key_stack -= 1
            g.keys[p] += 1
            emit(log, Event.KEY, p, 0, 0)
        else:  # G6.1: key cards that were paid do not come back
            emit(log, Event.NOTHING, p, kind, 0)
    else:
        g.stage = Stage.BONUS if kind == Reward.BONUS else Stage.GOODS


@kernel
def reward_district(g: State, t: Components, p: int, log: np.ndarray) -> None:
    """Give letters for the first and the second house in a district, and more for the first (G6.5)."""
    place = g.place
    houses = 0
    for seat in range(g.players):
        if g.houses[seat] & bit(place) != ZERO:
            houses += 1
    if houses > 2:  # G6.5: the house just built counts too; the third and the fourth bring nothing
        return
    source = Source.INNER if t.kind[place] == Kind.INNER else Source.OUTER
    letters = t.letters_first[place] if houses == 1 else t.letters_second[place]
    g.letters[p, source] += letters
    emit(log, Event.LETTERS, p, source, letters)
    if houses == 1:  # G6.5: only the first house brings more
        if t.coins_first[place] > 0:
            gain_coins(g, p, int(t.coins_first[place]), log)
        for _ in range(t.cards_first[place]):
            draw_unseen(g, p, log)


# --- goods cards (G6.2, G6.3) --------------------------------------------------------------------------------------------------


@kernel
def legal_goods(g: State, t: Components, mask: np.ndarray) -> int:
    """Allow the kinds in the display, and the stack (G6.2)."""
    n = 0
    for kind in range(N_GOODS_KINDS):
        if g.display[kind] > 0:
            mask[GOODS + kind] = 1
            n += 1
    if g.goods_size > 0:  # G6.2: the top card is chosen unseen
        mask[STACK] = 1
        n += 1
    return n


@kernel
def take_goods(g: State, t: Components, p: int, action: int, log: np.ndarray) -> None:
    """Take a goods card (G6.2)."""
    if action == STACK:
        kind = pop_goods(g)
        emit(log, Event.GOODS, p, kind, 1)
    else:
        kind = action - GOODS
        g.display[kind] -= 1
        emit(log, Event.GOODS, p, kind, 0)
        if g.goods_size > 0:  # G6.2: the display is refilled before a fifth card is put out of the game
            emit(log, Event.REFILL, lay_out_goods(g), 0, 0)
    g.goods[p, kind] += 1
    g.stage = Stage.BOX if goods_cards(g, p) > MOST_GOODS else Stage.GO_ON_BUILDING


@kernel
def no_goods(g: State, t: Components, log: np.ndarray) -> None:
    """Pass over the choice, as no goods card is left (G6.2)."""
    emit(log, Event.NOTHING, g.actor, Reward.GOODS, 0)
    g.stage = Stage.GO_ON_BUILDING


@kernel
def legal_boxed(g: State, t: Components, mask: np.ndarray) -> int:
    """Allow each of the five goods cards, the new one included (G6.3)."""
    n = 0
    for kind in range(N_GOODS_KINDS):
        if g.goods[g.actor, kind] > 0:
            mask[BOX + kind] = 1
            n += 1
    return n


@kernel
def box(g: State, t: Components, p: int, action: int, log: np.ndarray) -> None:
    """Put a goods card out of the game (G6.3)."""
    kind = action - BOX
    g.goods[p, kind] -= 1
    g.boxed[kind] += 1
    emit(log, Event.BOX, p, kind, 0)
    g.stage = Stage.GO_ON_BUILDING


# --- bonus cards (G6.4) --------------------------------------------------------------------------------------------------------


@kernel
def legal_bonuses(g: State, t: Components, mask: np.ndarray) -> int:
    """Allow the bonus cards that nobody has taken (G6.4)."""
    for card in range(N_BONUS):
        mask[BONUS + card] = 1
    for i in range(g.n_bonus):
        mask[BONUS + g.bonus_card[i]] = 0
    return N_BONUS - g.n_bonus


@kernel
def take_bonus(g: State, t: Components, p: int, action: int, log: np.ndarray) -> None:
    """Take a bonus card, hidden from the others (G6.4)."""
    # G10.3 (b): the order of takes is public, so the cards are kept in it
    g.bonus_card[g.n_bonus] = action - BONUS
    g.bonus_seat[g.n_bonus] = p
    g.n_bonus += 1
    emit(log, Event.BONUS, p, action - BONUS, 0)
    g.stage = Stage.GO_ON_BUILDING


@kernel
def no_bonus(g: State, t: Components, log: np.ndarray) -> None:
    """Pass over the choice, as no bonus card is left (G6.4)."""
    emit(log, Event.NOTHING, g.actor, Reward.BONUS, 0)
    g.stage = Stage.GO_ON_BUILDING
