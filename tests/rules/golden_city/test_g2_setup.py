"""G2: setup (T10)."""

from __future__ import annotations

from collections import Counter

import pytest

from .components import GOODS, GOODS_CARDS, LANDSCAPES, SCORING, in_order
from .positions import Table, play, table_from_seed, turn

FIGURES = [(2, 46, 29, 18), (3, 44, 26, 18), (4, 42, 23, 16)]


def begun(players: int, seed: int = 1) -> Table:
    return table_from_seed(seed, players)


@pytest.mark.parametrize(("players", "deck", "supply", "houses"), FIGURES)
def test_t10_figures(players: int, deck: int, supply: int, houses: int) -> None:
    """G1.1, G1.4: the deck is counted after dealing, before pairs are laid out."""
    position = begun(players).position
    assert len(position["deck"]) + 2 * len(position["pairs"]) == deck and len(position["pairs"]) == players
    assert (position["coins"], position["keys"], position["discard"]) == (supply, 6, [])
    assert [(player["coins"], player["houses_left"]) for player in position["players"]] == [(3, houses)] * players
    cards = Counter(position["deck"] + [card for pair in position["pairs"] for card in pair["cards"]])
    cards.update(card for player in position["players"] for card in player["hand"])
    assert cards == dict.fromkeys(LANDSCAPES, 10)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g2_1_a_coast_card_and_one_drawn_in_seat_order_from_seat_0(players: int) -> None:
    """Whoever is first player. The coast cards are known to all, those drawn are not."""
    firsts = set()
    for seed in range(12):
        table = begun(players, seed)
        deck, position = table.chances[0].outcome, table.position
        assert isinstance(deck, list) and Counter(deck) == Counter(LANDSCAPES * 10) - Counter(["coast"] * players)
        hands = [in_order(["coast", card]) for card in deck[:players]]
        assert table.by_seat("hand") == hands and table.by_seat("known") == [["coast"]] * players
        drawn = deck[players : 3 * players]
        pairs = [in_order([drawn[i], drawn[players + i]]) for i in range(players)]
        assert [pair["cards"] for pair in position["pairs"]] == sorted(
            pairs, key=lambda p: [LANDSCAPES.index(card) for card in p]
        )
        assert position["deck"] == deck[3 * players :]
        firsts.add(position["first_player"])
    assert firsts == set(range(players))


def test_g2_2_goods() -> None:
    table = begun(3)
    order = table.chances[1].outcome
    assert isinstance(order, list) and sorted(order, key=GOODS.index) == GOODS_CARDS
    assert table.position["goods"] == {"display": in_order(order[:3], GOODS), "stack": order[3:], "box": []}
    assert table.position["bonus_taken"] == [] and table.by_seat("goods") == [[], [], []]


def test_g2_3_scoring_cards_by_their_backs() -> None:
    for seed in range(5):
        table = begun(3, seed)
        shuffled = [chance.outcome for chance in table.chances[2:5]]
        assert [sorted(map(str, cards)) for cards in shuffled if isinstance(cards, list)] == [
            SCORING[:4],
            SCORING[4:12],
            SCORING[12:],
        ]
        position = table.position
        order = [card for cards in shuffled if isinstance(cards, list) for card in cards]
        assert [position["scoring_card"], *position["scoring_stack"]] == order
    assert order != SCORING


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g2_4_the_first_player_is_random_and_bids_first(players: int) -> None:
    """Unless all pairs are equal: then the first bid is not asked (E33)."""
    drawn: Counter[int] = Counter()
    for seed in range(100):
        table = begun(players, seed)
        position = table.position
        first = position["first_player"]
        assert table.chances[5].outcome == first
        assert table.decision == ("bid", first) or all(
            pair["cards"] == position["pairs"][0]["cards"] for pair in position["pairs"]
        )
        drawn[first] += 1
    assert set(drawn) == set(range(players)) and min(drawn.values()) > 100 / players * 0.5


def test_g2_5_two_players_read_every_rule_literally() -> None:
    """Two pairs a round, 18 houses each."""
    table = play(turn("c", "c"), "build:done", "build:done")
    assert len(table.position["pairs"]) == 2 and table.by_seat("houses_left") == [18, 18]
