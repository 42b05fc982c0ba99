"""Soundness of the city and of the box: buildings, tokens, tiles, cards."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import count, has
from ginkgo_env.core.compile.intrinsics import scratch
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    MAX_BUILDINGS,
    N_CARDS,
    N_DIRECTIONS,
    N_GREEN_SPACES,
    N_IDS,
    N_LETTERS,
    N_TILES,
    NOBODY,
    NONE,
    NOWHERE,
    WORDS,
    Action,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.city import building_at, token_at
from ginkgo_env.games.ginkgopolis.rules.flaws import Flaw
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import DX, DY, HAS_CARD

FARTHEST = 120
"""How far out buildings are at most, so that coordinates stay 8-bit numbers."""
_EDGE = 12  # cells for as many tokens (R6.3)
_N_BITS = 64 * WORDS
_LOST = 1_000  # more than any number of tiles
# How many of each tile there are, and the module that brings it, by member of a set.
_COPIES = np.array(
    [(tile < N_TILES or N_CARDS <= tile < GREEN_SPACE) + N_GREEN_SPACES * (tile == GREEN_SPACE) for tile in range(_N_BITS)]
)
_MODULE = np.full(_N_BITS, NONE)
_MODULE[FIRST_NEW_BUILDING:FIRST_PRESTIGE] = Module.NEW_BUILDINGS
_MODULE[FIRST_PRESTIGE:GREEN_SPACE], _MODULE[GREEN_SPACE] = Module.PRESTIGE, Module.GREEN_SPACES


# --- the city ----------------------------------------------------------------------------------------------------------------


@kernel
def flaw_of_city(g: State) -> int:
    """Return the first flaw of buildings and tokens, 0 if there is none."""
    far = FARTHEST - (
        (MAX_BUILDINGS if EXPANSION else N_TILES) - int(g.n_buildings)
    )  # R6.1: each further tile may lie further out
    named = 0
    for s in range(g.n_buildings):
        if not is_building(g, s, far):
            return Flaw.CITY
        named += 1 if g.top[s] != GREEN_SPACE else 0
    for tile in range(N_IDS):
        named -= 1 if g.slot[tile] != NONE else 0
    if named != 0 or not is_connected(g):
        return Flaw.CITY
    in_hand = int(g.card[g.player]) - N_TILES if g.stage == Stage.TOKEN and g.player != NOBODY else NONE
    for letter in range(N_LETTERS):
        if not is_token(g, letter, far + 1, letter == in_hand):
            return Flaw.TOKENS
    return 0 if has_room(g) else Flaw.EDGE


@kernel
def is_building(g: State, s: int, far: int) -> bool:
    """Whether a building is alone on its cell, has its neighbors, and is named by its tile."""
    x, y, tile = int(g.x[s]), int(g.y[s]), int(g.top[s])
    for d in range(N_DIRECTIONS):
        if g.adjacent[s, d] != building_at(g, x + DX[d], y + DY[d]):
            return False
    if (
        abs(x) > far
        or abs(y) > far
        or building_at(g, x, y) != s
        or g.floors[s] < 1
        or g.floors[s] > MAX_BUILDINGS
        or tile == NONE
    ):
        return False
    if tile == GREEN_SPACE:  # X3.1: it belongs to the player who placed it, and no card names it
        return g.owner[s] != NOBODY and g.pawn[s] == 0
    return g.slot[tile] == s and (g.pawn[s] == 0 or HAS_CARD[tile])


@kernel
def is_connected(g: State) -> bool:
    """Whether all buildings are reached from the first one, with neighbors as recorded."""
    reached, waiting = np.zeros(MAX_BUILDINGS, np.int64), scratch(MAX_BUILDINGS)
    waiting[0], reached[0] = 0, 1
    n, done = 1, 0
    while done < n:
        for d in range(N_DIRECTIONS):
            other = int(g.adjacent[waiting[done], d])
            if other != NONE and reached[other] == 0:
                reached[other] = 1
                waiting[n] = other
                n += 1
        done += 1
    return n == g.n_buildings


@kernel
def is_token(g: State, letter: int, far: int, in_hand: bool) -> bool:
    """Whether a token lies alone on a free cell beside a building (R6.2), or nowhere if it is in hand."""
    x, y = int(g.token_x[letter]), int(g.token_y[letter])
    if in_hand:
        return x == NOWHERE and y == NOWHERE
    beside = False
    for d in range(N_DIRECTIONS):
        beside = beside or building_at(g, x + DX[d], y + DY[d]) != NONE
    return beside and abs(x) <= far and abs(y) <= far and building_at(g, x, y) == NONE and token_at(g, x, y) == letter


@kernel
def has_room(g: State) -> bool:
    """Whether the corner is recorded, and the edge (R6.3) keeps a cell for each token as the city grows.

    Each column has a cell of the edge above and one below, each building of the first and of the last column one beside it.
    """
    west, north, east, south = int(g.x[0]), int(g.y[0]), int(g.x[0]), int(g.y[0])
    for s in range(g.n_buildings):
        west, north = min(west, int(g.x[s])), min(north, int(g.y[s]))
        east, south = max(east, int(g.x[s])), max(south, int(g.y[s]))
    columns, rows = 2 * (east - west + 1), 2 * (south - north + 1)
    for s in range(g.n_buildings):
        columns += (1 if g.x[s] == west else 0) + (1 if g.x[s] == east else 0)
        rows += (1 if g.y[s] == north else 0) + (1 if g.y[s] == south else 0)
    return g.west == west and g.north == north and max(columns, rows) >= _EDGE


# --- tiles and cards -----------------------------------------------------------------------------------------------------------


@kernel
def count_set(words: np.ndarray, places: np.ndarray) -> None:
    """Count the members of a set, whatever they are, in `places` (``_N_BITS``,)."""
    for i in range(_N_BITS):
        places[i] += 1 if has(words, i) else 0


@kernel
def count_ids(ids: np.ndarray, places: np.ndarray) -> None:
    """Count ids in `places`; NONE counts nothing."""
    for i in range(ids.size):
        if ids[i] != NONE:
            places[ids[i]] += 1


@kernel
def count_tiles_in(words: np.ndarray, green: int, places: np.ndarray) -> int:
    """Count a set of tiles in `places`; return their number, negative if it does not fit the green spaces."""
    count_set(words, places)
    more = max(0, green - 1)
    places[GREEN_SPACE] += more
    return count(words) + more if has(words, GREEN_SPACE) == (green > 0) else -_LOST


@kernel
def flaw_of_tiles(g: State) -> int:
    """Return Flaw.TILES unless each tile is in one place (R1.1, X3.1), and each floor is a tile."""
    places = np.zeros(_N_BITS, np.int64)
    count_ids(g.supply, places)
    count_ids(g.new_buildings, places)
    count_ids(g.tile, places)
    count_ids(g.lower, places)
    count_set(g.buried, places)
    count_set(g.removed, places)
    count_set(g.prestige, places)
    covered, others = count(g.buried), 0
    for p in range(g.players):
        others += count_tiles_in(g.tiles[p], int(g.green[p]), places) + count_tiles_in(g.aside[p], int(g.green_aside[p]), places)
        covered += count_tiles_in(g.lower_tiles[p], int(g.green_lower[p]), places)
    for s in range(g.n_buildings):
        places[g.top[s]] += 1
        covered -= int(g.floors[s]) - 1
    places[GREEN_SPACE] += int(g.green_stack)
    for tile in range(_N_BITS):
        if places[tile] != (_COPIES[tile] if _MODULE[tile] == NONE else _COPIES[tile] * g.modules[_MODULE[tile]]):
            return Flaw.TILES
        out, returned = has(g.removed, tile), has(g.returned, tile)
        if (out or returned) and (tile >= N_TILES or out == returned):  # R2.3, R7.1: what was returned came from players
            return Flaw.TILES
        if (has(g.prestige, tile) and _MODULE[tile] != Module.PRESTIGE) or (has(g.buried, tile) and tile >= FIRST_PRESTIGE):
            return Flaw.TILES
    return 0 if covered == 0 and others >= 0 else Flaw.TILES


@kernel
def has_cards(g: State) -> bool:
    """Whether each card in play is in one place: its tile is open without pawn, or covered (R5.4, R3.6)."""
    wanted, places = np.zeros(_N_BITS, np.int64), np.zeros(_N_BITS, np.int64)
    for p in range(g.players):
        count_set(g.tableau[p], places)
    constructing = int(g.card[g.player]) if g.player != NOBODY and g.action == Action.CONSTRUCT else NONE
    for card in range(_N_BITS):
        if has(g.buried, card):
            if places[card] == 0 and card != constructing:  # R5.6: it names no building
                return False
            wanted[card] = 1
        elif N_TILES <= card < N_CARDS:
            if places[card] > 0:
                return False
            wanted[card] = 1
    for s in range(g.n_buildings):
        wanted[g.top[s]] += 1 if HAS_CARD[g.top[s]] and g.pawn[s] == 0 else 0
    count_ids(g.deck, places)
    count_ids(g.card, places)
    count_ids(g.kept, places)
    count_set(g.discard, places)
    for p in range(g.players):
        count_set(g.hand[p], places)
    wrong = 0
    for card in range(_N_BITS):
        wrong += 1 if wanted[card] != places[card] else 0
    return wrong == 0
