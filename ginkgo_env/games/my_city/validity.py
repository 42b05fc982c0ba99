"""What the declarations of a state cannot say of states that do not come from play.

All that a valid record derives from cards and placements is as counting gives it. Whether the buildings could have been placed in
their order (M4.3, M4.4), and in which round the veins were covered, is not asked.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest, popcount
from ginkgo_env.core.compile.intrinsics import scratch_sets
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.state import Flaws
from ginkgo_env.games.my_city.components import Components
from ginkgo_env.games.my_city.constants import (
    CHURCH_POINTS,
    GOLD_POINTS,
    MAX_BUILDINGS,
    MAX_CELLS,
    MAX_DECK,
    N_COLORS,
    N_HEADINGS,
    N_WORDS,
    NOBODY,
    NONE,
    ROCK_POINTS,
    START_POINTS,
    TREE_POINTS,
    WELL_POINTS,
    Color,
    Ending,
    Source,
    Stage,
    Terrain,
)
from ginkgo_env.games.my_city.rules.cells import built_on, cells_of, first_cell, heading_of
from ginkgo_env.games.my_city.rules.placing import end_action, joints_of, legal_for
from ginkgo_env.games.my_city.rules.scoring import churches_in_color, count_visible, group_size, wells_enclosed
from ginkgo_env.games.my_city.state import State

_MOST_ACTIONS = N_HEADINGS * MAX_CELLS + 2
_ANCHORS = len(Color)
_EAST, _SOUTH, _SETS = _ANCHORS + 1, _ANCHORS + 2, _ANCHORS + 3


class Flaw(Flaws):
    """What can be wrong with a record."""

    DECK = "cards of the deck are missing, or none has been turned up"
    ROUND = "the current building, the blocked one and the number of rounds are not those of the cards turned up"
    STAGE = "the stage, the actor and the ending do not fit together"
    ENDED = "a player has ended in a round that is not over"
    BUILDINGS = "a player has not placed or passed each building of the rounds that the player took part in, and no other"
    PLACE = "a building lies where none can lie"
    BOARD = "the cells that are covered are not those of the buildings on the board"
    POINTS = "points are not what counting gives"
    GOLD = "the gold has not gone to a player whose veins are covered"
    CHOICE = "a choice of this round is missing, premature or not legal"
    ACTOR = "the actor has nothing to choose"


@kernel
def find_flaw(g: State, t: Components) -> int:
    """Return the number of the first flaw of a record, 0 if it is valid."""
    if g.drawn < 1 or g.drawn > t.n_buildings + 1:
        return Flaw.DECK
    for i in range(t.n_buildings + 1):
        if g.deck[i] == NONE:
            return Flaw.DECK
    flaw = flaw_of_moment(g, t)
    for p in range(g.players):
        if flaw == 0:
            flaw = flaw_of_player(g, t, p)
    if flaw == 0 and not is_gold_right(g, t):
        return Flaw.GOLD
    return flaw_of_choices(g, t) if flaw == 0 else flaw


@kernel
def came_up(g: State, t: Components, rounds: int) -> np.uint64:
    """Return the buildings of the first rounds as a set (M3.5)."""
    found = ZERO
    for i in range(g.drawn):
        lost = g.deck[i] == t.n_buildings or (i > 0 and g.deck[i - 1] == t.n_buildings)  # M5.5
        if not lost and popcount(found) < rounds:
            found |= bit(g.deck[i])
    return found


@kernel
def flaw_of_moment(g: State, t: Components) -> int:
    """Return the first flaw of what all players share, 0 if there is none."""
    running, last, blocked, ended, latest = g.stage == Stage.BUILD, int(g.deck[g.drawn - 1]), NONE, 0, 0
    for i in range(1, g.drawn):
        if g.deck[i - 1] == t.n_buildings:
            blocked = int(g.deck[i])
    came = came_up(g, t, MAX_DECK)
    has_round = (came & bit(last)) != ZERO
    if g.rounds != popcount(came) or g.blocked != blocked or g.current != (last if running else NONE):
        return Flaw.ROUND
    for p in range(g.players):
        if g.ended[p] > g.rounds - (1 if running else 0):
            return Flaw.ENDED
        ended += 1 if g.ended[p] > 0 else 0
        latest = max(latest, int(g.ended[p]))
    if running:
        fits = has_round and g.ending == Ending.NONE and g.actor != NOBODY
    elif g.ending == Ending.ENDED:  # M7.1: with the last player's end, before another card is turned up
        fits = has_round and ended == g.players and latest == g.rounds
    else:  # M7.2
        fits = g.ending == Ending.CARDS and ended < g.players and g.drawn == t.n_buildings + 1
    return 0 if fits and (running or g.actor == NOBODY) else Flaw.STAGE


@kernel
def flaw_of_player(g: State, t: Components, p: int) -> int:
    """Return the first flaw of a player's buildings and points, 0 if there is none."""
    rounds = int(g.ended[p]) if g.ended[p] > 0 else int(g.rounds) + (1 if g.stage == Stage.OVER else 0)
    placed, passed = g.placed[p], g.passed[p]
    # M3.2, M5.4: in each round before the end the building was placed or, unless it was a church, passed
    if (placed & passed) != ZERO or (placed | passed) != came_up(g, t, rounds - 1) or (passed & t.of_color[Color.CHURCH]) != ZERO:
        return Flaw.BUILDINGS
    board = scratch_sets(_SETS, N_WORDS)
    for row in range(_SETS):
        board[row, 0] = board[row, 1] = ZERO
    for building in range(MAX_BUILDINGS):
        action = int(g.at[p, building])
        if (placed & bit(building)) == ZERO:
            if action != NONE:
                return Flaw.PLACE
        elif not add_building(t, building, action, board):
            return Flaw.PLACE
    for w in range(N_WORDS):
        for color in range(_ANCHORS):
            if g.covered[p, color, w] != board[color, w]:
                return Flaw.BOARD
        if g.anchors[p, w] != board[_ANCHORS, w] or g.east[p, w] != board[_EAST, w] or g.south[p, w] != board[_SOUTH, w]:
            return Flaw.BOARD
    return 0 if are_points_right(g, t, p) else Flaw.POINTS


