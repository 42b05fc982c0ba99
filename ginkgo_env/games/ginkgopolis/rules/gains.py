"""Gains and payments of resources and success points (R2.5, R8.1)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.games.ginkgopolis.constants import Ending, Item, Log
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def gain_resources(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Gain resources out of the own supply (R2.5)."""
    got = min(n, int(g.supply_resources[p]))  # what is missing there is lost
    if got > 0:
        g.supply_resources[p] -= got
        g.resources[p] += got
        emit(log, Log.GAIN, p, Item.RESOURCE, got)


@kernel
def gain_points(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Gain success points."""
    if n > 0:
        g.points[p] += n
        emit(log, Log.GAIN, p, Item.POINT, n)


@kernel
def gain(g: State, p: int, item: int, n: int, log: np.ndarray) -> None:
    """Gain n items of one kind (R1.4)."""
    if item == Item.RESOURCE:
        gain_resources(g, p, n, log)
    elif item == Item.TILE:
        g.draws += n  # R4.3: drawn together after the bonuses
    else:
        gain_points(g, p, n, log)


@kernel
def trigger_end(g: State, reason: int, log: np.ndarray) -> None:
    """Trigger the end of the game (R8.1)."""
    if g.ending == Ending.NONE:  # the first reason in time is the one reported
        g.ending = reason
        emit(log, Log.ENDING, reason, 0, 0)


@kernel
def place_resources(g: State, p: int, n: int, reason: int, log: np.ndarray) -> None:
    """Put resources from behind the screen on a building."""
    g.resources[p] -= n
    if g.resources[p] == 0 and g.supply_resources[p] == 0:  # R8.1, R9.5: all are on buildings
        trigger_end(g, reason, log)


@kernel
def pay_points(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Pay success points (R5.2)."""
    if n > 0:
        g.points[p] -= n
        emit(log, Log.PAY, p, Item.POINT, n)


@kernel
def pay_resources(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Pay resources to the own supply (R5.2)."""
    if n > 0:
        g.resources[p] -= n
        g.supply_resources[p] += n
        emit(log, Log.PAY, p, Item.RESOURCE, n)
