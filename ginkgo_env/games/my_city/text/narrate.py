"""Log rows as sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.core.log import Row
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Building, Buildings
from ginkgo_env.games.my_city.constants import GOLD_POINTS, Color, Ending, Log
from ginkgo_env.games.my_city.text.notation import action_text

_ENDINGS = {
    Ending.ENDED: "All players have ended: the game is over.",
    Ending.CARDS: "The deck has run out: the game is over.",
}


def narrate(rows: Sequence[Row], board: Board, buildings: Buildings, names: Sequence[str]) -> list[str]:
    """Return the rows of a log as sentences; the order of the deck is left out."""
    return [_SENTENCES[Log(row[0])](row, board, buildings, names) for row in rows if _has_sentence(row, buildings)]


def building_text(building: Building) -> str:
    """Return id, color and size of a building."""
    color = building.color.name.lower()
    return f"{building.id}, a {color}{'' if building.color == Color.CHURCH else ' building'} of {len(building.cells)} cells"


def _has_sentence(row: Row, buildings: Buildings) -> bool:
    """Whether a row becomes a sentence: buildings turned up do so with the rows ROUND and BLOCKED."""
    return row[0] in _SENTENCES and (row[0] != Log.REVEAL or row[1] == len(buildings.ids))


def _round(row: Row, board: Board, buildings: Buildings, names: Sequence[str]) -> str:
    return f"Round {row[1]}: {building_text(buildings.list[row[2]])}, is turned up."


def _build(row: Row, board: Board, buildings: Buildings, names: Sequence[str]) -> str:
    _, seat, building, action = row
    return f"{names[seat]} builds {buildings.ids[building]} at {action_text(board, action)}."


def _end(row: Row, board: Board, buildings: Buildings, names: Sequence[str]) -> str:
    _, seat, building, has_to = row
    if has_to:
        return f"{names[seat]} can neither build nor pass {buildings.ids[building]} and has to end."
    return f"{names[seat]} ends."


_SENTENCES: dict[int, Callable[[Row, Board, Buildings, Sequence[str]], str]] = {
    Log.REVEAL: lambda row, board, buildings, names: "The blocking card is turned up.",
    Log.BLOCKED: lambda row, board, buildings, names: f"{buildings.ids[row[1]]} is lost to everybody.",
    Log.ROUND: _round,
    Log.BUILD: _build,
    Log.PASS: lambda row, board, buildings, names: f"{names[row[1]]} passes {buildings.ids[row[2]]} for 1 point.",
    Log.END: _end,
    Log.GOLD: lambda row, board, buildings, names: (
        f"{names[row[1]]} has covered all veins and gets the gold: {GOLD_POINTS} points."
    ),
    Log.ENDING: lambda row, board, buildings, names: _ENDINGS[Ending(row[1])],
}
