"""The score, recomputed from the board at any time (R8.2, R8.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, lowest
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.memory import after, scratch, scratch_scores, scratch_sets, scratch_table
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MAX_BUILDINGS,
    MAX_PLAYERS,
    N_CHARACTERS,
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
_SLOTS_AND_ONE = MAX_BUILDINGS + 1
_MAX_DISTRICTS = MAX_BUILDINGS // DISTRICT
_BITS = 64  # of a word
_TALLEST_BITS, _PLAYER_BITS = 12, 3  # of a rank in a district
_HEIGHT = 32  # above any number on a tile: (floors, number) as one number that compares like the pair


@kernel
def score_one(g: State, out: np.ndarray) -> None:
    """Write the score by source into out (P, S) int32, columns as in ``Source``; rows of absent players are zero."""
    score_all_but_districts(g, out)
    score_districts(g, out)


@kernel
def score_all_but_districts(g: State, out: np.ndarray) -> None:
    """The same without what districts bring (R8.3)."""
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
    """What an endgame card in front of a player counts now (R1.5); 0 for permanent bonus cards."""
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
    return _CARD_POINTS * count_action(g, p, kind - Endgame.EXPLOIT_CARDS + Action.EXPLOIT)


@kernel
def set_points(g: State, p: int, kind: int) -> int:
    """Cards 21 to 23, which look at permanent cards and at sets (X1)."""
    if kind == Endgame.COLOR_SETS:
        return _COLOR_SET * min(count_color(g, p, Color.RED), count_color(g, p, Color.BLUE), count_color(g, p, Color.YELLOW))
    exploits, urbanizes = count_action(g, p, Action.EXPLOIT), count_action(g, p, Action.URBANIZE)
    constructs = count_action(g, p, Action.CONSTRUCT)
    if kind == Endgame.ACTION_SETS:
        return _ACTION_SET * min(exploits, urbanizes, constructs)
    return exploits + urbanizes + constructs


@kernel
def building_points(g: State, p: int, kind: int, color: int) -> int:
    """Cards 10 to 15, which look at own buildings."""
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
    """Own cards with a bonus for an action, characters included (cards 16 to 18)."""
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
    """Own cards of a color, characters included (card 19)."""
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
def link_buildings(g: State, links: np.ndarray) -> None:
    """Write the set of slots of the same color beside each building into links (slots, words)."""
    color = scratch(_SLOTS_AND_ONE)  # by slot + 1: there is none beyond the edge
    color[0] = NONE
    for s in range(g.n_buildings):
        color[s + 1] = TILE_COLOR[g.top[s]]
    s = 0
    while s < g.n_buildings:
        link_0 = link_1 = ZERO
        for d in range(N_DIRECTIONS):
            other = int(g.adjacent[s, d])
            bit = np.uint64(color[other + 1] == color[s + 1]) << np.uint64(other & (_BITS - 1))
            if EXPANSION:
                link_1 |= bit * np.uint64(other >= _BITS)
                bit *= np.uint64(other < _BITS)
            link_0 |= bit
        links[s, 0] = link_0
        if EXPANSION:
            links[s, 1] = link_1
        s = after(s)


@kernel
def measure_districts(g: State, district: np.ndarray, size: np.ndarray, resources: np.ndarray, tallest: np.ndarray) -> int:
    """What decides in each group of connected buildings of one color (R8.3), single buildings included.

    Groups come in the order of their first buildings; returns how many there are. Writes each building's group into district
    (slots,); for each group its buildings into size (slots,), a player's resources, those in parks beside it included (X3.3),
    into resources (slots, P), and into tallest (slots, P) the player's tallest building, as a number that compares like floors
    and then the number on the tile.
    """
    # Sets of slots, and a loop without branches that the processor could guess wrong: several times as fast as walking from
    # building to building. Without modules there are 60 buildings at most, and one word is enough.
    n = int(g.n_buildings)
    links = scratch_sets(MAX_BUILDINGS, WORDS)
    link_buildings(g, links)
    for k in range(n):
        size[k] = 0
        for p in range(resources.shape[1]):
            resources[k, p] = tallest[k, p] = 0
    left_0 = ~ZERO if n >= _BITS else (ONE << np.uint64(n)) - ONE  # not yet in a group
    left_1 = (ONE << np.uint64(max(0, n - _BITS))) - ONE if EXPANSION else ZERO
    ahead_0 = ahead_1 = ZERO  # in the present group, not yet visited
    k = -1
    i = 0
    while i < n:
        i = after(i)
        fresh = (ahead_0 | ahead_1) == ZERO
        k += fresh
        if EXPANSION:
            ahead_1 |= lowest_bit(left_1) * np.uint64(fresh & (left_0 == ZERO))
        ahead_0 |= lowest_bit(left_0) * np.uint64(fresh)
        s = lowest(ahead_0)
        if EXPANSION and ahead_0 == ZERO:
            s = _BITS + lowest(ahead_1)
            ahead_1 &= ahead_1 - ONE
            left_1 &= ~(ONE << np.uint64(s & (_BITS - 1)))
        else:
            ahead_0 &= ahead_0 - ONE
            left_0 &= ~(ONE << np.uint64(s & (_BITS - 1)))
        ahead_0 |= links[s, 0] & left_0
        if EXPANSION:
            ahead_1 |= links[s, 1] & left_1
        district[s] = k
        owned = g.owner[s] != NOBODY
        owner, floors = int(g.owner[s]) * owned, int(g.floors[s]) * owned
        size[k] += 0 if EXPANSION and g.top[s] == GREEN_SPACE else 1  # parks are no districts (X3.3)
        resources[k, owner] += floors
        tallest[k, owner] = max(tallest[k, owner], (floors * _HEIGHT + TILE_NUMBER[g.top[s]]) * owned)
    if EXPANSION:
        count_parks(g, district, k + 1, resources)
    return k + 1


@kernel
def lowest_bit(word: np.uint64) -> np.uint64:
    """The word with only its lowest bit."""
    return word & ~(word - ONE)


@kernel
def score_cards(g: State, cards: np.ndarray) -> None:
    """The points of each endgame card in front of each player, -1 where there is none: (P, ids) int32."""
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
    """The points of each district for each player (R8.3), (districts, P), by first building; return how many there are."""
    district, size = scratch(MAX_BUILDINGS), scratch(MAX_BUILDINGS)
    resources, tallest = scratch_table(MAX_BUILDINGS, MAX_PLAYERS), scratch_table(MAX_BUILDINGS, MAX_PLAYERS)
    n = 0
    for k in range(measure_districts(g, district, size, resources, tallest)):
        if size[k] >= DISTRICT:
            for p in range(out.shape[1]):
                out[n, p] = 0
            score_district(int(g.players), resources[k], tallest[k], out[n])
            n += 1
    return n


@kernel
def count_parks(g: State, district: np.ndarray, groups: int, resources: np.ndarray) -> None:
    """Who has resources in a district has those in the parks beside it as well, each park once (X3.3).

    Parks are groups like districts, by the color of their tiles.
    """
    beside = np.zeros((groups, groups), np.bool_)  # park, district
    for s in range(g.n_buildings):
        for d in range(N_DIRECTIONS if g.top[s] == GREEN_SPACE else 0):
            other = int(g.adjacent[s, d])
            if other != NONE and g.top[other] != GREEN_SPACE:
                beside[district[s], district[other]] = True
    for park in range(groups):
        for k in range(groups):
            if beside[park, k]:
                for p in range(g.players):
                    if resources[k, p] > 0:
                        resources[k, p] += resources[park, p]


@kernel
def score_districts(g: State, out: np.ndarray) -> None:
    """Add what all districts together bring each player (R8.3)."""
    each = scratch_scores(_MAX_DISTRICTS, MAX_PLAYERS)
    for k in range(score_each_district(g, each)):
        for p in range(g.players):
            out[p, Source.DISTRICTS] += each[k, p]


@kernel
def score_district(players: int, resources: np.ndarray, tallest: np.ndarray, out: np.ndarray) -> None:
    """Add what a district brings each player: most resources get the total, the second as many as he has there (R8.3)."""
    first, second, total = rank_district(players, resources, tallest)
    out[player_of(first)] += total
    out[player_of(second)] += resources_of(second)


@kernel
def rank_district(players: int, resources: np.ndarray, tallest: np.ndarray) -> tuple[int, int, int]:
    """Who is first and second in a district, as ranks, and the total of resources there; a player alone is both (R8.3).

    A rank is a number that compares like resources, then floors and number of the tallest building; it is 0 without resources.
    See :func:`player_of` and :func:`resources_of`. In a district no two players are equal, as no two tiles of a color are.
    """
    first, second, total = 0, 0, 0
    for p in range(players):
        total += resources[p]
        rank = (((resources[p] << _TALLEST_BITS) | tallest[p]) << _PLAYER_BITS | p) * (resources[p] > 0)
        second = max(second, min(first, rank))
        first = max(first, rank)
    return first, (second if second > 0 else first), total


@kernel
def player_of(rank: int) -> int:
    """The player of a rank in a district; 0 of rank 0."""
    return rank & ((1 << _PLAYER_BITS) - 1)


@kernel
def resources_of(rank: int) -> int:
    """The player's resources there."""
    return rank >> (_TALLEST_BITS + _PLAYER_BITS)


