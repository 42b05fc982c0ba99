"""Careful play: a one-step chooser, neither strong nor part of the rules. Its scores show what the board gives when used."""

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

from .bidding import NAMES
from .board import LANDSCAPES, Place, own_board
from .building import cost

Json = dict[str, Any]
REWARDS = {"card": 1.5, "coin": 1.0, "two_coins": 2.0, "key": 3.5, "bonus": 5.0, "goods": 5.0}
NOWHERE = Place("", "", "", "", "", "", (0, 0), 0, 0)  # of "done"


def place_of(text: str, places: Mapping[str, Place]) -> Place:
    """The place of a build action."""
    return places.get(text.removeprefix("build:"), NOWHERE)


def careful(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """The best action by a rough number; of several the first."""
    kind = legal[0].partition(":")[0]
    rate = {"bid": rate_bid, "build": rate_build, "pay": rate_payment, "goods": rate_goods, "bonus": rate_bonus}
    if kind in rate:
        return max(legal, key=lambda text: rate[kind](text.partition(":")[2], position, seat))
    held = Counter(position["players"][seat]["hand" if kind == "discard" else "goods"])
    if kind == "discard":
        return min(legal, key=lambda text: held[text.partition(":")[2]])
    return max(legal, key=lambda text: held[text.partition(":")[2]])  # box: of two equal ones, one


def value(place: Place, position: Json, seat: int) -> float:
    """What a house there is worth: its reward, where it leads, what the cards on the table count."""
    houses = position["houses"]
    if place.is_district:
        number = len(houses.get(place.name, []))
        worth = place.letters[number] + 1.0 if number < 2 else 1.0
    else:
        worth = 0.0 if place.kind == "coast" and number_on_coast(position, seat) > 3 else REWARDS[place.reward]
        if place.reward == "key" and position["keys"] and not position["players"][seat]["keys"]:
            worth += 4.0  # an inner district
    board = own_board()
    if place.name in board.areas(board.scoring[position["scoring_card"]].kind, board.scoring[position["scoring_card"]].area):
        worth += 2.0
    own = [card for owner, card in position["bonus_taken"] if owner == seat]
    worth += 2.0 * ("rivers" in own and bool(place.river)) + ("city" in own and place.is_district)
    worth += place.landscape in own
    return worth + 0.4 * reach(place, position, seat)


def number_on_coast(position: Json, seat: int) -> int:
    """Houses of a seat on coast places."""
    return sum(own_board().places[name].kind == "coast" for name, seats in position["houses"].items() if seat in seats)


def reach(place: Place, position: Json, seat: int) -> float:
    """The best place that a house there would add to the sites."""
    board, houses = own_board(), position["houses"]
    best = 0.0
    for name in board.neighbors[place.name]:
        next_place = board.places[name]
        there = houses.get(name, [])
        if next_place.is_district and seat not in there and len(there) < 2:
            best = max(best, next_place.letters[len(there)] * 1.0)
        elif next_place.kind == "suburb" and not there:
            best = max(best, REWARDS[next_place.reward] * 0.8)
    return best


def open_sites(position: Json, seat: int) -> list[Place]:
    """Where the seat may build, cards disregarded; inner districts with a key only."""
    board, houses = own_board(), position["houses"]
    found = []
    for place in board.places.values():
        there = houses.get(place.name, [])
        joined = place.kind == "coast" or any(seat in houses.get(name, []) for name in board.neighbors[place.name])
        free = seat not in there if place.is_district else not there
        if joined and free and (place.kind != "inner" or position["players"][seat]["keys"]):
            found.append(place)
    return found


def payable(place: Place, hand: list[str]) -> bool:
    """Whether some choice of sources can be paid."""
    held, units = Counter(hand), 1 if place.kind == "coast" else 2
    return any(cost(place, sources) <= held for sources in combinations_with_replacement(LANDSCAPES, units))


def rate_bid(name: str, position: Json, seat: int) -> float:
    pair = position["pairs"][NAMES.index(name)]
    hand = position["players"][seat]["hand"] + pair["cards"]
    best = max((value(p, position, seat) for p in open_sites(position, seat) if payable(p, hand)), default=0.0)
    price = position["displacements"] + 1 if pair["seat"] is not None else 0
    alike = max(Counter(card for card in hand if card != "coast").values(), default=0)
    return best + 0.3 * alike - 1.5 * price


def rate_build(name: str, position: Json, seat: int) -> float:
    if name == "done":
        return 2.5
    return value(own_board().places[name], position, seat)


def rate_payment(sources: str, position: Json, seat: int) -> float:
    place = own_board().places[position["turn"]["place"]]
    return -sum(cost(place, tuple(sources.split("+"))).values())


def rate_goods(card: str, position: Json, seat: int) -> float:
    if card == "stack":
        return 0.5
    goods = own_board().goods
    held = {good for name in position["players"][seat]["goods"] for good in goods[name]}
    return len(set(goods[card]) - held)


def rate_bonus(card: str, position: Json, seat: int) -> float:
    places = [own_board().places[name] for name, seats in position["houses"].items() if seat in seats]
    player, rest = position["players"][seat], (16 - int(position["round"])) / 16
    worth: dict[str, float] = {
        "goods": 3.0 * len(player["goods"]) + 5 * rest,
        "coins": 2.0 * player["coins"],
        "city": sum(place.is_district for place in places) + 5 * rest,
        "rivers": 2.0 * sum(bool(place.river) for place in places) + 3 * rest,
    }
    return worth[card] if card in worth else sum(place.landscape == card for place in places) + 2.5 * rest
