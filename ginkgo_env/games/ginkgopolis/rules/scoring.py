"""The score, recomputed from the board at any time (R8.2, R8.3)."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, clear, count, has, lowest, popcount, remove
from ginkgo_env.core.compile.intrinsics import (
    equal_bits,
    greater_bits,
    increment,
    scratch,
    scratch_sets,
    sum_where,
)
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.compile.specialize import specialize
from ginkgo_env.core.rewards import ABSENT, UNKNOWN, total_of
from ginkgo_env.games.ginkgopolis.components import (
    CARD_ACTION,
    CARD_ENDGAME,
    CARD_ENDGAME_COLOR,
    CHARACTER_ACTION,
    CHARACTER_COLOR,
    COLOR_OF_EXPERT,
    GREEN,
    TILE_COLOR,
    TILE_NUMBER,
)
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MAX_BUILDINGS,
    MAX_PLAYERS,
    N_ALL_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_DIRECTIONS,
    N_IDS,
    NEW_HAND_POINTS,
    NOBODY,
    NONE,
    WORDS,
    Action,
    Color,
    Endgame,
    Expert,
    Source,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.effects import find_parks
from ginkgo_env.games.ginkgopolis.rules.tiles import tiles_behind
from ginkgo_env.games.ginkgopolis.state import State

HIGH_FLOORS = 3  # R1.5, cards 14 and 15
_HIGH_POINTS = 3
_CARD_POINTS = 2  # cards 16 to 19
_FIXED_POINTS = 9  # card 20
_ACTION_SET, _COLOR_SET = 5, 4  # cards 22 and 23, for each set
_OF_OTHERS, _OWN = 1, 2  # X6: for each building of the color of entrepreneur, professor, journalist
DISTRICT = 2  # buildings at least (R8.3)
N_KINDS = N_COLORS + 1  # of places that connect: the colors, and green spaces
_BITS = 64  # of a word
# The second word of a set of slots is read from here, 64 items to the end, and shifted.
LAST_SLOTS, LAST_SHIFT = MAX_BUILDINGS - _BITS, np.uint64(2 * _BITS - MAX_BUILDINGS)
_TALLEST_BITS, _PLAYER_BITS = 12, 3  # of a rank in a district
_SHARE_BITS = 12  # of a player's resources in a district, among those of all players
_OWNER_MASK = 7
# Where the share of an owner is; that of NOBODY lies beyond all of them, and does not matter.
_SHARE_SHIFT = np.array([_SHARE_BITS * p if p < MAX_PLAYERS else _SHARE_BITS * MAX_PLAYERS for p in range(_OWNER_MASK + 1)])
_LEFT_BITS = 4  # of the number of New Hand tokens left, in the version of a score
_RETURNING = 1 << 32  # the version while tiles are returned: above all others
_HEIGHT = 32  # above any number on a tile: (floors, number) as one number that compares like the pair


class Fact(IntEnum):
    """What endgame cards count, of one player (R1.5, X1)."""

    FLOORS_RED, FLOORS_BLUE, FLOORS_YELLOW, BUILDINGS_RED, BUILDINGS_BLUE, BUILDINGS_YELLOW = range(6)
    LOW_BUILDINGS, HIGH_BUILDINGS = range(6, 8)
    EXPLOIT_CARDS, URBANIZE_CARDS, CONSTRUCT_CARDS, RED_CARDS, BLUE_CARDS, YELLOW_CARDS = range(8, 14)
    ONE, PERMANENT_CARDS, ACTION_SETS, COLOR_SETS = range(14, 18)


N_FACTS = len(Fact)
_COUNTED = {
    Endgame.RESOURCES_ON_COLOR: (Fact.FLOORS_RED, 1),
    Endgame.LOW_BUILDINGS: (Fact.LOW_BUILDINGS, 1),
    Endgame.HIGH_BUILDINGS: (Fact.HIGH_BUILDINGS, _HIGH_POINTS),
    Endgame.EXPLOIT_CARDS: (Fact.EXPLOIT_CARDS, _CARD_POINTS),
    Endgame.URBANIZE_CARDS: (Fact.URBANIZE_CARDS, _CARD_POINTS),
    Endgame.CONSTRUCT_CARDS: (Fact.CONSTRUCT_CARDS, _CARD_POINTS),
    Endgame.COLOR_CARDS: (Fact.RED_CARDS, _CARD_POINTS),
    Endgame.FIXED: (Fact.ONE, _FIXED_POINTS),
    Endgame.PERMANENT_CARDS: (Fact.PERMANENT_CARDS, 1),
    Endgame.ACTION_SETS: (Fact.ACTION_SETS, _ACTION_SET),
    Endgame.COLOR_SETS: (Fact.COLOR_SETS, _COLOR_SET),
}
"""What an endgame card counts, of its color if it has one, and the points for each."""
_CARD_FACT, _CARD_FACTOR = np.zeros(N_IDS, np.int64), np.zeros(N_IDS, np.int64)
for _i, _kind in enumerate(CARD_ENDGAME):
    if _kind != Endgame.NONE:
        _fact, _CARD_FACTOR[_i] = _COUNTED[Endgame(int(_kind))]
        _CARD_FACT[_i] = _fact + max(0, int(CARD_ENDGAME_COLOR[_i]))


def _sets_of(values: Any, kinds: int) -> Any:
    """Return the sets (kinds, words) of the cards that have each value."""
    words = np.zeros((kinds, WORDS), np.uint64)
    for card, value in enumerate(values[:N_ALL_CARDS]):
        if value >= 0:
            words[value, card >> 6] |= np.uint64(1 << (card & (_BITS - 1)))
    return words


ENDGAME_CARDS = _sets_of(np.where(CARD_ENDGAME == Endgame.NONE, NONE, 0), 1)[0]
"""The set of endgame cards."""
_ACTION_CARDS, _COLOR_CARDS = _sets_of(CARD_ACTION, len(Action)), _sets_of(TILE_COLOR, N_COLORS)
_FIELD = 8  # bits of a number of cards, in the word for all actions and colors
# What a character adds to the numbers of cards: one for its action, one for its color.
_CHARACTER_CARDS = (1 << _FIELD * CHARACTER_ACTION) + (1 << _FIELD * (N_COLORS + CHARACTER_COLOR))


@kernel
def score(g: State, t: None, out: np.ndarray) -> None:
    """Write the score by Source into out (P, S) int32; rows of absent players are zero (R8.2)."""
    colors, roots, members = scratch_sets(N_KINDS, WORDS), scratch_sets(1, WORDS), scratch_sets(MAX_BUILDINGS, WORDS)
    resources, facts = scratch(MAX_BUILDINGS), scratch(N_FACTS)
    measure_districts(g, colors, roots[0], members, resources)
    for p in range(out.shape[0]):
        for source in range(out.shape[1]):
            out[p, source] = 0
    for p in range(g.players):
        out[p, Source.POINTS] = g.points[p]
        out[p, Source.NEW_HANDS] = NEW_HAND_POINTS * int(g.new_hands[p])
        count_facts(g, p, colors, facts)
        for w in range(WORDS):
            rest = g.tableau[p, w] & ENDGAME_CARDS[w]
            while rest != ZERO:
                out[p, Source.CARDS] += card_points((w << 6) + lowest(rest), facts)
                rest &= rest - ONE
    score_districts(g, roots[0], members, resources, out)
    if EXPANSION:
        score_expansion(g, colors, count(roots[0]), out)


@kernel
def standing(g: State, t: None, points: np.ndarray, out: np.ndarray) -> None:
    """Write the standings: the scores, as R8.4 breaks no ties; ABSENT for sides that there are not."""
    for side in range(out.shape[0]):
        out[side] = total_of(points[side]) if side < g.players else ABSENT


def score_parts(states: Any, cards: Any, districts: Any, parks: Any) -> tuple[int, int]:
    """Points of the first game by card, by district and by park.

    cards (P, ids) int32 gets the points of each endgame card in front of a player, -1 where there is none; districts (n, P) int32
    those of each district, parks (n, P) int32 those of each park (X3.4), in the order of their first tiles. Returns how many
    districts and how many parks there are.
    """
    g = states[0]
    score_cards(g, cards)
    return score_each_district(g, districts), score_each_park(g, parks)


@kernel
def score_version(g: State, t: None) -> int:
    """Return a number that changes whenever the score does, UNKNOWN while actions are carried out.

    While players choose, nothing counts but New Hand tokens that are spent (R3.2): what lies on a card is still held (X6). Nor
    do the draft and tiles set aside: SP for these come when all have chosen (R7.1), with modules perhaps more than once.
    """
    if g.stage == Stage.DRAFT:
        return 0
    if g.stage == Stage.COMMIT or g.stage == Stage.LOWER or g.stage == Stage.EVENT or g.stage == Stage.KEEP:
        left = 1
        for p in range(g.players):
            left += g.new_hands[p]
        return (g.rounds << _LEFT_BITS) + left
    return _RETURNING if not EXPANSION and g.stage == Stage.RETURN else UNKNOWN


@kernel
def words_of_slots(g: State) -> int:
    """Return how many words sets of slots need."""
    return WORDS if EXPANSION and g.n_buildings > _BITS else 1


@kernel
def slots_of(g: State, p: int, w: int) -> np.uint64:
    """Return the slots of a player as word w of a set; those of NOBODY include empty ones."""
    if w == 0:
        return equal_bits(g.owner, 0, p)
    return equal_bits(g.owner, LAST_SLOTS, p) >> LAST_SHIFT


@kernel
def high_slots(g: State, w: int) -> np.uint64:
    """Return the places in the city with three floors or more, as word w of a set."""
    if w == 0:
        return greater_bits(g.floors, 0, HIGH_FLOORS - 1)
    return greater_bits(g.floors, LAST_SLOTS, HIGH_FLOORS - 1) >> LAST_SHIFT


@kernel(inline=True)
def count_facts(g: State, p: int, colors: np.ndarray, facts: np.ndarray) -> None:
    """Write what endgame cards count for a player into facts (N_FACTS,) int64, by Fact.

    colors : sets of slots by color, from :func:`measure_districts`
    """
    # All of them, by sets: less work than to look at buildings and cards once for each endgame card.
    for i in range(N_COLORS):
        facts[Fact.BUILDINGS_RED + i] = facts[Fact.FLOORS_RED + i] = 0
    buildings = high = 0
    for w in range(words_of_slots(g)):
        own = slots_of(g, p, w) & (colors[Color.RED, w] | colors[Color.BLUE, w] | colors[Color.YELLOW, w])
        buildings += popcount(own)
        high += popcount(own & high_slots(g, w))
        for color in range(N_COLORS):
            mine = own & colors[color, w]
            facts[Fact.BUILDINGS_RED + color] += popcount(mine)
            floors = sum_where(g.floors, 0, mine) if w == 0 else sum_where(g.floors, LAST_SLOTS, mine << LAST_SHIFT)
            facts[Fact.FLOORS_RED + color] += floors
    facts[Fact.HIGH_BUILDINGS], facts[Fact.LOW_BUILDINGS], facts[Fact.ONE] = high, buildings - high, 1
    characters = count_characters(g, p)
    for i in range(N_COLORS):
        actions, cards = cards_with(characters, i), cards_with(characters, N_COLORS + i)
        for w in range(WORDS if EXPANSION else 1):
            actions += popcount(g.tableau[p, w] & _ACTION_CARDS[i, w])
            cards += popcount(g.tableau[p, w] & _COLOR_CARDS[i, w])
        facts[Fact.EXPLOIT_CARDS + i], facts[Fact.RED_CARDS + i] = actions, cards
    if EXPANSION:
        exploit, urbanize, construct = facts[Fact.EXPLOIT_CARDS], facts[Fact.URBANIZE_CARDS], facts[Fact.CONSTRUCT_CARDS]
        facts[Fact.PERMANENT_CARDS] = exploit + urbanize + construct
        facts[Fact.ACTION_SETS] = min(exploit, urbanize, construct)
        facts[Fact.COLOR_SETS] = min(facts[Fact.RED_CARDS], facts[Fact.BLUE_CARDS], facts[Fact.YELLOW_CARDS])


@kernel
def count_characters(g: State, p: int) -> int:
    """Count a player's characters by action, then by color, as one number: see :func:`cards_with`."""
    word = 0
    for c in range(N_CHARACTERS):
        word += int(g.characters[p, c]) * _CHARACTER_CARDS[c]
    return word