# --- the expansion -------------------------------------------------------------------------------------------------------------


@kernel
def score_each_park(g: State, out: np.ndarray) -> int:
    """1 SP to the owner for each floor beside a green space (X3.4): (parks, P), by first tile; return how many there are."""
    park = scratch(MAX_BUILDINGS)
    n = find_parks(g, NONE, park)
    for k in range(n):
        for p in range(out.shape[1]):
            out[k, p] = 0
    for s in range(g.n_buildings):
        for d in range(N_DIRECTIONS if park[s] != NONE else 0):
            other = int(g.adjacent[s, d])
            if other != NONE and g.top[other] != GREEN_SPACE:
                out[park[s], g.owner[s]] += g.floors[other]
    return n


@kernel
def score_parks(g: State, out: np.ndarray) -> None:
    """Add what the green spaces in all parks bring each player."""
    each = scratch_scores(N_GREEN_SPACES, MAX_PLAYERS)
    for k in range(score_each_park(g, each)):
        for p in range(g.players):
            out[p, Source.PARKS] += each[k, p]


@kernel
def expert_points(g: State, p: int) -> int:
    """What the expert counts at the end (X6)."""
    if g.expert[p] == NONE:
        return 0
    if g.expert[p] == Expert.BANKER:
        return int(g.resources[p])
    if g.expert[p] == Expert.ENGINEER:
        return tiles_held(g, p) if g.exhaustions == 0 else 0
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
    """Tiles behind the screen; one on a card counts until it is played, so that scores do not betray a commitment (R10.1)."""
    return tiles_behind(g, p) + (g.tile[p] != NONE) + (g.lower[p] != NONE)


@kernel
def count_districts(g: State) -> int:
    """Districts in the city, owned or not (R8.3)."""
    each = scratch_scores(_MAX_DISTRICTS, MAX_PLAYERS)
    return score_each_district(g, each)
