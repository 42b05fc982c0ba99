"""The score, recomputed from the board at any time (R8.2, R8.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, lowest
from ginkgo_env.core.jit import kernel
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

_HIGH_FLOORS = 3  # R1.5, cards 14 and 15
_HIGH_POINTS = 3
_CARD_POINTS = 2  # cards 16 to 19
_FIXED_POINTS = 9  # card 20
_ACTION_SET, _COLOR_SET = 5, 4  # cards 22 and 23, for each set
_OF_OTHERS, _OWN = 1, 2  # X6: for each building of the color of entrepreneur, professor, journalist
_DISTRICT = 2  # buildings at least (R8.3)
_HEIGHT = 32  # above any number on a tile: (floors, number) as one number that compares like the pair


@kernel
def score_one(g: State, out: np.ndarray) -> None:
    """Write the score by source into out (P, S) int32, columns as in ``Source``; rows of absent players are zero."""
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
    score_districts(g, out)
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
            if g.floors[s] < _HIGH_FLOORS:
                n += 1
        elif g.floors[s] >= _HIGH_FLOORS:
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
def find_districts(g: State, district: np.ndarray) -> int:
    """Number the groups of connected buildings of one color (R8.3), single buildings included.

    Writes each building's group into district (slots,), in the order of the groups' first buildings; returns how many there are.
    """
    n_buildings = int(g.n_buildings)
    stack = np.empty(MAX_BUILDINGS, np.int64)
    for s in range(n_buildings):
        district[s] = NONE
    groups = 0
    for start in range(n_buildings):
        if district[start] != NONE:
            continue
        district[start] = groups
        stack[0] = start
        waiting = 1
        while waiting > 0:
            waiting -= 1
            s = stack[waiting]
            for d in range(N_DIRECTIONS):
                other = int(g.adjacent[s, d])
                if other != NONE and district[other] == NONE and TILE_COLOR[g.top[other]] == TILE_COLOR[g.top[s]]:
                    district[other] = groups
                    stack[waiting] = other
                    waiting += 1
        groups += 1
    return groups


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
    district = np.empty(MAX_BUILDINGS, np.int64)
    groups = find_districts(g, district)
    size = np.zeros(groups, np.int64)
    resources = np.zeros((groups, MAX_PLAYERS), np.int64)
    tallest = np.zeros((groups, MAX_PLAYERS), np.int64)
    for s in range(g.n_buildings):
        k = district[s]
        size[k] += 0 if EXPANSION and g.top[s] == GREEN_SPACE else 1  # parks are no districts (X3.3)
        owner = int(g.owner[s])
        if owner != NOBODY:
            floors = int(g.floors[s])
            resources[k, owner] += floors
            tallest[k, owner] = max(tallest[k, owner], floors * _HEIGHT + TILE_NUMBER[g.top[s]])
    if EXPANSION:
        count_parks(g, district, groups, resources)
    n = 0
    for k in range(groups):
        if size[k] >= _DISTRICT:
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
    each = np.empty((MAX_BUILDINGS // _DISTRICT, MAX_PLAYERS), np.int32)
    for k in range(score_each_district(g, each)):
        for p in range(g.players):
            out[p, Source.DISTRICTS] += each[k, p]


@kernel
def score_district(players: int, resources: np.ndarray, tallest: np.ndarray, out: np.ndarray) -> None:
    """Most resources get the total, the second as many as he has there; a player alone gets both (R8.3)."""
    first, second, total = NOBODY, NOBODY, 0
    for p in range(players):
        if resources[p] == 0:
            continue
        total += resources[p]
        if first == NOBODY or stronger(p, first, resources, tallest):
            first, second = p, first
        elif second == NOBODY or stronger(p, second, resources, tallest):
            second = p
    if first == NOBODY:
        return
    out[first] += total
    if second == NOBODY:
        second = first
    out[second] += resources[second]


@kernel
def stronger(p: int, q: int, resources: np.ndarray, tallest: np.ndarray) -> bool:
    """Whether p comes before q in a district: more resources, then the taller building, then its number (R8.3)."""
    if resources[p] != resources[q]:
        return resources[p] > resources[q]
    return tallest[p] > tallest[q]


# --- the expansion -------------------------------------------------------------------------------------------------------------


@kernel
def score_each_park(g: State, out: np.ndarray) -> int:
    """1 SP to the owner for each floor beside a green space (X3.4): (parks, P), by first tile; return how many there are."""
    park = np.empty(MAX_BUILDINGS, np.int64)
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
    each = np.empty((N_GREEN_SPACES, MAX_PLAYERS), np.int32)
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
    each = np.empty((MAX_BUILDINGS // _DISTRICT, MAX_PLAYERS), np.int32)
    return score_each_district(g, each)