@kernel
def cards_with(word: int, i: int) -> int:
    """Extract the number of cards of action i, or of color i - 3, from the number that holds all."""
    return (word >> (_FIELD * i)) & ((1 << _FIELD) - 1)


@kernel
def card_points(card: int, facts: np.ndarray) -> int:
    """Return what a card counts for the player with these facts (R1.5, X1); 0 for permanent bonus cards."""
    return _CARD_FACTOR[card] * facts[_CARD_FACT[card]]


@kernel
def score_expansion(g: State, colors: np.ndarray, districts: int, out: np.ndarray) -> None:
    """Add the points from parks and experts to out (P, S) int32 (X3.4, X6.2).

    colors : from :func:`measure_districts`
    districts : number of districts of the city
    """
    score_parks(g, colors[GREEN], out)
    for p in range(g.players):
        if g.stage != Stage.DRAFT:  # until then nobody else may know who has which (R10.2)
            out[p, Source.EXPERT] = expert_points(g, p, colors, districts)


@kernel(inline=True)
def measure_districts(g: State, colors: np.ndarray, roots: np.ndarray, members: np.ndarray, resources: np.ndarray) -> None:
    """Find the districts and the resources of each player in them (R8.3).

    A district is named by the slot of its first building, its *root*. Writes the sets of slots by color, green spaces last, into
    colors (kinds, words), and the set of all roots into roots (words,). For each root writes the set of the district's buildings
    into members (slots, words), and the resources of all players there, those in parks beside it included (X3.3), into resources
    (slots,) int64: see :func:`share_of`. Rows of other slots are undefined.
    """
    for color in range(N_KINDS):
        for w in range(WORDS):
            colors[color, w] = ZERO
    group = scratch(MAX_BUILDINGS)
    if EXPANSION:
        if g.n_buildings >= _BITS:  # the largest cities only
            find_groups(g, True, colors, roots, members, resources, group)
        else:
            find_groups(g, False, colors, roots, members, resources, group)
        count_parks(g, colors[GREEN], group, roots, members, resources)
    else:
        find_groups(g, False, colors, roots, members, resources, group)


