"""The worked examples T1 to T10 of the rules text, told to the oracle alone."""

import hashlib
from collections.abc import Mapping

import pytest

from .board import FILES, LANDSCAPES, OWN_BOARD, ROUNDS
from .golden_city import Oracle, RandomChance
from .helpers import (
    BOARD,
    Scripted,
    bidding,
    cards,
    config,
    give_coins,
    give_goods,
    interleaved,
    last_round,
    offered,
    play,
    show_card,
    stand,
    turn_of,
)
from .scoring import bonus_counts
from .scoring import score as shown_score

BLUE = {"C13": 0, "D1": 0, "D5": 0, "DO1": 0}


def scored(card: str, players: int, houses: Mapping[str, int | list[int]], *goods: list[str]) -> list[tuple[int, int, int]]:
    """Letters of goods, rivers and quarters for each seat when the round's card is scored."""
    position = turn_of(players - 1, players, "c", houses=houses, first_player=0)
    position = give_goods(show_card(position, card), [], [], *goods)
    return [(score["goods"], score["rivers"], score["quarters"]) for score in play(position, "build:done").scores()]


def test_components() -> None:
    """G1.2, G1.6: numbers of the shipped board, its rewards and its digest."""
    kinds = [place.kind for place in BOARD.places.values()]
    assert [kinds.count(kind) for kind in ("coast", "suburb", "outer", "inner")] == [16, 30, 8, 4]
    assert sum(map(len, BOARD.neighbors.values())) == 2 * 106
    assert sum(BOARD.goods_copies.values()) == 8 and len(BOARD.scoring) == ROUNDS and len(BOARD.bonus) == 8
    rewards = [place.reward for place in BOARD.places.values()]
    assert [rewards.count(name) for name in ("card", "coin", "two_coins", "key", "goods", "bonus", "")] == [
        10,
        10,
        4,
        6,
        8,
        8,
        12,
    ]
    whole = b"".join((OWN_BOARD / name).read_bytes() for name in FILES)
    assert b"\r" not in whole and BOARD.digest == hashlib.sha256(whole).hexdigest()[:16]
    assert [len(BOARD.areas("river", river)) for river in "NESW"] == [3] * 4
    assert BOARD.areas("quarter", "forest") == ["FO1", "FO2", "FI"]


def test_t1_bidding() -> None:
    """T1, E33: Red 0, Blue 1, White 2, Black 3."""
    oracle = Oracle.from_position(bidding(0, ["cc", "cd", "ff", "em"], 3, 3, 3, 3), Scripted())
    for seat, text in [(0, "b"), (1, "c"), (2, "c"), (3, "b"), (0, "a"), (1, "c")]:
        assert oracle.decision() == ("bid", seat) and offered(oracle) == ["a", "b", "c", "d"]
        oracle.apply(f"bid:{text}")
    after = oracle.position()
    assert after["decision"] == {"kind": "build", "actor": 0} and after["pairs"] == [] and after["displacements"] == 0
    assert [player["coins"] for player in after["players"]] == [3, 0, 2, 1] and after["coins"] == 29
    hands = [player["hand"] for player in after["players"]]
    assert hands == [cards("cc"), cards("ff"), cards("em"), cards("cd")]
    assert [player["known"] for player in after["players"]] == hands


def test_t2_roads() -> None:
    oracle = Oracle.from_position(turn_of(0, 4, "dddd", houses=BLUE), Scripted())
    seen = [name for name, here in zip(BOARD.places, oracle.view(0)["sites"], strict=True) if here]
    coast = [f"C{number}" for number in range(1, 17) if number != 13]
    assert seen == [*coast, "T4", "T7", "D2", "D6", "TO2", "DO2", "DI"]
    assert offered(oracle) == [*coast, "T4", "T7", "D2", "D6", "TO2", "DO2", "done"]
    oracle.apply("build:D6")  # E9: the key opens DI for the second house
    assert oracle.position()["players"][0]["keys"] == 1 and "build:DI" in oracle.legal()
    oracle.apply("build:DI")
    after = oracle.position()
    assert after["players"][0]["letters"]["inner"] == 10 and after["players"][0]["keys"] == 0 and after["keys"] == 5


MORE = ["meadow+mountain", "meadow+desert", "mountain+desert"]


