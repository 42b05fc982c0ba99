"""The end of the game: scores and winners (R8, R9.6, X1, X3, X6)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from .city import Building
from .components import ACTIONS, COLORS, COUNTED_ACTION, COUNTED_COLOR, bonus_action, color_of, number_of
from .experts import expert_points
from .parks import park_points, resources_beside
from .table import Side, Table


@dataclass(frozen=True)
class Holding:
    """What endgame cards count: the side, its buildings, and the actions and colors of its cards."""

    side: Side
    buildings: list[Building]

    @property
    def actions(self) -> Counter[str | None]:
        """Cards by the action of their bonus; None for endgame cards."""
        return Counter(bonus_action(card) for card in self.side.bonus_cards())

    @property
    def colors(self) -> Counter[str]:
        """Cards by color."""
        return Counter(color_of(card) for card in self.side.bonus_cards())


CardPoints = Callable[[Holding, str], int]


def resources_on_color(number: int, holding: Holding, color: str) -> int:
    """Cards 10 to 13: 1 SP for each own resource on buildings of the color counted."""
    counted = COUNTED_COLOR[number][COLORS.index(color)]
    return sum(building.floors for building in holding.buildings if building.color == counted)


def low_buildings(holding: Holding, color: str) -> int:
    """Card 14: 1 SP for each own building of 1 or 2 floors."""
    return sum(1 for building in holding.buildings if building.floors <= 2)


def high_buildings(holding: Holding, color: str) -> int:
    """Card 15: 3 SP for each own building of 3 or more floors."""
    return sum(3 for building in holding.buildings if building.floors >= 3)


def cards_of_action(number: int, holding: Holding, color: str) -> int:
    """Cards 16 to 18: 2 SP for each own card with a bonus for the action counted."""
    return 2 * holding.actions[COUNTED_ACTION[number]]


def cards_of_color(holding: Holding, color: str) -> int:
    """Card 19: 2 SP for each own card of its color."""
    return 2 * holding.colors[color]


def nine(holding: Holding, color: str) -> int:
    """Card 20."""
    return 9


def permanent_cards(holding: Holding, color: str) -> int:
    """Card 21: 1 SP for each own permanent bonus card."""
    return sum(holding.actions[action] for action in ACTIONS)


def sets_of_actions(holding: Holding, color: str) -> int:
    """Card 22: 5 SP for each set of three permanent bonus cards of different action."""
    return 5 * min(holding.actions[action] for action in ACTIONS)


def sets_of_colors(holding: Holding, color: str) -> int:
    """Card 23: 4 SP for each set of three cards of different color."""
    return 4 * min(holding.colors[color] for color in COLORS)


# R1.5, X1: number of an endgame card -> its points, given its color
CARD_POINTS: dict[int, CardPoints] = {
    **{number: partial(resources_on_color, number) for number in COUNTED_COLOR},
    14: low_buildings,
    15: high_buildings,
    **{number: partial(cards_of_action, number) for number in COUNTED_ACTION},
    19: cards_of_color,
    20: nine,
    21: permanent_cards,
    22: sets_of_actions,
    23: sets_of_colors,
}


def card_points(table: Table, seat: int, card: str) -> int:
    """SP of one endgame card (R1.5, X1)."""
    own = [building for building in table.city.buildings if building.owner == seat]
    return CARD_POINTS[number_of(card)](Holding(table.sides[seat], own), color_of(card))


def district_points(district: list[Building], parks: list[list[Building]]) -> dict[int, int]:
    """SP of each player with resources in a district (R8.3); those in adjacent parks count with them (X3.3)."""
    beside = resources_beside(district, parks)
    standing: dict[int, tuple[int, int, int]] = {}
    for seat in {building.owner for building in district if building.owner is not None}:
        own = [building for building in district if building.owner == seat]
        tallest, highest = max((building.floors, number_of(building.tile)) for building in own)
        standing[seat] = (sum(building.floors for building in own) + beside[seat], tallest, highest)
    points = dict.fromkeys(standing, 0)
    ranked = sorted(standing, key=standing.__getitem__, reverse=True)
    if ranked:
        points[ranked[0]] += sum(resources for resources, _, _ in standing.values())
        second = ranked[1] if len(ranked) > 1 else ranked[0]  # alone in a district: both
        points[second] += standing[second][0]
    return points


def score(table: Table, seat: int) -> dict[str, Any]:
    """The breakdown of one side's score (R8.2; William like a player: R9.6)."""
    side, city = table.sides[seat], table.city
    parks = city.parks()
    cards = {card: card_points(table, seat, card) for card in side.tableau if bonus_action(card) is None}
    districts = [district_points(district, parks).get(seat, 0) for district in city.districts()]
    breakdown: dict[str, Any] = {
        "points": side.points,
        "new_hands": 2 * side.new_hands,
        "cards": cards,
        "districts": districts,
    }
    total = side.points + 2 * side.new_hands + sum(cards.values()) + sum(districts)
    if table.modules:
        breakdown["parks"] = park_points(city, seat)  # X3.4
        drafted = table.first_player is not None  # before, nobody else may know who keeps which expert (R10.2)
        breakdown["expert"] = expert_points(table, seat) if drafted else 0  # X6
        total += sum(breakdown["parks"]) + breakdown["expert"]
    return breakdown | {"total": total}


def winners(table: Table) -> list[int]:
    """The sides with most points (R8.4); alone [0] the player, [1] William, [0, 1] a draw (R9.6)."""
    totals = [score(table, seat)["total"] for seat in range(len(table.sides))]
    return [seat for seat, total in enumerate(totals) if total == max(totals)]
