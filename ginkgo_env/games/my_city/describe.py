"""A description of the table as text, for all to see or as a seat may know it (M10)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ginkgo_env.core.state import VisibleState, members
from ginkgo_env.core.text import Line, fitted
from ginkgo_env.games.my_city.board import Board, Cell
from ginkgo_env.games.my_city.buildings import Building
from ginkgo_env.games.my_city.constants import HEADINGS, LETTERS, NONE, Source, Stage, Terrain
from ginkgo_env.games.my_city.narrate import building_text
from ginkgo_env.games.my_city.notation import action_text
from ginkgo_env.games.my_city.queries import ENDINGS, translate

# --- boards, points and passes; all of it is public (M10.1) ------------------------------------------------------------------


SIGNS = ".trwv^&"
"""The signs of Terrain, in order."""
_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
_JOINTS = " ║═╚║║╔╠═╝═╩╗╣╦╬"
"""The sign of the river where four cells meet, by the sum of the directions in which it runs from there."""
_MARGIN, _GAP = 3, "   "
_MIN_WIDTH = 26  # columns of a block: a name and its points need no more
_NO_BREAK = "\xa0"
"""A space at which lines are not broken."""


def player_blocks(g: VisibleState, width: int) -> list[str]:
    """Return a block for each player, as many side by side as fit: name, board, points, passes."""
    boards = [_board_lines(g, p) for p in range(g.players)]
    wide = max(_MIN_WIDTH, len(boards[0][0]))
    abreast = min(g.players, max(1, (width + len(_GAP)) // (wide + len(_GAP))))
    room = max(wide, (width - len(_GAP) * (abreast - 1)) // abreast) if abreast > 1 else width
    blocks = [
        [translate("{name}: {n} points", name=g.names[p], n=sum(g.sources[p])), *boards[p], *fitted(_facts(g, p), room)]
        for p in range(g.players)
    ]
    lines: list[str] = []
    for first in range(0, g.players, abreast):
        rows = zip_longest(*blocks[first : first + abreast], fillvalue="")
        lines += [*(_GAP.join(f"{part:<{room}}" for part in row).rstrip().replace(_NO_BREAK, " ") for row in rows), ""]
    return lines


def _facts(g: VisibleState, p: int) -> list[Line]:
    """Return lines with the counter, points by source as they stand, and the buildings passed."""
    ended = translate(", ended in round {n}", n=g.ended[p]) if g.ended[p] else ""
    sources = [f"{translate(source.name.lower())}{_NO_BREAK}{n}" for source, n in zip(Source, g.sources[p], strict=True) if n]
    passed = [g.buildings.ids[b] for b in members(g.passed[p])]
    lines = [Line(translate("counter {n}", n=g.points[p]) + ended, 2), Line(", ".join(sources), 2)]
    return lines + ([Line(translate("passed: {buildings}", buildings=" ".join(passed)), 2)] if passed else [])


# --- a board ---------------------------------------------------------------------------------------------------------------


def _board_lines(g: VisibleState, p: int) -> list[str]:
    """Return a player's board: a line for each row, and one between two rows where the river runs. All have equal length."""
    texts, board = _cells(g, p), g.board
    wide = max(map(len, g.buildings.ids))
    columns = range(board.columns)
    lines = [" " * _MARGIN + "".join(f" {chr(ord('a') + c):<{wide}}" for c in columns)]
    for r in range(board.rows):
        row = "".join(f"{'║' if runs_before(board, r, c) else ' '}{texts[r][c]:<{wide}}" for c in columns)
        lines.append(f"{r + 1:>2}".ljust(_MARGIN) + row)
        below = "".join(_joint(board, r, c) + ("═" if runs_below(board, r, c) else " ") * wide for c in columns)
        if "═" in below:
            lines.append(" " * _MARGIN + below)
    return lines


def _cells(g: VisibleState, p: int) -> list[list[str]]:
    """Return the text of each cell: the building on it, or the terrain."""
    texts = [[SIGNS[LETTERS.index(letter)] for letter in row] for row in g.board.terrain]
    for b in members(g.placed[p]):
        for r, c in cells_covered(g.board, g.buildings.list[b], g.at[p][b]):
            texts[r][c] = g.buildings.ids[b]
    return texts


def cells_covered(board: Board, building: Building, action: int) -> list[Cell]:
    """Return the cells that a building covers when an action places it, in reading order."""
    heading, anchor = divmod(action, board.rows * board.columns)
    row, column = divmod(anchor, board.columns)
    shape = building.turned(heading)
    first = shape[0][1]  # the anchor's column in the shape (M11.5)
    return [(row + r, column + c - first) for r, c in shape]


def runs_before(board: Board, r: int, c: int) -> bool:
    """Whether the river runs on the left side of a cell."""
    return c > 0 and r < board.rows and board.banks[r][c - 1] != board.banks[r][c]


def runs_below(board: Board, r: int, c: int) -> bool:
    """Whether the river runs below a cell."""
    return c >= 0 and r + 1 < board.rows and board.banks[r][c] != board.banks[r + 1][c]


