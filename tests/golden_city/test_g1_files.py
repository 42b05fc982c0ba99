"""G1.6: boards from folders, their checks with errors by file and row, names and digests (E35)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

import ginkgo_env
from ginkgo_env.core.compile import jit
from ginkgo_env.core.errors import ConfigError, PositionError
from ginkgo_env.games.golden_city.board import COLUMNS, SHIPPED, load_board

from ..rules.golden_city.boards import copied, few_goods, read, with_cells, write
from ..rules.golden_city.positions import game_of, play, start, table_from_seed, turn

Rows = list[list[str]]
Edit = Callable[[Rows], object]


def cell(row: int, column: str, value: str) -> Edit:
    """Change a cell; rows are counted from 1."""

    def edit(rows: Rows) -> None:
        rows[row][rows[0].index(column)] = value

    return edit


def both(*edits: Edit) -> Edit:
    return lambda rows: [edit(rows) for edit in edits]


def drop(row: int) -> Edit:
    return lambda rows: rows.pop(row)


def again(row: int) -> Edit:
    return lambda rows: rows.append(list(rows[row]))


def swap(one: int, other: int) -> Edit:
    def edit(rows: Rows) -> None:
        rows[one], rows[other] = rows[other], rows[one]

    return edit


def append(text: str) -> Edit:
    return lambda rows: rows.append(text.split(","))


PLACES: list[tuple[Edit, str]] = [
    (drop(58), "row 57: expected 58 rows, got 57"),
    (again(58), "row 59: expected 58 rows, got 59"),
    (cell(4, "place", "C3"), "row 4: place 'C3' appears twice"),
    (cell(4, "place", "c4"), "row 4: place 'c4'; expected 1 to 8 capitals and digits"),
    (cell(4, "place", "C-4"), "row 4: place 'C-4'; expected 1 to 8 capitals and digits"),
    (cell(4, "place", "C23456789"), "row 4: place 'C23456789'; expected 1 to 8 capitals and digits"),
    (cell(4, "place", ""), "row 4: place ''; expected 1 to 8 capitals and digits"),
    (cell(16, "kind", "suburb"), "row 16: kind 'suburb'; expected coast"),
    (cell(17, "kind", "coast"), "row 17: kind 'coast'; expected suburb"),
    (cell(47, "kind", "inner"), "row 47: kind 'inner'; expected outer"),
    (cell(49, "kind", "outer"), "row 49: kind 'outer'; expected inner"),
    (swap(48, 49), "row 48: kind 'inner'; expected outer"),
    (cell(1, "landscape", "forest"), "row 1: landscape 'forest'; expected coast"),
    (cell(17, "landscape", "coast"), "row 17: landscape 'coast'; expected forest, meadow, mountain, desert"),
    (cell(17, "landscape", "swamp"), "row 17: landscape 'swamp'; expected forest, meadow, mountain, desert"),
    (cell(47, "landscape", "meadow"), "row 47: landscape 'meadow'; expected forest"),
    (cell(1, "quarter", "coast"), "row 1: quarter 'coast'; expected forest, meadow, mountain, desert"),
    (both(cell(49, "quarter", "meadow"), cell(49, "landscape", "meadow")), "row 49: quarter 'meadow'; expected forest"),
    (
        lambda rows: [cell(row, column, "forest")(rows) for row in (50, 51, 52) for column in ("quarter", "landscape")],
        "row 50: quarter 'forest' appears twice",
    ),
    (cell(1, "river", "N"), "row 1: river 'N'; expected nothing"),
    (cell(47, "river", "N"), "row 47: river 'N'; expected nothing"),
    (cell(18, "river", "X"), "row 18: river 'X'; expected nothing, N, E, S, W"),
    (cell(18, "river", "N"), "row 58: expected 3 suburbs at river N, got 4"),
    (cell(17, "river", ""), "row 58: expected 3 suburbs at river W, got 2"),
    (cell(1, "reward", ""), "row 1: reward ''; expected card, coin, two_coins, key, bonus, goods"),
    (cell(17, "reward", "gold"), "row 17: reward 'gold'; expected card, coin, two_coins, key, bonus, goods"),
    (cell(47, "reward", "coin"), "row 47: reward 'coin'; expected nothing"),
    (cell(1, "letters_first", "1"), "row 1: letters_first '1'; expected a number from 0 to 0"),
    (cell(46, "cards_first", "1"), "row 46: cards_first '1'; expected a number from 0 to 0"),
    (cell(47, "letters_first", "21"), "row 47: letters_first '21'; expected a number from 0 to 20"),
    (cell(47, "letters_second", "-1"), "row 47: letters_second '-1'; expected a number from 0 to 20"),
    (cell(58, "coins_first", "3"), "row 58: coins_first '3'; expected a number from 0 to 2"),
    (cell(58, "cards_first", "3"), "row 58: cards_first '3'; expected a number from 0 to 2"),
    (cell(58, "cards_first", "1.0"), "row 58: cards_first '1.0'; expected a number from 0 to 2"),
    (cell(3, "x", "east"), "row 3: x 'east'; expected a number from -10000 to 10000"),
    (cell(3, "y", "10001"), "row 3: y '10001'; expected a number from -10000 to 10000"),
    (cell(0, "river", "rivers"), "row 0: expected the columns place, kind, landscape"),
    (append("C17,coast"), "row 59: expected 13 columns, got 2"),
    (lambda rows: rows.__delitem__(slice(1, None)), "row 0: expected rows after the header"),
]
ROADS: list[tuple[Edit, str]] = [
    (cell(1, "place_2", "Z9"), "row 1: there is no place 'Z9'"),
    (cell(5, "place_1", ""), "row 5: there is no place ''"),
    (append("F1,F1,test"), "row 107: a road from F1 to itself"),
    (append("C1,F1,test"), "row 107: the road C1 to F1 appears twice"),
    (append("F1,C1,test"), "row 107: the road F1 to C1 appears twice"),
    (
        lambda rows: rows.__setitem__(slice(None), [row for row in rows if "DI" not in row]),
        "row 102: DI cannot be reached from the coast",
    ),
    (append("C1"), "row 107: expected 3 columns, got 1"),
]
GOODS: list[tuple[Edit, str]] = [
    (cell(1, "good_1", "gold"), "row 1: good_1 'gold'; expected pottery, wine, cloth, spices"),
    (cell(1, "good_2", "pottery"), "row 1: expected two different goods"),
    (cell(1, "card", "wine+pottery"), "row 1: card 'wine+pottery'; expected pottery+wine"),
    (append("wine+pottery,wine,pottery,1,test"), "row 7: wine+pottery appears twice"),
    (append("pottery+wine,pottery,wine,1,test"), "row 7: pottery+wine appears twice"),
    (cell(2, "copies", "0"), "row 2: copies '0'; expected a number from 1 to 8"),
    (cell(2, "copies", "two"), "row 2: copies 'two'; expected a number from 1 to 8"),
    (cell(2, "copies", "2"), "row 6: expected 8 cards, got 9"),
    (drop(6), "row 5: expected 8 cards, got 6"),
]
SCORING: list[tuple[Edit, str]] = [
    (drop(16), "row 15: expected 16 rows, got 15"),
    (again(16), "row 17: expected 16 rows, got 17"),
    (cell(2, "card", "1A"), "row 2: card '1A' appears twice"),
    (cell(2, "card", "1b"), "row 2: card '1b'; expected 1 to 8 capitals and digits"),
    (cell(4, "back", "2"), "row 4: back '2'; expected 1"),
    (swap(4, 5), "row 4: back '2'; expected 1"),
    (cell(13, "back", "2"), "row 13: back '2'; expected 3"),
    (cell(1, "good", "gold"), "row 1: good 'gold'; expected pottery, wine, cloth, spices"),
    (cell(1, "kind", "sea"), "row 1: kind 'sea'; expected river, quarter"),
    (cell(1, "area", "forest"), "row 1: area 'forest'; expected N, E, S, W"),
    (cell(16, "area", "N"), "row 16: area 'N'; expected forest, meadow, mountain, desert"),
    (cell(16, "area", "coast"), "row 16: area 'coast'; expected forest, meadow, mountain, desert"),
]
BONUS: list[tuple[Edit, str]] = [
    (drop(8), "row 7: expected 8 rows, got 7"),
    (again(8), "row 9: expected 8 rows, got 9"),
    (cell(1, "card", "gold"), "row 1: card 'gold'; expected goods, coins, city, rivers, forest, meadow, mountain, desert"),
    (cell(2, "card", "goods"), "row 2: card 'goods' appears twice"),
    (cell(1, "letters_each", ""), "row 1: letters_each ''; expected a number from -500 to 500"),
    (cell(1, "letters_each", "501"), "row 1: letters_each '501'; expected a number from -500 to 500"),
    (cell(1, "letters_each", "-501"), "row 1: letters_each '-501'; expected a number from -500 to 500"),
]
REFUSED = {"places": PLACES, "roads": ROADS, "goods": GOODS, "scoring": SCORING, "bonus": BONUS}


@pytest.mark.parametrize(("file", "k"), [(file, k) for file, edits in REFUSED.items() for k in range(len(edits))])
def test_g1_6_2_refused(tmp_path: Path, file: str, k: int) -> None:
    """E35: errors name file and row."""
    edit, message = REFUSED[file][k]
    folder = copied(tmp_path / "isle")
    rows = read(folder, file)
    edit(rows)
    write(folder, file, rows)
    with pytest.raises(ConfigError) as refused:
        ginkgo_env.make_game("golden_city", board=str(folder))
    assert str(refused.value).startswith(f"{file}.csv, {message}")


def test_g1_6_2_files_that_cannot_be_read(tmp_path: Path) -> None:
    folder = copied(tmp_path / "isle")
    (folder / "goods.csv").write_bytes(b"card\xff\n")
    with pytest.raises(ConfigError, match=r"goods\.csv is not UTF-8"):
        load_board(str(folder))
    (folder / "goods.csv").unlink()
    with pytest.raises(ConfigError, match=r"goods.csv cannot be read"):
        load_board(str(folder))
    with pytest.raises(ConfigError, match=r"places.csv cannot be read"):
        load_board(str(tmp_path / "no such folder"))
    with pytest.raises(ConfigError, match=r"places.csv cannot be read: not a path"):
        load_board("own\0")


def test_g1_6_2_what_is_free(tmp_path: Path) -> None:
    """Roads, suburbs of a landscape, rewards, goods kinds, letters of bonus cards, their order."""
    folder = copied(tmp_path / "isle")
    with_cells(
        folder,
        "places",
        (17, "landscape", "desert"),
        (18, "reward", "key"),
        (47, "letters_first", "20"),
        (47, "coins_first", "2"),
    )
    with_cells(folder, "bonus", (1, "letters_each", "-500"), (2, "letters_each", "500"))
    rows = read(folder, "bonus")
    write(folder, "bonus", [rows[0], *reversed(rows[1:])])
    write(folder, "roads", [*read(folder, "roads"), ["C1", "C2", "test"]])
    board = load_board(str(folder))
    assert board.bonus_names[0] == "desert" and len(board.roads) == 107 and board.places[16]["landscape"] == "desert"


# --- G1.6.3 --------------------------------------------------------------------------------------------------------------------


def test_g1_6_3_name_and_digest() -> None:
    whole = b"".join((SHIPPED / "own" / f"{file}.csv").read_bytes() for file in COLUMNS)
    assert list(COLUMNS) == ["places", "roads", "goods", "scoring", "bonus"] and b"\r" not in whole
    board = game_of(3).board  # type: ignore[attr-defined]
    assert (board.name, board.digest) == ("own", hashlib.sha256(whole).hexdigest()[:16])
    position = table_from_seed(1).position
    assert position["config"] == {"players": 3, "board": "own"} and position["board_digest"] == board.digest
    header = ginkgo_env.Record.from_actions(game_of(3), 1, []).header
    assert header["components"] == {"board": "own", "board_digest": board.digest}


def test_g1_6_3_a_folder_by_its_path_named_by_its_last_part(tmp_path: Path) -> None:
    folder = with_cells(copied(tmp_path / "isle"), "places", (1, "reward", "coin"))
    for path in (str(folder), f"{folder}/", str(folder / ".." / "isle")):
        position = table_from_seed(1, 3, path).position
        assert position["config"]["board"] == "isle" and position["board_digest"] == load_board(path).digest
    assert load_board(str(folder)).digest != load_board().digest


def test_g1_6_3_lines_may_end_by_cr_lf(tmp_path: Path) -> None:
    folder = copied(tmp_path / "isle")
    for file in COLUMNS:
        path = folder / f"{file}.csv"
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    board = load_board(str(folder))
    assert (board.name, board.digest) == ("isle", load_board().digest)
    assert board.place_ids == load_board().place_ids and (board.components == load_board().components).all()


def test_g1_6_3_e35_positions_of_another_board_are_refused(tmp_path: Path) -> None:
    """By the name (by the digest: ``tests/rules``)."""
    with pytest.raises(PositionError, match="board"):
        start(turn("c", "", ""), str(copied(tmp_path / "isle")))


def test_g1_6_3_e35_records_of_another_board_are_refused(tmp_path: Path) -> None:
    record = ginkgo_env.Record.from_actions(game_of(3), 1, [])
    text = record.dumps().replace(load_board().digest, "0" * 16)
    with pytest.raises(ginkgo_env.RecordError, match="board"):
        list(ginkgo_env.replay(ginkgo_env.Record.read(text)))


def test_e35_another_board_plays_without_compiling(tmp_path: Path) -> None:
    folder = str(with_cells(copied(tmp_path / "isle"), "places", (1, "reward", "two_coins")))
    game, own = game_of(3, folder), game_of(3)
    play(turn("c", "", ""), "build:C1")
    before = compiled_signatures(own)
    play(turn("c", "", "", board=folder), "build:C1", board=folder)
    assert game.kernels is own.kernels and compiled_signatures(own) == before


def compiled_signatures(game: ginkgo_env.Game) -> int:
    """How many versions of the kernel that plays there are."""
    return 1 if jit.JIT_DISABLED else len(game.kernels.play.signatures)


def test_g11_4_the_stack_stays_the_last_action_of_its_block(tmp_path: Path) -> None:
    """With fewer kinds of goods cards."""
    folder = str(few_goods(tmp_path / "isle"))
    game = game_of(3, folder)
    assert game.parse_action(table_from_seed(1, board=folder).state, "goods:stack") == game.actions["goods"].stop - 1
