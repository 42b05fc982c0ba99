"""Drawing cards (R3.6) and tiles (R7, X0)."""

from .components import CARD_RANK, few_players, in_order
from .splits import put_back, split_draws
from .table import Flow, Question, Table


def draw_cards(table: Table, count: int) -> list[str]:
    """One draw of so many cards (R3.2, R3.5, R9.2): as many as can be had."""
    drawn: list[str] = []
    for missing in range(count, 0, -1):
        if not table.deck:
            reconstitute(table, missing)  # R3.6: tried again at the next draw
        if not table.deck:
            break  # R3.6: no card is to be had at all
        drawn.append(table.deck.pop(0))
        if not table.deck:
            reconstitute(table, missing - 1)  # R3.6: at once when the last card leaves the deck
    return drawn


def reconstitute(table: Table, missing: int) -> None:
    """R3.6: a new deck from the discard pile and the cards of pawns; `missing` cards of this draw are still to come."""
    for building in table.city.plots:
        if building.pawn:
            building.pawn = False
            table.discard.append(building.tile)
    if not table.discard:
        return
    table.deck = list(table.chance("deck", in_order(table.discard)))
    table.discard = []
    if few_players(table.players):
        discarded = min(7, max(0, len(table.deck) - missing))
        table.discard, table.deck = table.deck[:discarded], table.deck[discarded:]


def draw_tiles(table: Table, seat: int) -> Flow:
    """The tiles that the pending action or event owes to its player (R4.3, R7), the base tiles last (X0.1)."""
    pending = table.pending
    assert pending is not None
    if pending.draws > 0 and table.supply:
        yield from split_draws(table, seat)
    while pending.draws > 0 and table.supply:
        pending.draws -= 1
        table.sides[seat].tiles.append(table.supply.pop(0))
        if not table.supply:
            yield from tiles_ran_out(table)
    pending.draws = 0  # R7.3, X0.2: draws still owed give nothing


def tiles_ran_out(table: Table) -> Flow:
    """The last tile of the supply was drawn (R7, R9.5)."""
    table.exhaustions += 1
    if table.alone or table.exhaustions == 2:
        table.trigger_end("tiles")  # R7.3, R9.5
        return
    for seat in table.turn_order():
        yield from choose_returned(table, seat)
    show_returned(table)


def choose_returned(table: Table, seat: int) -> Flow:
    """R7.1: one player sets tiles aside, in ascending order; equal ones one after the other (X0.4)."""
    side = table.sides[seat]
    last = -1
    while True:
        larger = [tile for tile in in_order(list(set(side.tiles))) if CARD_RANK[tile] >= last]
        answer = yield Question("return", seat, [f"return:{tile}" for tile in larger] + ["return:done"])
        if answer == "return:done":
            return
        tile = answer.removeprefix("return:")
        side.tiles.remove(tile)
        side.returning.append(tile)
        last = CARD_RANK[tile]


def show_returned(table: Table) -> None:
    """R7.1: the tiles set aside are shown, paid and put back; R7.2: without a base tile the end is triggered."""
    shown: list[str] = []
    for side in table.sides:
        side.points += side.power.for_each_tile_returned * len(side.returning)
        for tile in side.returning:
            side.forget_known(tile)
        shown += side.returning
        side.returning = []
    put_back(table, in_order(shown))
    if not table.supply:
        table.exhaustions = 2
        table.trigger_end("tiles")
