"""The features about bonus cards: the own ones exactly, others' on average over those that they may be (G10.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.intrinsics import scratch
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.golden_city.constants import MAX_PLAYERS, N_BONUS
from ginkgo_env.games.golden_city.knowledge.observe import last_look
from ginkgo_env.games.golden_city.rules.scoring import bonus_letters
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

_TENTHS = 10


@kernel
def expect_bonuses(g: State, t: Tables, seat: int, worth: np.ndarray, bonus: np.ndarray) -> None:
    """What each bonus card would count for each player now, into worth (P, 8); in all, tenths of letters, into bonus (P,).

    Cards of others that were taken before the seat's last look are some of a set that it knows; later ones are some of those that
    it left. Of both the mean counts.
    """
    for p in range(g.players):
        for card in range(N_BONUS):
            worth[p, card] = bonus_letters(g, t, p, card)
    seen = last_look(g, seat)
    place, n_left = scratch(N_BONUS), N_BONUS - seen  # of each card: in the stack at the last look
    for card in range(N_BONUS):
        place[card] = 1
    early, late = scratch(MAX_PLAYERS), scratch(MAX_PLAYERS)  # cards that players have taken until then, and since
    for p in range(g.players):
        early[p] = late[p] = bonus[p] = 0
    n_early = 0
    for i in range(g.n_bonus):
        p, card = g.bonus_seat[i], g.bonus_card[i]
        if i >= seen:
            late[p] += 1
            continue
        place[card] = -1 if p == seat else 0
        if p == seat:
            bonus[p] += _TENTHS * worth[p, card]
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
        bonus[p] = _TENTHS * early[p] * sum_early // max(1, n_early) + _TENTHS * late[p] * sum_late // max(1, n_left)


@kernel
def write_bonus(g: State, seat: int, worth: np.ndarray, out: np.ndarray) -> None:
    """Block bonus."""
    seen = last_look(g, seat)
    for card in range(N_BONUS):
        out[2 * N_BONUS + card] = 1
    for i in range(seen):
        card = g.bonus_card[i]
        out[2 * N_BONUS + card] = 0
        if g.bonus_seat[i] == seat:
            out[card] = 1
            out[N_BONUS + card] = 0.1 * worth[card]
