"""Everything that lies on the table during a game. Nothing else is remembered: a table goes on by itself."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .board import Board, Building, Cell, Cells

Chance = Callable[[str, list[Any]], Any]
POINTS_AT_START = 10
GOLD = 3


@dataclass
class Player:
    """One player's board and counter. `ended` is the round; `choice` is made in this round and not yet in effect."""

    points: int = POINTS_AT_START
    gold: bool = False
    ended: int | None = None
    placed: dict[str, tuple[str, Cells]] = field(default_factory=dict)  # building: where by notation, its cells
    passed: list[str] = field(default_factory=list)
    choice: str | None = None

    @property
    def covered(self) -> set[Cell]:
        return {cell for _, cells in self.placed.values() for cell in cells}

    def gets_gold(self) -> None:
        self.points, self.gold = self.points + GOLD, True


@dataclass
class Table:
    """A whole game position. `config` has names where the caller may have given files."""

    config: dict[str, Any]
    board: Board
    buildings: dict[str, Building]
    players: list[Player]
    deck: list[str]
    revealed: list[str] = field(default_factory=list)
    blocked: str | None = None
    round: int = 0
    gold_round: int | None = None
    ending: str | None = None
    actor: int | None = None

    @property
    def seats(self) -> range:
        return range(len(self.players))

    @property
    def current(self) -> Building | None:
        """The building turned up in this round; None when the game is over."""
        return None if self.ending else self.buildings[self.revealed[-1]]
