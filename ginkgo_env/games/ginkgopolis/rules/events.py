"""Event tiles (X4)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.games.ginkgopolis.actions import PAY, TIMING, allow, first
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MOST_COUNTED,
    MOST_RECEIVED,
    N_DIRECTIONS,
    N_TILES,
    NOBODY,
    NONE,
    Ending,
    EventTile,
    Log,
    Phase,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.rules.city import building_at
from ginkgo_env.games.ginkgopolis.rules.gains import gain_points, place_resources
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import DX, DY, is_letter

_X, _Y, _CENTER = 0, 1, 2


@kernel
def show_event(g: State, p: int, log: np.ndarray) -> None:
    """The event on a revealed card: its zone is fixed, and its player chooses when it takes effect (X4.2, X4.3)."""
    emit(log, Log.SHOW_EVENT, p, g.event[p], 0)
    card = int(g.card[p])
    if is_letter(card):
        letter = card - N_TILES
        g.zone[_X], g.zone[_Y], g.zone[_CENTER] = g.token_x[letter], g.token_y[letter], 0
    else:
        slot = int(g.slot[card])
        g.zone[_X], g.zone[_Y], g.zone[_CENTER] = g.x[slot], g.y[slot], 1
    g.phase = Phase.TIMING
    g.stage = Stage.TIMING


@kernel
def legal_timings(g: State, mask: np.ndarray) -> int:
    """Before or after the action (X4.2)."""
    return allow(mask, first(TIMING), 1 + Timing.AFTER)


@kernel
def choose_timing(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Before or after the action."""
    timing = action - first(TIMING)
    g.timing = timing
    g.phase = Phase.BEFORE if timing == Timing.BEFORE else Phase.ACTION
    g.stage = Stage.RUN_EVENT if timing == Timing.BEFORE else Stage.ACT


@kernel
def resources_in_zone(g: State, p: int) -> int:
    """A player's resources on buildings of the zone (X4.3)."""
    x, y = int(g.zone[_X]), int(g.zone[_Y])
    n = resources_on(g, p, x, y) if g.zone[_CENTER] == 1 else 0
    for d in range(N_DIRECTIONS):
        n += resources_on(g, p, x + DX[d], y + DY[d])
    return n


@kernel
def resources_on(g: State, p: int, x: int, y: int) -> int:
    """A player's resources on the building of a cell; green spaces are no buildings."""
    slot = building_at(g, x, y)
    if slot == NONE or g.owner[slot] != p or g.top[slot] == GREEN_SPACE:
        return 0
    return int(g.floors[slot])


@kernel
def run_event(g: State, log: np.ndarray) -> None:
    """The event of the player whose turn it is takes effect (X4.4)."""
    p = int(g.player)
    kind = int(g.event[p])
    counted = min(MOST_COUNTED, resources_in_zone(g, p))
    g.stage = Stage.END_EVENT
    if kind == EventTile.EXPROPRIATION:
        expropriate(g, p, log)
        return
    emit(log, Log.TAKE_EFFECT, p, kind, counted)
    if kind == EventTile.DESIGN:
        g.draws = counted
        g.stage = Stage.DRAW
    elif kind == EventTile.PRESS:
        gain_points(g, p, counted, log)
    else:
        g.payer = 0
        g.received = 0
        g.stage = Stage.PAY


@kernel
def expropriate(g: State, p: int, log: np.ndarray) -> None:
    """Own resources replace another player's on the building named; else the tile goes back (X4.4)."""
    slot = building_at(g, int(g.zone[_X]), int(g.zone[_Y]))
    owner, n = int(g.owner[slot]), int(g.floors[slot])
    if owner in (NOBODY, p) or g.resources[p] < n:
        emit(log, Log.EVENT_BACK, p, g.event[p], 0)
        g.events[p] |= 1 << g.event[p]
        g.events_known[p] |= 1 << g.event[p]  # all have seen it (X7.4)
        g.event[p] = NONE
        return
    emit(log, Log.TAKE_EFFECT, p, g.event[p], n)
    g.resources[owner] += n
    g.owner[slot] = p
    gain_points(g, p, n, log)
    emit(log, Log.EXPROPRIATE, owner, g.top[slot], n)
    place_resources(g, p, n, Ending.RESOURCES, log)


@kernel
def end_event(g: State, log: np.ndarray) -> None:
    """The event leaves the game (X4.2); the action follows, or the turn is over."""
    p = int(g.player)
    if g.event[p] != NONE:
        g.events_played[p] |= 1 << g.event[p]
        g.events_known[p] &= ~(1 << g.event[p])
        g.event[p] = NONE
    g.zone[:] = 0
    g.received = 0
    if g.phase == Phase.BEFORE:
        g.phase = Phase.ACTION
        g.stage = Stage.ACT
    else:
        g.stage = Stage.END_TURN


# --- quality control -----------------------------------------------------------------------------------------------------------


@kernel
def payer(g: State) -> int:
    """Who pays next, clockwise from the player."""
    p = g.player + 1 + g.payer
    return p - g.players if p >= g.players else p


@kernel
def control_due(g: State, p: int) -> int:
    """What a player owes: his resources in the zone, at most what he has."""
    return min(resources_in_zone(g, p), int(g.resources[p]) + int(g.points[p]))


@kernel
def legal_pays(g: State, mask: np.ndarray) -> int:
    """How many of what is due are resources, the rest being SP (X4.4)."""
    p = int(g.actor)
    due = control_due(g, p)
    n = 0
    for resources in range(max(0, due - int(g.points[p])), min(due, int(g.resources[p])) + 1):
        mask[first(PAY) + resources] = 1
        n += 1
    return n


@kernel
def pay_control(g: State, p: int, action: int, log: np.ndarray) -> None:
    """A player pays so many resources to the supply, the rest in SP to the player, who receives 6 at most."""
    resources = action - first(PAY)
    points = control_due(g, p) - resources
    if resources + points > 0:
        emit(log, Log.CONTROL, p, resources, points)
    g.resources[p] -= resources
    g.supply_resources[p] += resources
    g.points[p] -= points
    received = min(points, MOST_RECEIVED - int(g.received))
    gain_points(g, int(g.player), received, log)
    g.received += received
    g.payer += 1
    if g.payer == g.players - 1:
        g.payer = 0
        g.stage = Stage.END_EVENT
