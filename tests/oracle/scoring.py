"""The end of the game: scores and winners (R8, R9.6)."""

from typing import Any

from .city import Building
from .components import COLORS, COUNTED_ACTION, COUNTED_COLOR, bonus_action, color_of, number_of
from .table import Table


def card_points(table: Table, seat: int, card: str) -> int:
    """SP of one endgame card (R1.5)."""
    side = table.sides[seat]
    own = [building for building in table.city.buildings if building.owner == seat]
    color, number = color_of(card), number_of(card)
    if number in COUNTED_COLOR:
        counted = COUNTED_COLOR[number][COLORS.index(color)]
        return sum(building.floors for building in own if building.color == counted)
    if number == 14:
        return sum(1 for building in own if building.floors <= 2)
    if number == 15:
        return sum(3 for building in own if building.floors >= 3)
    if number in COUNTED_ACTION:
        return sum(2 for other in side.bonus_cards() if bonus_action(other) == COUNTED_ACTION[number])
    if number == 19:
        return sum(2 for other in side.bonus_cards() if color_of(other) == color)
    return 9  # number 20


def district_points(district: list[Building]) -> dict[int, int]:
    """SP of each player with resources in a district (R8.3)."""
    standing: dict[int, tuple[int, int, int]] = {}
    for seat in {building.owner for building in district if building.owner is not None}:
        own = [building for building in district if building.owner == seat]
        tallest, highest = max((building.floors, number_of(building.tile)) for building in own)
        standing[seat] = (sum(building.floors for building in own), tallest, highest)
    points = dict.fromkeys(standing, 0)
    ranked = sorted(standing, key=standing.__getitem__, reverse=True)
    if ranked:
        points[ranked[0]] += sum(resources for resources, _, _ in standing.values())
        second = ranked[1] if len(ranked) > 1 else ranked[0]  # alone in a district: both
        points[second] += standing[second][0]
    return points


def score(table: Table, seat: int) -> dict[str, Any]:
    """The breakdown of one side's score (R8.2; William like a player: R9.6)."""
    side = table.sides[seat]
    cards = {card: card_points(table, seat, card) for card in side.tableau if bonus_action(card) is None}
    districts = [district_points(district).get(seat, 0) for district in table.city.districts()]
    total = side.points + 2 * side.new_hands + sum(cards.values()) + sum(districts)
    return {
        "points": side.points,
        "new_hands": 2 * side.new_hands,
        "cards": cards,
        "districts": districts,
        "total": total,
    }


def winners(table: Table) -> list[int]:
    """The sides with most points (R8.4); alone [0] the player, [1] William, [0, 1] a draw (R9.6)."""
    totals = [score(table, seat)["total"] for seat in range(len(table.sides))]
    return [seat for seat, total in enumerate(totals) if total == max(totals)]
