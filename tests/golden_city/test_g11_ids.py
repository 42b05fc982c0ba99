"""G11: names, order of actions and of observations, configuration."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

import ginkgo_env
from ginkgo_env.cli.output import Transcript, configurations_table
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.games.golden_city.actions import ACTIONS
from ginkgo_env.games.golden_city.board import load_board

from ..rules.golden_city.components import BONUS, GOODS, LANDSCAPES
from ..rules.golden_city.positions import game_of, start, turn

KINDS = ["bid", "build", "pay", "goods", "box", "bonus", "discard"]
BLOCKS = {"bid": 4, "build": 59, "pay_one": 5, "pay_two": 15, "goods": 7, "box": 6, "bonus": 8, "discard": 5}


def test_g11_1_names() -> None:
    game = game_of(3)
    assert game.name == "golden_city" and list(game.decisions) == KINDS
    assert load_board().place_ids[:2] == ("C1", "C2") and load_board().place_ids[-3:] == ("DO1", "DO2", "DI")


# --- G11.3 ---------------------------------------------------------------------------------------------------------------------


def test_g11_3_configuration() -> None:
    assert ginkgo_env.make_game("golden_city").config_dict == {"players": 3, "board": "own"}
    assert [config["players"] for config in game_of(3).configurations()] == [3, 4, 2]


@pytest.mark.parametrize(
    "bad", [{"players": 1}, {"players": 5}, {"players": "3"}, {"players": 3.5}, {"board": ""}, {"board": 7}, {"level": 1}]
)
def test_g11_3_no_other_options(bad: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        ginkgo_env.make_game("golden_city", **bad)


def test_g2_5_two_players_are_a_variant() -> None:
    """Called so in lists, records and ratings."""
    assert [game_of(players).variant for players in (2, 3, 4)] == ["variant", "", ""] and game_of(2).sides == 2
    listed = [str(words) for words in configurations_table("golden_city").columns[0].cells]
    assert listed == ["players=3", "players=4", "players=2 (variant)"]
    head = next(Transcript(ginkgo_env.Record.from_actions(game_of(2), 1, [])).blocks()).strip()
    assert head.startswith("The Golden City (variant): players 2, board own, seed ")


# --- G11.4 ---------------------------------------------------------------------------------------------------------------------


def test_g11_4_blocks_and_their_order() -> None:
    assert {name: block.size for name, block in ACTIONS.items()} == BLOCKS and list(ACTIONS) == list(BLOCKS)
    assert ACTIONS.size == 109 and [ACTIONS[name].start for name in ACTIONS] == [0, 4, 63, 68, 83, 90, 96, 104]
    assert {game_of(players).actions.size for players in (2, 3, 4)} == {109}


def test_g11_4_notation_in_the_order_of_ids() -> None:
    state = start(turn("c", "", "")).state
    pairs = [f"{a}+{b}" for a, b in combinations_with_replacement(LANDSCAPES, 2)]
    wanted = [f"bid:{pair}" for pair in "abcd"]
    wanted += [f"build:{place}" for place in (*load_board().place_ids, "done")]
    wanted += [f"pay:{name}" for name in LANDSCAPES] + [f"pay:{pair}" for pair in pairs]
    wanted += [f"goods:{card}" for card in (*GOODS, "stack")] + [f"box:{card}" for card in GOODS]
    wanted += [f"bonus:{card}" for card in BONUS] + [f"discard:{name}" for name in LANDSCAPES]
    assert [game_of(3).action_text(state, action) for action in range(109)] == wanted and len(set(wanted)) == 109
    assert [game_of(3).parse_action(state, text) for text in wanted] == list(range(109))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g11_6_blocks_of_an_observation(players: int) -> None:
    n = players
    shapes = {
        "decision": (7,),
        "status": (12,),
        "turn": (n, 4),
        "players": (n, 10),
        "hand": (5,),
        "known": (n, 5),
        "discard": (5,),
        "pairs": (4, 5),
        "pair_seat": (4, n),
        "scoring": (12,),
        "to_come": (16,),
        "goods": (n + 2, 6),
        "bonus": (2, 8),
        "houses": (n, 58),
        "place": (58,),
        "sites": (58,),
        "at_rivers": (n, 4),
        "in_quarters": (n, 4),
    }
    layout = game_of(players).observation
    assert {name: tuple(block.shape) for name, block in layout.items()} == shapes and list(layout) == list(shapes)
    assert layout.size == 221 + 95 * n and game_of(players).observation_dtype.__name__ == "uint8"
    assert {name for name, block in layout.items() if block.seen_by == "self"} == {"hand", "bonus"}
