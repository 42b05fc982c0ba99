"""Games and boards by hand, for tests."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .board import BLOCKING, load_board, load_buildings
from .my_city import Oracle

Json = dict[str, Any]
BOARD, BUILDINGS = load_board(), load_buildings()
CARDS = [*BUILDINGS, BLOCKING]

CREEK = """
. . . . . .   l l l r r r
. v . . v .   l l l r r r
. . . . . .   l l l r r r
"""
THREE_BANKS = """
. . t . .   l l m m r
. . . . .   l l m r r
M . . r .   l l m r r
"""
DITCH = ". . . . . .   l l l r r r"


def config(players: int = 1, board: str = "own", buildings: str = "own") -> Json:
    return {"players": players, "board": board, "buildings": buildings}


def no_chance(name: str, items: list[Any]) -> Any:
    raise AssertionError(f"asked for {name}")


def game(cards: str, players: int = 1, board: str = "own", buildings: str = "own") -> Oracle:
    """A game in which these cards come up first, and the others in the order of M11.1."""

    def deck(name: str, items: list[str]) -> list[str]:
        assert name == "deck"
        return [*first, *(card for card in items if card not in first)]

    first = cards.split()
    return Oracle(config(players, board, buildings), deck)


def play(oracle: Oracle, *actions: str) -> Oracle:
    """The game after these actions; several in one string are separated by spaces."""
    for text in " ".join(actions).split():
        oracle.apply(text)
    return oracle


def totals(oracle: Oracle) -> list[int]:
    return [points["total"] for points in oracle.scores()]


def by_hand(*boards: str, board: str = "own", **changes: Any) -> Oracle:
    """A game in its first round with buildings such as `Y1 e1E, R1 f1E` for each player, legal or not."""
    position = game("C1", len(boards), board).position()
    for player, buildings in zip(position["players"], boards, strict=True):
        words = [text.split() for text in buildings.split(", ") if text]
        player["placed"] = [{"building": name, "at": at} for name, at in words]
    return Oracle.from_position(position | changes, no_chance, config(len(boards), board))


def standing(buildings: str, board: str = "own") -> Json:
    """The scores of such a board."""
    return by_hand(buildings, board=board).scores()[0]


def write_board(folder: Path, drawing: str, name: str = "drawn") -> str:
    """A board file; each row of the drawing has its terrain and then its banks. Returns the path."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    columns = len(rows[0]) // 2
    letters = [chr(ord("a") + column) for column in range(columns)]
    lines = [f"name {name}", " ".join(["columns", *letters])]
    lines += ["terrain", *(" ".join(row[:columns]) for row in rows), "banks", *(" ".join(row[columns:]) for row in rows)]
    path = folder / f"{name}.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def write_buildings(folder: Path, buildings: Iterable[str], name: str = "few") -> str:
    """A file of buildings such as `Y1 yellow ##`. Returns the path."""
    rows = [words.split() for words in buildings]
    lines = ["id,color,shape,rows,cells,provenance"]
    lines += [f"{name},{color},shape,{shape},{shape.count('#')},own" for name, color, shape in rows]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)
