"""Checks that every component of the game is in exactly one place (G1)."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import fail
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    BACKS,
    COINS,
    COPIES,
    DISPLAYED,
    KEYS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_SCORING,
)
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES, counts_of

_BACK = [back for back, n in enumerate(BACKS, 1) for _ in range(n)]


def check_pieces(g: Fields, board: Board) -> None:
    """Raise PositionError unless every card, coin and key is in exactly one place."""
    _check_landscapes(g)
    _check_goods(g, board)
    _check_scoring(g, board)
    coins = g.supply + sum(g.coins)
    if coins != COINS:
        raise fail("coins", f"supply and players must have {COINS} together, got {coins}")
    spent = sum((houses & int(board.tables[0].inner)).bit_count() for houses in g.houses)
    keys = g.key_stack + sum(g.keys) + spent
    if keys != KEYS:
        raise fail("keys", f"stack, players and houses in inner districts, which cost one each, must be {KEYS}, got {keys}")


def _total(*piles: Sequence[int]) -> list[int]:
    return [sum(counts) for counts in zip(*piles, strict=True)]


def _check_landscapes(g: Fields) -> None:
    lying = [card for pair in g.pairs for card in pair if card >= 0]
    deck = counts_of(g.deck[: g.deck_size], N_LANDSCAPES)
    counts = _total(deck, g.discard, counts_of(lying, N_LANDSCAPES), *g.hand)
    for name, n in zip(LANDSCAPES, counts, strict=True):
        if n != COPIES:
            raise fail("landscape cards", f"{name} must be there {COPIES} times, got {n}")


def _check_goods(g: Fields, board: Board) -> None:
    stack = counts_of(g.goods_stack[: g.goods_size], N_GOODS_KINDS)
    counts = _total(g.display, g.boxed, stack, *g.goods)
    for name, n, copies in zip(board.goods_names, counts, board.tables[0].copies.tolist(), strict=False):
        if n != copies:
            raise fail("goods cards", f"{name} must be there {copies} times, got {n}")
    displayed = sum(g.display)
    if displayed > DISPLAYED or (displayed < DISPLAYED and g.goods_size > 0):
        raise fail("goods.display", f"expected {DISPLAYED} cards as long as the stack holds any, got {displayed}")


def _check_scoring(g: Fields, board: Board) -> None:
    """Check that the cards to come are in the order of their backs, one for each round (G2.3)."""
    to_come = [*reversed(g.scoring_stack[: g.n_scoring])]
    if g.rounds + len(to_come) != N_SCORING:
        raise fail("scoring_stack", f"expected {N_SCORING - g.rounds} cards in round {g.rounds}, got {len(to_come)}")
    for i, card in enumerate([g.scoring, *to_come], g.rounds - 1):
        where = "scoring_card" if i == g.rounds - 1 else "scoring_stack"
        if _BACK[card] != _BACK[i]:
            raise fail(where, f"{board.scoring_names[card]} has the back {_BACK[card]}, but round {i + 1} needs {_BACK[i]}")
    if g.scoring in to_come:
        raise fail("scoring_card", f"{board.scoring_names[g.scoring]} is still to come")
