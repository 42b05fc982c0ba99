"""Observations (G11.6) against a slow reading of the record in plain Python."""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.games.golden_city.board import DEFAULT_BOARD, SHIPPED
from ginkgo_env.games.golden_city.constants import Stage
from ginkgo_env.games.golden_city.observe import observation_layout

from ..rules.golden_city.positions import game_of, turn
from .random_games import PLAYERS, crafted, in_play, repeated, rotated

LANDSCAPES = ["coast", "forest", "meadow", "mountain", "desert"]
GOODS = ["pottery", "wine", "cloth", "spices"]
QUARTERS = LANDSCAPES[1:]
RIVERS = ["N", "E", "S", "W"]


def places_of(word: Any) -> list[int]:
    return [i for i in range(58) if int(word) >> i & 1]


def one_hot(size: int, *ones: int) -> list[int]:
    return [int(i in ones) for i in range(size)]


def sites_of(board: Any, g: Any, seat: int) -> list[int]:
    """G5.2, from the files of the board."""
    rows = {row["place"]: i for i, row in enumerate(board.places)}
    own = places_of(g["houses"][seat])
    built = [place for p in range(g["players"]) for place in places_of(g["houses"][p])]
    joined = {i: set[int]() for i in range(58)}
    for row in board.roads:
        a, b = rows[row["place_1"]], rows[row["place_2"]]
        joined[a].add(b)
        joined[b].add(a)
    found = []
    for i, row in enumerate(board.places):
        beside = any(place in joined[i] for place in own)
        if (
            (row["kind"] == "coast" and i not in built)
            or (row["kind"] == "suburb" and i not in built and beside)
            or (row["kind"] in ("outer", "inner") and i not in own and beside)
        ):
            found.append(i)
    return found


def expected(game: Any, g: Any, seat: int) -> dict[str, Any]:
    """What G11.6 says, block by block."""
    board, n = game.board, int(g["players"])
    seats = [(seat + k) % n for k in range(n)]
    stage, actor = int(g["stage"]), int(g["actor"])
    takes = [(int(p), int(card)) for p, card in zip(g["bonus_seat"], g["bonus_card"], strict=True) if p >= 0]
    looks = stage == Stage.BONUS and actor == seat
    own_takes = [i + 1 for i, (p, _) in enumerate(takes) if p == seat]
    seen = len(takes) if looks else max(own_takes, default=0)
    bidding = stage == Stage.BID
    pairs = [sorted(map(int, pair)) for pair in g["pairs"] if pair[0] >= 0]
    districts = [i for i, row in enumerate(board.places) if row["kind"] in ("outer", "inner")]
    scoring = [0] * 12
    row = scoring_rows()[int(g["scoring"])]
    scoring[GOODS.index(row["good"])] = 1
    scoring[4 + RIVERS.index(row["area"]) if row["kind"] == "river" else 7 + LANDSCAPES.index(row["area"])] = 1
    owed = int(g["hand"][actor].sum()) - 5 if stage == Stage.DISCARD else 0
    return {
        "decision": one_hot(7, stage),
        "status": [
            *(g["rounds"], g["n_scoring"], g["displacements"] + 1 if bidding else 0, g["deck_size"], g["discard"].sum()),
            *(g["goods_size"], 8 - len(takes), g["key_stack"], g["supply"], g["built"], owed, int(g["ending"] != 0)),
        ],
        "turn": [[actor == p, g["first"] == p, p in g["pair_seat"].tolist(), g["blocked"][p]] for p in seats],
        "players": [
            [
                *(min(255, g["letters"][p].sum()), g["coins"][p], g["keys"][p], g["houses_left"][p], g["hand"][p].sum()),
                *(g["hand"][p].sum() - g["known"][p].sum(), g["goods"][p].sum(), sum(q == p for q, _ in takes)),
                *(sum(q == p for q, _ in takes[seen:]), len(set(places_of(g["houses"][p])) & set(districts))),
            ]
            for p in seats
        ],
        "hand": g["hand"][seat],
        "known": [g["known"][p] for p in seats],
        "discard": g["discard"],
        "pairs": [[pair.count(card) for card in range(5)] for pair in pairs] + [[0] * 5] * (4 - len(pairs)),
        "pair_seat": [[q == p for p in seats] for q in g["pair_seat"]],
        "scoring": scoring,
        "to_come": one_hot(16, *g["scoring_stack"][: g["n_scoring"]].tolist()),
        "goods": [g["display"], g["boxed"], *(g["goods"][p] for p in seats)],
        "bonus": [
            one_hot(8, *(card for p, card in takes if p == seat)),
            [int(card not in [taken for _, taken in takes[:seen]]) for card in range(8)],
        ],
        "houses": [one_hot(58, *places_of(g["houses"][p])) for p in seats],
        "place": one_hot(58, int(g["place"])),
        "sites": one_hot(58, *sites_of(board, g, seat)),
        "at_rivers": [
            [sum(board.places[i]["river"] == river for i in places_of(g["houses"][p])) for river in RIVERS] for p in seats
        ],
        "in_quarters": [
            [
                sum(i in districts and board.places[i]["quarter"] == name for i in places_of(g["houses"][p]))
                for name in LANDSCAPES[1:]
            ]
            for p in seats
        ],
    }


