"""Everything that lies on the table during a game, and its text form (docs/design/text-forms.md, "Position")."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from .city import Building, City
from .components import LETTERS, characters_in_order, in_order

Chance = Callable[[str, list[Any]], Any]


@dataclass
class Question:
    """A decision: which kind, who decides, and the legal actions in notation."""

    kind: str
    actor: int | None
    options: list[str]


Flow = Generator[Question, str, None]


@dataclass
class Commitment:
    """A card lying in front of the screen, with or without a tile (R3.1)."""

    card: str
    tile: str | None = None


@dataclass
class Pending:
    """The action that is being resolved, and how many tiles it still has to draw."""

    player: int
    action: str
    draws: int = 0


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

    def gain_resources(self, count: int) -> None:
        """Out of the own color's supply; what is missing is lost (R2.5)."""
        count = min(count, self.supply)
        self.supply -= count
        self.resources += count

    def bonus_cards(self) -> list[str]:
        """All cards in front of the screen."""
        return self.characters + self.tableau

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

    @property
    def players(self) -> int:
        return int(self.config["players"])

    @property
    def alone(self) -> bool:
        return self.players == 1

    def left_of(self, seat: int) -> int:
        """Seat s+1 sits to the left of seat s (R11.2)."""
        return (seat + 1) % self.players

    def right_of(self, seat: int) -> int:
        return (seat - 1) % self.players

    def turn_order(self) -> list[int]:
        """All seats from the first player on, clockwise."""
        assert self.first_player is not None
        return [(self.first_player + turn) % self.players for turn in range(self.players)]

    def trigger_end(self, reason: str) -> None:
        """The end of the game is triggered; the first reason in time stays (R8.1, R9.5)."""
        if self.ending is None:
            self.ending = reason


def side_to_json(side: Side) -> dict[str, Any]:
    """One entry of the position's "players"."""
    commitment = side.commitment
    return {
        "points": side.points,
        "resources": side.resources,
        "supply": side.supply,
        "new_hands": side.new_hands,
        "characters": characters_in_order(side.characters),
        "packet": characters_in_order(side.packet),
        "hand": in_order(side.hand),
        "commitment": None if commitment is None else {"card": commitment.card, "tile": commitment.tile},
        "tiles": in_order(side.tiles),
        "returning": in_order(side.returning),
        "known_tiles": in_order(side.known_tiles),
        "tableau": in_order(side.tableau),
        "passed": in_order(side.passed),
    }


def building_to_json(building: Building) -> dict[str, Any]:
    """One entry of the position's "city"."""
    return {
        "cell": list(building.cell),
        "tile": building.tile,
        "floors": building.floors,
        "owner": building.owner,
        "pawn": building.pawn,
    }


def tokens_to_json(city: City) -> dict[str, list[int] | None]:
    """The cell of each token; None for the one in hand."""
    places = {letter: city.tokens[letter] for letter in LETTERS}
    return {letter: None if cell is None else list(cell) for letter, cell in places.items()}


def pending_to_json(pending: Pending | None) -> dict[str, Any] | None:
    """The position's "pending"."""
    if pending is None:
        return None
    return {"player": pending.player, "action": pending.action, "draws": pending.draws}


def to_position(table: Table, question: Question) -> dict[str, Any]:
    """The position, without "random" and "seed" (the oracle has no generator)."""
    return {
        "format": "ginkgo-position",
        "version": 1,
        "game": "ginkgopolis",
        "config": dict(table.config),
        "round": table.round,
        "first_player": table.first_player,
        "decision": {"kind": question.kind, "actor": question.actor},
        "ending": table.ending,
        "exhaustions": table.exhaustions,
        "pending": pending_to_json(table.pending),
        "city": [building_to_json(building) for building in table.city.buildings],
        "tokens": tokens_to_json(table.city),
        "buried": in_order(table.city.buried),
        "supply": list(table.supply),
        "removed": in_order(table.removed),
        "returned": in_order(table.returned),
        "deck": list(table.deck),
        "discard": in_order(table.discard),
        "players": [side_to_json(side) for side in table.sides],
    }


def from_position(position: dict[str, Any], chance: Chance) -> Table:
    """The table of a position (whatever decision is open there)."""
    sides = []
    for entry in position["players"]:
        fields: dict[str, Any] = {k: list(value) if isinstance(value, list) else value for k, value in entry.items()}
        fields["commitment"] = None if entry["commitment"] is None else Commitment(**entry["commitment"])
        sides.append(Side(**fields))
    buildings = [Building(**{**entry, "cell": tuple(entry["cell"])}) for entry in position["city"]]
    tokens = {letter: None if cell is None else tuple(cell) for letter, cell in position["tokens"].items()}
    piles: dict[str, Any] = {key: list(position[key]) for key in ("supply", "removed", "returned", "deck", "discard")}
    plain: dict[str, Any] = {key: position[key] for key in ("round", "first_player", "ending", "exhaustions")}
    pending = None if position["pending"] is None else Pending(**position["pending"])
    city = City(buildings, tokens, list(position["buried"]))
    return Table(dict(position["config"]), chance, sides, city, pending=pending, **plain, **piles)
