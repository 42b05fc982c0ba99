"""M1: components, the shipped board and buildings, other files of the same form."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.games.my_city import board as board_module
from ginkgo_env.games.my_city.board import SHIPPED, load_board
from ginkgo_env.games.my_city.buildings import load_buildings

from ..rules.my_city.positions import board_file, buildings_file, game_of, game_with, table
from .playing import as_builder
from .slow import Cell, cells_of_board, kinds, light, placements, river_side, sides

SHAPES = {  # M1.8: rows, cells, headings, placements, of these at the river
    "I2": ("##", 2, "NE", 148, 42),
    "V3": ("#./##", 3, "NESW", 241, 78),
    "I4": ("####", 4, "NE", 78, 32),
    "O4": ("##/##", 4, "N", 55, 19),
    "T4": ("###/.#.", 4, "NESW", 187, 63),
    "L4": ("#./#./##", 4, "NESW", 170, 61),
    "Z4": ("##./.##", 4, "NE", 95, 34),
    "U5": ("#.#/###", 5, "NESW", 148, 58),
    "I3": ("###", 3, "NE", 107, 34),
    "J4": (".#/.#/##", 4, "NESW", 178, 65),
    "P5": ("##/##/#.", 5, "NESW", 169, 63),
}
IDS = [*(f"{color}{i}" for color in "YRB" for i in range(1, 9)), "C1", "C2", "C3"]
OWN = load_board()


# --- M1.1 to M1.5, M1.8, M1.9 --------------------------------------------------------------------------------------------------


def test_m1_1_m1_2_m1_3_m11_1_buildings_and_cards() -> None:
    buildings = load_buildings()
    assert list(buildings.ids) == IDS and list(buildings.cards) == [*IDS, "X"]
    assert Counter(b.color.name for b in buildings.list) == {"YELLOW": 8, "RED": 8, "BLUE": 8, "CHURCH": 3}
    assert sum(len(b.cells) for b in buildings.list) == 102
    shapes = [b.shape for b in buildings.list]
    assert shapes[:8] == shapes[8:16] == shapes[16:24] == list(SHAPES)[:8] and shapes[24:] == list(SHAPES)[8:]


@pytest.mark.parametrize("shape", SHAPES)
def test_m1_8_shapes(shape: str) -> None:
    rows, cells, headings, anywhere, at_river = SHAPES[shape]
    components = game_of().components
    for b, building in enumerate(load_buildings().list):
        if building.shape != shape:
            continue
        assert building.cells == tuple(
            (r, c) for r, row in enumerate(rows.split("/")) for c, letter in enumerate(row) if letter == "#"
        )
        assert len(building.cells) == cells and "".join("NESW"[h] for h in building.headings) == headings
        found = placements(OWN, building)
        assert len(found) == anywhere
        assert sum(any(river_side(OWN, cell) for cell in covered) for covered in found.values()) == at_river
        assert [sum(int(word).bit_count() for word in components[name][0, b].ravel()) for name in ("anchors", "at_river")] == [
            *(anywhere, at_river),
        ]


def test_m1_8_3820_placements() -> None:
    assert sum(len(placements(OWN, building)) for building in load_buildings().list) == 3820


def test_m12_1_bounds_of_a_game() -> None:
    """No placement twice, `pass` and `end`; and a player is asked about each building at most once."""
    assert max(len(placements(OWN, building)) for building in load_buildings().list) + 2 == 243
    batch, random, decisions = Batch(game_of(1), 200), np.random.default_rng(1), np.zeros(200, np.int64)
    batch.reset(seed=1)
    while not batch.over.all():
        assert batch.mask.sum(axis=1).max() <= 84
        decisions += ~batch.over
        batch.step(as_builder(batch, random))
    assert 20 < decisions.max() <= 27


def named(kind: str) -> set[str]:
    return {OWN.cell_name(11 * r + c) for (r, c), found in kinds(OWN).items() if found == kind}


def test_m1_4_m1_7_m1_9_m11_2_the_board() -> None:
    assert (OWN.rows, OWN.columns, OWN.name) == (11, 11, "own")
    assert Counter(kinds(OWN).values()) == {
        "empty": 78,
        "trees": 6,
        "rocks": 6,
        "well": 3,
        "vein": 2,
        "mountain": 13,
        "forest": 13,
    }
    assert named("trees") == {"h1", "d4", "b9", "g9", "j10", "k11"} and named("rocks") == {"g2", "j3", "h6", "e7", "b11", "i11"}
    assert named("well") == {"i3", "c6", "f10"} and named("vein") == {"k1", "a8"}
    assert Counter(OWN.banks[r][c] for r, c in light(OWN)) == {"l": 40, "r": 55}
    assert [row.count(".") for row in OWN.terrain] == [6, 7, 6, 7, 8, 5, 6, 8, 8, 9, 8]


def test_m1_5_m1_9_the_river() -> None:
    pairs = [
        (a, b) for a in cells_of_board(OWN) for b in sides(OWN, a) if a < b and OWN.banks[a[0]][a[1]] != OWN.banks[b[0]][b[1]]
    ]
    assert len(pairs) == 17
    down = {"/".join(OWN.cell_name(11 * r + c) for r, c in pair) for pair in pairs if pair[0][1] == pair[1][1]}
    assert down == {"e2/e3", "e4/e5", "f5/f6", "f7/f8", "e8/e9", "e10/e11"}
    lying = [cell for cell in cells_of_board(OWN) if river_side(OWN, cell)]
    assert len(lying) == 22 and set(lying) <= set(light(OWN))
    assert lying == [cell for cell in cells_of_board(OWN) if OWN.at_river(*cell)]


# --- M1.6: files ---------------------------------------------------------------------------------------------------------------


def test_m1_6_names_and_digests() -> None:
    for file, loaded in (("board.txt", load_board()), ("buildings.csv", load_buildings())):
        assert (loaded.name, loaded.digest) == ("own", hashlib.sha256((SHIPPED / file).read_bytes()).hexdigest()[:16])
        assert b"\r" not in (SHIPPED / file).read_bytes()
    assert game_of().component_ids == {
        "board": "own",
        "board_digest": load_board().digest,
        "buildings": "own",
        "buildings_digest": load_buildings().digest,
    }


def test_m1_6_other_shipped_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name x stands for board_x.txt and buildings_x.csv."""
    monkeypatch.setattr(board_module, "SHIPPED", tmp_path)
    os.rename(board_file(tmp_path, "...", "abb", name="isle"), tmp_path / "board_isle.txt")
    os.rename(buildings_file(tmp_path, "Y1 yellow #"), tmp_path / "buildings_isle.csv")
    assert load_board("isle").name == load_buildings("isle").name == "isle"
    with pytest.raises(ConfigError, match="cannot be read"):
        load_board("board_isle")


