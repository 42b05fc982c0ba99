"""What happened, in words: log rows as sentences, and what a seat learns from one step (M11.10).

Only the order of the deck, and choices that are not yet in effect, are hidden. Neither leaves a row here, as choices are logged
when they take effect. So all seats learn the same, also of their own choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ginkgo_env.core.events import Row
from ginkgo_env.core.game import VisibleStep
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Building, Buildings
from ginkgo_env.games.my_city.constants import GOLD_POINTS, Color, Ending, Event
from ginkgo_env.games.my_city.notation import END, PASS, action_text
from ginkgo_env.games.my_city.queries import translate

_ENDINGS = {
    Ending.ENDED: "All players have ended: the game is over.",
    Ending.CARDS: "The deck has run out: the game is over.",
}


def narrate(rows: Sequence[Row], board: Board, buildings: Buildings, names: Sequence[str]) -> list[str]:
    """Return the rows of a log as sentences; the order of the deck is left out."""
    return [_SENTENCES[Event(row[0])](row, board, buildings, names) for row in rows if _has_sentence(row, buildings)]


def building_text(building: Building) -> str:
    """Return id, color and size of a building."""
    kind = f"a {building.color.name.lower()}{'' if building.color == Color.CHURCH else ' building'}"
    return translate("{building}, {kind} of {n} cells", building=building.id, kind=translate(kind), n=len(building.cells))


def _has_sentence(row: Row, buildings: Buildings) -> bool:
    """Whether a row becomes a sentence: buildings turned up do so with the rows ROUND and BLOCKED."""
    return row[0] in _SENTENCES and (row[0] != Event.REVEAL or row[1] == len(buildings.ids))


def _round(row: Row, board: Board, buildings: Buildings, names: Sequence[str]) -> str:
    return translate("Round {n}: {building}, is turned up.", n=row[1], building=building_text(buildings.list[row[2]]))


def _build(row: Row, board: Board, buildings: Buildings, names: Sequence[str]) -> str:
    _, seat, building, action = row
    sentence = "{name} builds {building} at {place}."
    return translate(sentence, name=names[seat], building=buildings.ids[building], place=action_text(board, action))


def _end(row: Row, board: Board, buildings: Buildings, names: Sequence[str]) -> str:
    _, seat, building, has_to = row
    sentence = "{name} can neither build nor pass {building} and has to end." if has_to else "{name} ends."
    return translate(sentence, name=names[seat], building=buildings.ids[building])


_SENTENCES: dict[int, Callable[[Row, Board, Buildings, Sequence[str]], str]] = {
    Event.REVEAL: lambda row, board, buildings, names: translate("The blocking card is turned up."),
    Event.BLOCKED: lambda row, board, buildings, names: translate(
        "{building} is lost to everybody.", building=buildings.ids[row[1]]
    ),
    Event.ROUND: _round,
    Event.BUILD: _build,
    Event.PASS: lambda row, board, buildings, names: translate(
        "{name} passes {building} for 1 point.", name=names[row[1]], building=buildings.ids[row[2]]
    ),
    Event.END: _end,
    Event.GOLD: lambda row, board, buildings, names: translate(
        "{name} has covered all veins and gets the gold: {n} points.", name=names[row[1]], n=GOLD_POINTS
    ),
    Event.ENDING: lambda row, board, buildings, names: translate(_ENDINGS[Ending(row[1])]),
}


# --- what a seat learns ------------------------------------------------------------------------------------------------------


def visible_step(rows: Sequence[Row], board: Board, buildings: Buildings) -> VisibleStep:
    """Return what any seat learns from a step."""
    visible = [row for row in rows if row[0] not in (Event.OUTCOME, Event.ITEM)]
    lines: list[dict[str, Any]] = []
    for i, (kind, number, _, action) in enumerate(visible):
        if kind == Event.REVEAL:
            if i == 0 or visible[i - 1][0] not in (Event.REVEAL, Event.BLOCKED):
                lines.append({"revealed": []})
            lines[-1]["revealed"].append(buildings.cards[number])
        elif kind == Event.BUILD:
            lines.append({"seat": number, "action": action_text(board, action)})
        elif kind in (Event.PASS, Event.END):
            lines.append({"seat": number, "action": PASS if kind == Event.PASS else END})
    return VisibleStep(lines, visible)
