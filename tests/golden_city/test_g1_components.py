"""G1: components, and the figures of the shipped board, read from its files (G1.7)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from ginkgo_env.games.golden_city.board import COLUMNS, load_board
from ginkgo_env.games.golden_city.constants import COINS, COPIES, HOUSES, KEYS, N_CARDS

from ..rules.golden_city.components import BONUS, COASTS, GOODS, GOODS_CARDS, INNER, LANDSCAPES, SCORING

BOARD = load_board()
PLACES = {row["place"]: row for row in BOARD.places}
ROADS = [(row["place_1"], row["place_2"]) for row in BOARD.roads]
INLAND = LANDSCAPES[1:]
OUTER = ["FO1", "FO2", "MO1", "MO2", "TO1", "TO2", "DO1", "DO2"]


def neighbors(place: str) -> set[str]:
    return {a if b == place else b for a, b in ROADS if place in (a, b)}


def distance(start: str, wanted: set[str]) -> int:
    """Roads from a place to the nearest of these."""
    reached, n = {start}, 0
    while not reached & wanted:
        reached |= {other for place in reached for other in neighbors(place)}
        n += 1
        assert n < len(PLACES), f"no way from {start} to {wanted}"
    return n


def names(**wanted: str) -> list[str]:
    return [name for name, row in PLACES.items() if all(row[key] == value for key, value in wanted.items())]


def test_g1_2_places() -> None:
    assert len(PLACES) == 58 and [row["kind"] for row in PLACES.values()] == (
        ["coast"] * 16 + ["suburb"] * 30 + ["outer", "outer", "inner"] * 4
    )
    assert names(kind="outer") == OUTER and names(kind="inner") == INNER
    for row in PLACES.values():
        assert row["landscape"] == ("coast" if row["kind"] == "coast" else row["quarter"])
    assert [len(names(kind="suburb", landscape=landscape)) for landscape in INLAND] == [7, 8, 7, 8]
    for landscape in INLAND:
        assert len(names(kind="outer", quarter=landscape)) == 2 and len(names(kind="inner", quarter=landscape)) == 1


def test_g1_3_rivers() -> None:
    rivers = {river: names(river=river) for river in "NESW"}
    assert rivers == {"N": ["F4", "F7", "M1"], "E": ["M4", "M8", "T1"], "S": ["T4", "T7", "D1"], "W": ["F1", "D4", "D8"]}
    between = {"N": {"forest", "meadow"}, "E": {"meadow", "mountain"}, "S": {"mountain", "desert"}, "W": {"desert", "forest"}}
    for river, places in rivers.items():
        assert {PLACES[place]["landscape"] for place in places} == between[river]
        assert {PLACES[place]["kind"] for place in places} == {"suburb"}


def test_g1_4_numbers() -> None:
    assert HOUSES[2:] == (18, 18, 16) and (COINS, KEYS, COPIES, N_CARDS) == (35, 6, 10, 50)
    assert list(BOARD.goods_names) == GOODS and list(BOARD.scoring_names) == SCORING and list(BOARD.bonus_names) == BONUS
    assert BOARD.components[0].copies.tolist() == [GOODS_CARDS.count(kind) for kind in GOODS]


def test_g1_4_each_good_is_on_four_cards() -> None:
    assert Counter(good for card in GOODS_CARDS for good in card.split("+")) == dict.fromkeys(
        ["pottery", "wine", "cloth", "spices"], 4
    )


def test_g1_5_rewards_give_22_coins() -> None:
    coins = {"coin": 1, "two_coins": 2}
    assert sum(coins.get(row["reward"], 0) + int(row["coins_first"]) for row in PLACES.values()) == 22
    assert COINS - 3 * 4 - 22 >= 0


# --- G1.6, G1.7 ----------------------------------------------------------------------------------------------------------------


def test_g1_6_1_files() -> None:
    assert len(BOARD.places) == 58 and len(BOARD.roads) == 106
    assert [len(columns) for columns in COLUMNS.values()] == [13, 3, 5, 6, 4]
    assert all(columns[-1] == "provenance" for columns in COLUMNS.values())
    assert all(row["provenance"] for row in (*BOARD.places, *BOARD.roads))


def test_g1_7_rewards() -> None:
    rewards = Counter(row["reward"] for row in PLACES.values())
    assert rewards == {"card": 10, "coin": 10, "two_coins": 4, "key": 6, "goods": 8, "bonus": 8, "": 12}
    assert {PLACES[place]["reward"] for place in COASTS} == {"card", "coin", "two_coins"}


def test_g1_7_districts() -> None:
    figures = ("letters_first", "letters_second", "coins_first", "cards_first")
    for place in (*OUTER, *INNER):
        coin = "1" if place.endswith("O2") else "0"
        wanted = ["10", "6", "0", "1"] if place in INNER else ["5", "3", coin, "0"]
        assert [PLACES[place][key] for key in figures] == wanted


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("C2", "F1 F2"),
        ("F4", "C3 C4 F3 F7 M1"),
        ("FO1", "F5 F6 FO2 FI DO2"),
        ("M8", "M4 M7 T5 MO2"),
        ("T7", "T4 T6 TO2 DO1"),
        ("D5", "D1 D6 DO1"),
        ("DI", "FI TI DO1 DO2"),
    ],
)
def test_g1_7_roads(place: str, found: str) -> None:
    assert neighbors(place) == set(found.split())


def test_g1_7_connected() -> None:
    assert max(distance(place, {"C1"}) for place in PLACES) < 20


def test_g1_7_a_half_turn_maps_the_board_onto_itself() -> None:
    """Rewards, roads, drawing, and figures of districts."""
    by_spot = {(int(row["x"]), int(row["y"])): name for name, row in PLACES.items()}
    turned = {name: by_spot[-x, -y] for (x, y), name in by_spot.items()}
    other = {"forest": "mountain", "mountain": "forest", "meadow": "desert", "desert": "meadow", "coast": "coast"}
    rivers = {"N": "S", "S": "N", "E": "W", "W": "E", "": ""}
    for name, image in turned.items():
        one, two = PLACES[name], PLACES[image]
        assert other[one["landscape"]] == two["landscape"] and rivers[one["river"]] == two["river"]
        same = ("kind", "reward", "letters_first", "letters_second", "coins_first", "cards_first")
        assert all(one[key] == two[key] for key in same), name
    roads = {frozenset(road) for road in ROADS}
    assert {frozenset(turned[place] for place in road) for road in roads} == roads


def crossing(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two roads cross as drawn."""
    if set(one) & set(other):
        return False
    (a, b), (c, d) = ([(int(PLACES[p]["x"]), int(PLACES[p]["y"])) for p in road] for road in (one, other))

    def side(p: tuple[int, int], q: tuple[int, int], r: tuple[int, int]) -> int:
        turn = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        return (turn > 0) - (turn < 0)

    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def test_g1_7_planar_as_drawn() -> None:
    assert [(one, other) for one, other in combinations(ROADS, 2) if crossing(one, other)] == []


def test_g1_7_distances_from_the_coast() -> None:
    goods_or_bonus, keys = {*names(reward="goods"), *names(reward="bonus")}, {*names(reward="key")}
    for place in COASTS:
        assert distance(place, {*OUTER}) == 3 and distance(place, {*INNER}) == 4
        assert distance(place, goods_or_bonus) <= 2 and distance(place, keys) <= 3
    assert Counter(len(neighbors(place)) for place in COASTS) == {1: 8, 2: 8}


def test_g1_7_scoring_cards() -> None:
    rows = {name: BOARD.components[0].area[i] for i, name in enumerate(SCORING)}
    bits = {name: {place for k, place in enumerate(PLACES) if int(area) >> k & 1} for name, area in rows.items()}
    assert bits["1A"] == {*names(river="N")} and bits["2D"] == {*names(river="W")}
    assert bits["3D"] == {"DO1", "DO2", "DI"} and bits["2E"] == {"FO1", "FO2", "FI"}
    assert Counter(map(frozenset, bits.values())) == dict.fromkeys(set(map(frozenset, bits.values())), 2)
    goods = Counter(BOARD.components[0].scoring_good.tolist())
    assert goods == {0: 4, 1: 4, 2: 4, 3: 4}
