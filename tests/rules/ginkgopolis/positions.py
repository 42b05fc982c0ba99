"""Positions for rule tests: say what matters, and every other piece finds a legal place.

>>> table = Builder(2).building((0, 0), "R7", floors=2, owner=0).hand(0, "R7", "A").start()
>>> table.play("R7").player(0)["resources"]
7
"""

from __future__ import annotations

import copy
import random
from functools import cache
from typing import Any, Self

import ginkgo_env

from ...oracle.ginkgopolis.decode import decode
from .extras import ALL_NAMES, CARDLESS, GREEN_SPACE, Extras

Json = dict[str, Any]
Cell = tuple[int, int]

COLORS = "RBY"
LETTERS = "ABCDEFGHIJKL"
TILES = [f"{color}{number}" for color in COLORS for number in range(1, 21)]
CARDS = [*TILES, *LETTERS]
CHARACTER_NAMES = [color + action for color in COLORS for action in "EUC"]  # R11.1
RESOURCES = {1: 25, 2: 25, 3: 20, 4: 18, 5: 16}
SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

# The start square of the picture in R2.2, row by row.
SQUARE = ["R2", "Y1", "B3", "Y3", "R1", "B2", "B1", "R3", "Y2"]
RING = dict(
    zip(
        LETTERS,
        [(0, -1), (1, -1), (2, -1), (3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (-1, 2), (-1, 1), (-1, 0)],
        strict=True,
    )
)
# Characters without an exploit bonus; enough copies for five.
CHARACTERS = ["RC BC YC", "RU BU YU", "RC BC YC", "RU BU YU", "RC RC BC"]


def in_order(names: Any) -> list[str]:
    """R11.1: red, blue, yellow, then number; then green spaces and letters."""
    return sorted(names, key=ALL_NAMES.index)


@cache
def game(**config: Any) -> ginkgo_env.Game:
    return ginkgo_env.make_game("ginkgopolis", **config)


@cache
def _batch(**config: Any) -> ginkgo_env.Batch:
    return ginkgo_env.Batch(game(**config), 1)


@cache
def _template(**config: Any) -> Json:
    batch = _batch(**config)
    batch.reset(seed=[0])
    while batch.position(0)["decision"]["kind"] in ("draft", "events"):
        batch.step(batch.sample())
    return batch.position(0)


def added(side: Json) -> int:
    """The parts of a side's score together."""
    lists = {name: part.values() if isinstance(part, dict) else part for name, part in side.items() if name != "total"}
    return sum(part if isinstance(part, int) else sum(part) for part in lists.values())


class Table:
    """A game being played by the kernels: text in, plain data out."""

    def __init__(self, **config: Any) -> None:
        self.config = config
        self.chance = random.Random(0)
        self.batch = ginkgo_env.Batch(game(**config), 1)
        self.game = self.batch.game

    def reset(self, seed: int) -> Self:
        """The beginning of a game."""
        self.batch.reset(seed=[seed])
        return self

    def set_position(self, position: Json) -> Self:
        """The game goes on from a position."""
        self.batch.set_position(0, position)
        return self

    def copy(self) -> Self:
        """Another table, at which the same game is played."""
        other = type(self)(**self.config)
        other.batch.copy_rows(self.batch, [0], [0])
        return other

    def with_piles(self, deck_size: int, discard: str = "") -> Self:
        """Fewer cards than any position of the base game has (R3.6): the others vanish from the record itself."""
        record = self.batch.states[0]
        record.deck_size = deck_size
        record.discard = [0, sum(1 << CARDS.index(letter) - 64 for letter in discard)]
        return self

    def play(self, *texts: str) -> Self:
        """Play actions of whoever decides; raises ValueError for one that is not legal."""
        for text in texts:
            self.batch.step([self.game.parse_action(self.batch.state(0), text)])
        return self

    def play_at_random(self, *kinds: str) -> Self:
        """Play legal actions until another kind of decision comes; without kinds one action."""
        while True:
            self.play(self.chance.choice(sorted(self.legal)))
            if self.decision[0] not in kinds:
                return self

    @property
    def position(self) -> Json:
        return self.batch.position(0)

    @property
    def decision(self) -> tuple[str, int | None]:
        decision = self.position["decision"]
        return decision["kind"], decision["actor"]

    def player(self, seat: int) -> Json:
        return self.position["players"][seat]

    def building(self, cell: Cell) -> Json:
        return next(b for b in self.position["city"] if b["cell"] == list(cell))

    @property
    def tokens(self) -> dict[str, Cell | None]:
        return {letter: cell and tuple(cell) for letter, cell in self.position["tokens"].items()}

    @property
    def legal(self) -> set[str]:
        """The notation of all legal actions."""
        state = self.batch.state(0)
        return {self.game.action_text(state, int(a)) for a in self.batch.mask[0].nonzero()[0]}

    @property
    def done(self) -> bool:
        return bool(self.batch.done[0])

    @property
    def truncated(self) -> bool:
        return bool(self.batch.truncated[0])

    @property
    def outcome(self) -> ginkgo_env.Outcome:
        """The score; kernels count it as a whole and once more card by card, district by district, park by park."""
        outcome = self.batch.outcome(0)
        assert outcome.scores == tuple(map(added, outcome.breakdown))
        return outcome

    def view(self, *seats: int) -> Any:
        """All that these seats are shown and told, to be compared."""
        state = self.batch.state(0)
        return [(self.batch.observe(seat)[0].tobytes(), self.game.describe(state, seat)) for seat in seats]

    def seen(self, seat: int) -> Seen:
        """What a seat is shown, by names."""
        observation = ginkgo_env.Observation(self.game.observation, self.batch.observe(seat)[0])
        return Seen(decode(observation, seat), seat)


implementation: type[Table] = Table  # who plays tables; conftest.py tells the oracle to


class Seen:
    """What a seat is shown, as facts by their names (``tests/oracle/ginkgopolis/decode.py``); for seats say their own numbers."""

    def __init__(self, facts: Json, viewer: int) -> None:
        self.facts, self.viewer = facts, viewer

    def side(self, seat: int) -> Json:
        """What is shown of a side."""
        sides = self.facts["sides"]
        place = (seat - self.viewer) % len(sides)
        return sides[place] | (self.facts["sides with modules"][place] if "modules" in self.facts else {})

    def player(self, seat: int, field: str) -> int:
        """A number of a side."""
        return int(self.side(seat)[field])

    def cards(self, plane: str) -> set[str]:
        return set(self.facts[plane])

    def tiles(self, plane: str) -> set[str]:
        return set(self.facts[f"tile {plane}"])

    def tableau(self, seat: int) -> set[str]:
        return set(self.side(seat)["tableau"])

    def known(self, seat: int) -> set[str]:
        return set(self.side(seat)["known_tiles"])


class Builder(Extras):
    """A position at a commit decision of seat 0 in round 5, start square and tokens as in R2.2 unless told otherwise.

    What is not said: no points, five resources at hand, two New Hand tokens, characters without an exploit bonus, no tiles,
    no cards in hand (such a player is skipped), cards in the deck and tiles in the supply, each in order. Floors above the
    first need cards in somebody's tableau (each covered tile's card lies in one): missing ones are endgame cards of the last
    player; floors missing for a tableau are added to the building in the middle of the square. Where a tile of the square has
    its card in a tableau, another one of its color lies on it.

    >>> Builder(2, modules=["events"]).hand(0, "A").events(0, "press").start().play("A", "event:press").decision
    ('timing', 0)

    With modules of The Experts: see :class:`Extras`.
    """

    def __init__(self, players: int = 2, **config: Any) -> None:
        super().__init__()
        if "modules" in config:
            config["modules"] = tuple(config["modules"])
        if players > 1:
            config = {"setup": "draft" if "experts" in config.get("modules", ()) else "introductory", **config}
        self.config = {"players": players, **config}
        self.solo = players == 1
        self.sides = max(2, players)
        self.data = copy.deepcopy(_template(**self.config))
        self._city: list[Json] = []
        for i, tile in enumerate(SQUARE):
            self.building((i % 3, i // 3), tile)
        self._tokens: dict[str, Cell] = {}
        self._hands: dict[int, list[str]] = {}
        self._tiles: dict[int, list[str]] = {}
        self._tableau: dict[int, list[str]] = {}
        self._commitments: dict[int, tuple[str, str | None]] = {}
        self._lists: dict[str, list[str]] = {}
        self._first_tiles: list[str] = []
        self._first_cards: list[str] = []
        self._players: list[Json] = [
            {"points": 0, "resources": 5, "new_hands": 2, "characters": CHARACTERS[seat].split()} for seat in range(self.sides)
        ]
        if self.solo:
            for player in self._players:
                player |= {"new_hands": 0, "characters": []}
        self._other: Json = {"round": 5, "first_player": 0, "ending": None, "exhaustions": 0}
        self._actor = 0

    def empty_city(self) -> Self:
        """Start without the square."""
        self._city = []
        return self

    def building(self, cell: Cell, tile: str, *, floors: int = 1, owner: int | None = None, pawn: bool = False) -> Self:
        """A building; replaces the one on the cell, and the one that shows the tile."""
        new = {"cell": list(cell), "tile": tile, "floors": floors, "owner": owner, "pawn": pawn}
        places = [i for i, b in enumerate(self._city) if b["cell"] == list(cell)]
        if tile != GREEN_SPACE and any(b["tile"] == tile and b["cell"] != list(cell) for b in self._city):
            raise ValueError(f"{tile} lies elsewhere already")
        if places:
            self._city[places[0]] = new
        else:
            self._city.append(new)
        return self

    def row(self, *tiles: str, y: int = 0, owner: int | None = None, pawn: bool = False) -> Self:
        """Buildings of one floor side by side from x = 0."""
        for x, tile in enumerate(tiles):
            self.building((x, y), tile, owner=owner, pawn=pawn)
        return self

    def token(self, letter: str, cell: Cell) -> Self:
        self._tokens[letter] = cell
        return self

    def hand(self, seat: int, *cards: str) -> Self:
        self._hands[seat] = list(cards)
        return self

    def tiles(self, seat: int, *tiles: str) -> Self:
        self._tiles[seat] = list(tiles)
        return self

    def tableau(self, seat: int, *cards: str) -> Self:
        self._tableau[seat] = list(cards)
        return self

    def characters(self, seat: int, *names: str) -> Self:
        self._players[seat]["characters"] = list(names)
        return self

    def player(self, seat: int, **fields: int) -> Self:
        """points, resources (at hand), new_hands."""
        self._players[seat] |= fields
        return self

    def william(self, card: str) -> Self:
        """William's card of the round."""
        return self.committed(1, card)

    def supply(self, *tiles: str) -> Self:
        """Exactly these tiles, in drawing order; those left over are out of the game."""
        self._lists["supply"] = list(tiles)
        return self

    def next_tiles(self, *tiles: str) -> Self:
        """The first tiles of the supply."""
        self._first_tiles = list(tiles)
        return self

    def deck(self, *cards: str) -> Self:
        """Exactly these cards, in drawing order; those left over are discarded."""
        self._lists["deck"] = list(cards)
        return self

    def next_cards(self, *cards: str) -> Self:
        """The first cards of the deck."""
        self._first_cards = list(cards)
        return self

    def discard(self, *cards: str) -> Self:
        self._lists["discard"] = list(cards)
        return self

    def returned(self, *tiles: str) -> Self:
        self._lists["returned"] = list(tiles)
        return self

    def known(self, seat: int, *tiles: str) -> Self:
        self._players[seat]["known_tiles"] = list(tiles)
        return self

    def passed(self, seat: int, *cards: str) -> Self:
        self._players[seat]["passed"] = list(cards)
        return self

    def other(self, **fields: Any) -> Self:
        """round, first_player, ending, exhaustions; and actor."""
        self._actor = fields.pop("actor", self._actor)
        self._other |= fields
        return self

    def position(self) -> Json:
        """The whole, as data."""
        self._cover_square()
        self._balance_floors()
        data = self.data | self._other
        buried = in_order([card for cards in self._tableau.values() for card in cards] + self._constructed())
        data |= {"city": copy.deepcopy(self._city), "buried": buried}
        data["decision"] = self._asked or {"kind": "commit", "actor": self._actor}
        data["tokens"] = self._all_tokens()
        data["pending"] = self._pending_data(data["tokens"])
        rest = [t for t in TILES if t not in {*buried, *self._held()}]
        supply = self._lists.get("supply")
        if supply is None:
            supply = self._first_tiles + [t for t in rest if t not in self._first_tiles]
            supply = supply[: len(supply) - self._removed_tiles()]
        data |= {"supply": list(supply), "removed": [t for t in rest if t not in supply]}
        data["returned"] = in_order(self._lists.get("returned", []))
        if self.modules:
            self._choose_experts()
            data |= self._lay_out_stacks(buried)
        data |= self._piles(buried)
        data["players"] = [self._side(seat) for seat in range(self.sides)]
        return data

    def start(self) -> Table:
        """A table with this position."""
        return implementation(**self.config).set_position(self.position())

    def _used(self) -> set[str]:
        """Tiles that have a place other than the supply, or are named for it."""
        played = {card for cards in self._tableau.values() for card in cards}
        named = {tile for tiles in self._lists.values() for tile in tiles} | {*self._first_tiles}
        return played | named | {*self._held(), *self._constructed()}

    def _cover_square(self) -> None:
        played = {card for cards in self._tableau.values() for card in cards}
        for building in self._city:
            tile = building["tile"]
            if tile in played and tile in SQUARE and building["owner"] is None:
                used = self._used()
                building["tile"] = next(t for t in reversed(TILES) if t[0] == tile[0] and t not in used)

    def _balance_floors(self) -> None:
        covered = sum(b["floors"] - 1 for b in self._city)
        played = sum(len(cards) for cards in [*self._tableau.values(), *self._lower_tiles.values(), self._constructed()])
        if covered > played:
            used = self._used()
            spare = [t for t in reversed(TILES) if int(t[1:]) >= 10 and t not in used]
            last = self.sides - 1
            self._tableau[last] = self._tableau.get(last, []) + spare[: covered - played]
        elif played > covered:
            tower = next(b for b in self._city if b["cell"] == [1, 1])
            if tower["owner"] is not None:
                raise ValueError("the building in the middle is not free for the floors that are missing")
            tower["floors"] += played - covered

    def _all_tokens(self) -> dict[str, list[int] | None]:
        built = {tuple(b["cell"]) for b in self._city}
        beside = {(x + dx, y + dy) for x, y in built for dx, dy in SIDES.values()} - built
        tokens = dict(self._tokens)
        for letter, cell in RING.items():
            if letter not in tokens and cell in beside and cell not in tokens.values():
                tokens[letter] = cell
        for letter in LETTERS:
            if letter not in tokens:
                tokens[letter] = min(beside - set(tokens.values()))
        in_hand = self._commitments[self._acting()][0] if self._kind() == "token" else None
        return {letter: None if letter == in_hand else list(tokens[letter]) for letter in LETTERS}

    def _piles(self, buried: list[str]) -> Json:
        held = {card for cards in self._hands.values() for card in cards} | set(buried)
        held |= {card for card, _ in self._commitments.values()} | {*self._kept.values()}
        rest = [b["tile"] for b in self._city if not b["pawn"]] + list(LETTERS)
        rest = in_order(card for card in rest if card not in held and card not in CARDLESS)
        if "deck" in self._lists:
            deck = self._lists["deck"]
        else:
            kept = self._lists.get("discard", [])
            deck = self._first_cards + [c for c in rest if c not in self._first_cards and c not in kept]
        return {"deck": list(deck), "discard": [card for card in rest if card not in deck]}

    def _side(self, seat: int) -> Json:
        given = self._players[seat]
        placed = sum(b["floors"] for b in self._city if b["owner"] == seat)
        total = RESOURCES[self.config["players"]]
        resources = total - placed if self.solo and seat == 1 else given["resources"]
        commitment: Json | None = None
        if seat in self._commitments:
            card, tile = self._commitments[seat]
            commitment = {"card": card, "tile": tile} | (self._on_card[seat] if self.modules else {})
        side = {
            "points": given["points"],
            "resources": resources,
            "supply": total - placed - resources,
            "new_hands": given["new_hands"],
            "characters": sorted(given["characters"], key=CHARACTER_NAMES.index),
            "packet": [],
            "hand": in_order(self._hands.get(seat, [])),
            "commitment": commitment,
            "tiles": in_order(self._tiles.get(seat, [])),
            "returning": [],
            "known_tiles": in_order(given.get("known_tiles", [])),
            "tableau": in_order(self._tableau.get(seat, [])),
            "passed": in_order(given.get("passed", [])),
        }
        return side | self._more_of_player(seat) if self.modules else side


def solo(**config: Any) -> Builder:
    """The game against William; give it a card with `william`."""
    return Builder(1, **config)


def table_from_seed(seed: int, **config: Any) -> Table:
    """A game from its beginning."""
    return implementation(**config).reset(seed)
