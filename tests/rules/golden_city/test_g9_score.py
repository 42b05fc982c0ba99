"""G9: bonus cards, final score, winners (T8, T9, E25, E28)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ginkgo_env.games.golden_city.board import load_board

from .boards import knot
from .components import BONUS, COASTS, SUBURBS
from .positions import BLUE, Table, bidding, over, start

SOURCES = ["outer", "inner", "goods", "rivers", "quarters"]
SOURCES += ["bonus_goods", "bonus_coins", "bonus_city", "bonus_rivers", "bonus_landscapes"]


def test_t8_bonus_cards() -> None:
    """E28: T7 and D1 count at rivers; D1, D5, DO1, DI in the desert, T7 in the mountains; coast places nowhere."""
    houses = BLUE | {"DI": 0, "T7": 0}
    goods = [["pottery+wine", "cloth+spices"]]
    taken = [[0, name] for name in BONUS]
    table = start(over(3, houses=houses, coins=[5, 3, 3], goods=goods, bonus_taken=taken, letters=[{"outer": 5, "inner": 10}]))
    score = table.outcome.breakdown[0]
    assert [score[name] for name in SOURCES] == [5, 10, 0, 0, 0, 6, 10, 2, 4, 5] and score["total"] == 42
    wanted = {"goods": 6, "coins": 10, "city": 2, "rivers": 4, "forest": 0, "meadow": 0, "mountain": 1, "desert": 4}
    for card, letters in wanted.items():
        alone = start(over(3, houses=houses, coins=[5, 3, 3], goods=goods, bonus_taken=[[0, card]]))
        assert alone.outcome.scores == (letters, 0, 0), card
    assert table.outcome.breakdown[1]["total"] == 0 and table.outcome.scores == (42, 0, 0)


@pytest.mark.parametrize(
    ("card", "letters"),
    [("goods", 9), ("coins", 8), ("city", 2), ("rivers", 4), ("forest", 3), ("meadow", 2), ("mountain", 0), ("desert", 0)],
)
def test_g9_1_each_card_alone(card: str, letters: int) -> None:
    """C3, C4, F4 (river N), F7 (river N), FO2, MO1, M5 and three goods cards, 4 coins."""
    source = f"bonus_{card if card in ('goods', 'coins', 'city', 'rivers') else 'landscapes'}"
    houses = dict.fromkeys(["C3", "C4", "F4", "F7", "FO2", "MO1", "M5"], 1)
    goods = [[], ["pottery+wine", "pottery+wine", "wine+cloth"]]
    table = start(over(3, houses=houses, coins=[3, 4, 3], goods=goods, bonus_taken=[[1, card]]))
    assert table.outcome.scores == (0, letters, 0) and table.outcome.breakdown[1][source] == letters


def test_e28_a_river_suburb_counts_twice_a_coast_place_never() -> None:
    houses = {"C8": 0, "M4": 0, "C16": 1, "C1": 1}
    table = start(over(3, houses=houses, bonus_taken=[[0, "rivers"], [0, "meadow"]]))
    assert [table.outcome.breakdown[0][name] for name in SOURCES[-2:]] == [2, 1]
    for k, card in enumerate(BONUS[2:]):
        coast = start(over(3, houses=houses, bonus_taken=[[1, card]]))
        assert coast.outcome.scores[1] == 0, k


def test_g9_2_sources() -> None:
    letters = [{"outer": 8, "inner": 16, "goods": 30, "rivers": 20, "quarters": 10}]
    houses = {"C1": 0, "F1": 0, "F5": 0, "FO1": 0, "FO2": 0, "FI": 0, "MI": 0}
    table = start(over(3, letters=letters, houses=houses))
    score = table.outcome.breakdown[0]
    assert [name for name in score if name != "total"] == SOURCES and [score[name] for name in SOURCES[:5]] == [8, 16, 30, 20, 10]
    assert table.outcome.scores == (84, 0, 0)


# --- G9.3 to G9.5 --------------------------------------------------------------------------------------------------------------


def placed(coins: tuple[int, ...], blocked: list[int]) -> Table:
    """T9: letters, districts and coins as they stand."""
    districts = load_board().place_ids[46:55]
    houses = {name: [seat for seat, n in enumerate((4, 4, 3, 9)) if i < n] for i, name in enumerate(districts)}
    letters = [{"goods": n} for n in (60, 60, 60, 50)]
    ending = "blocked" if blocked else "cards"
    return start(over(4, houses=houses, letters=letters, coins=coins, blocked=blocked, ending=ending))


@pytest.mark.parametrize(
    ("coins", "blocked", "winners"),
    [
        ((2, 1, 9, 9), [], (0,)),
        ((2, 2, 9, 9), [], (0, 1)),
        ((2, 2, 9, 9), [0], (1,)),
        ((2, 1, 9, 9), [0, 1], (2,)),
        ((2, 1, 9, 9), [0, 1, 2], (3,)),  # behind all who are not blocked, whatever the score
        ((2, 1, 9, 9), [0, 1, 2, 3], (0,)),  # by G9.3 among the blocked
        ((2, 2, 9, 9), [0, 1, 2, 3], (0, 1)),
    ],
)
def test_t9_e25_winners(coins: tuple[int, ...], blocked: list[int], winners: tuple[int, ...]) -> None:
    outcome = placed(coins, blocked).outcome
    assert outcome.winners == winners and outcome.scores == (60, 60, 60, 50)  # G9.4: the score stands as it is
    free = [0 if seat in blocked else 1 for seat in range(4)]
    wanted = [((free[s] * 1000 + (60, 60, 60, 50)[s]) * 16 + (4, 4, 3, 9)[s]) * 64 + coins[s] for s in range(4)]
    assert list(outcome.standings) == wanted  # G9.5


def test_g9_3_more_houses_in_the_city_come_before_more_coins() -> None:
    houses = {"C1": 0, "F1": 0, "F5": 0, "FO1": [0, 1], "C2": 1, "F2": 1, "F6": 1, "FO2": 1}
    table = start(over(3, houses=houses, coins=[9, 0, 3], letters=[{"goods": 20}, {"goods": 20}, {"goods": 18}]))
    assert table.outcome.winners == (1,) and table.outcome.standings[1] > table.outcome.standings[0] > table.outcome.standings[2]


def test_e25_all_blocked(tmp_path: Path) -> None:
    """On a board where all can be shut in: they bid, discard, and the card is scored."""
    folder = knot(tmp_path)
    houses = {name: k % 3 for k, name in enumerate([*COASTS, *SUBURBS])} | {"M7": 1}
    data = bidding("cf ce cd", "ffff", "", "", houses=houses, letters=[{}, {"goods": 8}, {}], card="2A", board=str(folder))
    table = start(data, board=str(folder)).play("bid:a", "bid:b")
    while table.decision[0] == "bid":
        table.play(table.legal[0])
    assert table.decision == ("discard", 0) and table.position["blocked"] == [0]
    table.play(table.legal[0])
    assert table.decision == ("over", None) and table.position["blocked"] == [0, 1, 2] and table.outcome.ending == "blocked"
    assert table.outcome.winners == (1,) and max(table.outcome.standings) < 1000 * 16 * 64
