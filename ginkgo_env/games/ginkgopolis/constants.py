"""Names for every number that the rules core works with. Rule paragraphs are cited as in ``docs/rules.md``."""

from __future__ import annotations

from enum import IntEnum

# --- sizes -----------------------------------------------------------------------------------------------------------------
MAX_PLAYERS = 5
N_COLORS = 3
N_NUMBERS = 20
N_TILES = N_COLORS * N_NUMBERS  # R1.1
N_LETTERS = 12
N_CARDS = N_TILES + N_LETTERS  # R1.2
N_CHARACTERS = 9  # different ones; 27 with copies (R1.6)
N_CHARACTER_CARDS = 27
N_SETS = 6
N_START = 9  # buildings of the start square (R2.1)
MAX_BUILDINGS = 84  # no city can hold more: every tile there is, the expansion's included
HAND_SIZE = 4
SOLO_HAND_SIZE = 3  # R9.2
DRAFT_PICKS = 3
WORDS = 2  # 64-bit words of a set of cards or tiles

# --- sentinels -------------------------------------------------------------------------------------------------------------
NOBODY = -1  # a seat: no owner, no actor
NONE = -1  # a card, tile, letter or building that is not there
NOWHERE = -128  # both coordinates of the token in hand

# --- numbers of the rules --------------------------------------------------------------------------------------------------
SQUARE = 3
REMOVED_TILES = 6  # R2.3, with 2 or 3 players
DISCARDED_CARDS = 7  # R2.4 and R3.6, with 2 or 3 players
FEW_PLAYERS = 3
RESOURCES = (0, 25, 25, 20, 18, 16)  # R2.5, by number of players; alone as with two
NEW_HANDS = 2
NEW_HAND_POINTS = 2  # R8.2
SOLO_START = 6  # R9.1: resources, tiles and SP
PLAYER, WILLIAM = 0, 1  # the two sides when one plays alone


class Color(IntEnum):
    """Colors in the order of R1.1; also what a building of the color yields (R1.4)."""

    RED = 0
    BLUE = 1
    YELLOW = 2


class Item(IntEnum):
    """What can be gained; the native item of a color has the color's number (R1.4)."""

    RESOURCE = 0
    TILE = 1
    POINT = 2


class Action(IntEnum):
    """The three actions of a card (R3.4)."""

    EXPLOIT = 0
    URBANIZE = 1
    CONSTRUCT = 2


class Stage(IntEnum):
    """Where the turn stands. The first five are the kinds of decision, at which the game stops; it runs through the rest."""

    DRAFT = 0
    COMMIT = 1
    TAKE = 2
    TOKEN = 3
    RETURN = 4
    OVER = 5
    DEAL = 6
    RESOLVE = 7
    DRAW = 8
    FINISH = 9
    WILLIAM_ACTS = 10
    PREPARE = 11


N_DECISIONS = 5


class Side(IntEnum):
    """Where a token may go: a cell beside the new tile (R6.2), or a place on the edge (R6.3)."""

    N = 0
    E = 1
    S = 2
    W = 3
    AFTER = 4
    BEFORE = 5


N_DIRECTIONS = 4


class Ending(IntEnum):
    """What triggered the end, the first reason in time (R7.3, R8.1, R8.4, R9.5)."""

    NONE = 0
    TILES = 1
    RESOURCES = 2
    WILLIAM = 3
    MAX_ROUNDS = 4


class Endgame(IntEnum):
    """How an endgame card counts (R1.5)."""

    NONE = 0
    RESOURCES_ON_COLOR = 1
    LOW_BUILDINGS = 2
    HIGH_BUILDINGS = 3
    EXPLOIT_CARDS = 4
    URBANIZE_CARDS = 5
    CONSTRUCT_CARDS = 6
    COLOR_CARDS = 7
    FIXED = 8


class Source(IntEnum):
    """Where points of a score come from (R8.2)."""

    POINTS = 0
    NEW_HANDS = 1
    CARDS = 2
    DISTRICTS = 3


class Shuffle(IntEnum):
    """Random outcomes, in the order in which a game first meets them (R11.4)."""

    START_TILES = 0
    TILES = 1
    DECK = 2
    CHARACTERS = 3
    SETS = 4
    FIRST_PLAYER = 5
    RETURNED_TILES = 6


class Event(IntEnum):
    """What a log row tells; the three numbers after it are named here."""

    OUTCOME = 0  # which shuffle, how many ITEM rows follow, -
    ITEM = 1  # id, -, -
    REVEAL = 2  # seat, card, tile or NONE
    FALLBACK = 3  # seat, card, tile: cannot be paid (R5.7)
    GAIN = 4  # seat, item, how many
    PAY = 5  # seat, item, how many
    DRAW = 6  # seat, tile, -
    PLACE = 7  # seat, tile, floors
    RETURN_RESOURCES = 8  # owner, how many, SP for them
    TOKEN = 9  # letter, x, y
    NEW_HAND = 10  # seat, cards discarded, -
    EXHAUSTED = 11  # how often now, -, -
    GIVE_BACK = 12  # seat, tiles returned, -
    KEEP_CARD = 13  # seat, card, -
    REPLACED = 14  # William's card, the second one (R9.4), which of them is used
    ENDING = 15  # reason, -, -
    ROUND = 16  # number, first player, -
    OPERATE = 17  # seat, tile, floors


LOG_COLUMNS = 4
