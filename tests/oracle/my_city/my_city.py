"""My City, the eternal game, 1 to 4 players: the oracle (my_city.md is cited as M3.4).

A round: a card is turned up, those who have not ended choose one after the other, and then all choices take effect.
"""

from typing import Any

from .board import BLOCKING, VEIN, load_board, load_buildings
from .placing import legal_placements, place
from .position import from_position, names, to_position
from .scoring import ranking, score, winners
from .table import Chance, Player, Table
from .view import view


class Oracle:
    """One game. `chance(name, items)` supplies the random outcome: `deck` (M11.8)."""

    def __init__(self, config: dict[str, Any], chance: Chance) -> None:
        self.table = set_up(config, chance)
        reveal(self.table)

    @classmethod
    def from_position(cls, position: dict[str, Any], chance: Chance, config: dict[str, Any] | None = None) -> "Oracle":
        """A game that goes on from any position; nothing is checked, and chance has nothing left to do.

        `config` says where the files are that are not shipped.
        """
        oracle = cls.__new__(cls)
        oracle.table = from_position(position, config)
        return oracle

    def decision(self) -> tuple[str, int | None]:
        """Kind of the open decision and the seat that decides."""
        return "over" if self.table.ending else "build", self.table.actor

    def legal(self) -> list[str]:
        """The legal actions in notation, in the order of M11.7."""
        return [] if self.table.actor is None else options(self.table, self.table.actor)

    def apply(self, text: str) -> None:
        """Takes an action and runs on to the next decision with at least two legal actions."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal: {self.decision()}, {self.legal()}")
        assert self.table.actor is not None
        self.table.players[self.table.actor].choice = text
        ask_next(self.table)

    def position(self) -> dict[str, Any]:
        """The position (M11.9) without "random" and "seed"."""
        return to_position(self.table)

    def view(self, seat: int) -> dict[str, Any]:
        """What a seat is shown: the blocks of M12.3 as nested lists."""
        return view(self.table, seat)

    def scores(self) -> list[dict[str, int]]:
        """Points by source and "total" of each seat as things stand (M8.9)."""
        return [score(self.table, seat) for seat in self.table.seats]

    def standings(self) -> list[tuple[int, ...]]:
        """What M8.8 compares, the greatest first, as things stand."""
        return [ranking(self.table, seat) for seat in self.table.seats]

    def winners(self) -> list[int]:
        """The winners of a game that is over."""
        if not self.table.ending:
            raise ValueError("the game is not over")
        return winners(self.table)


def set_up(config: dict[str, Any], chance: Chance) -> Table:
    """M2."""
    if config.keys() != {"players", "board", "buildings"} or config["players"] not in (1, 2, 3, 4):
        raise ValueError(f"invalid configuration {config}")
    board, buildings = load_board(config["board"]), load_buildings(config["buildings"])
    deck = list(chance("deck", [*buildings, BLOCKING]))
    return Table(names(config), board, buildings, [Player() for _ in range(config["players"])], deck)


def reveal(table: Table) -> None:
    """M3.1, M5.5, M7.2."""
    card = turn_up(table)
    if card == BLOCKING:
        table.blocked = turn_up(table)
        card = turn_up(table)
    if card is None:
        table.ending = "cards"
    else:
        table.round += 1
        ask_next(table)


def turn_up(table: Table) -> str | None:
    """The top card; None if the deck has run out."""
    if not table.deck:
        return None
    table.revealed.append(table.deck.pop(0))
    return table.revealed[-1]


def ask_next(table: Table) -> None:
    """M3.3: in seat order; who has one legal action is not asked. The last choice lets all of them take effect."""
    for seat, player in enumerate(table.players):
        if player.ended is None and player.choice is None:
            legal = options(table, seat)
            if len(legal) > 1:
                table.actor = seat
                return
            player.choice = legal[0]
    table.actor = None
    take_effect(table)


def options(table: Table, seat: int) -> list[str]:
    """The legal actions of a player (M3.2, M5)."""
    player, building = table.players[seat], table.current
    assert building is not None
    placements = [place.text for place in legal_placements(table.board, player, building)]
    return placements + ["pass"] * (player.points > 0 and not building.is_church) + ["end"]


def take_effect(table: Table) -> None:
    """M3.4."""
    building = table.current
    assert building is not None
    for player in table.players:
        choice, player.choice = player.choice, None
        if choice == "pass":
            player.points -= 1
            player.passed.append(building.name)
        elif choice == "end":
            player.ended = table.round
        elif choice is not None:
            place(table.board, player, building, choice)
    give_gold(table)
    if all(player.ended is not None for player in table.players):
        table.ending = "ended"
    else:
        reveal(table)


def give_gold(table: Table) -> None:
    """M6."""
    veins = table.board.showing(VEIN)
    if not veins or table.gold_round is not None:
        return
    for player in table.players:
        if veins <= player.covered:
            player.gets_gold()
            table.gold_round = table.round
