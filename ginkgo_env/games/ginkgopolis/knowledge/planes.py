"""The city of observations as spatial planes, for convolutional networks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.layout import Layout
from ginkgo_env.games.ginkgopolis.knowledge.layout import CITY_PLANES, TOKEN_PLANES

_FLOORS, _X, _Y = (CITY_PLANES.index(name) for name in ("floors", "x", "y"))
_FEATURES = tuple(i for i, name in enumerate(CITY_PLANES) if name not in ("x", "y"))
_PLACED, _TOKEN_X, _TOKEN_Y = (TOKEN_PLANES.index(name) for name in ("placed", "x", "y"))


def plane_names(layout: Layout) -> tuple[str, ...]:
    """Names of the planes: features of buildings, whose they are, then the letter of a token (1 = A)."""
    sides = layout["city"].shape[0] - len(CITY_PLANES)
    return (*(CITY_PLANES[i] for i in _FEATURES), *(f"owner_{k}" for k in range(sides)), "token")


def city_planes(layout: Layout, observations: NDArray[np.uint8], window: int = 16) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Draw cities on a window of ``window`` x ``window`` cells whose corner is the city's north-west corner.

    observations : (B, n) as from ``Batch.observe``
    Returns planes (B, planes, window, window) uint8, rows from north to south (names: :func:`plane_names`), and (B,) int64:
    how many buildings and tokens lie outside the window and are not drawn. A window of 82 holds every city.
    """
    if window < 1:
        raise ValueError(f"a window has at least one cell, not {window}")
    city, tokens = layout.view(observations, "city"), layout.view(observations, "tokens")
    owners = range(len(CITY_PLANES), layout["city"].shape[0])
    planes = np.zeros((len(observations), len(_FEATURES) + len(owners) + 1, window, window), np.uint8)
    row, slot = np.nonzero(city[:, _FLOORS])
    x, y = city[row, _X, slot].astype(np.int64), city[row, _Y, slot].astype(np.int64)
    inside = (x < window) & (y < window)
    for plane, feature in enumerate((*_FEATURES, *owners)):
        planes[row[inside], plane, y[inside], x[inside]] = city[row[inside], feature, slot[inside]]
    outside = np.bincount(row[~inside], minlength=len(observations))
    row, letter = np.nonzero(tokens[:, _PLACED])
    x, y = tokens[row, _TOKEN_X, letter].astype(np.int64), tokens[row, _TOKEN_Y, letter].astype(np.int64)
    inside = (x < window) & (y < window)
    planes[row[inside], -1, y[inside], x[inside]] = letter[inside] + 1
    return planes, outside + np.bincount(row[~inside], minlength=len(observations))
