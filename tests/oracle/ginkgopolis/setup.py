"""Setup: R2 for 2 to 5 players with what the modules add to it, R9.1 alone."""

from .city import start_city
from .components import (
    CHARACTER_DATA,
    GREEN_SPACES,
    LETTERS,
    NEW_BUILDINGS,
    NOTHING,
    PRESTIGE,
    RESOURCES_PER_SIDE,
    SETS,
    START_TILES,
    TILES,
    few_players,
)
from .draft import draft
from .draws import draw_cards
from .events import deal_events
from .expansion import REMOVED_FOR_EACH, TILE_MODULES
from .table import Flow, Table


def set_up(table: Table) -> Flow:
    """Everything up to the first choice; the random outcomes come in the order of R11.4."""
    lay_out(table)
    if table.alone:
        set_up_alone(table)
        return
    if table.config["setup"] == "draft":
        yield from draft(table)
    else:
        deal_sets(table)
    for seat in range(table.players):
        take_start_items(table, seat)  # R2.8
    if "events" in table.modules:
        yield from deal_events(table)  # X4.1
    table.first_player = table.chance("first_player", list(range(table.players)))  # R2.9
    for seat in table.turn_order():
        table.sides[seat].hand = draw_cards(table, table.hand_size)


def lay_out(table: Table) -> None:
    """R2.1-6: city, tokens, supply, deck, resources, New Hand tokens."""
    table.city = start_city(table.chance("start_tiles", list(START_TILES)))
    supply = list(table.chance("tiles", [tile for tile in TILES if tile not in START_TILES]))
    deck = list(table.chance("deck", START_TILES + list(LETTERS)))
    stay = len(supply) - tiles_removed(table)
    table.supply, table.removed = supply[:stay], supply[stay:]  # R2.3, R11.3
    discarded = 7 if few_players(table.players) else 0
    table.discard, table.deck = deck[:discarded], deck[discarded:]  # R2.4, R11.3
    stack_tiles(table)
    for side in table.sides:
        side.supply = RESOURCES_PER_SIDE[table.players]  # R2.5
        side.new_hands = 0 if table.alone else 2  # R2.6, R9.1


def tiles_removed(table: Table) -> int:
    """R2.3; three more for each module with tiles of its own."""
    modules = [module for module in table.modules if module in TILE_MODULES]
    return (6 if few_players(table.players) else 0) + REMOVED_FOR_EACH * len(modules)


def stack_tiles(table: Table) -> None:
    """The tiles of the modules: one stack face down (X1), the others face up (X2, X3)."""
    if "new_buildings" in table.modules:
        table.shuffle_new_buildings(NEW_BUILDINGS)
    if "prestige" in table.modules:
        table.prestige = list(PRESTIGE)
    if "green_spaces" in table.modules:
        table.green_spaces = GREEN_SPACES


def deal_sets(table: Table) -> None:
    """R2.7, introductory: each player gets one of the six sets at random."""
    sets = table.chance("sets", list(SETS))
    for side, number in zip(table.sides, sets, strict=False):
        side.characters = list(SETS[number])


def take_start_items(table: Table, seat: int) -> None:
    """R2.8: the items of the characters, then the architect's two tiles (X6); base tiles only (X0.3)."""
    side = table.sides[seat]
    items = sum((CHARACTER_DATA[name][1] for name in side.characters), NOTHING)
    side.gain_resources(items.resources)
    side.points += items.points
    tiles = items.tiles + side.power.start_tiles
    side.tiles, table.supply = table.supply[:tiles], table.supply[tiles:]


def set_up_alone(table: Table) -> None:
    """R9.1: 6 resources, 6 tiles and 6 SP for the player; all resources at hand for William."""
    player, william = table.sides
    player.gain_resources(6)
    player.points = 6
    player.tiles, table.supply = table.supply[:6], table.supply[6:]
    william.gain_resources(william.supply)
    table.first_player = 0
