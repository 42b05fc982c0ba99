"""The city of observations as spatial planes, for convolutional networks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.layout import Layout
from ginkgo_env.games.ginkgopolis.knowledge.layout import CITY_PLANES, EXPANSION_CITY_PLANES, CityPlane, TokenPlane


def plane_names(layout: Layout) -> tuple[str, ...]:
    """Names of the planes: the features of buildings in block ``city``, whose they are, then the letter of a token.

    ``floors``, ``red``, ``blue``, ``yellow``, ``number`` and ``pawn`` are those of the block, with modules also ``green``;
    ``owner_0`` is 1 where the viewer is the owner, ``owner_1`` where the left neighbor is, and so on; ``token`` is 1 for the
    token A, 2 for B, up to 12.
    """
    features = _features(layout)
    owners = range(layout["city"].shape[0] - len(features))
    return (*(name for name in features if name not in ("x", "y")), *(f"owner_{k}" for k in owners), "token")


def _features(layout: Layout) -> tuple[str, ...]:
    """The features of buildings, with modules (which only they list) those of the expansion as well."""
    return CITY_PLANES + (EXPANSION_CITY_PLANES if "modules" in layout else ())


def city_planes(layout: Layout, observations: NDArray[np.uint8], window: int = 16) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Draw cities on a window of ``window`` x ``window`` cells, whose corner is the city's north-west corner (0, 0).

    The ring of tokens begins there, one cell outside the buildings, so that buildings start at (1, 1).

    layout : ``game.observation``
    observations : (B, n) as from ``Batch.observe``
    Returns planes (B, planes, window, window) uint8, indexed [row, plane, y, x] with y to the south and x to the east (names:
    :func:`plane_names`), and (B,) int64: how many buildings and tokens lie outside the window and are not drawn.
    Raises ValueError unless there is at least one cell, and the observations are of this layout.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 3)
    >>> planes, outside = city_planes(batch.game.observation, batch.observe())
    >>> planes.shape, outside.tolist()
    ((3, 9, 16, 16), [0, 0, 0])
    """
    if window < 1:
        raise ValueError(f"invalid window {window}; expected at least 1 cell")
    if observations.ndim != 2 or observations.shape[1] != layout.size:
        raise ValueError(f"invalid observations of shape {observations.shape}; expected (rows, {layout.size})")
    city, tokens = layout.view(observations, "city"), layout.view(observations, "tokens")
    kept = [plane for plane in range(layout["city"].shape[0]) if plane not in (CityPlane.X, CityPlane.Y)]
    planes = np.zeros((len(observations), len(kept) + 1, window, window), np.uint8)
    row, slot = np.nonzero(city[:, CityPlane.FLOORS])
    x, y = city[row, CityPlane.X, slot], city[row, CityPlane.Y, slot]
    inside = (x < window) & (y < window)
    for plane, feature in enumerate(kept):
        planes[row[inside], plane, y[inside], x[inside]] = city[row[inside], feature, slot[inside]]
    outside = np.bincount(row[~inside], minlength=len(observations))
    row, letter = np.nonzero(tokens[:, TokenPlane.PLACED])
    x, y = tokens[row, TokenPlane.X, letter], tokens[row, TokenPlane.Y, letter]
    inside = (x < window) & (y < window)
    planes[row[inside], -1, y[inside], x[inside]] = letter[inside] + 1
    return planes, outside + np.bincount(row[~inside], minlength=len(observations))
