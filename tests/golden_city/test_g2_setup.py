"""G2: setup (T10)."""

from __future__ import annotations

from collections import Counter

import pytest

import ginkgo_env
from ginkgo_env.cli.output import Transcript, configurations_table

from .components import GOODS, GOODS_CARDS, LANDSCAPES, SCORING, in_order
from .table import Table, game_of

FIGURES = [(2, 46, 29, 18), (3, 44, 26, 18), (4, 42, 23, 16)]


def begun(players: int, seed: int = 1) -> Table:
    return Table(game_of(players)).begin(seed)


@pytest.mark.parametrize(("players", "deck", "supply", "houses"), FIGURES)
def test_t10_figures(players: int, deck: int, supply: int, houses: int) -> None:
    """The deck is counted after dealing, before pairs are laid out."""
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
    table = Table(game_of(players))
    for seed in range(100):
        position = table.begin(seed).position
        first = position["first_player"]
        assert table.chances[5].outcome == first
        assert table.decision == ("bid", first) or all(
            pair["cards"] == position["pairs"][0]["cards"] for pair in position["pairs"]
        )
        drawn[first] += 1
    assert set(drawn) == set(range(players)) and min(drawn.values()) > 100 / players * 0.5


def test_g2_5_two_players_are_a_variant() -> None:
    """Every rule read literally: two pairs a round, 18 houses each; called a variant in lists, records and ratings."""
    game = game_of(2)
    assert begun(2).position["round"] == 1 and game.seats == game.sides == 2
    assert [game_of(players).variant for players in (2, 3, 4)] == ["variant", "", ""]
    listed = [str(words) for words in configurations_table("golden_city").columns[0].cells]
    assert listed == ["players=3", "players=4", "players=2 (variant)"]
    head = next(Transcript(ginkgo_env.Record.from_actions(game_of(2), 1, [])).blocks()).strip()
    assert head.startswith("The Golden City (variant): players 2, board own, seed ")