@kernel(inline=True)
def find_groups(
    g: State, wide: bool, colors: np.ndarray, roots: np.ndarray, members: np.ndarray, resources: np.ndarray, group: np.ndarray
) -> None:
    """Find connected buildings of one color, as :func:`measure_districts` does; parks are groups as well.

    wide : whether there are more buildings than the last but one bit of a word: else one word is enough
    group : (slots,) int64, gets the root of each building's group
    """
    # In order of arrival each building joins the group of its first neighbor of the same color; other groups beside it are
    # merged, which is rare. Sets of slots without branches that the processor could mispredict are several times as fast as
    # walking from building to building.
    roots_0 = roots_1 = ZERO
    s = 0
    while s < g.n_buildings:
        color = TILE_COLOR[g.top[s]]
        beside_0 = beside_1 = ZERO
        for d in range(N_DIRECTIONS):
            other = int(g.adjacent[s, d])
            bit = ONE << np.uint64(other & (_BITS - 1))  # the last one where nothing is: no building's unless wide
            if wide:
                beside_1 |= bit * np.uint64(other >= _BITS)
                bit *= np.uint64((other >= 0) & (other < _BITS))
            beside_0 |= bit
        own = ONE << np.uint64(s & (_BITS - 1))
        beside_0 &= colors[color, 0]
        joins = beside_0 != ZERO
        members[s, 0] = ZERO
        if EXPANSION:
            members[s, 1] = ZERO
        resources[s] = 0
        group[s] = s
        if wide:
            beside_1 &= colors[color, 1]
            joins = (beside_0 | beside_1) != ZERO
            own_0, own_1 = own * np.uint64(s < _BITS), own * np.uint64(s >= _BITS)
            low = beside_0 | own_0
            root = group[lowest(low) if low != ZERO else _BITS + lowest(beside_1 | own_1)]
            colors[color, 0] |= own_0
            colors[color, 1] |= own_1
            members[root, 0] |= own_0
            members[root, 1] |= own_1
            roots_0 |= bit_in(root, 0) * np.uint64(joins)
            roots_1 |= bit_in(root, 1) * np.uint64(joins)
        else:
            root = group[lowest(beside_0 | own)]
            colors[color, 0] |= own
            members[root, 0] |= own
            roots_0 |= np.uint64(joins) << np.uint64(root)
        group[s] = root
        resources[root] += int(g.floors[s]) << _SHARE_SHIFT[g.owner[s] & _OWNER_MASK]
        beside_0 &= ~members[root, 0]
        if wide:
            beside_1 &= ~members[root, 1]
        while (beside_0 | beside_1) != ZERO:
            other = group[lowest(beside_0) if beside_0 != ZERO else _BITS + lowest(beside_1)]
            beside_0 &= ~members[other, 0]
            if wide:
                beside_1 &= ~members[other, 1]
            root, other = min(root, other), max(root, other)
            merge_groups(root, other, group, members, resources)
            roots_0 = (roots_0 & ~bit_in(other, 0)) | bit_in(root, 0)
            if wide:
                roots_1 = (roots_1 & ~bit_in(other, 1)) | bit_in(root, 1)
        s = increment(s)
    roots[0], roots[1] = roots_0, roots_1


