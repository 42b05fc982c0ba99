"""G7 The scoring card, and G9 the final score and the winners."""

from collections.abc import Sequence
from typing import Any

from .board import INLAND
from .table import Table


def majority(counts: Sequence[int], *, by_number: bool) -> list[int]:
    """Letters by seat: 2 for having any, 2 more for the only one, or with `by_number` for who has more than every other."""
    having = [count for count in counts if count]
    best = [count for count in having if count == max(having)] if by_number else having
    alone = best[0] if len(best) == 1 else None
    return [(2 + 2 * (count == alone if by_number else alone is not None)) if count else 0 for count in counts]


def score_card(table: Table) -> None:
    """G7: its good, then its river or quarter."""
    card = table.board.scoring[table.scoring_card]
    showing = [sum(card.good in table.board.goods[name] for name in player.goods) for player in table.players]
    area = table.board.areas(card.kind, card.area)
    houses = [sum(place.name in area for place in table.houses_of(seat)) for seat in table.seats]
    for player, letters in zip(table.players, majority(showing, by_number=False), strict=True):
        player.letters["goods"] += letters
    for player, letters in zip(table.players, majority(houses, by_number=True), strict=True):
        player.letters[{"river": "rivers", "quarter": "quarters"}[card.kind]] += letters


def bonus_counts(table: Table, seat: int) -> dict[str, int]:
    """What each bonus card would count for this seat (G9.1)."""
    player, houses = table.players[seat], table.houses_of(seat)
    counts = {
        "goods": len(player.goods),
        "coins": player.coins,
        "city": table.houses_in_city(seat),
        "rivers": sum(bool(place.river) for place in houses),
    }
    return counts | {name: sum(p.landscape == name and p.kind != "coast" for p in houses) for name in INLAND}


def score(table: Table, seat: int, *, shown: bool = True) -> dict[str, int]:
    """Points by source (G9.2) and their total; bonus cards count once they are shown."""
    counts, own = bonus_counts(table, seat), table.bonus_of(seat) if shown else []
    worth = {card: counts[card] * table.board.bonus[card] if card in own else 0 for card in table.board.bonus}
    points = dict(table.players[seat].letters)
    points |= {f"bonus_{card}": worth[card] for card in ("goods", "coins", "city", "rivers")}
    points["bonus_landscapes"] = sum(worth[card] for card in INLAND)
    return points | {"total": sum(points.values())}


def standing(table: Table, seat: int, *, shown: bool = True) -> int:
    """G9.5."""
    free = 0 if seat in table.blocked else 1
    total: Any = score(table, seat, shown=shown)["total"]
    return ((free * 1000 + int(total)) * 16 + table.houses_in_city(seat)) * 64 + table.players[seat].coins


def winners(table: Table) -> list[int]:
    """G9.3, G9.4, compared one after the other and not by the number of G9.5."""

    def rank(seat: int) -> tuple[bool, int, int, int]:
        player = table.players[seat]
        return seat not in table.blocked, score(table, seat)["total"], table.houses_in_city(seat), player.coins

    best = max(rank(seat) for seat in table.seats)
    return [seat for seat in table.seats if rank(seat) == best]
