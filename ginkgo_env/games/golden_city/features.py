"""Compact features of what a seat may know (G10): letters, possessions, sites, cards to come.

Seats are relative to the viewer, who is seat 0. All features are made of public information and the seat's own cards, as in
observations. They are scaled so that most lie between 0 and 1; the bounds are wide, as boards of other people may exceed that.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest, popcount
from ginkgo_env.core.compile.intrinsics import scratch, scratch_table
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.kernels import from_viewer, seat_at
from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import (
    COINS,
    COPIES,
    DISTRICTS_OF_QUARTER,
    FIRST_DISTRICT,
    HAND_LIMIT,
    HOUSES,
    HOUSES_A_TURN,
    KEYS,
    MAX_PAIRS,
    MAX_PLAYERS,
    N_BONUS,
    N_CARDS,
    N_DECISIONS,
    N_GOODS,
    N_GOODS_CARDS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_QUARTERS,
    N_REWARDS,
    N_RIVERS,
    N_SCORING,
    NOBODY,
    NONE,
    SHARE,
    SUBURBS_OF_RIVER,
    Ending,
    Landscape,
    Reward,
    Stage,
)
from ginkgo_env.games.golden_city.observe import last_look
from ginkgo_env.games.golden_city.rules.building import built_on, offered_places, sites_with_keys, units
from ginkgo_env.games.golden_city.rules.scoring import bonus_letters
from ginkgo_env.games.golden_city.state import State

# --- layout ------------------------------------------------------------------------------------------------------------------


MANY = 4096  # bound of all features
N_AREAS = N_RIVERS + N_QUARTERS
_LETTERS, _FEW, _COUNT = 0.01, 0.25, 0.1  # factors that scale letters, small numbers and numbers of places to about 0 to 1
N_THINGS = N_GOODS + N_AREAS  # what scoring cards show: goods, rivers, quarters
N_DISTRICTS = N_QUARTERS * DISTRICTS_OF_QUARTER


class FeatureBlock(IntEnum):
    """Blocks of the features in their order."""

    DECISION, GAME, SIDES, COMING, COUNTS, HAND, LANDSCAPES, PAIRS, GOODS, SCORING, BONUS, DISTRICTS, OFFERED = range(13)


GameFeature = IntEnum(
    "GameFeature",
    """
    SHARE_LEFT ROUND SCORING_CARDS_TO_COME END_TRIGGERED PRICE DECK DISCARD_PILE GOODS_STACK
    BONUS_CARDS_LEFT KEYS_LEFT SUPPLY TURNS_FINISHED HOUSES_BUILT FEWEST_HOUSES_LEFT FREE_COAST_PLACES
    """,
    start=0,
)
"""Fields of block ``game``."""


SiteFeature = IntEnum(
    "SiteFeature",
    """
    SITES_COAST SITES_FOREST SITES_MEADOW SITES_MOUNTAIN SITES_DESERT
    SITES_CARD SITES_COIN SITES_TWO_COINS SITES_KEY SITES_BONUS SITES_GOODS
    OUTER_FIRST OUTER_SECOND INNER_FIRST INNER_SECOND
    """,
    start=0,
)
"""What a set of places holds: a part of ``SideFeature`` and of ``OfferedFeature``."""


SideFeature = IntEnum(
    "SideFeature",
    """
    LETTERS_OUTER LETTERS_INNER LETTERS_GOODS LETTERS_RIVERS LETTERS_QUARTERS
    LETTERS BONUS TOTAL LEAD LEAD_TIMES_LEFT NOW COMING
    COINS KEYS HOUSES_LEFT HAND UNKNOWN GOODS_CARDS BONUS_CARDS
    IS_ACTOR IS_FIRST IS_BLOCKED HAS_BID TURNS_AFTER_FIRST
    KNOWN_COAST KNOWN_FOREST KNOWN_MEADOW KNOWN_MOUNTAIN KNOWN_DESERT
    GOOD_POTTERY GOOD_WINE GOOD_CLOTH GOOD_SPICES
    COASTS SUBURBS OUTER INNER
    INLAND_FOREST INLAND_MEADOW INLAND_MOUNTAIN INLAND_DESERT
    HOUSES_RIVER_N HOUSES_RIVER_E HOUSES_RIVER_S HOUSES_RIVER_W
    HOUSES_QUARTER_FOREST HOUSES_QUARTER_MEADOW HOUSES_QUARTER_MOUNTAIN HOUSES_QUARTER_DESERT
    LEAD_RIVER_N LEAD_RIVER_E LEAD_RIVER_S LEAD_RIVER_W
    LEAD_QUARTER_FOREST LEAD_QUARTER_MEADOW LEAD_QUARTER_MOUNTAIN LEAD_QUARTER_DESERT
    SITES_COAST SITES_FOREST SITES_MEADOW SITES_MOUNTAIN SITES_DESERT
    SITES_CARD SITES_COIN SITES_TWO_COINS SITES_KEY SITES_BONUS SITES_GOODS
    OUTER_FIRST OUTER_SECOND INNER_FIRST INNER_SECOND
    NEXT_GOODS NEXT_BONUS NEXT_KEY NEXT_OUTER_FIRST NEXT_INNER_FIRST
    """,
    start=0,
)
"""Fields of each seat in block ``sides``: letters in the order of Source; from SITES_COAST on a row of SiteFeature."""


class HandFeature(IntEnum):
    """Rows of block ``hand``."""

    CARDS, UNITS, UNKNOWN_TO_OTHERS = range(3)


class LandscapeFeature(IntEnum):
    """Rows of block ``landscapes``."""

    DISCARD_PILE, UNSEEN = range(2)


class PairFeature(IntEnum):
    """Fields of each pair in block ``pairs``."""

    COAST, FOREST, MEADOW, MOUNTAIN, DESERT, IS_FREE, IS_OWN = range(7)


GoodsFeature = IntEnum(
    "GoodsFeature",
    """
    DISPLAY_POTTERY DISPLAY_WINE DISPLAY_CLOTH DISPLAY_SPICES
    STACK_POTTERY STACK_WINE STACK_CLOTH STACK_SPICES
    """,
    start=0,
)
"""Fields of block ``goods``."""


class ScoringFeature(IntEnum):
    """Rows of block ``scoring``."""

    NOW, TO_COME = range(2)


class BonusFeature(IntEnum):
    """Rows of block ``bonus``."""

    OWN, OWN_TIMES_WORTH, LEFT = range(3)


class DistrictFeature(IntEnum):
    """Fields of each district in block ``districts``."""

    IS_OWN, OTHERS = range(2)


OfferedFeature = IntEnum(
    "OfferedFeature",
    """
    PLACES
    SITES_COAST SITES_FOREST SITES_MEADOW SITES_MOUNTAIN SITES_DESERT
    SITES_CARD SITES_COIN SITES_TWO_COINS SITES_KEY SITES_BONUS SITES_GOODS
    OUTER_FIRST OUTER_SECOND INNER_FIRST INNER_SECOND
    """,
    start=0,
)
"""Fields of block ``offered``: from SITES_COAST on a row of SiteFeature."""


GAME, SIDES, HAND, LANDSCAPES = map(field_names, (GameFeature, SideFeature, HandFeature, LandscapeFeature))
PAIRS, GOODS, SCORING, BONUS = map(field_names, (PairFeature, GoodsFeature, ScoringFeature, BonusFeature))
DISTRICTS, OFFERED = map(field_names, (DistrictFeature, OfferedFeature))


def features_layout(players: int) -> Layout:
    """Return the blocks of the features for this number of players."""

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


# --- places where players can build ------------------------------------------------------------------------------------------


@kernel
def write_sites(t: Components, sites: np.uint64, free: np.uint64, single: np.uint64, out: np.ndarray) -> None:
    """Write what a set of places holds into out, a row of SiteFeature.

    free, single : the sets of places with no house, and with exactly one
    """
    for landscape in range(N_LANDSCAPES):
        out[SiteFeature.SITES_COAST + landscape] = _COUNT * popcount(sites & t.of_landscape[landscape])
    for kind in range(N_REWARDS):
        out[SiteFeature.SITES_CARD + kind] = _FEW * popcount(sites & t.of_reward[kind])
    # G6.5: in a district the first and the second house bring letters, later ones nothing
    outer, inner = sites & t.districts & ~t.inner, sites & t.inner
    out[SiteFeature.OUTER_FIRST] = _FEW * popcount(outer & free)
    out[SiteFeature.OUTER_SECOND] = _FEW * popcount(outer & single)
    out[SiteFeature.INNER_FIRST] = _FEW * popcount(inner & free)
    out[SiteFeature.INNER_SECOND] = _FEW * popcount(inner & single)


@kernel(inline=True)
def write_next(t: Components, sites: np.uint64, free: np.uint64, out: np.ndarray) -> None:
    """Write what lies two houses away from a player's network into out, a row of SideFeature.

    These are the neighbors of inland sites that are no sites themselves.
    """
    rest, neighbors = sites & ~t.coasts, ZERO  # G5.2: free coast places are sites for everybody, always
    while rest != ZERO:
        neighbors |= t.roads[lowest(rest)]
        rest &= rest - ONE
    neighbors &= free & ~sites
    out[SideFeature.NEXT_GOODS] = _FEW * popcount(neighbors & t.of_reward[Reward.GOODS])
    out[SideFeature.NEXT_BONUS] = _FEW * popcount(neighbors & t.of_reward[Reward.BONUS])
    out[SideFeature.NEXT_KEY] = _FEW * popcount(neighbors & t.of_reward[Reward.KEY])
    out[SideFeature.NEXT_OUTER_FIRST] = _FEW * popcount(neighbors & t.districts & ~t.inner)
    out[SideFeature.NEXT_INNER_FIRST] = _FEW * popcount(neighbors & t.inner)


# --- bonus cards: own cards exactly, those of others as means (G10.3) --------------------------------------------------------


TENTHS = 10  # means of letters are whole tenths, which are equal on every machine
_WORTH = 0.1  # factor that scales the letters of a bonus card


@kernel(inline=True)
def expect_bonuses(g: State, t: Components, seat: int, worth: np.ndarray, bonus: np.ndarray) -> None:
    """Write what bonus cards bring each player as things stand.

    worth : letters of each card for each player, (P, 8)
    bonus : tenths of letters of the cards that a player has, as far as the seat knows, (P,)

    The seat knows the set of cards that others took before its last look, but not who has which. Cards taken later are some of
    those that it left. In both cases the mean counts.
    """
    for p in range(g.players):
        for card in range(N_BONUS):
            worth[p, card] = bonus_letters(g, t, p, card)
    seen = last_look(g, seat)
    place, n_left = scratch(N_BONUS), N_BONUS - seen  # of each card at the last look: 1 in the stack, 0 with others, -1 own
    for card in range(N_BONUS):
        place[card] = 1
    early, late = scratch(MAX_PLAYERS), scratch(MAX_PLAYERS)  # numbers of cards that players took before the look, and since
    for p in range(g.players):
        early[p] = late[p] = bonus[p] = 0
    n_early = 0
    for i in range(g.n_bonus):
        p, card = g.bonus_seat[i], g.bonus_card[i]
        if i >= seen:  # G10.3 (b): the seat knows that a card was taken, not which
            late[p] += 1
            continue
        place[card] = -1 if p == seat else 0
        if p == seat:
            bonus[p] += TENTHS * worth[p, card]
        else:
            early[p] += 1
            n_early += 1
    for p in range(g.players):
        if p == seat:
            continue
        sum_early = sum_late = 0
        for card in range(N_BONUS):
            sum_early += worth[p, card] * (place[card] == 0)
            sum_late += worth[p, card] * (place[card] == 1)
        bonus[p] = TENTHS * early[p] * sum_early // max(1, n_early) + TENTHS * late[p] * sum_late // max(1, n_left)


@kernel(inline=True)
def write_bonus(g: State, seat: int, worth: np.ndarray, out: np.ndarray) -> None:
    """Write block ``bonus``."""
    own, own_worth, left = BonusFeature.OWN * N_BONUS, BonusFeature.OWN_TIMES_WORTH * N_BONUS, BonusFeature.LEFT * N_BONUS
    for card in range(N_BONUS):
        out[left + card] = 1
    # G10.2, G10.3 (b): cards taken since the last look are left as far as the seat knows
    for i in range(last_look(g, seat)):
        card = g.bonus_card[i]
        out[left + card] = 0
        if g.bonus_seat[i] == seat:
            out[own + card] = 1
            out[own_worth + card] = _WORTH * worth[card]


# --- the features ------------------------------------------------------------------------------------------------------------


_HOUSES = np.array(HOUSES, np.float64)
_INLAND = np.array([Landscape.FOREST, Landscape.MEADOW, Landscape.MOUNTAIN, Landscape.DESERT], np.int64)
_SIDE, _PAIR, _DISTRICT = len(SIDES), len(PAIRS), len(DISTRICTS)
_HALF = 0.5
_ONE_CARD = 8  # letters that one scoring card brings a player at most: a good and an area, both alone (G7)


@kernel
def features(g: State, t: Components, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write the features of what a seat may know into out (n,) float32.

    offsets : (blocks + 1,) of the layout
    """
    for i in range(out.shape[0]):
        out[i] = 0
    if g.stage < Stage.OVER:
        out[offsets[FeatureBlock.DECISION] + g.stage] = 1
    left = share_left(g)
    write_game(g, t, left, out[offsets[FeatureBlock.GAME] :])
    things, now = scratch(N_THINGS), scratch(N_THINGS)
    write_scoring(g, t, things, now, out[offsets[FeatureBlock.SCORING] :])
    worth, bonus = scratch_table(MAX_PLAYERS, N_BONUS), scratch(MAX_PLAYERS)
    expect_bonuses(g, t, seat, worth, bonus)
    value, lead = scratch_table(MAX_PLAYERS, N_THINGS), scratch_table(MAX_PLAYERS, N_AREAS)
    measure(g, t, value, lead)
    for k in range(g.players):
        p = seat_at(g, seat, k)
        side = out[offsets[FeatureBlock.SIDES] + k * _SIDE :]
        write_letters(g, p, bonus, left, side)
        write_side(g, t, p, side)
        write_known(g, p, side)
        write_houses(g, t, p, lead[p], side)
        write_coming(value[p], things, now, side, out[offsets[FeatureBlock.COMING] + k * N_THINGS :])
        for card in range(N_BONUS):
            out[offsets[FeatureBlock.COUNTS] + k * N_BONUS + card] = _COUNT * worth[p, card]
    write_bonus(g, seat, worth[seat], out[offsets[FeatureBlock.BONUS] :])
    write_hand(g, seat, out, offsets)
    write_all_sites(g, t, seat, out, offsets)
    write_districts(g, seat, out[offsets[FeatureBlock.DISTRICTS] :])
    write_goods(g, t, out[offsets[FeatureBlock.GOODS] :])
    if g.stage == Stage.BID:
        write_pairs(g, seat, out, offsets)


