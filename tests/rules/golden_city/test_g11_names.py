"""G11: random outcomes, forced decisions, positions and observations."""

from __future__ import annotations

from collections import Counter

import pytest

from ginkgo_env.games.golden_city.board import load_board

from .components import GOODS_CARDS, LANDSCAPES, SCORING
from .positions import bidding, over, play, start, table_from_seed, turn

KINDS = ["bid", "build", "pay", "goods", "box", "bonus", "discard"]


def test_g11_1_the_next_seat_is_to_the_left() -> None:
    table = start(turn("c", "c", "c"))
    table.play("build:done")
    assert table.decision == ("build", 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g11_2_random_outcomes_in_order(players: int) -> None:
    table = table_from_seed(8, players)
    names = ["landscapes", "goods", "scoring_1", "scoring_2", "scoring_3", "first_player"]
    assert [chance.name for chance in table.chances] == names
    landscapes, goods, *scoring, first = (chance.outcome for chance in table.chances)
    assert isinstance(landscapes, list) and len(landscapes) == 50 - players
    assert sorted(map(str, goods)) == sorted(GOODS_CARDS) and [len(cards) for cards in scoring] == [4, 8, 4]
    assert [sorted(cards) for cards in scoring] == [SCORING[:4], SCORING[4:12], SCORING[12:]] and first in range(players)


def test_g11_2_later_only_new_decks() -> None:
    table = table_from_seed(8, 3)
    while table.decision[0] != "over":
        table.play_at_random()
    later = table.chances[6:]
    assert {chance.name for chance in later} == {"landscapes"} and len(later) >= 2
    assert all(Counter(chance.outcome)[name] <= 10 for chance in later for name in LANDSCAPES)


def test_g11_2_what_is_drawn_is_drawn_from_index_0() -> None:
    table = start(turn("c", "", "", deck="mfedcf"))
    table.play("build:C1")
    assert table.player(0)["hand"] == ["mountain"]
    (new,) = (chance.outcome for chance in table.chances)  # six pairs' cards: five of the old deck, one of the new
    assert isinstance(new, list) and table.position["deck"] == new[1:]
    pairs = [["coast", "forest"], ["meadow", "forest"], sorted(["desert", new[0]], key=LANDSCAPES.index)]
    found = [pair["cards"] for pair in table.position["pairs"]]
    assert sorted(found) == sorted(
        sorted(pair, key=LANDSCAPES.index) for pair in [["forest", "coast"], ["meadow", "forest"], pairs[2]]
    )


def test_g11_4_build_always_has_done_and_a_place() -> None:
    table = table_from_seed(3, 4)
    built = 0
    while table.decision[0] != "over":
        if table.decision[0] == "build":
            assert table.offered[-1] == "done" and len(table.offered) > 1
            built += 1
        table.play_at_random()
    assert built > 20


# --- G11.5, G11.6 --------------------------------------------------------------------------------------------------------------


def test_g11_5_keys_of_a_position() -> None:
    position = start(bidding("cc cd ff")).position
    assert set(position) == {
        *("format", "version", "game", "config", "board_digest", "random", "seed", "round", "first_player", "decision", "ending"),
        *("blocked", "scoring_card", "scoring_stack", "pairs", "displacements", "turn", "houses", "deck", "discard", "goods"),
        *("bonus_taken", "keys", "coins", "players"),
    }
    assert set(position["players"][0]) == {"letters", "coins", "keys", "houses_left", "hand", "known", "goods"}
    assert start(position).position == position


def test_g11_6_the_kind_awaited_in_the_order_of_g11_4() -> None:
    data = {
        "bid": bidding("cc cd ff"),
        "build": turn("c", "", ""),
        "pay": turn("cff", "", "", kind="pay", place="C1"),
        "discard": turn("cffeem", "", "", kind="discard"),
    }
    for kind, position in data.items():
        assert start(position).seen(1)["decision"] == [int(kind == name) for name in KINDS]


def test_g11_6_pairs_and_hands_on_them() -> None:
    table = play(bidding("cc cd em", first=1), "bid:a", "bid:a")
    view = table.seen(2)
    assert view["pairs"] == [[2, 0, 0, 0, 0], [1, 0, 0, 0, 1], [0, 0, 1, 1, 0], [0] * 5]
    assert view["pair_seat"] == [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]] and table.seen(0)["pair_seat"][0] == [0, 0, 1]
    assert view["turn"] == [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0]]
    assert view["status"][2] == 2 and view["decision"] == [1, 0, 0, 0, 0, 0, 0]


