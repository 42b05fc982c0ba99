"""G11: names, order of actions and observations, random outcomes, configuration."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest

import ginkgo_env
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.games.golden_city.actions import ACTIONS
from ginkgo_env.games.golden_city.board import load_board

from .components import BONUS, GOODS, GOODS_CARDS, LANDSCAPES, SCORING
from .made_up import bidding, turn
from .table import Table, game_of, start

KINDS = ["bid", "build", "pay", "goods", "box", "bonus", "discard"]
BLOCKS = {"bid": 4, "build": 59, "pay_one": 5, "pay_two": 15, "goods": 7, "box": 6, "bonus": 8, "discard": 5}


def test_g11_1_names() -> None:
    game = game_of(3)
    assert game.name == "golden_city" and list(game.decisions) == KINDS
    assert load_board().place_ids[:2] == ("C1", "C2") and load_board().place_ids[-3:] == ("DO1", "DO2", "DI")


def test_g11_1_the_next_seat_is_to_the_left() -> None:
    table = start(turn("c", "c", "c"))
    table.play("build:done")
    assert table.decision == ("build", 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g11_2_random_outcomes_in_order(players: int) -> None:
    table = Table(game_of(players)).begin(8)
    names = ["landscapes", "goods", "scoring_1", "scoring_2", "scoring_3", "first_player"]
    assert [chance.name for chance in table.chances] == names
    landscapes, goods, *scoring, first = (chance.outcome for chance in table.chances)
    assert isinstance(landscapes, list) and len(landscapes) == 50 - players
    assert sorted(map(str, goods)) == sorted(GOODS_CARDS) and [len(cards) for cards in scoring] == [4, 8, 4]
    assert [sorted(cards) for cards in scoring] == [SCORING[:4], SCORING[4:12], SCORING[12:]] and first in range(players)


def test_g11_2_later_only_new_decks() -> None:
    table = Table(game_of(3)).begin(8)
    while table.decision[0] != "over":
        table.play(table.legal[len(table.position["deck"]) % len(table.legal)])
    later = table.chances[6:]
    assert {chance.name for chance in later} == {"landscapes"} and len(later) >= 2
    assert all(Counter(chance.outcome)[name] <= 10 for chance in later for name in LANDSCAPES)


def test_g11_2_what_is_drawn_is_drawn_from_index_0() -> None:
    table = start(turn("c", "", "", deck="mfedcf"))
    table.play("build:C1")
    assert table.player(0)["hand"] == ["mountain"]
    (new,) = (chance.outcome for chance in table.chances)  # six pairs' cards: five of the old deck, one of the new
    assert isinstance(new, list) and table.position["deck"] == new[1:]
    pairs = [["coast", "forest"], ["meadow", "forest"], sorted(["desert", new[0]], key=LANDSCAPES.index)]
    found = [pair["cards"] for pair in table.position["pairs"]]
    assert sorted(found) == sorted(
        sorted(pair, key=LANDSCAPES.index) for pair in [["forest", "coast"], ["meadow", "forest"], pairs[2]]
    )


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


def test_g11_4_build_always_has_done_and_a_place() -> None:
    table = Table(game_of(4)).begin(3)
    built = 0
    while table.decision[0] != "over":
        if table.decision[0] == "build":
            assert table.offered[-1] == "done" and len(table.offered) > 1
            built += 1
        table.play(table.legal[len(table.position["deck"]) % len(table.legal)])
    assert built > 20


# --- G11.5, G11.6 --------------------------------------------------------------------------------------------------------------


def test_g11_5_keys_of_a_position() -> None:
    position = start(bidding("cc cd ff")).position
    assert set(position) == {
        *("format", "version", "game", "config", "board_digest", "random", "seed", "round", "first_player", "decision", "ending"),
        *("blocked", "scoring_card", "scoring_stack", "pairs", "displacements", "turn", "houses", "deck", "discard", "goods"),
        *("bonus_taken", "keys", "coins", "players"),
    }
    assert set(position["players"][0]) == {"letters", "coins", "keys", "houses_left", "hand", "known", "goods"}
    assert start(position).position == position


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


def test_g11_6_the_kind_awaited_in_the_order_of_g11_4() -> None:
    data = {
        "bid": bidding("cc cd ff"),
        "build": turn("c", "", ""),
        "pay": turn("cff", "", "", kind="pay", place="C1"),
        "discard": turn("cffeem", "", "", kind="discard"),
    }
    for kind, position in data.items():
        assert start(position).seen(1)["decision"].tolist() == [int(kind == name) for name in KINDS]
