"""The layout of observations (G11.6): named blocks of one flat vector.

Seats are relative to the viewer, who is seat 0. Ids are frozen by ``tests/golden_city/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.golden_city.constants import (
    COPIES,
    DISTRICTS_OF_QUARTER,
    MAX_PAIRS,
    N_BONUS,
    N_CARDS,
    N_DECISIONS,
    N_GOODS,
    N_GOODS_CARDS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_PLACES,
    N_QUARTERS,
    N_RIVERS,
    N_SCORING,
    SUBURBS_OF_RIVER,
    Stage,
)

OBSERVATION_DTYPE = np.uint8
TOP = 255  # larger numbers are written as this; only letters can be larger


class ObsBlock(IntEnum):
    """Blocks of an observation in their order."""

    DECISION = 0
    STATUS = 1
    TURN = 2
    PLAYERS = 3
    HAND = 4
    KNOWN = 5
    DISCARD = 6
    PAIRS = 7
    PAIR_SEAT = 8
    SCORING = 9
    TO_COME = 10
    GOODS = 11
    BONUS = 12
    HOUSES = 13
    PLACE = 14
    SITES = 15
    AT_RIVERS = 16
    IN_QUARTERS = 17


class StatusField(IntEnum):
    """Fields of block ``status``."""

    ROUND, SCORING_CARDS_TO_COME, PRICE, DECK, DISCARD_PILE, GOODS_STACK, BONUS_CARDS_LEFT, KEYS_LEFT, SUPPLY = range(9)
    HOUSES_BUILT, DISCARDS_OWED, END_TRIGGERED = range(9, 12)


class TurnField(IntEnum):
    """Fields of each seat in block ``turn``."""

    IS_ACTOR, IS_FIRST, HAS_BID, IS_BLOCKED = range(4)


class PlayerField(IntEnum):
    """Fields of each seat in block ``players``."""

    LETTERS, COINS, KEYS, HOUSES_LEFT, HAND, HAND_UNKNOWN, GOODS_CARDS, BONUS_CARDS, BONUS_SINCE, IN_CITY = range(10)


class GoodsRow(IntEnum):
    """Rows of block ``goods``; the other seats follow the viewer."""

    DISPLAY, BOX, VIEWER = range(3)


class BonusRow(IntEnum):
    """Rows of block ``bonus``."""

    OWN, LEFT = range(2)


STATUS_FIELDS, TURN_FIELDS, PLAYER_FIELDS = field_names(StatusField), field_names(TurnField), field_names(PlayerField)


def observation_layout(players: int) -> Layout:
    """Return the blocks of an observation for this number of players."""
    decisions = ", ".join(stage.name.lower() for stage in Stage if stage < Stage.OVER)
    return Layout(
        [
            Block("decision", (N_DECISIONS,), f"kind of decision awaited: {decisions}"),
            Block(
                "status",
                (len(STATUS_FIELDS),),
                f"{', '.join(STATUS_FIELDS)} (price: 0 when not bidding; houses built in this turn; discards_owed: 0 unless"
                " asked)",
                high=N_CARDS,
            ),
            Block("turn", (players, len(TURN_FIELDS)), f"for each seat: {', '.join(TURN_FIELDS)}"),
            Block(
                "players",
                (players, len(PLAYER_FIELDS)),
                f"for each seat: {', '.join(PLAYER_FIELDS)} (letters without bonus cards; bonus_since: taken since the viewer's"
                " last take)",
                high=TOP,
            ),
            Block("hand", (N_LANDSCAPES,), "own cards by landscape", high=COPIES, seen_by="self"),
            Block("known", (players, N_LANDSCAPES), "for each seat: known part of the hand by landscape", high=COPIES),
            Block("discard", (N_LANDSCAPES,), "discard pile by landscape", high=COPIES),
            Block("pairs", (MAX_PAIRS, N_LANDSCAPES), "cards of each pair by landscape, while bidding", high=2),
            Block("pair_seat", (MAX_PAIRS, players), "for each pair: whose hand lies on it"),
            Block(
                "scoring",
                (N_GOODS + N_RIVERS + N_QUARTERS,),
                "scoring card of the round: its good, its river, its quarter",
            ),
            Block("to_come", (N_SCORING,), "set of the scoring cards to come"),
            Block(
                "goods",
                (GoodsRow.VIEWER + players, N_GOODS_KINDS),
                "goods cards by kind: the display, those out of the game, then for each seat",
                high=N_GOODS_CARDS,
            ),
            Block(
                "bonus",
                (len(BonusRow), N_BONUS),
                "bonus cards: own; those left after the viewer's last take, while choosing those there now",
                seen_by="self",
            ),
            Block("houses", (players, N_PLACES), "for each seat: places with its houses"),
            Block("place", (N_PLACES,), "place being paid for, or whose reward is decided"),
            Block("sites", (N_PLACES,), "own sites, cards and keys disregarded"),
            Block("at_rivers", (players, N_RIVERS), "for each seat: houses at each river", high=SUBURBS_OF_RIVER),
            Block("in_quarters", (players, N_QUARTERS), "for each seat: houses in each quarter", high=DISTRICTS_OF_QUARTER),
        ]
    )
