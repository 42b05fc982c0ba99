"""The city: buildings, tokens, and the geometry of R6 and R8.3."""

from dataclasses import dataclass, field

from .components import LETTERS, color_of

Cell = tuple[int, int]  # R11.2: x to the right, y down

HEADINGS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # north, east, south, west: clockwise
EAST = 1
DIRECTIONS = "NESW"


def step(cell: Cell, heading: int) -> Cell:
    """The cell next to this one."""
    dx, dy = HEADINGS[heading % 4]
    return cell[0] + dx, cell[1] + dy


def around(cell: Cell) -> list[Cell]:
    """The four orthogonally adjacent cells, in the order N, E, S, W."""
    return [step(cell, heading) for heading in range(4)]


@dataclass
class Building:
    """A stack of tiles; an owned one carries as many resources as floors (R5.3)."""

    cell: Cell
    tile: str
    floors: int = 1
    owner: int | None = None
    pawn: bool = False

    @property
    def color(self) -> str:
        return color_of(self.tile)


@dataclass
class City:
    """Buildings in the order in which they came, the tokens around them, and the covered tiles."""

    buildings: list[Building] = field(default_factory=list)
    tokens: dict[str, Cell | None] = field(default_factory=dict)
    buried: list[str] = field(default_factory=list)

    def at(self, cell: Cell | None) -> Building | None:
        """The building on a cell."""
        return next((building for building in self.buildings if building.cell == cell), None)

    def showing(self, tile: str) -> Building:
        """The building that a building card names: the one with this tile on top."""
        return next(building for building in self.buildings if building.tile == tile)

    def adjacent(self, cell: Cell) -> list[Building]:
        """The buildings orthogonally adjacent to a cell."""
        return [building for building in self.buildings if building.cell in around(cell)]

    def token_on(self, cell: Cell) -> str | None:
        """The letter of the token lying on a cell."""
        return next((letter for letter, place in self.tokens.items() if place == cell), None)

    def is_empty(self, cell: Cell) -> bool:
        """Neither tile nor token (R6.2)."""
        return self.at(cell) is None and self.token_on(cell) is None

    def resources_of(self, seat: int) -> int:
        """Resources of a player lying on buildings."""
        return sum(building.floors for building in self.buildings if building.owner == seat)

    def token_choices(self, cell: Cell) -> list[str]:
        """Where the token may go after a tile was put on this cell (R6.2), else the two places of R6.3."""
        free = [DIRECTIONS[heading] for heading in range(4) if self.is_empty(step(cell, heading))]
        return free or ["after", "before"]

    def move_token(self, letter: str, cell: Cell, choice: str) -> None:
        """Lays the token in hand down as chosen: beside the new tile (R6.2) or on the edge (R6.3)."""
        if choice in ("after", "before"):
            self.squeeze_in(letter, 1 if choice == "after" else -1)
        else:
            self.tokens[letter] = step(cell, DIRECTIONS.index(choice))

    def edge(self) -> list[Cell]:
        """The circular list of cells met when walking clockwise around the city (R6.3)."""
        built = {building.cell for building in self.buildings}
        top = min(y for _, y in built)
        cell = (min(x for x, y in built if y == top), top - 1)
        heading = EAST
        start = (cell, heading)
        listed: list[Cell] = []
        while True:
            right, ahead = step(cell, heading + 1), step(cell, heading)
            if (right in built or ahead in built) and cell not in listed:
                listed.append(cell)
            if right not in built:
                cell, heading = right, (heading + 1) % 4
            elif ahead not in built:
                cell = ahead
            else:
                heading = (heading - 1) % 4
            if (cell, heading) == start:
                return listed

    def squeeze_in(self, letter: str, direction: int) -> None:
        """R6.3: lays the token down after the previous letter's (+1) or before the next letter's (-1), pushing on."""
        edge = self.edge()
        place = (self._neighbor_on_edge(letter, direction, edge) + direction) % len(edge)
        moving: str | None = letter
        while moving is not None:
            lying = self.token_on(edge[place])
            self.tokens[moving] = edge[place]
            moving = lying
            place = (place + direction) % len(edge)

    def _neighbor_on_edge(self, letter: str, direction: int, edge: list[Cell]) -> int:
        """Place on the edge of the nearest previous (+1) or next (-1) letter whose token is not in a hole (R6.3)."""
        for distance in range(1, len(LETTERS)):
            other = self.tokens[LETTERS[(LETTERS.index(letter) - direction * distance) % len(LETTERS)]]
            if other in edge:
                return edge.index(other)
        # All other tokens lie in holes. The rules are silent: as if one lay beyond the end of the list.
        return -1 if direction > 0 else 0

    def districts(self) -> list[list[Building]]:
        """Groups of at least two connected buildings of one color, by first building in the list (R8.3)."""
        groups: list[list[Building]] = []
        seen: set[Cell] = set()
        for first in self.buildings:
            if first.cell in seen:
                continue
            group, waiting = [], [first]
            seen.add(first.cell)
            while waiting:
                building = waiting.pop()
                group.append(building)
                for other in self.adjacent(building.cell):
                    if other.color == first.color and other.cell not in seen:
                        seen.add(other.cell)
                        waiting.append(other)
            if len(group) >= 2:
                groups.append(group)
        return groups


def start_city(tiles: list[str]) -> City:
    """The 3 x 3 square, row by row, and the tokens around it (R2.1, R2.2)."""
    city = City([Building((place % 3, place // 3), tile) for place, tile in enumerate(tiles)])
    ring = [(0, -1), (1, -1), (2, -1), (3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (-1, 2), (-1, 1), (-1, 0)]
    city.tokens = dict(zip(LETTERS, ring, strict=True))
    return city
