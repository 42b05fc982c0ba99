"""Observations (G11.6) against the views of the oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.games.golden_city.constants import Stage
from ginkgo_env.games.golden_city.observe import observation_layout

from ..oracle.golden_city.golden_city import Oracle
from ..oracle.observations import check_views, no_chance
from ..rules.golden_city.positions import game_of, turn
from .random_games import PLAYERS, crafted, in_play, repeated, rotated


def check(batch: ginkgo_env.Batch) -> None:
    check_views(batch, lambda position: Oracle.from_position(position, no_chance))


@pytest.mark.parametrize("players", PLAYERS)
def test_blocks_say_what_the_record_holds(players: int) -> None:
    kinds = set()
    for batch in in_play(players, rows=3, seed=players, every=9):
        kinds |= set(batch.kind.tolist())
        check(batch)
    assert kinds > {Stage.BID, Stage.BUILD, Stage.OVER}


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
