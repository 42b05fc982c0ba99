"""G4 Pairs and bidding."""

from .board import LANDSCAPES, landscapes_in_order
from .cards import draw
from .table import Pair, Table

NAMES = "abcd"


def lay_out_pairs(table: Table) -> None:
    """G4.1: pair i is made of the i-th and the (n+i)-th card drawn; then they are laid out in ascending order."""
    n = len(table.players)
    drawn = [draw(table) for _ in range(2 * n)]
    cards = [[card for card in (drawn[i], drawn[n + i]) if card is not None] for i in range(n)]
    ordered = sorted((landscapes_in_order(pair) for pair in cards), key=lambda pair: [LANDSCAPES.index(c) for c in pair])
    table.pairs = [Pair(pair) for pair in ordered]
    table.displacements = 0


def price(table: Table) -> int:
    """G4.3: 1 coin for the first displacement of the round, 1 more for each further one."""
    return table.displacements + 1


def bids(table: Table, seat: int) -> list[str]:
    """Free pairs, of equal ones the first, and occupied ones if the price can be paid (G4.2 to G4.4)."""
    found, free = [], []
    for name, pair in zip(NAMES, table.pairs, strict=False):
        if pair.seat is None:
            if pair.cards not in free:
                free.append(pair.cards)
                found.append(f"bid:{name}")
        elif table.players[seat].coins >= price(table):
            found.append(f"bid:{name}")
    return found


def bid(table: Table, seat: int, text: str) -> None:
    """A hand on a pair; the one lying there is displaced."""
    pair = table.pairs[NAMES.index(text.removeprefix("bid:"))]
    if pair.seat is not None:
        table.players[seat].coins -= price(table)
        table.coins += price(table)
        table.displacements += 1
    pair.seat = seat


def next_bidder(table: Table, seat: int) -> int | None:
    """The next seat clockwise without a hand on a pair (G4.2), None if every pair has a hand."""
    placed = [pair.seat for pair in table.pairs]
    for _ in table.seats:
        seat = table.after(seat)
        if seat not in placed:
            return seat
    return None


def take_pairs(table: Table) -> None:
    """G4.5; everybody knows these cards (G10.3)."""
    for pair in table.pairs:
        assert pair.seat is not None
        table.players[pair.seat].hand += pair.cards
        table.players[pair.seat].known += pair.cards
    table.pairs, table.displacements = [], 0
