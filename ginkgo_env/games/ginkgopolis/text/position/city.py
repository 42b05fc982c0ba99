"""Reading the city of a position: buildings, green spaces and tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE, MAX_BUILDINGS, N_TILES, NOBODY, NONE, NOWHERE
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import DX, DY, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import tile_ids
from ginkgo_env.games.ginkgopolis.text.position.data import cell, fail, fields_of, flag, named, number

_Cells = dict[tuple[int, int], int]
_FAR = 60  # no city of the base game reaches so far
_FARTHEST = 120  # nor, with all the tiles of the expansion still to come, beyond 8-bit numbers


def read_city(g: State, data: Mapping[str, Any]) -> None:
    """Buildings in their order, and tokens."""
    city = data["city"]
    if not isinstance(city, list) or not 1 <= len(city) <= MAX_BUILDINGS:
        raise fail("city", "expected a list of buildings")
    far = _FARTHEST - (MAX_BUILDINGS - len(city)) if g.expansion else _FAR
    cells: _Cells = {}
    for s, building in enumerate(city):
        _read_building(g, s, building, cells, far)
    g.n_buildings = len(city)
    g.west, g.north = min(x for x, _ in cells), min(y for _, y in cells)
    for (x, y), s in cells.items():
        for d in range(len(DX)):
            g.adjacent[s, d] = cells.get((x + int(DX[d]), y + int(DY[d])), NONE)
    _check_connected(g, len(city))
    _read_tokens(g, data["tokens"], cells, far)


def _read_building(g: State, s: int, building: Any, cells: _Cells, far: int) -> None:
    where = f"city[{s}]"
    fields = fields_of(building, {"cell", "tile", "floors", "owner", "pawn"}, where)
    place = cell(fields["cell"], far, f"{where}.cell")
    if place in cells:
        raise fail(where, f"two buildings stand on {list(place)}")
    cells[place] = s
    g.x[s], g.y[s] = place
    g.top[s] = named(fields["tile"], tile_ids(g), f"{where}.tile")
    g.floors[s] = number(fields["floors"], 1, N_TILES, f"{where}.floors")
    owner = fields["owner"]
    g.owner[s] = NOBODY if owner is None else number(owner, 0, int(g.players) - 1, f"{where}.owner")
    g.pawn[s] = flag(fields["pawn"], f"{where}.pawn")
    if g.top[s] != GREEN_SPACE:
        g.slot[g.top[s]] = s


def _check_connected(g: State, n: int) -> None:
    reached, waiting = {0}, [0]
    while waiting:
        for other in g.adjacent[waiting.pop()]:
            if other != NONE and int(other) not in reached:
                reached.add(int(other))
                waiting.append(int(other))
    if len(reached) != n:
        raise fail("city", "the buildings are not connected")


def _read_tokens(g: State, tokens: Any, cells: _Cells, far: int) -> None:
    letters = NAMES[N_TILES : N_TILES + len(g.token_x)]
    fields = fields_of(tokens, set(letters), "tokens")
    taken: set[tuple[int, int]] = set()
    for i, letter in enumerate(letters):
        where = f"tokens.{letter}"
        if fields[letter] is None:
            g.token_x[i] = g.token_y[i] = NOWHERE
            continue
        place = cell(fields[letter], far + 1, where)
        if place in cells or place in taken:
            raise fail(where, f"the cell {list(place)} is not free")
        if not any((place[0] + int(DX[d]), place[1] + int(DY[d])) in cells for d in range(len(DX))):
            raise fail(where, f"no building lies beside {list(place)}")
        taken.add(place)
        g.token_x[i], g.token_y[i] = place
