"""Random outcomes of another board (G11.2), what ended a game, points by source and bonus card (G9)."""

from __future__ import annotations

from pathlib import Path

import pytest

import ginkgo_env

from ..rules.golden_city.boards import four_kinds
from ..rules.golden_city.positions import game_of, over, start, turn
from .random_games import PLAYERS, played, steps


def test_the_ending_has_a_name_when_the_game_is_over() -> None:
    assert start(turn("c", "", "")).outcome.ending is None
    assert start(over(3)).outcome.ending == "cards"
    last = steps(2)[-1]
    assert game_of(2).ending(last.after) in ("houses", "blocked", "cards")
    assert all(game_of(2).ending(step.after) is None for step in steps(2)[:-1])


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
