"""Everything beside the board, and the legend of the map."""

from __future__ import annotations

from functools import partial

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.presenter import Rows
from ginkgo_env.drawing.shapes import TIMES, card_sign, counter, panel, rows
from ginkgo_env.drawing.svg import PAGE, SMALL, Box, below, beside, flow, label
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import N_BONUS
from ginkgo_env.games.golden_city.presentation.pieces import (
    framed,
    goods_card,
    goods_cards,
    landscape_card,
    piled,
)
from ginkgo_env.games.golden_city.presentation.signs import (
    GOOD_SIGNS,
    LANDSCAPE_SIGNS,
    REWARD_SIGNS,
    Sign,
    bonus_sign,
    coin_sign,
    goods_sign,
    key_sign,
    river_sign,
)
from ginkgo_env.games.golden_city.text.reading import counts_of
from ginkgo_env.games.golden_city.text.words import say

_COUNTERS: dict[str, Sign] = {
    "deck": card_sign,
    "discarded": card_sign,
    "goods stack": goods_sign,
    "bonus left": bonus_sign,
    "keys left": key_sign,
    "coins left": coin_sign,
}


def piles_box(g: Fields, board: Board, since: Fields | None) -> Box:
    """Everything beside the board, with frames around changes."""
    counters, *others = piles_rows(g, board, since).items()
    return panel(below([beside(counters[1], 14), rows((say(words), boxes) for words, boxes in others)], 8))


def piles_rows(g: Fields, board: Board, since: Fields | None) -> Rows:
    """The piles by name; their counters are the row ``supply``."""
    now, then = _piles(g, board), {} if since is None else _piles(since, board)
    numbers, past = _numbers(g), {} if since is None else _numbers(since)
    counters = [
        framed(counter(sign, numbers[name], say(name)), counter(sign, past[name], say(name)) if past else None)
        for name, sign in _COUNTERS.items()
    ]
    return {"supply": counters, **{words: [framed(box, then.get(words))] for words, box in now.items()}}


def _numbers(g: Fields) -> dict[str, int]:
    values = (g.deck_size, sum(g.discard), g.goods_size, N_BONUS - g.n_bonus, g.key_stack, g.supply)
    return dict(zip(_COUNTERS, values, strict=True))


def _piles(g: Fields, board: Board) -> dict[str, Box]:
    """Public cards. The content of the stack of goods cards is public, its order is not (G10.1)."""
    discard = [
        beside([landscape_card(landscape), label(f"{TIMES}{number}", bold=True)], 4)
        for landscape, number in enumerate(g.discard)
        if number
    ]
    stack = counts_of(g.goods_stack[: g.goods_size], len(g.display))
    display = piled("goods", board.goods_names, g.display, lambda kind: goods_card(board, kind))
    return {
        "display": beside(display, 4),
        "goods stack": beside(goods_cards(board, stack), 4).named("goods:stack"),
        "out of the game": beside(goods_cards(board, g.boxed), 4),
        "discarded": beside(discard, 10),
    }


def legend(width: float = PAGE) -> Box:
    """The meaning of the signs."""
    signs: list[tuple[Sign, str]] = [
        *[(sign, landscape.name.lower()) for landscape, sign in LANDSCAPE_SIGNS.items()],
        (partial(river_sign, "N"), "river"),
        *[(sign, reward.name.lower().replace("_", " ")) for reward, sign in REWARD_SIGNS.items()],
        *[(sign, good.name.lower()) for good, sign in GOOD_SIGNS.items()],
    ]
    entries = [beside([Box(16, 16, sign(8, 8, 8)), label(say(words), "dim", size=SMALL)], 5) for sign, words in signs]
    notes = [
        label(say(words), "dim", size=SMALL)
        for words in ("5/3: letters for the first and the second house", "double frame: costs a key too")
    ]
    return flow([*entries, *notes], width, 14, 4)
