"""Constants and enums of the rules; paragraphs are cited as in ``docs/rules/ginkgopolis.md``."""

from __future__ import annotations

from enum import IntEnum

# --- sizes -----------------------------------------------------------------------------------------------------------------
MAX_PLAYERS = 5
N_COLORS = 3
N_NUMBERS = 20
N_TILES = N_COLORS * N_NUMBERS  # R1.1
N_LETTERS = 12
N_CARDS = N_TILES + N_LETTERS  # R1.2
N_CHARACTERS = 9  # different ones (R1.6)
N_CHARACTER_CARDS = 27  # including copies
N_SETS = 6
N_START = 9  # buildings of the start square (R2.1)
MAX_BUILDINGS = 84  # the most that a city can hold: all tiles, including the expansion's
HAND_SIZE = 4
SOLO_HAND_SIZE = 3  # R9.2
DRAFT_PICKS = 3
WORDS = 2  # 64-bit words of a set of cards or tiles

# --- sizes of the expansion (X) --------------------------------------------------------------------------------------------
N_MODULES = 6
N_NEW_BUILDINGS = 9  # tiles and cards 21 to 23 of each color: ids from FIRST_NEW_BUILDING
N_PRESTIGE = 6  # tiles 24 and 25 of each color: ids from FIRST_PRESTIGE
N_GREEN_SPACES = 9  # equal tiles: one id, GREEN_SPACE
FIRST_NEW_BUILDING = N_CARDS
FIRST_PRESTIGE = FIRST_NEW_BUILDING + N_NEW_BUILDINGS
GREEN_SPACE = FIRST_PRESTIGE + N_PRESTIGE
N_IDS = GREEN_SPACE + 1
N_ALL_TILES = N_IDS - N_LETTERS  # different ones
N_ALL_CARDS = FIRST_PRESTIGE
MAX_HAND = 5  # X5
N_EXPERTS = 10
N_EVENTS = 4
N_EVENT_PAIRS = 6

# --- sentinels -------------------------------------------------------------------------------------------------------------
NOBODY = -1  # a seat: no owner, no actor
NONE = -1  # no card, tile, letter or building
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
PLAYER, WILLIAM = 0, 1  # the two sides of a solo game (R9)
REMOVED_FOR_MODULE = 3  # base tiles out of the game for each of the modules 1 to 3
PACKET_EXPERTS = 2  # X6
ARCHITECT_TILES = 2
MOST_COUNTED = 9  # X4.4: own resources that design competition and press campaign count
MOST_RECEIVED = 6  # X4.4: SP from a quality control
PARK_POINTS = 2  # X3.2, for each green space
CONTROLLER_POINTS = 2  # X6

# --- upper bounds of what a game can bring ---------------------------------------------------------------------------------
MAX_ROUNDS = 10_000  # of the option max_rounds (R8.4)
MOST_DRAWS = 1_000  # more rights to draw than an action can bring
MOST_A_ROUND, MOST_POINTS = 250, 30_000
"""Upper bounds of the SP that a player can gain in a round, and have: points are 16-bit numbers.

Floors operated and tiles returned are at most 84 together (2 SP each), and a lawyer takes 25 resources back at most twice (2 SP
each). The two maxima exclude each other by more than parks, bonuses and events can bring."""


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
    """Stages of a game: decisions, where it stops, come before DEAL; it runs through the stages after it."""

    DRAFT = 0
    COMMIT = 1
    TAKE = 2
    TOKEN = 3
    RETURN = 4
    OVER = 5
    EVENTS = 6  # from here on decisions of the expansion (X7.6)
    LOWER = 7
    EVENT = 8
    KEEP = 9
    TIMING = 10
    SPLIT = 11
    PAY = 12
    DEAL = 20
    DEAL_HANDS = 21
    RESOLVE = 22
    RUN_EVENT = 23
    END_EVENT = 24
    ACT = 25
    DRAW = 26
    FINISH = 27
    END_TURN = 28
    WILLIAM_ACTS = 29
    PREPARE = 30


class Module(IntEnum):
    """The modules of The Experts (X1 to X6)."""

    NEW_BUILDINGS = 0
    PRESTIGE = 1
    GREEN_SPACES = 2
    EVENTS = 3
    KEEP_CARD = 4
    EXPERTS = 5


