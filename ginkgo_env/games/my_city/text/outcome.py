"""The end of a game and its random outcome: the deck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.game import Chance, States
from ginkgo_env.core.log import outcomes_of
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Buildings
from ginkgo_env.games.my_city.constants import LETTERS, Stage, Terrain
from ginkgo_env.games.my_city.text.reading import ENDINGS, set_of_words

DECK = "deck"


def ending_of(g: Any) -> str | None:
    """See :meth:`ginkgo_env.core.game.Game.ending`: ``ended`` or ``cards`` (M7)."""
    return ENDINGS[g.ending] if g.stage == Stage.OVER else None


def endings_of(states: States) -> list[str | None]:
    """See :meth:`ginkgo_env.core.game.Game.endings`."""
    over = states["stage"] == Stage.OVER
    return [ENDINGS[ending] if ended else None for ending, ended in zip(states["ending"].tolist(), over.tolist(), strict=True)]


def chances(rows: Sequence[tuple[int, int, int, int]], buildings: Buildings) -> list[Chance]:
    """The random outcomes among the rows of a log (M11.8)."""
    return [Chance(DECK, [buildings.cards[card] for card in items]) for _, items in outcomes_of(rows)]


def empty_by_row(g: Any, p: int, board: Board) -> list[int]:
    """A player's empty land in each row, which decides ties (M8.8)."""
    built = sum(map(set_of_words, g["covered"][p].tolist()))  # no cell has two colors
    empty = LETTERS[Terrain.EMPTY]
    return [
        sum(letter == empty and not built >> (r * board.columns + c) & 1 for c, letter in enumerate(row))
        for r, row in enumerate(board.terrain)
    ]
