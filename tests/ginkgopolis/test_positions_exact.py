"""A position that is accepted is written again exactly as it was read, and can be read again after more play."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import ginkgo_env

from ..junk import at, paths, replaced
from ..rules.ginkgopolis.extras import MODULES
from ..rules.ginkgopolis.positions import Builder, game
from ..tiers import by_tier
from .mutants import seeds_of_positions

Json = dict[str, Any]
CONFIGS: list[Json] = [
    {"players": 1},
    {"players": 3},
    {"players": 2, "modules": MODULES},
    {"players": 4, "modules": MODULES[:5], "setup": "introductory"},
]


@cache
def positions(config: int) -> list[Json]:
    return seeds_of_positions(game(**CONFIGS[config]))


def places(position: Json) -> list[tuple[Any, ...]]:
    """Lists of names or buildings with at least two entries."""
    found = []
    for path in paths(position):
        value = at(position, path)
        if isinstance(value, list) and len(value) > 1 and path[-1] not in ("cell", *"ABCDEFGHIJKL") and path != ("players",):
            found.append(path)
    return found


def exact(board: ginkgo_env.Game, position: Json) -> bool:
    """Whether a position is accepted; then it is written as it was."""
    try:
        state = board.from_position(position)
    except ginkgo_env.PositionError as error:
        assert len(str(error)) < 250
        return False
    assert board.position(state) == position
    return True


@pytest.mark.parametrize("config", by_tier(range(len(CONFIGS)), [0]))
def test_lists_in_another_order_are_refused_or_kept(config: int) -> None:
    """Piles that are drawn from and the city keep their order; of all others the order is fixed."""
    rng, board = random.Random(config), game(**CONFIGS[config])
    accepted, refused = set(), set()
    for position in positions(config):
        for path in places(position):
            entries = list(at(position, path))
            i = rng.randrange(len(entries) - 1)
            entries[i], entries[i + 1] = entries[i + 1], entries[i]
            if entries != at(position, path):
                (accepted if exact(board, replaced(position, path, entries)) else refused).add(path[-1])
    assert accepted <= {"supply", "deck", "new_buildings", "city"}
    assert {"supply", "deck"} <= accepted and {"tiles", "hand", "discard"} <= refused


@pytest.mark.parametrize("config", by_tier(range(len(CONFIGS)), [0]))
def test_copies_in_lists_are_refused_or_kept(config: int) -> None:
    rng, board = random.Random(config), game(**CONFIGS[config])
    for position in positions(config):
        for path in places(position):
            entries = list(at(position, path))
            entries.insert(rng.randrange(len(entries)), rng.choice(entries))
            accepted = exact(board, replaced(position, path, entries))
            assert not accepted or path[-1] == "known_tiles"  # several green spaces may be known


def test_the_error_names_the_place() -> None:
    position = Builder(2).hand(0, "R1", "B2").position()
    position["players"][0]["hand"].reverse()
    with pytest.raises(ginkgo_env.PositionError, match=r"^position: players\[0\]\.hand: expected in order: R1 before B2$"):
        game(**position["config"]).from_position(position)


@pytest.mark.parametrize(
    ("key", "value"),
    [("random", "0x00000000000000AB"), ("seed", "0xABCDEF0123456789"), ("config", {"modules": ["experts", "events"]})],
)
def test_words_and_modules_have_one_spelling(key: str, value: Any) -> None:
    board = game(players=2, modules=("events", "experts"))
    batch = ginkgo_env.Batch(board, 1)
    batch.reset(seed=[1])
    position = batch.position(0)
    position[key] = position[key] | value if key == "config" else value
    with pytest.raises(ginkgo_env.PositionError, match=key):
        board.from_position(position)


def test_nobody_has_more_points_than_rounds_can_bring() -> None:
    """Else play could go on to positions that are refused."""
    Builder(2).hand(0, "A").player(0, points=1500).start()
    with pytest.raises(ginkgo_env.PositionError, match=r"players\[0\]\.points: expected a whole number from 0 to 1500"):
        Builder(2).hand(0, "A").player(0, points=1501).start()


def test_with_as_many_points_as_there_can_be_play_goes_on_to_positions_that_are_read() -> None:
    builder = Builder(2, modules=MODULES).hand(0, "Y7", "A", "C", "D").hand(1, "E", "F", "G", "H")
    builder.building((0, 0), "Y7", floors=20, owner=1).player(0, points=1500).player(1, points=1500)
    table = builder.start().play("Y7")
    while table.position["round"] < 8 and not table.done:
        table.play(max(table.legal))
        assert exact(table.game, table.position)
    assert max(table.player(p)["points"] for p in (0, 1)) > 1500
