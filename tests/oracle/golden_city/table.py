"""Everything that lies on the table during a game. Nothing else is remembered: a table and a decision go on by themselves."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .board import Board, Place

Chance = Callable[[str, list[Any]], Any]
GAINS = ("outer", "inner", "goods", "rivers", "quarters")  # sources of letters during the game (G9.2)


@dataclass
class Decision:
    """Which kind of decision is awaited, and of whom; "over" and None at the end."""

    kind: str
    actor: int | None


@dataclass
class Player:
    """What belongs to one player."""

    houses_left: int
    coins: int
    letters: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GAINS, 0))
    keys: int = 0
    hand: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    goods: list[str] = field(default_factory=list)


@dataclass
class Pair:
    """Two landscape cards to bid for, and the seat whose hand lies on them."""

    cards: list[str]
    seat: int | None = None


@dataclass
class Turn:
    """A building turn: houses built in it, the place being paid for or rewarded, the last landscape discarded."""

    player: int
    built: int = 0
    place: str | None = None
    discarded: str | None = None


@dataclass
class Table:
    """A whole game position, and the hand that shuffles (`chance`)."""

    config: dict[str, Any]
    board: Board
    chance: Chance
    players: list[Player]
    first_player: int = 0
    round: int = 0
    ending: str | None = None
    blocked: list[int] = field(default_factory=list)
    scoring_card: str = ""
    scoring_stack: list[str] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    displacements: int = 0
    turn: Turn | None = None
    houses: dict[str, list[int]] = field(default_factory=dict)  # place: seats
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    display: list[str] = field(default_factory=list)
    goods_stack: list[str] = field(default_factory=list)
    boxed: list[str] = field(default_factory=list)
    bonus_taken: list[tuple[int, str]] = field(default_factory=list)
    keys: int = 0
    coins: int = 0

    @property
    def seats(self) -> range:
        return range(len(self.players))

    def after(self, seat: int) -> int:
        """The next seat clockwise (G11.1)."""
        return (seat + 1) % len(self.players)

    def houses_of(self, seat: int) -> list[Place]:
        """The places with a house of this seat."""
        return [self.board.places[name] for name, seats in self.houses.items() if seat in seats]

    def houses_in_city(self, seat: int) -> int:
        return sum(place.is_district for place in self.houses_of(seat))

    def bonus_left(self) -> list[str]:
        taken = [card for _, card in self.bonus_taken]
        return [card for card in self.board.bonus if card not in taken]

    def bonus_of(self, seat: int) -> list[str]:
        return [card for owner, card in self.bonus_taken if owner == seat]

    def trigger_end(self, reason: str) -> None:
        """G8.1: the first trigger in time stays."""
        if self.ending is None:
            self.ending = reason
