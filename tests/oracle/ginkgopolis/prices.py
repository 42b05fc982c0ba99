"""What building takes, and whether it can be paid (R5.2, R5.3, R5.7, R6.1, X6)."""

from dataclasses import dataclass

from .city import Building
from .components import color_of, is_letter, number_of
from .table import Side, Table


@dataclass(frozen=True)
class Price:
    """Resources to place and to pay for another color, SP to pay for a lower number."""

    placed: int
    repaint: int = 0
    points: int = 0

    def missing(self, side: Side, back: int = 0) -> int:
        """Resources that the side lacks, own ones that come back counted."""
        return max(0, self.placed + self.repaint - side.resources - back)

    def payable(self, side: Side, back: int = 0) -> bool:
        """R5.7; the banker buys what is missing out of the supply, where the repaint's resource lies by then (X6)."""
        missing = self.missing(side, back)
        if missing and not side.power.buys:
            return False
        return side.points >= missing + self.points and (missing == 0 or side.supply + self.repaint >= missing)


def price_of_floors(side: Side, building: Building, tiles: list[str]) -> Price:
    """Constructing with these tiles, the upper one first (R5.2, R5.3, X6: artist, mayor, architect)."""
    upper = tiles[0]
    other_color = color_of(upper) != building.color
    steps_down = max(0, number_of(building.tile) - number_of(upper))
    return Price(
        placed=building.floors + len(tiles),
        repaint=side.power.color_cost if other_color else 0,
        points=side.power.lower_cost * steps_down,
    )


def price_of_urbanizing(tiles: list[str]) -> Price:
    """R6.1; with two tiles two floors (X6: architect)."""
    return Price(placed=len(tiles))


def can_pay(table: Table, seat: int, card: str, tiles: list[str]) -> bool:
    """Whether a card with these tiles can be paid now (R5.7)."""
    side = table.sides[seat]
    if is_letter(card):
        return price_of_urbanizing(tiles).payable(side)
    building = table.city.showing(card)
    back = building.floors if building.owner == seat else 0
    return price_of_floors(side, building, tiles).payable(side, back)
