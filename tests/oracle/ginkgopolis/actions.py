"""The three actions of a player: exploit (R4), construct a floor (R5), urbanize (R6), in the order of X7.1."""

from .city import Building, Cell
from .components import NOTHING, Items, bonus_action, bonus_items, has_card, is_letter, native
from .draws import draw_tiles
from .events import choose_timing, show_event, take_effect
from .parks import neighborly_points
from .prices import Price, can_pay, price_of_floors, price_of_urbanizing
from .table import Flow, Pending, Question, Side, Table

WILLIAM = 1  # R9: alone, seat 1


def resolve(table: Table, seat: int) -> Flow:
    """Reveals what a player committed and carries it out (R3.4, X7.1)."""
    side = table.sides[seat]
    assert side.commitment is not None
    table.pending = Pending(seat)
    passed = table.sides[table.right_of(seat)].passed
    if side.commitment.card in passed:
        passed.remove(side.commitment.card)  # R10.3: known until played
    show_event(table, side.commitment)
    yield from choose_timing(table, seat)
    yield from take_effect(table, seat, "before")
    yield from act(table, seat)
    side.commitment = None
    yield from take_effect(table, seat, "after")
    table.pending = None


def act(table: Table, seat: int) -> Flow:
    """The action, after the test whether its tiles can be paid (R5.7)."""
    commitment = table.sides[seat].commitment
    assert commitment is not None
    card, tiles = commitment.card, commitment.tiles()
    if tiles and not can_pay(table, seat, card, tiles):
        take_tiles_back(table.sides[seat])
        tiles = []
    if not tiles:
        yield from exploit(table, seat, card)
    elif is_letter(card):
        yield from urbanize(table, seat, card, tiles)
    else:
        yield from construct(table, seat, card, tiles)


def take_tiles_back(side: Side) -> None:
    """R5.7: the tiles go back behind the screen; all have seen the upper one go (R10.3, X7.4)."""
    assert side.commitment is not None and side.commitment.tile is not None
    side.tiles += side.commitment.tiles()
    side.forget_known(side.commitment.tile)
    side.know(side.commitment.tile)
    side.commitment.tile = side.commitment.lower = None


def begin(table: Table, action: str) -> None:
    """It has turned out which action it is."""
    assert table.pending is not None
    table.pending.action = action


def gain(side: Side, items: Items) -> int:
    """Gives resources and SP at once; returns the tiles, which are drawn together later (R4.3)."""
    side.gain_resources(items.resources)
    side.points += items.points
    return items.tiles


def gain_bonuses(side: Side, action: str) -> int:
    """Every own bonus for this action (R4.3, R5.5, R6.5); returns the tiles."""
    return sum(gain(side, bonus_items(card)) for card in side.bonus_cards() if bonus_action(card) == action)


def draw(table: Table, seat: int, tiles: int) -> Flow:
    """All tiles of the action together (R4.3)."""
    assert table.pending is not None
    table.pending.draws = tiles
    yield from draw_tiles(table, seat)


def exploit(table: Table, seat: int, card: str) -> Flow:
    """A card by itself (R4)."""
    side = table.sides[seat]
    begin(table, "exploit")
    if is_letter(card):
        holds = {"take:resource": side.supply > 0, "take:tile": bool(table.supply)}  # R4.1, X0.2
        answer = yield Question("take", seat, [option for option, held in holds.items() if held])
        items = {"take:resource": Items(resources=1), "take:tile": Items(tiles=1)}.get(answer, NOTHING)
    else:
        building = table.city.showing(card)
        items = native(building.color, building.floors)  # R4.2
    yield from draw(table, seat, gain(side, items) + gain_bonuses(side, "exploit"))  # R4.3
    table.discard.append(card)  # R4.4


