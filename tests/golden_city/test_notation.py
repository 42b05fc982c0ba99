"""G11.4: the text of actions."""

from __future__ import annotations

from pathlib import Path

import pytest

import ginkgo_env
from ginkgo_env import NotationError

from ..rules.golden_city.boards import four_kinds
from ..rules.golden_city.positions import game_of, turn
from .random_games import PLAYERS, played, states, steps


@pytest.mark.parametrize("players", PLAYERS)
def test_every_legal_action_is_read_back(players: int) -> None:
    table = game_of(players)
    for step in steps(players):
        texts = [table.action_text(step.after, action) for action in step.legal]
        assert [table.parse_action(step.after, text) for text in texts] == step.legal
        assert len(set(texts)) == len(texts)


def test_every_action_has_its_own_text() -> None:
    table = game_of(3)
    state = states(3)["bid"]
    texts = [table.action_text(state, action) for action in range(table.actions.size)]
    assert len(set(texts)) == table.actions.size == 109
    assert [table.parse_action(state, text) for text in texts] == list(range(109))


def test_texts_of_the_rules() -> None:
    table = game_of(3)
    blocks = table.actions
    state = states(3)["bid"]
    wanted = {
        "bid:a": blocks.index("bid", 0),
        "build:C1": blocks.index("build", 0),
        "build:D6": blocks.index("build", 43),
        "build:done": blocks.index("build", 58),
        "pay:meadow": blocks.index("pay_one", 2),
        "pay:coast+coast": blocks.index("pay_two", 0),
        "pay:coast+desert": blocks.index("pay_two", 4),
        "pay:forest+desert": blocks.index("pay_two", 8),
        "pay:desert+desert": blocks.index("pay_two", 14),
        "goods:wine+cloth": blocks.index("goods", 3),
        "goods:stack": blocks.index("goods", 6),
        "box:wine+cloth": blocks.index("box", 3),
        "bonus:rivers": blocks.index("bonus", 3),
        "discard:coast": blocks.index("discard", 0),
    }
    assert {text: table.parse_action(state, text) for text in wanted} == wanted


UNREADABLE = {
    "": "expected bid:, build:, pay:, goods:, box:, bonus: or discard:",
    "bid": "expected bid:",
    "bid:": "expected a pair: a, b, c, d",
    "bid:e": "expected a pair",
    "Bid:a": "expected bid:",
    "bid:a ": "expected a pair",
    "take:a": "expected bid:",
    "pay_one:coast": "expected bid:",
    "build:Z1": "expected a place or done",
    "build:c1": "expected a place or done",
    "build:C01": "expected a place or done",
    "pay:desert+forest": "expected the sources of the cards",
    "pay:city": "expected the sources of the cards",
    "goods:cloth+wine": "expected a kind of goods card or stack",
    "box:stack": "expected a kind of goods card",
    "bonus:houses": "expected a bonus card",
    "discard:": "expected a landscape",
    "build:" + "C" * 1000: "expected a place or done",
}


@pytest.mark.parametrize("text", UNREADABLE)
def test_unreadable_texts(text: str) -> None:
    with pytest.raises(NotationError) as error:
        game_of(3).parse_action(states(3)["bid"], text)
    assert UNREADABLE[text] in str(error.value) and len(str(error.value)) < 300


@pytest.mark.parametrize("thing", [None, 3, b"bid:a", ["bid:a"]])
def test_things_that_are_no_text(thing: object) -> None:
    with pytest.raises(NotationError, match="an action must be a string, got"):
        game_of(3).parse_action(states(3)["bid"], thing)  # type: ignore[arg-type]


def test_nothing_is_read_when_the_game_is_over() -> None:
    with pytest.raises(NotationError, match="the game is over"):
        game_of(3).parse_action(states(3)["over"], "bid:a")


@pytest.mark.parametrize("action", [-1, 109, 2**70, 0.5, None, "bid:a"])
def test_numbers_that_are_no_action(action: object) -> None:
    with pytest.raises(NotationError, match="invalid action"):
        game_of(3).action_text(states(3)["bid"], action)  # type: ignore[arg-type]


def test_an_illegal_action_is_read_and_refused_when_it_is_played() -> None:
    table = ginkgo_env.Batch(game_of(3), 1)
    table.set_position(0, turn("c", "", ""))
    assert table.mask[0, table.game.parse_action(table.state(0), "build:FI")] == 0


def test_a_board_with_fewer_kinds_of_goods_cards(tmp_path: Path) -> None:
    table = ginkgo_env.make_game("golden_city", players=3, board=str(four_kinds(tmp_path / "four")))
    for step in played(table, 5):
        for action in step.legal:
            assert table.parse_action(step.after, table.action_text(step.after, action)) == action
    state = next(played(table, 5)).after
    stack = table.actions.index("goods", 6)
    assert table.parse_action(state, "goods:stack") == stack and table.action_text(state, stack) == "goods:stack"
    for gap in (table.actions.index("goods", 4), table.actions.index("box", 5)):
        with pytest.raises(NotationError, match="no such kind of goods card"):
            table.action_text(state, gap)
