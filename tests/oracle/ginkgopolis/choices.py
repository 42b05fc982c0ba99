"""Choosing: what a player commits, one step after the other (R3.1-3, X4.2, X5, X7.3)."""

from .components import GREEN, in_order, is_letter
from .draws import draw_cards
from .events import playable_events
from .prices import can_pay
from .table import Commitment, Flow, Question, Table


def choose(table: Table, seat: int) -> Flow:
    """The whole sequence of one player (X7.3)."""
    yield from choose_card(table, seat)
    if table.sides[seat].commitment is not None:
        yield from choose_lower_tile(table, seat)
        yield from choose_event(table, seat)
        yield from choose_kept(table, seat)


def choose_card(table: Table, seat: int) -> Flow:
    """R3.1, R3.2: a card with or without a tile, after as many New Hands as wanted."""
    side = table.sides[seat]
    while side.hand:  # R3.6: a player without cards is skipped
        answer = yield Question("commit", seat, commit_options(table, seat))
        if answer != "new-hand":
            card, _, tile = answer.partition("+")
            side.hand.remove(card)
            if tile:
                side.tiles.remove(tile)
            side.commitment = Commitment(card, tile or None)
            return
        new_hand(table, seat)


def commit_options(table: Table, seat: int) -> list[str]:
    """R3.3: any card alone or with any tile, but no green space on a building (X3.1)."""
    side = table.sides[seat]
    tiles = in_order(list(set(side.tiles)))
    options = []
    for card in in_order(side.hand):
        fitting = [tile for tile in tiles if is_letter(card) or tile != GREEN]
        options += [card] + [f"{card}+{tile}" for tile in fitting if offered(table, seat, card, [tile])]
    return options + (["new-hand"] if side.new_hands > 0 else [])


def offered(table: Table, seat: int, card: str, tiles: list[str]) -> bool:
    """R3.3, X7.2: the strict mask leaves out what cannot be paid now."""
    return not table.config["strict"] or can_pay(table, seat, card, tiles)


def choose_lower_tile(table: Table, seat: int) -> Flow:
    """X6: the architect may put a second tile under the first."""
    side = table.sides[seat]
    commitment = side.commitment
    assert commitment is not None
    if commitment.tile is None or not side.power.two_tiles:
        return
    others = in_order(list(set(side.tiles)))
    lower = [tile for tile in others if offered(table, seat, commitment.card, [commitment.tile, tile])]
    answer = yield Question("lower", seat, ["lower:none"] + [f"lower:{tile}" for tile in lower])
    if answer != "lower:none":
        commitment.lower = answer.removeprefix("lower:")
        side.tiles.remove(commitment.lower)


def choose_event(table: Table, seat: int) -> Flow:
    """X4.2: at most one event tile goes with the card."""
    side = table.sides[seat]
    assert side.commitment is not None
    options = ["event:none"] + [f"event:{kind}" for kind in playable_events(table, seat)]
    answer = yield Question("event", seat, options)
    if answer != "event:none":
        side.commitment.event = answer.removeprefix("event:")
        side.events.remove(side.commitment.event)


def choose_kept(table: Table, seat: int) -> Flow:
    """X5: one of the cards left is kept, if there is any."""
    side = table.sides[seat]
    if "keep_card" not in table.modules or not side.hand:
        return
    answer = yield Question("keep", seat, [f"keep:{card}" for card in in_order(side.hand)])
    side.kept = answer.removeprefix("keep:")
    side.hand.remove(side.kept)


def new_hand(table: Table, seat: int) -> None:
    """R3.2: the hand goes to the discard pile first, then as many cards are drawn."""
    side = table.sides[seat]
    side.new_hands -= 1
    table.discard += side.hand
    side.hand = draw_cards(table, len(side.hand))
    table.sides[table.right_of(seat)].passed = []  # R10.3: a New Hand ends it
