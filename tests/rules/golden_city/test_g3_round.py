"""G3: the phases of a round; the first-player key (E34)."""

from __future__ import annotations

import pytest

from .components import cards
from .positions import bidding, play, start, table_from_seed, turn


def test_g3_1_the_next_scoring_card_is_revealed() -> None:
    table = start(turn("c", "c", "c", seat=2, first=0, card="1C"))
    to_come = table.position["scoring_stack"]
    table.play("build:done")
    assert (table.position["scoring_card"], table.position["scoring_stack"]) == (to_come[0], to_come[1:])
    assert table.position["round"] == 2


def test_g3_4_building_turns_in_turn_order_from_the_first_player() -> None:
    table = start(turn("c", "c", "c", "c", seat=2))
    for seat in (2, 3, 0, 1):
        assert table.decision == ("build", seat) and table.position["round"] == 1
        table.play("build:done")
    assert table.decision == ("bid", 3) and table.position["round"] == 2


def test_g3_5_the_card_is_scored_after_all_turns_and_leaves_the_game() -> None:
    data = turn("c", "c", seat=1, card="1A", goods=[["wine+cloth"]])
    table = play(data, "build:done")
    assert table.letters("goods") == [0, 0]
    table.play("build:done")
    position = table.position
    assert table.letters("goods") == [4, 0] and "1A" not in [position["scoring_card"], *position["scoring_stack"]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g3_6_e34_the_key_passes_clockwise(players: int) -> None:
    for first in range(players):
        table = play(turn(*["c"] * players, seat=(first - 1) % players, first=first), "build:done")
        assert table.position["first_player"] == (first + 1) % players
        assert table.decision == ("bid", (first + 1) % players) and table.position["round"] == 2


def test_g3_6_e34_not_after_the_last_round() -> None:
    table = play(turn("c", "c", "c", seat=0, first=1, card="3D", rounds=16), "build:done")
    assert table.decision == ("over", None) and table.position["first_player"] == 1 and table.position["round"] == 16


def test_g3_6_not_after_a_round_that_ends_the_game() -> None:
    table = play(
        turn("", "", "c", seat=2, first=0, houses=dict.fromkeys([*(f"C{i}" for i in range(1, 13))], 1) | {"C13": 2}), "build:done"
    )
    assert table.position["first_player"] == 1  # the game goes on: the coast is not full


def test_g3_one_legal_action_is_taken_and_none_is_skipped() -> None:
    """General rulings; E33. Nobody can build: from the last bid to the next round without a question."""
    table = play(bidding("ce fm ed", "", "", "", coins=[3, 0, 0]), "bid:b", "bid:a")
    assert table.decision[0] == "build"  # seat 2 has the last pair unasked; seat 0 pays no coast place with forest and mountain
    assert table.decision[1] == 1 and table.by_seat("hand") == [cards("fm"), cards("ce"), cards("ed")]


def test_a_whole_game_asks_only_what_has_two_ways() -> None:
    table = table_from_seed(4, 3)
    kinds = set()
    while table.decision[0] != "over":
        kinds.add(table.decision[0])
        assert len(table.legal) >= 2
        table.play_at_random()
    assert {"bid", "build", "pay", "goods", "bonus"} <= kinds
