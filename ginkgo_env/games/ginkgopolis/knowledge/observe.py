"""Observations: what a seat may know (R10), as one flat vector of named blocks.

The blocks and their fields are declared in ``layout``. This is the only way from hidden fields to output.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, count, lowest
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.seats import seat_at
from ginkgo_env.games.ginkgopolis.actions import tile_index
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    N_CHARACTERS,
    N_COLORS,
    N_EXPERTS,
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
from ginkgo_env.games.ginkgopolis.knowledge.layout import (
    DECISION_COLUMN,
    HAND_FIELDS,
    N_BLOCKS,
    N_EXPANSION_BLOCKS,
    SIZES,
    TOP,
    CardPlane,
    CityPlane,
    ConfigurationField,
    HandField,
    ObsBlock,
    PlayerField,
    Size,
    StatusField,
    TilePlane,
    TokenPlane,
    TurnField,
)
from ginkgo_env.games.ginkgopolis.knowledge.observe_expansion import (
    is_in_sequence,
    write_counts,
    write_events,
    write_expert,
    write_greens,
    write_modules,
    write_packet,
    write_pending,
    write_turn,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.cards import right_of
from ginkgo_env.games.ginkgopolis.rules.tiles import count_tiles, tiles_behind
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import TILE_COLOR, TILE_NUMBER, is_letter

_N_HAND = len(HAND_FIELDS)


@kernel
def size_of(size: int) -> int:
    """Return a number of fields, planes or columns; `size` is a Size."""
    return SIZES[1, size] if EXPANSION else SIZES[0, size]


@kernel
def observe(g: State, t: None, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write what a seat may know into out (n,) uint8; `at` (blocks + 1,) holds the offsets (R10)."""
    for i in range(out.shape[0]):
        out[i] = 0
    if seat >= g.players:  # an absent seat sees nothing
        return
    write_status(g, seat, out, at)
    for k in range(g.players):
        write_player(g, seat, k, out, at)
    write_tokens(g, out[at[ObsBlock.TOKENS] :])
    write_hand(g, seat, out, at)
    write_cards(g, seat, out, int(at[ObsBlock.CARDS]))
    write_tiles(g, seat, out, int(at[ObsBlock.TILES]))
    write_city(g, seat, out[at[ObsBlock.CITY] :])
    if g.stage == Stage.DRAFT:  # R10.2: the own packet only
        for c in range(N_CHARACTERS):
            out[at[ObsBlock.PACKET] + c] = g.packet[seat, c]
    if EXPANSION:
        write_modules(g, out[at[ObsBlock.MODULES] :])
        write_pending(g, out[at[ObsBlock.PENDING] :])
        if g.stage == Stage.DRAFT:
            write_packet(g, seat, out[at[ObsBlock.PACKET_EXPERTS] :])
    n_blocks = N_EXPANSION_BLOCKS if EXPANSION else N_BLOCKS
    if at.size > n_blocks + 1:  # padded
        write_configuration(g, out[at[n_blocks] :])


@kernel
def write_configuration(g: State, out: np.ndarray) -> None:
    """Write block configuration."""
    for k in range(g.players):
        out[ConfigurationField.SEAT_0 + k] = 1
    out[ConfigurationField.SOLO] = g.solo
    out[ConfigurationField.ADVANCED] = g.advanced
    out[ConfigurationField.DRAFT] = g.draft
    out[ConfigurationField.STRICT] = g.strict


@kernel
def write_decision(g: State, seat: int, out: np.ndarray) -> None:
    """Write block decision."""
    if EXPANSION and g.actor != seat and is_in_sequence(g, int(g.actor)):  # X7.3: others only see that somebody is choosing
        out[DECISION_COLUMN[Stage.COMMIT]] = 1
    elif DECISION_COLUMN[g.stage] != NONE:
        out[DECISION_COLUMN[g.stage]] = 1


