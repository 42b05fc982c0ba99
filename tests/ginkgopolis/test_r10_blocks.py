"""R10.1, R10.2: blocks and fields of observations that only front ends ask for (the others: ``tests/rules/ginkgopolis``)."""

import ginkgo_env

from ..rules.ginkgopolis.positions import Builder, Table, solo
from ..rules.ginkgopolis.test_r10_knowledge import mid_game


def observation(table: Table, seat: int) -> ginkgo_env.Observation:
    return ginkgo_env.Observation(table.game.observation, table.batch.observe(seat)[0])


def test_r10_1_names_of_blocks_match_the_layout() -> None:
    table = mid_game().start()
    seen = observation(table, 0)
    assert seen["players"][0].tolist() == [12, 3, 16, 1, 2, 4] and set(seen) == set(table.game.observation)
    assert seen["decision"].tolist() == [0, 1, 0, 0, 0]
    assert seen["status"].tolist() == [5, 195, 0, 0, 4, 3, len(table.position["discard"]), 0, 0]
    assert not seen["city"][:, len(table.position["city"]) :].any()


def test_r10_1_bonus_block_is_what_an_action_brings() -> None:
    seen = observation(mid_game().start(), 0)
    # seat 0: RC BC YC; seat 1: RU BU YU and R5 (urbanize, a resource)
    assert seen["bonus"].shape == (3, 3, 3) and seen["bonus"][0].tolist() == [[0, 0, 0], [0, 0, 0], [1, 1, 1]]
    assert seen["bonus"][1].tolist() == [[0, 0, 0], [2, 1, 1], [0, 0, 0]]


def test_r9_3_william_has_no_bonuses() -> None:
    table = solo().hand(0, "Y1", "A").william("B3").tableau(1, "R5", "B5", "Y5", "Y8", "R6", "Y9", "Y4").start()
    assert not observation(table, 0)["bonus"].any()


def test_r10_2_the_places_of_the_hand_show_what_the_cards_name() -> None:
    """card, letter, red, blue, yellow, number, floors, mine, theirs, x, y."""
    builder = Builder(2).building((0, 0), "R7", floors=3, owner=0).building((1, 0), "B8", floors=2, owner=1)
    hand = observation(builder.token("A", (0, -1)).hand(0, "A", "Y2", "B8", "R7").deck("L").start(), 0)["hand"].tolist()
    assert hand == [
        [1, 0, 1, 0, 0, 7, 3, 1, 0, 1, 1],
        [1, 0, 0, 1, 0, 8, 2, 0, 1, 2, 1],
        [1, 0, 0, 0, 1, 2, 1, 0, 0, 3, 3],
        [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0],
    ]
