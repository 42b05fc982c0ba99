"""The features about bonus cards: own cards exactly, those of others as means (G10.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.intrinsics import scratch
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.golden_city.constants import MAX_PLAYERS, N_BONUS
from ginkgo_env.games.golden_city.knowledge.features_layout import BonusFeature
from ginkgo_env.games.golden_city.knowledge.observe import last_look
from ginkgo_env.games.golden_city.rules.scoring import bonus_letters
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

TENTHS = 10  # means of letters are whole tenths, which are equal on every machine
_WORTH = 0.1  # factor that scales the letters of a bonus card


@kernel
def expect_bonuses(g: State, t: Tables, seat: int, worth: np.ndarray, bonus: np.ndarray) -> None:
    """Write what bonus cards bring each player as things stand.

    worth : letters of each card for each player, (P, 8)
    bonus : tenths of letters of the cards that a player has, as far as the seat knows, (P,)

    The seat knows the set of cards that others took before its last look, but not who has which. Cards taken later are some of
    those that it left. In both cases the mean counts.
    """
    for p in range(g.players):
        for card in range(N_BONUS):
            worth[p, card] = bonus_letters(g, t, p, card)
    seen = last_look(g, seat)
    place, n_left = scratch(N_BONUS), N_BONUS - seen  # of each card at the last look: 1 in the stack, 0 with others, -1 own
    for card in range(N_BONUS):
        place[card] = 1
    early, late = scratch(MAX_PLAYERS), scratch(MAX_PLAYERS)  # numbers of cards that players took before the look, and since
    for p in range(g.players):
        early[p] = late[p] = bonus[p] = 0
    n_early = 0
    for i in range(g.n_bonus):
        p, card = g.bonus_seat[i], g.bonus_card[i]
        if i >= seen:  # G10.3 (b): the seat knows that a card was taken, not which
            late[p] += 1
            continue
        place[card] = -1 if p == seat else 0
        if p == seat:
            bonus[p] += TENTHS * worth[p, card]
        else:
            early[p] += 1
            n_early += 1
    for p in range(g.players):
        if p == seat:
            continue
        sum_early = sum_late = 0
        for card in range(N_BONUS):
            sum_early += worth[p, card] * (place[card] == 0)
            sum_late += worth[p, card] * (place[card] == 1)
        bonus[p] = TENTHS * early[p] * sum_early // max(1, n_early) + TENTHS * late[p] * sum_late // max(1, n_left)


@kernel
def write_bonus(g: State, seat: int, worth: np.ndarray, out: np.ndarray) -> None:
    """Write block ``bonus``."""
    own, own_worth, left = BonusFeature.OWN * N_BONUS, BonusFeature.OWN_TIMES_WORTH * N_BONUS, BonusFeature.LEFT * N_BONUS
    for card in range(N_BONUS):
        out[left + card] = 1
    # G10.2, G10.3 (b): cards taken since the last look are left as far as the seat knows
    for i in range(last_look(g, seat)):
        card = g.bonus_card[i]
        out[left + card] = 0
        if g.bonus_seat[i] == seat:
            out[own + card] = 1
            out[own_worth + card] = _WORTH * worth[card]