@kernel
def write_status(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write blocks decision and status (R10.1)."""
    write_decision(g, seat, out[at[ObsBlock.DECISION] :])
    status = out[at[ObsBlock.STATUS] :]
    status[StatusField.ROUND] = min(TOP, int(g.rounds))
    status[StatusField.ROUNDS_LEFT] = min(TOP, int(g.max_rounds) - int(g.rounds))
    status[StatusField.END_TRIGGERED] = 1 if g.ending != Ending.NONE else 0
    status[StatusField.EXHAUSTIONS] = g.exhaustions
    status[StatusField.SUPPLY_TILES] = g.supply_size
    status[StatusField.DECK_CARDS] = g.deck_size
    status[StatusField.DISCARD_CARDS] = count(g.discard)
    status[StatusField.DRAFT_PICK] = g.pick
    status[StatusField.DRAWS_DUE] = min(TOP, int(g.draws))
    if EXPANSION:
        status[StatusField.NEW_BUILDINGS] = g.n_new_buildings
        status[StatusField.GREEN_SPACES] = g.green_stack


@kernel
def is_committing(g: State) -> bool:
    """Whether players are choosing, so that nothing on a card is visible yet (R10.1, X7.3)."""
    return g.stage == Stage.COMMIT or (EXPANSION and is_in_sequence(g, int(g.actor)))


@kernel
def tiles_shown(g: State, p: int) -> int:
    """Count the tiles that a player seems to hold."""
    tiles = tiles_behind(g, p)
    if is_committing(g) or g.stage == Stage.RETURN:  # R10.1: what is committed or set aside in secret counts as held
        tiles += count_tiles(g.aside[p], int(g.green_aside[p])) if EXPANSION else count(g.aside[p])
        tiles += 1 if g.tile[p] != NONE else 0
        if EXPANSION:
            tiles += 1 if g.lower[p] != NONE else 0
    return tiles


@kernel
def cards_shown(g: State, p: int) -> int:
    """Count the cards that a player seems to hold."""
    cards = count(g.hand[p])
    if is_committing(g) and not (g.solo and p != PLAYER):  # R10.1: committed cards count as held; William has no hand
        cards += 1 if g.card[p] != NONE else 0
        if EXPANSION:
            cards += 1 if g.kept[p] != NONE else 0
    return cards


@kernel
def write_player(g: State, seat: int, k: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write rows of blocks turn, players, bonus and characters: of the k-th seat to the left."""
    p = seat_at(g, seat, k)
    choosing = is_committing(g)
    turn = out[at[ObsBlock.TURN] + k * size_of(Size.TURN) :]
    turn[TurnField.IS_ACTOR] = 1 if g.actor == p else 0
    turn[TurnField.IS_FIRST] = 1 if g.first == p else 0
    turn[TurnField.IS_RESOLVING] = 1 if g.player == p else 0
    turn[TurnField.HAS_CARD_OUT] = 1 if g.card[p] != NONE else 0
    turn[TurnField.HAS_TILE_OUT] = 1 if g.tile[p] != NONE and not choosing else 0  # R3.1: visible once actions are resolved
    player = out[at[ObsBlock.PLAYERS] + k * size_of(Size.PLAYER) :]
    if EXPANSION:
        if k > 0 and is_in_sequence(g, p):  # X7.3: others see it when the next player chooses
            turn[TurnField.HAS_CARD_OUT] = 0
        write_turn(g, p, choosing, turn)
        write_counts(g, p, choosing, player)
        write_events(g, seat, k, p, out[at[ObsBlock.EVENTS] : at[ObsBlock.EVENTS + 1]])
    player[PlayerField.POINTS] = min(TOP, int(g.points[p]))
    player[PlayerField.RESOURCES] = g.resources[p]
    player[PlayerField.SUPPLY_RESOURCES] = g.supply_resources[p]
    player[PlayerField.NEW_HANDS] = g.new_hands[p]
    player[PlayerField.TILES] = tiles_shown(g, p)
    player[PlayerField.CARDS] = cards_shown(g, p)
    bonus = at[ObsBlock.BONUS] + k * N_COLORS * N_COLORS
    for action in range(N_COLORS):
        for item in range(N_COLORS):
            out[bonus + action * N_COLORS + item] = g.bonus[p, action, item]
    if k == 0 or g.stage != Stage.DRAFT:  # R2.7: others' characters are shown at the end of the draft
        characters = at[ObsBlock.CHARACTERS] + k * N_CHARACTERS
        for c in range(N_CHARACTERS):
            out[characters + c] = g.characters[p, c]
        if EXPANSION:
            write_expert(g, p, out[at[ObsBlock.EXPERT] + k * N_EXPERTS :])


@kernel
def write_tokens(g: State, out: np.ndarray) -> None:
    """Write block tokens."""
    west, north = int(g.west) - 1, int(g.north) - 1  # R6.2, R6.3: at most one cell outside the buildings
    for letter in range(N_LETTERS):
        if g.token_x[letter] != NOWHERE:
            out[TokenPlane.PLACED * N_LETTERS + letter] = 1
            out[TokenPlane.X * N_LETTERS + letter] = g.token_x[letter] - west
            out[TokenPlane.Y * N_LETTERS + letter] = g.token_y[letter] - north


@kernel
def write_hand(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write block hand: the cards in the order that actions use, and what they name in the city."""
    k = at[ObsBlock.HAND]
    for w in range(WORDS):
        rest = g.hand[seat, w]
        while rest != ZERO:
            card = (w << 6) + lowest(rest)
            rest &= rest - ONE
            out[k + HandField.CARD] = 1
            if is_letter(card):
                letter = card - N_TILES
                out[k + HandField.LETTER] = 1
                if g.token_x[letter] != NOWHERE:  # else the token is in hand (R6.1)
                    out[k + HandField.X] = g.token_x[letter] - g.west + 1
                    out[k + HandField.Y] = g.token_y[letter] - g.north + 1
            else:
                slot = g.slot[card]
                owner = int(g.owner[slot])
                out[k + HandField.RED + TILE_COLOR[card]] = 1
                out[k + HandField.NUMBER] = TILE_NUMBER[card]
                out[k + HandField.FLOORS] = g.floors[slot]
                out[k + HandField.MINE] = 1 if owner == seat else 0
                out[k + HandField.THEIRS] = 1 if owner != seat and owner != NOBODY else 0
                out[k + HandField.X] = g.x[slot] - g.west + 1
                out[k + HandField.Y] = g.y[slot] - g.north + 1
            k += _N_HAND


@kernel
def write_set(words: np.ndarray, out: np.ndarray, start: int) -> None:
    """Write ones where a set has members."""
    for w in range(words.shape[0]):
        rest = words[w]
        while rest != ZERO:
            out[start + (w << 6) + lowest(rest)] = 1
            rest &= rest - ONE


@kernel
def write_tile_set(g: State, words: np.ndarray, out: np.ndarray, start: int) -> None:
    """Write ones where a set has tiles."""
    if not EXPANSION:  # columns are ids
        write_set(words, out, start)
        return
    for w in range(words.shape[0]):
        rest = words[w]
        while rest != ZERO:
            out[start + tile_index((w << 6) + lowest(rest))] = 1
            rest &= rest - ONE


@kernel
def write_cards(g: State, seat: int, out: np.ndarray, k: int) -> None:
    """Write block cards: those that the seat knows (R10.1 to R10.3), then tableaus."""
    width = size_of(Size.CARDS)
    write_set(g.hand[seat], out, k + CardPlane.HAND * width)
    if g.card[seat] != NONE:
        out[k + CardPlane.COMMITTED * width + int(g.card[seat])] = 1
    write_set(g.passed[seat], out, k + CardPlane.LEFT_HAS * width)  # R10.3
    write_set(g.passed[right_of(g, seat)], out, k + CardPlane.RIGHT_KNOWS * width)
    write_set(g.discard, out, k + CardPlane.DISCARD * width)
    if g.player != NOBODY and g.card[g.player] != NONE:  # R3.4: revealed
        out[k + CardPlane.RESOLVING * width + int(g.card[g.player])] = 1
    if EXPANSION and g.kept[seat] != NONE:
        out[k + CardPlane.KEPT * width + int(g.kept[seat])] = 1
    for i in range(g.players):
        write_set(g.tableau[seat_at(g, seat, i)], out, k + (size_of(Size.CARD_PLANES) + i) * width)


@kernel
def write_tiles(g: State, seat: int, out: np.ndarray, k: int) -> None:
    """Write block tiles: those that the seat knows (R10.1 to R10.3, X7.4)."""
    width, first_known = size_of(Size.TILES), size_of(Size.TILE_PLANES)
    write_tile_set(g, g.tiles[seat], out, k + TilePlane.SCREEN * width)
    if g.tile[seat] != NONE:
        out[k + TilePlane.COMMITTED * width + tile_index(int(g.tile[seat]))] = 1
    write_tile_set(g, g.aside[seat], out, k + TilePlane.ASIDE * width)
    write_tile_set(g, g.returned, out, k + TilePlane.RETURNED * width)
    write_tile_set(g, g.buried, out, k + TilePlane.BURIED * width)
    if EXPANSION:
        if g.lower[seat] != NONE:
            out[k + TilePlane.LOWER * width + tile_index(int(g.lower[seat]))] = 1
        if g.player != NOBODY and g.tile[g.player] != NONE:  # X7.1: shown, waiting for an event
            out[k + TilePlane.RESOLVING * width + tile_index(int(g.tile[g.player]))] = 1
        write_tile_set(g, g.prestige, out, k + TilePlane.STACKS * width)
        write_tile_set(g, g.lower_tiles[seat], out, k + TilePlane.OWN_LOWER * width)  # X7.4: known to who placed them
    for i in range(g.players):
        write_tile_set(g, g.known_tiles[seat_at(g, seat, i)], out, k + (first_known + i) * width)
    if EXPANSION:
        write_greens(g, seat, out[k:], width, first_known)


@kernel
def write_city(g: State, seat: int, out: np.ndarray) -> None:
    """Write block city, plane by plane: the compiler vectorizes the short loops."""
    n, slots, owners = int(g.n_buildings), size_of(Size.BUILDINGS), size_of(Size.CITY_PLANES)
    west, north = np.int8(g.west - 1), np.int8(g.north - 1)
    floors, pawn = out[CityPlane.FLOORS * slots :], out[CityPlane.PAWN * slots :]
    x, y = out[CityPlane.X * slots :], out[CityPlane.Y * slots :]
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
        if EXPANSION and tile == GREEN_SPACE:
            out[CityPlane.GREEN * slots + s] = 1
        else:
            out[(CityPlane.RED + TILE_COLOR[tile]) * slots + s] = 1
        out[CityPlane.NUMBER * slots + s] = TILE_NUMBER[tile]
        owner = int(g.owner[s])
        if owner != NOBODY:
            distance = owner - seat
            out[(owners + (distance + g.players if distance < 0 else distance)) * slots + s] = 1
