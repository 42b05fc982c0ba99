"""Green spaces and their parks: what they pay when somebody urbanizes next to them, and at the end (X3)."""

from collections import Counter

from .city import Building, Cell, City, around
from .components import GREEN, color_of
from .expansion import Expert

FOR_EACH_GREEN_SPACE = 2  # X3.2


def touches(group: list[Building], cell: Cell) -> bool:
    """Whether a plot of the group is orthogonally adjacent to a cell."""
    return any(plot.cell in around(cell) for plot in group)


def neighborly_points(city: City, power: Expert, cell: Cell, tile: str) -> int:
    """SP for urbanizing here with this tile: parks (X3.2), and buildings of the same color (X6: controller)."""
    points = sum(FOR_EACH_GREEN_SPACE * len(park) for park in city.parks() if touches(park, cell))
    if tile != GREEN and any(building.color == color_of(tile) for building in city.adjacent(cell)):
        points += power.same_color
    return points


def resources_beside(district: list[Building], parks: list[list[Building]]) -> Counter[int]:
    """X3.3: the resources of each player on all tiles of the parks adjacent to a district."""
    resources: Counter[int] = Counter()
    for park in parks:
        if any(touches(park, building.cell) for building in district):
            for plot in park:
                assert plot.owner is not None
                resources[plot.owner] += plot.floors
    return resources


def park_points(city: City, seat: int) -> list[int]:
    """X3.4, park by park: 1 SP for each floor next to each own green space."""
    return [sum(floors_beside(city, plot) for plot in park if plot.owner == seat) for park in city.parks()]


def floors_beside(city: City, plot: Building) -> int:
    """Floors of the adjacent buildings, whoever owns them."""
    return sum(building.floors for building in city.adjacent(plot.cell))