@kernel
def bit_in(i: int, w: int) -> np.uint64:
    """Return word w of the set of one number."""
    return (ONE << np.uint64(i & (_BITS - 1))) * np.uint64(i >> 6 == w)


@kernel
def merge_groups(root: int, other: int, group: np.ndarray, members: np.ndarray, resources: np.ndarray) -> None:
    """Merge the group of one root into the group of an earlier one."""
    resources[root] += resources[other]
    for w in range(WORDS if EXPANSION else 1):
        members[root, w] |= members[other, w]
        rest = members[other, w]
        while rest != ZERO:
            group[(w << 6) + lowest(rest)] = root
            rest &= rest - ONE


@kernel
def share_of(resources: int, p: int) -> int:
    """Extract a player's resources in a district from the number that holds those of all players."""
    return (resources >> (_SHARE_BITS * p)) & ((1 << _SHARE_BITS) - 1)


@kernel
def score_cards(g: State, cards: np.ndarray) -> None:
    """Write the points of each endgame card in front of each player into cards (P, ids) int32, else NONE."""
    for p in range(cards.shape[0]):
        for card in range(cards.shape[1]):
            cards[p, card] = NONE
    colors, roots, members = scratch_sets(N_KINDS, WORDS), scratch_sets(1, WORDS), scratch_sets(MAX_BUILDINGS, WORDS)
    resources, facts = scratch(MAX_BUILDINGS), scratch(N_FACTS)
    measure_districts(g, colors, roots[0], members, resources)
    for p in range(g.players):
        count_facts(g, p, colors, facts)
        for w in range(WORDS):
            rest = g.tableau[p, w] & ENDGAME_CARDS[w]
            while rest != ZERO:
                card = (w << 6) + lowest(rest)
                rest &= rest - ONE
                cards[p, card] = card_points(card, facts)


