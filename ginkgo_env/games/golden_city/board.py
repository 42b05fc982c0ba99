"""Boards: folders of five files, which are read and checked (G1.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from numpy.typing import NDArray

from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.files import digest_of, read_rows, read_text, refuse_row
from ginkgo_env.core.generated import generated_number
from ginkgo_env.games.golden_city.components import BONUS_RULES, Row, components_of
from ginkgo_env.games.golden_city.constants import (
    BACKS,
    FIRST_DISTRICT,
    FIRST_SUBURB,
    N_BONUS,
    N_GOODS_CARDS,
    N_PLACES,
    N_SCORING,
    SUBURBS_OF_RIVER,
    Good,
    Kind,
    Landscape,
    Reward,
    River,
)
from ginkgo_env.games.golden_city.generate import generated_files, reached

SHIPPED = Path(__file__).parent / "data"
DEFAULT_BOARD = "own"
_LETTERS = ("letters_first", "letters_second")
_FIRST = ("coins_first", "cards_first")
COLUMNS = {
    "places": ("place", "kind", "landscape", "quarter", "river", "reward", *_LETTERS, *_FIRST, "x", "y", "provenance"),
    "roads": ("place_1", "place_2", "provenance"),
    "goods": ("card", "good_1", "good_2", "copies", "provenance"),
    "scoring": ("card", "back", "good", "kind", "area", "provenance"),
    "bonus": ("card", "counts", "letters_each", "provenance"),
}
"""The files of a board, without ``.csv``, and their columns (G1.6)."""
_MOST = {"letters_first": 20, "letters_second": 20, "coins_first": 2, "cards_first": 2}
_FARTHEST = 10_000  # distance of a place from the center, in drawing units
_MOST_EACH = 500  # letters for each thing that a bonus card counts


@dataclass(frozen=True, eq=False)
class Board:
    """A board and the cards that come with it. Lists are in the order of the files' rows."""

    name: str
    """``own``, or the name of the folder."""
    digest: str
    """First 16 hexadecimal digits of the SHA-256 of the files (G1.6.3)."""
    places: tuple[Row, ...]
    """The rows of ``places.csv``, with the coordinates for drawings."""
    roads: tuple[Row, ...]
    goods: tuple[Row, ...]
    scoring: tuple[Row, ...]
    bonus: tuple[Row, ...]
    components: NDArray[Any]
    """The board for kernels, shape (1,)."""
    place_ids: tuple[str, ...]
    goods_names: tuple[str, ...]
    scoring_names: tuple[str, ...]
    bonus_names: tuple[str, ...]


def load_board(board: str = DEFAULT_BOARD) -> Board:
    """Return the shipped or generated board of this name, or the board of a folder.

    Raises ConfigError with file and row if the folder does not hold a board as defined by G1.6.
    """
    if (number := generated_number(board)) is not None:
        return _generated(board, number)
    folder = SHIPPED / board if board == DEFAULT_BOARD else Path(board)
    texts = [read_text(folder / f"{file}.csv", f"board {short_repr(board)}") for file in COLUMNS]
    name = board if board == DEFAULT_BOARD else folder.resolve().name
    if name == DEFAULT_BOARD and folder != SHIPPED / name:
        raise ConfigError(
            f"board {short_repr(board)}: {name!r} is the name of the shipped board; expected a folder of another name"
        )
    if generated_number(name) is not None:
        raise ConfigError(f"board {short_repr(board)}: {name!r} is the name of a generated board; expected another name")
    return _read(name, *texts)


@lru_cache(maxsize=64)  # to generate a board is slow
def _generated(name: str, number: int) -> Board:
    own = load_board()
    return _read(name, *generated_files(number, {file: getattr(own, file) for file in COLUMNS}))


@lru_cache(maxsize=64)
def _read(name: str, *texts: str) -> Board:
    """Check the files and return the board."""
    checks = [_FileCheck(file, text) for file, text in zip(COLUMNS, texts, strict=True)]
    places, roads, goods, scoring, bonus = (check.rows for check in checks)
    _check_places(checks[0])
    _check_roads(checks[1], places)
    _check_goods(checks[2])
    _check_scoring(checks[3])
    _check_bonus(checks[4])
    digest = digest_of(*texts)
    return Board(
        name,
        digest,
        **{file: tuple(check.rows) for file, check in zip(COLUMNS, checks, strict=True)},
        components=components_of(digest, places, roads, goods, scoring, bonus),
        place_ids=tuple(row["place"] for row in places),
        goods_names=tuple(row["card"] for row in goods),
        scoring_names=tuple(row["card"] for row in scoring),
        bonus_names=tuple(row["card"] for row in bonus),
    )


