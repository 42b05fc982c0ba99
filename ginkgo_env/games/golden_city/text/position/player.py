"""A player in a position (G11.5)."""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.fields import Fields, members
from ginkgo_env.core.validation import fail, fields_of, in_order, number
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    COINS,
    KEYS,
    MOST_GOODS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    SHARE,
    Kind,
    Source,
    Stage,
)
from ginkgo_env.games.golden_city.text.reading import LANDSCAPE_NUMBERS, LANDSCAPES, LETTER_SOURCES, counts_of, names_of

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
    _read_letters(g, board, p, fields["letters"], f"{where}.letters")
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
    _check_goods(g, p, f"{where}.goods")


def _check_goods(g: Fields, p: int, where: str) -> None:
    """Refuse more than four goods cards; five are required while one is to be put out of the game (G6.3)."""
    n = sum(g.goods[p])
    if g.stage == Stage.BOX and g.actor == p:
        if n != MOST_GOODS + 1:
            raise fail(where, f"expected {MOST_GOODS + 1} cards, of which one is to be put out of the game, got {n}")
    elif n > MOST_GOODS:
        raise fail(where, f"expected at most {MOST_GOODS} cards, got {n}")


def _read_letters(g: Fields, board: Board, p: int, value: Any, where: str) -> None:
    letters = fields_of(value, set(LETTER_SOURCES), where)
    for source, name in enumerate(LETTER_SOURCES):
        g.letters[p][source] = number(letters[name], 0, _most_letters(g, board, p, Source(source)), f"{where}.{name}")


def _most_letters(g: Fields, board: Board, p: int, source: Source) -> int:
    """Return a bound of the letters of a source: from houses in districts (G6.5), and from scored cards (G7).

    Play from here raises the bound at least as much as the letters, so later positions can be read again.
    """
    t = board.tables[0]
    if source in (Source.OUTER, Source.INNER):
        kind = Kind.OUTER if source == Source.OUTER else Kind.INNER
        return sum(int(max(t.letters_first[i], t.letters_second[i])) for i in members(g.houses[p]) if t.kind[i] == kind)
    scored = g.rounds if g.stage == Stage.OVER else g.rounds - 1
    return 2 * SHARE * scored