@pytest.mark.parametrize(
    ("hand", "place", "sources"),
    [
        ("ccdd", "F1", ["coast+desert"]),
        ("ccdd", "D2", ["coast+desert", "desert+desert"]),
        ("ccdd", "C1", ["coast", "desert"]),
        ("ccdd", "T7", ["coast+desert"]),
        ("fdddd", "F1", ["forest+desert", "desert+desert"]),
        ("fdddd", "D2", ["desert+desert"]),
        ("ffff", "D2", ["forest+forest"]),  # E14
        ("cff", "C1", ["coast", "forest"]),  # E13
        ("ffmmd", "D2", ["forest+mountain", "forest+desert", "mountain+desert"]),  # E13
        ("ddddd", "D2", ["desert+desert"]),  # E29
        ("ffeemmd", "D2", ["forest+meadow", "forest+mountain", "forest+desert", *MORE]),  # six, the most there are
    ],
)
def test_t3_joker(hand: str, place: str, sources: list[str]) -> None:
    position = turn_of(0, 3, hand, houses=BLUE | {"C2": 0})
    assert f"build:{place}" in play(position).legal()
    position |= {"decision": {"kind": "pay", "actor": 0}, "turn": position["turn"] | {"place": place}}
    assert offered(play(position)) == sources


def test_t4_a_river() -> None:
    """White is seat 2, Black seat 3."""
    assert scored("1B", 4, {"M4": 2, "T1": 3}) == [(0, 0, 0), (0, 0, 0), (0, 2, 0), (0, 2, 0)]
    assert scored("1B", 4, {"M4": 2}) == [(0, 0, 0), (0, 0, 0), (0, 4, 0), (0, 0, 0)]
    assert scored("1B", 4, {"M4": 2, "M8": 2, "T1": 3}) == [(0, 0, 0), (0, 0, 0), (0, 4, 0), (0, 2, 0)]
    assert scored("1B", 4, {"C8": 2, "MO2": 3}) == [(0, 0, 0)] * 4  # G7.2: coast places and districts are at no river


def test_t5_a_quarter() -> None:
    """Red 0, Blue 1, White 2, Black 3."""
    houses = {"DO1": [0, 1, 3], "DO2": [0, 1], "DI": [0], "D8": [2]}
    assert scored("3D", 4, houses) == [(0, 0, 4), (0, 0, 2), (0, 0, 0), (0, 0, 2)]


def test_t6_goods() -> None:
    wine = ["pottery+wine", "wine+spices"]
    assert scored("1A", 3, {}, wine) == [(4, 0, 0), (0, 0, 0), (0, 0, 0)]
    assert scored("1A", 3, {}, [*wine, "wine+cloth"], ["pottery+wine"]) == [(2, 0, 0), (2, 0, 0), (0, 0, 0)]
    assert scored("1A", 3, {}, ["pottery+cloth"], ["cloth+spices"]) == [(0, 0, 0)] * 3


@pytest.mark.parametrize(("there", "letters", "coins"), [([], 5, 1), ([1], 3, 0), ([1, 2], 0, 0), ([1, 2, 3], 0, 0)])
def test_t7_outer_district(there: list[int], letters: int, coins: int) -> None:
    """T7, E17 with a fourth house."""
    houses = {"C15": 0, "D3": 0, "D7": 0} | ({"DO2": there} if there else {})
    after = play(turn_of(0, 4, "dd", houses=houses), "build:DO2").position()
    assert after["houses"]["DO2"] == [0, *there]
    assert after["players"][0]["letters"]["outer"] == letters and after["players"][0]["coins"] == 3 + coins
    assert after["coins"] == 23 - coins and after["players"][0]["hand"] == []


@pytest.mark.parametrize(("there", "letters", "drawn"), [([], 10, 1), ([1], 6, 0), ([1, 2], 0, 0), ([1, 2, 3], 0, 0)])
def test_t7_inner_district(there: list[int], letters: int, drawn: int) -> None:
    """T7, E17; each costs a key, which never comes back (E16)."""
    position = turn_of(0, 4, "ddc", houses=BLUE | ({"DI": there} if there else {}), keys=0)
    position["players"][0]["keys"] = 2
    side = (after := play(position, "build:DI", "build:done").position())["players"][0]
    assert (side["letters"]["inner"], side["keys"], after["keys"]) == (letters, 1, 0)
    assert len(side["hand"]) == 1 + drawn and side["known"] == []