@kernel
def score_each_district(g: State, out: np.ndarray) -> int:
    """Write the points of each district by player (R8.3) into out (districts, P); return their number."""
    colors, roots, members = scratch_sets(N_KINDS, WORDS), scratch_sets(1, WORDS), scratch_sets(MAX_BUILDINGS, WORDS)
    resources = scratch(MAX_BUILDINGS)
    measure_districts(g, colors, roots[0], members, resources)
    n = 0
    for w in range(WORDS):
        rest = roots[0, w]
        while rest != ZERO:
            root = (w << 6) + lowest(rest)
            rest &= rest - ONE
            for p in range(out.shape[1]):
                out[n, p] = 0
            first, second, total = rank_district(g, resources[root], members[root])
            out[n, player_of(first)] += total
            out[n, player_of(second)] += resources_of(second)
            n += 1
    return n


@kernel
def count_parks(
    g: State, greens: np.ndarray, group: np.ndarray, roots: np.ndarray, members: np.ndarray, resources: np.ndarray
) -> None:
    """Add resources in parks to those in districts beside them (X3.3); remove parks from the roots.

    Before, parks are groups like districts, and among the roots if they are larger than one.

    greens : the set of green spaces
    """
    near = scratch_sets(1, WORDS)[0]
    for w in range(words_of_slots(g)):
        rest = greens[w]
        while rest != ZERO:
            park = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if group[park] != park:
                continue
            remove(roots, park)
            clear(near)
            for v in range(words_of_slots(g)):
                slots = members[park, v]
                while slots != ZERO:
                    add_neighbors(g, (v << 6) + lowest(slots), near)
                    slots &= slots - ONE
            for v in range(words_of_slots(g)):
                beside = near[v] & ~greens[v]
                while beside != ZERO:
                    root = group[(v << 6) + lowest(beside)]
                    beside &= ~members[root, v]
                    near[WORDS - 1] &= ~members[root, WORDS - 1]  # each district once
                    if has(roots, root):  # lone buildings are no district
                        share_park(g, root, resources[park], resources)


