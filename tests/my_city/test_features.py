"""Compact features against sets of cells, column by column; bounds; what a seat cannot know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.layout import Observation
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.components import TerrainPlane
from ginkgo_env.games.my_city.constants import N_COLORS, SIDES_OF_WELL, Color, Source, Terrain
from ginkgo_env.games.my_city.features import GAME, N_AREA_SIZES, SIDES, SideFeature
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.observe import BOARD_PLANES, PLAYER_FIELDS, BoardPlane, PlayerField
from ginkgo_env.testing.hidden import check_features

from ..rules.my_city.positions import PLAYERS, game_of, made_up, played, table, three_banks
from ..tiers import by_tier
from .playing import COLORS, as_builder, batch_of, in_play
from .slow import Cell, built, groups_of, kinds, light, one_hot, placements, river_side, sides, sources, touches, union

POINT, FEW, CELL, MANY_CELLS = 1 / 20, 1 / 5, 1 / 40, 1 / 100


def test_rows_within_blocks_follow_the_enums() -> None:
    """Kernels write these fields as a row: the first field, and a place in the row."""

    def names(prefix: str, members: Iterable[Any]) -> list[str]:
        return [f"{prefix}_{member.name.lower() if isinstance(member, IntEnum) else member}" for member in members]

    colors, no_church = list(Color), list(Color)[:N_COLORS]
    rows: list[tuple[tuple[str, ...], IntEnum, list[str]]] = [
        (PLAYER_FIELDS, PlayerField.START, [source.name.lower() for source in Source]),
        (BOARD_PLANES, BoardPlane.YELLOW, [color.name.lower() for color in Color]),
        (SIDES, SideFeature.POINTS_START, names("points", Source)),
        (SIDES, SideFeature.PLACED_YELLOW, names("placed", colors)),
        (SIDES, SideFeature.TO_COME_YELLOW, names("to_come", colors)),
        (SIDES, SideFeature.GROUPS_YELLOW, names("groups", no_church)),
        (SIDES, SideFeature.BESIDE_LARGEST_GROUP_YELLOW, names("beside_largest_group", no_church)),
        (SIDES, SideFeature.CHURCHES_BESIDE_COLORS_0, names("churches_beside_colors", range(N_COLORS + 1))),
        (SIDES, SideFeature.WELLS_WITH_SIDES_0, names("wells_with_sides", range(SIDES_OF_WELL + 1))),
        (SIDES, SideFeature.IN_AREAS_OF_1, names("in_areas_of", [*range(1, N_AREA_SIZES), "more"])),
    ]
    for fields, first, wanted in rows:
        assert list(fields[first : first + len(wanted)]) == wanted
    assert [plane.name for plane in TerrainPlane][1 : len(Terrain)] == [terrain.name for terrain in Terrain][1:]


def of_color(game: MyCity, g: Any, p: int, color: str) -> list[set[Cell]]:
    return [cells for building, cells in built(game, g, p).items() if building.color.name.lower() == color]


def largest(board: Board, buildings: list[set[Cell]]) -> set[Cell]:
    """The cells of the largest group, of equal ones the one that comes first in reading order."""
    groups = sorted(groups_of(board, buildings), key=lambda group: (-len(group), min(union(group))))
    return union(groups[0]) if groups else set()


def on_bank(board: Board, cell: Cell) -> list[Cell]:
    """The sides of a cell on its own bank."""
    return [(r, c) for r, c in sides(board, cell) if board.banks[r][c] == board.banks[cell[0]][cell[1]]]


def areas(board: Board, free: set[Cell]) -> list[set[Cell]]:
    """Free cells connected on their bank."""
    found, rest = [], set(free)
    while rest:
        area, edge = set[Cell](), [rest.pop()]
        while edge:
            area.add(edge[-1])
            new = [cell for cell in on_bank(board, edge.pop()) if cell in rest]
            rest -= set(new)
            edge += new
        found.append(area)
    return found


def to_come(game: MyCity, g: Any) -> set[int]:
    n, drawn = len(game.buildings.list), int(g["drawn"])
    return {int(g["current"]), *g["deck"][drawn : n + 1].tolist()} - {-1, n}


def side(game: MyCity, g: Any, p: int) -> dict[str, float]:
    """What is counted for a player, but for the lead."""
    board, on, kind = game.board, built(game, g, p), kinds(game.board)
    whose = {cell: building.id for building, cells in on.items() for cell in cells}
    free = {cell for cell in light(board) if cell not in whose}
    points, over = sources(game, g, p), int(g["ended"][p]) > 0
    found = {f"points_{source}": n * POINT for source, n in points.items()}
    found["total"] = sum(points.values()) * POINT
    found["counter"] = (points["start"] + points["passes"] + points["gold"]) * POINT
    found["has_ended"], found["gold"] = over, points["gold"] > 0
    found["veins_open"] = sum(kind[cell] == "vein" for cell in free)
    come = [game.buildings.list[i].color.name.lower() for i in to_come(game, g)]
    for color in COLORS:
        found[f"placed_{color}"] = len(of_color(game, g, p, color)) * FEW
        found[f"to_come_{color}"] = 0 if over else come.count(color) * FEW
    for color in COLORS[:3]:
        own = of_color(game, g, p, color)
        near = {cell for cell in free if touches(board, {cell}, largest(board, own))}
        found |= {f"groups_{color}": len(groups_of(board, own)) * FEW, f"beside_largest_group_{color}": len(near) * FEW}
    beside = [sum(touches(board, church, union(of_color(game, g, p, color))) for color in COLORS[:3])
              for church in of_color(game, g, p, "church")]  # fmt: skip
    found |= {f"churches_beside_colors_{n}": beside.count(n) for n in range(4)}
    wells = [cell for cell in kind if kind[cell] == "well"]
    around = [len({whose[other] for other in sides(board, well) if other in whose}) for well in wells if well in free]
    found |= {f"wells_with_sides_{n}": around.count(n) for n in range(5)} | {"wells_covered": len(wells) - len(around)}
    open_sides = [sum(other in free for other in on_bank(board, cell)) for cell in free]
    found |= {"free": len(free) * MANY_CELLS} | {f"free_beside_free_{n}": open_sides.count(n) * CELL for n in range(5)}
    sizes = [len(area) for area in areas(board, free)]
    found |= {f"in_areas_of_{n}": n * sizes.count(n) * CELL for n in range(1, 6)}
    found["in_areas_of_more"] = sum(n for n in sizes if n > 5) * CELL
    found["areas"] = len(sizes) * FEW
    found["beside_buildings"] = sum(touches(board, {cell}, set(whose)) for cell in free) * CELL
    return found


def fits(game: MyCity, g: Any, p: int) -> tuple[list[float], list[float]]:
    """For each building its placements, and those beside the largest group of its color."""
    board, own, come = game.board, union(built(game, g, p).values()), to_come(game, g)
    start = {cell for cell in light(board) if (touches(board, {cell}, own) if own else river_side(board, cell))}
    groups = {color: largest(board, of_color(game, g, p, color)) for color in COLORS[:3]} | {"church": set()}
    near = {color: {cell for cell in light(board) if touches(board, {cell}, group)} for color, group in groups.items()}
    everywhere, joining = [], []
    for i, building in enumerate(game.buildings.list):
        found = placements(board, building).values() if i in come and not g["ended"][p] else ()
        legal = [cells for cells in found if not cells & own and cells & start]
        everywhere.append(np.log1p(len(legal)))
        joining.append(np.log1p(sum(bool(cells & near[building.color.name.lower()]) for cells in legal)))
    return everywhere, joining


def expected(game: MyCity, g: Any) -> Iterator[dict[str, Any]]:
    """All blocks for each seat, as sets of cells give them."""
    n, players = len(game.buildings.list), game.seats
    counted = [side(game, g, p) for p in range(players)]
    totals = [own["total"] for own in counted]
    left = g["deck"][int(g["drawn"]) : n + 1].tolist()
    about = {"share_left": len(to_come(game, g)) / n, "cards_left": len(left) * CELL, "blocking_card_left": n in left}
    about["gold_open"] = "vein" in kinds(game.board).values() and not g["gold"].any()
    for seat in range(players):
        best = max((total for p, total in enumerate(totals) if p != seat), default=0)
        leads = [total - (best if p == seat else totals[seat]) if players > 1 else 0 for p, total in enumerate(totals)]
        rows = [own | {"lead": lead} for own, lead in zip(counted, leads, strict=True)]
        assert set(rows[0]) == set(SIDES)
        everywhere, joining = fits(game, g, seat)
        yield {
            "decision": one_hot(n, g["current"]),
            "game": [about[name] for name in GAME],
            "sides": [[own[name] for name in SIDES] for own in rows[seat:] + rows[:seat]],
            "fits": everywhere,
            "joins": joining,
        }


def check(game: MyCity, batch: Batch) -> None:
    """Compare all blocks of all seats in all rows."""
    seen = [Observation(game.features, batch.features(seat)) for seat in range(game.seats)]
    for row in range(batch.size):
        for features, wanted in zip(seen, expected(game, batch.states[row]), strict=True):
            assert list(wanted) == list(features)
            for name, block in wanted.items():
                np.testing.assert_allclose(features[name][row], np.asarray(block, float), atol=1e-5, err_msg=name)


def built_up(game: MyCity, rows: int, seed: int, every: int) -> Iterator[Batch]:
    """Games of builders, every so many decisions, and then."""
    batch, random, step = Batch(game, rows), np.random.default_rng(seed), 0
    batch.reset(seed=seed)
    while not batch.over.all():
        if step % every == 0:
            yield batch
        batch.step(as_builder(batch, random))
        step += 1
    yield batch


@pytest.mark.parametrize("players", by_tier(PLAYERS, (2,)))
def test_every_column(players: int) -> None:
    """Uniform play ends early; builders fill their boards."""
    game = game_of(players)
    for batch in in_play(players, rows=1, seed=50 + players, every=7 * players + 1):
        check(game, batch)
    for batch in built_up(game, 2, seed=players, every=6 * players - 1):
        check(game, batch)


@pytest.mark.parametrize("players", [1, 2])
def test_every_column_on_another_board(players: int, tmp_path: Path) -> None:
    game = three_banks(tmp_path, players)
    for seed in range(3):
        for batch in in_play(players, rows=2, seed=seed, every=2, game=game):
            check(game, batch)


def test_columns_that_random_play_hardly_reaches() -> None:
    """A church with three colors, and a well with four buildings around it (M13, 6 and 7)."""
    church = played("C1 f1E", "Y1 g1E", "R1 e1E", "B1 f4E")
    well = played("Y1 d5N", "R1 c4E", "B1 d6N", "C1 b5E", "B4 c7N")
    for found, name in ((church, "churches_beside_colors_3"), (well, "wells_with_sides_4")):
        batch = batch_of(found.game, found.state)
        assert Observation(found.game.features, batch.features(0))["sides"][0, 0, SIDES.index(name)] == 1
        check(found.game, batch)


def test_every_column_varies() -> None:
    """None is always the same: what the comparisons above compare is there. A lead needs two players."""
    seen = [batch.features(seat) for batch in built_up(game_of(2), 64, seed=1, every=4) for seat in range(2)]
    numbers = Observation(game_of(2).features, np.concatenate(seen))
    constant = {name for i, name in enumerate(SIDES) if np.ptp(numbers["sides"][:, :, i]) == 0}
    assert constant == {"points_start"}
    assert all(np.ptp(numbers["game"], axis=0) > 0) and all(np.ptp(numbers["decision"], axis=0) > 0)
    assert all(np.ptp(numbers["fits"], axis=0) > 0) and list(np.flatnonzero(np.ptp(numbers["joins"], axis=0) == 0)) == [
        24,
        25,
        26,
    ]


def test_a_choice_that_waits_changes_nothing() -> None:
    """Not even the own one: features are of boards, and this one is not yet built."""
    found = table("Y1", players=2)
    before = batch_of(found.game, found.state).features(0)
    found.play("e1E")
    assert (batch_of(found.game, found.state).features(0) == before).all()


@pytest.mark.parametrize("players", PLAYERS)
def test_bounds(players: int) -> None:
    check_features(game_of(players), seed=5, n=12)


def test_bounds_on_the_largest_board(tmp_path: Path) -> None:
    """128 cells of trees: 256 points, 127 of them ahead."""
    game = made_up(tmp_path, " ".join(["t" * 16] * 8), " ".join(["a" * 15 + "b"] * 8), "Y1 yellow #", players=2)
    found = table("Y1", players=2, game=game).play("o1N", "pass")
    batch = batch_of(game, found.state)
    check(game, batch)
    check_features(game)
