"""What must be true of every record of Ginkgopolis, said slowly and apart from the code that keeps it so.

Every card, tile, resource and character is in one place, and every counter kept in the record is what counting gives.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ginkgo_env.core.game import Game, States
from ginkgo_env.games.ginkgopolis.components import (
    CARD_ACTION,
    CARD_GAIN,
    CHARACTER_ACTION,
    CHARACTER_COPIES,
    CHARACTER_GAIN,
)
from ginkgo_env.games.ginkgopolis.constants import NOBODY, NONE, NOWHERE, WILLIAM, Action, Ending, Phase, Stage

from .invariants_expansion import check_expansion

TILES, CARDS, LETTERS = range(60), range(72), range(60, 72)
STACKS = {"new_buildings": range(72, 81), "prestige": range(81, 87), "green_spaces": [87] * 9}  # tiles of the expansion
GREEN_SPACE = 87
CHOOSING = (Stage.COMMIT, Stage.LOWER, Stage.EVENT, Stage.KEEP)
RESOLVING = (Stage.TAKE, Stage.TOKEN, Stage.RETURN, Stage.TIMING, Stage.SPLIT, Stage.PAY)
RESOURCES_EACH = {1: 25, 2: 25, 3: 20, 4: 18, 5: 16}  # R2.5
START_SQUARE = [(x, y) for y in range(3) for x in range(3)]  # R2.1
SIDES = [(0, -1), (1, 0), (0, 1), (-1, 0)]  # N E S W


def members(words: Any) -> set[int]:
    """The numbers in a set of a record."""
    found = set()
    for w, word in enumerate(words):
        left = int(word)
        while left:
            found.add(64 * w + left.bit_length() - 1)
            left ^= 1 << left.bit_length() - 1
    return found


def same(found: Any, wanted: Any, what: str) -> None:
    assert found == wanted, f"{what}: {found}, not {wanted}"


class Table:
    """A record read into plain Python."""

    def __init__(self, game: Game, state: States) -> None:
        g = self.g = state[0]
        self.config = game.config
        self.players = range(int(g.players))
        self.stage = int(g.stage)
        self.n = int(g.n_buildings)
        self.supply = [int(t) for t in g.supply if t != NONE]
        self.deck = [int(c) for c in g.deck if c != NONE]
        self.hand = [members(g.hand[p]) for p in range(5)]
        self.tiles = [members(g.tiles[p]) for p in range(5)]
        self.aside = [members(g.aside[p]) for p in range(5)]
        self.tableau = [members(g.tableau[p]) for p in range(5)]
        self.card = [int(c) for c in g.card]
        self.tile = [int(t) for t in g.tile]
        self.top = [int(t) for t in g.top[: self.n]]
        self.cells = [(int(g.x[s]), int(g.y[s])) for s in range(self.n)]
        self.owner = [int(o) for o in g.owner[: self.n]]
        self.floors = [int(f) for f in g.floors[: self.n]]
        self.pawn = [int(k) for k in g.pawn[: self.n]]
        self.modules = set(game.config.modules)
        nothing = [NONE] * 5
        self.phase = int(g.phase) if self.modules else int(Phase.ACTION)
        self.lower = [int(t) for t in g.lower] or nothing
        self.kept = [int(c) for c in g.kept] or nothing
        self.event = [int(e) for e in g.event] or nothing
        self.expert = [int(e) for e in g.expert] or nothing

    def pile(self, name: str, p: int) -> Counter[int]:
        """The tiles in a player's pile: tiles, aside, known_tiles, lower_tiles. Green spaces are counted beside the set."""
        greens = {"tiles": "green", "aside": "green_aside", "known_tiles": "green_known", "lower_tiles": "green_lower"}
        if not self.modules:
            return Counter(members(self.g[name][p]) if name != "lower_tiles" else ())
        found = Counter(members(self.g[name][p]))
        found[GREEN_SPACE] = int(self.g[greens[name]][p])
        return +found

    def under(self) -> Counter[int]:
        """The lower tiles in the city (X6)."""
        return sum((self.pile("lower_tiles", p) for p in range(5)), Counter())

    def hand_size(self) -> int:
        return int(self.g.hand_size) if self.modules else 4

    def order(self) -> list[int]:
        """Seats in turn order."""
        return [(int(self.g.first) + k) % len(self.players) for k in self.players]


