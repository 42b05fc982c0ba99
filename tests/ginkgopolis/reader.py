"""A reader of Ginkgopolis's texts: from those of one seat to its observation (R10)."""

from __future__ import annotations

import re
from typing import Any

from numpy.typing import NDArray

from ginkgo_env.core.game import Game
from ginkgo_env.games.ginkgopolis.observe import (
    CardPlane,
    CityPlane,
    EventPlane,
    HandField,
    PendingField,
    PlayerField,
    StatusField,
    TilePlane,
    TokenPlane,
    TurnField,
)

from ..contract.reading import Vector, number, unwrapped

CONFIGURATIONS: list[dict[str, Any]] = [
    *({"players": n} for n in (2, 1, 3, 5)),
    {"players": 1, "level": "advanced"},
    {"players": 3, "setup": "introductory", "strict": True, "max_rounds": 9},
    *({"players": n, "modules": "all"} for n in (3, 2, 5)),
    {"players": 3, "modules": "all", "hand_size": 5},
    {"players": 2, "modules": ["events", "keep_card"]},
    {"players": 3, "modules": ["green_spaces", "prestige", "experts"]},
    {"players": 4, "modules": ["new_buildings", "events"]},
]
"""What the proof that texts are complete goes through."""

COLORS, LETTERS = "RBY", "ABCDEFGHIJKL"
BASE = [f"{color}{n}" for color in COLORS for n in range(1, 21)]
CARDS = [*BASE, *LETTERS, *(f"{color}{n}" for color in COLORS for n in (21, 22, 23))]
TILES = [*BASE, *CARDS[72:], *(f"{color}{n}" for color in COLORS for n in (24, 25)), "GS"]
CHARACTERS = [f"{color}{action}" for color in COLORS for action in "EUC"]
EXPERTS = [
    *("artist", "banker", "lawyer", "controller", "entrepreneur", "professor", "journalist", "engineer", "mayor"),
    "architect",
]
EVENTS = ["design", "press", "expropriation", "control"]
MODULES = ["New buildings", "Prestige buildings", "Green spaces", "Events", "Keep a card", "Experts"]
DECISIONS = [
    *("keeps a character", "chooses a card", "takes a resource or a tile", "places a token", "may give tiles back"),
    *("keeps two event tiles", "may add a second tile", "may add an event", "keeps a card for the next round"),
    *("chooses when the event takes effect", "chooses which tiles to draw", "pays for the quality control"),
]
CHOICES = [1, 6, 7, 8]  # of DECISIONS, those of a choice that is made in secret
DRAFT = 0
SP = 2  # the item of yellow
PLAYS = r"(exploits|urbanizes|constructs) with (\w+)|shows (\w+?)(?:\+(\w+))?(?: on a hidden tile)?$"


CHOSEN = r"(\w*)(?:\+(\w+))?(?: on (\w+))?(?: with (\w+))?"
PRIVATE = [
    *("packet", "cards", "kept", "tiles", "giving back", "events", "chosen", "hidden tiles in the city"),
    "under the tile shown",
]


