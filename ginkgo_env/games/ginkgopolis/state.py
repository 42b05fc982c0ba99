"""The state of one game: a single numpy record. A batch is an array of them.

Every field is documented where it is declared: shape letters P = seats (William included), W = words of a set, C = city
buildings; then meaning, empty value, and who may know it. What is marked *hidden* reaches nobody except through ``observe``.
Wide fields come first, so that nothing lies between them; the piles and what only setup uses come last.

Numbers are signed throughout: Numba makes floats of what mixes signed and unsigned 64-bit integers.
A *set* holds cards or tiles by id (``core.bits``). Ids: tile and building card = 20 x color + number - 1; letter = 60 + letter;
those of the expansion follow (``tables``).

One dtype serves all configurations. What only The Experts needs keeps its empty value without modules.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.game import States
from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig
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
    NEW_HANDS,
    NONE,
    RESOURCES,
    SOLO_HAND_SIZE,
    WORDS,
    Module,
    Split,
)
from ginkgo_env.games.ginkgopolis.tables import TOKEN_X, TOKEN_Y

P, W, C = MAX_PLAYERS, WORDS, MAX_BUILDINGS
_SPARE_CARDS = 9  # of the expansion, so that a deck of it fits as well

_Fields = list[tuple[str, type[np.generic]] | tuple[str, type[np.generic], int | tuple[int, ...]]]

_WORDS: _Fields = [
    ("rng", np.uint64),  # state of the generator; hidden
    ("seed", np.uint64),  # seed of this game; hidden
    ("hand", np.uint64, (P, W)),  # set of cards without the committed one; hidden from others
    ("tiles", np.uint64, (P, W)),  # set behind the screen; hidden from others, their number public
    ("passed", np.uint64, (P, W)),  # set of cards known to be in the left neighbor's hand; known to the seat (R10.3)
    ("discard", np.uint64, W),  # set of cards; public (R3.6)
    ("known_tiles", np.uint64, (P, W)),  # set known by all to be behind this screen or committed (R10.3); public
    ("tableau", np.uint64, (P, W)),  # set of building cards in front of the screen; public
    ("buried", np.uint64, W),  # set of tiles covered by others; public
    ("aside", np.uint64, (P, W)),  # set of tiles set aside in R7.1; hidden from others until all have chosen
    ("returned", np.uint64, W),  # set of tiles returned by R7.1; public
    ("removed", np.uint64, W),  # set of tiles out of the game (R2.3); hidden
]

_SHORTS: _Fields = [
    ("points", np.int16, P),  # SP behind the screen; public (R10.1)
    ("rounds", np.int16),  # the round's number, 0 before the first choice; public
    ("max_rounds", np.int16),  # R8.4
    ("draws", np.int16),  # tiles still to be drawn by the action under way; public
]

_BYTES: _Fields = [
    # configuration, public
    ("players", np.int8),  # sides that score: 2 to 5; alone 2, the second is William
    ("solo", np.int8),  # 1 alone against William (R9)
    ("advanced", np.int8),  # 1 at William's advanced level (R9.4)
    ("draft", np.int8),  # 1 if characters are drafted, 0 for introductory sets (R2.7)
    ("strict", np.int8),  # 1 if the mask hides what cannot be paid (R3.3)
    # where the game stands, public
    ("stage", np.int8),  # Stage: the kind of decision awaited
    ("actor", np.int8),  # seat that decides, NOBODY when over
    ("first", np.int8),  # first player, NOBODY before it is picked
    ("cursor", np.int8),  # how many have chosen / been resolved in this phase, in turn order
    ("returner", np.int8),  # how many have finished returning tiles (R7.1), in turn order
    ("pick", np.int8),  # draft: which of the three picks, from 0
    ("ending", np.int8),  # Ending: what triggered the end first
    ("exhaustions", np.int8),  # how often the tile supply ran out (R7)
    # the action under way, public
    ("player", np.int8),  # whose action is resolved, NOBODY if none's
    ("action", np.int8),  # Action that it turned out to be
    ("building", np.int8),  # slot of the building just urbanized, while its token is to be placed
    # what players have
    ("resources", np.int8, P),  # behind the screen; public
    ("supply_resources", np.int8, P),  # own ones in the general supply; public
    ("new_hands", np.int8, P),  # tokens left; public
    ("card", np.int8, P),  # committed card or NONE; hidden from others until revealed
    ("tile", np.int8, P),  # committed tile or NONE; hidden from others until revealed
    ("bonus", np.int8, (P, N_COLORS, N_COLORS)),  # [seat, action, item]: what an own action brings (R1.5); public
    # the city, public
    ("supply_size", np.int8),  # tiles left in the supply
    ("deck_size", np.int8),  # cards left in the deck
    ("n_buildings", np.int8),
    ("west", np.int8),  # lowest x of a building
    ("north", np.int8),  # lowest y of a building
    ("token_x", np.int8, N_LETTERS),  # NOWHERE for the token in hand
    ("token_y", np.int8, N_LETTERS),
    ("x", np.int8, C),
    ("y", np.int8, C),
    ("top", np.int8, C),  # tile on top
    ("floors", np.int8, C),  # also the number of resources on it, if it is owned
    ("owner", np.int8, C),  # seat or NOBODY
    ("pawn", np.int8, C),  # 1 with a construction-site pawn: its card is not in the deck yet
    ("slot", np.int8, N_IDS),  # of the building with this tile on top, NONE without
    ("adjacent", np.int8, (C, N_DIRECTIONS)),  # slots of the neighbors N E S W, NONE without
    # piles and characters
    ("supply", np.int8, N_TILES),  # tiles, the next one last, NONE above; hidden
    ("deck", np.int8, N_CARDS + _SPARE_CARDS),  # cards, the next one last, NONE above; hidden
    ("characters", np.int8, (P, N_CHARACTERS)),  # how many of each; hidden from others during the draft
    ("packet", np.int8, (P, N_CHARACTERS)),  # draft: characters to choose from; hidden from others
]


_EXPANSION_WORDS: _Fields = [
    ("lower_tiles", np.uint64, (P, W)),  # set of lower tiles in the city by who placed them (X6); known to that seat
    ("prestige", np.uint64, W),  # set of tiles in the three stacks of value III, the lower number first; public
]

_EXPANSION_BYTES: _Fields = [
    ("packet_experts", np.uint16, (P, 1)),  # draft: set of the experts to choose from; hidden from others
    ("expansion", np.int8),  # 1 if the game is played with any module; configuration, public
    ("modules", np.int8, N_MODULES),  # flags by Module; configuration, public
    ("hand_size", np.int8),  # cards in a full hand (R2.9, R9.2, X5); configuration, public
    # where the turn stands, public
    ("phase", np.int8),  # Phase
    ("timing", np.int8),  # Timing of the event of the action under way, NONE before the choice
    ("zone", np.int8, 3),  # x, y, and 1 if that cell belongs to the zone itself (X4.3)
    ("payer", np.int8),  # quality control: how many have paid, clockwise
    ("received", np.int8),  # quality control: SP received so far
    ("split", np.int8, len(Split) - 1),  # what has been chosen of the split under way, by Split
    ("is_split", np.int8),  # 1 from when the draws under way are split until they are done
    ("green_drawn", np.int8),  # 1 if a green space was drawn in this turn (X3.1)
    # what players have
    ("expert", np.int8, P),  # Expert or NONE; hidden from others during the draft
    ("events", np.int8, P),  # bits of the event tiles behind the screen; hidden from others without experts
    ("events_known", np.int8, P),  # bits of those known by all to be behind this screen or committed (X4.4); public
    ("events_played", np.int8, P),  # bits of those that have taken effect; public
    ("event", np.int8, P),  # committed EventTile or NONE; hidden from others until revealed
    ("lower", np.int8, P),  # committed lower tile or NONE; hidden from others for good
    ("kept", np.int8, P),  # card kept (X5) or NONE; hidden from others
    # how many green spaces: equal tiles, in sets only as one member if there are any
    ("green", np.int8, P),  # behind the screen, as `tiles`
    ("green_aside", np.int8, P),  # as `aside`
    ("green_known", np.int8, P),  # as `known_tiles`
    ("green_lower", np.int8, P),  # as `lower_tiles`
    # stacks
    ("green_stack", np.int8),  # green spaces left; public
    ("n_new_buildings", np.int8),  # tiles of value II left; public
    ("new_buildings", np.int8, N_NEW_BUILDINGS),  # the next one last, NONE above; hidden
]


def _without_gaps(fields: _Fields) -> np.dtype[np.void]:
    """Aligned and without padding, whose bytes nobody would keep: states are compared and hashed as bytes."""
    spare = -np.dtype(fields).itemsize % np.dtype(np.uint64).itemsize
    state = np.dtype([*fields, ("spare", np.int8, spare)] if spare else fields, align=True)
    if state.itemsize != np.dtype(fields).itemsize + spare:
        raise RuntimeError("the fields of the state do not lie without gaps")
    return state


STATE = _without_gaps([*_WORDS, *_EXPANSION_WORDS, *_SHORTS, *_EXPANSION_BYTES[:1], *_BYTES, *_EXPANSION_BYTES[1:]])
"""The dtype of a game's state, at most 2 KB."""