def check_invariants(game: Game, state: States) -> None:
    """Raise AssertionError if anything is in two places, in none, or miscounted."""
    t = Table(game, state)
    for check in (tiles, cards, characters, resources, city, tokens, counters, knowledge, turn, nobody_else):
        check(t)
    if t.modules:
        check_expansion(t)


def tiles(t: Table) -> None:
    """R1.1: every tile that is in the box is in one place; so is every green space."""
    places = Counter(t.supply) + Counter(t.top) + t.under()
    for found in (members(t.g.buried), members(t.g.removed), members(t.g.prestige)):
        places.update(found)
    for p in range(5):
        places += t.pile("tiles", p) + t.pile("aside", p)
    places.update(int(tile) for tile in (*t.tile, *t.lower, *t.g.new_buildings) if tile != NONE)
    places[GREEN_SPACE] += int(t.g.green_stack) if t.modules else 0
    box = Counter(TILES)
    for module in t.modules & {*STACKS}:
        box.update(STACKS[module])
    same(+places, box, "tiles in their places")
    wanted = (6 if len(t.players) <= 3 else 0) + 3 * len(t.modules & {*STACKS})
    lost = len(members(t.g.removed)) - wanted
    assert lost == 0 or (t.config.players == 1 and lost == 1 and t.g.ending == Ending.WILLIAM), f"{lost} tiles too many are out"


def has_card(tile: int) -> bool:
    """Prestige buildings and green spaces have none (X2, X3)."""
    return tile not in (*STACKS["prestige"], GREEN_SPACE)


def cards(t: Table) -> None:
    """A card is in play once its tile lies open without a pawn or is covered; then it is in one place (R5.4, R3.6)."""
    places: Counter[int] = Counter(t.deck)
    for found in (*t.hand, *t.tableau, members(t.g.discard)):
        places.update(found)
    places.update(card for card in (*t.card, *t.kept) if card != NONE)
    open_tiles = {t.top[s] for s in range(t.n) if not t.pawn[s] and has_card(t.top[s])}
    wanted = open_tiles | members(t.g.buried) | set(LETTERS)
    same({k: v for k, v in places.items() if v != 1}, {}, "cards in several places")
    same(set(places), wanted, "cards in play")
    kept = set().union(*t.tableau)
    constructing = {t.card[t.g.player]} if t.g.player != NOBODY and t.g.action == Action.CONSTRUCT else set()
    same(members(t.g.buried) - kept - constructing, set(), "covered tiles whose card nobody keeps")
    for p in t.players:
        assert len(t.hand[p]) + (t.card[p] != NONE) + (t.kept[p] != NONE) <= t.hand_size(), f"seat {p} has too many cards"


def characters(t: Table) -> None:
    """R1.6: no more characters than printed; three for each player after the draft."""
    used = t.g.characters.sum(axis=0) + t.g.packet.sum(axis=0)
    assert (used <= CHARACTER_COPIES).all(), f"more characters than printed: {used}"
    if t.stage == Stage.DRAFT:
        for p in t.players if "experts" not in t.modules else ():
            kept = int(t.g.pick) + (p < t.g.actor)
            same((int(t.g.characters[p].sum()), int(t.g.packet[p].sum())), (kept, 4 - kept), f"seat {p}: kept and packet")
    else:
        each = 0 if t.config.players == 1 else 3
        same([int(t.g.characters[p].sum()) for p in t.players], [each] * len(t.players), "characters kept")
        same(int(t.g.packet.sum()), 0, "characters in packets")


def resources(t: Table) -> None:
    """R2.5: every resource is behind its screen, in its supply or on a building."""
    for p in t.players:
        placed = sum(floors for owner, floors in zip(t.owner, t.floors, strict=True) if owner == p)
        total = int(t.g.resources[p]) + int(t.g.supply_resources[p]) + placed
        same(total, RESOURCES_EACH[t.config.players], f"resources of side {p}")
        assert min(t.g.resources[p], t.g.supply_resources[p], t.g.points[p]) >= 0, f"side {p} has less than nothing"