def test_m1_6_files_by_their_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board, buildings = (
        board_file(tmp_path, "...", "abb", name="isle"),
        buildings_file(tmp_path, "Y1 yellow #", name="some_pieces"),
    )
    monkeypatch.chdir(tmp_path)
    for path in (board, "isle.txt", "./isle.txt"):
        assert load_board(path).name == "isle"
    for path in (buildings, "some_pieces.csv", f"{tmp_path}/../{tmp_path.name}/some_pieces.csv"):
        assert load_buildings(path).name == "some_pieces"
    assert game_with(2, board, buildings).component_ids["buildings"] == "some_pieces"
    (tmp_path / "own").write_text("nothing", encoding="utf-8")
    assert load_board("own").rows == load_board().rows == 11  # a shipped name comes first


def test_m1_6_a_line_may_end_by_cr_lf(tmp_path: Path) -> None:
    text = (SHIPPED / "board.txt").read_bytes().replace(b"name own", b"name mine")
    for name, end in (("lf.txt", b"\n"), ("cr.txt", b"\r\n")):
        (tmp_path / name).write_bytes(text.replace(b"\n", end))
    assert load_board(str(tmp_path / "cr.txt")) == load_board(str(tmp_path / "lf.txt"))
    (tmp_path / "buildings.csv").write_bytes((SHIPPED / "buildings.csv").read_bytes().replace(b"\n", b"\r\n"))
    buildings = load_buildings(str(tmp_path / "buildings.csv"))
    assert (buildings.digest, buildings.list) == (load_buildings().digest, load_buildings().list)


@pytest.mark.parametrize("name", ["nowhere", '"own"', "'own'", " own", "own\0", "\ud800", "board_own", "../data"])
def test_m1_6_a_file_that_is_not_there(name: str) -> None:
    for load, what in ((load_board, "board"), (load_buildings, "buildings")):
        with pytest.raises(ConfigError, match=f"^{what} .*cannot be read"):
            load(name)
        with pytest.raises(ConfigError):
            ginkgo_env.make_game("my_city", **{what: name})


@pytest.mark.parametrize("name", ["a" * 250, "a" * 300, "a" * 5000])
def test_m1_6_a_name_too_long_for_a_file(name: str) -> None:
    for load in (load_board, load_buildings):
        with pytest.raises(ConfigError):
            load(name)


