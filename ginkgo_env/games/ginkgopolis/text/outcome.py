"""The end of a game, typed, with points by source, card and district."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.game import Outcome, States
from ginkgo_env.games.ginkgopolis.constants import MAX_BUILDINGS, MAX_PLAYERS, N_SOURCES, Ending, Source, Stage
from ginkgo_env.games.ginkgopolis.rules.loops import breakdown_one, score_many
from ginkgo_env.games.ginkgopolis.tables import NAMES


def outcome_of(state: States) -> Outcome:
    """See :meth:`ginkgo_env.core.game.Game.outcome`."""
    g = state[0]
    sides = int(g.players)
    with_modules = bool(g.modules.any())
    scores = np.zeros((1, MAX_PLAYERS, len(Source) if with_modules else N_SOURCES), np.int32)
    score_many(0, 1, state, scores)
    cards = np.zeros((MAX_PLAYERS, len(NAMES)), np.int32)
    districts, parks = np.zeros((2, MAX_BUILDINGS, MAX_PLAYERS), np.int32)
    n, n_parks = breakdown_one(state, cards, districts, parks)
    totals = tuple(int(scores[0, p].sum()) for p in range(sides))
    over = g.stage == Stage.OVER
    breakdown: tuple[dict[str, Any], ...] = tuple(
        {
            "points": int(scores[0, p, Source.POINTS]),
            "new_hands": int(scores[0, p, Source.NEW_HANDS]),
            "cards": {NAMES[c]: int(cards[p, c]) for c in np.flatnonzero(cards[p] >= 0)},
            "districts": [int(districts[k, p]) for k in range(n)],
            **(_of_modules(scores[0, p], parks[:n_parks, p]) if with_modules else {}),
            "total": totals[p],
        }
        for p in range(sides)
    )
    return Outcome(
        ending=Ending(int(g.ending)).name.lower() if over else None,
        truncated=bool(over and g.ending == Ending.MAX_ROUNDS),
        scores=totals,
        winners=tuple(p for p in range(sides) if totals[p] == max(totals)) if over else (),
        breakdown=breakdown,
    )


def _of_modules(scores: NDArray[np.int32], parks: NDArray[np.int32]) -> dict[str, Any]:
    """What only the expansion counts."""
    return {"parks": [int(points) for points in parks], "expert": int(scores[Source.EXPERT])}
