"""Actions as picks, with the cells of the city that they are about.

A commitment is a card and a tile, ``{"card": "R3", "tile": "none"}``. Every other action is one pick in the group of its verb,
``{"take": "resource"}``. Cells are named by the tile or token that lies there: ``cell:R3``, ``cell:A``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ginkgo_env.drawing.presenter import Choice
from ginkgo_env.games.ginkgopolis.constants import N_DIRECTIONS, N_LETTERS, N_TILES, Side
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import DX, DY, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import Readable, action_text

NO_TILE = "none"
"""The tile of a card that is committed alone."""
NEW_HAND = "new-hand"

Cell = tuple[int, int]

_STEPS = [(int(DX[side]), int(DY[side])) for side in range(N_DIRECTIONS)]
_WAYS = {"after": 1, "before": -1}


def choice(g: State, action: int) -> Choice:
    """The picks and places of an action of the seat to act."""
    text = action_text(g, action)
    verb, colon, name = text.partition(":")
    if not colon:
        return _commit(text)
    if verb == "keep":
        return Choice({verb: name}, (place_of(name),))
    if verb == "token" and name in _WAYS:
        return Choice({verb: name}, _beyond(g, _WAYS[name]))
    return Choice({verb: name})


def _commit(text: str) -> Choice:
    """A New Hand, or a card alone or with a tile; the place is the building or token that the card names."""
    card, _, tile = text.partition("+")
    if card == NEW_HAND:
        return Choice({"card": card})
    return Choice({"card": card, "tile": tile or NO_TILE}, (place_of(card),))


def place_of(name: str) -> str:
    """The part of the picture with a building, named by its top tile, or with a token."""
    return f"cell:{name}"


# --- where the token goes (R6.2, R6.3) -------------------------------------------------------------------------------------


def free_sides(g: Readable) -> dict[str, Cell]:
    """The empty cells beside the building that was just urbanized, by direction (R6.2)."""
    taken, (x, y) = {*_buildings(g), *_tokens(g)}, (int(g.x[g.building]), int(g.y[g.building]))
    cells = {Side(side).name: (x + dx, y + dy) for side, (dx, dy) in enumerate(_STEPS)}
    return {name: cell for name, cell in cells.items() if cell not in taken}


def _beyond(g: State, way: int) -> tuple[str, ...]:
    """The token after or before which the current one goes; tokens in holes are skipped (R6.3)."""
    letter, tokens, land = int(g.card[g.player]) - N_TILES, list(_tokens(g)), _open_land(g)
    others = ((letter - way * k) % N_LETTERS for k in range(1, N_LETTERS))
    return next(((place_of(NAMES[N_TILES + other]),) for other in others if tokens[other] in land), ())


def _open_land(g: Readable) -> set[Cell]:
    """The empty cells up to one step beyond the city, except holes."""
    built = set(_buildings(g))
    west, east = min(x for x, _ in built) - 1, max(x for x, _ in built) + 1
    north, south = min(y for _, y in built) - 1, max(y for _, y in built) + 1
    reached, new = {(west, north)}, [(west, north)]
    while new:
        x, y = new.pop()
        beside = [(x + dx, y + dy) for dx, dy in _STEPS if west <= x + dx <= east and north <= y + dy <= south]
        new += (more := [cell for cell in beside if cell not in built and cell not in reached])
        reached.update(more)
    return reached


def _buildings(g: Readable) -> Iterator[Cell]:
    return ((int(g.x[s]), int(g.y[s])) for s in range(g.n_buildings))


def _tokens(g: Readable) -> Iterator[Cell]:
    return ((int(g.token_x[k]), int(g.token_y[k])) for k in range(N_LETTERS))
