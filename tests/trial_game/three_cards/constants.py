"""Numbers with names."""

from __future__ import annotations

from enum import IntEnum

N_RANKS = 3
N_HANDS = 2  # that are dealt; alone the second is the dealer's
MAX_ACTIONS = 3  # in a game
NOBODY = -1


class Action(IntEnum):
    """What a player can do: ids of actions. In the record 1 is added, so that 0 is none yet."""

    PASS = 0
    BET = 1


class Stage(IntEnum):
    """Kinds of decision."""

    BETTING = 0
    OVER = 1


class Event(IntEnum):
    """Kinds of row in the log."""

    DEAL = 0  # hand, rank
    ACT = 1  # seat, action
    SHOW = 2  # hand, rank
