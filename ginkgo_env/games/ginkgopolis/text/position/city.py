"""The city in a position: buildings, green spaces and tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginkgo_env.core.errors import shown
from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import fail, fields_of, flag, named, number, or_null
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MAX_BUILDINGS,
    N_LETTERS,
    N_TILES,
    NOBODY,
    NONE,
    NOWHERE,
)
from ginkgo_env.games.ginkgopolis.tables import DX, DY, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import tile_ids
from ginkgo_env.games.ginkgopolis.text.position.values import cell

_Cells = dict[tuple[int, int], int]
_FAR = 60  # beyond any city of the base game
_FARTHEST = 120  # so that coordinates stay 8-bit numbers when all tiles of the expansion are placed
_STEPS = list(zip(DX.tolist(), DY.tolist(), strict=True))
_LETTERS = NAMES[N_TILES : N_TILES + N_LETTERS]
_BUILDING = {"cell", "tile", "floors", "owner", "pawn"}


def write_city(g: Fields) -> dict[str, Any]:
    """Return buildings in order of arrival, and tokens, as plain data."""
    return {"city": [_write_building(g, s) for s in range(g.n_buildings)], "tokens": _write_tokens(g)}


def read_city(g: Fields, data: Mapping[str, Any]) -> None:
    """Read buildings and tokens into the record. Raises PositionError."""
    city = data["city"]
    if not isinstance(city, list) or not 1 <= len(city) <= MAX_BUILDINGS:
        raise fail("city", f"expected a list of 1 to {MAX_BUILDINGS} buildings, got {shown(city)}")
    far = _FARTHEST - (MAX_BUILDINGS - len(city)) if g.expansion else _FAR
    cells: _Cells = {}
    for s, building in enumerate(city):
        _read_building(g, s, building, cells, far)
    g.n_buildings = len(city)
    g.west, g.north = min(x for x, _ in cells), min(y for _, y in cells)
    for (x, y), s in cells.items():
        g.adjacent[s] = [cells.get((x + dx, y + dy), NONE) for dx, dy in _STEPS]
    _check_connected(g, len(city))
    _read_tokens(g, data["tokens"], cells, far)


def _write_building(g: Fields, s: int) -> dict[str, Any]:
    return {
        "cell": [g.x[s], g.y[s]],
        "tile": NAMES[g.top[s]],
        "floors": g.floors[s],
        "owner": or_null(g.owner[s]),
        "pawn": bool(g.pawn[s]),
    }


def _read_building(g: Fields, s: int, building: Any, cells: _Cells, far: int) -> None:
    where = f"city[{s}]"
    fields = fields_of(building, _BUILDING, where)
    place = cell(fields["cell"], far, f"{where}.cell")
    if place in cells:
        raise fail(where, f"two buildings stand on {list(place)}")
    cells[place] = s
    g.x[s], g.y[s] = place
    g.top[s] = named(fields["tile"], tile_ids(g), f"{where}.tile")
    g.floors[s] = number(fields["floors"], 1, N_TILES, f"{where}.floors")
    owner = fields["owner"]
    g.owner[s] = NOBODY if owner is None else number(owner, 0, g.players - 1, f"{where}.owner")
    g.pawn[s] = flag(fields["pawn"], f"{where}.pawn")
    if g.top[s] != GREEN_SPACE:
        g.slot[g.top[s]] = s


def _check_connected(g: Fields, n: int) -> None:
    reached, waiting = {0}, [0]
    while waiting:
        for other in g.adjacent[waiting.pop()]:
            if other != NONE and other not in reached:
                reached.add(other)
                waiting.append(other)
    if len(reached) != n:
        raise fail("city", "the buildings are not connected")


def _write_tokens(g: Fields) -> dict[str, list[int] | None]:
    cells = zip(_LETTERS, g.token_x, g.token_y, strict=True)
    return {letter: None if x == NOWHERE else [x, y] for letter, x, y in cells}


def _read_tokens(g: Fields, tokens: Any, cells: _Cells, far: int) -> None:
    fields = fields_of(tokens, set(_LETTERS), "tokens")
    taken: set[tuple[int, int]] = set()
    for i, letter in enumerate(_LETTERS):
        where = f"tokens.{letter}"
        if fields[letter] is None:
            g.token_x[i] = g.token_y[i] = NOWHERE
            continue
        place = cell(fields[letter], far + 1, where)
        if place in cells or place in taken:
            raise fail(where, f"the cell {list(place)} is not free")
        if not any((place[0] + dx, place[1] + dy) in cells for dx, dy in _STEPS):
            raise fail(where, f"no building lies beside {list(place)}")
        taken.add(place)
        g.token_x[i], g.token_y[i] = place