def city(t: Table) -> None:
    """R2.1, R6: the start square stays; buildings stand on different, connected cells; floors are tiles."""
    same(t.cells[:9], START_SQUARE, "the start square")
    same(len(set(t.cells)), t.n, "cells with buildings")
    same(sum(t.floors), t.n + len(members(t.g.buried)) + t.under().total(), "floors")
    at = {cell: s for s, cell in enumerate(t.cells)}
    for s, (x, y) in enumerate(t.cells):
        wanted = [at.get((x + dx, y + dy), NONE) for dx, dy in SIDES]
        same([int(o) for o in t.g.adjacent[s]], wanted, f"neighbors of building {s}")
        assert s == 0 or max(wanted) >= 0, f"building {s} stands apart"
    assert (t.g.adjacent[t.n :] == NONE).all(), "a building that is not there has neighbors"
    same((int(t.g.west), int(t.g.north)), (min(x for x, _ in t.cells), min(y for _, y in t.cells)), "north-west corner")
    slots = {tile: s for s, tile in enumerate(t.top) if tile != GREEN_SPACE}
    same([int(s) for s in t.g.slot], [slots.get(tile, NONE) for tile in range(len(t.g.slot))], "buildings by their tiles")
    for s in range(t.n):
        untouched = t.floors[s] == 1 and not t.pawn[s] and t.top[s] in TILES and t.top[s] % 20 < 3
        assert t.owner[s] != NOBODY or untouched, f"building {s} was built by nobody"
        assert not t.pawn[s] or has_card(t.top[s]), f"a pawn on building {s}, whose tile has no card"
        assert t.owner[s] in (NOBODY, *t.players), f"building {s} has an owner who does not play"


def tokens(t: Table) -> None:
    """R6.2: twelve tokens on different free cells beside buildings; one in hand while it is to be placed."""
    cells = {}
    for letter in range(12):
        cell = int(t.g.token_x[letter]), int(t.g.token_y[letter])
        if cell != (NOWHERE, NOWHERE):
            cells[letter] = cell
    same(len(set(cells.values())), len(cells), "cells with tokens")
    for letter, (x, y) in cells.items():
        assert (x, y) not in t.cells, f"token {letter} lies under a building"
        assert any((x + dx, y + dy) in t.cells for dx, dy in SIDES), f"token {letter} lies apart from the city"
    in_hand = sorted(set(range(12)) - set(cells))
    same(in_hand, [t.card[t.g.player] - 60] if t.stage == Stage.TOKEN else [], "tokens in hand")
    same(int(t.g.building), t.n - 1 if t.stage == Stage.TOKEN else NONE, "the building whose token is in hand")


def counters(t: Table) -> None:
    """Sizes and bonuses kept in the record are what counting gives."""
    same(int(t.g.supply_size), len(t.supply), "supply_size")
    same([int(i) for i in t.g.supply[: len(t.supply)]], t.supply, "the supply has gaps")
    same(int(t.g.deck_size), len(t.deck), "deck_size")
    same([int(i) for i in t.g.deck[: len(t.deck)]], t.deck, "the deck has gaps")
    for p in range(5):
        wanted = [[0] * 3 for _ in range(3)]
        permanent = t.stage != Stage.DRAFT and not (t.config.players == 1 and p == WILLIAM)  # R9.3
        for c in range(9) if permanent else ():
            for item in range(3):
                wanted[CHARACTER_ACTION[c]][item] += int(t.g.characters[p, c]) * int(CHARACTER_GAIN[c, item])
        for card in t.tableau[p] if permanent else ():
            for item in range(3) if CARD_ACTION[card] != NONE else ():
                wanted[CARD_ACTION[card]][item] += int(CARD_GAIN[card, item])
        same(t.g.bonus[p].tolist(), wanted, f"bonus of seat {p}")


