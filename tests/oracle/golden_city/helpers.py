"""Positions built by hand."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .board import COPIES, LANDSCAPES, load_board
from .golden_city import PICKS, Oracle

Json = dict[str, Any]
BOARD = load_board()
SHORT = {"c": "coast", "f": "forest", "e": "meadow", "m": "mountain", "d": "desert"}


class Scripted:
    """A chance that leaves the order as it is, or plays what it is told to, and remembers what it was asked."""

    def __init__(self, **outcomes: list[Any]) -> None:
        self.outcomes = outcomes
        self.asked: list[tuple[str, list[Any]]] = []

    def __call__(self, name: str, items: list[Any]) -> Any:
        self.asked.append((name, list(items)))
        if self.outcomes.get(name):
            return self.outcomes[name].pop(0)
        return items[0] if name in PICKS else list(items)


def config(players: int) -> Json:
    return {"players": players, "board": "own"}


def cards(short: str) -> list[str]:
    """Landscapes from letters: c coast, f forest, e meadow, m mountain, d desert."""
    return [SHORT[letter] for letter in short]


def interleaved(pile: list[str]) -> list[str]:
    """The cards with the landscapes in turn, so that pairs made of them differ."""
    numbered = [(pile[:i].count(card), LANDSCAPES.index(card), card) for i, card in enumerate(pile)]
    return [card for _, _, card in sorted(numbered)]


def deal(position: Json, *hands: str, deck: str | None = None) -> Json:
    """Hands by letters; all other cards lie in the deck, or in the discard pile but for those named for the deck."""
    for player, hand in zip(position["players"], hands, strict=False):
        player |= {"hand": sorted(cards(hand), key=LANDSCAPES.index), "known": []}
    held = Counter(card for player in position["players"] for card in player["hand"])
    held += Counter(card for pair in position["pairs"] for card in pair["cards"])
    rest = [name for name in LANDSCAPES for _ in range(COPIES - held[name])]
    position["deck"], position["discard"] = (interleaved(rest), []) if deck is None else (cards(deck), rest)
    for card in position["deck"] if deck is not None else []:
        position["discard"].remove(card)
    return position


def turn_of(
    seat: int, players: int = 3, *hands: str, deck: str | None = None, houses: Mapping[str, Any] | None = None, **changes: Any
) -> Json:
    """A build decision of a seat in round 1, the turn just begun; the first hand is the seat's, then clockwise.

    The actor is the first player. Places of ``houses`` lead to seats.
    """
    position = Oracle(config(players), Scripted()).position()
    position |= {"pairs": [], "decision": {"kind": "build", "actor": seat}, "first_player": seat}
    position["turn"] = {"player": seat, "built": 0, "place": None, "discarded": None}
    for player in position["players"]:
        player |= {"hand": [], "known": []}
    in_seats = [""] * players
    for k, hand in enumerate(hands):
        in_seats[(seat + k) % players] = hand
    deal(position, *in_seats, deck=deck)
    stand(position, houses or {})
    return position | changes


def bidding(first: int, pairs: list[str], *coins: int, hands: list[str] | None = None) -> Json:
    """The first bid of a round for these pairs; a player for each number of coins."""
    position = Oracle(config(len(coins)), Scripted()).position()
    position |= {"first_player": first, "decision": {"kind": "bid", "actor": first}}
    position["pairs"] = [{"cards": cards(pair), "seat": None} for pair in pairs]
    deal(position, *(hands or [""] * len(coins)))
    give_coins(position, *coins)
    return position


def stand(position: Json, houses: Mapping[str, Any]) -> Json:
    """Put houses on the board: places lead to seats (a number or a list)."""
    whole = position["houses"] | {name: seats if isinstance(seats, list) else [seats] for name, seats in houses.items()}
    position["houses"] = {name: whole[name] for name in BOARD.places if name in whole}
    total = {2: 18, 3: 18, 4: 16}[len(position["players"])]
    for seat, player in enumerate(position["players"]):
        player["houses_left"] = total - sum(seat in seats for seats in whole.values())
    return position


def give_coins(position: Json, *coins: int) -> Json:
    """Coins of each seat; the rest is the supply."""
    for player, number in zip(position["players"], coins, strict=True):
        player["coins"] = number
    position["coins"] = 35 - sum(coins)
    return position


def give_goods(position: Json, display: list[str], stack: list[str], *own: list[str]) -> Json:
    """Goods cards; what is left lies in the box."""
    owned = [*own, *([] for _ in range(len(position["players"]) - len(own)))]
    left = Counter(BOARD.goods_copies) - Counter(display + stack + [card for cards in owned for card in cards])
    position["goods"] = {"display": BOARD.goods_in_order(display), "stack": stack}
    position["goods"]["box"] = BOARD.goods_in_order(left.elements())
    for player, goods in zip(position["players"], owned, strict=True):
        player["goods"] = BOARD.goods_in_order(goods)
    return position


def show_card(position: Json, card: str) -> Json:
    """A scoring card of the round; it changes places with the present one."""
    stack = [position["scoring_card"], *position["scoring_stack"]]
    stack.remove(card)
    return position | {"scoring_card": card, "scoring_stack": stack}


def last_round(position: Json, card: str = "3D") -> Json:
    """The same in round 16."""
    return position | {"round": 16, "scoring_card": card, "scoring_stack": []}


def play(position: Json, *actions: str, chance: Scripted | None = None, folder: Path | None = None) -> Oracle:
    """The game after these actions."""
    oracle = Oracle.from_position(position, chance or Scripted(), folder)
    for action in actions:
        oracle.apply(action)
    return oracle


def offered(oracle: Oracle) -> list[str]:
    """The legal actions without what stands before the colon."""
    return [text.partition(":")[2] for text in oracle.legal()]