class Reader:
    """The reader of a seat's texts in one game."""

    def __init__(self, game: Game, seat: int, rules: str) -> None:
        self.game, self.seat, self.solo = game, seat, "## Alone against William" in rules
        self.sides = 2 if self.solo else game.seats
        self.modules = [f"## {module}\n" in rules for module in MODULES]
        self.expansion = any(self.modules)
        self.hand_size, self.max_rounds = number(r"have (\d+)\s+cards", rules), number(r"after (\d+)\s+rounds", rules)
        self.arrivals: list[tuple[int, int]] = []  # cells of the buildings in order of arrival
        self.tops: dict[tuple[int, int], str] = {}
        self.buried: set[str] = set()
        self.first = 0

    def read(self, text: str) -> NDArray[Any]:
        """The observation at a text."""
        self.out, self.lines = Vector(self.game), unwrapped(text, 14)
        self.text, self.head = "\n".join(self.lines), self.lines[0]
        self.stage = next((i for i, decision in enumerate(DECISIONS) if decision in self.head), None)
        self.choosing = self.stage in CHOICES
        if self.stage is not None:
            self.out["decision"][self.stage] = 1
        self._read_players()
        self._read_city()
        self._read_status()
        for p in range(self.sides):
            self._read_tableau((p - self.seat) % self.sides, p)
        self._read_private()
        self._read_piles()
        self._read_hand()
        if self.expansion:
            self.out["modules"][:-1], self.out["modules"][-1] = self.modules, self.hand_size
            self._read_pending()
        return self.out.numbers

    # --- parts of the text

    def _after(self, label: str) -> str:
        """What follows a label at the beginning of a line."""
        return next((line[len(label) :].strip() for line in self.lines if line.startswith(label)), "")

    def _mark(self, p: int) -> str:
        return "w" if self.solo and p == 1 else "abcde"[p]

    @staticmethod
    def _seat_of(mark: str) -> int:
        return 1 if mark == "w" else "abcde".index(mark)

    @staticmethod
    def _set(out: NDArray[Any], names: list[str], text: str) -> None:
        """Write ones, and for things that there are several of their numbers."""
        for word in text.split():
            out[names.index(word)] += 1

    # --- public information

    def _read_status(self) -> None:
        status = self.out["status"]
        rounds = number(r"(?:Round|after round) (\d+)", self.head)
        status[StatusField.ROUND], status[StatusField.ROUNDS_LEFT] = min(255, rounds), min(255, self.max_rounds - rounds)
        status[StatusField.END_TRIGGERED] = "last round" in self.head or "game is over" in self.head
        supply = self._after("tile supply:")
        status[StatusField.EXHAUSTIONS] = 2 if "exhausted for the second" in supply else "exhausted once" in supply
        status[StatusField.SUPPLY_TILES], status[StatusField.DECK_CARDS] = (
            number(r"(\d+)", supply),
            number(r"deck: +(\d+)", self.text),
        )
        status[StatusField.DISCARD_CARDS] = number(r"discard pile: +(\d+)", self.text)
        status[StatusField.DRAFT_PICK] = max(0, number(r"pick (\d+)", self.head) - 1)
        status[StatusField.DRAWS_DUE] = number(r"(?:still to be drawn|rights left): (\d+)", self.text)
        if self.expansion:
            stacks = self._after("stacks:")
            status[StatusField.NEW_BUILDINGS] = number(r"(\d+) new building", stacks)
            status[StatusField.GREEN_SPACES] = number(r"(\d+) green space", stacks)

    def _read_players(self) -> None:
        start = next(i for i, line in enumerate(self.lines) if re.match(r" +player +SP", line))
        labels = re.findall(r"New Hands|\w+", self.lines[start])[1:]
        fields = {
            "SP": PlayerField.POINTS,
            "resources": PlayerField.RESOURCES,
            "supply": PlayerField.SUPPLY_RESOURCES,
            "tiles": PlayerField.TILES,
            "cards": PlayerField.CARDS,
            "New Hands": PlayerField.NEW_HANDS,
            "events": PlayerField.EVENTS,
        }
        self.resolving: int | None = None
        rows = re.split(r"\n(?= \w \w)", "\n".join(self.lines[start:]).partition("\n\n")[0])[1:]
        for p in range(self.sides):
            k, row = (p - self.seat) % self.sides, rows[p].split()
            assert row[0] == self._mark(p)
            numbers, notes = row[2 : 2 + len(labels)], " ".join(row[2 + len(labels) :])
            for label, n in zip(labels, numbers, strict=True):
                if label in fields:
                    self.out["players"][k, fields[label]] = min(255, int(n))
            turn = self.out["turn"][k]
            turn[TurnField.IS_ACTOR], turn[TurnField.IS_FIRST] = "decides" in notes, "first" in notes or (self.solo and p == 0)
            shown, event = re.search(PLAYS, notes), self._after(f"event of {self._mark(p)}:")
            turn[TurnField.IS_RESOLVING] = bool(shown or event)
            if event and not shown:  # the card may be gone
                self.resolving, self.shown = p, ("", "")
            turn[TurnField.HAS_CARD_OUT] = bool(shown) or "card" in notes or "has chosen" in notes
            turn[TurnField.HAS_TILE_OUT] = "tile" in notes or bool(shown and shown[4])
            if shown:
                self.resolving = p
                self.shown = shown[2] or shown[3], shown[4] or ""
                self._set(self.out["cards"][CardPlane.RESOLVING], CARDS, self.shown[0])
                if self.expansion:
                    self._set(self.out["tiles"][TilePlane.RESOLVING], TILES, self.shown[1])
            if self.expansion:
                turn[TurnField.HAS_LOWER_OUT] = "two tiles" in notes or "hidden tile" in notes
                turn[TurnField.HAS_EVENT_OUT] = "event" in notes or "takes effect" in event

    def _read_city(self) -> None:
        self.cells: dict[tuple[int, int], str] = {}
        self.tokens: dict[str, tuple[int, int]] = {}
        columns: list[tuple[int, int]] = []
        for line in self.lines[2:]:
            if "·" in line and ":" in line:
                break
            if row := re.match(r" *(-?\d+) (?= *[.A-Z])", line):
                for cell in re.finditer(r"\S+", line[row.end() :]):
                    if cell[0] == ".":
                        continue
                    middle = row.end() + (cell.start() + cell.end()) / 2
                    x = min(columns, key=lambda column: abs(column[0] - middle))[1]
                    if cell[0] in LETTERS:
                        self.tokens[cell[0]] = x, int(row[1])
                    else:
                        self.cells[x, int(row[1])] = cell[0]
            elif line.strip():
                columns = [((m.start() + m.end()) / 2, int(m[0])) for m in re.finditer(r"-?\d+", line)]  # type: ignore[misc]
        self.west, self.north = min(x for x, _ in self.cells), min(y for _, y in self.cells)
        self.buildings = {}
        for cell, text in self.cells.items():
            match = re.fullmatch(r"(\w+)·(\d+)([a-ew]?)(\*?)", text)
            assert match, text
            self.buildings[cell] = match[1], int(match[2]), match[3], bool(match[4])
        self._remember()
        city = self.out["city"]
        for slot, cell in enumerate(self.arrivals):
            top, floors, owner, pawn = self.buildings[cell]
            city[CityPlane.FLOORS, slot], city[CityPlane.PAWN, slot] = floors, pawn
            city[CityPlane.X, slot], city[CityPlane.Y, slot] = cell[0] - self.west + 1, cell[1] - self.north + 1
            if top == "GS":
                city[CityPlane.GREEN, slot] = 1
            else:
                city[CityPlane.RED + COLORS.index(top[0]), slot], city[CityPlane.NUMBER, slot] = 1, int(top[1:])
            if owner:
                k = (self._seat_of(owner) - self.seat) % self.sides
                city[len(city) - self.sides + k, slot] = 1
        for letter, (x, y) in self.tokens.items():
            i = LETTERS.index(letter)
            self.out["tokens"][TokenPlane.PLACED, i] = 1
            self.out["tokens"][TokenPlane.X, i], self.out["tokens"][TokenPlane.Y, i] = x - self.west + 1, y - self.north + 1

    def _remember(self) -> None:
        """Keep the order in which buildings have come, that of turns, and the tiles that have been built over."""
        new = sorted(self.buildings.keys() - set(self.arrivals), key=lambda cell: (cell[1], cell[0]))
        if self.arrivals:
            new.sort(key=lambda cell: (self._seat_of(self.buildings[cell][2]) - self.first) % self.sides)
        self.arrivals += new
        for cell, (top, *_) in self.buildings.items():
            if self.tops.get(cell, top) != top:
                self.buried.add(self.tops[cell])
            self.tops[cell] = top
        first = [p for p in range(self.sides) if self.out["turn"][(p - self.seat) % self.sides, TurnField.IS_FIRST]]
        self.first = first[0] if first else self.first
        self._set(self.out["tiles"][TilePlane.BURIED], TILES, " ".join(self.buried))

    def _read_tableau(self, k: int, p: int) -> None:
        mark = self._mark(p)
        tableau, bonus = self._after(f"tableau of {mark}:"), self.out["bonus"][k]
        for word in [] if tableau == "-" or "secret" in tableau else tableau.split():
            if word in EXPERTS:
                self.out["expert"][k, EXPERTS.index(word)] = 1
            elif word in CHARACTERS:
                self.out["characters"][k, CHARACTERS.index(word)] += 1
                bonus["EUC".index(word[1]), COLORS.index(word[0])] += self.stage != DRAFT  # they pay when all are kept
            else:
                self.out["cards"][len(self.out["cards"]) - self.sides + k, CARDS.index(word)] = 1
                if (n := int(word[1:])) < 10 and mark != "w":  # William gets no bonuses
                    bonus[(n - 1) % 3, COLORS.index(word[0])] += 1
                    bonus[(n - 1) % 3, SP] += n > 6
        known = dict(
            re.findall(r"(tiles|events played|events|hidden tiles in the city:) ([^;]*)", self._after(f"known of {mark}:"))
        )
        self._set(self.out["tiles"][len(self.out["tiles"]) - self.sides + k], TILES, known.get("tiles", ""))
        if self.expansion:
            self._set(self.out["events"][len(EventPlane) + k], EVENTS, known.get("events", ""))
            self._set(self.out["events"][len(EventPlane) + self.sides + k], EVENTS, known.get("events played", ""))
            self.out["players"][k, PlayerField.LOWER_TILES] = int(known.get("hidden tiles in the city:", 0))

    def _read_piles(self) -> None:
        self._set(self.out["cards"][CardPlane.DISCARD], CARDS, self._after("discard pile:").partition(": ")[2])
        self._set(self.out["tiles"][TilePlane.RETURNED], TILES, self._after("given back:"))
        if self.expansion:
            prestige = re.search(r"prestige ([^;]*)", self._after("stacks:"))
            self._set(self.out["tiles"][TilePlane.STACKS], TILES, prestige[1].strip("-") if prestige else "")

    # --- private information

    def _read_private(self) -> None:
        own = self._after(f"only {self._mark(self.seat)} sees:")
        match = re.fullmatch(r"(.*?)(?: [a-e] has (.*?))?(?: [a-e] knows of (.*?))?", own)
        assert match
        own, left, right = match.groups("")
        facts: dict[str, str] = {}
        for fact in own.split("; "):
            if fact:
                label, names = next((label, fact[len(label) :]) for label in PRIVATE if fact.startswith(f"{label} "))
                facts[label] = names.strip(" -")
        self.hand = sorted(facts.get("cards", "").split(), key=CARDS.index)
        cards, tiles = self.out["cards"], self.out["tiles"]
        self._set(cards[CardPlane.HAND], CARDS, " ".join(self.hand))
        self._set(cards[CardPlane.LEFT_HAS], CARDS, left)
        self._set(cards[CardPlane.RIGHT_KNOWS], CARDS, right)
        self._set(tiles[TilePlane.SCREEN], TILES, facts.get("tiles", ""))
        self._set(tiles[TilePlane.ASIDE], TILES, facts.get("giving back", ""))
        for word in facts.get("packet", "").split():
            block, names = (self.out["packet"], CHARACTERS) if word in CHARACTERS else (self.out["packet_experts"], EXPERTS)
            block[names.index(word)] += 1
        card, tile, lower, event = re.fullmatch(CHOSEN, facts.get("chosen", "")).groups("")  # type: ignore[union-attr]
        if self.resolving == self.seat:
            card, tile, lower, event = (
                *self.shown,
                facts.get("under the tile shown", ""),
                self._after(f"event of {self._mark(self.seat)}:").partition(" takes")[0].partition("done")[0],
            )
        if card:
            self.out["turn"][0, TurnField.HAS_CARD_OUT] = 1
        self._set(cards[CardPlane.COMMITTED], CARDS, card)
        self._set(tiles[TilePlane.COMMITTED], TILES, tile)
        if self.expansion:
            self._set(cards[CardPlane.KEPT], CARDS, facts.get("kept", ""))
            self._set(tiles[TilePlane.LOWER], TILES, lower)
            self._set(tiles[TilePlane.OWN_LOWER], TILES, facts.get("hidden tiles in the city", ""))
            self._set(self.out["events"][EventPlane.SCREEN], EVENTS, facts.get("events", ""))
            self._set(self.out["events"][EventPlane.COMMITTED], EVENTS, event)

    def _read_hand(self) -> None:
        for row, card in zip(self.out["hand"], self.hand, strict=False):
            row[HandField.CARD] = 1
            if card in LETTERS:
                row[HandField.LETTER] = 1
                cell = self.tokens.get(card)
            else:
                cell = next(cell for cell, (top, *_) in self.buildings.items() if top == card)
                _, floors, owner, _ = self.buildings[cell]
                row[HandField.RED + COLORS.index(card[0])], row[HandField.NUMBER] = 1, int(card[1:])
                row[HandField.FLOORS] = floors
                row[HandField.MINE] = owner == self._mark(self.seat)
                row[HandField.THEIRS] = owner not in ("", self._mark(self.seat))
            if cell:
                row[HandField.X], row[HandField.Y] = cell[0] - self.west + 1, cell[1] - self.north + 1

    # --- the turn under way

    def _read_pending(self) -> None:
        pending, split = self.out["pending"], self._after("to be drawn:")
        for i, color in enumerate(COLORS):
            pending[PendingField.SPLIT_RED + i] = len(re.findall(rf"\b{color}2[45]\b", split))
        pending[PendingField.SPLIT_NEW_BUILDING] = number(r"(\d+) new building", split)
        pending[PendingField.SPLIT_GREEN_SPACE] = number(r"(\d+) green space", split)
        if self.resolving is None:
            return
        event = self._after(f"event of {self._mark(self.resolving)}:")
        pending[PendingField.GREEN_DRAWN] = "one drawn in this turn" in self._after("stacks:")
        match = re.match(r"(?:(\w+) takes effect|done,) (now, )?(before or after|before|after) the action", event)
        if not match:
            return
        name, now, when = match.groups()
        if when == "before or after":
            pending[PendingField.TIMING] = 1
        else:
            pending[PendingField.CHOSE_BEFORE + (when == "after")] = 1
            pending[PendingField.BEFORE_ACTION + (when == "after")] = bool(now)
        zone = re.search(r"zone: (the cells beside )?\((-?\d+), (-?\d+)\)", event)
        if not zone:
            return
        pending[PendingField.DESIGN + EVENTS.index(name)] = 1
        pending[PendingField.ZONE_X] = int(zone[2]) - self.west + 1
        pending[PendingField.ZONE_Y] = int(zone[3]) - self.north + 1
        pending[PendingField.ZONE_CENTER] = not zone[1]
        pending[PendingField.RECEIVED] = number(r"so far: (\d+)", event)