@kernel(inline=True)
def share_left(g: State) -> float:
    """Return the share of the game still ahead, from 1 to 0.

    It follows what runs out first: the scoring cards, or a player's houses (G8.1).
    """
    if g.ending != Ending.NONE:
        return 0.0  # G8.1: the round is finished, and no further one is played
    left = float(g.n_scoring / N_SCORING)
    for p in range(g.players):
        left = min(left, float(g.houses_left[p] / _HOUSES[g.players]))
    return left


@kernel(inline=True)
def write_game(g: State, t: Components, left: float, out: np.ndarray) -> None:
    """Write block ``game``."""
    taken, fewest, pile = ZERO, COPIES * COPIES, 0
    for p in range(g.players):
        taken |= g.houses[p]
        fewest = min(fewest, int(g.houses_left[p]))
    for landscape in range(N_LANDSCAPES):
        pile += g.discard[landscape]
    out[GameFeature.SHARE_LEFT] = left
    out[GameFeature.ROUND] = g.rounds / N_SCORING
    out[GameFeature.SCORING_CARDS_TO_COME] = g.n_scoring / N_SCORING
    out[GameFeature.END_TRIGGERED] = 1 if g.ending != Ending.NONE else 0
    out[GameFeature.PRICE] = _FEW * (g.displacements + 1) if g.stage == Stage.BID else 0.0  # G4.3
    out[GameFeature.DECK] = g.deck_size / N_CARDS
    out[GameFeature.DISCARD_PILE] = pile / N_CARDS
    out[GameFeature.GOODS_STACK] = g.goods_size / N_GOODS_CARDS
    out[GameFeature.BONUS_CARDS_LEFT] = (N_BONUS - g.n_bonus) / N_BONUS
    out[GameFeature.KEYS_LEFT] = g.key_stack / KEYS
    out[GameFeature.SUPPLY] = g.supply / COINS
    out[GameFeature.TURNS_FINISHED] = _FEW * g.turns
    out[GameFeature.HOUSES_BUILT] = g.built / HOUSES_A_TURN
    out[GameFeature.FEWEST_HOUSES_LEFT] = _COUNT * fewest
    out[GameFeature.FREE_COAST_PLACES] = _COUNT * popcount(t.coasts & ~taken)


