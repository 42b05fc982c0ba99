"""What one seat is shown (G10, G11.6): blocks by name as nested lists, seats relative to the viewer."""

from typing import Any

from .bidding import price
from .board import GOODS, INLAND, LANDSCAPES, RIVERS
from .building import is_site, owed
from .table import Decision, Table

KINDS = ("bid", "build", "pay", "goods", "box", "bonus", "discard")
PAIRS = 4  # rows in the layout, whatever the number of players


def view(table: Table, decision: Decision, viewer: int) -> dict[str, Any]:
    """Every block of G11.6; numbers above 255 are shown as 255."""
    n, board, turn = len(table.players), table.board, table.turn
    seats = [(viewer + k) % n for k in range(n)]
    players = [table.players[seat] for seat in seats]
    me = table.players[viewer]
    card = board.scoring[table.scoring_card]
    place = None if turn is None else turn.place
    houses = [{p.name for p in table.houses_of(seat)} for seat in seats]
    pairs = [pair.cards for pair in table.pairs] + [[]] * (PAIRS - len(table.pairs))
    pair_seats = [pair.seat for pair in table.pairs] + [None] * (PAIRS - len(table.pairs))
    goods = [table.display, table.boxed, *(player.goods for player in players)]
    blocks = {
        "decision": [int(decision.kind == kind) for kind in KINDS],
        "status": status(table, decision),
        "turn": [
            [
                int(seat == decision.actor),
                int(seat == table.first_player),
                int(any(pair.seat == seat for pair in table.pairs)),
                int(seat in table.blocked),
            ]
            for seat in seats
        ],
        "players": [player_row(table, decision, seat, viewer) for seat in seats],
        "hand": counts(me.hand, LANDSCAPES),
        "known": [counts(player.known, LANDSCAPES) for player in players],
        "discard": counts(table.discard, LANDSCAPES),
        "pairs": [counts(cards, LANDSCAPES) for cards in pairs],
        "pair_seat": [[int(owner == seat) for seat in seats] for owner in pair_seats],
        "scoring": [
            *(int(card.good == good) for good in GOODS),
            *(int((card.kind, card.area) == ("river", river)) for river in RIVERS),
            *(int((card.kind, card.area) == ("quarter", quarter)) for quarter in INLAND),
        ],
        "to_come": counts(table.scoring_stack, board.scoring),
        "goods": [padded(counts(cards, board.goods), 6) for cards in goods],
        "bonus": [counts(table.bonus_of(viewer), board.bonus), counts(bonus_seen(table, decision, viewer), board.bonus)],
        "houses": [[int(name in own) for name in board.places] for own in houses],
        "place": [int(name == place) for name in board.places],
        "sites": [int(is_site(table, viewer, p)) for p in board.places.values()],
        "at_rivers": [[len(own & set(board.areas("river", river))) for river in RIVERS] for own in houses],
        "in_quarters": [[len(own & set(board.areas("quarter", quarter))) for quarter in INLAND] for own in houses],
    }
    return {name: clipped(numbers) for name, numbers in blocks.items()}


def status(table: Table, decision: Decision) -> list[int]:
    bidding, turn = decision.kind == "bid", table.turn
    return [
        table.round,
        len(table.scoring_stack),
        price(table) if bidding else 0,
        len(table.deck),
        len(table.discard),
        len(table.goods_stack),
        len(table.bonus_left()),
        table.keys,
        table.coins,
        0 if turn is None else turn.built,
        owed(table, decision.actor) if decision.kind == "discard" and decision.actor is not None else 0,
        int(table.ending is not None),
    ]


def player_row(table: Table, decision: Decision, seat: int, viewer: int) -> list[int]:
    player = table.players[seat]
    since = table.bonus_taken[last_take(table, viewer) :]
    if decision.kind == "bonus" and decision.actor == viewer:
        since = []
    return [
        sum(player.letters.values()),
        player.coins,
        player.keys,
        player.houses_left,
        len(player.hand),
        len(player.hand) - len(player.known),
        len(player.goods),
        len(table.bonus_of(seat)),
        sum(owner == seat for owner, _ in since),
        table.houses_in_city(seat),
    ]


def last_take(table: Table, viewer: int) -> int:
    """How many bonus cards were taken up to the viewer's last take, that one included; 0 before the first."""
    return max((i + 1 for i, (owner, _) in enumerate(table.bonus_taken) if owner == viewer), default=0)


def bonus_seen(table: Table, decision: Decision, viewer: int) -> list[str]:
    """The bonus cards that the viewer last saw in the stack (G10.3b)."""
    if decision.kind == "bonus" and decision.actor == viewer:
        return table.bonus_left()
    gone = [card for _, card in table.bonus_taken[: last_take(table, viewer)]]
    return [card for card in table.board.bonus if card not in gone]


def counts(cards: Any, names: Any) -> list[int]:
    """How often each name stands among the cards."""
    return [list(cards).count(name) for name in names]


def padded(numbers: list[int], size: int) -> list[int]:
    return numbers + [0] * (size - len(numbers))


def clipped(numbers: Any) -> Any:
    if isinstance(numbers, list):
        return [clipped(entry) for entry in numbers]
    return min(255, numbers)
