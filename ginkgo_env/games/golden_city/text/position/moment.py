"""The pairs and the building turn in a position (G11.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginkgo_env.core.errors import shown
from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import choice, entries_of, fail, fields_of, in_order, name_or_null, named, number, or_null
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import HOUSES_A_TURN, N_LANDSCAPES, Stage
from ginkgo_env.games.golden_city.text.reading import DECISIONS, LANDSCAPE_NUMBERS, LANDSCAPES

MOST_DISPLACEMENTS = 7
"""The most displacements in a round (G8.2): with an eighth they would cost 36 coins together."""
_TURN = {"player", "built", "place", "discarded"}


def write_pairs(g: Fields) -> dict[str, Any]:
    """Return the pairs during the bidding, and the number of displacements."""
    n = g.players if g.stage == Stage.BID else 0
    pairs = [{"cards": [LANDSCAPES[card] for card in g.pairs[i]], "seat": or_null(g.pair_seat[i])} for i in range(n)]
    return {"pairs": pairs, "displacements": g.displacements}


def read_pairs(g: Fields, data: Mapping[str, Any]) -> None:
    """Read the pairs into g. Raises PositionError."""
    pairs = entries_of(data["pairs"], "pairs", "pairs")
    bidding = g.stage == Stage.BID
    if len(pairs) != (g.players if bidding else 0):
        wanted = f"{g.players} pairs" if bidding else "no pairs"
        raise fail("pairs", f"expected {wanted}: the decision is {DECISIONS[g.stage]!r}")
    for i, pair in enumerate(pairs):
        where = f"pairs[{i}]"
        fields = fields_of(pair, {"cards", "seat"}, where)
        cards = in_order(fields["cards"], LANDSCAPE_NUMBERS, f"{where}.cards", range(N_LANDSCAPES))
        if len(cards) != 2:
            raise fail(f"{where}.cards", f"expected two cards, got {len(cards)}")
        g.pairs[i] = cards
        if fields["seat"] is not None:
            g.pair_seat[i] = number(fields["seat"], 0, g.players - 1, f"{where}.seat")
    g.displacements = number(data["displacements"], 0, MOST_DISPLACEMENTS if bidding else 0, "displacements")


def write_turn(g: Fields, board: Board) -> dict[str, Any] | None:
    """Return the current building turn, None if there is none."""
    if g.stage in (Stage.BID, Stage.OVER):
        return None
    return {
        "player": g.actor,
        "built": g.built,
        "place": name_or_null(g.place, board.place_ids),
        "discarded": name_or_null(g.discarded, LANDSCAPES),
    }


def read_turn(g: Fields, turn: Any, board: Board) -> None:
    """Read the building turn, and the number of turns before it, into g. Raises PositionError."""
    if g.stage in (Stage.BID, Stage.OVER):
        if turn is not None:
            raise fail("turn", f"expected null outside building turns, got {shown(turn)}")
        g.turns = g.players if g.stage == Stage.OVER else 0
        return
    fields = fields_of(turn, _TURN, "turn")
    if number(fields["player"], 0, g.players - 1, "turn.player") != g.actor:
        raise fail("turn.player", f"expected {g.actor}, who decides")
    g.turns = (g.actor - g.first) % g.players
    g.built = number(fields["built"], 0, HOUSES_A_TURN, "turn.built")
    if fields["place"] is not None:
        g.place = named(fields["place"], {place: i for i, place in enumerate(board.place_ids)}, "turn.place")
    if fields["discarded"] is not None:
        g.discarded = choice(fields["discarded"], LANDSCAPE_NUMBERS, "turn.discarded")