@kernel(inline=True)
def write_scoring(g: State, t: Components, things: np.ndarray, now: np.ndarray, out: np.ndarray) -> None:
    """Write block ``scoring``.

    Also count what scoring cards show, by good, river and quarter: the cards to come into things (12,), the card of this round
    into now (12,).
    """
    for i in range(N_THINGS):
        things[i] = now[i] = 0
    # G8.1: the card of the last round stays on the table when the game is over, but is scored already
    if g.scoring != NONE and g.stage != Stage.OVER:
        now[t.scoring_good[g.scoring]] = now[N_GOODS + t.scoring_area[g.scoring]] = 1
    # G10.1: which cards are to come is public; their order is not, so counts are all that may be used
    for i in range(g.n_scoring):
        card = g.scoring_stack[i]
        things[t.scoring_good[card]] += 1
        things[N_GOODS + t.scoring_area[card]] += 1
    for i in range(N_THINGS):
        out[ScoringFeature.NOW * N_THINGS + i] = now[i]
        out[ScoringFeature.TO_COME * N_THINGS + i] = _FEW * things[i]


@kernel(inline=True)
def measure(g: State, t: Components, value: np.ndarray, lead: np.ndarray) -> None:
    """Count what scoring each thing now would bring each player (G7).

    Writes the letters for each good, river and quarter into value (P, 12), and each player's lead in houses over the best other
    player into lead (P, 8).
    """
    owners = scratch(N_GOODS)
    for good in range(N_GOODS):
        owners[good] = 0
    for p in range(g.players):
        for good in range(N_GOODS):
            value[p, good] = 0
        for kind in range(N_GOODS_KINDS):
            if g.goods[p, kind] > 0:
                value[p, t.shown[kind, 0]] = value[p, t.shown[kind, 1]] = SHARE
        for good in range(N_GOODS):
            owners[good] += value[p, good]
    for p in range(g.players):
        for good in range(N_GOODS):
            if owners[good] == SHARE:  # G7.1: the only owner gets the share twice
                value[p, good] *= 2
    for area in range(N_AREAS):
        places = t.at_river[area] if area < N_RIVERS else t.in_quarter[area - N_RIVERS]
        most = second = 0
        for p in range(g.players):
            n = popcount(g.houses[p] & places)
            lead[p, area] = n
            second = max(second, min(most, n))
            most = max(most, n)
        for p in range(g.players):
            n = lead[p, area]
            ahead = n - second if n == most else n - most
            lead[p, area] = ahead
            # G7.2, G7.3: a share for a house, another for more houses than every other player
            value[p, N_GOODS + area] = (SHARE if n > 0 else 0) + (SHARE if ahead > 0 else 0)


