"""Pictures of any board: places and texts lie apart, and roads cross as little as may be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.games.golden_city.board import Board, load_board
from ginkgo_env.games.golden_city.constants import FIRST_DISTRICT, N_PLACES
from ginkgo_env.games.golden_city.pictures.island import Layout, crossings, hull, layout_of
from ginkgo_env.pictures.svg import PAGE
from ginkgo_env.testing.pictures import extents, texts_in

from .boards import copied, four_kinds, knot, read, write

Row = dict[str, str]


def edited(folder: Path, change: Callable[[Row], Row]) -> Board:
    """A copy of the shipped board with each place's row changed."""
    header, *rows = read(copied(folder), "places")
    write(folder, "places", [header, *(list(change(dict(zip(header, row, strict=True))).values()) for row in rows)])
    return load_board(str(folder))


def lying_on_each_other(layout: Layout) -> int:
    """Pairs of places that overlap."""
    apart = np.abs(layout.at[:, None] - layout.at[None]) - (layout.sizes[:, None] + layout.sizes[None]) / 2
    return int(np.triu((apart < 0).all(axis=2), 1).sum())


def test_the_shipped_board_is_drawn_as_its_file_says() -> None:
    board, layout = load_board(), layout_of(load_board())
    assert layout.width == PAGE and not lying_on_each_other(layout) and not crossings(board, layout.at)
    given = np.array([(int(row["x"]), int(row["y"])) for row in board.places])
    for k in (0, 1):
        fitted = np.polyval(np.polyfit(given[:, k], layout.at[:, k], 1), given[:, k])
        np.testing.assert_allclose(layout.at[:, k], fitted, atol=1e-6)
    assert 1 <= layout.height / layout.width < 1.1


def test_a_board_without_coordinates_is_laid_out(tmp_path: Path) -> None:
    board = edited(tmp_path / "zero", lambda row: row | {"x": "0", "y": "0"})
    layout = layout_of(board)
    assert layout.width == PAGE and not lying_on_each_other(layout)
    assert not crossings(board, layout.at), "its roads can be drawn without crossings"
    assert layout_of(load_board(str(tmp_path / "zero"))) is layout


def test_a_board_with_two_places_at_one_spot(tmp_path: Path) -> None:
    board = edited(tmp_path / "twice", lambda row: row | ({"x": "-79", "y": "-13"} if row["place"] == "C1" else {}))
    layout = layout_of(board)
    assert not lying_on_each_other(layout) and layout.width < 1.3 * PAGE


def test_crossings_are_counted() -> None:
    board = load_board()
    at = layout_of(board).at.copy()
    at[[FIRST_DISTRICT, N_PLACES - 1]] = at[[N_PLACES - 1, FIRST_DISTRICT]]
    assert crossings(board, at) > 0


def test_a_hull() -> None:
    corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)]
    assert sorted(hull([*corners, (1.0, 1.0), (2.0, 0.0), (4.0, 1.0)])) == sorted(corners)


def long_ids(folder: Path) -> Path:
    """The shipped board with ids of eight characters."""
    copied(folder)
    for file, columns in (("places", ["place"]), ("roads", ["place_1", "place_2"])):
        header, *rows = read(folder, file)
        named = [header.index(column) for column in columns]
        write(folder, file, [header, *([f"{c:W>8}" if i in named else c for i, c in enumerate(row)] for row in rows)])
    return folder


BOARDS = {
    "own": lambda tmp: "own",
    "knot": knot,
    "four": lambda tmp: four_kinds(tmp / "four"),
    "long": lambda tmp: long_ids(tmp / "l"),
}


@pytest.mark.parametrize("board", BOARDS)
def test_texts_do_not_lie_on_each_other_nor_outside(board: str, tmp_path: Path) -> None:
    game = ginkgo_env.make_game("golden_city", players=4, board=str(BOARDS[board](tmp_path)))
    assert not lying_on_each_other(layout_of(game.board))  # type: ignore[attr-defined]
    batch = ginkgo_env.Batch(game, 1)
    batch.reset(seed=4)
    for decisions in (0, 150):
        for _ in range(decisions):
            batch.step(batch.sample())
        apart(game, batch.state(0))


def apart(game: Game, state: States) -> None:
    names = ["Bartholomew the Great and Very Wise", "W" * 60, "C", "Dora the Elder of the House by the Sea"]
    picture = game.picture(state, 0, names, since=state)
    boxes = [(what, e) for what, e in extents(picture) if what.startswith("text ")]
    assert set(game.board.place_ids) <= set(texts_in(picture))  # type: ignore[attr-defined]
    for k, (what, a) in enumerate(boxes):
        assert min(a[0], a[1]) >= 0 and a[2] <= picture.width and a[3] <= picture.height, what
        for other, b in boxes[k + 1 :]:
            across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
            assert across <= 1 or down <= 1, f"{what} lies on {other}"
