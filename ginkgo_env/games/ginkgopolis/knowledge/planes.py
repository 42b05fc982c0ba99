"""The city of an observation as spatial planes, for convolutional networks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import shaped
from ginkgo_env.core.layout import Layout
from ginkgo_env.games.ginkgopolis.knowledge.layout import CITY_PLANES, EXPANSION_CITY_PLANES, CityPlane, TokenPlane


def plane_names(layout: Layout) -> tuple[str, ...]:
    """Return the names of the planes: features of buildings, their owners, then tokens.

    ``floors``, ``red``, ``blue``, ``yellow``, ``number`` and ``pawn`` are the planes of block ``city``, with modules also
    ``green``. ``owner_0`` is 1 where the viewer is the owner, ``owner_1`` where the left neighbor is, and so on. ``token`` is 1
    for the token A, 2 for B, up to 12.
    """
    features = CITY_PLANES + (EXPANSION_CITY_PLANES if "modules" in layout else ())  # the block exists only with modules
    owners = range(layout["city"].shape[0] - len(features))
    return (*(name for name in features if name not in ("x", "y")), *(f"owner_{k}" for k in owners), "token")


def city_planes(layout: Layout, observations: NDArray[np.uint8], window: int = 16) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Draw cities on a window of ``window`` x ``window`` cells from the city's north-west corner on.

    Cell (0, 0) is that corner. Tokens may lie one cell outside the buildings, so buildings start at (1, 1).

    layout : ``game.observation``
    observations : (B, n) as from ``Batch.observe``
    Returns planes (B, planes, window, window) uint8, indexed [row, plane, y, x] with y to the south and x to the east (names:
    :func:`plane_names`), and (B,) int64, the number of buildings and tokens that lie outside the window and are not drawn.
    Raises BatchError if the observations have another layout.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 3)
    >>> planes, outside = city_planes(batch.game.observation, batch.observe())
    >>> planes.shape, outside.tolist()
    ((3, 9, 16, 16), [0, 0, 0])
    """
    observations = shaped(observations, (None, layout.size), "observations")
    city, tokens = layout.view(observations, "city"), layout.view(observations, "tokens")
    source = [plane for plane in range(layout["city"].shape[0]) if plane not in (CityPlane.X, CityPlane.Y)]
    planes = np.zeros((len(observations), len(source) + 1, window, window), np.uint8)
    row, slot = np.nonzero(city[:, CityPlane.FLOORS])  # floors 0: no building in this slot
    x, y = city[row, CityPlane.X, slot], city[row, CityPlane.Y, slot]
    inside = (x < window) & (y < window)
    for plane, feature in enumerate(source):
        planes[row[inside], plane, y[inside], x[inside]] = city[row[inside], feature, slot[inside]]
    outside = np.bincount(row[~inside], minlength=len(observations))
    row, letter = np.nonzero(tokens[:, TokenPlane.PLACED])
    x, y = tokens[row, TokenPlane.X, letter], tokens[row, TokenPlane.Y, letter]
    inside = (x < window) & (y < window)
    planes[row[inside], -1, y[inside], x[inside]] = letter[inside] + 1
    return planes, outside + np.bincount(row[~inside], minlength=len(observations))