def construct(table: Table, seat: int, card: str, tiles: list[str]) -> Flow:
    """A building card with one tile, or two (R5, X6)."""
    side = table.sides[seat]
    begin(table, "construct")
    building = table.city.showing(card)
    price = price_of_floors(side, building, tiles)
    take_back(table, building, seat)  # R5.1
    pay(side, price)  # R5.2
    leave_screen(side, tiles)
    add_floors(table, building, seat, tiles)  # R5.2-4
    yield from draw(table, seat, gain_bonuses(side, "construct"))  # R5.5
    side.tableau.append(card)  # R5.6


def urbanize(table: Table, seat: int, card: str, tiles: list[str]) -> Flow:
    """An urbanization card with one tile, or two (R6, X3.1, X6)."""
    side = table.sides[seat]
    begin(table, "urbanize")
    cell = table.city.tokens[card]
    assert cell is not None
    points = neighborly_points(table.city, side.power, cell, tiles[0])  # X3.2: before the new tile is placed
    pay(side, price_of_urbanizing(tiles))
    leave_screen(side, tiles)
    found_building(table, seat, card, tiles)  # R6.1
    yield from place_token(table, seat, card, cell)  # R6.2, R6.3
    draws = sum(gain(side, native(other.color, other.floors)) for other in table.city.operated(cell))  # R6.4
    side.points += points
    yield from draw(table, seat, draws + gain_bonuses(side, "urbanize"))  # R6.5
    table.discard.append(card)  # R6.6


def pay(side: Side, price: Price) -> None:
    """SP, the resource for the color, and what the banker has to buy (X7.1); nothing is placed yet."""
    missing = price.missing(side)
    side.points -= price.points + missing
    side.pay_resources(price.repaint)
    side.gain_resources(missing)


def leave_screen(side: Side, tiles: list[str]) -> None:
    """The committed tiles go to the city."""
    assert side.commitment is not None
    side.commitment.tile = side.commitment.lower = None
    side.forget_known(tiles[0])  # R10.3: known until it is played
    if len(tiles) > 1:
        side.known_tiles = []  # X7.4: any of them may be the lower tile


def take_back(table: Table, building: Building, builder: int) -> None:
    """R5.1: the resources on a building go back; SP for the owner if somebody else builds (R9.3, X6)."""
    if building.owner is None:
        return
    owner = table.sides[building.owner]
    owner.resources += building.floors
    if building.owner != builder:
        owner.points += owner.power.for_each_resource_back * building.floors
    building.owner = None


def add_floors(table: Table, building: Building, builder: int, tiles: list[str]) -> None:
    """R5.2-4 without the costs: tiles, resources and pawn."""
    table.city.buried.append(building.tile)
    building.tile = tiles[0]
    building.floors += len(tiles)
    table.sides[builder].lower_tiles += tiles[1:]
    place_resources(table, building, builder)


def found_building(table: Table, builder: int, letter: str, tiles: list[str]) -> None:
    """R6.1: the tiles replace the token; the token is in hand now."""
    cell = table.city.tokens[letter]
    assert cell is not None
    building = Building(cell, tiles[0], len(tiles))
    table.city.plots.append(building)
    table.city.tokens[letter] = None
    table.sides[builder].lower_tiles += tiles[1:]
    place_resources(table, building, builder)


def place_resources(table: Table, building: Building, builder: int) -> None:
    """R5.3, R5.4, R6.1: a resource for each floor and a pawn, if there is a card (X2, X3.1); tests for the end."""
    side = table.sides[builder]
    side.resources -= building.floors
    building.owner = builder
    building.pawn = has_card(building.tile)
    if side.resources == 0 and side.supply == 0:  # R8.1, R9.5
        table.trigger_end("william" if table.alone and builder == WILLIAM else "resources")


def place_token(table: Table, chooser: int, letter: str, cell: Cell) -> Flow:
    """R6.2, R6.3: the player chooses where the token goes (alone also William's: R9.3)."""
    options = [f"token:{choice}" for choice in table.city.token_choices(cell)]
    answer = yield Question("token", chooser, options)
    table.city.move_token(letter, cell, answer.removeprefix("token:"))
