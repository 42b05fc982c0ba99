"""What is hidden from whom in My City (M10): the table for ``tests/contract/hidden.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ginkgo_env.games.my_city.constants import NONE

from ..contract.hidden import Change, Place, entry

CONFIGS: list[dict[str, Any]] = [{"players": 1}, {"players": 4}, {"players": 3}]
PLACES = {"deck"}
SECRET = {"build"}
SHOWN = {"covered", "sources", "points", "gold", "choice"}


def hidden_things(g: Any, seat: int) -> Iterator[Place]:
    """Cards that have not been turned up."""
    for i in range(g.drawn, len(g.deck)):
        if g.deck[i] != NONE:
            yield entry("deck", "card", g.deck, i)


def choice(g: Any, seat: int, rng: random.Random) -> bool:
    """M3.3: what others have chosen in this round; all can end, which is the last action."""
    others = [p for p in range(g.actor) if p != seat and g.choice[p] != NONE]
    for p in others:
        g.choice[p] = 4 * 121 + 1  # the end
    return bool(others)


CHANGES: dict[str, Change] = {"choice": choice}


def missing(config: dict[str, Any]) -> set[str]:
    return {"choice"} if config["players"] == 1 else set()