@kernel
def add_neighbors(g: State, s: int, near: np.ndarray) -> None:
    """Add the buildings beside one to a set, and a number beyond all buildings where there is none."""
    for d in range(N_DIRECTIONS):
        other = int(g.adjacent[s, d])
        near[(other >> 6) & 1] |= ONE << np.uint64(other & (_BITS - 1))


@kernel
def share_park(g: State, root: int, in_park: int, resources: np.ndarray) -> None:
    """Add a park's resources to a district's (X3.3), for players with a resource in the district."""
    for p in range(g.players):
        resources[root] += (share_of(in_park, p) * (share_of(resources[root], p) > 0)) << (_SHARE_BITS * p)


@kernel
def score_districts(g: State, roots: np.ndarray, members: np.ndarray, resources: np.ndarray, out: np.ndarray) -> None:
    """Add the points from districts, found by :func:`measure_districts`, to out (P, S) int32 (R8.3)."""
    for w in range(words_of_slots(g)):
        rest = roots[w]
        while rest != ZERO:
            root = (w << 6) + lowest(rest)
            rest &= rest - ONE
            first, second, total = rank_district(g, resources[root], members[root])
            out[player_of(first), Source.DISTRICTS] += total  # most resources: all that lie there
            out[player_of(second), Source.DISTRICTS] += resources_of(second)  # second most: their own


@kernel
def rank_district(g: State, resources: int, members: np.ndarray) -> tuple[int, int, int]:
    """Return the first and the second rank in a district, and the total of resources there (R8.3).

    A rank is a number that compares like resources, then, if needed, floors and number of the tallest building; it is 0 without
    resources. See :func:`player_of` and :func:`resources_of`. No two ranks are equal, as no two tiles of a color are.
    """
    first, second, third, total = 0, 0, 0, 0
    for p in range(g.players):
        n = share_of(resources, p)
        total += n
        rank = (n << (_TALLEST_BITS + _PLAYER_BITS) | p) * (n > 0)
        third = max(third, min(second, rank))
        second = max(second, min(first, rank))
        first = max(first, rank)
    equal = resources_of(first) == resources_of(second) or resources_of(second) == resources_of(third)
    if second > 0 and equal:  # seldom: only then the tallest buildings are searched
        first, second = 0, 0
        for p in range(g.players):
            n = share_of(resources, p)
            rank = (((n << _TALLEST_BITS) | tallest_in(g, members, p)) << _PLAYER_BITS | p) * (n > 0)
            second = max(second, min(first, rank))
            first = max(first, rank)
    return first, (second if second > 0 else first), total  # a player alone takes both ranks


