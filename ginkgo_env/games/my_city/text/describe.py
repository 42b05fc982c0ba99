"""The table as text for people. With a seat it is made of what is public and of that seat's own choice (M10)."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.text import Line, fitted
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Building, Buildings, headings_of
from ginkgo_env.games.my_city.constants import HEADINGS, NONE, Stage
from ginkgo_env.games.my_city.state import State
from ginkgo_env.games.my_city.text.describe_players import SIGNS, player_blocks
from ginkgo_env.games.my_city.text.narrate import what_it_is
from ginkgo_env.games.my_city.text.notation import action_text
from ginkgo_env.games.my_city.text.reading import ENDINGS

_LONGEST_NAME, _INDENT = 12, 12
_CELL, _ANCHOR, _GAP = "#", "@", "    "
MEANINGS = ("empty land", "two trees", "two rocks", "well", "vein of gold", "mountain", "forest")
_LEGEND = (
    f"{', '.join(f'{sign} {meaning}' for sign, meaning in zip(SIGNS, MEANINGS, strict=True))}, ║ and ═ the river; "
    f"{_ANCHOR} in a shape: the cell that names the place"
)


def describe(
    record: State,
    points: Sequence[Sequence[int]],
    board: Board,
    buildings: Buildings,
    seat: int | None,
    names: Sequence[str],
    width: int,
) -> str:
    """The table as text of at most `width` columns, unless a board is wider.

    `points` are those of each player by source, as they stand. With a seat, of the choices that are not yet in effect only that
    seat's own one is told, and of the others not even whether they have chosen; otherwise all are.
    """
    g = Fields(record)
    names = [name[:_LONGEST_NAME] for name in names[: g.players]]
    lines = [Line(headline(g, buildings, seat, names), 4), *_chosen(g, board, seat, names), "", *_shape(g, buildings)]
    lines += player_blocks(g, points, board, buildings, names, width)
    gold = gold_text(g, board, names)
    lines += [*_cards(g, buildings), *(_labelled("gold:", gold) if gold else []), Line(_LEGEND, 4)]
    return "\n".join(fitted(lines, width))


def _labelled(label: str, text: str) -> list[str]:
    return [Line(f"{label:<{_INDENT}}{text}", _INDENT)]


def headline(g: Fields, buildings: Buildings, seat: int | None, names: Sequence[str]) -> str:
    """The round, what is to be placed, and who decides, as far as a seat may know."""
    if g.stage == Stage.OVER:
        return f"The game is over after round {g.rounds} (ending: {ENDINGS[g.ending]})"
    decides = f"; {names[g.actor]} decides" if is_seen_deciding(g, g.actor, seat) else ""
    return f"Round {g.rounds}: {what_it_is(buildings.list[g.current])}{decides}"


def is_seen_deciding(g: Fields, p: int, seat: int | None) -> bool:
    """Whether a seat is told that a player decides: of others it would tell who has chosen (M10.2)."""
    return bool(g.actor == p and seat in (None, p))


def choice_seen(g: Fields, p: int, seat: int | None) -> int:
    """A player's choice that is not yet in effect, NONE if there is none or a seat does not know it (M10.2)."""
    return int(g.choice[p]) if seat in (None, p) else NONE


def cards_left(g: Fields, buildings: Buildings) -> list[int]:
    """The set of cards that are left, in the order of the file: their order in the deck is hidden (M10.1)."""
    return sorted(g.deck[g.drawn : len(buildings.cards)])


def _chosen(g: Fields, board: Board, seat: int | None, names: Sequence[str]) -> list[str]:
    """Choices that are not yet in effect (M3.3)."""
    seats = [p for p in range(g.players) if choice_seen(g, p, seat) != NONE]
    return _labelled("chosen:", ", ".join(f"{names[p]} {action_text(board, g.choice[p])}" for p in seats)) if seats else []


def _shape(g: Fields, buildings: Buildings) -> list[str]:
    """The current building, once for each heading that it has (M11.4), side by side."""
    if g.current == NONE:
        return []
    building = buildings.list[g.current]
    drawn = [_turned(building, heading) for heading in headings_of(building)]
    height = max(map(len, drawn))
    drawn = [rows + [" " * len(rows[0])] * (height - len(rows)) for rows in drawn]
    return [*((" " * 4 + _GAP.join(rows)).rstrip() for rows in zip(*drawn, strict=True)), ""]


def _turned(building: Building, heading: int) -> list[str]:
    """One heading: its letter and its rows."""
    cells = building.turned(heading)
    columns = range(1 + max(c for _, c in cells))
    rows = ["".join(_CELL if (r, c) in cells else " " for c in columns) for r in range(1 + cells[-1][0])]
    rows[0] = rows[0].replace(_CELL, _ANCHOR, 1)
    return [f"{HEADINGS[heading] if r == 0 else ' '} {row}" for r, row in enumerate(rows)]


def _cards(g: Fields, buildings: Buildings) -> list[str]:
    """The cards that are left, and the one that was blocked."""
    cards, left = buildings.cards, cards_left(g, buildings)
    lines = _labelled("cards left:", f"{len(left)}" + (f": {' '.join(cards[card] for card in left)}" if left else ""))
    return lines + (_labelled("blocked:", cards[g.blocked]) if g.blocked != NONE else [])


def gold_text(g: Fields, board: Board, names: Sequence[str]) -> str:
    """Who has the gold, or what is open; nothing for a board without veins (M6.3)."""
    if not any("v" in row for row in board.terrain):
        return ""
    if not g.gold_round:
        return "for all who are the first to cover every vein"
    got = " and ".join(names[p] for p in range(g.players) if g.gold[p])
    return f"given in round {g.gold_round} to {got}"
