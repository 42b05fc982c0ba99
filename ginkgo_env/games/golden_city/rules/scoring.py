"""The scoring of a round's card, the final score and the standing (G7, G9)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.core.rewards import total_of
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import N_GOODS_KINDS, N_LETTER_SOURCES, SHARE, Counted, Event, Source, Stage
from ginkgo_env.games.golden_city.state import State


@kernel
def has_good(g: State, t: Components, p: int, good: int) -> bool:
    """Whether a player has a goods card that shows a good (G7.1)."""
    n = 0
    for kind in range(N_GOODS_KINDS):
        if t.shown[kind, 0] == good or t.shown[kind, 1] == good:
            n += g.goods[p, kind]
    return n > 0


@kernel
def score_card(g: State, t: Components, log: np.ndarray) -> None:
    """Score the round's card: a good, and a river or a quarter, each by itself (G7)."""
    emit(log, Event.SCORING, g.scoring, 0, 0)
    good, area, source = t.scoring_good[g.scoring], t.area[g.scoring], t.scoring_source[g.scoring]
    owners = most = leaders = 0
    for p in range(g.players):
        if has_good(g, t, p, good):
            owners += 1
        houses = popcount(g.houses[p] & area)
        if houses > most:  # G7.2: in a tie nobody has more houses than every other player
            most, leaders = houses, 1
        elif houses == most:
            leaders += 1
    for p in range(g.players):
        if has_good(g, t, p, good):  # G7.1: the number of cards does not matter
            add_letters(g, p, Source.GOODS, SHARE * (2 if owners == 1 else 1), log)
        houses = popcount(g.houses[p] & area)
        if houses > 0:  # G7.2, G7.3: also alone with one house
            add_letters(g, p, source, SHARE * (2 if houses == most and leaders == 1 else 1), log)


@kernel
def add_letters(g: State, p: int, source: int, n: int, log: np.ndarray) -> None:
    """Give a player letters of a source (G9.2)."""
    g.letters[p, source] += n
    emit(log, Event.LETTERS, p, source, n)


@kernel
def goods_cards(g: State, p: int) -> int:
    """Return the number of a player's goods cards."""
    n = 0
    for kind in range(N_GOODS_KINDS):
        n += g.goods[p, kind]
    return n


@kernel
def bonus_letters(g: State, t: Components, p: int, card: int) -> int:
    """Return the letters that a bonus card would bring a player as things stand (G9.1)."""
    counts = t.bonus_counts[card]
    if counts == Counted.HOUSES:
        n = popcount(g.houses[p] & t.counted[card])
    elif counts == Counted.GOODS_CARDS:
        n = goods_cards(g, p)
    else:
        n = g.coins[p]
    return n * t.letters_each[card]


@kernel
def score(g: State, t: Components, out: np.ndarray) -> None:
    """Write the points by source as they stand into out (P, sources) int32 (G9.2)."""
    for p in range(g.players):
        for source in range(N_LETTER_SOURCES):
            out[p, source] = g.letters[p, source]
        for source in range(N_LETTER_SOURCES, out.shape[1]):
            out[p, source] = 0
    if g.stage == Stage.OVER:  # G9.1: bonus cards are hidden until the end, and count when they are shown
        for i in range(g.n_bonus):
            p, card = g.bonus_seat[i], g.bonus_card[i]
            out[p, t.bonus_source[card]] += bonus_letters(g, t, p, card)


@kernel
def standing(g: State, t: Components, points: np.ndarray, out: np.ndarray) -> None:
    """Write the standings into out (P,) int64 (G9.5)."""
    for p in range(g.players):
        # Players rank by not being blocked, score, houses in the city and coins (G9.3, G9.4).
        # G9.5: not to be blocked counts 1,000 letters, on a board with higher scores as many thousands as make up for them
        total = np.int64(0 if g.blocked[p] else 1000 * np.int64(t.thousands)) + total_of(points[p])
        # G9.5: 12 districts fit into the factor 16, 35 coins into 64
        out[p] = (total * 16 + popcount(g.houses[p] & t.districts)) * 64 + np.int64(g.coins[p])
