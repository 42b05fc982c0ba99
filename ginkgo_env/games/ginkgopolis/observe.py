"""What a seat may know (R10), as one flat vector of named blocks. The only way from hidden fields to output.

Seats are relative to the viewer: 0 is oneself, 1 the left neighbor, and so on; alone, 1 is William. Cells are counted from
the city's north-west corner (x, y >= 0), so that a city looks the same wherever it has grown.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, count, lowest
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.ginkgopolis.constants import (
    HAND_SIZE,
    N_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_DECISIONS,
    N_LETTERS,
    N_TILES,
    NOBODY,
    NONE,
    NOWHERE,
    PLAYER,
    WORDS,
    Ending,
    Stage,
)
from ginkgo_env.games.ginkgopolis.effects import right_of
from ginkgo_env.games.ginkgopolis.tables import TILE_COLOR, TILE_NUMBER

OBSERVATION_DTYPE = np.uint8
TOP = 255  # numbers above are shown as this (only SP and rounds could ever be)
CITY_SLOTS = N_TILES  # no city of the base game can hold more buildings


class O(IntEnum):  # noqa: E742 -- the short name keeps kernels readable
    """Blocks of an observation in their order."""

    DECISION = 0
    STATUS = 1
    TURN = 2
    PLAYERS = 3
    BONUS = 4
    CHARACTERS = 5
    PACKET = 6
    HAND = 7
    TOKENS = 8
    CARDS = 9
    TILES = 10
    CITY = 11


STATUS_FIELDS = (
    *("round", "rounds_left", "end_triggered", "exhaustions", "supply_tiles", "deck_cards", "discard_cards"),
    *("draft_pick", "draws_due"),
)
TURN_FIELDS = ("is_actor", "is_first", "is_resolving", "has_card_out", "has_tile_out")
PLAYER_FIELDS = ("points", "resources", "supply_resources", "new_hands", "tiles", "cards")
HAND_FIELDS = ("card", "letter", "red", "blue", "yellow", "number", "floors", "mine", "theirs", "x", "y")
TOKEN_PLANES = ("placed", "x", "y")
CARD_PLANES = ("hand", "committed", "left_has", "right_knows", "discard", "resolving")  # then a tableau for each seat
TILE_PLANES = ("screen", "committed", "aside", "returned", "buried")  # then the known tiles of each seat
CITY_PLANES = ("floors", "x", "y", "red", "blue", "yellow", "number", "pawn")  # then an owner flag for each seat

_N_HAND, _N_CITY = len(HAND_FIELDS), len(CITY_PLANES)
_N_CARD_PLANES, _N_TILE_PLANES = len(CARD_PLANES), len(TILE_PLANES)


def observation_layout(sides: int) -> Layout:
    """The blocks of an observation with so many sides (alone: two)."""
    return Layout(
        [
            Block("decision", (N_DECISIONS,), "kind of decision awaited: draft, commit, take, token, return"),
            Block("status", (len(STATUS_FIELDS),), f"{', '.join(STATUS_FIELDS)}", high=TOP),
            Block("turn", (sides, len(TURN_FIELDS)), f"for each seat: {', '.join(TURN_FIELDS)}"),
            Block("players", (sides, len(PLAYER_FIELDS)), f"for each seat: {', '.join(PLAYER_FIELDS)}", high=TOP),
            Block("bonus", (sides, N_COLORS, N_COLORS), "for each seat: what an action brings, [action, item]", high=TOP),
            Block("characters", (sides, N_CHARACTERS), "for each seat: how many of each; others' after the draft", high=4),
            Block("packet", (N_CHARACTERS,), "draft: characters to choose from", high=4, seen_by="self"),
            Block(
                "hand",
                (HAND_SIZE, _N_HAND),
                f"for each card in hand, by its place: {', '.join(HAND_FIELDS)} (floors, mine, theirs, x, y of the building"
                " it names; x, y of the token)",
                high=TOP,
                seen_by="self",
            ),
            Block("tokens", (len(TOKEN_PLANES), N_LETTERS), f"{', '.join(TOKEN_PLANES)} of each letter", high=TOP),
            Block(
                "cards",
                (_N_CARD_PLANES + sides, N_CARDS),
                f"sets of cards: {', '.join(CARD_PLANES)}, then the tableau of each seat",
                seen_by="self: hand, committed, left_has, right_knows; all: the others",
            ),
            Block(
                "tiles",
                (_N_TILE_PLANES + sides, N_TILES),
                f"sets of tiles: {', '.join(TILE_PLANES)}, then those known to be behind each seat's screen",
                seen_by="self: screen, committed, aside; all: the others",
            ),
            Block(
                "city",
                (_N_CITY + sides, CITY_SLOTS),
                f"{', '.join(CITY_PLANES)}, then for each seat whether it is the owner, of each building in order of arrival;"
                " floors 0: no building",
                high=TOP,
            ),
        ]
    )


@kernel
def observe_one(g: Any, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write what the seat may know into out (n,) uint8; `at` are the offsets of the blocks."""
    for i in range(out.shape[0]):
        out[i] = 0
    write_status(g, out, at)
    for k in range(g.players):
        write_player(g, seat, k, out, at)
    write_tokens(g, out[at[O.TOKENS] :])
    write_hand(g, seat, out, at)
    write_cards(g, seat, out, int(at[O.CARDS]))
    write_tiles(g, seat, out, int(at[O.TILES]))
    write_city(g, seat, out[at[O.CITY] :])
    if g.stage == Stage.DRAFT:
        for c in range(N_CHARACTERS):
            out[at[O.PACKET] + c] = g.packet[seat, c]


