"""Setup: R2 for 2 to 5 players, R9.1 alone."""

from .city import start_city
from .components import (
    ALL_CHARACTERS,
    CHARACTER_DATA,
    LETTERS,
    NOTHING,
    RESOURCES_PER_SIDE,
    SETS,
    START_TILES,
    TILES,
    characters_in_order,
    few_players,
)
from .draws import draw_cards
from .table import Flow, Question, Table


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
    table.first_player = table.chance("first_player", list(range(table.players)))  # R2.9
    for seat in table.turn_order():
        table.sides[seat].hand = draw_cards(table, 4)


def lay_out(table: Table) -> None:
    """R2.1-6: city, tokens, supply, deck, resources, New Hand tokens."""
    table.city = start_city(table.chance("start_tiles", list(START_TILES)))
    supply = list(table.chance("tiles", [tile for tile in TILES if tile not in START_TILES]))
    deck = list(table.chance("deck", START_TILES + list(LETTERS)))
    if few_players(table.players):
        supply, table.removed = supply[:-6], supply[-6:]  # R2.3, R11.3
        table.discard, deck = deck[:7], deck[7:]  # R2.4, R11.3
    table.supply, table.deck = supply, deck
    for side in table.sides:
        side.supply = RESOURCES_PER_SIDE[table.players]  # R2.5
        side.new_hands = 0 if table.alone else 2  # R2.6, R9.1


def draft(table: Table) -> Flow:
    """R2.7: keep 1 of 4, 1 of 3, 1 of 2; packets go to the left."""
    characters = table.chance("characters", list(ALL_CHARACTERS))
    for seat, side in enumerate(table.sides):
        side.packet = list(characters[4 * seat : 4 * seat + 4])
    for _ in range(3):
        for seat, side in enumerate(table.sides):
            different = characters_in_order(list(set(side.packet)))
            answer = yield Question("draft", seat, [f"draft:{name}" for name in different])
            kept = answer.removeprefix("draft:")
            side.packet.remove(kept)
            side.characters.append(kept)
        packets = [side.packet for side in table.sides]
        for seat, packet in enumerate(packets):
            table.sides[table.left_of(seat)].packet = packet
    for side in table.sides:
        side.packet = []  # the last goes back to the box


def deal_sets(table: Table) -> None:
    """R2.7, introductory: each player gets one of the six sets at random."""
    sets = table.chance("sets", list(SETS))
    for side, number in zip(table.sides, sets, strict=False):
        side.characters = list(SETS[number])


def take_start_items(table: Table, seat: int) -> None:
    """R2.8: the items of the characters."""
    side = table.sides[seat]
    items = sum((CHARACTER_DATA[name][1] for name in side.characters), NOTHING)
    side.gain_resources(items.resources)
    side.points += items.points
    side.tiles, table.supply = table.supply[: items.tiles], table.supply[items.tiles :]


def set_up_alone(table: Table) -> None:
    """R9.1: 6 resources, 6 tiles and 6 SP for the player; all resources at hand for William."""
    player, william = table.sides
    player.gain_resources(6)
    player.points = 6
    player.tiles, table.supply = table.supply[:6], table.supply[6:]
    william.gain_resources(william.supply)
    table.first_player = 0
