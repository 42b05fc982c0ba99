"""A player in a position (M11.9): writing, and reading the decisions that the player made."""

from __future__ import annotations

from typing import Any, NamedTuple

from ginkgo_env.core.errors import NotationError, shown
from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import entries_of, fail, fields_of, named
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Buildings
from ginkgo_env.games.my_city.constants import NONE
from ginkgo_env.games.my_city.text.notation import END, PASS, action_text, parse_action

_KEYS = {"points", "gold", "ended", "placed", "passed", "choice"}


class Decision(NamedTuple):
    """A decision of a player."""

    action: int
    where: str
    """Its place in the position, for errors."""


class PlayerDecisions(NamedTuple):
    """The decisions of a player."""

    by_building: dict[int, Decision]
    """Placements and passes by building."""
    choice: Decision | None
    """The choice of this round if it is not yet in effect (M3.3)."""
    ended: Any
    """The round in which the player ended, as it stands in the position, unchecked."""


def write_player(g: Fields, board: Board, buildings: Buildings, p: int) -> dict[str, Any]:
    """Return the player of seat p as plain data; buildings are in the order in which they came up."""
    ids, came_up = buildings.ids, [card for card in g.deck[: g.drawn] if card < len(buildings.ids)]
    return {
        "points": g.points[p],
        "gold": bool(g.gold[p]),
        "ended": g.ended[p] or None,
        "placed": [{"building": ids[b], "at": action_text(board, g.at[p][b])} for b in came_up if g.placed[p] >> b & 1],
        "passed": [ids[b] for b in came_up if g.passed[p] >> b & 1],
        "choice": None if g.choice[p] == NONE else action_text(board, g.choice[p]),
    }


def read_player(value: Any, board: Board, buildings: Buildings, where: str) -> PlayerDecisions:
    """Return the decisions of a player, be they legal or not. Raises PositionError for malformed data."""
    data, numbers = fields_of(value, _KEYS, where), {name: b for b, name in enumerate(buildings.ids)}
    decisions: dict[int, Decision] = {}

    def add(name: Any, text: Any, place: str, at: str = "") -> None:
        building = named(name, numbers, place + (".building" if at else ""))
        if building in decisions:
            raise fail(place, f"{name} was built or passed before")
        decisions[building] = Decision(_action(text, board, place + at), place + at)

    for i, entry in enumerate(entries_of(data["placed"], "buildings", f"{where}.placed")):
        place = f"{where}.placed[{i}]"
        placed = fields_of(entry, {"building", "at"}, place)
        if placed["at"] in (PASS, END):
            raise fail(f"{place}.at", f"expected a cell and a heading, got {shown(placed['at'])}")
        add(placed["building"], placed["at"], place, ".at")
    for i, name in enumerate(entries_of(data["passed"], "names", f"{where}.passed")):
        add(name, PASS, f"{where}.passed[{i}]")
    chosen = data["choice"]
    choice = None if chosen is None else Decision(_action(chosen, board, f"{where}.choice"), f"{where}.choice")
    return PlayerDecisions(decisions, choice, data["ended"])


def _action(text: Any, board: Board, where: str) -> int:
    try:
        return parse_action(board, text)
    except NotationError as error:
        raise fail(where, str(error)) from None
