"""Random outcomes by name (G11.2), what ended a game, points by source and bonus card (G9)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import ginkgo_env

from ..rules.golden_city.boards import four_kinds
from ..rules.golden_city.positions import BLUE, game_of, over, start, turn
from .random_games import PLAYERS, played, steps

LANDSCAPES = ["coast", "forest", "meadow", "mountain", "desert"]


@pytest.mark.parametrize("players", PLAYERS)
def test_random_outcomes(players: int) -> None:
    table = game_of(players)
    at_start = table.chances(steps(players)[0].rows)
    assert [chance.name for chance in at_start] == [
        *("landscapes", "goods", "scoring_1", "scoring_2", "scoring_3", "first_player"),
    ]
    landscapes, goods, *scoring, first = [chance.outcome for chance in at_start]
    assert Counter(landscapes) == Counter(LANDSCAPES * 10) - Counter({"coast": players})  # type: ignore[arg-type]
    assert len(goods) == 8 and Counter(goods)["pottery+wine"] == 2  # type: ignore[arg-type]
    assert [len(cards) for cards in scoring] == [4, 8, 4]  # type: ignore[arg-type]
    assert all(card[0] == str(back) for back, cards in enumerate(scoring, 1) for card in cards)  # type: ignore[union-attr, index]
    data = table.position(steps(players)[0].after)
    assert first == data["first_player"]
    assert data["scoring_card"] == scoring[0][0] and data["scoring_stack"][:3] == scoring[0][1:]  # type: ignore[index]
    assert data["goods"]["stack"] == goods[3:]  # type: ignore[index]
    assert data["deck"] == landscapes[3 * players :]  # type: ignore[index]


@pytest.mark.parametrize("players", PLAYERS)
def test_a_new_deck_is_an_outcome(players: int) -> None:
    """The discard pile and what was drawn since are the new deck."""
    table, decks = game_of(players), 0
    for step in steps(players)[1:]:
        for chance in table.chances(step.rows):
            assert chance.name == "landscapes" and set(chance.outcome) <= set(LANDSCAPES)  # type: ignore[arg-type]
            deck = table.position(step.after)["deck"]
            assert deck == chance.outcome[len(chance.outcome) - len(deck) :]  # type: ignore[arg-type, index]
            decks += 1
    assert decks


def test_the_ending_has_a_name_when_the_game_is_over() -> None:
    assert start(turn("c", "", "")).outcome.ending is None
    assert start(over(3)).outcome.ending == "cards"
    last = steps(2)[-1]
    assert game_of(2).ending(last.after) in ("houses", "blocked", "cards")
    assert all(game_of(2).ending(step.after) is None for step in steps(2)[:-1])


def test_bonus_cards_of_the_rules() -> None:
    """T8: houses C13, D1, D5, DO1, DI, T7; 5 coins; 2 goods cards."""
    wanted = {"goods": 6, "coins": 10, "city": 2, "rivers": 4, "forest": 0, "mountain": 1, "desert": 4}
    pieces = {"houses": BLUE | {"DI": 0, "T7": 0}, "coins": [5, 3, 3], "goods": [["pottery+wine", "wine+cloth"]]}
    taken = [[0, name] for name in reversed(wanted)] + [[1, "meadow"]]
    found = start(over(3, **pieces, bonus_taken=taken)).outcome
    mine, other, _ = found.breakdown
    letters = {"goods": 6, "coins": 10, "city": 2, "rivers": 4, "landscapes": 5}
    assert {name: mine[f"bonus_{name}"] for name in letters} == letters
    assert mine["total"] == 27 and other["total"] == 0


@pytest.mark.parametrize("players", PLAYERS)
def test_bonus_cards_count_when_they_are_shown(players: int) -> None:
    """G9.1: until the game is over nobody's score tells of them."""
    table, last = game_of(players), steps(players)[-1]
    names = [name for name in table.sources if name.startswith("bonus_")]
    for step in steps(players)[:-1]:
        assert not any(side[name] for side in table.outcome(step.after).breakdown for name in names)
    details = table.result_details(last.after)
    cards = [[name for seat, name in table.position(last.after)["bonus_taken"] if seat == p] for p in range(players)]
    assert [sorted(own) for own in cards] == [sorted(own) for own in details["bonus_cards"]] and any(cards)
    assert any(side[name] for side in details["breakdown"] for name in names)
    assert details["standings"] == list(table.outcome(last.after).standings)


def test_another_board(tmp_path: Path) -> None:
    table = ginkgo_env.make_game("golden_city", players=3, board=str(four_kinds(tmp_path / "four")))
    *_, last = played(table, 4)
    found = {chance.name: chance.outcome for chance in table.chances(next(played(table, 4)).rows)}
    assert set(found["goods"]) == {"spices+wine", "pottery+wine", "cloth+pottery", "cloth+spices"}  # type: ignore[arg-type]
    assert all(card.startswith("S1") for card in found["scoring_1"])  # type: ignore[union-attr]
    assert table.outcome(last.after).ending
