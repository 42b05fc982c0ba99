"""The round: scoring cards, pairs with bidding hands, and building turns."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.shapes import INNER, badge, heading, panel, rows
from ginkgo_env.drawing.svg import SMALL, Box, below, beside, label, paragraph, rect, text, titled
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import NOBODY, Good, Stage
from ginkgo_env.games.golden_city.presentation.pieces import PAIR, card_of_pair, framed, name_box, scoring_card, scoring_title
from ginkgo_env.games.golden_city.presentation.signs import GOOD_SIGNS, area_sign
from ginkgo_env.games.golden_city.text.describe import cards_to_come, price_text, turn_facts
from ginkgo_env.games.golden_city.text.describe_players import MARKS
from ginkgo_env.games.golden_city.text.narrate import area_text
from ginkgo_env.games.golden_city.text.reading import PAIRS, turn_order
from ginkgo_env.games.golden_city.text.words import say

_GAP = 8.0  # between pairs
_SLOT = 148.0  # width of a pair in a row of its own


def scoring_box(g: Fields, board: Board, since: Fields | None) -> Box:
    """The scoring card of the round, and the cards to come."""
    now = framed(_scored(g, board), None if since is None else _scored(since, board))
    to_come = [
        (say("back {n}", n=back), [scoring_card(board, card) for card in cards]) for back, cards in cards_to_come(g).items()
    ]
    return panel(below([now, rows(to_come)], 8))


def round_rows(g: Fields, board: Board, names: Sequence[str], since: Fields | None) -> dict[str, list[Box]]:
    """The pairs or the building turns, the scoring card of the round, and those to come."""
    to_come = {f"back {back}": [scoring_card(board, card) for card in cards] for back, cards in cards_to_come(g).items()}
    phase: dict[str, list[Box]] = {}
    if g.stage != Stage.OVER:
        words = price_text(g) if g.stage == Stage.BID else ", ".join(turn_facts(g, board))
        facts = [paragraph(words, _SLOT, "dim")] if words else []
        phase["pairs" if g.stage == Stage.BID else "turns"] = [*_slots(g, names, since, _SLOT), *facts]
    return {**phase, "scoring card": [_scored(g, board)], **to_come}


def _scored(g: Fields, board: Board) -> Box:
    """The scoring card of the round in words and signs."""
    good = Good(int(board.tables[0].scoring_good[g.scoring]))
    name = "scored last" if g.stage == Stage.OVER else "scoring card"
    words = [
        label(say(name), "dim", size=SMALL),
        label(board.scoring_names[g.scoring], size=18, bold=True),
        Box(26, 28, GOOD_SIGNS[good](13, 14, 12)),
        label(say(good.name.lower())),
        Box(28, 28, area_sign(board, g.scoring, 14, 14, 11)),
        label(area_text(board, g.scoring)),
    ]
    box = beside(words, 8)
    return box._replace(body=titled(scoring_title(board, g.scoring), box.body))


def phase_box(g: Fields, board: Board, names: Sequence[str], since: Fields | None) -> Box:
    """The pairs during bidding, then the building turns in the same height; empty after the end."""
    if g.stage == Stage.OVER:
        return Box(0, 0)
    boxes = beside(_slots(g, names, since, (INNER - _GAP * (g.players - 1)) / g.players), _GAP)
    if g.stage != Stage.BID:
        return panel(
            below([heading(say("Turn of {side}", side=MARKS[g.actor]), INNER, ", ".join(turn_facts(g, board))), boxes], 6)
        )
    return panel(below([heading(say("Pairs of landscape cards"), INNER, price_text(g)), boxes], 6))


def _slots(g: Fields, names: Sequence[str], since: Fields | None, width: float) -> list[Box]:
    """The pairs with frames around changes, or the building turns."""
    low = max(30.0, *(name_box(name, width - 62, size=SMALL).height + 8 for name in names[: g.players]))
    if g.stage != Stage.BID:
        return [_turn(g, k, names, width, low) for k in range(g.players)]
    boxes = []
    for i in range(g.players):
        before = None if since is None else _pair(since, i, names, width, low) if since.stage == Stage.BID else Box(0, 0)
        boxes.append(framed(_pair(g, i, names, width, low), before))
    return boxes


def _slot(width: float, low: float, body: str) -> Box:
    """The background of a pair or a turn; `low` is the height of the lower part."""
    high = PAIR[1] + low + 8
    return Box(width, high, rect(0.5, 0.5, width - 1, high - 1, "f-well s-line", r=6) + body)


def _pair(g: Fields, i: int, names: Sequence[str], width: float, low: float) -> Box:
    """A pair and the bidding hand on it."""
    seat, top = g.pair_seat[i], PAIR[1] + 6
    cards = beside([card_of_pair(landscape) for landscape in g.pairs[i]], 4)
    body = cards.at((width - cards.width) / 2, 6) + text(10, top + low / 2, PAIRS[i], bold=True)
    whose = label(say("free"), "dim") if seat == NOBODY else name_box(names[seat], width - 62, size=SMALL)
    body += "" if seat == NOBODY else badge(seat, 38, top + low / 2, 10, MARKS[seat])
    body += whose.at(30 if seat == NOBODY else 54, top + (low - whose.height) / 2)
    return _slot(width, low, body).named(f"bid:{PAIRS[i]}")


def _turn(g: Fields, k: int, names: Sequence[str], width: float, low: float) -> Box:
    """The k-th building turn of the round, with its player and state (G3)."""
    order = turn_order(g)
    now, seat, top = order.index(g.actor), order[k], PAIR[1] + 6
    sign = badge(seat, 30, top / 2 + 3, 16, MARKS[seat])
    sign += rect(1.5, 1.5, width - 3, top + low - 1, "none s-mark", r=6, stroke_width=2) if k == now else ""
    state = say("builds" if k == now else "done" if k < now else "to come")
    words = text(56, top / 2 + 3, state, "ink" if k == now else "dim", fit=width - 60)
    name = name_box(names[seat], width - 24, size=SMALL)
    return _slot(width, low, sign + words + name.at(12, top + (low - name.height) / 2))
