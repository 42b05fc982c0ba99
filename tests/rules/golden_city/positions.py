"""Positions for rule tests: say what matters, and every other piece finds a legal place; and tables to play them on.

>>> table = start(turn("dd", "", "", houses={"C14": 0}))
>>> table.play("build:D2").decision
('goods', 0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

import ginkgo_env
from ginkgo_env.core.game import Game
from ginkgo_env.games.golden_city.board import load_board

from ..kernel_play import Json, KernelPlay
from .components import COASTS, GOODS, GOODS_CARDS, HOUSES, INNER, LANDSCAPES, SCORING, cards, in_order

Houses = Mapping[str, int | Sequence[int]]

BLUE = {"C13": 0, "D1": 0, "D5": 0, "DO1": 0}  # of T2
SEVENTEEN = dict.fromkeys([*COASTS[:10], *(f"F{i}" for i in range(1, 8))], 0)  # all but one of the houses of seat 0 of three


def all_coasts(*seats: int) -> dict[str, int]:
    """Every coast place taken, in turn by these seats."""
    return {place: seats[i % len(seats)] for i, place in enumerate(COASTS)}


def _mixed(pile: list[str]) -> list[str]:
    """The landscapes in turn, so that pairs made of these cards differ."""
    numbered = sorted((pile[:i].count(card), LANDSCAPES.index(card)) for i, card in enumerate(pile))
    return [LANDSCAPES[card] for _, card in numbered]


def _deal(hands: Sequence[str], lying: str, deck: str | None, discard: str) -> Json:
    """All other cards lie in the deck; or in the discard pile, if the deck is named."""
    left = Counter(LANDSCAPES * 10)
    left.subtract(cards("".join(hands) + lying + (deck or discard)))
    rest = in_order([*left.elements()])
    return {"deck": _mixed(rest), "discard": cards(discard)} if deck is None else {"deck": cards(deck), "discard": rest}


def _goods(own: Sequence[Sequence[str]], display: Sequence[str] | None, stack: Sequence[str] | None) -> Json:
    left = Counter(GOODS_CARDS)
    left.subtract([card for held in own for card in held])
    if display is None:
        rest = in_order([*left.elements()], GOODS)
        return {"display": rest[:3], "stack": rest[3:], "box": []}
    left.subtract([*display, *(stack or [])])
    return {"display": in_order(display, GOODS), "stack": list(stack or []), "box": in_order([*left.elements()], GOODS)}


def _scoring(card: str, rounds: int | None) -> Json:
    """A round in which this card is scored, and those to come."""
    order = list(SCORING)
    number = rounds or {"1": 1, "2": 5, "3": 13}[card[0]]
    at = order.index(card)
    order[at], order[number - 1] = order[number - 1], card
    return {"round": number, "scoring_card": card, "scoring_stack": order[number:]}


def position(
    hands: Sequence[str],
    *,
    first: int = 0,
    lying: str = "",
    deck: str | None = None,
    discard: str = "",
    houses: Houses | None = None,
    known: Sequence[str] | None = None,
    coins: Sequence[int] | None = None,
    keys: Sequence[int] | None = None,
    goods: Sequence[Sequence[str]] | None = None,
    display: Sequence[str] | None = None,
    stack: Sequence[str] | None = None,
    letters: Sequence[Mapping[str, int]] | None = None,
    card: str = "1A",
    rounds: int | None = None,
    digest: str | None = None,
    board: str = "own",
    **other: Any,
) -> Json:
    """A position with a hand for each player, in letters (``cards``). Give the rest by seat; `other` is taken as it stands.

    A board that is not the shipped one is given by its folder.
    """
    n = len(hands)
    places = load_board().place_ids
    standing = {name: [seats] if isinstance(seats, int) else list(seats) for name, seats in (houses or {}).items()}
    coins, keys, known = coins or [3] * n, keys or [0] * n, known or [""] * n
    goods = [*(goods or []), *([[]] * n)][:n]
    letters = [*(letters or []), *([{}] * n)][:n]
    spent = sum(len(standing.get(name, [])) for name in INNER)
    return {
        "format": "ginkgo-position",
        "version": 1,
        "game": "golden_city",
        "config": {"players": n, "board": Path(board).name},
        "board_digest": digest or load_board(board).digest,
        "random": "0x0123456789abcdef",
        "seed": "0x0000000000000007",
        "first_player": first,
        "decision": None,
        "ending": None,
        "blocked": [],
        **_scoring(card, rounds),
        "pairs": [],
        "displacements": 0,
        "turn": None,
        "houses": {name: sorted(standing[name]) for name in places if name in standing},
        **_deal(hands, lying, deck, discard),
        "goods": _goods(goods, display, stack),
        "bonus_taken": [],
        "keys": 6 - sum(keys) - spent,
        "coins": 35 - sum(coins),
        "players": [
            {
                "letters": {"outer": 0, "inner": 0, "goods": 0, "rivers": 0, "quarters": 0, **letters[seat]},
                "coins": coins[seat],
                "keys": keys[seat],
                "houses_left": HOUSES[n] - sum(seat in seats for seats in standing.values()),
                "hand": in_order(cards(hands[seat])),
                "known": in_order(cards(known[seat])),
                "goods": in_order(goods[seat], GOODS),
            }
            for seat in range(n)
        ],
        **other,
    }


def turn(*hands: str, seat: int = 0, first: int | None = None, kind: str = "build", **other: Any) -> Json:
    """A seat's building turn has begun; it is the first player's unless told otherwise."""
    place, built, discarded = (other.pop(name, default) for name, default in (("place", None), ("built", 0), ("discarded", None)))
    return position(
        hands,
        first=seat if first is None else first,
        decision={"kind": kind, "actor": seat},
        turn={"player": seat, "built": built, "place": place, "discarded": discarded},
        **other,
    )


def bidding(pairs: str, *hands: str, first: int = 0, bids: Sequence[int] = (), **other: Any) -> Json:
    """Bidding for these pairs, such as ``"cc cd ff"``, of which the first ones may have been taken by the seats of ``bids``."""
    lie = [*bids, *[None] * len(pairs.split())]
    seat = (first + len(bids)) % len(pairs.split())
    return position(
        hands or [""] * len(pairs.split()),
        first=first,
        lying=pairs.replace(" ", ""),
        decision={"kind": "bid", "actor": seat},
        pairs=[{"cards": cards(pair), "seat": p} for pair, p in zip(pairs.split(), lie, strict=False)],
        **other,
    )


def over(players: int, **other: Any) -> Json:
    """A game that is over: ended with the last scoring card, unless told otherwise."""
    told = {"hands": [""] * players, "ending": "cards", "card": "3D", "rounds": 16} | other
    return position(decision={"kind": "over", "actor": None}, **told)


# --- tables --------------------------------------------------------------------------------------------------------------------


@cache
def game_of(players: int, board: str = "own") -> Game:
    return ginkgo_env.make_game("golden_city", players=players, board=board)


class Table(KernelPlay):
    """A game of The Golden City being played by the kernels."""

    def play_at_random(self) -> Self:
        """Play a legal action, which depends on how many cards are in the deck."""
        return self.play(self.legal[len(self.position["deck"]) % len(self.legal)])

    def without_piles(self) -> Self:
        """Without deck and discard pile, as no game is: the cards vanish from the record itself."""
        self.state["deck_size"], self.state["deck"], self.state["discard"] = 0, -1, 0
        return self

    def letters(self, source: str) -> list[int]:
        return [player["letters"][source] for player in self.position["players"]]

    @property
    def offered(self) -> list[str]:
        """All legal actions without what stands before the colon."""
        return [text.partition(":")[2] for text in self.legal]

    def sites(self, seat: int) -> list[str]:
        return [name for name, here in zip(load_board().place_ids, self.seen(seat)["sites"], strict=True) if here]


implementation: type[Table] = Table  # who plays tables; conftest.py tells the oracle to


def table_from_seed(seed: int, players: int = 3, board: str = "own") -> Table:
    """A game from its beginning."""
    return implementation(game_of(players, board)).reset(seed)


def start(data: Json, board: str = "own") -> Table:
    """A table at a position."""
    return implementation(game_of(len(data["players"]), board)).set_position(data)


def play(data: Json, *texts: str, board: str = "own") -> Table:
    """A table at a position, and these actions played."""
    return start(data, board).play(*texts)
