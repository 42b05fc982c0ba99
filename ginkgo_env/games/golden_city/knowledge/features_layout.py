"""The layout of the compact features, for learning. Seats are relative to the viewer, 0 is oneself.

Numbers are divided so that most lie between 0 and 1; the bounds are wide, for odd positions on other boards.
"""

from __future__ import annotations

from enum import IntEnum

from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.golden_city.constants import (
    DISTRICTS_OF_QUARTER,
    MAX_PAIRS,
    N_BONUS,
    N_DECISIONS,
    N_GOODS,
    N_LANDSCAPES,
    N_QUARTERS,
    N_RIVERS,
    Good,
    Landscape,
    Reward,
    River,
    Source,
    Stage,
)

MANY = 4096  # bound of all numbers
N_THINGS = N_GOODS + N_RIVERS + N_QUARTERS  # what scoring cards show
N_DISTRICTS = N_QUARTERS * DISTRICTS_OF_QUARTER


class F(IntEnum):
    """Blocks of the features in their order."""

    DECISION = 0
    GAME = 1
    SIDES = 2
    COMING = 3
    COUNTS = 4
    HAND = 5
    LANDSCAPES = 6
    PAIRS = 7
    GOODS = 8
    SCORING = 9
    BONUS = 10
    DISTRICTS = 11
    OFFERED = 12


def _of(what: str, names: list[str]) -> tuple[str, ...]:
    return tuple(f"{what}_{name}" for name in names)


_LANDSCAPES = [landscape.name.lower() for landscape in Landscape]
_GOODS = [good.name.lower() for good in Good]
_REWARDS = [reward.name.lower() for reward in Reward]
_SOURCES = [source.name.lower() for source in Source if source < Source.BONUS_GOODS]
_AREAS = [*(f"river_{river.name.lower()}" for river in River), *(f"quarter_{name}" for name in _LANDSCAPES[1:])]

GAME = (
    *("share_left", "round", "scoring_cards_to_come", "end_triggered", "price", "deck", "discard_pile", "goods_stack"),
    *("bonus_cards_left", "keys_left", "supply", "turns_finished", "houses_built", "fewest_houses_left", "free_coast_places"),
)
PLACES = (*_of("sites", _LANDSCAPES), *_of("sites", _REWARDS), "outer_first", "outer_second", "inner_first", "inner_second")
"""What sets of places hold."""
SIDES = (
    *_of("letters", _SOURCES),
    *("letters", "bonus", "total", "lead", "lead_times_left", "now", "coming"),
    *("coins", "keys", "houses_left", "hand", "unknown", "goods_cards", "bonus_cards"),
    *("is_actor", "is_first", "is_blocked", "has_bid", "turns_after_first"),
    *_of("known", _LANDSCAPES),
    *_of("good", _GOODS),
    *("coasts", "suburbs", "outer", "inner"),
    *_of("inland", _LANDSCAPES[1:]),
    *_of("houses", _AREAS),
    *_of("lead", _AREAS),
    *PLACES,
    *("next_goods", "next_bonus", "next_key", "next_outer_first", "next_inner_first"),
)
"""For each seat. What is known of bonus cards is counted: the own ones, of others what they are worth on average."""
HAND = ("cards", "units", "unknown_to_others")
LANDSCAPES = ("discard_pile", "unseen")
PAIRS = (*_LANDSCAPES, "is_free", "is_own")
GOODS = (*_of("display", _GOODS), *_of("stack", _GOODS))
SCORING = ("now", "to_come")
BONUS = ("own", "own_times_worth", "left")
DISTRICTS = ("is_own", "others")
OFFERED = ("places", *PLACES)


def features_layout(players: int) -> Layout:
    """The blocks of the features with this number of players."""

    def block(name: str, shape: tuple[int, ...], meaning: str, seen_by: str = "all") -> Block:
        return Block(name, shape, meaning, -MANY, MANY, seen_by)

    decisions = ", ".join(stage.name.lower() for stage in Stage if stage < Stage.OVER)
    return Layout(
        [
            block("decision", (N_DECISIONS,), f"kind of decision awaited: {decisions}"),
            block("game", (len(GAME),), f"{', '.join(GAME)}; share_left: of the game, 1 to 0, by rounds and houses"),
            block(
                "sides",
                (players, len(SIDES)),
                f"for each seat: {', '.join(SIDES)} (bonus: what bonus cards count now, others' on average; now, coming: letters"
                " that the scoring card of the round, and those to come, would bring now; lead: over the best other;"
                " sites: without inner districts that lack a key; next: two houses away)",
                "self: own bonus cards; all: the others",
            ),
            block(
                "coming",
                (players, N_THINGS),
                "for each seat: what cards to come would bring now, by good, river, quarter",
            ),
            block("counts", (players, N_BONUS), "for each seat: what each bonus card would count"),
            block("hand", (len(HAND), N_LANDSCAPES), f"own cards by landscape: {', '.join(HAND)} (units: with jokers)", "self"),
            block(
                "landscapes",
                (len(LANDSCAPES), N_LANDSCAPES),
                f"by landscape: {', '.join(LANDSCAPES)} (cards in the deck or in others' hands)",
                "self",
            ),
            block("pairs", (MAX_PAIRS, len(PAIRS)), f"for each pair: {', '.join(PAIRS)}"),
            block("goods", (len(GOODS),), ", ".join(GOODS)),
            block("scoring", (len(SCORING), N_THINGS), "scoring cards by good, river, quarter: of the round, to come"),
            block("bonus", (len(BONUS), N_BONUS), f"{', '.join(BONUS)} (after the viewer's last take)", "self"),
            block("districts", (N_DISTRICTS, len(DISTRICTS)), f"for each district: {', '.join(DISTRICTS)}"),
            block("offered", (len(OFFERED),), f"of what the own hand can pay: {', '.join(OFFERED)}", "self"),
        ]
    )
