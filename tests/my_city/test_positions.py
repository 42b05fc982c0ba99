"""M11.9: the complete state as plain data. What is reached is read back exactly, what is read is written as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ginkgo_env import PositionError
from ginkgo_env.games.my_city.game import MyCity

from .played import DRY, FEW, MIDROUND, ONE, SMALL, TWO, examples, files, game, played, steps

Json = dict[str, Any]


def check_round_trip(table: MyCity, seed: int) -> None:
    for step in played(table, seed):
        data = table.position(step.after)
        again = table.from_position(json.loads(json.dumps(data)))
        stale = [name for name in again.dtype.names or () if (again[name] != step.after[name]).any()]
        assert again.tobytes() == step.after.tobytes(), stale
        assert table.position(again) == data


def test_keys_of_the_rules() -> None:
    data = TWO.position(TWO.from_position(MIDROUND))
    assert list(data) == list(MIDROUND)
    assert list(data["players"][0]) == list(MIDROUND["players"][0])


def test_examples_of_the_rules_are_read_back() -> None:
    """All moments of twelve games: forced ends, the blocking card first and last, gold to two (M13)."""
    for example, playback in examples():
        data = playback.game.position(playback.states)
        assert playback.game.from_position(data).tobytes() == playback.states.tobytes()
        if playback.actor is None:
            assert (data["ending"], data["gold_round"]) == (example["ending"], example["gold_round"])
            assert (data["round"], len(data["revealed"])) == (example["rounds"], example["revealed"])


def test_lists_are_in_drawing_order() -> None:
    state = steps(3)[9].after
    data, g = game(3).position(state), state[0]
    names = game(3).buildings.cards
    assert data["revealed"] + data["deck"] == [names[card] for card in g.deck[: len(names)]]
    assert len(data["revealed"]) == g.drawn > 0
    for player in data["players"]:
        built = [entry["building"] for entry in player["placed"]]
        assert built == sorted(built, key=data["revealed"].index)


# --- other boards and buildings ---------------------------------------------------------------------------------------------


def test_another_board_and_other_buildings(tmp_path: Path) -> None:
    """Three banks, ids of two and three letters, gold with one vein."""
    table = game(2, **files(tmp_path))
    for seed in range(8):
        check_round_trip(table, seed)
    data = table.position(next(played(table, 1)).after)
    assert data["config"] == {"players": 2, "board": "small", "buildings": "few"}
    with pytest.raises(PositionError, match=r"position: config.board: expected 'own', got 'small'"):
        TWO.from_position(data)
    other = table.position(next(played(table, 1)).after) | {"config": {"players": 2, "board": "small", "buildings": "own"}}
    with pytest.raises(PositionError, match=r"position: config.buildings: expected 'few', got 'own'"):
        table.from_position(other)


def test_a_board_without_gold(tmp_path: Path) -> None:
    table = game(2, **files(tmp_path, DRY))
    assert all(table.position(step.after)["gold_round"] is None for seed in range(5) for step in played(table, seed))


def test_no_building_ever_comes_up(tmp_path: Path) -> None:
    """The only building is blocked: over in round 0."""
    table = game(1, **files(tmp_path, SMALL, ONE))
    found = {}
    for seed in range(10):
        for step in played(table, seed):
            data = table.position(step.after)
            assert table.from_position(data).tobytes() == step.after.tobytes()
        found[data["round"]] = data
    assert found[0]["revealed"] == ["X", "A1"] and found[0]["blocked"] == "A1" and found[0]["ending"] == "cards"
    assert found[1]["round"] == 1


def test_a_church_that_nobody_can_build_ends_the_game_before_a_decision(tmp_path: Path) -> None:
    """M14.7: all are forced to end at once, so the game is over without a decision."""
    narrow = (
        SMALL.replace(". . . . . .\n", "M M M M M M\n")
        .replace(". . v . r .", "M M M M M M")
        .replace("M . . . . F", "M M M M M M")
    )
    long = FEW.replace("Z3,church,corner,#./##,3", "Z3,church,bar,###,3")
    table = game(3, **files(tmp_path, narrow, long))
    for seed in range(40):
        data = table.position(next(played(table, seed)).after)
        if data["revealed"] == ["Z3"]:
            assert data["ending"] == "ended" and [player["ended"] for player in data["players"]] == [1, 1, 1]
            table.from_position(data)
            return
    raise AssertionError("the church never came up first")