RECORD = np.dtype((np.record, STATE))
"""The same with fields as attributes. One object for all: Numba recognizes a dtype by identity, and compares fields otherwise."""

_NOT_THERE = (
    *("actor", "first", "player", "building", "owner", "top", "adjacent", "card", "tile", "supply", "deck", "slot"),
    *("timing", "expert", "event", "lower", "kept", "new_buildings"),
)


def blank_state(config: GinkgopolisConfig) -> States:
    """The record that every game of a configuration starts from: nothing on the table yet. Shape (1,)."""
    states = np.zeros(1, RECORD).view(np.recarray)
    g = states[0]
    solo = config.players == 1
    g["players"] = 2 if solo else config.players
    g["solo"], g["advanced"] = solo, config.level == "advanced"
    g["draft"], g["strict"] = config.setup == "draft" and not solo, config.strict
    g["max_rounds"] = config.max_rounds
    for name in _NOT_THERE:
        g[name] = NONE
    sides = int(g["players"])
    g["supply_resources"][:sides] = RESOURCES[config.players]
    g["new_hands"][:sides] = 0 if solo else NEW_HANDS
    g["token_x"], g["token_y"] = TOKEN_X, TOKEN_Y
    g["hand_size"] = SOLO_HAND_SIZE if solo else config.hand_size
    g["expansion"] = bool(config.modules)
    g["modules"] = [module.name.lower() in config.modules for module in Module]
    return states
