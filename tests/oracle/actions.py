"""The three actions of a player: exploit (R4), construct a floor (R5), urbanize (R6)."""

from .city import Building, Cell
from .components import NOTHING, Items, bonus_action, bonus_items, color_of, is_letter, native, number_of
from .draws import draw_tiles
from .table import Flow, Pending, Question, Side, Table

WILLIAM = 1  # R9: alone, seat 1


def needs(building: Building, tile: str) -> tuple[int, int]:
    """Resources and SP that constructing with this tile takes (R5.2, R5.3)."""
    repaint = 1 if color_of(tile) != building.color else 0
    lower = max(0, number_of(building.tile) - number_of(tile))
    return building.floors + 1 + repaint, lower


def can_pay(table: Table, seat: int, card: str, tile: str) -> bool:
    """Whether a card with a tile can be paid now, own resources that come back counted (R5.7, R6.1)."""
    side = table.sides[seat]
    if is_letter(card):
        return side.resources >= 1
    building = table.city.showing(card)
    back = building.floors if building.owner == seat else 0
    resources, points = needs(building, tile)
    return side.resources + back >= resources and side.points >= points


def resolve(table: Table, seat: int) -> Flow:
    """Reveals what a player committed and carries it out (R3.4)."""
    side = table.sides[seat]
    commitment = side.commitment
    assert commitment is not None
    card, tile = commitment.card, commitment.tile
    passed = table.sides[table.right_of(seat)].passed
    if card in passed:
        passed.remove(card)  # R10.3: known until played
    if tile is not None and not can_pay(table, seat, card, tile):
        # R5.7: first the tile goes back behind the screen, where all have seen it go (R10.3)
        side.tiles.append(tile)
        side.forget_known(tile)
        side.known_tiles.append(tile)
        commitment.tile = tile = None
    if tile is None:
        yield from exploit(table, seat, card)
    elif is_letter(card):
        yield from urbanize(table, seat, card, tile)
    else:
        yield from construct(table, seat, card, tile)
    side.commitment = None
    table.pending = None


def gain(side: Side, items: Items) -> int:
    """Gives resources and SP at once; returns the tiles, which are drawn together later (R4.3)."""
    side.gain_resources(items.resources)
    side.points += items.points
    return items.tiles


def gain_bonuses(side: Side, action: str) -> int:
    """Every own bonus for this action (R4.3, R5.5, R6.5); returns the tiles."""
    return sum(gain(side, bonus_items(card)) for card in side.bonus_cards() if bonus_action(card) == action)


def exploit(table: Table, seat: int, card: str) -> Flow:
    """A card by itself (R4)."""
    side = table.sides[seat]
    table.pending = Pending(seat, "exploit")
    if is_letter(card):
        holds = {"take:resource": side.supply > 0, "take:tile": bool(table.supply)}  # R4.1
        answer = yield Question("take", seat, [option for option, held in holds.items() if held])
        items = {"take:resource": Items(resources=1), "take:tile": Items(tiles=1)}.get(answer, NOTHING)
    else:
        building = table.city.showing(card)
        items = native(building.color, building.floors)  # R4.2
    table.pending.draws = gain(side, items) + gain_bonuses(side, "exploit")  # R4.3
    yield from draw_tiles(table, seat)
    table.discard.append(card)  # R4.4


def construct(table: Table, seat: int, card: str, tile: str) -> Flow:
    """A building card with a tile (R5)."""
    side = table.sides[seat]
    table.pending = Pending(seat, "construct")
    building = table.city.showing(card)
    resources, points = needs(building, tile)
    take_back(table, building, seat)  # R5.1
    side.points -= points  # R5.2
    repaint = resources - (building.floors + 1)
    side.resources -= repaint
    side.supply += repaint
    leave_screen(side, tile)
    add_floor(table, building, seat, tile)  # R5.2-4
    table.pending.draws = gain_bonuses(side, "construct")  # R5.5
    yield from draw_tiles(table, seat)
    side.tableau.append(card)  # R5.6


def urbanize(table: Table, seat: int, card: str, tile: str) -> Flow:
    """An urbanization card with a tile (R6)."""
    side = table.sides[seat]
    table.pending = Pending(seat, "urbanize")
    leave_screen(side, tile)
    cell = found_building(table, seat, card, tile)  # R6.1
    yield from place_token(table, seat, card, cell)  # R6.2, R6.3
    draws = 0
    for building in table.city.adjacent(cell):
        draws += gain(side, native(building.color, building.floors))  # R6.4
    table.pending.draws = draws + gain_bonuses(side, "urbanize")  # R6.5
    yield from draw_tiles(table, seat)
    table.discard.append(card)  # R6.6


def leave_screen(side: Side, tile: str) -> None:
    """The committed tile goes to the city."""
    assert side.commitment is not None
    side.commitment.tile = None
    side.forget_known(tile)  # R10.3: known until it is played


def take_back(table: Table, building: Building, builder: int) -> None:
    """R5.1: the resources on a building go back; SP for the owner if somebody else builds (R9.3)."""
    if building.owner is None:
        return
    owner = table.sides[building.owner]
    owner.resources += building.floors
    if building.owner != builder:
        owner.points += building.floors
    building.owner = None


def add_floor(table: Table, building: Building, builder: int, tile: str) -> None:
    """R5.2-4 without the costs: tile, resources and pawn."""
    table.city.buried.append(building.tile)
    building.tile = tile
    building.floors += 1
    place_resources(table, building, builder)


def found_building(table: Table, builder: int, letter: str, tile: str) -> Cell:
    """R6.1: the tile replaces the token; the token is in hand now."""
    cell = table.city.tokens[letter]
    assert cell is not None
    building = Building(cell, tile)
    table.city.buildings.append(building)
    table.city.tokens[letter] = None
    place_resources(table, building, builder)
    return cell


def place_resources(table: Table, building: Building, builder: int) -> None:
    """R5.3, R5.4, R6.1: a resource for each floor and a pawn; tests for the end (R8.1, R9.5)."""
    side = table.sides[builder]
    side.resources -= building.floors
    building.owner = builder
    building.pawn = True
    if side.resources == 0 and side.supply == 0:
        table.trigger_end("william" if table.alone and builder == WILLIAM else "resources")


def place_token(table: Table, chooser: int, letter: str, cell: Cell) -> Flow:
    """R6.2, R6.3: the player chooses where the token goes (alone also William's: R9.3)."""
    options = [f"token:{choice}" for choice in table.city.token_choices(cell)]
    answer = yield Question("token", chooser, options)
    table.city.move_token(letter, cell, answer.removeprefix("token:"))
