"""The city: buildings, green spaces, tokens, and the geometry of R6, R8.3 and X3."""

from dataclasses import dataclass, field

from .components import GREEN, LETTERS, color_of, has_card

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
    """A stack of tiles, or a green space; an owned one carries as many resources as floors (R5.3, X3.1)."""

    cell: Cell
    tile: str
    floors: int = 1
    owner: int | None = None
    pawn: bool = False

    @property
    def color(self) -> str:
        """Color letter; a green space has one of its own, which no building shares."""
        return color_of(self.tile)

    @property
    def green(self) -> bool:
        """Whether this is a green space, which is no building (X3.1)."""
        return self.tile == GREEN


@dataclass
class City:
    """Buildings and green spaces in the order in which they came, the tokens around them, and the covered tiles."""

    plots: list[Building] = field(default_factory=list)
    tokens: dict[str, Cell | None] = field(default_factory=dict)
    buried: list[str] = field(default_factory=list)

    @property
    def buildings(self) -> list[Building]:
        """The buildings, green spaces left out (X3.1)."""
        return [plot for plot in self.plots if not plot.green]

    def at(self, cell: Cell | None) -> Building | None:
        """What stands on a cell: here a green space counts like a building (X3.1)."""
        return next((plot for plot in self.plots if plot.cell == cell), None)

    def showing(self, tile: str) -> Building:
        """The building that a building card names: the one with this tile on top."""
        return next(building for building in self.buildings if building.tile == tile)

    def adjacent(self, cell: Cell) -> list[Building]:
        """The buildings orthogonally adjacent to a cell."""
        cells = around(cell)
        return [building for building in self.buildings if building.cell in cells]

    def operated(self, cell: Cell) -> list[Building]:
        """The adjacent buildings that urbanizing on this cell operates (R6.4): no prestige buildings (X2)."""
        return [building for building in self.adjacent(cell) if has_card(building.tile)]

    def token_on(self, cell: Cell) -> str | None:
        """The letter of the token lying on a cell."""
        return next((letter for letter, place in self.tokens.items() if place == cell), None)

    def is_empty(self, cell: Cell) -> bool:
        """Neither tile nor token (R6.2)."""
        return self.at(cell) is None and self.token_on(cell) is None

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
        built = {plot.cell for plot in self.plots}
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

    def groups(self) -> list[list[Building]]:
        """Connected groups of one color, green spaces too, each from its first plot in the list on."""
        groups: list[list[Building]] = []
        left = {plot.cell: plot for plot in self.plots}
        for first in self.plots:
            waiting = [first] if left.pop(first.cell, None) else []
            group = []
            while waiting:
                plot = waiting.pop()
                group.append(plot)
                same = [cell for cell in around(plot.cell) if cell in left and left[cell].color == first.color]
                waiting += [left.pop(cell) for cell in same]
            if group:
                groups.append(group)
        return groups

    def districts(self) -> list[list[Building]]:
        """Groups of at least two connected buildings of one color, by first building in the list (R8.3)."""
        return [group for group in self.groups() if len(group) >= 2 and not group[0].green]

    def parks(self) -> list[list[Building]]:
        """Connected groups of green spaces, one is enough, by first green space in the list (X3.2)."""
        return [group for group in self.groups() if group[0].green]


def start_city(tiles: list[str]) -> City:
    """The 3 x 3 square, row by row, and the tokens around it (R2.1, R2.2)."""
    city = City([Building((place % 3, place // 3), tile) for place, tile in enumerate(tiles)])
    ring = [(0, -1), (1, -1), (2, -1), (3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (-1, 2), (-1, 1), (-1, 0)]
    city.tokens = dict(zip(LETTERS, ring, strict=True))
    return city