@cache
def scoring_rows() -> list[dict[str, str]]:
    """The scoring cards of the shipped board."""
    with (SHIPPED / DEFAULT_BOARD / "scoring.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def check(batch: ginkgo_env.Batch) -> None:
    game = batch.game
    for seat in range(game.seats):
        seen = ginkgo_env.Observation(game.observation, batch.observe(seat))
        for row in range(batch.size):
            wanted = expected(game, batch.states[row], seat)
            assert list(wanted) == list(game.observation)
            for name, block in wanted.items():
                np.testing.assert_array_equal(seen[name][row], np.asarray(block, np.int64), err_msg=f"{name}, seat {seat}")


@pytest.mark.parametrize("players", PLAYERS)
def test_blocks_say_what_the_record_holds(players: int) -> None:
    kinds = set()
    for batch in in_play(players, rows=3, seed=players, every=9):
        kinds |= set(batch.kind.tolist())
        check(batch)
    assert kinds > {Stage.BID, Stage.BUILD, Stage.OVER}


@pytest.mark.parametrize("players", PLAYERS)
def test_size(players: int) -> None:
    assert observation_layout(players).size == 221 + 95 * players


def made(position: dict[str, Any]) -> ginkgo_env.Batch:
    return repeated(3, game_of(3).from_position(position), 1)


def test_rare_decisions() -> None:
    """Boxing a fifth goods card, discarding, and who chooses a bonus card."""
    five = ["pottery+wine", "pottery+wine", "pottery+cloth", "pottery+spices", "wine+cloth"]
    check(made(turn("c", "", "", seat=1, first=0, kind="box", houses={"C3": 1, "F3": 1}, goods=[[], five], built=1, place="F3")))
    discard = made(turn("f", "e", "cccfemd", seat=2, first=0, kind="discard"))
    check(discard)
    assert discard.observe(0)[0, 7 + 10] == 2
    taken = [[1, "mountain"], [0, "rivers"], [2, "goods"], [1, "desert"]]
    for actor in range(3):
        houses = {"C2": actor, "F1": actor}
        check(made(turn("", "", "", seat=actor, first=0, kind="bonus", houses=houses, built=1, place="F1", bonus_taken=taken)))


def test_letters_are_clipped() -> None:
    """More than this board brings, so unchecked: letters are numbers which are only added."""
    state = crafted(3)
    state["letters"][0, 1] = [100, 100, 50, 5, 0]
    state["letters"][0, 2] = [100, 100, 50, 6, 0]
    seen = ginkgo_env.Observation(observation_layout(3), repeated(3, state, 1, check=False).observe(1))
    assert seen["players"][0, :2, 0].tolist() == [255, 255]
    state["letters"][0, 1, 0] = 99
    seen = ginkgo_env.Observation(observation_layout(3), repeated(3, state, 1, check=False).observe(1))
    assert seen["players"][0, :2, 0].tolist() == [254, 255]


@pytest.mark.parametrize("players", PLAYERS)
def test_seats_are_relative(players: int) -> None:
    """Players who move one seat on see the same."""
    for batch in in_play(players, seed=7, every=11):
        turned = repeated(players, rotated(batch.states, players), 1)
        for seat in range(players):
            np.testing.assert_array_equal(turned.observe((seat + 1) % players), batch.observe(seat))
