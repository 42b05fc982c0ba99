"""The examples and the numbers of the rules text: M1.8, M1.9, M11.9, M13."""

import json
from pathlib import Path
from typing import Any

import pytest

from .board import BLOCKING, FOREST, MOUNTAIN, ROCKS, TREES, VEIN, WELL, neighbors
from .helpers import BOARD, BUILDINGS, CARDS, config, game, no_chance, play, totals
from .my_city import Oracle
from .perft import sequences
from .placing import on_empty_board
from .scoring import empty_by_row

CASES = Path(__file__).parents[2] / "my_city"
GAMES = [json.loads(line) for line in (CASES / "examples.jsonl").read_text(encoding="utf-8").splitlines()]
LIGHT_GREEN_BY_ROW = [6, 7, 6, 7, 8, 5, 6, 8, 8, 9, 8]  # empty land only

PLACEMENTS = {  # on the empty board, of these at the river, headings
    "1": (148, 42, "NE"),
    "2": (241, 78, "NESW"),
    "3": (78, 32, "NE"),
    "4": (55, 19, "N"),
    "5": (187, 63, "NESW"),
    "6": (170, 61, "NESW"),
    "7": (95, 34, "NE"),
    "8": (148, 58, "NESW"),
    "C1": (107, 34, "NE"),
    "C2": (178, 65, "NESW"),
    "C3": (169, 63, "NESW"),
}


@pytest.mark.parametrize("name", BUILDINGS)
def test_placements_on_the_empty_board(name: str) -> None:
    """M1.8."""
    found = on_empty_board(BOARD, BUILDINGS[name])
    headings = "".join(dict.fromkeys(place.heading for place in found))
    wanted = PLACEMENTS[name if name[0] == "C" else name[1]]
    assert (len(found), sum(place.at_river for place in found), headings) == wanted


def test_the_buildings_together() -> None:
    """M1.1, M1.8."""
    colored = [f"{color}{number}" for color in "YRB" for number in range(1, 9)]
    assert [*colored, "C1", "C2", "C3", BLOCKING] == CARDS
    assert sum(len(on_empty_board(BOARD, building)) for building in BUILDINGS.values()) == 3_820
    assert sum(len(building.turned[0] or ()) for building in BUILDINGS.values()) == 102


def test_the_board() -> None:
    """M1.9."""
    marks = {letter: len(BOARD.showing(letter)) for letter in (MOUNTAIN, FOREST, TREES, ROCKS, WELL, VEIN)}
    assert marks == {MOUNTAIN: 13, FOREST: 13, TREES: 6, ROCKS: 6, WELL: 3, VEIN: 2}
    assert (BOARD.rows, BOARD.columns, len(BOARD.light_green)) == (11, 11, 95)
    assert [sum(BOARD.banks[cell] == bank for cell in BOARD.light_green) for bank in "lr"] == [40, 55]
    at_river = {cell for cell in BOARD.terrain if BOARD.at_river(cell)}
    assert len(at_river) == 22 and at_river <= BOARD.light_green
    assert sum(BOARD.river_between(cell, other) for cell in BOARD.terrain for other in neighbors(cell)) == 2 * 17


def test_ending_at_once() -> None:
    """M13, 1."""
    oracle = play(game("Y1"), "end")
    assert totals(oracle) == [10 + 12 - 12 - 78] == [-68]
    assert oracle.position()["ending"] == "ended" and oracle.winners() == [0]
    assert empty_by_row(oracle.table, 0) == LIGHT_GREEN_BY_ROW


def test_the_first_building() -> None:
    """M13, 2."""
    legal = game("Y1").legal()
    assert len(legal) == 44 and {"e1E", "d1N", "pass", "end"} <= {*legal}
    assert not {"e1N", "d3N", "e2E", "f3N"} & {*legal}
    assert len(game("Y2").legal()) == 80
    assert len(game("C3").legal()) == 64 and "pass" not in game("C3").legal()