@kernel
def add_building(t: Components, building: int, action: int, board: np.ndarray) -> bool:
    """Add a building to sets of cells; return whether it can lie there (M4.1, M4.2).

    board : (sets, words), the cells by color, anchors, east and south
    """
    if action < 0 or action >= N_HEADINGS * t.n_cells:
        return False
    heading = heading_of(t, action)
    cell = action - heading * t.n_cells
    if (t.anchors[building, heading, cell >> 6] & (ONE << np.uint64(cell & 63))) == ZERO:
        return False
    low, high = cells_of(t, building, action)
    for color in range(_ANCHORS):
        if ((board[color, 0] & low) | (board[color, 1] & high)) != ZERO:
            return False
    first_low, first_high = first_cell(low, high)
    east_low, east_high, south_low, south_high = joints_of(t, low, high)
    color = int(t.color[building])
    board[color, 0] |= low
    board[color, 1] |= high
    board[_ANCHORS, 0] |= first_low
    board[_ANCHORS, 1] |= first_high
    board[_EAST, 0] |= east_low
    board[_EAST, 1] |= east_high
    board[_SOUTH, 0] |= south_low
    board[_SOUTH, 1] |= south_high
    return True


@kernel
def are_points_right(g: State, t: Components, p: int) -> bool:
    """Whether the counter and all sources are what counting gives (M8)."""
    low, high = built_on(g, p)
    passes, gold = popcount(g.passed[p]), int(g.gold[p])
    if g.points[p] != START_POINTS - passes + GOLD_POINTS * gold:
        return False
    for color in range(N_COLORS):
        largest, rest = 0, g.placed[p] & t.of_color[color]
        while rest != ZERO:
            building_low, building_high = cells_of(t, lowest(rest), g.at[p, lowest(rest)])
            rest &= rest - ONE
            largest = max(largest, group_size(g, t, p, color, building_low, building_high))
        if g.sources[p, Source.YELLOW + color] != largest:
            return False
    return (
        g.sources[p, Source.START] == START_POINTS
        and g.sources[p, Source.PASSES] == -passes
        and g.sources[p, Source.GOLD] == GOLD_POINTS * gold
        and g.sources[p, Source.TREES] == TREE_POINTS * count_visible(t, Terrain.TREES, low, high)
        and g.sources[p, Source.ROCKS] == ROCK_POINTS * count_visible(t, Terrain.ROCKS, low, high)
        and g.sources[p, Source.EMPTY] == -count_visible(t, Terrain.EMPTY, low, high)
        and g.sources[p, Source.CHURCHES] == CHURCH_POINTS * churches_in_color(g, t, p)
        and g.sources[p, Source.WELLS] == WELL_POINTS * wells_enclosed(g, t, p)
    )


@kernel
def is_gold_right(g: State, t: Components) -> bool:
    """Whether the gold is open while no player has covered all veins, and then theirs (M6.1)."""
    given = 0
    for p in range(g.players):
        low, high = built_on(g, p)
        covered = t.n_veins > 0 and count_visible(t, Terrain.VEIN, low, high) == 0
        if (g.gold[p] != 0 and not covered) or (g.gold_round == 0 and covered):
            return False
        given += int(g.gold[p])
    rounds = int(g.rounds) - (0 if g.stage == Stage.OVER else 1)
    return g.gold_round == 0 if given == 0 else 1 <= g.gold_round <= rounds


@kernel
def flaw_of_choices(g: State, t: Components) -> int:
    """Return the first flaw of the choices of a round, 0 if there is none."""
    mask = np.zeros(_MOST_ACTIONS, np.int8)[: end_action(t) + 1]
    for p in range(g.players):
        choice = int(g.choice[p])
        if p < g.actor and g.ended[p] == 0:  # M3.3: chosen, and not yet in effect
            if choice < 0 or choice > end_action(t):
                return Flaw.CHOICE
            n = legal_for(g, t, p, mask)
            if choice != end_action(t) and (n == 1 or mask[choice] == 0):
                return Flaw.CHOICE
        elif choice != NONE:
            return Flaw.CHOICE
    if g.stage != Stage.OVER and (g.ended[g.actor] != 0 or legal_for(g, t, int(g.actor), mask) == 1):
        return Flaw.ACTOR
    return 0
