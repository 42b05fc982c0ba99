"""G11.5: the complete state as plain data. What is reached is read back exactly, what is read is written as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env import PositionError

from ..rules.golden_city.boards import four_kinds
from ..rules.golden_city.positions import game_of, turn
from .random_games import played, states, steps

Json = dict[str, Any]


def accepted(data: Json) -> ginkgo_env.Batch:
    """A batch at this position, which is written as it was read."""
    batch = ginkgo_env.Batch(game_of(data["config"]["players"]), 1)
    batch.set_position(0, data)
    assert batch.position(0) == data
    return batch


def test_another_board(tmp_path: Path) -> None:
    table = ginkgo_env.make_game("golden_city", players=3, board=str(four_kinds(tmp_path / "four")))
    for step in played(table, 1):
        assert table.from_position(table.position(step.after)).tobytes() == step.after.tobytes()
    data = table.position(next(played(table, 1)).after)
    assert data["config"] == {"players": 3, "board": "four"}
    with pytest.raises(PositionError, match="position: config"):
        game_of(3).from_position(data)
    data["config"]["board"] = "own"
    with pytest.raises(PositionError, match="position: board_digest: expected"):
        game_of(3).from_position(data)


def test_keys_of_the_rules() -> None:
    data = game_of(3).position(states(3)["bid"])
    assert list(data) == [
        *("format", "version", "game", "config", "board_digest", "random", "seed", "round", "first_player", "decision"),
        *("ending", "blocked", "scoring_card", "scoring_stack", "pairs", "displacements", "turn", "houses", "deck", "discard"),
        *("goods", "bonus_taken", "keys", "coins", "players"),
    ]
    assert list(data["players"][0]) == ["letters", "coins", "keys", "houses_left", "hand", "known", "goods"]
    assert list(data["players"][0]["letters"]) == ["outer", "inner", "goods", "rivers", "quarters"]
    turn = game_of(3).position(states(3)["pay"])["turn"]
    assert list(turn) == ["player", "built", "place", "discarded"] and turn["place"] is not None


def test_lists_are_in_drawing_order() -> None:
    """The next card of a pile stands first (G11.1)."""
    state = states(3)["bid"]
    data, g = game_of(3).position(state), state[0]
    landscapes = ["coast", "forest", "meadow", "mountain", "desert"]
    assert data["deck"][0] == landscapes[g.deck[g.deck_size - 1]] and len(data["deck"]) == g.deck_size


def test_the_start_of_a_game_shows_the_figures_of_the_rules() -> None:
    """T10: cards in the deck after dealing and laying out, coins in the supply."""
    for players, deck, supply in ((2, 46, 29), (3, 44, 26), (4, 42, 23)):
        data = game_of(players).position(steps(players)[0].after)
        assert len(data["deck"]) == deck - 2 * players and data["coins"] == supply
        assert [player["known"] for player in data["players"]] == [["coast"]] * players


# --- made-up positions ------------------------------------------------------------------------------------------------------


def test_boxing_one_of_five_goods_cards() -> None:
    five = ["pottery+wine", "pottery+wine", "pottery+cloth", "wine+cloth", "wine+spices"]
    data = turn("", "", "", kind="box", houses={"C3": 0, "F3": 0}, goods=[five], built=1, place="F3")
    batch = accepted(data)
    assert batch.mask.sum() == 4
    batch.step([batch.game.parse_action(batch.state(0), "box:pottery+cloth")])
    after = batch.position(0)
    assert after["goods"]["box"] == ["pottery+cloth"]
    assert after["players"][0]["goods"] == ["pottery+wine", "pottery+wine", "wine+cloth", "wine+spices"]
