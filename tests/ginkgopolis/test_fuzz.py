"""Bad input: a typed error with a sentence, nothing changed, never another exception, never a crash.

What a reader accepts must be playable: accepted mutants are played to their end in a process with bounds checks on.
"""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ginkgo_env
from ginkgo_env import (
    ConfigError,
    GinkgoError,
    NotationError,
    PositionError,
    make_game,
)
from ginkgo_env.core.game import States

from ..tiers import by_tier
from . import mutants
from .mutants import CONFIGS

CASES = by_tier(range(len(CONFIGS)), [6])
PLAY_ON = Path(__file__).with_name("play_on.py")
FEW = settings(derandomize=True, deadline=None, max_examples=60)


@cache
def game_of(i: int) -> ginkgo_env.Game:
    return make_game("ginkgopolis", **CONFIGS[i])


@cache
def positions_of(i: int) -> list[Any]:
    return mutants.seeds_of_positions(game_of(i), n=1)


def assert_sentence(error: BaseException) -> None:
    text = str(error)
    assert 10 < len(text) < 1500 and "Traceback" not in text, f"no sentence: {text[:200]!r}"


# --- configurations --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        *({"players": n} for n in (0, 6, -1, 2.0, "2", None, True, [2], float("nan"), 10**30, 10**5000)),
        *({"setup": s} for s in ("", "Draft", None, 3, ["draft"], {})),
        *({"level": s} for s in ("advanced", "", None, 1)),
        {"players": 1, "setup": "introductory"},
        *({"strict": s} for s in (1, 0, None, "True", [])),
        *({"max_rounds": n} for n in (0, -1, 10_001, 2.5, None, True, "9", 10**5000)),
        *({"colour": "red"}, {"players_": 3}, {"Players": 3}, {"": 1}),
    ],
    ids=lambda config: str({k: v if not isinstance(v, int) or abs(v) < 10**40 else "huge" for k, v in config.items()})[:60],
)
def test_a_bad_configuration(config: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        make_game("ginkgopolis", **config)
    assert_sentence(caught.value)


# --- notation --------------------------------------------------------------------------------------------------------------

LOOK_ALIKES = [
    *(
        "",
        " ",
        "R",
        "B",
        "Y",
        "R0",
        "R21",
        "R07",
        "r7",
        " R7",
        "R7 ",
        "R7\n",
        "R 7",
        "R7+",
        "R7+ B12",
        "R7++B12",
        "+B12",
        "+",
        "A+",
        "A+A",
    ),
    *(
        "A+B",
        "A+a4",
        "a",
        "AA",
        "M",
        "Z",
        "B+12",
        "B12B",
        "R\u0667",
        "\uff327",
        "R7\u200b",
        "R7+B12+Y4",
        "R-7",
        "R+7",
        "R7.0",
        "R1e1",
    ),
    *(
        "new hand",
        "New-Hand",
        "new-hand ",
        "newhand",
        "take",
        "take:",
        "take:Tile",
        "take:tiles",
        "take: tile",
        "take:resource:tile",
    ),
    *("token", "token:", "token:n", "token:NE", "token:North", "token:AFTER", "token:after ", "token:N:E", "return", "return:"),
    *(
        "return:A",
        "return:R0",
        "return:r7",
        "return:Done",
        "return:R7+B1",
        "draft",
        "draft:",
        "draft:re",
        "draft:ER",
        "draft:RE,BU",
    ),
    *(":", "::", ":tile", "commit:R7", "R7:B12", "play:R7", "\ud800", "R7\x00", "\x00", "null", "None", "-1", "0", "R7" * 1000),
]


def states_by_kind(i: int) -> list[States]:
    return [game_of(i).from_position(position) for position in positions_of(i)]


@pytest.mark.parametrize("config", CASES)
def test_look_alikes_mean_nothing(config: int) -> None:
    game = game_of(config)
    for state in states_by_kind(config):
        before = state.tobytes()
        in_hand = set(game.position(state)["players"][max(0, int(state["actor"][0]))]["hand"])
        for text in LOOK_ALIKES:
            if text in in_hand:  # "B" is a letter
                continue
            with pytest.raises(NotationError) as caught:
                game.parse_action(state, text)
            assert_sentence(caught.value)
        assert state.tobytes() == before


@pytest.mark.parametrize("text", [None, 7, 7.0, b"R7", ["R7"], {"R7"}, True], ids=repr)
def test_an_action_is_text(text: Any) -> None:
    game = game_of(1)
    for state in states_by_kind(1):
        with pytest.raises(NotationError):
            game.parse_action(state, text)


TOKENS = st.sampled_from(
    [*"RBYACL", *"0127+:.- ", "12", "20", "take", "token", "return", "draft", "new-hand", "done", "after", "tile", "RE"]
)


@FEW
@given(text=st.one_of(st.text(max_size=40), st.lists(TOKENS, max_size=6).map("".join)), which=st.integers(0, 99))
def test_any_text_is_an_action_or_an_error(text: str, which: int) -> None:
    game = game_of(2)
    states = states_by_kind(2)
    state = states[which % len(states)]
    try:
        action = game.parse_action(state, text)
    except NotationError as error:
        assert_sentence(error)
    else:
        assert game.action_text(state, action) == text


@pytest.mark.parametrize("action", [-1, -2, 10**6, 2**70], ids=repr)
def test_text_of_what_is_no_action(action: Any) -> None:
    game = game_of(1)
    for state in states_by_kind(1):
        if state["actor"][0] >= 0:
            with pytest.raises(GinkgoError):
                game.action_text(state, action)


@pytest.mark.parametrize("config", CASES)
def test_every_action_has_a_text_or_an_error(config: int) -> None:
    """Not only legal ones: error messages of front ends name them."""
    game = game_of(config)
    for state in states_by_kind(config):
        for action in range(game.actions.size):
            try:
                assert game.action_text(state, action)
            except GinkgoError as error:
                assert_sentence(error)


# --- positions -------------------------------------------------------------------------------------------------------------


def refused(game: ginkgo_env.Game, position: Any) -> bool:
    """Whether a position is refused, with a sentence; any other exception falls through."""
    try:
        game.from_position(position)
    except PositionError as error:
        assert_sentence(error)
        return True
    return False


def assert_playable(named: list[list[Any]]) -> None:
    """Play positions to their end with bounds checks on; one process for all, so that a crash is seen too."""
    texts = []
    for name, position in named:
        text = json.dumps([name, position])
        if json.loads(text)[1] == position:  # what JSON cannot say has no business being accepted, but is not tested here
            texts.append(text)
    done = subprocess.run(
        [sys.executable, str(PLAY_ON)],
        input="[" + ",".join(texts) + "]",
        env={**os.environ, "GINKGO_BOUNDSCHECK": "1", "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"playing accepted positions on crashed ({done.returncode}): {done.stderr[-1500:]}"
    found = json.loads(done.stdout)
    shown = "\n".join(f"  {name}: {problem}" for _, name, problem in found[:25])
    assert not found, f"{len(found)} of {len(texts)} accepted positions cannot be played:\n{shown}"


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("config", range(len(CONFIGS)), ids=lambda i: f"{CONFIGS[i]['players']} players")
def test_what_is_accepted_can_be_played(config: int) -> None:
    """Pieces moved about so that every component is still there: impossible turn orders, hands, piles and knowledge."""
    assert_playable([list(pair) for pair in mutants.accepted(CONFIGS[config], 6, config)])


# Moves that the reader must see through, one by one: each makes a position that no game can reach and no kernel could play.


def _at(kind: str, config: int) -> Any:
    return copy.deepcopy(next(p for p in positions_of(config) if p["decision"]["kind"] == kind))


def _full_hand(position: Any, p: int, n: int = 4) -> None:
    player = position["players"][p]
    while len(player["hand"]) < n:
        player["hand"].append(position["deck"].pop())


def _draft_with_cards() -> Any:
    position = _at("draft", 1)
    _full_hand(position, 0, 4)
    return position


def _draft_without_supply() -> Any:
    position = _at("draft", 1)
    position["removed"] = position["removed"] + position["supply"]
    position["supply"] = []
    return position


def _draft_of_a_fourth_character() -> Any:
    position = _at("draft", 1)
    position["decision"]["actor"] = 0
    return next(mutant for name, mutant in mutants.draft_mutants(position) if name == "draft with 3 kept")


def _draft_with_tableau() -> Any:
    position = _at("draft", 1)
    card = next(c for c in position["deck"] if len(c) > 1)
    position["deck"].remove(card)
    position["players"][0]["tableau"] = [card]
    return position


def _commit_without_earlier_commitment() -> Any:
    position = next(p for p in map(copy.deepcopy, mutants.seeds_of_positions(game_of(2), 6)) if _second_to_commit(p))
    player = position["players"][position["first_player"]]
    player["hand"].append(player["commitment"]["card"])
    if player["commitment"]["tile"]:
        player["tiles"].append(player["commitment"]["tile"])
    player["commitment"] = None
    return position


def _second_to_commit(position: Any) -> bool:
    decision, first = position["decision"], position["first_player"]
    return decision["kind"] == "commit" and decision["actor"] != first and position["players"][first]["commitment"] is not None


def _resolved_player_with_commitment() -> Any:
    position = _at("take", 1)
    position["first_player"] = 1 - position["pending"]["player"]
    player = position["players"][position["first_player"]]
    if player["commitment"] is None:
        player["commitment"] = {"card": player["hand"].pop(), "tile": None}
    return position


def _tile_left_on_the_acting_card() -> Any:
    position = _at("take", 1)
    player = position["players"][position["pending"]["player"]]
    player["commitment"]["tile"] = position["supply"].pop()
    return position


def _nothing_to_take() -> Any:
    position = _at("take", 1)
    player = position["players"][position["pending"]["player"]]
    player["resources"], player["supply"] = player["resources"] + player["supply"], 0
    position["removed"], position["supply"] = position["removed"] + position["supply"], []
    position["exhaustions"], position["ending"] = 2, "tiles"
    return position


def _city_at_the_edge_of_the_map() -> Any:
    position = _at("commit", 1)
    for building in position["city"]:
        building["cell"][0] += 90
    for cell in position["tokens"].values():
        cell[0] += 90
    return position


def _alone_without_supply_and_no_end() -> Any:
    position = _at("commit", 0)
    position["removed"], position["supply"] = position["removed"] + position["supply"], []
    return position


def _supply_again_after_the_second_exhaustion() -> Any:
    position = _at("commit", 1)
    position["exhaustions"] = 2
    return position


def _letter_that_was_constructed() -> Any:
    """The action under way does not go with its card: an urbanization card would become a bonus card."""
    found = mutants.seeds_of_positions(game_of(1), 8)
    position = next(
        p for p in map(copy.deepcopy, found) if p["decision"]["kind"] == "return" and _acting_card(p) in mutants.LETTERS
    )
    position["pending"]["action"] = "construct"
    return position


def _acting_card(position: Any) -> str:
    card: str = position["players"][position["pending"]["player"]]["commitment"]["card"]
    return card


def _returned_and_removed() -> Any:
    position = _at("commit", 1)
    position["returned"] = position["removed"][:3]
    return position


IMPOSSIBLE = [
    *(
        _draft_with_cards,
        _draft_without_supply,
        _draft_of_a_fourth_character,
        _draft_with_tableau,
        _commit_without_earlier_commitment,
    ),
    *(_resolved_player_with_commitment, _tile_left_on_the_acting_card, _nothing_to_take, _city_at_the_edge_of_the_map),
    *(_alone_without_supply_and_no_end, _supply_again_after_the_second_exhaustion, _returned_and_removed),
    _letter_that_was_constructed,
]


@pytest.mark.parametrize("make", IMPOSSIBLE, ids=lambda make: make.__name__.strip("_"))
def test_what_no_game_can_reach_is_refused(make: Callable[[], Any]) -> None:
    position = make()
    config = next(i for i in range(len(CONFIGS)) if game_of(i).config_dict == position["config"])
    for player in position["players"]:
        for key in ("hand", "tiles"):
            player[key].sort(key=mutants.ORDER.__getitem__)
    assert refused(game_of(config), position)
