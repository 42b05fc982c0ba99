"""Names for the numbers of the rules, and sizes of arrays.

Rule paragraphs are cited as in ``docs/rules/my_city.md``.
"""

from __future__ import annotations

from enum import IntEnum

MAX_PLAYERS = 4
MAX_CELLS = 128
MAX_SIDE = 16  # rows or columns of a board
MAX_BUILDINGS = 31
MAX_DECK = MAX_BUILDINGS + 1
MAX_SHAPE = 8  # cells of a building
SHAPE_SIDE = 6  # rows or columns of a building
N_HEADINGS = 4
N_WORDS = 2  # words of a set of cells (M12.2)
HEADINGS = "NESW"  # M11.3

NONE = -1  # a building, action or card that is not there
NOBODY = -1  # a seat
BLOCKING_CARD = "X"  # M11.1

START_POINTS = 10
GOLD_POINTS = 3
TREE_POINTS = 2
ROCK_POINTS = -2
CHURCH_POINTS = 3
WELL_POINTS = 4
SIDES_OF_WELL = 4


class Color(IntEnum):
    """Colors of buildings; a church has no color (M1.3), but is an entry of arrays by color."""

    YELLOW = 0
    RED = 1
    BLUE = 2
    CHURCH = 3


N_COLORS = 3  # without churches


class Terrain(IntEnum):
    """Kinds of cells; the first five are light green (M1.4)."""

    EMPTY = 0
    TREES = 1
    ROCKS = 2
    WELL = 3
    VEIN = 4
    MOUNTAIN = 5
    FOREST = 6


N_MARKS = 5  # kinds of light green cells
LETTERS = ".trwvMF"  # of Terrain in files, in order


class Stage(IntEnum):
    """Where the game stands: at a decision, or at its end."""

    BUILD = 0
    OVER = 1


class Ending(IntEnum):
    """How the game ended (M7)."""

    NONE = 0
    ENDED = 1
    CARDS = 2


class Source(IntEnum):
    """Sources of points (M8)."""

    START = 0
    PASSES = 1
    GOLD = 2
    TREES = 3
    ROCKS = 4
    YELLOW = 5
    RED = 6
    BLUE = 7
    CHURCHES = 8
    WELLS = 9
    EMPTY = 10


class Event(IntEnum):
    """Kinds of log rows; comments name the three numbers that follow the kind."""

    OUTCOME = 0  # 0, how many ITEM rows follow, -: the deck
    ITEM = 1  # building, or the number after the last for the blocking card, -, -
    REVEAL = 2  # the same, -, -
    BLOCKED = 3  # building, -, -
    ROUND = 4  # number, building, -
    BUILD = 5  # seat, building, action
    PASS = 6  # seat, building, -
    END = 7  # seat, building, 1 if there was no other choice
    GOLD = 8  # seat, -, -
    ENDING = 9  # Ending, -, -
