"""What is hidden from whom in The Golden City (G10.5): the table for ``tests/contract/hidden.py``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ginkgo_env.games.golden_city.constants import BACKS, Stage

from ..contract.hidden import Change, Place, counted, entry

CONFIGS: list[dict[str, Any]] = [{"players": 2}, {"players": 4}, {"players": 3}]
PLACES = {"deck", "hand", "goods stack", "scoring stack"}
SHOWN = {"letters", "coins", "keys", "houses_left", "hand", "known", "goods", "discard", "display", "key_stack", "supply"}
BACK = [back for back, n in enumerate(BACKS) for _ in range(n)]


def hidden_things(g: Any, seat: int) -> Iterator[Place]:
    """Piles, and cards in other hands that are not known (G10.3)."""
    for i in range(g.deck_size):
        yield entry("deck", "landscape", g.deck, i)
    for i in range(g.goods_size):
        yield entry("goods stack", "goods", g.goods_stack, i)
    for i in range(g.n_scoring):
        yield entry("scoring stack", f"back {BACK[g.scoring_stack[i]]}", g.scoring_stack, i)
    for p in range(g.players):
        for card in range(5) if p != seat else ():
            for _ in range(g.hand[p, card] - g.known[p, card]):
                yield counted("hand", "landscape", g.hand[p], card)


def bonus_cards(g: Any, seat: int, rng: random.Random) -> bool:
    """Those that others have taken after the seat's last one come out of what it left."""
    own = [i for i in range(g.n_bonus) if g.bonus_seat[i] == seat]
    start = own[-1] + 1 if own else 0
    pool = [card for card in range(8) if card not in g.bonus_card[:start]]
    if g.stage == Stage.BONUS and g.actor == seat:  # who sees what is left knows which are gone
        pool = g.bonus_card[start : g.n_bonus].tolist()
    before = g.bonus_card.copy()
    g.bonus_card[start : g.n_bonus] = rng.sample(pool, g.n_bonus - start)
    return bool((before != g.bonus_card).any())


CHANGES: dict[str, Change] = {"bonus cards": bonus_cards}
