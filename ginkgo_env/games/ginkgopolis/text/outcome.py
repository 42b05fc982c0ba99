"""Points at the end of a game by source, card, district and park."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.game import States
from ginkgo_env.games.ginkgopolis.constants import MAX_BUILDINGS, MAX_PLAYERS, Source
from ginkgo_env.games.ginkgopolis.rules.scoring import SCORE_PARTS
from ginkgo_env.games.ginkgopolis.tables import NAMES


def breakdown_of(state: States, points: NDArray[np.int32]) -> tuple[dict[str, Any], ...]:
    """See :meth:`ginkgo_env.core.game.Game.breakdown`."""
    with_modules = bool(state[0].modules.any())
    cards = np.zeros((MAX_PLAYERS, len(NAMES)), np.int32)
    districts, parks = np.zeros((2, MAX_BUILDINGS, MAX_PLAYERS), np.int32)
    n, n_parks = SCORE_PARTS[bool(state[0].expansion)](state, cards, districts, parks)
    return tuple(
        {
            "points": int(own[Source.POINTS]),
            "new_hands": int(own[Source.NEW_HANDS]),
            "cards": {NAMES[c]: int(cards[p, c]) for c in np.flatnonzero(cards[p] >= 0)},
            "districts": districts[:n, p].tolist(),
            **({"parks": parks[:n_parks, p].tolist(), "expert": int(own[Source.EXPERT])} if with_modules else {}),
            "total": int(own.sum()),
        }
        for p, own in enumerate(points)
    )
