"""The score, recomputed from the board at any time (R8.2, R8.3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, add, clear, has, lowest, remove
from ginkgo_env.core.compile.intrinsics import increment, scratch, scratch_scores, scratch_sets
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.rewards import UNKNOWN
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MAX_BUILDINGS,
    MAX_PLAYERS,
    N_CHARACTERS,
    N_COLORS,
    N_DIRECTIONS,
    N_GREEN_SPACES,
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
from ginkgo_env.games.ginkgopolis.rules.parks import find_parks
from ginkgo_env.games.ginkgopolis.rules.tiles import tiles_behind
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_ENDGAME,
    CARD_ENDGAME_COLOR,
    CHARACTER_ACTION,
    CHARACTER_COLOR,
    COLOR_OF_EXPERT,
    TILE_COLOR,
    TILE_NUMBER,
)

HIGH_FLOORS = 3  # R1.5, cards 14 and 15
_HIGH_POINTS = 3
_CARD_POINTS = 2  # cards 16 to 19
_FIXED_POINTS = 9  # card 20
_ACTION_SET, _COLOR_SET = 5, 4  # cards 22 and 23, for each set
_OF_OTHERS, _OWN = 1, 2  # X6: for each building of the color of entrepreneur, professor, journalist
DISTRICT = 2  # buildings at least (R8.3)
_N_KINDS = N_COLORS + 1  # of places that connect: the colors, and green spaces
_MAX_DISTRICTS = MAX_BUILDINGS // DISTRICT
_BITS = 64  # of a word
_TALLEST_BITS, _PLAYER_BITS = 12, 3  # of a rank in a district
_SHARE_BITS = 12  # of a player's resources in a district, among those of all players
_LEFT_BITS = 4  # of the number of New Hand tokens left, in the version of a score
_RETURNING = 1 << 32  # the version while tiles are returned: above all others
_HEIGHT = 32  # above any number on a tile: (floors, number) as one number that compares like the pair
# The action whose cards an endgame card counts, by Endgame.
_COUNTED_ACTION = np.full(len(Endgame), NONE)
_COUNTED_ACTION[[Endgame.EXPLOIT_CARDS, Endgame.URBANIZE_CARDS, Endgame.CONSTRUCT_CARDS]] = list(Action)


@kernel
def score(g: State, t: None, out: np.ndarray) -> None:
    """Write the score by Source into out (P, S) int32; rows of absent players are zero (R8.2)."""
    score_all_but_districts(g, out)
    score_districts(g, out)


@entry
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
def score_all_but_districts(g: State, out: np.ndarray) -> None:
    """Write the score by source without points from districts (R8.2)."""
    for p in range(out.shape[0]):
        for source in range(out.shape[1]):
            out[p, source] = 0
    for p in range(g.players):
        out[p, Source.POINTS] = g.points[p]
        out[p, Source.NEW_HANDS] = NEW_HAND_POINTS * int(g.new_hands[p])
        for w in range(WORDS):
            rest = g.tableau[p, w]
            while rest != ZERO:
                out[p, Source.CARDS] += card_points(g, p, (w << 6) + lowest(rest))
                rest &= rest - ONE
    if EXPANSION:
        score_parks(g, out)
        for p in range(g.players):
            if g.stage != Stage.DRAFT:  # until then nobody else may know who has which (R10.2)
                out[p, Source.EXPERT] = expert_points(g, p)


@kernel
def card_points(g: State, p: int, card: int) -> int:
    """Return what an endgame card counts for a player now (R1.5); 0 for permanent bonus cards."""
    kind = CARD_ENDGAME[card]
    if kind == Endgame.NONE:
        return 0
    if kind == Endgame.RESOURCES_ON_COLOR or kind == Endgame.LOW_BUILDINGS or kind == Endgame.HIGH_BUILDINGS:
        return building_points(g, p, kind, CARD_ENDGAME_COLOR[card])
    if kind == Endgame.FIXED:
        return _FIXED_POINTS
    if kind == Endgame.COLOR_CARDS:
        return _CARD_POINTS * count_color(g, p, CARD_ENDGAME_COLOR[card])
    if EXPANSION and kind >= Endgame.PERMANENT_CARDS:
        return set_points(g, p, kind)
    return _CARD_POINTS * count_action(g, p, _COUNTED_ACTION[kind])


@kernel
def set_points(g: State, p: int, kind: int) -> int:
    """Return the points of cards 21 to 23, which count permanent cards and sets (X1)."""
    if kind == Endgame.COLOR_SETS:
        return _COLOR_SET * min(count_color(g, p, Color.RED), count_color(g, p, Color.BLUE), count_color(g, p, Color.YELLOW))
    exploits, urbanizes = count_action(g, p, Action.EXPLOIT), count_action(g, p, Action.URBANIZE)
    constructs = count_action(g, p, Action.CONSTRUCT)
    if kind == Endgame.ACTION_SETS:
        return _ACTION_SET * min(exploits, urbanizes, constructs)
    return exploits + urbanizes + constructs


@kernel
def building_points(g: State, p: int, kind: int, color: int) -> int:
    """Return the points of cards 10 to 15, which count own buildings (R1.5)."""
    n = 0
    for s in range(g.n_buildings):
        if g.owner[s] != p or (EXPANSION and g.top[s] == GREEN_SPACE):  # green spaces are no buildings (X3.1)
            continue
        if kind == Endgame.RESOURCES_ON_COLOR:
            if TILE_COLOR[g.top[s]] == color:
                n += int(g.floors[s])
        elif kind == Endgame.LOW_BUILDINGS:
            if g.floors[s] < HIGH_FLOORS:
                n += 1
        elif g.floors[s] >= HIGH_FLOORS:
            n += _HIGH_POINTS
    return n


@kernel
def count_action(g: State, p: int, action: int) -> int:
    """Count own cards with a bonus for an action, including characters (R1.5)."""
    n = 0
    for c in range(N_CHARACTERS):
        if CHARACTER_ACTION[c] == action:
            n += int(g.characters[p, c])
    for w in range(WORDS):
        rest = g.tableau[p, w]
        while rest != ZERO:
            if CARD_ACTION[(w << 6) + lowest(rest)] == action:
                n += 1
            rest &= rest - ONE
    return n


@kernel
def count_color(g: State, p: int, color: int) -> int:
    """Count own cards of a color, including characters (R1.5)."""
    n = 0
    for c in range(N_CHARACTERS):
        if CHARACTER_COLOR[c] == color:
            n += int(g.characters[p, c])
    for w in range(WORDS):
        rest = g.tableau[p, w]
        while rest != ZERO:
            if TILE_COLOR[(w << 6) + lowest(rest)] == color:
                n += 1
            rest &= rest - ONE
    return n


@kernel
def measure_districts(g: State, roots: np.ndarray, members: np.ndarray, resources: np.ndarray) -> None:
    """Find the districts and the resources of each player in them (R8.3).

    A district is named by the slot of its first building, its *root*. Writes the set of all roots into roots (words,). For each
    root writes the set of the district's buildings into members (slots, words), and the resources of all players there, those in
    parks beside it included (X3.3), into resources (slots,) int64: see :func:`share_of`. Rows of other slots are undefined.
    """
    # In order of arrival each building joins the group of its first neighbor of the same color; other groups beside it are
    # merged, which is rare. Sets of slots without branches that the processor could mispredict are several times as fast as
    # walking from building to building. Without modules there are 60 buildings at most, and one word is enough.
    same = scratch_sets(_N_KINDS, WORDS)  # slots by color
    for color in range(_N_KINDS):
        for w in range(WORDS):
            same[color, w] = ZERO
    group = scratch(MAX_BUILDINGS)
    roots[0] = roots[1] = ZERO
    s = 0
    while s < g.n_buildings:
        color = TILE_COLOR[g.top[s]]
        beside_0 = beside_1 = ZERO
        for d in range(N_DIRECTIONS):
            other = int(g.adjacent[s, d])
            bit = ONE << np.uint64(other & (_BITS - 1))  # the last one where nothing is: no building's without modules
            if EXPANSION:
                beside_1 |= bit * np.uint64(other >= _BITS)
                bit *= np.uint64((other >= 0) & (other < _BITS))
            beside_0 |= bit
        own = ONE << np.uint64(s & (_BITS - 1))
        beside_0 &= same[color, 0]
        joins = beside_0 != ZERO
        members[s, 0] = members[s, 1] = ZERO
        resources[s] = 0
        group[s] = s
        if EXPANSION:
            beside_1 &= same[color, 1]
            joins = (beside_0 | beside_1) != ZERO
            own_0, own_1 = own * np.uint64(s < _BITS), own * np.uint64(s >= _BITS)
            low = beside_0 | own_0
            root = group[lowest(low) if low != ZERO else _BITS + lowest(beside_1 | own_1)]
            same[color, 0] |= own_0
            same[color, 1] |= own_1
            members[root, 0] |= own_0
            members[root, 1] |= own_1
            named = np.uint64(joins) << np.uint64(root & (_BITS - 1))
            roots[0] |= named * np.uint64(root < _BITS)
            roots[1] |= named * np.uint64(root >= _BITS)
        else:
            root = group[lowest(beside_0 | own)]
            same[color, 0] |= own
            members[root, 0] |= own
            roots[0] |= np.uint64(joins) << np.uint64(root)
        group[s] = root
        owned = g.owner[s] != NOBODY
        resources[root] += (int(g.floors[s]) * owned) << (_SHARE_BITS * int(g.owner[s]) * owned)
        beside_0 &= ~members[root, 0]
        if EXPANSION:
            beside_1 &= ~members[root, 1]
        while (beside_0 | beside_1) != ZERO:
            other = group[lowest(beside_0) if beside_0 != ZERO else _BITS + lowest(beside_1)]
            beside_0 &= ~members[other, 0]
            beside_1 &= ~members[other, 1]
            merge_groups(min(root, other), max(root, other), group, roots, members, resources)
            root = min(root, other)
        s = increment(s)
    if EXPANSION:
        count_parks(g, group, roots, resources)


@kernel
def merge_groups(root: int, other: int, group: np.ndarray, roots: np.ndarray, members: np.ndarray, resources: np.ndarray) -> None:
    """Merge the group of one root into the group of an earlier one."""
    remove(roots, other)
    add(roots, root)
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
    for p in range(g.players):
        for w in range(WORDS):
            rest = g.tableau[p, w]
            while rest != ZERO:
                card = (w << 6) + lowest(rest)
                rest &= rest - ONE
                if CARD_ENDGAME[card] != Endgame.NONE:
                    cards[p, card] = card_points(g, p, card)


@kernel
def score_each_district(g: State, out: np.ndarray) -> int:
    """Write the points of each district by player (R8.3) into out (districts, P); return their number."""
    roots, members, resources = scratch_sets(1, WORDS), scratch_sets(MAX_BUILDINGS, WORDS), scratch(MAX_BUILDINGS)
    measure_districts(g, roots[0], members, resources)
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
def count_parks(g: State, group: np.ndarray, roots: np.ndarray, resources: np.ndarray) -> None:
    """Add resources in parks to those in districts beside them (X3.3); remove parks from the roots.

    Before, parks are groups like districts, and among the roots if they are larger than one.
    """
    beside = scratch_sets(MAX_BUILDINGS, WORDS)  # by park, the districts beside it
    parks = scratch_sets(1, WORDS)
    clear(parks[0])
    for s in range(g.n_buildings):
        if g.top[s] == GREEN_SPACE:
            park = group[s]
            if not has(parks[0], park):
                add(parks[0], park)
                remove(roots, park)
                clear(beside[park])
            for d in range(N_DIRECTIONS):
                other = int(g.adjacent[s, d])
                if other != NONE and g.top[other] != GREEN_SPACE and has(roots, group[other]):  # lone buildings are no district
                    add(beside[park], group[other])
    for w in range(WORDS):
        rest = parks[0, w]
        while rest != ZERO:
            park = (w << 6) + lowest(rest)
            rest &= rest - ONE
            for v in range(WORDS):
                near = beside[park, v]
                while near != ZERO:
                    root = (v << 6) + lowest(near)
                    near &= near - ONE
                    for p in range(g.players):
                        if share_of(resources[root], p) > 0:  # X3.3: only for a player with a resource in the district
                            resources[root] += share_of(resources[park], p) << (_SHARE_BITS * p)


@kernel
def score_districts(g: State, out: np.ndarray) -> None:
    """Add the points from all districts to out (P, S) int32 (R8.3)."""
    roots, members, resources = scratch_sets(1, WORDS), scratch_sets(MAX_BUILDINGS, WORDS), scratch(MAX_BUILDINGS)
    measure_districts(g, roots[0], members, resources)
    for w in range(WORDS if EXPANSION else 1):
        rest = roots[0, w]
        while rest != ZERO:
            root = (w << 6) + lowest(rest)
            rest &= rest - ONE
            first, second, total = rank_district(g, resources[root], members[root])
            out[player_of(first), Source.DISTRICTS] += total  # most resources: all that lie there
            out[player_of(second), Source.DISTRICTS] += resources_of(second)  # second most: his own


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
def score_parks(g: State, out: np.ndarray) -> None:
    """Add the points from all parks to out (P, S) int32 (X3.4)."""
    each = scratch_scores(N_GREEN_SPACES, MAX_PLAYERS)
    for k in range(score_each_park(g, each)):
        for p in range(g.players):
            out[p, Source.PARKS] += each[k, p]


@kernel
def expert_points(g: State, p: int) -> int:
    """Return what the expert of a player counts at the end (X6.2)."""
    if g.expert[p] == NONE:
        return 0
    if g.expert[p] == Expert.BANKER:
        return int(g.resources[p])
    if g.expert[p] == Expert.ENGINEER:
        return tiles_held(g, p) if g.exhaustions == 0 else 0  # only if the supply never ran out
    if g.expert[p] == Expert.MAYOR:
        return count_districts(g)
    color = COLOR_OF_EXPERT[g.expert[p]]
    n = 0
    for s in range(g.n_buildings if color != NONE else 0):
        if TILE_COLOR[g.top[s]] == color and g.owner[s] != NOBODY:
            n += _OWN if g.owner[s] == p else _OF_OTHERS
    return n


@kernel
def tiles_held(g: State, p: int) -> int:
    """Count a player's tiles, those committed included."""
    # R10.1: the score must not reveal a commitment.
    return tiles_behind(g, p) + (g.tile[p] != NONE) + (g.lower[p] != NONE)


@kernel
def count_districts(g: State) -> int:
    """Count the districts of the city, whoever owns them (X6.2)."""
    each = scratch_scores(_MAX_DISTRICTS, MAX_PLAYERS)
    return score_each_district(g, each)
