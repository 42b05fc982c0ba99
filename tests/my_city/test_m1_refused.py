"""M1.10: files that are refused, with line or row; and any damage gives a ConfigError or something that can be played."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.games.my_city.board import SHIPPED, load_board
from ginkgo_env.games.my_city.buildings import load_buildings
from ginkgo_env.games.my_city.components import components_of

from ..rules.my_city.positions import HEADER, board_file, buildings_file
from ..tiers import by_tier

OWN = (SHIPPED / "board.txt").read_text(encoding="utf-8").replace("name own", "name mine")
OWN_BUILDINGS = (SHIPPED / "buildings.csv").read_text(encoding="utf-8")
ROW = "M . . . r .|. . F F F".replace("|", " ")  # row 7 of the board, line 17

BOARDS: dict[str, tuple[str, str, str]] = {
    # what is wrong: a part of the shipped file, what stands there instead, the reason
    "no name": ("name mine\n", "", "board.txt: name is missing"),
    "a name of nothing": ("name mine\n", "name\n", "line 7: unexpected 'name'"),
    "a name of two words": ("name mine\n", "name my own\n", "line 7: name 'my own'; expected a word"),
    "a name of signs": ("name mine\n", "name ../own\n", "line 7: name '../own'; expected a word"),
    "a name with a digit first": ("name mine\n", "name 11x11\n", "line 7: name '11x11'; expected a word of letters, digits and "
     "underscores that does not begin with a digit"),
    "two names": ("name mine\n", "name mine\nname mine\n", "line 8: name appears twice"),
    "no columns": ("columns a b c d e f g h i j k\n", "", "board.txt: columns is missing"),
    "other columns": ("columns a b c", "columns b a c", "line 8: columns must be a, b, c and so on"),
    "capital columns": ("columns a b c", "columns A B C", "line 8: columns must be a, b, c and so on"),
    "a column left out": ("columns a b c d", "columns a b d", "line 8: columns must be a, b, c and so on"),
    "a column too few": (" j k\n", " j\n", "line 11: 11 cells; expected 10"),
    "no terrain": ("terrain\n", "", "line 10: unexpected 'M M M . . . . t . . v'"),
    "an empty terrain": ("\nbanks\n", "\nterrain\nbanks\n", "line 23: terrain appears twice"),
    "no banks": ("\nbanks\n", "\n", "board.txt: banks is missing"),
    "a word": ("\nbanks\n", "\nriver\nbanks\n", "line 23: 1 cells; expected 11"),
    "a row too short": (ROW, ROW[:-2], "line 17: 10 cells; expected 11"),
    "a row too long": (ROW, ROW + " F", "line 17: 12 cells; expected 11"),
    "an unknown letter": (ROW, ROW.replace("r", "x"), "line 17: 'x'; expected one of . t r w v M F"),
    "a small letter": (ROW, ROW.replace("M", "m"), "line 17: 'm'; expected one of . t r w v M F"),
    "letters without a space": (ROW, ROW.replace("r .", "r. ."), "line 17: 'r.'; expected one of . t r w v M F"),
    "a row less of terrain": (ROW + "\n", "", "board.txt: terrain has 10 rows, banks has 11"),
    "a row more of banks": ("\nbanks\n", "\nbanks\nl l l l l r r r r r r\n", "board.txt: terrain has 11 rows, banks has 12"),
    "a bank with a sign": ("\nbanks\nl", "\nbanks\n1", "line 24: '1'; expected a letter"),
    "a bank in two parts": ("\nbanks\nl", "\nbanks\nr", "board.txt: bank r is not connected: f1 lies apart"),
    "a comment without a space": ("# banks:", "#banks:", "line 6: unexpected '#banks:"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", BOARDS)
def test_m1_10_boards_refused(wrong: str, tmp_path: Path) -> None:
    old, new, reason = BOARDS[wrong]
    assert old in OWN
    path = tmp_path / "board.txt"
    path.write_text(OWN.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_board(str(path))
    assert str(refused.value).startswith("board.txt") and reason in str(refused.value)


MADE: dict[str, tuple[str, str, str]] = {
    # what is wrong: terrain, banks, the reason
    "one bank": ("... ...", "aaa aaa", "made_up.txt: expected at least two banks"),
    "connected by a corner only": (".. ..", "ab ba", "made_up.txt: bank a is not connected"),
    "connected through another bank only": ("...", "aba", "made_up.txt: bank a is not connected"),
    "nothing green at the river": (". M F .", "a a b b", "made_up.txt: no light green cell lies at the river"),
    "nothing green": ("M F", "a b", "made_up.txt: no light green cell lies at the river"),
    "seventeen rows": (" ".join(".." for _ in range(17)), " ".join("ab" for _ in range(17)), "line 20: 17 rows; at most 16"),
    "129 cells and more": (" ".join(["." * 12] * 11), " ".join(["a" * 11 + "b"] * 11), "made_up.txt: 132 cells; at most 128"),
}


@pytest.mark.parametrize("wrong", MADE)
def test_m1_10_made_up_boards_refused(wrong: str, tmp_path: Path) -> None:
    terrain, banks, reason = MADE[wrong]
    with pytest.raises(ConfigError) as refused:
        load_board(board_file(tmp_path, terrain, banks))
    assert reason in str(refused.value)


def test_m1_10_seventeen_columns(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    row = " ".join("." * 17)
    path.write_text(f"name wide\ncolumns {' '.join('abcdefghijklmnopq')}\nterrain\n{row}\nbanks\n{row}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"wide\.txt, line 2: 17 columns; at most 16"):
        load_board(str(path))


BUILDINGS: dict[str, tuple[list[str], str]] = {
    "no header": (["Y1,yellow,I2,##,2,own"], "row 0: expected the columns id, color, shape, rows, cells, provenance"),
    "nothing at all": ([], "row 0: expected the columns"),
    "no building": ([HEADER], "row 0: expected buildings after the header"),
    "a column too few": ([HEADER, "Y1,yellow,I2,##,2"], "row 1: expected 6 columns, got 5"),
    "a column too many": ([HEADER, "Y1,yellow,I2,##,2,own,"], "row 1: expected 6 columns, got 7"),
    "the id of the blocking card": ([HEADER, "Y1,yellow,I2,##,2,own", "X,red,I2,##,2,own"], "row 2: id X is the blocking card's"),
    "an id twice": ([HEADER, *["Y1,yellow,I2,##,2,own"] * 2], "row 2: id Y1 appears twice"),
    "an unknown color": ([HEADER, "Y1,purple,I2,##,2,own"], "row 1: color 'purple'; expected one of yellow, red, blue, church"),
    "a capital color": ([HEADER, "Y1,Yellow,I2,##,2,own"], "row 1: color 'Yellow'"),
    "a wrong count": ([HEADER, "Y1,yellow,I2,##,3,own"], "row 1: cells '3'; the shape has 2"),
    "no count": ([HEADER, "Y1,yellow,I2,##,,own"], "row 1: cells ''; the shape has 2"),
    "an open quote": ([HEADER, 'Y1,yellow,"I2,##,2,own'], "cannot be read"),
}
for bad in ("", "Y", "1", "y1", "Y-1", "YY1", "Y1a", "Y 1", "Ä1", "Y1 ", "Y\u0661"):
    BUILDINGS[f"the id {bad!r}"] = ([HEADER, f"{bad},yellow,I2,##,2,own"], f"row 1: id {bad!r}; expected a capital and a number")
SHAPES = {
    "": "expected 1 to 8 cells",
    ".": "expected 1 to 8 cells",
    "###/###/###": "expected 1 to 8 cells",
    "#######": "at most 6 on a side",
    "#/" * 6 + "#": "at most 6 on a side",
    "##/#": "are of unequal length",
    "##/": "are of unequal length",
    "#x": "expected # and .",
    "# #": "expected # and .",
    "##/..": "a border row or column is empty",
    "../##": "a border row or column is empty",
    "#./#.": "a border row or column is empty",
    ".#/.#": "a border row or column is empty",
    "#./.#": "are not connected",
    "#.#": "are not connected",
    "#/./#": "are not connected",
}
for shape, reason in SHAPES.items():
    row = f"Y1,yellow,any,{shape},{shape.count('#')},own"
    BUILDINGS[f"the shape {shape}"] = ([HEADER, "R1,red,I2,##,2,own", row], f"row 2: rows {shape!r}")
    assert reason


@pytest.mark.parametrize("wrong", BUILDINGS)
def test_m1_10_buildings_refused(wrong: str, tmp_path: Path) -> None:
    rows, reason = BUILDINGS[wrong]
    path = tmp_path / "pieces.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_buildings(str(path))
    assert str(refused.value).startswith("pieces.csv") and reason in str(refused.value)
    if (shape := wrong.removeprefix("the shape ")) in SHAPES:
        assert SHAPES[shape] in str(refused.value)


def test_m1_10_thirty_two_buildings(tmp_path: Path) -> None:
    path = buildings_file(tmp_path, *(f"Y{i} yellow #" for i in range(32)))
    with pytest.raises(ConfigError, match=r"pieces\.csv, row 32: at most 31 buildings are possible"):
        load_buildings(path)


JUNK = ("", "", " ", "\n", "M", "r", "#", "/", ",", '"', "\0", "\x1c", "\u2028", "é", "\u0661", "banks")


def damaged(text: str, rng: random.Random) -> str:
    """A text with a few random changes."""
    for _ in range(rng.choice((1, 1, 2, 5, 40))):
        i, j = sorted(rng.choices(range(len(text) + 1), k=2))
        j = min(j, i + rng.choice((1, 2, 30, 10**6)))
        junk = rng.choice((*JUNK, text[i:j] * 2))
        text = text[:i] + junk + text[j:]
    return text


@pytest.mark.parametrize("seed", by_tier(range(6), [0]))
def test_m1_10_any_damage_is_refused_or_can_be_used(seed: int, tmp_path: Path) -> None:
    rng, refused, taken = random.Random(seed), 0, 0
    files = tmp_path / "board.txt", tmp_path / "buildings.csv"
    own = load_board(), load_buildings()
    for k in range(400):
        which = k % 2
        files[which].write_bytes(damaged((OWN, OWN_BUILDINGS)[which], rng).encode())
        try:
            data = (own[0], load_buildings(str(files[1]))) if which else (load_board(str(files[0])), own[1])
        except ConfigError:
            refused += 1
            continue
        taken += 1
        if taken % 8 == 0:  # they take longer than all the rest
            components_of(*data)
    assert refused > 150 and taken > 20
