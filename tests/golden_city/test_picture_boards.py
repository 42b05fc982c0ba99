"""Pictures of any board: places and texts lie apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.games.golden_city.board import Board, load_board
from ginkgo_env.games.golden_city.constants import N_PLACES
from ginkgo_env.games.golden_city.pictures.island import Layout, hull, layout_of
from ginkgo_env.pictures.svg import PAGE
from ginkgo_env.testing.pictures import extents, texts_in

from ..rules.golden_city.boards import copied, four_kinds, knot, read, write

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
    assert layout.width == PAGE and not lying_on_each_other(layout)
    given = np.array([(int(row["x"]), int(row["y"])) for row in board.places])
    for k in (0, 1):
        fitted = np.polyval(np.polyfit(given[:, k], layout.at[:, k], 1), given[:, k])
        np.testing.assert_allclose(layout.at[:, k], fitted, atol=1e-6)
    assert 1 <= layout.height / layout.width < 1.1


@pytest.mark.parametrize("moved", [N_PLACES, 1])
def test_places_that_would_overlap_are_drawn_on_a_ring_which_says_so(tmp_path: Path, moved: int) -> None:
    board = edited(tmp_path / "b", lambda row: row | ({"x": "-79", "y": "-13"} if moved > 1 or row["place"] == "C1" else {}))
    layout = layout_of(board)
    assert layout.is_ring and not lying_on_each_other(layout)
    center = (layout.width / 2, layout.height / 2)
    assert np.ptp(np.hypot(*(layout.at - center).T)) < 5
    game = ginkgo_env.make_game("golden_city", players=3, board=str(tmp_path / "b"))
    note = "no map: places would overlap at the coordinates of this board"
    assert note in texts_in(ginkgo_env.draw(game.initial_state(1), game=game))
    assert layout_of(load_board(str(tmp_path / "b"))) is layout


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
