"""The whole state of the environments of one learner as arrays, to store and to go on from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.envs.learner import Learner

_BATCH, _LEARNER, _DECISIONS = "batch/", "learner/", "decisions"


def snapshot(learner: Learner) -> dict[str, NDArray[Any]]:
    """Copies of everything that changes while ``learner`` plays: games, hidden fields included, seats, and random numbers.

    Opponents are not part of it: they keep no memory.
    """
    found = {name: _plain(array).copy() for name, array in _arrays(learner).items()}
    return found | {_DECISIONS: np.array(learner.decisions)}


def restore(learner: Learner, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Make ``learner`` go on as the one that the snapshot is of. Both need the same game, options and size.

    Raises ConfigError, and changes nothing, if the arrays do not fit.
    """
    own = _arrays(learner)
    wrong = [
        name
        for name, array in own.items()
        if name not in arrays or (arrays[name].shape, arrays[name].dtype) != (_plain(array).shape, _plain(array).dtype)
    ]
    if wrong or _DECISIONS not in arrays:
        raise ConfigError(f"a snapshot of other environments: it does not fit in {', '.join(wrong) or _DECISIONS}")
    for name, array in own.items():
        _plain(array)[:] = arrays[name]
    learner.decisions = int(arrays[_DECISIONS])


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    """Records as bytes (rows, n): a view."""
    return array.view(np.uint8).reshape(len(array), array.itemsize) if array.dtype.kind == "V" else array


def _arrays(learner: Learner) -> dict[str, NDArray[Any]]:
    """The arrays of a learner and of its batch by name."""
    batch = learner.batch.__getstate__()
    found = {f"{_BATCH}{name}": value for name, value in batch.items()}
    found |= {f"{_LEARNER}{name}": value for name, value in vars(learner).items()}
    return {name: value for name, value in found.items() if isinstance(value, np.ndarray)}
