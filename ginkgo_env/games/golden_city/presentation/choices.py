"""Actions as people at the table put them together (``drawing.presenter``): a pair, a site, cards."""

from __future__ import annotations

from ginkgo_env.drawing.presenter import Choice
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.text.notation import action_text
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES, Readable

_GROUPS = {"build": "site", "discard": "card"}
"""Groups that are not called as the verb of the notation: in pictures a site is the same part, whatever is done there."""


def choice(g: Readable, board: Board, action: int) -> Choice:
    """A legal action of the actor of a record: one pick, what stands after the colon of its notation."""
    verb, _, word = action_text(g, board, action).partition(":")
    return _payment(g, board, word) if verb == "pay" else Choice({_GROUPS.get(verb, verb): word})


def _payment(g: Readable, board: Board, sources: str) -> Choice:
    """The sources of a house's cards. Its landscape is in the group: it decides how many cards they are (G5.4)."""
    landscape = LANDSCAPES[board.tables[0].landscape[g.place]]
    paid = dict.fromkeys(f"card:{source}" for source in sources.split("+"))
    return Choice({f"pay_{landscape}": sources}, (f"site:{board.place_ids[g.place]}", *paid))
