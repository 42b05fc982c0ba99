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
from ginkgo_env.games.ginkgopolis.rules.soundness_city import FARTHEST
from ginkgo_env.games.ginkgopolis.tables import DX, DY, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import tile_ids
from ginkgo_env.games.ginkgopolis.text.position.values import cell

_Cells = dict[tuple[int, int], int]
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
    far = FARTHEST - ((MAX_BUILDINGS if g.expansion else N_TILES) - len(city))
    cells: _Cells = {}
    for s, building in enumerate(city):
        _read_building(g, s, building, cells, far)
    g.n_buildings = len(city)
    g.west, g.north = min(x for x, _ in cells), min(y for _, y in cells)
    for (x, y), s in cells.items():
        g.adjacent[s] = [cells.get((x + dx, y + dy), NONE) for dx, dy in _STEPS]
    _read_tokens(g, data["tokens"], far + 1)


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
    g.x[s], g.y[s] = place = cell(fields["cell"], far, f"{where}.cell")
    cells[place] = s
    g.top[s] = named(fields["tile"], tile_ids(g), f"{where}.tile")
    g.floors[s] = number(fields["floors"], 1, N_TILES, f"{where}.floors")
    owner = fields["owner"]
    g.owner[s] = NOBODY if owner is None else number(owner, 0, g.players - 1, f"{where}.owner")
    g.pawn[s] = flag(fields["pawn"], f"{where}.pawn")
    if g.top[s] != GREEN_SPACE:
        g.slot[g.top[s]] = s


def _write_tokens(g: Fields) -> dict[str, list[int] | None]:
    cells = zip(_LETTERS, g.token_x, g.token_y, strict=True)
    return {letter: None if x == NOWHERE else [x, y] for letter, x, y in cells}


def _read_tokens(g: Fields, tokens: Any, far: int) -> None:
    fields = fields_of(tokens, set(_LETTERS), "tokens")
    for i, letter in enumerate(_LETTERS):
        place = fields[letter]
        g.token_x[i], g.token_y[i] = (NOWHERE, NOWHERE) if place is None else cell(place, far, f"tokens.{letter}")