@kernel
def tallest_in(g: State, members: np.ndarray, p: int) -> int:
    """Return a player's tallest building of a set as a number that compares like floors, then number."""
    best = 0
    for w in range(WORDS if EXPANSION else 1):
        rest = members[w]
        while rest != ZERO:
            s = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if g.owner[s] == p:
                best = max(best, int(g.floors[s]) * _HEIGHT + TILE_NUMBER[g.top[s]])
    return best


@kernel
def player_of(rank: int) -> int:
    """Extract the player from a rank in a district; 0 for rank 0."""
    return rank & ((1 << _PLAYER_BITS) - 1)


@kernel
def resources_of(rank: int) -> int:
    """Extract the player's resources from a rank in a district."""
    return rank >> (_TALLEST_BITS + _PLAYER_BITS)


# --- the expansion -------------------------------------------------------------------------------------------------------------


@kernel
def score_each_park(g: State, out: np.ndarray) -> int:
    """Write the points of each park for each player (X3.4) into out (parks, P); return their number."""
    park = scratch(MAX_BUILDINGS)
    n = find_parks(g, NONE, park)
    for k in range(n):
        for p in range(out.shape[1]):
            out[k, p] = 0
    for s in range(g.n_buildings):
        for d in range(N_DIRECTIONS if park[s] != NONE else 0):
            other = int(g.adjacent[s, d])
            if other != NONE and g.top[other] != GREEN_SPACE:  # buildings of any owner
                out[park[s], g.owner[s]] += g.floors[other]
    return n


@kernel
def score_parks(g: State, greens: np.ndarray, out: np.ndarray) -> None:
    """Add the points from all parks to out (P, S) int32 (X3.4).

    greens : the set of green spaces
    """
    for w in range(words_of_slots(g)):
        rest = greens[w]
        while rest != ZERO:
            s = (w << 6) + lowest(rest)
            rest &= rest - ONE
            points = 0
            for d in range(N_DIRECTIONS):  # buildings of any owner, without branches that the processor could mispredict
                other = int(g.adjacent[s, d])
                is_building = (other != NONE) & (not has(greens, max(0, other)))
                points += int(g.floors[max(0, other)]) * is_building
            out[g.owner[s], Source.PARKS] += points


@kernel
def expert_points(g: State, p: int, colors: np.ndarray, districts: int) -> int:
    """Return what a player's expert counts at the end (X6.2); see :func:`score_expansion`."""
    if g.expert[p] == NONE:
        return 0
    if g.expert[p] == Expert.BANKER:
        return int(g.resources[p])
    if g.expert[p] == Expert.ENGINEER:
        return tiles_held(g, p) if g.exhaustions == 0 else 0  # only if the supply never ran out
    if g.expert[p] == Expert.MAYOR:  # districts of the city, whoever owns them
        return districts
    color = COLOR_OF_EXPERT[g.expert[p]]
    n = 0
    for w in range(words_of_slots(g) if color != NONE else 0):
        owned, own = colors[color, w] & ~slots_of(g, NOBODY, w), colors[color, w] & slots_of(g, p, w)
        n += _OF_OTHERS * popcount(owned & ~own) + _OWN * popcount(own)
    return n


@kernel
def tiles_held(g: State, p: int) -> int:
    """Count a player's tiles, those committed included."""
    # R10.1: the score must not reveal a commitment.
    return tiles_behind(g, p) + (g.tile[p] != NONE) + (g.lower[p] != NONE)


SCORE_PARTS = {expansion: entry(specialize(score_parts, EXPANSION=expansion)) for expansion in (False, True)}
"""``score_parts`` by whether a game is played with any module."""