def test_m1_6_files_that_cannot_be_read(tmp_path: Path) -> None:
    huge, latin, empty = tmp_path / "huge", tmp_path / "latin", tmp_path / "empty"
    huge.write_bytes(b"\n" * 1_000_001)
    latin.write_bytes(b"name \xe9\n")
    empty.write_bytes(b"")
    for load in (load_board, load_buildings):
        for path, reason in (
            (tmp_path, "cannot be read: Is a directory"),
            (huge, "too long"),
            (latin, "not UTF-8"),
            (empty, "is missing|expected the columns"),
        ):
            with pytest.raises(ConfigError, match=reason):
                load(str(path))


# --- what is free (M1.10) ------------------------------------------------------------------------------------------------------


def test_m1_10_blank_lines_and_a_bare_hash(tmp_path: Path) -> None:
    text = (SHIPPED / "board.txt").read_text(encoding="utf-8").replace("name own", "name mine")
    path = tmp_path / "board.txt"
    path.write_text("\n".join(f"#\n  {line}\t\n\n# a comment\n" for line in text.split("\n")), encoding="utf-8")
    assert (load_board(str(path)).terrain, load_board(str(path)).banks) == (OWN.terrain, OWN.banks)


def test_m1_10_banks_are_any_letters(tmp_path: Path) -> None:
    board = load_board(board_file(tmp_path, "...M", "Mwéé"))
    assert [board.at_river(0, c) for c in range(4)] == [True, True, True, False] and board.banks == ("Mwéé",)


@pytest.mark.parametrize(("rows", "columns"), [(8, 16), (16, 8), (1, 16), (16, 1), (1, 2), (2, 1), (11, 11)])
def test_m1_10_sizes(tmp_path: Path, rows: int, columns: int) -> None:
    """Up to 128 cells; the river before the last cell in reading order."""
    banks = ["a" * columns] * rows
    banks[-1] = banks[-1][:-1] + "b"
    path = board_file(tmp_path, " ".join(["." * columns] * rows), " ".join(banks))
    found = table("Y1", game=game_with(1, path, "own"))
    last: Cell = (rows - 1, columns - 1)
    assert sum(river_side(found.game.board, cell) for cell in light(found.game.board)) == 1 + len(sides(found.game.board, last))
    assert found.scores == [10 - rows * columns] and found.game.observation["terrain"].shape == (10, rows, columns)
    sizes = found.game.actions["place"].shape
    assert sizes == (4, rows, columns) and found.mask.shape == (1, 4 * rows * columns + 2)
    name = chr(ord("a") + columns - 1) + str(rows)
    assert found.game.board.cell_name(rows * columns - 1) == name


def test_m1_10_no_marks_and_few_buildings(tmp_path: Path) -> None:
    """Numbers of marks and of buildings in a color are free."""
    board = board_file(tmp_path, "ttww rrFM", "abbb abbb")
    found = table("Y1", game=game_with(1, board, buildings_file(tmp_path, "Y1 yellow #", "Z77 church ##")))
    assert found.game.buildings.cards == ("Y1", "Z77", "X") and found.sources == [{"start": 10, "trees": 4, "rocks": -4}]
    assert found.legal == ["a1N", "b1N", "a2N", "b2N", "pass", "end"]
    found.play("a1N").play("end")
    assert found.ending == "ended"


def test_m1_10_thirty_one_buildings(tmp_path: Path) -> None:
    path = buildings_file(tmp_path, *(f"Y{i} yellow #" for i in range(31)))
    found = table("Y30", game=game_with(2, "own", path), players=2)
    while found.actor is not None:
        found.play(found.legal[0])
    assert found.ending == "cards" and [own["yellow"] for own in found.sources] == [31, 31]


def test_m1_10_a_shape_as_large_as_possible(tmp_path: Path) -> None:
    path = buildings_file(tmp_path, "Y1 yellow ..#/..#/..#/..#/..#/###", "R1 red ######", "B1 blue ####/####")
    game = game_with(1, board_file(tmp_path, " ".join(["." * 16] * 8), " ".join(["a" * 8 + "b" * 8] * 8)), path)
    found = table("Y1", game=game)
    assert set(found.legal) == {game.action_text(found.state, a) for a in placements_at_river(game)} | {"pass", "end"}


def placements_at_river(game) -> set[int]:  # type: ignore[no-untyped-def]
    found = placements(game.board, game.buildings.list[0])
    return {action for action, cells in found.items() if any(river_side(game.board, cell) for cell in cells)}
