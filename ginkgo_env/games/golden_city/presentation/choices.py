"""Actions as picks: a pair, a site, cards."""

from __future__ import annotations

from ginkgo_env.drawing.presenter import Choice
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.text.notation import action_text
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES, Readable

_GROUPS = {"build": "site", "discard": "card"}
"""Groups whose names differ from the verb of the notation, so that a site is the same part for all actions."""


def choice(g: Readable, board: Board, action: int) -> Choice:
    """An action of the seat to act as one pick: the text after the colon of its notation."""
    verb, _, word = action_text(g, board, action).partition(":")
    return _payment(g, board, word) if verb == "pay" else Choice({_GROUPS.get(verb, verb): word})


def _payment(g: Readable, board: Board, sources: str) -> Choice:
    """The payment for a house. Its landscape is in the group, as the number of cards depends on it (G5.4)."""
    landscape = LANDSCAPES[board.tables[0].landscape[g.place]]
    paid = dict.fromkeys(f"card:{source}" for source in sources.split("+"))
    return Choice({f"pay_{landscape}": sources}, (f"site:{board.place_ids[g.place]}", *paid))