@kernel(inline=True)
def write_letters(g: State, p: int, bonus: np.ndarray, left: float, out: np.ndarray) -> None:
    """Write a player's letters by source and in total, and the lead over the best other player.

    bonus : letters of bonus cards of each player, in tenths, (P,)
    """
    total = best = 0
    for k in range(g.players):
        q, n = seat_at(g, p, k), 0
        for source in range(g.letters.shape[1]):
            n += int(g.letters[q, source])
        if k == 0:
            total = n
        else:
            other = TENTHS * n + bonus[q]
            best = other if k == 1 else max(best, other)
    for source in range(g.letters.shape[1]):
        out[SideFeature.LETTERS_OUTER + source] = 2 * _LETTERS * g.letters[p, source]
    everything = TENTHS * total + bonus[p]
    out[SideFeature.LETTERS] = _LETTERS * total
    out[SideFeature.BONUS] = _LETTERS * bonus[p] / 5
    out[SideFeature.TOTAL] = _LETTERS * everything / TENTHS
    out[SideFeature.LEAD] = _LETTERS * (everything - best) / 5
    out[SideFeature.LEAD_TIMES_LEFT] = out[SideFeature.LEAD] * left


@kernel(inline=True)
def write_side(g: State, t: Components, p: int, out: np.ndarray) -> None:
    """Write what a player has, and the place in turn order."""
    hand = known = cards = taken = has_bid = 0
    for landscape in range(N_LANDSCAPES):
        hand += g.hand[p, landscape]
        known += g.known[p, landscape]
    for kind in range(N_GOODS_KINDS):
        cards += g.goods[p, kind]
    for i in range(g.n_bonus):
        taken += g.bonus_seat[i] == p
    for i in range(g.players):
        has_bid += g.pair_seat[i] == p
    out[SideFeature.COINS] = _COUNT * g.coins[p]
    out[SideFeature.KEYS] = _HALF * g.keys[p]
    out[SideFeature.HOUSES_LEFT] = _COUNT * g.houses_left[p]
    # G10.1: of a hand the number of cards is public, so the number of unknown ones is too
    out[SideFeature.HAND] = hand / HAND_LIMIT
    out[SideFeature.UNKNOWN] = hand / HAND_LIMIT - known / HAND_LIMIT
    out[SideFeature.GOODS_CARDS] = _FEW * cards
    out[SideFeature.BONUS_CARDS] = _FEW * taken
    out[SideFeature.IS_ACTOR] = 1 if g.actor == p else 0
    out[SideFeature.IS_FIRST] = 1 if g.first == p else 0
    out[SideFeature.IS_BLOCKED] = g.blocked[p]
    out[SideFeature.HAS_BID] = has_bid
    if g.first != NOBODY:
        out[SideFeature.TURNS_AFTER_FIRST] = _FEW * from_viewer(g, p, int(g.first))