@kernel
def write_status(g: Any, out: np.ndarray, at: np.ndarray) -> None:
    """Blocks decision and status."""
    if g.stage < Stage.OVER:
        out[at[O.DECISION] + g.stage] = 1
    k = at[O.STATUS]
    out[k] = min(TOP, int(g.rounds))
    out[k + 1] = min(TOP, int(g.max_rounds) - int(g.rounds))
    out[k + 2] = 1 if g.ending != Ending.NONE else 0
    out[k + 3] = g.exhaustions
    out[k + 4] = g.supply_size
    out[k + 5] = g.deck_size
    out[k + 6] = count(g.discard)
    out[k + 7] = g.pick
    out[k + 8] = min(TOP, int(g.draws))


@kernel
def is_choosing(g: Any) -> bool:
    """Whether players choose, so that what lies on a card and what is set aside is not seen yet (R10.1)."""
    return g.stage == Stage.COMMIT or g.stage == Stage.RETURN


@kernel
def seat_at(g: Any, seat: int, k: int) -> int:
    """The k-th seat to the left, k below the number of sides. A division would cost more than all else here."""
    p = seat + k
    return p - g.players if p >= g.players else p


@kernel
def write_player(g: Any, seat: int, k: int, out: np.ndarray, at: np.ndarray) -> None:
    """Blocks turn, players, bonus and characters of the k-th seat to the left of the viewer."""
    p = seat_at(g, seat, k)
    turn = at[O.TURN] + k * len(TURN_FIELDS)
    out[turn] = 1 if g.actor == p else 0
    out[turn + 1] = 1 if g.first == p else 0
    out[turn + 2] = 1 if g.player == p else 0
    out[turn + 3] = 1 if g.card[p] != NONE else 0
    out[turn + 4] = 1 if g.tile[p] != NONE and g.stage != Stage.COMMIT else 0
    mine = at[O.PLAYERS] + k * len(PLAYER_FIELDS)
    tiles, cards = count(g.tiles[p]), count(g.hand[p])
    if is_choosing(g):
        tiles += count(g.aside[p])
        tiles += 1 if g.tile[p] != NONE else 0
    if g.stage == Stage.COMMIT and not (g.solo and p != PLAYER):
        cards += 1 if g.card[p] != NONE else 0
    out[mine] = min(TOP, int(g.points[p]))
    out[mine + 1] = g.resources[p]
    out[mine + 2] = g.supply_resources[p]
    out[mine + 3] = g.new_hands[p]
    out[mine + 4] = tiles
    out[mine + 5] = cards
    bonus = at[O.BONUS] + k * N_COLORS * N_COLORS
    for action in range(N_COLORS):
        for item in range(N_COLORS):
            out[bonus + action * N_COLORS + item] = g.bonus[p, action, item]
    if k == 0 or g.stage != Stage.DRAFT:
        characters = at[O.CHARACTERS] + k * N_CHARACTERS
        for c in range(N_CHARACTERS):
            out[characters + c] = g.characters[p, c]