def test_g11_6_players_areas_and_cards() -> None:
    """Seat 0 looks at the turn of seat 1, which has a house in the desert quarter and one at river S, as seat 2 has."""
    houses = {"C1": 0, "C13": 1, "D1": 1, "D5": 1, "DO1": [1, 2], "C12": 2, "T4": 2, "T7": 2}
    data = turn(
        *("", "ccddf", ""),
        seat=1,
        houses=houses,
        known=["", "cdd", ""],
        keys=[0, 1, 0],
        coins=[3, 5, 0],
        letters=[{}, {"outer": 5, "rivers": 4}, {"outer": 3}],
        goods=[[], [], ["cloth+spices", "cloth+spices"]],
        display=["pottery+wine", "pottery+wine"],
        card="2E",
    )
    view = start(data).seen(0)
    assert view["players"][1] == [9, 5, 1, 14, 5, 2, 0, 0, 0, 1] and view["players"][2] == [3, 0, 0, 14, 0, 0, 2, 0, 0, 1]
    assert view["known"] == [[0] * 5, [1, 0, 0, 0, 2], [0] * 5] and view["hand"] == [0] * 5
    assert view["at_rivers"] == [[0] * 4, [0, 0, 1, 0], [0, 0, 2, 0]]
    assert view["in_quarters"] == [[0] * 4, [0, 0, 0, 1], [0, 0, 0, 1]]
    assert view["scoring"] == [1, 0, 0, 0] + [0] * 4 + [1, 0, 0, 0] and sum(view["to_come"]) == 11
    assert view["goods"] == [[2, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 0], [0] * 6, [0] * 6, [0, 0, 0, 0, 0, 2]]
    assert [sum(row) for row in view["houses"]] == [1, 4, 4]
    assert view["turn"] == [[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert view["status"] == [5, 11, 0, 45, 0, 0, 8, 5, 27, 0, 0, 0] and view["decision"] == [0, 1, 0, 0, 0, 0, 0]


def test_g11_6_the_place_of_a_reward() -> None:
    view = play(turn("ff", "", "", houses={"C2": 0}), "build:F1").seen(2)
    assert [name for name, here in zip(load_board().place_ids, view["place"], strict=True) if here] == ["F1"]
    assert view["status"][9] == 1


def test_g11_6_sites_disregard_cards_and_keys() -> None:
    """No card and no key: still sites by G5.2."""
    houses = {"C2": 0, "F2": 0, "F6": 0, "FO1": 0, "C1": 1}
    sites = start(turn("", "c", "", seat=1, houses=houses)).sites(0)
    assert sites == [f"C{n}" for n in range(3, 17)] + ["F1", "F3", "F5", "F7", "FO2", "FI", "DO2"]


def test_g11_6_over() -> None:
    view = start(over(3)).seen(1)
    assert view["decision"] == [0] * 7 and [row[0] for row in view["turn"]] == [0] * 3 and view["status"][11] == 1
    assert sum(view["scoring"]) == 2


@pytest.mark.parametrize("text", ["build:F1", "bid:a", "done", ""])
def test_g11_4_other_actions_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        play(turn("cc", "", ""), text)


@pytest.mark.parametrize("players", [1, 5])
def test_g11_3_two_to_four_players(players: int) -> None:
    with pytest.raises(ValueError):
        table_from_seed(0, players)