@kernel(inline=True)
def write_known(g: State, p: int, out: np.ndarray) -> None:
    """Write the known part of a player's hand by landscape (G10.3)."""
    for landscape in range(N_LANDSCAPES):
        out[SideFeature.KNOWN_COAST + landscape] = _FEW * g.known[p, landscape]


@kernel(inline=True)
def write_houses(g: State, t: Components, p: int, lead: np.ndarray, out: np.ndarray) -> None:
    """Write a player's goods cards by good, houses by kind, landscape and area, and leads in areas."""
    for kind in range(N_GOODS_KINDS):
        if g.goods[p, kind] > 0:
            out[SideFeature.GOOD_POTTERY + t.shown[kind, 0]] += _HALF * g.goods[p, kind]
            out[SideFeature.GOOD_POTTERY + t.shown[kind, 1]] += _HALF * g.goods[p, kind]
    houses = g.houses[p]
    out[SideFeature.COASTS] = _COUNT * popcount(houses & t.coasts)
    out[SideFeature.SUBURBS] = _COUNT * popcount(houses & t.suburbs)
    out[SideFeature.OUTER] = _COUNT * popcount(houses & t.districts & ~t.inner)
    out[SideFeature.INNER] = _FEW * popcount(houses & t.inner)
    for i in range(len(_INLAND)):
        out[SideFeature.INLAND_FOREST + i] = _COUNT * popcount(houses & t.inland[_INLAND[i]])
    for area in range(N_AREAS):
        places = t.at_river[area] if area < N_RIVERS else t.in_quarter[area - N_RIVERS]
        out[SideFeature.HOUSES_RIVER_N + area] = popcount(houses & places) / SUBURBS_OF_RIVER
        out[SideFeature.LEAD_RIVER_N + area] = lead[area] / SUBURBS_OF_RIVER


