"""The boards of observations as spatial planes, for convolutional networks."""

from __future__ import annotations

from typing import Any, TypeVar

from ginkgo_env.core.layout import Layout
from ginkgo_env.games.my_city.knowledge.layout import BOARD_PLANES, TERRAIN_PLANES

Array = TypeVar("Array", bound=Any)


def plane_names(layout: Layout) -> tuple[str, ...]:
    """Return the names of the planes: of block ``terrain``, then of block ``boards`` with the seat.

    ``empty_land``, ``trees``, ``rocks``, ``well``, ``vein``, ``mountain``, ``forest``, ``first_bank``, ``river_to_the_east`` and
    ``river_to_the_south`` belong to the printed board and never change. For each seat follow ``uncovered_0``, ``yellow_0``,
    ``red_0``, ``blue_0``, ``church_0``, ``same_building_to_the_east_0`` and ``same_building_to_the_south_0``: 0 is the viewer,
    1 the left neighbor, and so on. All values are 0 or 1.
    """
    seats = layout["boards"].shape[0]
    return (*TERRAIN_PLANES, *(f"{name}_{seat}" for seat in range(seats) for name in BOARD_PLANES))


def board_planes(layout: Layout, observations: Array) -> Array:
    """Return the board and what each seat has built on it as one stack of planes, without a copy.

    layout : ``game.observation``
    observations : (..., n) as from ``Batch.observe``: one observation (n,), a batch or more leading axes. Any array that can be
        sliced and reshaped like numpy's is accepted, for example a tensor of torch

    Returns a view (..., planes, rows, columns) of the same dtype; :func:`plane_names` has the names. Other information stays in
    its blocks: ``layout.view(observations, "shape")`` has the cells of the building to place, for each heading.

    Raises BatchError if the last axis does not have the size of the layout.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city", players=2), 3)
    >>> board_planes(batch.game.observation, batch.observe()).shape
    (3, 24, 11, 11)
    """
    layout.checked_vector(observations)
    terrain, boards = layout["terrain"], layout["boards"]  # adjacent, so one slice holds both
    planes = terrain.shape[0] + boards.shape[0] * boards.shape[1]
    return observations[..., terrain.start : boards.stop].reshape(*observations.shape[:-1], planes, *terrain.shape[1:])
