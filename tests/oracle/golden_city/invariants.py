"""What must hold in every position of a game played from the start. Boards: any, with the numbers of G1."""

from collections import Counter
from typing import Any

from .board import COINS, COPIES, DISPLAY, GOODS_LIMIT, HAND_LIMIT, HOUSES, KEYS, LANDSCAPES, ROUNDS, Board

Json = dict[str, Any]
MOST_CARDS = 7  # in a hand


def check(position: Json, board: Board) -> None:
    """Every check below."""
    check_landscape_cards(position)
    check_coins_and_keys(position, board)
    check_goods(position, board)
    check_bonus(position, board)
    check_houses(position, board)
    check_connection(position, board)
    check_scoring(position, board)
    check_bidding(position)
    check_turn(position, board)


def check_landscape_cards(position: Json) -> None:
    """G1.1: ten of each; known parts are parts of hands (G10.3); the hand limit (G5.8)."""
    cards = Counter(position["deck"] + position["discard"])
    for pair in position["pairs"]:
        cards += Counter(pair["cards"])
    for seat, player in enumerate(position["players"]):
        cards += Counter(player["hand"])
        assert Counter(player["known"]) <= Counter(player["hand"])
        assert player["hand"] == sorted(player["hand"], key=LANDSCAPES.index)
        in_turn = position["turn"] is not None and after_or_at(position, seat)
        assert len(player["hand"]) <= (MOST_CARDS if in_turn else HAND_LIMIT)
    assert cards == Counter(dict.fromkeys(LANDSCAPES, COPIES))
    assert position["discard"] == sorted(position["discard"], key=LANDSCAPES.index)


def after_or_at(position: Json, seat: int) -> bool:
    """Whether the building turn of a seat is under way or still to come."""
    n, first = len(position["players"]), position["first_player"]
    return bool((seat - first) % n >= (position["turn"]["player"] - first) % n)


def check_coins_and_keys(position: Json, board: Board) -> None:
    """G1.4: 35 coins; a key is in the stack, held, or spent on a house in an inner district."""
    players = position["players"]
    coins = [position["coins"], *(player["coins"] for player in players)]
    assert sum(coins) == COINS and min(coins) >= 0
    spent = sum(len(seats) for name, seats in position["houses"].items() if board.places[name].kind == "inner")
    keys = [position["keys"], *(player["keys"] for player in players)]
    assert sum(keys) + spent == KEYS and min(keys) >= 0


def check_goods(position: Json, board: Board) -> None:
    """G2.2, G6.2, G6.3: eight cards; the display is full while the stack lasts; four a player, five during `box`."""
    goods, decision = position["goods"], position["decision"]
    owned = [player["goods"] for player in position["players"]]
    cards = Counter(goods["display"] + goods["stack"] + goods["box"] + [card for own in owned for card in own])
    assert cards == Counter(board.goods_copies)
    assert len(goods["display"]) == DISPLAY or not goods["stack"]
    for seat, own in enumerate(owned):
        assert len(own) == GOODS_LIMIT + 1 if decision == {"kind": "box", "actor": seat} else len(own) <= GOODS_LIMIT
    for cards_in_order in (goods["display"], goods["box"], *owned):
        assert cards_in_order == board.goods_in_order(cards_in_order)
    taken = len(goods["box"]) + sum(map(len, owned))
    assert taken == min(8, houses_with(position, board, "goods") - (decision["kind"] == "goods"))


def check_bonus(position: Json, board: Board) -> None:
    """G6.4: each card once, one for each house on a place that brings one, as long as there are any."""
    cards = [card for _, card in position["bonus_taken"]]
    assert len(set(cards)) == len(cards) and set(cards) <= set(board.bonus)
    assert len(cards) == min(8, houses_with(position, board, "bonus") - (position["decision"]["kind"] == "bonus"))


def houses_with(position: Json, board: Board, reward: str) -> int:
    """Houses on places with this reward."""
    return sum(board.places[name].reward == reward for name in position["houses"])


def check_houses(position: Json, board: Board) -> None:
    """G1.4, G5.2: all houses are somewhere; one house on a place, in a district one of each seat; letters of districts."""
    players, houses = position["players"], position["houses"]
    assert list(houses) == [name for name in board.places if name in houses]
    for seat, player in enumerate(players):
        built = sum(seat in seats for seats in houses.values())
        assert player["houses_left"] + built == HOUSES[len(players)] and player["houses_left"] >= 0
    letters = {"outer": 0, "inner": 0}
    for name, seats in houses.items():
        place = board.places[name]
        assert seats == sorted(set(seats)) and 1 <= len(seats) <= (len(players) if place.is_district else 1)
        if place.is_district:
            letters[place.kind] += sum(place.letters[: len(seats)])
    if position["turn"] is None or position["turn"]["place"] is None:
        assert letters == {kind: sum(player["letters"][kind] for player in players) for kind in letters}


def check_connection(position: Json, board: Board) -> None:
    """G5.2: a chain of own houses leads from each to an own house on the coast."""
    for seat in range(len(position["players"])):
        own = {name for name, seats in position["houses"].items() if seat in seats}
        reached = {name for name in own if board.places[name].kind == "coast"}
        waiting = list(reached)
        while waiting:
            new = set(board.neighbors[waiting.pop()]) & own - reached
            reached |= new
            waiting += new
        assert reached == own


def check_scoring(position: Json, board: Board) -> None:
    """G2.3: sixteen cards, one a round, by back."""
    left = [position["scoring_card"], *position["scoring_stack"]]
    assert len(set(left)) == len(left) == ROUNDS + 1 - position["round"]
    backs = [board.scoring[card].back for card in left]
    assert backs == [1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3][position["round"] - 1 :]
    for player in position["players"]:
        for source in ("goods", "rivers", "quarters"):
            assert player["letters"][source] % 2 == 0 and player["letters"][source] <= 4 * position["round"]


def check_bidding(position: Json) -> None:
    """G4: one hand a seat; a free pair is left for the actor; seven displacements at most (G8.2)."""
    seats = [pair["seat"] for pair in position["pairs"] if pair["seat"] is not None]
    assert len(set(seats)) == len(seats)
    if position["decision"]["kind"] == "bid":
        assert len(position["pairs"]) == len(position["players"]) > len(seats)
        assert position["decision"]["actor"] not in seats and 0 <= position["displacements"] <= 7
        order = [[LANDSCAPES.index(card) for card in pair["cards"]] for pair in position["pairs"]]
        assert order == sorted(order) and all(pair == sorted(pair) and len(pair) == 2 for pair in order)
    else:
        assert position["pairs"] == [] and position["displacements"] == 0


def check_turn(position: Json, board: Board) -> None:
    """G11.5."""
    kind, turn = position["decision"]["kind"], position["turn"]
    assert (turn is None) == (kind in ("bid", "over"))
    if kind == "over":
        assert position["decision"]["actor"] is None and position["ending"] is not None
    if kind == "bid":
        assert position["ending"] is None
    if turn is None:
        return
    assert turn["player"] == position["decision"]["actor"] and 0 <= turn["built"] <= 2
    assert (turn["place"] is not None) == (kind in ("pay", "goods", "box", "bonus"))
    if turn["place"] is not None:
        assert (turn["player"] in position["houses"].get(turn["place"], [])) == (kind != "pay")
        assert kind == "pay" or board.places[turn["place"]].reward == {"box": "goods"}.get(kind, kind)
    assert kind == "discard" or turn["discarded"] is None
