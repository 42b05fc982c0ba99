"""Everything that lies on the table during a game."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from .city import Cell, City
from .components import in_order
from .expansion import EXPERTS, NO_EXPERT, Expert

Chance = Callable[[str, list[Any]], Any]


@dataclass
class Question:
    """A decision: which kind, who decides, and the legal actions in notation."""

    kind: str
    actor: int | None
    options: list[str]


Flow = Generator[Question, str, None]
Effect = Generator[Question, str, bool]  # of an event: tells whether there was any (X4.4)


@dataclass
class Commitment:
    """A card lying in front of the screen, with or without tiles and an event (R3.1, X4.2, X6)."""

    card: str
    tile: str | None = None
    lower: str | None = None
    event: str | None = None

    def tiles(self) -> list[str]:
        """The tiles lying on the card, the upper one first."""
        return [tile for tile in (self.tile, self.lower) if tile is not None]


@dataclass
class Zone:
    """Where an event takes effect: the neighbors of a cell and, with `center`, the cell itself (X4.3)."""

    cell: Cell
    center: bool


@dataclass
class Pending:
    """The action that is being resolved, how many draws it still has, and the event with it."""

    player: int
    action: str | None = None
    draws: int = 0
    phase: str = "action"
    timing: str | None = None
    event: str | None = None
    zone: Zone | None = None
    split: dict[str, int] | None = None
    green_drawn: bool = False
    received: int = 0


@dataclass
class Side:
    """What belongs to one player (or William): behind the screen, in hand and in front of the screen."""

    points: int = 0
    resources: int = 0
    supply: int = 0
    new_hands: int = 0
    characters: list[str] = field(default_factory=list)
    packet: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    commitment: Commitment | None = None
    tiles: list[str] = field(default_factory=list)
    returning: list[str] = field(default_factory=list)
    known_tiles: list[str] = field(default_factory=list)
    tableau: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    expert: str | None = None
    packet_experts: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    events_played: list[str] = field(default_factory=list)
    kept: str | None = None
    lower_tiles: list[str] = field(default_factory=list)
    known_events: list[str] = field(default_factory=list)

    @property
    def power(self) -> Expert:
        """What the expert changes (X6)."""
        return NO_EXPERT if self.expert is None else EXPERTS[self.expert]

    def gain_resources(self, count: int) -> None:
        """Out of the own color's supply; what is missing is lost (R2.5)."""
        count = min(count, self.supply)
        self.supply -= count
        self.resources += count

    def pay_resources(self, count: int) -> None:
        """From behind the screen to the own color's supply."""
        self.resources -= count
        self.supply += count

    def bonus_cards(self) -> list[str]:
        """All cards in front of the screen; an expert is none (X6)."""
        return self.characters + self.tableau

    def know(self, tile: str) -> None:
        """All have seen the tile go behind the screen (R10.3, X7.4)."""
        self.known_tiles.append(tile)

    def forget_known(self, tile: str) -> None:
        """The tile was played or returned: nobody needs to guess where it is (R10.3)."""
        if tile in self.known_tiles:
            self.known_tiles.remove(tile)


@dataclass
class Table:
    """A whole game position, and the hand that shuffles (`chance`)."""

    config: dict[str, Any]
    chance: Chance
    sides: list[Side]
    city: City = field(default_factory=City)
    round: int = 0
    first_player: int | None = None
    ending: str | None = None
    exhaustions: int = 0
    pending: Pending | None = None
    supply: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    deck: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    new_buildings: list[str] = field(default_factory=list)
    prestige: list[str] = field(default_factory=list)
    green_spaces: int = 0

    @property
    def players(self) -> int:
        return int(self.config["players"])

    @property
    def alone(self) -> bool:
        return self.players == 1

    @property
    def modules(self) -> list[str]:
        """The modules of the expansion in this game."""
        return list(self.config.get("modules", []))

    @property
    def hand_size(self) -> int:
        """Cards in hand at the start of a round (R2.9, X5)."""
        return int(self.config.get("hand_size", 4))

    def left_of(self, seat: int) -> int:
        """Seat s+1 sits to the left of seat s (R11.2)."""
        return (seat + 1) % self.players

    def right_of(self, seat: int) -> int:
        return (seat - 1) % self.players

    def clockwise_from(self, seat: int) -> list[int]:
        """All seats, this one first."""
        return [(seat + turn) % self.players for turn in range(self.players)]

    def turn_order(self) -> list[int]:
        """All seats from the first player on, clockwise."""
        assert self.first_player is not None
        return self.clockwise_from(self.first_player)

    def trigger_end(self, reason: str) -> None:
        """The end of the game is triggered; the first reason in time stays (R8.1, R9.5)."""
        if self.ending is None:
            self.ending = reason

    def shuffle_new_buildings(self, tiles: list[str]) -> None:
        """The stack of value II, face down (X1)."""
        self.new_buildings = list(self.chance("new_buildings", in_order(tiles)))