def test_t8_bonus_cards() -> None:
    """T8, E28."""
    position = turn_of(0, 3, houses=BLUE | {"DI": 0, "T7": 0})
    position = give_goods(give_coins(position, 5, 3, 3), [], [], ["pottery+wine", "cloth+spices"])
    oracle = play(position | {"bonus_taken": [[0, name] for name in BOARD.bonus]})
    worth = {name: number * BOARD.bonus[name] for name, number in bonus_counts(oracle.table, 0).items()}
    assert worth == {"coins": 10, "rivers": 4, "desert": 4, "city": 2, "goods": 6, "mountain": 1, "forest": 0, "meadow": 0}
    assert oracle.scores()[0]["total"] == 0  # until they are shown
    scores = [shown_score(oracle.table, seat) for seat in range(3)]
    score = scores[0]
    assert list(score) == [
        *("outer", "inner", "goods", "rivers", "quarters"),
        *("bonus_goods", "bonus_coins", "bonus_city", "bonus_rivers", "bonus_landscapes", "total"),
    ]
    assert [score[f"bonus_{name}"] for name in ("goods", "coins", "city", "rivers", "landscapes")] == [6, 10, 2, 4, 5]
    assert score["total"] == 27 and scores[1]["total"] == 0


CITY = ["FO1", "FO2", "FI", "MO1", "MO2", "MI", "TO1", "TO2", "TI"]  # any nine districts


@pytest.mark.parametrize(
    ("coins", "blocked", "winners"),
    [
        ((2, 1, 9, 9), [], [0]),
        ((2, 2, 9, 9), [], [0, 1]),
        ((2, 1, 9, 9), [0], [1]),
        ((2, 1, 9, 9), [0, 1], [2]),
        ((2, 1, 9, 9), [0, 1, 2], [3]),  # E25: behind all who are not, whatever the score
        ((2, 1, 9, 9), [0, 1, 2, 3], [0]),
    ],
)
def test_t9_winners(coins: tuple[int, ...], blocked: list[int], winners: list[int]) -> None:
    """T9, E25."""
    in_city = {name: [seat for seat, number in enumerate((4, 4, 3, 9)) if k < number] for k, name in enumerate(CITY)}
    position = give_coins(stand(turn_of(0, 4), in_city), *coins)
    for player, letters in zip(position["players"], (60, 60, 60, 50), strict=True):
        player["letters"]["goods"] = letters
    position |= {"decision": {"kind": "over", "actor": None}, "turn": None, "ending": "cards", "blocked": blocked}
    oracle = play(last_round(position))
    assert [score["total"] for score in oracle.scores()] == [60, 60, 60, 50]
    assert oracle.winners() == winners
    free = [0 if seat in blocked else 1 for seat in range(4)]
    houses, totals = (4, 4, 3, 9), (60, 60, 60, 50)
    assert oracle.standings() == [((free[s] * 1000 + totals[s]) * 16 + houses[s]) * 64 + coins[s] for s in range(4)]


@pytest.mark.parametrize(("players", "deck", "supply", "houses"), [(2, 46, 29, 18), (3, 44, 26, 18), (4, 42, 23, 16)])
def test_t10_setup(players: int, deck: int, supply: int, houses: int) -> None:
    """T10; the random outcomes of G11.2."""
    rest = interleaved(cards("f" * 10 + "e" * 10 + "m" * 10 + "d" * 10 + "c" * (10 - players)))
    chance = Scripted(first_player=[players - 1], landscapes=[rest])
    position = Oracle(config(players), chance).position()
    assert len(position["deck"]) == deck - 2 * players and position["coins"] == supply and position["keys"] == 6
    assert position["first_player"] == players - 1 and position["decision"] == {"kind": "bid", "actor": players - 1}
    for seat, player in enumerate(position["players"]):
        assert player["hand"] == ["coast", LANDSCAPES[seat]] and player["known"] == ["coast"]  # in seat order
        assert (player["coins"], player["houses_left"]) == (3, houses)
    asked = [(name, len(items)) for name, items in chance.asked]
    expected = [("landscapes", 50 - players), ("goods", 8), ("scoring_1", 4), ("scoring_2", 8), ("scoring_3", 4)]
    assert asked == [*expected, ("first_player", players)]
    assert chance.asked[0][1] == sorted(chance.asked[0][1], key=LANDSCAPES.index)
    assert chance.asked[1][1][:3] == ["pottery+wine", "pottery+wine", "pottery+cloth"] == position["goods"]["display"]
    assert position["round"] == 1 and position["scoring_card"] == "1A" and len(position["scoring_stack"]) == 15


def test_unknown_configurations_are_refused() -> None:
    for bad in ({"players": 5, "board": "own"}, {"players": 3}, {"players": 3, "board": "own", "extra": 1}):
        with pytest.raises(ValueError, match="invalid configuration"):
            Oracle(bad, RandomChance(0))
