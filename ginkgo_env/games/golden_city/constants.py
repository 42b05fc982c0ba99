"""Names for the numbers of the rules, and sizes of arrays.

Rule paragraphs are cited as in ``docs/rules/golden_city.md``.
"""

from __future__ import annotations

from enum import IntEnum

# --- sizes -----------------------------------------------------------------------------------------------------------------
MAX_PLAYERS = 4
N_LANDSCAPES = 5
COPIES = 10  # landscape cards of each kind (G1.1)
N_CARDS = N_LANDSCAPES * COPIES
N_COASTS, N_SUBURBS, N_DISTRICTS = 16, 30, 12
N_PLACES = N_COASTS + N_SUBURBS + N_DISTRICTS  # in this order (G1.6)
FIRST_SUBURB = N_COASTS
FIRST_DISTRICT = N_COASTS + N_SUBURBS
DISTRICTS_OF_QUARTER = 3  # two outer ones, then the inner one
SUBURBS_OF_RIVER = 3
N_RIVERS = N_QUARTERS = N_GOODS = 4
N_GOODS_CARDS, N_GOODS_KINDS = 8, 6
N_BONUS = 8
N_SCORING = 16
BACKS = (4, 8, 4)  # scoring cards by their back
N_SOURCES_OF_TWO = 15  # unordered pairs of landscapes, with repetition (G5.5)
MAX_PAIRS = MAX_PLAYERS

# --- sentinels -------------------------------------------------------------------------------------------------------------
NOBODY = -1  # a seat
NONE = -1  # a card, place or landscape that is not there

# --- numbers of the rules --------------------------------------------------------------------------------------------------
HOUSES = (0, 0, 18, 18, 16)  # by number of players (G1.4)
START_COINS = 3
COINS = 35
KEYS = 6
DISPLAYED = 3  # goods cards that lie open (G2.2)
HOUSES_A_TURN = 2  # G5.1
HAND_LIMIT = 5  # G5.8
MOST_GOODS = 4  # goods cards of a player (G6.3)
JOKER = 2  # cards of a landscape that stand for one of another (G5.4)
SHARE = 2  # letters for the good or area of a scoring card, and again for the only owner or the most houses (G7)


class Landscape(IntEnum):
    """Landscapes in the order of G1.1."""

    COAST = 0
    FOREST = 1
    MEADOW = 2
    MOUNTAIN = 3
    DESERT = 4


class Kind(IntEnum):
    """Kinds of places (G1.2)."""

    COAST = 0
    SUBURB = 1
    OUTER = 2
    INNER = 3


class Quarter(IntEnum):
    """Quarters of the city, by the names of their landscapes (G1.2)."""

    FOREST = 0
    MEADOW = 1
    MOUNTAIN = 2
    DESERT = 3


class River(IntEnum):
    """Rivers (G1.3)."""

    N = 0
    E = 1
    S = 2
    W = 3


class Good(IntEnum):
    """Goods (G1.4)."""

    POTTERY = 0
    WINE = 1
    CLOTH = 2
    SPICES = 3


class Reward(IntEnum):
    """Rewards of houses on coast places and suburbs (G6)."""

    CARD = 0
    COIN = 1
    TWO_COINS = 2
    KEY = 3
    BONUS = 4
    GOODS = 5


N_REWARDS = len(Reward)


class Counted(IntEnum):
    """Things that bonus cards count (G9.1)."""

    HOUSES = 0  # on the card's set of places
    GOODS_CARDS = 1
    COINS = 2


class Stage(IntEnum):
    """Where the game stands: at a decision, at its end (OVER), or in a stage that it runs through."""

    BID = 0
    BUILD = 1
    PAY = 2
    GOODS = 3
    BOX = 4
    BONUS = 5
    DISCARD = 6
    OVER = 7
    OPEN_ROUND = 20  # a scoring card is revealed, pairs are laid out
    TAKE_PAIRS = 21
    BEGIN_TURN = 22
    REWARD = 23
    GO_ON_BUILDING = 24
    END_TURN = 25
    CLOSE_ROUND = 26


N_DECISIONS = 7


class Ending(IntEnum):
    """Triggers of the end (G8.1)."""

    NONE = 0
    HOUSES = 1
    BLOCKED = 2
    CARDS = 3


class Source(IntEnum):
    """Sources of points (G9.2)."""

    OUTER = 0
    INNER = 1
    GOODS = 2
    RIVERS = 3
    QUARTERS = 4
    BONUS_GOODS = 5
    BONUS_COINS = 6
    BONUS_CITY = 7
    BONUS_RIVERS = 8
    BONUS_LANDSCAPES = 9


N_LETTER_SOURCES = 5  # sources of letters during the game; the others come from bonus cards at the end


class Shuffle(IntEnum):
    """Random outcomes, in the order in which a game first meets them (G11.2)."""

    LANDSCAPES = 0
    GOODS = 1
    SCORING_1 = 2
    SCORING_2 = 3
    SCORING_3 = 4
    FIRST_PLAYER = 5


class Event(IntEnum):
    """Kinds of log rows; comments name the three numbers that follow the kind."""

    OUTCOME = 0  # which shuffle, how many ITEM rows follow, -
    ITEM = 1  # landscape, kind of goods card, scoring card or seat, -, -
    DRAW = 2  # seat, landscape, -: from the deck, unseen by the others
    ROUND = 3  # number, first player, scoring card
    PAIR = 4  # which, lower landscape, higher landscape
    BID = 5  # seat, pair, seat displaced or NOBODY
    PRICE = 6  # seat, coins paid for displacing, -
    TAKE_PAIR = 7  # seat, lower landscape, higher landscape
    BLOCKED = 8  # seat, -, -
    PAY = 9  # seat, source, second source or NONE: what the house that follows costs
    HOUSE = 10  # seat, place, -
    COINS = 11  # seat, how many gained, -
    KEY = 12  # seat, -, -
    LETTERS = 13  # seat, Source, how many
    GOODS = 14  # seat, kind, 1 from the stack or 0 from the display
    REFILL = 15  # kind, -, -
    BOX = 16  # seat, kind, -
    BONUS = 17  # seat, card, -: seen by this seat alone
    NOTHING = 18  # seat, Reward, -: there was nothing left to gain
    DONE = 19  # seat, -, -: builds no more, though it could
    DISCARD = 20  # seat, landscape, -
    SCORING = 21  # scoring card, -, -
    ENDING = 22  # Ending, seat that triggered it or NOBODY, -