@kernel
def write_tokens(g: Any, out: np.ndarray) -> None:
    """Block tokens. A token lies at most one cell outside the buildings."""
    west, north = int(g.west) - 1, int(g.north) - 1
    for letter in range(N_LETTERS):
        if g.token_x[letter] != NOWHERE:
            out[letter] = 1
            out[N_LETTERS + letter] = g.token_x[letter] - west
            out[2 * N_LETTERS + letter] = g.token_y[letter] - north


@kernel
def write_hand(g: Any, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Block hand: the cards in the places that actions name, and what they name in the city."""
    k = at[O.HAND]
    for w in range(WORDS):
        rest = g.hand[seat, w]
        while rest != ZERO:
            card = (w << 6) + lowest(rest)
            rest &= rest - ONE
            out[k] = 1
            if card >= N_TILES:
                letter = card - N_TILES
                out[k + 1] = 1
                if g.token_x[letter] != NOWHERE:
                    out[k + 9] = g.token_x[letter] - g.west + 1
                    out[k + 10] = g.token_y[letter] - g.north + 1
            else:
                slot = g.slot[card]
                owner = int(g.owner[slot])
                out[k + 2 + TILE_COLOR[card]] = 1
                out[k + 5] = TILE_NUMBER[card]
                out[k + 6] = g.floors[slot]
                out[k + 7] = 1 if owner == seat else 0
                out[k + 8] = 1 if owner != seat and owner != NOBODY else 0
                out[k + 9] = g.x[slot] - g.west + 1
                out[k + 10] = g.y[slot] - g.north + 1
            k += _N_HAND


@kernel
def write_set(words: np.ndarray, out: np.ndarray, start: int) -> None:
    """A plane of ones where the set has members."""
    for w in range(words.shape[0]):
        rest = words[w]
        while rest != ZERO:
            out[start + (w << 6) + lowest(rest)] = 1
            rest &= rest - ONE


@kernel
def write_cards(g: Any, seat: int, out: np.ndarray, k: int) -> None:
    """Block cards."""
    write_set(g.hand[seat], out, k)
    if g.card[seat] != NONE:
        out[k + N_CARDS + int(g.card[seat])] = 1
    write_set(g.passed[seat], out, k + 2 * N_CARDS)
    write_set(g.passed[right_of(g, seat)], out, k + 3 * N_CARDS)
    write_set(g.discard, out, k + 4 * N_CARDS)
    if g.player != NOBODY:
        out[k + 5 * N_CARDS + int(g.card[g.player])] = 1
    for i in range(g.players):
        write_set(g.tableau[seat_at(g, seat, i)], out, k + (_N_CARD_PLANES + i) * N_CARDS)


@kernel
def write_tiles(g: Any, seat: int, out: np.ndarray, k: int) -> None:
    """Block tiles."""
    write_set(g.tiles[seat], out, k)
    if g.tile[seat] != NONE:
        out[k + N_TILES + int(g.tile[seat])] = 1
    write_set(g.aside[seat], out, k + 2 * N_TILES)
    write_set(g.returned, out, k + 3 * N_TILES)
    write_set(g.buried, out, k + 4 * N_TILES)
    for i in range(g.players):
        write_set(g.known_tiles[seat_at(g, seat, i)], out, k + (_N_TILE_PLANES + i) * N_TILES)


@kernel
def write_city(g: Any, seat: int, out: np.ndarray) -> None:
    """Block city, plane by plane: the compiler makes vector instructions of the short loops."""
    n = int(g.n_buildings)
    west, north = np.int8(g.west - 1), np.int8(g.north - 1)
    floors, x, y, pawn = out, out[CITY_SLOTS:], out[2 * CITY_SLOTS :], out[7 * CITY_SLOTS :]
    for s in range(n):
        floors[s] = g.floors[s]
    for s in range(n):
        x[s] = np.int8(g.x[s] - west)
    for s in range(n):
        y[s] = np.int8(g.y[s] - north)
    for s in range(n):
        pawn[s] = g.pawn[s]
    for s in range(n):
        tile = g.top[s]
        out[(3 + TILE_COLOR[tile]) * CITY_SLOTS + s] = 1
        out[6 * CITY_SLOTS + s] = TILE_NUMBER[tile]
        owner = int(g.owner[s])
        if owner != NOBODY:
            distance = owner - seat
            out[(_N_CITY + (distance + g.players if distance < 0 else distance)) * CITY_SLOTS + s] = 1
