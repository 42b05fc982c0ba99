"""The state of one game: a single numpy record. A batch is an array of them.

Each field is declared with its shape (P = seats, William included; W = words of a set; C = buildings of the city), meaning,
empty value, and who may know it. Fields marked *hidden* reach a player only through ``observe``. Wide fields come first, so
that the record has no gaps; piles and fields used only by setup come last.

Numbers are signed throughout, as Numba turns arithmetic that mixes signed and unsigned 64-bit integers into floats.
A *set* holds cards or tiles by id (``core.compile.bits``). Ids: tile and building card = 20 x color + number - 1; letter = 60 +
letter; those of the expansion follow (``tables``).

One dtype serves all configurations. Fields of The Experts keep their empty values without modules.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.state import Array, Record, bits, byte, fields_of, record_dtype, short, word
from ginkgo_env.games.ginkgopolis.constants import (
    MAX_BUILDINGS,
    MAX_PLAYERS,
    N_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_DIRECTIONS,
    N_IDS,
    N_LETTERS,
    N_MODULES,
    N_NEW_BUILDINGS,
    N_TILES,
    WORDS,
    Split,
)

P, W, C = MAX_PLAYERS, WORDS, MAX_BUILDINGS
_SPARE_CARDS = 9  # of the expansion, so that a deck of it fits as well


class State(Record):
    """The fields of a game's record, from which its dtype is made; also the type of ``g`` in kernels."""

    # words
    rng: np.uint64 = word()  # state of the generator; hidden
    seed: np.uint64 = word()  # seed of this game; hidden
    hand: Array = word(P, W)  # set of cards without the committed one; hidden from others
    tiles: Array = word(P, W)  # set behind the screen; hidden from others, their number public
    passed: Array = word(P, W)  # set of cards known to be in the left neighbor's hand; known to the seat (R10.3)
    discard: Array = word(W)  # set of cards; public (R3.6)
    known_tiles: Array = word(P, W)  # set known by all to be behind this screen or committed (R10.3); public
    tableau: Array = word(P, W)  # set of building cards in front of the screen; public
    buried: Array = word(W)  # set of tiles covered by others; public
    aside: Array = word(P, W)  # set of tiles set aside in R7.1; hidden from others until all have chosen
    returned: Array = word(W)  # set of tiles returned by R7.1; public
    removed: Array = word(W)  # set of tiles out of the game (R2.3); hidden
    lower_tiles: Array = word(P, W)  # set of lower tiles in the city by who placed them (X6); known to that seat
    prestige: Array = word(W)  # set of tiles in the three stacks of value III, the lower number first; public

    # short numbers
    points: Array = short(P)  # SP behind the screen; public (R10.1)
    rounds: int = short()  # the round's number, 0 before the first choice; public
    max_rounds: int = short()  # R8.4
    draws: int = short()  # tiles still to be drawn by the action under way; public
    packet_experts: Array = bits(P, 1)  # draft: set of the experts to choose from; hidden from others

    # configuration, public
    players: int = byte()  # sides that score: 2 to 5; alone 2, the second is William
    solo: int = byte()  # 1 alone against William (R9)
    advanced: int = byte()  # 1 at William's advanced level (R9.4)
    draft: int = byte()  # 1 if characters are drafted, 0 for introductory sets (R2.7)
    strict: int = byte()  # 1 if the mask hides what cannot be paid (R3.3)
    # where the game stands, public
    stage: int = byte()  # Stage: the kind of decision awaited
    actor: int = byte()  # seat that decides, NOBODY when over
    first: int = byte()  # first player, NOBODY before it is picked
    cursor: int = byte()  # how many have chosen / been resolved in this phase, in turn order
    returner: int = byte()  # how many have finished returning tiles (R7.1), in turn order
    pick: int = byte()  # draft: which of the three picks, from 0
    ending: int = byte()  # Ending: what triggered the end first
    exhaustions: int = byte()  # how often the tile supply ran out (R7)
    # the action under way, public
    player: int = byte()  # whose action is resolved, NOBODY if none's
    action: int = byte()  # Action that it turned out to be
    building: int = byte()  # slot of the building just urbanized, while its token is to be placed
    # what players have
    resources: Array = byte(P)  # behind the screen; public
    supply_resources: Array = byte(P)  # own ones in the general supply; public
    new_hands: Array = byte(P)  # tokens left; public
    card: Array = byte(P)  # committed card or NONE; hidden from others until revealed
    tile: Array = byte(P)  # committed tile or NONE; hidden from others until revealed
    bonus: Array = byte(P, N_COLORS, N_COLORS)  # [seat, action, item]: what an own action brings (R1.5); public
    # the city, public
    supply_size: int = byte()  # tiles left in the supply
    deck_size: int = byte()  # cards left in the deck
    n_buildings: int = byte()
    west: int = byte()  # lowest x of a building
    north: int = byte()  # lowest y of a building
    token_x: Array = byte(N_LETTERS)  # NOWHERE for the token in hand
    token_y: Array = byte(N_LETTERS)
    x: Array = byte(C)
    y: Array = byte(C)
    top: Array = byte(C)  # tile on top
    floors: Array = byte(C)  # also the number of resources on it, if it is owned
    owner: Array = byte(C)  # seat or NOBODY
    pawn: Array = byte(C)  # 1 with a construction-site pawn: its card is not in the deck yet
    slot: Array = byte(N_IDS)  # of the building with this tile on top, NONE without
    adjacent: Array = byte(C, N_DIRECTIONS)  # slots of the neighbors N E S W, NONE without
    # piles and characters
    supply: Array = byte(N_TILES)  # tiles, the next one last, NONE above; hidden
    deck: Array = byte(N_CARDS + _SPARE_CARDS)  # cards, the next one last, NONE above; hidden
    characters: Array = byte(P, N_CHARACTERS)  # how many of each; hidden from others during the draft
    packet: Array = byte(P, N_CHARACTERS)  # draft: characters to choose from; hidden from others

    # The Experts: empty without modules
    expansion: int = byte()  # 1 if the game is played with any module; configuration, public
    modules: Array = byte(N_MODULES)  # flags by Module; configuration, public
    hand_size: int = byte()  # cards in a full hand (R2.9, R9.2, X5); configuration, public
    # where the turn stands, public
    phase: int = byte()  # Phase
    timing: int = byte()  # Timing of the event of the action under way, NONE before the choice
    zone: Array = byte(3)  # x, y, and 1 if that cell belongs to the zone itself (X4.3)
    payer: int = byte()  # quality control: how many have paid, clockwise
    received: int = byte()  # quality control: SP received so far
    split: Array = byte(len(Split) - 1)  # what has been chosen of the split under way, by Split
    is_split: int = byte()  # 1 from when the draws under way are split until they are done
    green_drawn: int = byte()  # 1 if a green space was drawn in this turn (X3.1)
    # what players have
    expert: Array = byte(P)  # Expert or NONE; hidden from others during the draft
    events: Array = byte(P)  # bits of the event tiles behind the screen; hidden from others without experts
    events_known: Array = byte(P)  # bits of those known by all to be behind this screen or committed (X4.4); public
    events_played: Array = byte(P)  # bits of those that have taken effect; public
    event: Array = byte(P)  # committed EventTile or NONE; hidden from others until revealed
    lower: Array = byte(P)  # committed lower tile or NONE; hidden from others for good
    kept: Array = byte(P)  # card kept (X5) or NONE; hidden from others
    # how many green spaces: equal tiles, in sets only as one member if there are any
    green: Array = byte(P)  # behind the screen, as `tiles`
    green_aside: Array = byte(P)  # as `aside`
    green_known: Array = byte(P)  # as `known_tiles`
    green_lower: Array = byte(P)  # as `lower_tiles`
    # stacks
    green_stack: int = byte()  # green spaces left; public
    n_new_buildings: int = byte()  # tiles of value II left; public
    new_buildings: Array = byte(N_NEW_BUILDINGS)  # the next one last, NONE above; hidden


RECORD = record_dtype(fields_of(State))
"""The dtype of a game's state, at most 2 KB. One object for all: Numba recognizes a dtype by identity."""