def knowledge(t: Table) -> None:
    """R10.3: what is known to be somewhere is there."""
    returned = members(t.g.returned)
    for p in t.players:
        behind = t.pile("tiles", p) + t.pile("aside", p) + Counter([t.tile[p], t.lower[p]])
        assert t.pile("known_tiles", p) <= behind, f"tiles known to be behind screen {p} are not there"
        left = (p + 1) % len(t.players)
        held = t.hand[left] | {t.kept[left]} | ({t.card[left]} if t.g.player != left else set())
        assert members(t.g.passed[p]) <= held, f"cards that seat {p} passed are not with the neighbor"
        most = t.hand_size() - (2 if "keep_card" in t.modules else 1)
        assert len(members(t.g.passed[p])) <= most, f"seat {p} passed more than {most} cards"
    assert returned <= set(TILES), "tiles of the expansion form a supply"
    assert not returned or set(t.supply) <= returned, "after R7.1 the supply holds tiles that nobody returned"
    assert not (returned & members(t.g.removed)), "a tile was returned and is out of the game"
    same(t.g.exhaustions >= 1 or not returned, True, "tiles were returned only after the supply ran out")


def turn(t: Table) -> None:
    """Who has chosen, who acts and what is under way go together."""
    g, order = t.g, t.order()
    acting = int(g.player)
    if t.config.players > 1:
        out = {p for p in t.players if t.card[p] != NONE}
        first, last = 0, 0  # who has a card out, in turn order
        if t.stage in CHOOSING:
            last = int(g.cursor) + (t.stage != Stage.COMMIT)
            same(int(g.actor), order[int(g.cursor)], "whose choice it is")
        elif t.stage in RESOLVING:
            first, last = int(g.cursor) + (t.phase == Phase.AFTER), len(order)
            same(acting, order[int(g.cursor)], "whose action is under way")
        same(out - set(order[first:last]), set(), "who has a card out")
        for p in set(order[first:last]) - out:  # skipped (R3.6): in the base game the shortage cannot happen
            assert t.modules and not t.hand[p] and t.kept[p] == NONE, f"seat {p} has cards and none out"
    same(acting == NOBODY, t.stage not in RESOLVING, "whose action is under way")
    if t.stage in RESOLVING and t.phase in (Phase.ACTION, Phase.AFTER):
        same((t.tile[acting], t.lower[acting]), (NONE, NONE), "the tiles of the action under way")
    for p in t.players:
        assert t.card[p] != NONE or t.tile[p] == NONE, f"seat {p} has a tile out without a card"
    if t.stage != Stage.RETURN:
        same((int(g.returner), any(t.aside)), (0, False), "tiles being returned")
    else:
        same(int(g.actor), order[int(g.returner)], "who returns tiles")
        same((len(t.supply), int(g.exhaustions)), (0, 1), "the supply while tiles are returned, and how often it ran out")
        for k, p in enumerate(order):
            assert k <= g.returner or not t.aside[p], f"seat {p} set tiles aside before its turn"
    same(g.stage == Stage.OVER, g.actor == NOBODY, "over, and nobody acts")
    drawing = t.stage in (Stage.RETURN, Stage.SPLIT)
    assert g.draws >= 0 and (g.draws == 0 or drawing), "tiles are due while something else is decided"
    assert not g.exhaustions or g.exhaustions <= (1 if t.config.players == 1 else 2), "the supply ran out too often"


def nobody_else(t: Table) -> None:
    """Absent seats have nothing; alone William has neither hand nor tiles."""
    for p in range(5):
        if p not in t.players or (t.config.players == 1 and p == WILLIAM):
            same((t.hand[p], t.tiles[p], t.aside[p], t.tile[p]), (set(), set(), set(), NONE), f"hand and tiles of side {p}")
        if p not in t.players:
            same((int(t.g.points[p]), int(t.g.resources[p]), t.tableau[p], t.card[p]), (0, 0, set(), NONE), f"side {p}")
        if p not in t.players and t.modules:
            nothing = (t.lower[p], t.kept[p], t.event[p], t.expert[p])
            same(nothing, (NONE,) * 4, f"cards of side {p}")
            same((int(t.g.events[p]), int(t.g.events_played[p]), t.pile("lower_tiles", p)), (0, 0, Counter()), f"side {p}")
    assert "spare" not in t.g.dtype.names or not t.g.spare.any(), "something lies in the spare bytes"
