"""Resampling (G10.6): possible worlds only, what a seat knows stays, all else varies, with the right frequencies."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import comb
from typing import Any

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import States

from ..rules.golden_city.components import BONUS, COASTS
from ..rules.golden_city.positions import Json, game_of, turn
from .random_games import crafted, pad, repeated


def made(position: Json) -> States:
    return game_of(3).from_position(position)


def worlds(players: int, state: States, seat: int, n: int = 200, seed: int = 0) -> Batch:
    batch = repeated(players, state, n)
    batch.resample(seat, seed=seed)
    return batch


# --- bonus cards (G10.3, E31) --------------------------------------------------------------------------------------------------

SEATS, CARDS = [1, 0, 2, 1, 0, 2, 1], [3, 1, 5, 0, 7, 2, 4]


def takes(n: int = 7) -> dict[str, Any]:
    return {"n_bonus": n, "bonus_seat": pad(SEATS[:n], 8), "bonus_card": pad(CARDS[:n], 8)}


def found(state: States, seat: int, start: int, stop: int, n: int = 400) -> Counter[tuple[int, ...]]:
    return Counter(tuple(cards[start:stop].tolist()) for cards in worlds(3, state, seat, n).states["bonus_card"])


def test_takes_between_own_ones_exchange_their_cards() -> None:
    """E31: who took between two looks of the seat has cards of a known set; later takes come out of what was left."""
    state = crafted(3, **takes())
    assert set(found(state, 0, 0, 2)) == {(3, 1)}
    assert set(found(state, 0, 2, 4)) == {(5, 0), (0, 5)}
    last = found(state, 0, 5, 7, 1200)
    assert set(last) == set(permutations([2, 4, 6], 2))
    assert min(last.values()) > 140  # 200 each on average
    assert set(found(state, 2, 0, 2)) == {(3, 1), (1, 3)}  # another seat, which took third and sixth
    assert set(found(state, 2, 2, 3)) == {(5,)} and set(found(state, 2, 3, 5)) == {(0, 7), (7, 0)}
    assert set(found(state, 2, 6, 7)) == {(4,), (6,)}


def test_who_has_taken_none_knows_nothing() -> None:
    state = crafted(3, **(takes(2) | {"bonus_seat": pad([1, 2], 8)}))
    cards = found(state, 0, 0, 2, 4000)
    assert set(cards) == set(permutations(range(8), 2))


def test_while_choosing_the_stack_is_seen() -> None:
    """The takes after the last own one only exchange their cards; for the others nothing changes."""
    taken = [[seat, BONUS[card]] for seat, card in zip(SEATS, CARDS, strict=True)]
    houses = {"C2": 0, "F1": 0}
    state = made(turn("", "", "", kind="bonus", houses=houses, built=1, place="F1", bonus_taken=taken))
    assert set(found(state, 0, 5, 7)) == {(2, 4), (4, 2)}
    assert set(found(state, 2, 6, 7)) == {(4,), (6,)}
    batch = worlds(3, state, 0)
    assert (batch.mask == batch.mask[0]).all() and batch.mask[0].sum() == 1


# --- landscape cards -----------------------------------------------------------------------------------------------------------


COAST, FOREST, MEADOW, MOUNTAIN, DESERT = range(5)
DECK, POOL = "cffde", [COAST, FOREST, FOREST, DESERT, MEADOW]
HANDS, KNOWN = ["c", "cfe", "md"], ["c", "c", "d"]  # all other cards are discarded


def test_hands_are_dealt_as_often_as_there_are_cards() -> None:
    """Frequencies of the two unknown cards of seat 1: drawn without replacement from the pool."""
    houses = {"C2": 2, "F1": 2}
    state = made(turn(*HANDS, seat=2, kind="bonus", houses=houses, built=1, place="F1", deck=DECK, known=KNOWN))
    pool, n = Counter([*POOL, FOREST, MEADOW, MOUNTAIN]), 8000
    dealt = Counter(tuple(hand.tolist()) for hand in worlds(3, state, 0, n).states["hand"][:, 1] - state["known"][0, 1])
    total = sum(pool.values())
    for a in range(5):
        for b in range(a, 5):
            ways = comb(pool[a], 2) if a == b else pool[a] * pool[b]
            hand = tuple((np.eye(5, dtype=int)[a] + np.eye(5, dtype=int)[b]).tolist())
            mean = n * ways / comb(total, 2)
            assert abs(dealt[hand] - mean) <= 5 * mean**0.5, (hand, dealt[hand], mean)


def test_another_player_who_pays_can_pay() -> None:
    """E32: uniform among the deals with which seat 1 can pay for a forest suburb."""
    known = ["c", "", "d"]
    state = made(turn("cc", "ff", "md", seat=1, kind="pay", place="F1", houses={"C1": 1}, deck=DECK, known=known))
    pool, n = Counter([*POOL, FOREST, FOREST, MOUNTAIN]), 2000
    assert pool[FOREST] == 4
    batch = worlds(3, state, 0, n)
    assert (batch.states["hand"][:, 1] == [0, 2, 0, 0, 0]).all()  # two cards that are no joker can pay for it only so
    assert (batch.mask.sum(axis=1, dtype=np.int64) == 1).all()  # asked all the same (a ruling)
    unknown = Counter(tuple((hand - state["known"][0, 2]).tolist()).index(1) for hand in batch.states["hand"][:, 2])
    for landscape, cards in (Counter(pool) - Counter({FOREST: 2})).items():
        mean = n * cards / (sum(pool.values()) - 2)
        assert abs(unknown[landscape] - mean) <= 5 * mean**0.5
    own = worlds(3, state, 1, n)
    assert (own.states["hand"][:, 1] == [0, 2, 0, 0, 0]).all()


def test_another_player_who_builds_is_offered_a_place() -> None:
    """Seat 1 has a house with forest suburbs beside it, and all coast places are taken."""
    houses = {"C1": 1} | dict.fromkeys(COASTS[1:], 2)  # C1 is beside F1
    hands, cards = ["cc", "ff", "md"], {"deck": DECK, "known": ["c", "", "d"]}
    batch = worlds(3, made(turn(*hands, seat=1, houses=houses, **cards)), 0, 500)
    assert (batch.states["hand"][:, 1] == [0, 2, 0, 0, 0]).all()
    asked = made(turn(*hands, seat=0, houses={"C1": 1}, **cards))  # nothing is asked of seat 1: any hand will do
    assert len({tuple(hand.tolist()) for hand in worlds(3, asked, 0, 500).states["hand"][:, 1]}) > 3


def test_a_deal_that_only_the_true_one_can_be_is_kept() -> None:
    """Nothing in the pool but what the hand has."""
    known = ["c", "", "d"]
    state = made(turn("cc", "ff", "d", seat=1, kind="pay", place="F1", houses={"C1": 1}, deck="", known=known))
    assert (worlds(3, state, 0, 20).states["hand"][:, 1] == [0, 2, 0, 0, 0]).all()


# --- goods and scoring cards ---------------------------------------------------------------------------------------------------


def test_the_goods_stack_is_shuffled() -> None:
    display, stack = ["pottery+cloth", "wine+cloth", "cloth+spices"], ["pottery+wine", "pottery+wine", "wine+spices"]
    state = made(turn("c", "", "", display=display, stack=stack))
    orders = Counter(tuple(stack[:3].tolist()) for stack in worlds(3, state, 1, 900).states["goods_stack"])
    assert set(orders) == {(0, 0, 4), (0, 4, 0), (4, 0, 0)} and min(orders.values()) > 230


def test_scoring_cards_are_shuffled_within_each_back() -> None:
    """All orders are as likely; of back 1 none is left."""
    state = made(turn("c", "", "", card="2A", rounds=10))
    orders = Counter(tuple(stack[:6].tolist()) for stack in worlds(3, state, 1, 4800).states["scoring_stack"])
    assert set(orders) == {(*third, *second) for third in permutations([12, 13, 14, 15]) for second in permutations([10, 11])}
    assert min(orders.values()) > 50  # 100 on average
    state = made(turn("c", "", "", card="3A", rounds=14))
    assert {tuple(s[:3].tolist()) for s in worlds(3, state, 1, 60).states["scoring_stack"]} == {(14, 15, -1), (15, 14, -1)}