PLAYED: list[tuple[str, str, str, dict[str, int]]] = [
    ("3", "Y1 R1", "e1E f1E", {"total": -62}),
    ("4", "Y1 Y4", "e1E f1N", {"yellow": 2, "rocks": -10, "empty": -73, "total": -59}),
    ("5", "C1 Y1 Y4", "f1E e1E g1N", {"yellow": 1, "trees": 10, "rocks": -10, "total": -60}),
    ("6", "C1 Y1 R1 B1", "f1E g1E e1E f4E", {"churches": 3, "total": -52}),
    ("6, no blue", "C1 Y1 R1 Y4", "f1E g1E e1E f4N", {"churches": 0, "total": -54}),
    ("7, before", "Y1 R1 B1 C1", "d5N c4E d6N b5E", {"total": -56}),
    ("7", "Y1 R1 B1 C1 B4", "d5N c4E d6N b5E c7N", {"blue": 2, "wells": 4, "total": -47}),
    ("8", "Y1 R1 Y8", "d5N c4E b6N", {"wells": 0, "yellow": 2, "total": -56}),
    ("9", "Y1 R1 B1", "pass pass e1E", {"passes": -2, "total": -67}),
    ("10", "R1 R4 R2 R3 R7", "e1E f1N h1N f3N f4N", {"red": 5, "trees": 10, "rocks": -10, "empty": -64, "total": -49}),
    ("11", "Y1", "d3E", {"trees": 10, "empty": -77, "total": -68}),
]


@pytest.mark.parametrize(("cards", "actions", "wanted"), [row[1:] for row in PLAYED], ids=[row[0] for row in PLAYED])
def test_played_examples(cards: str, actions: str, wanted: dict[str, int]) -> None:
    """M13, 3 to 11."""
    oracle = play(game(cards), actions)
    assert oracle.scores()[0] | wanted == oracle.scores()[0]


def test_only_a_corner_is_not_enough() -> None:
    """M13, 3."""
    assert "f3N" not in play(game("Y1 R1"), "e1E").legal()


def test_counter_at_zero() -> None:
    """M13, 12; without a placement: M14.7 and the examples."""
    oracle = play(game(" ".join(CARDS)), "pass " * 10)
    assert oracle.position()["players"][0]["points"] == 0 and oracle.position()["round"] == 11
    assert oracle.legal() == [place.text for place in on_empty_board(BOARD, BUILDINGS["R3"]) if place.at_river] + ["end"]


@pytest.mark.parametrize("wanted", GAMES, ids=[wanted["name"] for wanted in GAMES])
def test_example_games(wanted: dict[str, Any]) -> None:
    """M13, examples.jsonl."""
    oracle = Oracle(config(wanted["players"]), lambda name, items: list(wanted["deck"]))
    for seat, building, action, legal in wanted["actions"]:
        assert oracle.decision() == ("build", seat)
        assert oracle.position()["revealed"][-1] == building and len(oracle.legal()) == legal
        oracle.apply(action)
    position = oracle.position()
    assert oracle.decision() == ("over", None) and oracle.legal() == [] and position["ending"] == wanted["ending"]
    assert (position["round"], len(position["revealed"])) == (wanted["rounds"], wanted["revealed"])
    assert position["gold_round"] == wanted["gold_round"]
    assert [
        {**points, "total": total} for points, total in zip(wanted["breakdown"], wanted["scores"], strict=True)
    ] == oracle.scores()
    assert [empty_by_row(oracle.table, seat) for seat in oracle.table.seats] == wanted["empty_by_row"]
    assert oracle.winners() == wanted["winners"]
    chosen = sum(len(player["placed"] + player["passed"]) + (player["ended"] is not None) for player in position["players"])
    assert chosen == wanted["decisions"] + wanted["forced"]


def test_the_position() -> None:
    """M11.9, position.json."""
    position = json.loads((CASES / "position.json").read_text(encoding="utf-8"))
    oracle = Oracle.from_position(position, no_chance)
    assert oracle.position() | {key: position[key] for key in ("random", "seed")} == position
    assert oracle.decision() == ("build", 1) and len(oracle.legal()) == 35
    oracle.apply("end")
    assert oracle.position()["round"] == 3 and totals(oracle) == [-62, -69]
    assert sum(oracle.view(0)["left"]) == 23


NAMES = CARDS[:-1]
DECKS = {"in order": CARDS, "blocked": ["C1", "C2", "C3", BLOCKING, *NAMES[:-3]]}
NUMBERS = {"in order": [44, 1_041, 13_419, 134_290], "blocked": [35, 769, 17_946, 687_499]}


@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("decisions", [1, 2, 3, pytest.param(4, marks=pytest.mark.full)])
def test_numbers_of_sequences(name: str, decisions: int) -> None:
    """M13, last paragraph."""
    assert sequences(game(" ".join(DECKS[name])), decisions) == NUMBERS[name][decisions - 1]