class _FileCheck:
    """Checks of the rows of one file; errors name the file and the row."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.rows = f"{file}.csv", read_rows(f"{file}.csv", text, COLUMNS[file])

    def refuse(self, i: int, what: str) -> NoReturn:
        refuse_row(self.file, i + 1, what)

    def total(self, what: str) -> NoReturn:
        """Refuse a total; the error names the last row (G1.6.2)."""
        self.refuse(len(self.rows) - 1, what)

    def size(self, n: int) -> None:
        if len(self.rows) != n:
            self.total(f"expected {n} rows, got {len(self.rows)}")

    def name(self, i: int, column: str, names: Iterable[str]) -> str:
        value, known = self.rows[i][column], list(names)
        if value not in known:
            expected = ", ".join(name or "nothing" for name in known)
            self.refuse(i, f"{column} {short_repr(value)}; expected {expected}")
        return value

    def number(self, i: int, column: str, low: int, high: int) -> int:
        text = self.rows[i][column]
        if not re.fullmatch(r"-?[0-9]{1,6}", text) or not low <= int(text) <= high:
            self.refuse(i, f"{column} {short_repr(text)}; expected a number from {low} to {high}")
        return int(text)

    def unique(self, column: str, form: str = r"[A-Z0-9]{1,8}", expected: str = "1 to 8 capitals and digits") -> None:
        seen: set[str] = set()
        for i, row in enumerate(self.rows):
            if not re.fullmatch(form, row[column]):
                self.refuse(i, f"{column} {short_repr(row[column])}; expected {expected}")
            if row[column] in seen:
                self.refuse(i, f"{column} {short_repr(row[column])} appears twice")
            seen.add(row[column])


_LANDSCAPES = [landscape.name.lower() for landscape in Landscape]
_INLAND = _LANDSCAPES[1:]
_RIVERS = [river.name for river in River]
_GOODS = [good.name.lower() for good in Good]


def _check_places(check: _FileCheck) -> None:
    rows = check.rows
    check.size(N_PLACES)
    check.unique("place")
    kinds = ["outer", "outer", "inner"]
    for i, row in enumerate(rows):
        kind = "coast" if i < FIRST_SUBURB else "suburb" if i < FIRST_DISTRICT else kinds[(i - FIRST_DISTRICT) % 3]
        check.name(i, "kind", [kind])
        check.name(i, "quarter", _INLAND)
        landscapes = {"coast": ["coast"], "suburb": _INLAND}.get(kind, [row["quarter"]])
        check.name(i, "landscape", landscapes)
        check.name(i, "river", ["", *_RIVERS] if kind == "suburb" else [""])
        check.name(i, "reward", [reward.name.lower() for reward in Reward] if i < FIRST_DISTRICT else [""])
        for column, most in _MOST.items():
            check.number(i, column, 0, most if i >= FIRST_DISTRICT else 0)
        check.number(i, "x", -_FARTHEST, _FARTHEST)
        check.number(i, "y", -_FARTHEST, _FARTHEST)
    for i in range(FIRST_DISTRICT, N_PLACES, 3):
        quarter = rows[i]["quarter"]
        for k in (i + 1, i + 2):
            check.name(k, "quarter", [quarter])
        if quarter in {rows[k]["quarter"] for k in range(FIRST_DISTRICT, i)}:
            check.refuse(i, f"quarter {short_repr(quarter)} appears twice")
    for river in _RIVERS:
        n = sum(row["river"] == river for row in rows)
        if n != SUBURBS_OF_RIVER:
            check.total(f"expected {SUBURBS_OF_RIVER} suburbs at river {river}, got {n}")


def _check_roads(check: _FileCheck, places: list[Row]) -> None:
    known = {row["place"] for row in places}
    roads: set[frozenset[str]] = set()
    for i, row in enumerate(check.rows):
        ends = row["place_1"], row["place_2"]
        for place in ends:
            if place not in known:
                check.refuse(i, f"there is no place {short_repr(place)}")
        if ends[0] == ends[1]:
            check.refuse(i, f"a road from {ends[0]} to itself")
        if frozenset(ends) in roads:
            check.refuse(i, f"the road {ends[0]} to {ends[1]} appears twice")
        roads.add(frozenset(ends))
    coast = {row["place"] for row in places if row["kind"] == Kind.COAST.name.lower()}
    if away := sorted(known - reached(roads, coast)):
        check.total(f"{away[0]} cannot be reached from the coast")


def _check_goods(check: _FileCheck) -> None:
    pairs: set[frozenset[str]] = set()
    for i, row in enumerate(check.rows):
        pair = check.name(i, "good_1", _GOODS), check.name(i, "good_2", _GOODS)
        if pair[0] == pair[1]:
            check.refuse(i, "expected two different goods")
        check.name(i, "card", ["+".join(pair)])
        if frozenset(pair) in pairs:
            check.refuse(i, f"{row['card']} appears twice")
        pairs.add(frozenset(pair))
        check.number(i, "copies", 1, N_GOODS_CARDS)
    n = sum(int(row["copies"]) for row in check.rows)
    if n != N_GOODS_CARDS:
        check.total(f"expected {N_GOODS_CARDS} cards, got {n}")


def _check_scoring(check: _FileCheck) -> None:
    check.size(N_SCORING)
    check.unique("card")
    backs = [str(back) for back, n in enumerate(BACKS, 1) for _ in range(n)]
    for i, back in enumerate(backs):
        check.name(i, "back", [back])
        check.name(i, "good", _GOODS)
        kind = check.name(i, "kind", ["river", "quarter"])
        check.name(i, "area", _RIVERS if kind == "river" else _INLAND)


def _check_bonus(check: _FileCheck) -> None:
    check.size(N_BONUS)
    for i in range(N_BONUS):
        check.name(i, "card", BONUS_RULES)
        check.number(i, "letters_each", -_MOST_EACH, _MOST_EACH)
    check.unique("card", "[a-z]+", "a name")
