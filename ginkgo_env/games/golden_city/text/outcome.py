"""Bonus cards at the end of a game, and random outcomes."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import Chance
from ginkgo_env.core.log import outcomes_of
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import Shuffle
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES, Row, bonus_of


def bonus_cards(g: State, board: Board) -> list[list[str]]:
    """The names of each player's bonus cards, in the order of their rows."""
    fields = Fields(g)
    return [[board.bonus_names[card] for card in bonus_of(fields, p)] for p in range(fields.players)]


def chances(rows: Sequence[Row], board: Board) -> list[Chance]:
    """The random outcomes among the rows of a log (G11.2)."""
    return [Chance(Shuffle(which).name.lower(), shuffled(Shuffle(which), items, board)) for which, items in outcomes_of(rows)]


def shuffled(which: Shuffle, items: Sequence[int], board: Board) -> list[str] | int:
    """The value of a random outcome in records: names in order, or a seat."""
    if which == Shuffle.FIRST_PLAYER:
        return items[0]
    names = {Shuffle.LANDSCAPES: LANDSCAPES, Shuffle.GOODS: board.goods_names}.get(which, board.scoring_names)
    return [names[item] for item in items]
