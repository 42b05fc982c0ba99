"""G5 The building turn: sites, costs, payments, discards."""

from collections import Counter
from itertools import combinations_with_replacement

from .board import HAND_LIMIT, LANDSCAPES, Place
from .cards import put_away
from .table import Table


def sites(table: Table, seat: int) -> list[Place]:
    """G5.2, in the order of the board."""
    return [place for place in table.board.places.values() if is_site(table, seat, place)]


def is_site(table: Table, seat: int, place: Place) -> bool:
    there = table.houses.get(place.name, [])
    if place.kind == "coast":
        return not there
    joined = any(seat in table.houses.get(name, []) for name in table.board.neighbors[place.name])
    if place.is_district:
        return joined and seat not in there
    return joined and not there


def is_blocked(table: Table, seat: int) -> bool:
    """G5.9: no site at all, where inner districts count only with a key."""
    return not any(place.kind != "inner" or table.players[seat].keys for place in sites(table, seat))


def cost(place: Place, sources: tuple[str, ...]) -> Counter[str]:
    """Cards by landscape: one of the landscape itself or two of another for each unit (G5.4, G5.5)."""
    cards: Counter[str] = Counter()
    for source in sources:
        cards[source] += 1 if source == place.landscape else 2
    return cards


def payments(table: Table, seat: int, place: Place) -> list[str]:
    """The choices of sources that the hand can pay."""
    hand, units = Counter(table.players[seat].hand), 1 if place.kind == "coast" else 2
    choices = combinations_with_replacement(LANDSCAPES, units)
    return ["pay:" + "+".join(sources) for sources in choices if cost(place, sources) <= hand]


def builds(table: Table, seat: int) -> list[str]:
    """Places that are offered, and done; nothing if no place is or two houses are built (G5.5, G5.7)."""
    player, turn = table.players[seat], table.turn
    assert turn is not None
    if turn.built == 2 or not player.houses_left:
        return []
    offered = [
        f"build:{place.name}"
        for place in sites(table, seat)
        if payments(table, seat, place) and (place.kind != "inner" or player.keys)
    ]
    return [*offered, "build:done"] if offered else []


def pay_and_build(table: Table, seat: int, place: Place, text: str) -> None:
    """G5.6 as far as the reward."""
    for landscape, count in cost(place, tuple(text.removeprefix("pay:").split("+"))).items():
        put_away(table, seat, landscape, count)
    player, turn = table.players[seat], table.turn
    assert turn is not None
    if place.kind == "inner":
        player.keys -= 1
    table.houses.setdefault(place.name, []).append(seat)
    player.houses_left -= 1
    turn.built += 1
    if not player.houses_left:
        table.trigger_end("houses")


def owed(table: Table, seat: int) -> int:
    """Cards beyond the hand limit (G5.8)."""
    return max(0, len(table.players[seat].hand) - HAND_LIMIT)


def discards(table: Table, seat: int) -> list[str]:
    """G5.8: in ascending order, never into a dead end."""
    hand, turn = table.players[seat].hand, table.turn
    assert turn is not None
    due = owed(table, seat)
    if not due:
        return []
    last = 0 if turn.discarded is None else LANDSCAPES.index(turn.discarded)
    enough = [i for i in range(last, 5) if sum(LANDSCAPES.index(card) >= i for card in hand) >= due]
    return [f"discard:{LANDSCAPES[i]}" for i in enough if LANDSCAPES[i] in hand]
