"""William's turn (R9.3-5)."""

from .actions import WILLIAM, add_floors, found_building, place_token, take_back
from .components import is_letter
from .draws import draw_cards
from .table import Flow, Pending, Side, Table

PLAYER = 0


def william_builds(table: Table) -> Flow:
    """Reveals William's card, draws a tile for it and lets it build."""
    william = table.sides[WILLIAM]
    if not table.supply or william.commitment is None:
        return  # R9.5: no tile, so it does not act and its card stays unseen
    if table.config["level"] == "advanced" and is_letter(william.commitment.card):
        second_card(table, william)  # R9.4: decided before its tile is drawn
    tile = table.supply.pop(0)
    if not table.supply:
        table.exhaustions += 1
        table.trigger_end("tiles")  # R9.5: it still builds with it
    card = william.commitment.card
    if not can_build(table, william, card):
        table.trigger_end("william")  # R9.5: nothing happens, the tile counts for nothing
        table.removed.append(tile)
        table.discard.append(card)
    elif is_letter(card):
        yield from william_urbanizes(table, william, card, tile)
    else:
        william_constructs(table, william, card, tile)
    william.commitment = None
    table.pending = None


def second_card(table: Table, william: Side) -> None:
    """R9.4: at the advanced level a second card may replace an urbanization card."""
    assert william.commitment is not None
    drawn = draw_cards(table, 1)  # reconstitution, if due, comes before the unused card is discarded
    if not drawn:
        return
    first, second = william.commitment.card, drawn[0]
    better = not is_letter(second) or william_gains(table, second) > william_gains(table, first)
    william.commitment.card = second if better else first
    table.discard.append(first if better else second)


def william_gains(table: Table, letter: str) -> int:
    """SP that urbanizing with this card brings William: 1 for each item of the adjacent buildings (R9.3)."""
    cell = table.city.tokens[letter]
    assert cell is not None
    return sum(building.floors for building in table.city.adjacent(cell))


def can_build(table: Table, william: Side, card: str) -> bool:
    """Whether William has the resources, its own that come back counted (R9.3)."""
    if is_letter(card):
        return william.resources >= 1
    building = table.city.showing(card)
    back = building.floors if building.owner == WILLIAM else 0
    return william.resources + back >= building.floors + 1


def william_urbanizes(table: Table, william: Side, card: str, tile: str) -> Flow:
    """R9.3, urbanization card: the player chooses where the token goes."""
    table.pending = Pending(WILLIAM, "urbanize")
    gains = william_gains(table, card)
    cell = table.city.tokens[card]
    assert cell is not None
    found_building(table, WILLIAM, card, [tile])
    yield from place_token(table, PLAYER, card, cell)
    william.points += gains
    table.discard.append(card)


def william_constructs(table: Table, william: Side, card: str, tile: str) -> None:
    """R9.3, building card: without additional costs, and the card is kept."""
    building = table.city.showing(card)
    take_back(table, building, WILLIAM)
    add_floors(table, building, WILLIAM, [tile])
    william.tableau.append(card)