def _joint(board: Board, r: int, c: int) -> str:
    """Return the sign of the river at the lower left corner of a cell."""
    sides = {_NORTH: runs_before(board, r, c), _EAST: runs_below(board, r, c)}
    sides |= {_SOUTH: runs_before(board, r + 1, c), _WEST: runs_below(board, r, c - 1)}
    return _JOINTS[sum(direction for direction, runs in sides.items() if runs)]


# --- the table ---------------------------------------------------------------------------------------------------------------


_LONGEST_NAME, _INDENT = 12, 12
_CELL, _ANCHOR, _BETWEEN = "#", "@", "    "
MEANINGS = ("empty land", "two trees", "two rocks", "well", "vein of gold", "mountain", "forest")


def describe(g: VisibleState, width: int) -> str:
    """Return the table as text of at most `width` columns, unless a board is wider.

    Of the choices that are not yet in effect only the viewer's own one is shown, and not even whether others have chosen.
    """
    g.names = [name[:_LONGEST_NAME] for name in g.names[: g.players]]
    lines = [Line(headline(g), 4), *_chosen(g), "", *_shape(g), *player_blocks(g, width)]
    gold = gold_text(g)
    lines += [*_cards(g), *(_labelled(translate("gold:"), gold) if gold else []), Line(_legend(), 4)]
    return "\n".join(fitted(lines, width))


def _legend() -> str:
    signs = ", ".join(f"{sign} {translate(meaning)}" for sign, meaning in zip(SIGNS, MEANINGS, strict=True))
    return translate(
        "{signs}, ║ and ═ the river; {anchor} in a shape: the cell that names the place", signs=signs, anchor=_ANCHOR
    )


def _labelled(label: str, text: str) -> list[str]:
    return [Line(f"{label:<{_INDENT}}{text}", _INDENT)]


def headline(g: VisibleState) -> str:
    """Return the round, the building to place and who decides, as far as the viewer may know."""
    if g.stage == Stage.OVER:
        return translate(
            "The game is over after round {n} (ending: {ending})", n=g.rounds, ending=translate(str(ENDINGS[g.ending]))
        )
    decides = translate("; {name} decides", name=g.names[g.actor]) if g.actor >= 0 else ""
    return translate("Round {n}: {building}", n=g.rounds, building=building_text(g.buildings.list[g.current])) + decides


def cards_left(g: VisibleState) -> list[int]:
    """Return the cards that are left in the order of the file, as that of the deck is hidden (M10.3)."""
    return sorted(g.deck[g.drawn : len(g.buildings.cards)])


def _chosen(g: VisibleState) -> list[str]:
    """Return a line with the choices that are not yet in effect (M3.3)."""
    chosen = [f"{g.names[p]} {action_text(g.board, g.choice[p])}" for p in range(g.players) if g.choice[p] != NONE]
    return _labelled(translate("chosen:"), ", ".join(chosen)) if chosen else []


def _shape(g: VisibleState) -> list[str]:
    """Return the current building at each heading that it has (M11.4), side by side."""
    if g.current == NONE:
        return []
    building = g.buildings.list[g.current]
    drawn = [_turned(building, heading) for heading in building.headings]
    height = max(map(len, drawn))
    drawn = [rows + [" " * len(rows[0])] * (height - len(rows)) for rows in drawn]
    return [*((" " * 4 + _BETWEEN.join(rows)).rstrip() for rows in zip(*drawn, strict=True)), ""]


def _turned(building: Building, heading: int) -> list[str]:
    """Return the letter of a heading and the rows of the building at it."""
    cells = building.turned(heading)
    columns = range(1 + max(c for _, c in cells))
    rows = ["".join(_CELL if (r, c) in cells else " " for c in columns) for r in range(1 + cells[-1][0])]
    rows[0] = rows[0].replace(_CELL, _ANCHOR, 1)
    return [f"{HEADINGS[heading] if r == 0 else ' '} {row}" for r, row in enumerate(rows)]


def _cards(g: VisibleState) -> list[str]:
    """Return lines with the cards that are left, and with the blocked building."""
    cards, left = g.buildings.cards, cards_left(g)
    lines = _labelled(translate("cards left:"), f"{len(left)}" + (f": {' '.join(cards[card] for card in left)}" if left else ""))
    return lines + (_labelled(translate("blocked:"), cards[g.blocked]) if g.blocked != NONE else [])


def gold_text(g: VisibleState) -> str:
    """Return who has the gold, or who can get it; empty for a board without veins (M6.3)."""
    if not any("v" in row for row in g.board.terrain):
        return ""
    if not g.gold_round:
        return translate("for all who are the first to cover every vein")
    got = translate.joined([g.names[p] for p in range(g.players) if g.gold[p]])
    return translate("given in round {n} to {names}", n=g.gold_round, names=got)


def effect_text(changes: Sequence[int], covered: Sequence[int]) -> str:
    """Describe what an action brings: the change of points by source, and the marks that it covers.

    covered : cells by Terrain
    """
    sources = ", ".join(f"{translate(source.name.lower())} {n:+}" for source, n in zip(Source, changes, strict=True) if n)
    marks = ", ".join(f"{translate(Terrain(i).name.lower())} {n}" for i, n in enumerate(covered) if n and i != Terrain.EMPTY)
    covers = translate("; covers {marks}", marks=marks) if marks else ""
    return f"{sum(changes):+}" + (f": {sources}" if sources else "") + covers
