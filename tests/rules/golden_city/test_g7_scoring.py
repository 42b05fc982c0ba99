"""G7: the scoring card (T4 to T6, E27, E28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from .positions import play, turn

Letters = list[tuple[int, int, int]]


def scored(card: str, players: int, houses: Mapping[str, int | Sequence[int]], *goods: list[str]) -> Letters:
    """Letters of goods, rivers and quarters for each seat when the round's card is scored."""
    goods_cards = [*goods, *([[]] * (players - len(goods)))]
    hands = [*([""] * (players - 1)), "c"]
    data = turn(*hands, seat=players - 1, first=0, card=card, houses=houses, goods=goods_cards, display=[], stack=[])
    table = play(data, "build:done")
    return list(zip(*(table.letters(source) for source in ("goods", "rivers", "quarters")), strict=True))


TO_M4, TO_M8, TO_T1 = {"C7": 2, "M4": 2}, {"M8": 2}, {"C9": 3, "T1": 3}


def test_t4_a_river() -> None:
    """White is seat 2, Black seat 3. River E."""
    assert scored("1B", 4, TO_M4 | TO_T1) == [(0, 0, 0), (0, 0, 0), (0, 2, 0), (0, 2, 0)]
    assert scored("1B", 4, TO_M4) == [(0, 0, 0), (0, 0, 0), (0, 4, 0), (0, 0, 0)]
    assert scored("1B", 4, TO_M4 | TO_M8 | TO_T1) == [(0, 0, 0), (0, 0, 0), (0, 4, 0), (0, 2, 0)]


def test_g7_2_coast_places_and_districts_are_at_no_river() -> None:
    """C8 and MO2 are next to river E."""
    houses = {"C8": 2, "C5": 3, "M1": 3, "M5": 3, "MO1": 3, "MO2": 3}
    assert scored("1B", 4, houses) == [(0, 0, 0)] * 4


def test_t5_a_quarter() -> None:
    """Red 0, Blue 1, White 2, Black 3: the inner district counts."""
    houses = {"C13": 0, "D1": 0, "D5": 0, "DO1": [0, 1, 3], "DO2": [0, 1], "DI": 0, "C12": 1, "T4": 1, "T7": 1}
    houses |= {"C16": 2, "D4": 2, "D8": 2, "C9": 3, "T1": 3, "T5": 3, "TO1": 3, "TO2": 3}
    assert scored("3D", 4, houses) == [(0, 0, 4), (0, 0, 2), (0, 0, 0), (0, 0, 2)]


def test_g7_3_only_districts_of_that_quarter() -> None:
    houses = {"C13": 0, "D1": 0, "D5": 0, "DO1": 0}
    assert scored("2H", 3, houses)[0] == (0, 0, 4) and scored("2E", 3, houses)[0] == (0, 0, 0)
    assert scored("1D", 3, houses) == [(0, 0, 0)] * 3 and scored("1C", 3, houses)[0] == (0, 4, 0)  # D1 is at river S


def test_t6_goods() -> None:
    wine = ["pottery+wine", "wine+spices"]
    assert scored("1A", 3, {}, wine) == [(4, 0, 0), (0, 0, 0), (0, 0, 0)]
    assert scored("1A", 3, {}, [*wine, "wine+cloth"], ["pottery+wine"]) == [(2, 0, 0), (2, 0, 0), (0, 0, 0)]
    assert scored("1A", 3, {}, ["pottery+cloth"], ["cloth+spices"]) == [(0, 0, 0)] * 3


@pytest.mark.parametrize(
    ("card", "goods"), [("1A", "wine"), ("1B", "pottery"), ("1C", "cloth"), ("1D", "spices"), ("3A", "spices")]
)
def test_g7_1_each_good(card: str, goods: str) -> None:
    for kind in ("pottery+wine", "pottery+cloth", "pottery+spices", "wine+cloth", "wine+spices", "cloth+spices"):
        assert scored(card, 2, {}, [kind]) == [(4 if goods in kind.split("+") else 0, 0, 0), (0, 0, 0)]


@pytest.mark.parametrize(
    ("owners", "letters"),
    [([], [0] * 4), ([1], [0, 4, 0, 0]), ([0, 3], [2, 0, 0, 2]), ([0, 1, 2], [2, 2, 2, 0]), ([0, 1, 2, 3], [2] * 4)],
)
def test_e27_how_many_have_the_good(owners: list[int], letters: list[int]) -> None:
    kinds = ["pottery+wine", "pottery+wine", "wine+cloth", "wine+spices"]
    goods = [[kinds[seat]] if seat in owners else [] for seat in range(4)]
    assert [row[0] for row in scored("2C", 4, {}, *goods)] == letters


TO_QUARTER = [["C13", "D1", "D5"], ["C12", "T4", "T7"], ["C16", "D4", "D8"], ["C15", "D3", "D7"]]
IN_QUARTER = [["DO1", "DI", "DO2"], ["DO1", "DI", "DO2"], ["DO2", "DI", "DO1"], ["DO2", "DI", "DO1"]]


@pytest.mark.parametrize(
    ("counts", "letters"),
    [
        ([0, 0, 0, 0], [0, 0, 0, 0]),  # nobody
        ([0, 3, 0, 0], [0, 4, 0, 0]),  # one
        ([2, 2, 0, 0], [2, 2, 0, 0]),  # two tied
        ([1, 1, 1, 0], [2, 2, 2, 0]),  # three tied
        ([2, 1, 1, 0], [4, 2, 2, 0]),  # a majority over a tie of others
        ([1, 2, 1, 3], [2, 2, 2, 4]),
        ([3, 3, 1, 1], [2, 2, 2, 2]),
    ],
)
def test_e27_majorities(counts: list[int], letters: list[int]) -> None:
    """Houses in the desert quarter."""
    houses: dict[str, list[int]] = {}
    for seat, n in enumerate(counts):
        for place in [*TO_QUARTER[seat], *IN_QUARTER[seat][:n]]:
            houses.setdefault(place, []).append(seat)
    assert [row[2] for row in scored("3D", 4, houses)] == letters


@pytest.mark.parametrize(
    ("counts", "letters"),
    [([1, 1, 1], [2, 2, 2]), ([1, 1, 0], [2, 2, 0]), ([1, 2, 0], [2, 4, 0]), ([0, 0, 3], [0, 0, 4]), ([0, 0, 0], [0, 0, 0])],
)
def test_e27_majorities_at_a_river(counts: list[int], letters: list[int]) -> None:
    """River W: F1, D4, D8."""
    houses = {"C1": 0, "C16": 1, "C15": 2, "D3": 2, "D7": 2} if counts != [0, 0, 3] else {"C1": 2, "C16": 2}
    places = [["F1"], ["D4", "D8"], ["D8"]] if counts != [0, 0, 3] else [[], [], ["F1", "D4", "D8"]]
    for seat, n in enumerate(counts):
        houses |= dict.fromkeys(places[seat][:n], seat)
    assert [row[1] for row in scored("1D", 3, houses)] == letters
