"""Event tiles (X4)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.ginkgopolis.actions import PAY, TIMING, allow, first
from ginkgo_env.games.ginkgopolis.components import DX, DY, is_letter
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MOST_COUNTED,
    MOST_RECEIVED,
    N_DIRECTIONS,
    N_TILES,
    NOBODY,
    NONE,
    Event,
    EventTile,
    Phase,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.rules.city import building_at
from ginkgo_env.games.ginkgopolis.rules.effects import gain_points, place_resources
from ginkgo_env.games.ginkgopolis.state import State

_X, _Y, _CENTER = 0, 1, 2


@kernel
def show_event(g: State, p: int, log: np.ndarray) -> None:
    """Show the event on a revealed card and fix its zone (X4.3); its timing is chosen next (X4.2)."""
    emit(log, Event.SHOW_EVENT, p, g.event[p], 0)
    card = int(g.card[p])
    if is_letter(card):  # X4.3: what is laid in place of the token does not belong to the zone
        letter = card - N_TILES
        g.zone[_X], g.zone[_Y], g.zone[_CENTER] = g.token_x[letter], g.token_y[letter], 0
    else:
        slot = int(g.slot[card])
        g.zone[_X], g.zone[_Y], g.zone[_CENTER] = g.x[slot], g.y[slot], 1
    g.phase = Phase.TIMING
    g.stage = Stage.TIMING


@kernel
def legal_timings(g: State, mask: np.ndarray) -> int:
    """Allow before and after the action, both always (X4.2)."""
    return allow(mask, first(TIMING), 1 + Timing.AFTER)


@kernel
def choose_timing(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Set when the event takes effect (X4.2)."""
    timing = action - first(TIMING)
    g.timing = timing
    g.phase = Phase.BEFORE if timing == Timing.BEFORE else Phase.ACTION
    g.stage = Stage.RUN_EVENT if timing == Timing.BEFORE else Stage.ACT


@kernel
def resources_in_zone(g: State, p: int) -> int:
    """Count a player's resources on buildings of the zone (X4.3)."""
    x, y = int(g.zone[_X]), int(g.zone[_Y])
    n = resources_on(g, p, x, y) if g.zone[_CENTER] == 1 else 0
    for d in range(N_DIRECTIONS):
        n += resources_on(g, p, x + DX[d], y + DY[d])
    return n


@kernel
def resources_on(g: State, p: int, x: int, y: int) -> int:
    """Count a player's resources on the building of a cell."""
    slot = building_at(g, x, y)
    if slot == NONE or g.owner[slot] != p or g.top[slot] == GREEN_SPACE:  # X3.1: no building
        return 0
    return int(g.floors[slot])


@kernel
def run_event(g: State, log: np.ndarray) -> None:
    """Carry out the event of the player whose turn it is (X4.4)."""
    p = int(g.player)
    kind = int(g.event[p])
    counted = min(MOST_COUNTED, resources_in_zone(g, p))  # X4.3: as things stand at this moment
    g.stage = Stage.END_EVENT
    if kind == EventTile.EXPROPRIATION:
        expropriate(g, p, log)
        return
    emit(log, Event.TAKE_EFFECT, p, kind, counted)
    if kind == EventTile.DESIGN:
        g.draws = counted
        g.stage = Stage.DRAW  # split apart from the draw of the action
    elif kind == EventTile.PRESS:
        gain_points(g, p, counted, log)
    else:
        g.payer = 0
        g.received = 0
        g.stage = Stage.PAY


@kernel
def expropriate(g: State, p: int, log: np.ndarray) -> None:
    """Replace another player's resources on the building named, or take the event tile back (X4.4)."""
    slot = building_at(g, int(g.zone[_X]), int(g.zone[_Y]))
    owner, n = int(g.owner[slot]), int(g.floors[slot])
    if owner in (NOBODY, p) or g.resources[p] < n:  # the banker cannot buy what they lack
        emit(log, Event.EVENT_BACK, p, g.event[p], 0)
        g.events[p] |= 1 << g.event[p]
        g.events_known[p] |= 1 << g.event[p]  # all have seen it (X7.4)
        g.event[p] = NONE
        return
    emit(log, Event.TAKE_EFFECT, p, g.event[p], n)
    g.resources[owner] += n  # no SP for them, not even as lawyer
    g.owner[slot] = p
    gain_points(g, p, n, log)
    emit(log, Event.EXPROPRIATE, owner, g.top[slot], n)
    place_resources(g, p, n, log)


@kernel
def end_event(g: State, log: np.ndarray) -> None:
    """Remove the event from the game (X4.2); go on with the action, or end the turn."""
    p = int(g.player)
    if g.event[p] != NONE:  # not taken back
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
    """Return the seat that pays next, clockwise from the player (X4.4)."""
    p = g.player + 1 + g.payer
    return p - g.players if p >= g.players else p


@kernel
def control_due(g: State, p: int) -> int:
    """Return what a player owes: their resources in the zone, at most what they have (X4.4)."""
    return min(resources_in_zone(g, p), int(g.resources[p]) + int(g.points[p]))


@kernel
def legal_pays(g: State, mask: np.ndarray) -> int:
    """Allow each number of resources to pay, the rest of what is due being SP (X4.4)."""
    p = int(g.actor)
    due = control_due(g, p)
    n = 0
    for resources in range(max(0, due - int(g.points[p])), min(due, int(g.resources[p])) + 1):
        mask[first(PAY) + resources] = 1
        n += 1
    return n


@kernel
def pay_control(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Pay resources to the supply and the rest in SP (X4.4)."""
    resources = action - first(PAY)
    points = control_due(g, p) - resources
    if resources + points > 0:
        emit(log, Event.CONTROL, p, resources, points)
    g.resources[p] -= resources
    g.supply_resources[p] += resources
    g.points[p] -= points
    received = min(points, MOST_RECEIVED - int(g.received))  # 6 at most from all together; the rest is lost
    gain_points(g, int(g.player), received, log)
    g.received += received
    g.payer += 1
    if g.payer == g.players - 1:
        g.payer = 0
        g.stage = Stage.END_EVENT
