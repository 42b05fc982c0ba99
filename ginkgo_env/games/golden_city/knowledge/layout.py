"""The layout of observations (G11.6): named blocks of one flat vector. Seats are relative to the viewer, 0 is oneself.

Ids are frozen by ``tests/golden_city/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.golden_city.constants import (
    COPIES,
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
TOP = 255  # numbers above are shown as this (only letters could ever be)


class O(IntEnum):  # noqa: E742 -- the short name keeps kernels readable
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


STATUS_FIELDS = (
    *("round", "scoring_cards_to_come", "price", "deck", "discard_pile", "goods_stack", "bonus_cards_left", "keys_left"),
    *("supply", "houses_built", "discards_owed", "end_triggered"),
)
TURN_FIELDS = ("is_actor", "is_first", "has_bid", "is_blocked")
PLAYER_FIELDS = (
    *("letters", "coins", "keys", "houses_left", "hand", "hand_unknown", "goods_cards", "bonus_cards", "bonus_since", "in_city"),
)


def observation_layout(players: int) -> Layout:
    """The blocks of an observation with this number of players."""
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
                (players + 2, N_GOODS_KINDS),
                "goods cards by kind: the display, those out of the game, then for each seat",
                high=N_GOODS_CARDS,
            ),
            Block(
                "bonus",
                (2, N_BONUS),
                "bonus cards: own; those left after the viewer's last take, while choosing those there now",
                seen_by="self",
            ),
            Block("houses", (players, N_PLACES), "for each seat: places with its houses"),
            Block("place", (N_PLACES,), "place being paid for, or whose reward is decided"),
            Block("sites", (N_PLACES,), "own sites, cards and keys disregarded"),
            Block("at_rivers", (players, N_RIVERS), "for each seat: houses at each river", high=SUBURBS_OF_RIVER),
            Block("in_quarters", (players, N_QUARTERS), "for each seat: houses in each quarter", high=3),
        ]
    )
