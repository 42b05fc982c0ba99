"""A player in a position (G11.5)."""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import fail, fields_of, in_order, number
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    COINS,
    KEYS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
)
from ginkgo_env.games.golden_city.text.reading import LANDSCAPE_NUMBERS, LANDSCAPES, LETTER_SOURCES, counts_of, names_of

_MOST_LETTERS = 2**15 - 1  # of a field of the record
_KEYS = {"letters", "coins", "keys", "houses_left", "hand", "known", "goods"}


def write_player(g: Fields, board: Board, p: int) -> dict[str, Any]:
    """Return the player of seat p as plain data."""
    return {
        "letters": dict(zip(LETTER_SOURCES, g.letters[p], strict=True)),
        "coins": g.coins[p],
        "keys": g.keys[p],
        "houses_left": g.houses_left[p],
        "hand": names_of(g.hand[p], LANDSCAPES),
        "known": names_of(g.known[p], LANDSCAPES),
        "goods": names_of(g.goods[p], board.goods_names),
    }


def read_player(g: Fields, board: Board, p: int, value: Any, where: str) -> None:
    """Read the player of seat p into g. Raises PositionError."""
    fields = fields_of(value, _KEYS, where)
    _read_letters(g, p, fields["letters"], f"{where}.letters")
    g.coins[p] = number(fields["coins"], 0, COINS, f"{where}.coins")
    g.keys[p] = number(fields["keys"], 0, KEYS, f"{where}.keys")
    left = f"{where}.houses_left"
    if number(fields["houses_left"], 0, 127, left) != g.houses_left[p]:
        raise fail(left, f"expected {g.houses_left[p]}: {g.houses[p].bit_count()} houses stand on the board")
    g.hand[p], g.known[p] = (
        counts_of(in_order(fields[key], LANDSCAPE_NUMBERS, f"{where}.{key}", range(N_LANDSCAPES)), N_LANDSCAPES)
        for key in ("hand", "known")
    )
    for name, known, held in zip(LANDSCAPES, g.known[p], g.hand[p], strict=True):
        if known > held:
            raise fail(f"{where}.known", f"{name} {known} times, but only {held} in hand")
    kinds = {name: i for i, name in enumerate(board.goods_names)}
    g.goods[p] = counts_of(in_order(fields["goods"], kinds, f"{where}.goods", range(N_GOODS_KINDS)), N_GOODS_KINDS)


def _read_letters(g: Fields, p: int, value: Any, where: str) -> None:
    letters = fields_of(value, set(LETTER_SOURCES), where)
    for source, name in enumerate(LETTER_SOURCES):
        g.letters[p][source] = number(letters[name], 0, _MOST_LETTERS, f"{where}.{name}")
