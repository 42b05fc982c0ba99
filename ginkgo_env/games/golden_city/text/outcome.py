"""The end of a game and its random outcomes: what ended it, points by source and bonus card, what was shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import Chance
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import Bonus, Log, Shuffle, Stage
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.text.reading import ENDINGS, LANDSCAPES, SOURCES, Row, bonus_of


def ending_of(g: State) -> str | None:
    """See :meth:`ginkgo_env.core.game.Game.ending`: ``houses``, ``blocked`` or ``cards``."""
    return ENDINGS[g.ending] if g.stage == Stage.OVER else None


def breakdown_of(g: State, board: Board, points: NDArray[Any]) -> tuple[dict[str, Any], ...]:
    """See :meth:`ginkgo_env.core.game.Game.breakdown`: points (P, sources), what each bonus card brings (G9.1), the total."""
    fields = Fields(g)
    return tuple(
        {
            **dict(zip(SOURCES, own.tolist(), strict=True)),
            "bonus_cards": _bonus_cards(fields, board, p),
            "total": int(own.sum()),
        }
        for p, own in enumerate(points)
    )


def _bonus_cards(g: Fields, board: Board, p: int) -> dict[str, int]:
    """The letters of a player's bonus cards (G9.1), in the order of their rows."""
    t = board.tables[0]
    found = {}
    for card in bonus_of(g, p):
        things = {Bonus.GOODS: sum(g.goods[p]), Bonus.COINS: g.coins[p]}
        n = things.get(Bonus(int(t.bonus[card])), (g.houses[p] & int(t.counted[card])).bit_count())
        found[board.bonus_names[card]] = int(n * t.letters_each[card])
    return found


def chances(rows: Sequence[Row], board: Board) -> list[Chance]:
    """The random outcomes among the rows of a log (G11.2)."""
    found = []
    for i, (kind, which, n, _) in enumerate(rows):
        if kind == Log.OUTCOME:
            items = [item for _, item, _, _ in rows[i + 1 : i + 1 + n]]
            found.append(Chance(Shuffle(which).name.lower(), shuffled(Shuffle(which), items, board)))
    return found


def shuffled(which: Shuffle, items: Sequence[int], board: Board) -> list[str] | int:
    """A random outcome as records have it: names in order, or a seat."""
    if which == Shuffle.FIRST_PLAYER:
        return items[0]
    names = {Shuffle.LANDSCAPES: LANDSCAPES, Shuffle.GOODS: board.goods_names}.get(which, board.scoring_names)
    return [names[item] for item in items]