class EventTile(IntEnum):
    """Kinds of event tiles (X4.4)."""

    DESIGN = 0
    PRESS = 1
    EXPROPRIATION = 2
    CONTROL = 3


class Expert(IntEnum):
    """The experts (X6)."""

    ARTIST = 0
    BANKER = 1
    LAWYER = 2
    CONTROLLER = 3
    ENTREPRENEUR = 4
    PROFESSOR = 5
    JOURNALIST = 6
    ENGINEER = 7
    MAYOR = 8
    ARCHITECT = 9


class Phase(IntEnum):
    """Phases of a player's turn (X7.1); without an event it is all ACTION."""

    ACTION = 0
    TIMING = 1
    BEFORE = 2
    AFTER = 3


class Timing(IntEnum):
    """When an event takes effect (X4.2)."""

    BEFORE = 0
    AFTER = 1


class Split(IntEnum):
    """What rights to draw are spent on (X0.1); rights left over are tiles of value I."""

    RED = 0
    BLUE = 1
    YELLOW = 2
    NEW_BUILDING = 3
    GREEN_SPACE = 4
    DONE = 5


class Side(IntEnum):
    """Places for a token: a cell beside the new tile (R6.2), or a place on the edge (R6.3)."""

    N = 0
    E = 1
    S = 2
    W = 3
    AFTER = 4
    BEFORE = 5


N_DIRECTIONS = 4


class Ending(IntEnum):
    """The first reason in time that triggered the end (R7.3, R8.1, R8.4, R9.5)."""

    NONE = 0
    TILES = 1
    RESOURCES = 2
    WILLIAM = 3
    MAX_ROUNDS = 4


class Endgame(IntEnum):
    """Kinds of endgame bonuses (R1.5, X1)."""

    NONE = 0
    RESOURCES_ON_COLOR = 1
    LOW_BUILDINGS = 2
    HIGH_BUILDINGS = 3
    EXPLOIT_CARDS = 4
    URBANIZE_CARDS = 5
    CONSTRUCT_CARDS = 6
    COLOR_CARDS = 7
    FIXED = 8
    PERMANENT_CARDS = 9  # X1
    ACTION_SETS = 10
    COLOR_SETS = 11


class Source(IntEnum):
    """Sources of points (R8.2)."""

    POINTS = 0
    NEW_HANDS = 1
    CARDS = 2
    DISTRICTS = 3
    PARKS = 4  # X3.4
    EXPERT = 5  # X6


N_SOURCES = 4  # of the base game


class Shuffle(IntEnum):
    """Kinds of random outcomes (R11.4)."""

    START_TILES = 0
    TILES = 1
    DECK = 2
    CHARACTERS = 3
    SETS = 4
    FIRST_PLAYER = 5
    RETURNED_TILES = 6
    NEW_BUILDINGS = 7
    EXPERTS = 8
    RANDOM_EXPERT = 9


class Event(IntEnum):
    """Kinds of log rows; the comments name the other three numbers of a row."""

    OUTCOME = 0  # which shuffle, how many ITEM rows follow, the seat that gets a RANDOM_EXPERT
    ITEM = 1  # id, -, -
    REVEAL = 2  # seat, card, tile or NONE
    FALLBACK = 3  # seat, card, tile: cannot be paid (R5.7)
    GAIN = 4  # seat, item, how many
    PAY = 5  # seat, item, how many
    DRAW = 6  # seat, tile, rights that it cost (X0), 0 in the base game
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
    SHOW_EVENT = 18  # seat, EventTile, -: on the card just revealed
    SHOW_LOWER = 19  # seat, -, -: a second tile lies under that of the card just revealed
    TAKE_EFFECT = 20  # seat, EventTile, resources counted
    EVENT_BACK = 21  # seat, EventTile, -: no effect, the tile goes back
    EXPROPRIATE = 22  # owner until now, tile on top, resources that the owner takes back
    CONTROL = 23  # seat, resources, SP: what a seat pays for a quality control
    PARK = 24  # seat, green spaces, SP for urbanizing beside the park
    BUY = 25  # seat, resources, - (X6, banker)
    ACT = 26  # seat, card, tiles on it: the action of a card that was revealed with an event
