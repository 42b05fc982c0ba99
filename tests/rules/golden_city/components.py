"""The components by name (G1), and short forms for cards."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.games.golden_city.board import load_board

LANDSCAPES = ["coast", "forest", "meadow", "mountain", "desert"]
_SHORT = dict(zip("cfemd", LANDSCAPES, strict=True))
HOUSES = {2: 18, 3: 18, 4: 16}  # G1.4
SCORING = ["1A", "1B", "1C", "1D", *(f"2{letter}" for letter in "ABCDEFGH"), "3A", "3B", "3C", "3D"]
GOODS = ["pottery+wine", "pottery+cloth", "pottery+spices", "wine+cloth", "wine+spices", "cloth+spices"]
GOODS_CARDS = sorted([*GOODS, "pottery+wine", "cloth+spices"], key=GOODS.index)
BONUS = ["goods", "coins", "city", "rivers", "forest", "meadow", "mountain", "desert"]
COASTS = [f"C{i}" for i in range(1, 17)]
SUBURBS = list(load_board().place_ids[16:46])
INNER = ["FI", "MI", "TI", "DI"]


def cards(short: str) -> list[str]:
    """Landscapes from letters: c coast, f forest, e meadow, m mountain, d desert."""
    return [_SHORT[letter] for letter in short]


def in_order(names: Sequence[str], order: Sequence[str] = LANDSCAPES) -> list[str]:
    return sorted(names, key=order.index)
