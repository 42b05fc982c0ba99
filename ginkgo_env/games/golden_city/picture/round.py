"""The round: the scoring card and those to come, the pairs with the hands on them, the building turn."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.pieces import INNER, badge, heading, panel, rows
from ginkgo_env.core.svg import PAGE, SMALL, Box, below, beside, label, paragraph, rect, text
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import NOBODY, Good, Stage
from ginkgo_env.games.golden_city.picture.pieces import PAIR, card_of_pair, framed, name_box, scoring_card
from ginkgo_env.games.golden_city.picture.signs import GOOD_SIGNS, area_sign
from ginkgo_env.games.golden_city.text.describe import cards_to_come, headline, price_text, turn_facts
from ginkgo_env.games.golden_city.text.describe_players import MARKS
from ginkgo_env.games.golden_city.text.narrate import area_text
from ginkgo_env.games.golden_city.text.reading import PAIRS


def happens_box(g: Fields, board: Board, names: Sequence[str]) -> Box:
    """The round, who decides what, and what has happened in his turn."""
    facts = turn_facts(g, board)
    turn = paragraph(f"In this turn: {', '.join(facts)}", PAGE, "dim") if facts else Box(0, 0)
    return below([name_box(headline(g, names), PAGE, bold=True), turn], 2)


def scoring_box(g: Fields, board: Board, since: Fields | None) -> Box:
    """The scoring card of the round, and the set of those to come."""
    now = framed(_scored(g, board), None if since is None else _scored(since, board))
    to_come = [(f"back {back}", [scoring_card(board, card) for card in cards]) for back, cards in cards_to_come(g).items()]
    return panel(below([now, rows(to_come)], 8))


def _scored(g: Fields, board: Board) -> Box:
    """The card of the round in words and signs."""
    good = Good(int(board.tables[0].scoring_good[g.scoring]))
    name = "scored last" if g.stage == Stage.OVER else "scoring card"
    words = [
        label(name, "dim", size=SMALL),
        label(board.scoring_names[g.scoring], size=18, bold=True),
        Box(26, 28, GOOD_SIGNS[good](13, 14, 12)),
        label(good.name.lower()),
        Box(28, 28, area_sign(board, g.scoring, 14, 14, 11)),
        label(area_text(board, g.scoring)),
    ]
    return beside(words, 8)


def pairs_box(g: Fields, names: Sequence[str], since: Fields | None) -> Box:
    """The pairs, while bidding."""
    if g.stage != Stage.BID:
        return Box(0, 0)
    width = (INNER - 8 * (g.players - 1)) / g.players
    boxes = []
    for i in range(g.players):
        before = None if since is None else _pair(since, i, names, width) if since.stage == Stage.BID else Box(0, 0)
        boxes.append(framed(_pair(g, i, names, width), before))
    return panel(below([heading("Pairs of landscape cards", INNER, price_text(g)), beside(boxes, 8, align=0)], 6))


def _pair(g: Fields, i: int, names: Sequence[str], width: float) -> Box:
    """A pair, and whose hand lies on it."""
    seat, (_, high), width = g.pair_seat[i], PAIR, min(width, 220.0)
    cards = beside([card_of_pair(landscape) for landscape in g.pairs[i]], 4)
    whose = label("free", "dim") if seat == NOBODY else name_box(names[seat], width - 62, size=SMALL)
    low = max(30.0, whose.height + 8)
    body = rect(0.5, 0.5, width - 1, high + low + 7, "f-well s-line", r=6)
    body += cards.at((width - cards.width) / 2, 6) + text(10, high + 6 + low / 2, PAIRS[i], bold=True)
    body += "" if seat == NOBODY else badge(seat, 38, high + 6 + low / 2, 10, MARKS[seat])
    return Box(width, high + low + 8, body + whose.at(30 if seat == NOBODY else 54, high + 6 + (low - whose.height) / 2))
