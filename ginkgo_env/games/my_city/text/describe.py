"""A description of the table as text, for all to see or as a seat may know it (M10)."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.text import Line, fitted
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Building, Buildings
from ginkgo_env.games.my_city.constants import HEADINGS, NONE, Stage
from ginkgo_env.games.my_city.state import State
from ginkgo_env.games.my_city.text.describe_players import SIGNS, player_blocks
from ginkgo_env.games.my_city.text.narrate import building_text
from ginkgo_env.games.my_city.text.notation import action_text
from ginkgo_env.games.my_city.text.reading import ENDINGS
from ginkgo_env.games.my_city.text.words import say

_LONGEST_NAME, _INDENT = 12, 12
_CELL, _ANCHOR, _GAP = "#", "@", "    "
MEANINGS = ("empty land", "two trees", "two rocks", "well", "vein of gold", "mountain", "forest")


def describe(
    record: State,
    points: Sequence[Sequence[int]],
    board: Board,
    buildings: Buildings,
    seat: int | None,
    names: Sequence[str],
    width: int,
) -> str:
    """Return the table as text of at most width columns, unless a board is wider.

    points : those of each player by source, as they stand
    seat : whose view it is. Of the choices that are not yet in effect only the own one is shown, and not even whether others have
        chosen. None shows all choices
    """
    g = Fields(record)
    names = [name[:_LONGEST_NAME] for name in names[: g.players]]
    lines = [Line(headline(g, buildings, seat, names), 4), *_chosen(g, board, seat, names), "", *_shape(g, buildings)]
    lines += player_blocks(g, points, board, buildings, names, width)
    gold = gold_text(g, board, names)
    lines += [*_cards(g, buildings), *(_labelled(say("gold:"), gold) if gold else []), Line(_legend(), 4)]
    return "\n".join(fitted(lines, width))


def _legend() -> str:
    signs = ", ".join(f"{sign} {say(meaning)}" for sign, meaning in zip(SIGNS, MEANINGS, strict=True))
    return say("{signs}, ║ and ═ the river; {anchor} in a shape: the cell that names the place", signs=signs, anchor=_ANCHOR)


def _labelled(label: str, text: str) -> list[str]:
    return [Line(f"{label:<{_INDENT}}{text}", _INDENT)]


def headline(g: Fields, buildings: Buildings, seat: int | None, names: Sequence[str]) -> str:
    """Return the round, the building to place and who decides, as far as a seat may know."""
    if g.stage == Stage.OVER:
        return say("The game is over after round {n} (ending: {ending})", n=g.rounds, ending=say(str(ENDINGS[g.ending])))
    decides = say("; {name} decides", name=names[g.actor]) if is_seen_deciding(g, g.actor, seat) else ""
    return say("Round {n}: {building}", n=g.rounds, building=building_text(buildings.list[g.current])) + decides


def is_seen_deciding(g: Fields, p: int, seat: int | None) -> bool:
    """Whether a seat may see that a player decides, which tells who has chosen (M10.2)."""
    return bool(g.actor == p and seat in (None, p))


def choice_seen(g: Fields, p: int, seat: int | None) -> int:
    """Return a player's choice not yet in effect, NONE without one or if it is hidden (M10.2)."""
    return int(g.choice[p]) if seat in (None, p) else NONE


def cards_left(g: Fields, buildings: Buildings) -> list[int]:
    """Return the cards that are left in the order of the file, as that of the deck is hidden (M10.3)."""
    return sorted(g.deck[g.drawn : len(buildings.cards)])


def _chosen(g: Fields, board: Board, seat: int | None, names: Sequence[str]) -> list[str]:
    """Return a line with the choices that are not yet in effect (M3.3)."""
    seats = [p for p in range(g.players) if choice_seen(g, p, seat) != NONE]
    return _labelled(say("chosen:"), ", ".join(f"{names[p]} {action_text(board, g.choice[p])}" for p in seats)) if seats else []


def _shape(g: Fields, buildings: Buildings) -> list[str]:
    """Return the current building at each heading that it has (M11.4), side by side."""
    if g.current == NONE:
        return []
    building = buildings.list[g.current]
    drawn = [_turned(building, heading) for heading in building.headings]
    height = max(map(len, drawn))
    drawn = [rows + [" " * len(rows[0])] * (height - len(rows)) for rows in drawn]
    return [*((" " * 4 + _GAP.join(rows)).rstrip() for rows in zip(*drawn, strict=True)), ""]


def _turned(building: Building, heading: int) -> list[str]:
    """Return the letter of a heading and the rows of the building at it."""
    cells = building.turned(heading)
    columns = range(1 + max(c for _, c in cells))
    rows = ["".join(_CELL if (r, c) in cells else " " for c in columns) for r in range(1 + cells[-1][0])]
    rows[0] = rows[0].replace(_CELL, _ANCHOR, 1)
    return [f"{HEADINGS[heading] if r == 0 else ' '} {row}" for r, row in enumerate(rows)]


def _cards(g: Fields, buildings: Buildings) -> list[str]:
    """Return lines with the cards that are left, and with the blocked building."""
    cards, left = buildings.cards, cards_left(g, buildings)
    lines = _labelled(say("cards left:"), f"{len(left)}" + (f": {' '.join(cards[card] for card in left)}" if left else ""))
    return lines + (_labelled(say("blocked:"), cards[g.blocked]) if g.blocked != NONE else [])


def gold_text(g: Fields, board: Board, names: Sequence[str]) -> str:
    """Return who has the gold, or who can get it; empty for a board without veins (M6.3)."""
    if not any("v" in row for row in board.terrain):
        return ""
    if not g.gold_round:
        return say("for all who are the first to cover every vein")
    got = say.joined([names[p] for p in range(g.players) if g.gold[p]])
    return say("given in round {n} to {names}", n=g.gold_round, names=got)