@kernel(inline=True)
def write_coming(value: np.ndarray, things: np.ndarray, now: np.ndarray, side: np.ndarray, out: np.ndarray) -> None:
    """Write what the scoring card of the round and those to come would bring a player now."""
    this = total = 0
    for i in range(N_THINGS):
        this += now[i] * value[i]
        total += things[i] * value[i]
        out[i] = _COUNT * things[i] * value[i]
    side[SideFeature.NOW] = this / _ONE_CARD
    side[SideFeature.COMING] = _LETTERS * total


@kernel(inline=True)
def write_all_sites(g: State, t: Components, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write where players can build, and what the viewer's hand can pay for (block ``offered``)."""
    once, twice = built_on(g)
    free, single = ~once, once & ~twice
    for k in range(g.players):
        p = seat_at(g, seat, k)
        side = out[offsets[FeatureBlock.SIDES] + k * _SIDE :]
        # G10.5: hands of others are hidden, so sites disregard them
        sites = sites_with_keys(g, t, p)
        write_sites(t, sites, free, single, side[SideFeature.SITES_COAST :])
        write_next(t, sites, free, side)
    payable, row = offered_places(g, t, seat), offsets[FeatureBlock.OFFERED]
    out[row + OfferedFeature.PLACES] = _COUNT * popcount(payable)
    write_sites(t, payable, free, single, out[row + OfferedFeature.SITES_COAST :])


@kernel(inline=True)
def write_hand(g: State, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write blocks ``hand`` and ``landscapes``."""
    hand, row = offsets[FeatureBlock.HAND], offsets[FeatureBlock.LANDSCAPES]
    for landscape in range(N_LANDSCAPES):
        # G10.1, G10.3: what the viewer sees of a landscape; the other copies are in the deck or in the unknown parts of hands
        seen = g.hand[seat, landscape] - g.known[seat, landscape] + g.discard[landscape]
        for p in range(g.players):
            seen += g.known[p, landscape]
            seen += g.pairs[p, 0] == landscape
            seen += g.pairs[p, 1] == landscape
        unknown = g.hand[seat, landscape] - g.known[seat, landscape]
        out[hand + HandFeature.CARDS * N_LANDSCAPES + landscape] = _FEW * g.hand[seat, landscape]
        out[hand + HandFeature.UNITS * N_LANDSCAPES + landscape] = _FEW * units(g, seat, landscape)
        out[hand + HandFeature.UNKNOWN_TO_OTHERS * N_LANDSCAPES + landscape] = _FEW * unknown
        out[row + LandscapeFeature.DISCARD_PILE * N_LANDSCAPES + landscape] = g.discard[landscape] / COPIES
        out[row + LandscapeFeature.UNSEEN * N_LANDSCAPES + landscape] = (COPIES - seen) / COPIES


@kernel(inline=True)
def write_pairs(g: State, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write block ``pairs``."""
    for i in range(g.players):
        row = offsets[FeatureBlock.PAIRS] + i * _PAIR
        out[row + g.pairs[i, 0]] += _HALF
        out[row + g.pairs[i, 1]] += _HALF
        out[row + PairFeature.IS_FREE] = 1 if g.pair_seat[i] == NOBODY else 0
        out[row + PairFeature.IS_OWN] = 1 if g.pair_seat[i] == seat else 0


@kernel(inline=True)
def write_districts(g: State, seat: int, out: np.ndarray) -> None:
    """Write block ``districts``."""
    for k in range(g.players):
        houses = g.houses[seat_at(g, seat, k)] >> np.uint64(FIRST_DISTRICT)
        column, share = (DistrictFeature.IS_OWN, 1.0) if k == 0 else (DistrictFeature.OTHERS, _HALF)
        for i in range(N_DISTRICTS):
            out[i * _DISTRICT + column] += share * np.int64((houses >> np.uint64(i)) & ONE)


@kernel(inline=True)
def write_goods(g: State, t: Components, out: np.ndarray) -> None:
    """Write block ``goods``."""
    for kind in range(N_GOODS_KINDS):
        if g.display[kind] > 0:
            out[GoodsFeature.DISPLAY_POTTERY + t.shown[kind, 0]] += _FEW * g.display[kind]
            out[GoodsFeature.DISPLAY_POTTERY + t.shown[kind, 1]] += _FEW * g.display[kind]
    # G10.1: which cards the stack consists of is public, their order is not
    for i in range(g.goods_size):
        kind = g.goods_stack[i]
        out[GoodsFeature.STACK_POTTERY + t.shown[kind, 0]] += _FEW
        out[GoodsFeature.STACK_POTTERY + t.shown[kind, 1]] += _FEW
