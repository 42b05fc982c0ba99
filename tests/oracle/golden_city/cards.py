"""Landscape cards and coins change hands (G1.5, G4.6, G10.3)."""

from .board import landscapes_in_order
from .table import Table


def draw(table: Table) -> str | None:
    """The top card of the deck; the discard pile becomes the deck when a card is needed and the deck is empty (G4.6)."""
    if not table.deck and table.discard:
        pile, table.discard = landscapes_in_order(table.discard), []
        table.deck = list(table.chance("landscapes", pile))
    return table.deck.pop(0) if table.deck else None


def draw_unseen(table: Table, seat: int, count: int = 1) -> None:
    """Cards from the deck into a hand; the others do not see them."""
    for _ in range(count):
        card = draw(table)
        if card is not None:
            table.players[seat].hand.append(card)


def put_away(table: Table, seat: int, landscape: str, count: int = 1) -> None:
    """Cards of a hand go to the discard pile; of the known part first (G10.3)."""
    player = table.players[seat]
    for _ in range(count):
        player.hand.remove(landscape)
        if landscape in player.known:
            player.known.remove(landscape)
        table.discard.append(landscape)


def gain_coins(table: Table, seat: int, count: int) -> None:
    """Coins beyond the supply are lost (G1.5)."""
    count = min(count, table.coins)
    table.coins -= count
    table.players[seat].coins += count
