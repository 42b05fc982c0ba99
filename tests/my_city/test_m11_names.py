"""M2.3, M11: numbers of players, headings, actions."""

from __future__ import annotations

from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.core.errors import ConfigError, NotationError
from ginkgo_env.games.my_city.buildings import load_buildings

from ..rules.my_city.positions import PLAYERS, game_of, table
from .slow import turned


@pytest.mark.parametrize("players", [0, 5, -1, 2.5, "two", None, True])
def test_m2_3_m11_11_numbers_of_players(players: Any) -> None:
    with pytest.raises(ConfigError, match="players"):
        ginkgo_env.make_game("my_city", players=players)


@pytest.mark.parametrize("option", ["board", "buildings"])
@pytest.mark.parametrize("value", ["", None, 3, ["own"]])
def test_m11_11_data_files_are_names(option: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=option):
        ginkgo_env.make_game("my_city", **{option: value})


def test_m11_11_defaults() -> None:
    game = ginkgo_env.make_game("my_city")
    assert game.seats == 2 and game.component_ids["board"] == game.component_ids["buildings"] == "own"


def test_m9_1_a_game_alone_is_told_to_be_a_variant() -> None:
    assert [game_of(players).variant for players in PLAYERS] == ["variant", "", "", ""]


@pytest.mark.parametrize("building", load_buildings().list, ids=lambda building: building.id)
def test_m11_3_quarter_turns_clockwise(building) -> None:  # type: ignore[no-untyped-def]
    for heading in range(4):
        assert list(building.turned(heading)) == turned(list(building.cells), heading)


def test_m11_6_action_texts() -> None:
    found = table("Y1")
    for action in range(found.game.actions.size):
        assert found.game.parse_action(found.state, found.game.action_text(found.state, action)) == action
    assert [found.game.action_text(found.state, a) for a in (0, 10, 11, 120, 121, 362, 484, 485)] == [
        *("a1N", "k1N", "a2N", "k11N", "a1E", "k11S"),
        *("pass", "end"),
    ]


@pytest.mark.parametrize(
    "text", ["", "e1", "e1e", "E1E", "l1N", "a12N", "a0N", "a01N", "e1E ", "e1NE", "Pass", "1eN", "place e1E", "a\u0661N"]
)
def test_m11_6_texts_that_are_no_action(text: str) -> None:
    found = table("Y1")
    with pytest.raises(NotationError):
        found.game.parse_action(found.state, text)


def test_m11_7_the_layout_of_actions() -> None:
    actions = game_of().actions
    assert [(name, block.start, block.shape) for name, block in actions.items()] == [
        *(("place", 0, (4, 11, 11)), ("pass", 484, ()), ("end", 485, ())),
    ]
    assert actions.size == 486
